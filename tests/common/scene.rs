//! Scenes that use only the stepper: a run with its energy accounts, under any permutation and mirroring of the axes.
//!
//! A scene is written once, in its own frame. [`View`] turns the scene before the run and turns the results back. So a
//! test states one closed form, which holds for every direction.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use carom::dynamics::{Balance, Body, BodyId, Event, EventKind, Friction, FrictionLength, Material, MaterialId};
use carom::dynamics::{Materials, Pairing, Progress, Restitution, Settings, Space, Stepper};
use carom::geometry::{Grid, HalfExtents, Mesh, Plane, Shape, Solid, gap};
use carom::motion::SimTime;
use carom::scenario::{self, Source};
use glam::{DMat3, DVec3};

use super::Random;

/// The material of the bodies that this module makes.
pub(crate) const STUFF: MaterialId = MaterialId(1);

pub(crate) fn material(restitution: f64, friction: f64) -> Material {
    let (restitution, friction) = (Restitution::new(restitution).unwrap(), Friction::new(friction).unwrap());
    Material { friction, ..restitution.into() }
}

/// Settings in which [`STUFF`] has this restitution and friction.
pub(crate) fn settings(gravity: DVec3, restitution: f64, friction: f64) -> Settings {
    let mut materials = Materials::default();
    assert_eq!(materials.add(material(restitution, friction)), STUFF);
    Settings { gravity, materials, ..Settings::default() }
}

/// The same settings, in which [`STUFF`] also has these coefficients of rolling and spinning friction, m.
pub(crate) fn resisting(settings: Settings, rolling: f64, spinning: f64) -> Settings {
    let stuff = &settings.materials;
    let pairing = Pairing {
        restitution: stuff.restitution(STUFF, STUFF).constant().map(|e| Restitution::new(e).unwrap()),
        friction: Some(Friction::new(stuff.friction(STUFF, STUFF)).unwrap()),
        rolling_friction: Some(FrictionLength::new(rolling).unwrap()),
        spinning_friction: Some(FrictionLength::new(spinning).unwrap()),
    };
    let mut settings = settings;
    settings.materials.set_pair(STUFF, STUFF, pairing);
    settings
}

pub(crate) fn ball(radius: f64, mass: f64) -> Body {
    Body::sphere(radius, mass).unwrap().made_of(STUFF)
}

pub(crate) fn cube(half: f64, mass: f64) -> Body {
    cuboid(DVec3::splat(half), mass)
}

pub(crate) fn cuboid(half: DVec3, mass: f64) -> Body {
    Body::cuboid(half, mass).unwrap().made_of(STUFF)
}

pub(crate) fn plane(normal: DVec3, offset: f64) -> Body {
    Body::plane(normal, offset).unwrap().made_of(STUFF)
}

/// A square mesh of edge 6 m with random heights from `-height` to 0; flat if `height` is 0.
pub(crate) fn hills(random: &mut Random, height: f64) -> Body {
    let side = 7;
    let corner = |n: usize, random: &mut Random| {
        DVec3::new((n % side) as f64 - 3.0, (n / side) as f64 - 3.0, random.between(-height, 0.0))
    };
    let corners: Vec<DVec3> = (0..side * side).map(|n| corner(n, random)).collect();
    let squares = (0..side * side).filter(|n| n % side < side - 1 && n / side < side - 1);
    let triangles = squares.flat_map(|n| [[n, n + 1, n + side], [n + 1, n + side + 1, n + side]]);
    let triangles: Vec<[u32; 3]> = triangles.map(|triangle| triangle.map(|n| n as u32)).collect();
    Body::mesh(Arc::new(Mesh::new(&corners, &triangles).unwrap())).made_of(STUFF)
}

/// An orthogonal matrix from the frame of the scene to the frame of the run.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct View(DMat3);

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x, y, z seen as {}, {}, {}", self.0.x_axis, self.0.y_axis, self.0.z_axis)
    }
}

impl View {
    pub(crate) const PLAIN: Self = Self(DMat3::IDENTITY);

