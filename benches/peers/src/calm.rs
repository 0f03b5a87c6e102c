//! One run of one engine: step by step until the bodies are calm, or for a given time.

use std::time::Duration;

use carom::glam::DVec3;
use cpu_time::ThreadTime;

use crate::engine::{Engine, Name, STEP, Stop};
use crate::overlap::deepest;
use crate::scene::Scene;
use crate::table::median;

/// A heap is calm while its kinetic energy, without rotation, is below this share of the sum of m g r.
const CALM: f64 = 1e-4;
/// The time for which it must be calm, s.
const CALM_FOR: f64 = 1.0;

/// When a run is complete.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Goal {
    /// The heap is calm.
    Calm,
    /// This much simulated time has passed, s.
    Simulated(f64),
}

/// How a run ended.
#[derive(Debug, Clone)]
pub(crate) enum End {
    Done,
    OutOfTime,
    Failed(String),
}

/// The results of a run.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) end: End,
    /// Computing time of the thread for the set-up and all steps, s, without the time for measurements.
    pub(crate) computing: f64,
    /// Simulated time, s.
    pub(crate) simulated: f64,
    /// Deepest overlap after any step, divided by the diameter.
    pub(crate) deepest: f64,
    /// Kinetic energy at the start and at the end, without rotation, J.
    pub(crate) kinetic_start: f64,
    pub(crate) kinetic: f64,
    /// Computing time of each step, s.
    steps: Vec<f64>,
}

impl Run {
    /// Computing time of the median step, s.
    pub(crate) fn step_median(&self) -> f64 {
        median(self.steps.iter().copied())
    }

    /// Computing time of the longest step, s.
    pub(crate) fn step_worst(&self) -> f64 {
        self.steps.iter().copied().fold(0.0, f64::max)
    }
}

/// Runs `scene` in the engine until the goal, an error, or `limit` seconds of computing.
pub(crate) fn run(name: Name, scene: &Scene, goal: Goal, limit: f64) -> Run {
    let start: Vec<_> = scene.items.iter().map(|item| (item.position, item.velocity)).collect();
    let kinetic = kinetic(scene, &start);
    let mut run = Run {
        end: End::Done,
        computing: 0.0,
        simulated: 0.0,
        deepest: 0.0,
        kinetic_start: kinetic,
        kinetic,
        steps: Vec::new(),
    };
    let clock = ThreadTime::now();
    let engine = Engine::new(name, scene);
    run.computing = clock.elapsed().as_secs_f64();
    match engine {
        Ok(mut engine) => run.end = steps(&mut engine, scene, goal, limit, &mut run),
        Err(stop) => run.end = stop.into(),
    }
    run
}

fn steps(engine: &mut Engine, scene: &Scene, goal: Goal, limit: f64, run: &mut Run) -> End {
    let mut steps_calm = 0;
    while run.computing < limit {
        let clock = ThreadTime::now();
        let outcome = engine.step(Duration::from_secs_f64(limit - run.computing));
        let spent = clock.elapsed().as_secs_f64();
        run.computing += spent;
        if let Err(stop) = outcome {
            return stop.into();
        }
        run.steps.push(spent);
        run.simulated = run.steps.len() as f64 * STEP;
        let states = engine.states();
        let positions: Vec<DVec3> = states.iter().map(|(position, _)| *position).collect();
        run.deepest = run.deepest.max(deepest(scene, &positions));
        run.kinetic = kinetic(scene, &states);
        steps_calm = if run.kinetic < CALM * scene.lift() { steps_calm + 1 } else { 0 };
        let done = match goal {
            Goal::Calm => f64::from(steps_calm) * STEP >= CALM_FOR,
            Goal::Simulated(seconds) => run.simulated >= seconds,
        };
        if done {
            return End::Done;
        }
    }
    End::OutOfTime
}

/// Kinetic energy without rotation, J.
fn kinetic(scene: &Scene, states: &[(DVec3, DVec3)]) -> f64 {
    let bodies = scene.items.iter().zip(states);
    bodies.map(|(item, (_, velocity))| 0.5 * scene.mass(item.shape) * velocity.length_squared()).sum()
}

impl From<Stop> for End {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::OutOfTime => Self::OutOfTime,
            Stop::Failed(message) => Self::Failed(message),
        }
    }
}
