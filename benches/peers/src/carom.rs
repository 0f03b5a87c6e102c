//! A scene in carom.

use std::time::Duration;

use carom::dynamics::{
    Body, BodyId, Friction, Material, MaterialId, Materials, Progress, Restitution, Settings, Stepper,
};
use carom::glam::DVec3;
use carom::numeric::OutOfRange;
use cpu_time::ThreadTime;

use crate::engine::{STEP, Stop};
use crate::scene::{Item, Scene, Shape, Wall};

/// Number of events after which a step checks the clock.
const EVENTS_MAX: usize = 10_000;

/// A carom world: the free bodies first, then the walls.
pub(crate) struct Carom {
    stepper: Stepper,
    count: u32,
}

impl Carom {
    /// # Errors
    /// If carom refuses the scene.
    pub(crate) fn new(scene: &Scene) -> Result<Self, Stop> {
        let (settings, material) = settings(scene).map_err(failed)?;
        let items = scene.items.iter().map(|item| free(scene, item));
        let walls = scene.walls.iter().map(|&Wall { normal, offset }| Body::plane(normal, offset));
        let bodies = items.chain(walls).map(|body| body.map(|body| body.made_of(material)));
        let bodies = bodies.collect::<Result<Vec<Body>, _>>().map_err(failed)?;
        let settings = Settings { rest_height: Settings::rest_height_of(&bodies), ..settings };
        let stepper = Stepper::new(settings, &bodies).map_err(failed)?;
        Ok(Self { stepper, count: scene.items.len() as u32 })
    }

    /// Advances by one step and discards its events.
    ///
    /// # Errors
    /// As [`Engine::step`](crate::engine::Engine::step).
    pub(crate) fn step(&mut self, limit: Duration) -> Result<(), Stop> {
        let (target, start) = (self.stepper.now().plus(STEP), ThreadTime::now());
        loop {
            let progress = self.stepper.advance(target, EVENTS_MAX).map_err(failed)?;
            self.stepper.take_events();
            match progress {
                Progress::Reached => return Ok(()),
                Progress::BufferFull { .. } if start.elapsed() > limit => return Err(Stop::OutOfTime),
                _ => {}
            }
        }
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        (0..self.count).map(|id| self.stepper.state(BodyId(id))).map(|state| (state.position, state.velocity))
    }
}

fn settings(scene: &Scene) -> Result<(Settings, MaterialId), OutOfRange> {
    let (restitution, friction) = (Restitution::new(scene.restitution)?, Friction::new(scene.friction)?);
    let mut materials = Materials::default();
    let id = materials.add(Material { friction, ..restitution.into() });
    Ok((Settings { gravity: DVec3::Z * -scene.gravity, materials, ..Settings::default() }, id))
}

fn free(scene: &Scene, item: &Item) -> Result<Body, OutOfRange> {
    let mass = scene.mass(item.shape);
    let body = match item.shape {
        Shape::Ball => Body::sphere(scene.radius, mass),
        Shape::Cube => Body::cuboid(DVec3::splat(scene.radius), mass),
    };
    Ok(body?.at(item.position).moving(item.velocity))
}

fn failed(error: impl ToString) -> Stop {
    Stop::Failed(error.to_string())
}
