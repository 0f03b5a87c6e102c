//! A scenario that was loaded: its front and its view.

use std::collections::HashMap;
use std::sync::Arc;

use carom::dynamics::{Body, BodyId, Motion, Response};
use carom::geometry::{Grid, Mesh, Shape, Triangle};
use carom::scenario::{self, MeshFile, Parsed, Scenario, Source, parse};
use carom::world::{RestoreError, SetupError, World};
use miette::Diagnostic;

use crate::answer::{Description, Form, Item, Order, Problem, Problems, Report, Seen, Sights, Slider, Touching};
use crate::clock::Clock;
use crate::front::Front;
use crate::view::{Arrival, View};

/// Numbers of one body in the answer to [`Session::poses`].
const PER_BODY: usize = 9;

/// A scenario that was loaded.
pub(crate) struct Session {
    scenario: Scenario,
    clock: Clock,
    front: Front,
    view: View,
    /// The meshes, and those of grids; none for a grid without a solid cell.
    meshes: Vec<Option<Arc<Mesh>>>,
    /// The grids as they were last told, with the numbers of their meshes.
    grids: Vec<(BodyId, Arc<Grid>, usize)>,
    /// The arcs, with the numbers of the meshes of their chords.
    arcs: Vec<(BodyId, usize)>,
    /// The numbers of meshes that are new or have changed since they were last told.
    fresh: Vec<usize>,
    /// The rank of each name in the scenario. Only looked up.
    ranks: HashMap<String, usize>,
}

impl Session {
    /// Reads a scenario and makes its world.
    pub(crate) fn load(order: Order, files: Vec<MeshFile>) -> Result<(Self, Description), Problems> {
        let source = Source::new(order.name, &order.text).with_files(files);
        let parsed = parse(&source).map_err(|problems| listed(&problems))?;
        // The front's, and another one for the view.
        let view = parsed.scenario.world().map_err(|error| unfit(&parsed, &error))?;
        let scenario = parsed.scenario.clone().with_times(order.timestep, order.duration);
        let scenario = scenario.map_err(|error| Problems::of_words(&error))?;
        let clock = Clock::of(&scenario);
        let watched = order.watched.into_iter().collect();
        let front = Front::new(&scenario, clock, watched).map_err(|error| Problems::of_words(&error))?;
        let ranks = scenario.all_bodies().enumerate().map(|(rank, named)| (named.name.clone(), rank)).collect();
        let (meshes, grids, arcs, fresh) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut session =
            Self { view: View::new(view, clock), clock, front, meshes, grids, arcs, fresh, ranks, scenario };
        let warnings = parsed.warnings().map_or_else(Vec::new, |warnings| listed(&warnings).problems);
        let description = session.describe(&source.text, warnings);
        session.fresh.clear();
        Ok((session, description))
    }

    fn describe(&mut self, text: &str, warnings: Vec<Problem>) -> Description {
        let bodies = self.bodies(0);
        let play = self.scenario.play.iter().map(|slider| told(slider, text)).collect();
        let Scenario { title, settings, timestep, duration, .. } = &self.scenario;
        Description {
            carom: env!("CARGO_PKG_VERSION"),
            title: title.clone(),
            timestep: *timestep,
            duration: *duration,
            steps: self.clock.steps(),
            gravity: settings.gravity.to_array(),
            periods: settings.space.periods.map(|period| period.map(|period| [period.min, period.max])),
            planar: settings.space.is_planar,
            meshes: self.meshes.len(),
            bodies,
            play,
            warnings,
        }
    }

    /// What the bodies of the view are from row `first` on, those that were removed included.
    pub(crate) fn bodies(&mut self, first: u32) -> Vec<Item> {
        let rows = first..rows(self.view.world());
        rows.map(|row| {
            let world = self.view.world();
            let (name, body) = (world.name(BodyId(row)).to_owned(), world.body(BodyId(row)));
            self.item(BodyId(row), name, &body)
        })
        .collect()
    }

