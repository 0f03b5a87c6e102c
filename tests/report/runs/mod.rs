//! Runs with known motion, written as the tables that a simulation writes.

pub(crate) mod scenes;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path as FilePath, PathBuf};

use carom::dynamics::{Body, EventKind, Mass, Motion, Period, Settings};
use carom::geometry::{HalfExtents, Plane, Radius, Shape};
use carom::motion::{Path, SimTime};
use carom::record::tables::{Energy, EnergyRow, EventRow, Events, PathRow, Paths, Table, Trajectory, TrajectoryRow};
use carom::record::{Heading, Sheet};
use carom::scenario::{Figure, Format, LayerNames, MaterialNames, Plot, Recording, Scenario};
use carom::world::Named;
use glam::DVec3;

/// An event: its time, kind, bodies, position and speed.
pub(crate) struct Happening {
    pub(crate) time: f64,
    pub(crate) kind: EventKind,
    pub(crate) a: String,
    /// `None` for an event of one body.
    pub(crate) b: Option<String>,
    pub(crate) point: DVec3,
    pub(crate) speed: f64,
}

/// A run: its scenario, the knots of the path of each free body, and the events.
pub(crate) struct Run {
    pub(crate) scenario: Scenario,
    /// One list per body of the scenario; empty for a body that was not recorded.
    pub(crate) knots: Vec<Vec<Path>>,
    pub(crate) happenings: Vec<Happening>,
    /// The number of bodies whose knots are in the file of paths.
    pub(crate) followed: usize,
    /// The share of the lost energy that became heat in lasting contacts, from 0 to 1.
    pub(crate) contact_heat: f64,
}

pub(crate) fn at(seconds: f64) -> SimTime {
    SimTime::from_seconds(seconds)
}

pub(crate) fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Radius::new(radius).unwrap())
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box(HalfExtents::new(DVec3::new(x, y, z)).unwrap())
}

pub(crate) fn plane(normal: DVec3, offset: f64) -> Shape {
    Shape::Plane(Plane::new(normal, offset).unwrap())
}

pub(crate) fn body(name: &str, shape: Shape, motion: Motion, position: DVec3, velocity: DVec3) -> Named {
    Named { name: name.to_owned(), body: Body::new(shape, motion).at(position).moving(velocity) }
}

pub(crate) fn free() -> Motion {
    Motion::Free(Mass::new(1.0).unwrap())
}

impl Run {
    pub(crate) fn new(title: &str, duration: f64, steps: u32, plots: Vec<Plot>) -> Self {
        let record = Recording { paths_max: 1_000_000, ..Recording::default() };
        let scenario = Scenario {
            title: title.to_owned(),
            settings: Settings::default(),
            timestep: duration / f64::from(steps),
            duration,
            bodies: Vec::new(),
            materials: MaterialNames::default(),
            layers: LayerNames::default(),
            files: Vec::new(),
            colors: BTreeMap::new(),
            record,
            observe: Vec::new(),
            plots: plots.into_iter().map(Figure::from).collect(),
            expect: Vec::new(),
            commands: Vec::new(),
            play: vec![],
        };
        Self { scenario, knots: Vec::new(), happenings: Vec::new(), followed: 64, contact_heat: 0.0 }
    }

    pub(crate) fn periodic(&mut self, length: f64) {
        self.scenario.settings.space.periods = [Some(Period { min: 0.0, max: length }); 3];
    }

    pub(crate) fn still(&mut self, body: Named) {
        self.scenario.bodies.push(body);
        self.knots.push(Vec::new());
    }

    /// Adds a free body with its knots (time, position, velocity) and a constant acceleration.
    pub(crate) fn moving(&mut self, name: &str, shape: Shape, acceleration: DVec3, knots: &[(f64, DVec3, DVec3)]) {
        self.scenario.bodies.push(body(name, shape, free(), knots[0].1, knots[0].2));
        let path = |&(time, position, velocity): &(f64, DVec3, DVec3)| Path {
            position,
            velocity,
            acceleration,
            epoch: at(time),
        };
        self.knots.push(knots.iter().map(path).collect());
    }

    pub(crate) fn happens(&mut self, time: f64, kind: EventKind, names: [&str; 2], point: DVec3, speed: f64) {
        let [a, b] = names.map(str::to_owned);
        self.happenings.push(Happening { time, kind, a, b: Some(b), point, speed });
    }