    /// A rotation to axes that are not aligned with the frame, for scenes without boxes.
    pub(crate) fn tilted() -> Self {
        let columns = [DVec3::new(2.0, 1.0, 2.0), DVec3::new(-2.0, 2.0, 1.0), DVec3::new(-1.0, -2.0, 2.0)];
        Self(DMat3::from_cols(columns[0] / 3.0, columns[1] / 3.0, columns[2] / 3.0))
    }

    /// All 48 permutations and mirrors of the axes.
    pub(crate) fn all() -> Vec<Self> {
        let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
        let signs = (0..8).map(|n| DVec3::new(sign(n, 1), sign(n, 2), sign(n, 4)));
        let axes = DVec3::AXES;
        let view = |order: [usize; 3], sign: DVec3| {
            Self(DMat3::from_cols(axes[order[0]] * sign.x, axes[order[1]] * sign.y, axes[order[2]] * sign.z))
        };
        signs.flat_map(|sign| orders.map(|order| view(order, sign))).collect()
    }

    /// Six of the 48 views: one for each order of the axes, with different signs.
    pub(crate) fn some() -> Vec<Self> {
        Self::all().into_iter().step_by(9).collect()
    }

    pub(crate) fn seen(&self, v: DVec3) -> DVec3 {
        self.0 * v
    }

    pub(crate) fn back(&self, v: DVec3) -> DVec3 {
        self.0.transpose() * v
    }

    /// The same for an angular velocity, which changes its sign under a mirroring.
    pub(crate) fn seen_spin(&self, spin: DVec3) -> DVec3 {
        self.seen(spin) * self.handedness()
    }

    fn handedness(&self) -> f64 {
        self.0.determinant().signum()
    }

    pub(crate) fn body(&self, body: &Body) -> Body {
        let mut position = self.seen(body.position);
        let shape = match &body.shape {
            Shape::Sphere(radius) => Shape::Sphere(*radius),
            Shape::Box(half) => Shape::Box(HalfExtents::new(self.seen(half.get()).abs()).unwrap()),
            Shape::Plane(plane) => Shape::Plane(Plane::new(self.seen(plane.normal()), plane.offset()).unwrap()),
            Shape::Mesh(mesh) => {
                assert_eq!(self.0, DMat3::IDENTITY, "meshes are not turned");
                Shape::Mesh(mesh.clone())
            }
            Shape::Arc(arc) => {
                assert_eq!(self.0, DMat3::IDENTITY, "arcs are not turned");
                Shape::Arc(*arc)
            }
            Shape::Grid(grid) => {
                position = position.min(self.seen(body.position + grid.bounds().max));
                Shape::Grid(Arc::new(self.grid(grid, body.position, position)))
            }
        };
        let velocity = self.seen(body.velocity);
        Body { shape, position, velocity, spin: self.seen_spin(body.spin), ..body.clone() }
    }
}

impl View {
    /// A grid whose lowest corner is at `from` in the frame of the scene, and at `to` in that of the run.
    fn grid(&self, grid: &Grid, from: DVec3, to: DVec3) -> Grid {
        let cell = self.seen(grid.cell()).abs();
        let size = self.seen(DVec3::from_array(grid.size().map(f64::from))).abs();
        let size = size.to_array().map(|n| n.round() as u32);
        Grid::voxels(cell, size, |[x, y, z]| {
            let center = to + cell * (DVec3::new(f64::from(x), f64::from(y), f64::from(z)) + 0.5);
            grid.is_solid(grid.cell_at(self.back(center) - from).expect("a cell of the grid"))
        })
        .unwrap()
    }
}

/// The solid cells of a grid.
pub(crate) fn solid_cells(grid: &Grid) -> impl Iterator<Item = [u32; 3]> {
    let [nx, ny, nz] = grid.size();
    (0..nx * ny * nz).map(move |n| [n % nx, n / nx % ny, n / nx / ny]).filter(|&cell| grid.is_solid(cell))
}

fn sign(n: u32, bit: u32) -> f64 {
    if n & bit == 0 { 1.0 } else { -1.0 }
}

/// The shortest of the offsets that periods make of this one, m.
pub(crate) fn nearest_image(space: &Space, offset: DVec3) -> DVec3 {
    let along = |axis: usize| match &space.periods[axis] {
        Some(period) => offset[axis] - period.length() * (offset[axis] / period.length()).round(),
        None => offset[axis],
    };
    DVec3::new(along(0), along(1), along(2))
}