    fn item(&mut self, id: BodyId, name: String, body: &Body) -> Item {
        let shape = match &body.shape {
            Shape::Sphere(radius) => Form::Sphere(radius.get()),
            Shape::Box(half) => Form::Box(half.get().to_array()),
            Shape::Plane(plane) => {
                let normal = plane.normal();
                Form::Plane([normal.x, normal.y, normal.z, plane.offset()])
            }
            Shape::Mesh(mesh) => Form::Mesh(self.mesh_number(mesh)),
            Shape::Arc(_) => Form::Mesh(self.arc_number(id, body)),
            Shape::Grid(grid) => Form::Mesh(self.grid_number(id, grid, body)),
        };
        let motion = match body.motion {
            Motion::Free(_) => "free",
            Motion::Fixed => "fixed",
            Motion::Kinematic => "kinematic",
        };
        let rank = self.ranks.get(&name).copied().unwrap_or_default();
        Item { name, shape, motion, sensor: body.response == Response::Sense, rank }
    }

    fn mesh_number(&mut self, mesh: &Arc<Mesh>) -> usize {
        let is_it = |known: &Option<Arc<Mesh>>| known.as_ref().is_some_and(|known| Arc::ptr_eq(known, mesh));
        self.meshes.iter().position(is_it).unwrap_or_else(|| self.add_mesh(Some(Arc::clone(mesh))))
    }

    fn add_mesh(&mut self, mesh: Option<Arc<Mesh>>) -> usize {
        let number = self.meshes.len();
        self.meshes.push(mesh);
        self.fresh.push(number);
        number
    }

    fn arc_number(&mut self, id: BodyId, body: &Body) -> usize {
        if let Some(&(_, number)) = self.arcs.iter().find(|known| known.0 == id) {
            return number;
        }
        let number = self.add_mesh(body.shape.to_mesh());
        self.arcs.push((id, number));
        number
    }

    fn grid_number(&mut self, id: BodyId, grid: &Arc<Grid>, body: &Body) -> usize {
        if let Some(known) = self.grids.iter().find(|known| known.0 == id) {
            return known.2;
        }
        let number = self.add_mesh(body.shape.to_mesh());
        self.grids.push((id, Arc::clone(grid), number));
        number
    }

    /// Makes the meshes of grids anew whose cells have changed, and gives the numbers of all meshes that are not as
    /// they were last told.
    fn fresh(&mut self) -> Vec<usize> {
        let world = self.view.world();
        // A snapshot before a body came has no such body.
        for (id, told, number) in self.grids.iter_mut().filter(|known| known.0.0 < rows(world)) {
            let body = world.body(*id);
            if let Shape::Grid(grid) = &body.shape
                && !Arc::ptr_eq(grid, told)
            {
                if grid != told {
                    self.meshes[*number] = body.shape.to_mesh();
                    self.fresh.push(*number);
                }
                *told = Arc::clone(grid);
            }
        }
        std::mem::take(&mut self.fresh)
    }

    /// The corners of all triangles of a mesh.
    pub(crate) fn triangles(&self, number: usize) -> Vec<f64> {
        let mesh = self.meshes.get(number).and_then(Option::as_ref);
        let triangles = mesh.map_or(&[][..], |mesh| mesh.triangles());
        triangles.iter().flat_map(Triangle::vertices).flat_map(|corner| corner.to_array()).collect()
    }

    pub(crate) fn front_slice(&mut self, events_max: usize) -> bool {
        self.front.slice(events_max)
    }

    pub(crate) fn front_report(&mut self) -> Report {
        self.front.report()
    }

    pub(crate) fn impacts(&self, count: usize) -> Vec<f64> {
        self.front.impacts(count)
    }

    pub(crate) fn seek(&mut self, seconds: f64) {
        known(self.view.seek(&self.scenario, &self.front, self.clock.instant(seconds)));
    }

    pub(crate) fn seek_until(&mut self, seconds: f64) {
        known(self.view.seek_until(&self.scenario, &self.front, self.clock.instant(seconds)));
    }

    pub(crate) fn seek_step(&mut self, step: u64) {
        let end = self.clock.end_of(step.min(self.clock.steps()));
        known(self.view.seek(&self.scenario, &self.front, end));
    }

