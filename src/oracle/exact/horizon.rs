//! How far a course can be predicted.
//!
//! The scenario is run again with every body moved by one ulp. In a chaotic scene the distance of such twins grows by a
//! factor e in each Lyapunov time. Once they are apart, an engine that rounds its numbers cannot be expected to follow
//! the exact course. Bodies advanced by time steps are not exact either, so they also end the prediction.

use std::panic::resume_unwind;
use std::thread;

use glam::DVec3;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::course::Course;
use crate::dynamics::{Body, Event, EventKind};
use crate::geometry::gap;
use crate::motion::SimTime;
use crate::oracle::error::OracleError;
use crate::scenario::Scenario;

/// The number of twins.
const TWINS: u64 = 4;
/// Distance between twins above which nothing is predicted, in sizes of the smallest body. It leaves room for the
/// rounding errors of an engine, which are more than one ulp.
const PARTED: f64 = 1e-6;
/// Gap below which bodies are taken to touch, m.
const TOUCHING: f64 = 1e-9;

/// Up to when a course can be predicted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Horizon {
    /// The time, s.
    pub until: f64,
    /// Why not further; `None` if the whole course can be predicted.
    pub why: Option<&'static str>,
}

impl Horizon {
    pub(super) const fn whole(duration: f64) -> Self {
        Self { until: duration, why: None }
    }

    /// The horizon of the first of `courses`, which has these `events`; the other courses are its twins. `free` are the
    /// free bodies, and `size` is half the width of the smallest, m.
    pub(super) fn of(scenario: &Scenario, events: &[Event], courses: &[&Course], free: &[usize], size: f64) -> Self {
        let duration = scenario.duration;
        let stepped = events.iter().find(|event| event.kind == EventKind::Join).map(|event| event.time.seconds());
        let is_together = |time: SimTime| {
            free.iter().all(|&body| {
                let place = courses[0].at(body, time).position;
                courses[1..].iter().all(|twin| twin.at(body, time).position.distance(place) <= PARTED * size)
            })
        };
        let parted = parted(scenario, is_together);
        match (parted, stepped) {
            (Some(until), stepped) if stepped.is_none_or(|stepped| until <= stepped) => {
                Self { until, why: Some("twins an ulp apart have parted") }
            }
            (_, Some(until)) => Self { until, why: Some("carom advances a heap by time steps from then on") },
            _ => Self::whole(duration),
        }
    }
}

/// The last sampled time at which all twins are still together; `None` if they stay together.
fn parted(scenario: &Scenario, is_together: impl Fn(SimTime) -> bool) -> Option<f64> {
    let duration = scenario.duration;
    let looks = (duration / scenario.timestep).ceil().clamp(100.0, 100_000.0);
    let time = |look: u64| duration * look as f64 / looks;
    let first = (0..=looks as u64).find(|&look| !is_together(SimTime::from_seconds(time(look))))?;
    Some(time(first.saturating_sub(1)))
}

/// The courses of the twins; empty if no body can be moved.
pub(super) fn twins(scenario: &Scenario) -> Result<Vec<Course>, OracleError> {
    let movable: Vec<bool> = (0..scenario.bodies.len()).map(|body| is_movable(scenario, body)).collect();
    if !movable.contains(&true) {
        return Ok(Vec::new());
    }
    let run = |twin| Ok(Course::run(&nudged(scenario, &movable, twin))?.0);
    let run = &run;
    // Each is a run of its own, so it does not matter which ends first.
    thread::scope(|scope| {
        let running: Vec<_> = (0..TWINS).map(|twin| scope.spawn(move || run(twin))).collect();
        running.into_iter().map(|twin| twin.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

/// Whether a body can be moved: not if it touches another one, which it would overlap.
fn is_movable(scenario: &Scenario, body: usize) -> bool {
    let own = &scenario.bodies[body].body;
    own.is_free() && !scenario.bodies.iter().enumerate().any(|(rank, other)| rank != body && touch(own, &other.body))
}

/// Whether two bodies touch where they begin.
pub(super) fn touch(one: &Body, other: &Body) -> bool {
    let (Some(a), Some(b)) = (one.shape.solid(), other.shape.solid()) else { return true };
    gap(a, b, other.position - one.position).is_some_and(|gap| gap.separation < TOUCHING)
}

/// The scenario with each body that can be moved one ulp away, with a random direction along each axis.
fn nudged(scenario: &Scenario, movable: &[bool], twin: u64) -> Scenario {
    let mut random = ChaCha8Rng::seed_from_u64(twin);
    let mut other = scenario.clone();
    for (named, _) in other.bodies.iter_mut().zip(movable).filter(|(_, movable)| **movable) {
        let signs = random.next_u32();
        let nudge = |value: f64, up: bool| {
            if value == 0.0 {
                value
            } else if up {
                value.next_up()
            } else {
                value.next_down()
            }
        };
        let at = named.body.position;
        named.body.position =
            DVec3::new(nudge(at.x, signs & 1 == 0), nudge(at.y, signs & 2 == 0), nudge(at.z, signs & 4 == 0));
    }
    other
}