    /// Adds an event of one body.
    pub(crate) fn changes(&mut self, time: f64, kind: EventKind, name: &str, point: DVec3) {
        self.happenings.push(Happening { time, kind, a: name.to_owned(), b: None, point, speed: 0.0 });
    }

    /// Writes the tables into a new folder with this name, and returns the folder.
    pub(crate) fn write(&mut self, name: &str) -> PathBuf {
        let folder = FilePath::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        self.happenings.sort_by(|a, b| a.time.total_cmp(&b.time));
        self.write_events(&folder);
        self.write_paths(&folder);
        self.write_steps(&folder);
        folder
    }

    fn write_events(&self, folder: &FilePath) {
        let mut table = sheet::<Events>(folder);
        for event in &self.happenings {
            let Happening { time, kind, a, b, point, speed } = event;
            let (time, kind, point, approach_speed, b) = (at(*time), *kind, *point, *speed, b.as_deref());
            let (normal, impulse, group) = (DVec3::Z, *speed, u64::from(kind == EventKind::Impact));
            let row = EventRow { time, kind, a, b, point, normal, approach_speed, impulse, loss: 0.0, group };
            table.put::<Events>(&row).unwrap();
        }
        table.finish().unwrap();
    }

    fn write_paths(&self, folder: &FilePath) {
        let mut table = sheet::<Paths>(folder);
        let named = self.scenario.bodies.iter().zip(&self.knots).filter(|(_, knots)| !knots.is_empty());
        let mut rows: Vec<_> =
            named.take(self.followed).flat_map(|(body, knots)| knots.iter().map(move |k| (k, body))).collect();
        rows.sort_by_key(|(knot, _)| knot.epoch);
        for (&Path { position, velocity, acceleration, epoch }, body) in rows {
            table.put::<Paths>(&PathRow { time: epoch, body: &body.name, position, velocity, acceleration }).unwrap();
        }
        table.finish().unwrap();
    }

    fn write_steps(&self, folder: &FilePath) {
        let mut trajectory = sheet::<Trajectory>(folder);
        let mut energy = sheet::<Energy>(folder);
        let steps = (self.scenario.duration / self.scenario.timestep).round() as u64;
        let mut start = None;
        for step in 0..=steps {
            let time = at(self.scenario.duration * step as f64 / steps as f64);
            let (mut kinetic, mut potential, mut momentum) = (0.0, 0.0, DVec3::ZERO);
            for (body, knots) in self.scenario.bodies.iter().zip(&self.knots).filter(|(_, knots)| !knots.is_empty()) {
                let path = knots[knots.partition_point(|knot| knot.epoch <= time) - 1];
                let (position, velocity) = (path.position_at(time), path.velocity_at(time));
                let (body, position, spin) = (&body.name, self.home(position), DVec3::ZERO);
                trajectory.put::<Trajectory>(&TrajectoryRow { step, time, body, position, velocity, spin }).unwrap();
                kinetic += 0.5 * velocity.length_squared();
                potential -= self.scenario.settings.gravity.dot(position);
                momentum += velocity;
            }
            let dissipated = *start.get_or_insert(kinetic + potential) - kinetic - potential;
            let dissipated = if dissipated < 1e-9 { 0.0 } else { dissipated };
            let (dissipated, contact_heat, work) =
                ((1.0 - self.contact_heat) * dissipated, self.contact_heat * dissipated, 0.0);
            let row = EnergyRow { step, time, kinetic, potential, dissipated, contact_heat, work, momentum };
            energy.put::<Energy>(&row).unwrap();
        }
        trajectory.finish().unwrap();
        energy.finish().unwrap();
    }

    fn home(&self, position: DVec3) -> DVec3 {
        let coordinate = |axis: usize| match self.scenario.settings.space.periods[axis] {
            Some(Period { min, max }) => min + (position[axis] - min).rem_euclid(max - min),
            None => position[axis],
        };
        DVec3::new(coordinate(0), coordinate(1), coordinate(2))
    }
}

/// Creates a table in the folder of a run.
pub(crate) fn sheet<T: Table>(folder: &FilePath) -> Sheet {
    Sheet::create::<T>(folder, Format::Csv, &Heading::default()).unwrap()
}

/// A deterministic sequence of numbers in [0, 1).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn roll(&mut self) -> f64 {
        // Knuth's MMIX generator. Its upper bits are random enough for pictures.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.roll(), self.roll(), self.roll()) * (high - low) + low
    }
}
