//! Sensors: bodies that enter and leave them. No path changes.
//!
//! A passage through a sensor has two events, enter and leave. They are predicted like impacts; a grazing body that
//! only touches the sensor does not enter.

pub(super) mod passages;

use glam::DVec3;

use super::Response;
use super::body::pair::{Meeting, Pair};
use super::error::RunError;
use super::log::event::EventKind;
use super::simulation::Simulation;
use crate::geometry::gap;
use passages::Passage;

/// Records in its passage and in the log that a body enters or leaves a sensor.
pub(super) fn pass(sim: &mut Simulation, pair: Pair, kind: EventKind) -> Result<(), RunError> {
    let inside = kind == EventKind::Enter;
    sim.scene.passages.insert(pair.absolute(&sim.scene.rows), Passage { inside, since: sim.scene.now });
    log_passage(sim, pair, kind);
    let owner = if sim.scene.rows.owns(pair.a, pair.b) { pair.a } else { pair.b };
    sim.to_predict.pair(pair);
    sim.to_predict.own_event(owner);
    Ok(())
}

/// Logs that a body enters or leaves a sensor.
pub(in crate::dynamics) fn log_passage(sim: &mut Simulation, pair: Pair, kind: EventKind) {
    let motion = pair.motion(&sim.scene.rows, &sim.scene.settings.space, sim.scene.now);
    let [a, b] = sim.scene.solids(pair, 0);
    let normal = gap(a, b, motion.position).map_or(DVec3::X, |gap| gap.normal);
    let speed = -normal.dot(motion.velocity);
    let meeting = Meeting { time: 0.0, normal, part: 0 };
    let event = sim.scene.event(pair, kind, &meeting, speed.abs(), 0.0);
    let sensor_is_a = sim.scene.rows.role(pair.a).response == Response::Sense;
    sim.log.add(if sensor_is_a { event.seen_from_b() } else { event });
}