/// A run of a scene, with results in the frame of the scene. Rows identify the bodies.
pub(crate) struct Run {
    pub(crate) stepper: Stepper,
    bodies: Vec<Body>,
    ids: Vec<BodyId>,
    view: View,
    start: Balance,
}

impl Run {
    pub(crate) fn new(settings: &Settings, bodies: &[Body]) -> Self {
        Self::seen(View::PLAIN, settings, bodies)
    }

    pub(crate) fn seen(view: View, settings: &Settings, bodies: &[Body]) -> Self {
        let settings = Settings { gravity: view.seen(settings.gravity), ..settings.clone() };
        let bodies: Vec<Body> = bodies.iter().map(|body| view.body(body)).collect();
        let stepper = Stepper::new(settings, &bodies).expect("a valid start");
        let ids = (0..bodies.len()).map(|row| BodyId(row as u32)).collect();
        Self { start: stepper.balance(), stepper, bodies, ids, view }
    }

    /// Continues to `seconds` after the start, with at most `events` events.
    pub(crate) fn advance(&mut self, seconds: f64, events: usize) -> Result<(), String> {
        match self.stepper.advance(SimTime::from_seconds(seconds), events) {
            Ok(Progress::Reached) => Ok(()),
            Ok(progress) => Err(format!("{progress:?}")),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Continues to `seconds` after the start and returns the events.
    pub(crate) fn until(&mut self, seconds: f64) -> Vec<Event> {
        if let Err(error) = self.stepper.advance(SimTime::from_seconds(seconds), usize::MAX) {
            panic!("{error}");
        }
        self.stepper.take_events()
    }

    /// Removes a body and adds one like it at its place.
    pub(crate) fn replace(&mut self, row: usize) -> Result<(), String> {
        let body = Body { position: self.stepper.state(self.ids[row]).position, ..self.bodies[row].clone() };
        self.stepper.despawn(self.ids[row]).map_err(|error| error.to_string())?;
        self.ids[row] = self.stepper.spawn(&body).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// Gives a kinematic body a new velocity, m/s.
    pub(crate) fn set_velocity(&mut self, row: usize, velocity: DVec3) {
        self.bodies[row].velocity = self.view.seen(velocity);
        self.stepper.set_velocity(self.ids[row], self.bodies[row].velocity).unwrap();
    }

    pub(crate) fn position(&self, row: usize) -> DVec3 {
        self.view.back(self.stepper.state(self.ids[row]).position)
    }

    pub(crate) fn velocity(&self, row: usize) -> DVec3 {
        self.view.back(self.stepper.state(self.ids[row]).velocity)
    }

    pub(crate) fn spin(&self, row: usize) -> DVec3 {
        self.view.back(self.stepper.state(self.ids[row]).spin) * self.view.handedness()
    }

    /// The rows of the free bodies.
    pub(crate) fn free(&self) -> Vec<usize> {
        (0..self.bodies.len()).filter(|&row| self.bodies[row].is_free()).collect()
    }

    /// The deepest present overlap of any pair, divided by the smaller of the two least half extents.
    pub(crate) fn overlap(&self) -> f64 {
        let mut deepest: f64 = 0.0;
        for a in self.free() {
            for b in (0..self.bodies.len()).filter(|&b| b < a || !self.bodies[b].is_free()) {
                let size = |row: usize| match &self.bodies[row].shape {
                    Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => f64::INFINITY,
                    shape => shape.half_extents().min_element(),
                };
                deepest = deepest.max(self.depth(a, b) / size(a).min(size(b)));
            }
        }
        deepest
    }

    fn depth(&self, a: usize, b: usize) -> f64 {
        let place = |row: usize| self.stepper.state(self.ids[row]).position;
        let is_wide = matches!(self.bodies[b].shape, Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_));
        let apart = place(b) - place(a);
        let offset = if is_wide { apart } else { nearest_image(&self.stepper.settings().space, apart) };
        let solid = self.bodies[a].shape.solid().expect("a free body is no mesh");
        let depth = |other: Solid<'_>| gap(solid, other, offset).map_or(0.0, |gap| -gap.separation);
        match &self.bodies[b].shape {
            Shape::Mesh(mesh) => mesh.triangles().iter().map(|t| depth(Solid::Triangle(t))).fold(0.0, f64::max),
            Shape::Grid(grid) => {
                let cells = solid_cells(grid).map(|cell| grid.box_of(cell));
                cells.map(|cell| depth(Solid::Patch { center: cell.center(), half: cell.half() })).fold(0.0, f64::max)
            }
            shape => depth(shape.solid().expect("no mesh")),
        }
    }

    /// The present kinetic and potential energy, J.
    pub(crate) fn energy(&self) -> f64 {
        let balance = self.stepper.balance();
        balance.kinetic + balance.potential
    }

    /// The changes of energy and momentum agree with the audit, to `slack` of the sums involved.
    pub(crate) fn check_books(&self, slack: f64, context: &str) {
        let (start, end, audit) = (self.start, self.stepper.balance(), self.stepper.audit());
        let lost = audit.dissipated + audit.contact_heat;
        let book = (end.kinetic + end.potential + lost) - (start.kinetic + start.potential + audit.work);
        let energies = [start.kinetic, start.potential, end.kinetic, end.potential, lost, audit.work];
        let scale: f64 = energies.iter().map(|energy| energy.abs()).sum();
        assert!(book.abs() <= slack * scale, "{context}: {book:e} J of {scale:e}");
        let weight = self.stepper.settings().gravity * (start.mass * self.stepper.now().seconds());
        let book = end.momentum - start.momentum - audit.impulse - weight;
        let scale = start.momentum_scale + end.momentum_scale + audit.impulse.length() + weight.length();
        assert!(book.length() <= slack * scale, "{context}: {book} N·s of {scale:e}");
    }

    /// The losses of the logged events add up to the dissipated energy of the audit, to rounding.
    pub(crate) fn check_losses(&self, events: &[Event], context: &str) {
        let (told, booked) = (events.iter().map(|event| event.loss).sum::<f64>(), self.stepper.audit().dissipated);
        let scale = self.start.kinetic + self.start.potential.abs();
        assert!((told - booked).abs() <= 1e-12 * scale, "{context}: the log says {told} J, the books {booked} J");
    }
}

/// The events of one kind, in order.
pub(crate) fn of_kind(events: &[Event], kind: EventKind) -> Vec<Event> {
    events.iter().copied().filter(|event| event.kind == kind).collect()
}

/// The first event of a kind between two rows, in either order.
pub(crate) fn first_of(events: &[Event], kind: EventKind, a: u32, b: u32) -> Option<Event> {
    let same = |event: &&Event| event.kind == kind && [(a, b), (b, a)].contains(&(event.a.0, event.b.0));
    events.iter().find(same).copied()
}

/// Asserts that `found` equals `wanted` to within `slack`.
#[track_caller]
pub(crate) fn assert_near(found: DVec3, wanted: DVec3, slack: f64, context: &str) {
    let off = (found - wanted).length();
    assert!(off <= slack, "{context}: {found} for {wanted}, off by {off:e}");
}

/// The files in `tests/scenes` whose names begin with `prefix`, by name.
pub(crate) fn scene_files(prefix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir("tests/scenes").unwrap().map(|entry| entry.unwrap().path());
    let begins = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with(prefix);
    let mut files: Vec<PathBuf> = entries.filter(begins).collect();
    files.sort();
    files
}

/// The title, the settings and the bodies of a scenario, in the order of their ids.
pub(crate) fn scene_of(file: &Path) -> (String, Settings, Vec<Body>) {
    let text = fs::read_to_string(file).unwrap();
    let read = scenario::parse(&Source::new(file.to_str().unwrap(), &text));
    let scenario = read.unwrap_or_else(|problems| panic!("{problems}: {:?}", problems.list())).scenario;
    let mut bodies = scenario.bodies;
    bodies.sort_by(|one, other| one.name.cmp(&other.name));
    (scenario.title, scenario.settings, bodies.into_iter().map(|named| named.body).collect())
}