    pub(crate) fn seek_impact(&mut self, backwards: bool) {
        if backwards {
            known(self.view.seek_previous(&self.scenario, &self.front));
        } else {
            self.view.seek_next();
        }
    }

    pub(crate) fn view_slice(&mut self, events_max: usize) -> Arrival {
        known(self.view.slice(&self.scenario, &self.front, events_max))
    }

    /// Writes where all bodies of the view are.
    pub(crate) fn poses(&self, numbers: &mut Vec<f64>) {
        let world = self.view.world();
        let count = rows(world);
        numbers.clear();
        numbers.extend([world.now().seconds(), self.view.step() as f64, f64::from(count)]);
        for id in (0..count).map(BodyId) {
            if world.is_present(id) {
                let state = world.state(id);
                let all = [state.position, state.velocity, state.spin];
                numbers.extend(all.into_iter().flat_map(|vector| vector.to_array()));
            } else {
                numbers.extend([f64::NAN; PER_BODY]);
            }
        }
    }

    /// Writes the energies and the impacts of the view.
    pub(crate) fn totals(&self, numbers: &mut Vec<f64>) {
        let balance = self.view.world().balance();
        let impacts = self.view.impacts();
        numbers.clear();
        numbers.extend([balance.kinetic, balance.potential, impacts.all as f64]);
        let of_body = |row: u32| impacts.of_body.get(row as usize).copied().unwrap_or_default() as f64;
        numbers.extend((0..rows(self.view.world())).map(of_body));
    }

    /// Events that are not older than `seconds`, contacts, and the meshes that have changed.
    pub(crate) fn sights(&mut self, seconds: f64) -> Sights {
        let meshes = self.fresh();
        let world = self.view.world();
        let fresh = self.view.recent().filter(|event| world.now().since(event.time) <= seconds);
        let events = fresh.map(|event| Seen {
            time: event.time.seconds(),
            exact: event.time.to_string(),
            kind: event.kind.name(),
            a: event.a.0,
            b: event.partner().map(|body| body.0),
            point: event.point.to_array(),
            normal: event.normal.to_array(),
            approach_speed: event.approach_speed,
            impulse: event.impulse,
        });
        let contacts = world.contacts().into_iter();
        let contacts = contacts.map(|own| Touching { a: own.a.0, b: own.b.0, normal: own.normal.to_array() });
        Sights { events: events.collect(), contacts: contacts.collect(), meshes }
    }

    /// The state hash of the view.
    pub(crate) fn view_hash(&self) -> String {
        carom::record::state_hash(self.view.world())
    }
}

/// How many bodies there were in all.
fn rows(world: &World) -> u32 {
    world.ids_issued() as u32
}

/// A snapshot of this very scenario fits it.
fn known<T>(went: Result<T, RestoreError>) -> T {
    went.unwrap_or_else(|error| panic!("a snapshot of this run does not fit it: {error}"))
}

/// A slider, for a script.
fn told(slider: &scenario::Slider, text: &str) -> Slider {
    let scenario::Slider { label, unit, range, step, is_log, value, place, .. } = slider.clone();
    let units = |part: &str| part.encode_utf16().count();
    let (at, length) = (units(&text[..place.start]), units(&text[place]));
    Slider { label, unit, range, step, log: is_log, value, at, length }
}

fn listed(problems: &scenario::Problems) -> Problems {
    let one = |problem: &scenario::Problem| Problem {
        line: problem.line,
        column: problem.column,
        field: problem.field.clone(),
        message: problem.fault.to_string(),
        help: problem.help().map(|help| help.to_string()),
    };
    Problems { problems: problems.list().iter().map(one).collect(), unlisted: problems.unlisted() }
}

/// The world of a scenario cannot be made.
fn unfit(parsed: &Parsed, error: &SetupError) -> Problems {
    match parsed.unmade(error.clone()) {
        Ok(problems) => listed(&problems),
        Err(other) => Problems::of_words(&other),
    }
}
