//! How the requests of a scenario are written, before anything is checked: recording, measurements, expectations.

use serde::Deserialize;

use crate::dynamics::EventKind;
use crate::scenario::numbers::Vector;
use crate::scenario::request_types::{EventLog, Format};
use crate::scenario::vessel::schema::Within;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Record {
    pub(in crate::scenario) stride: Option<u64>,
    #[serde(default)]
    pub(in crate::scenario) at: Vec<f64>,
    pub(in crate::scenario) energy_stride: Option<u64>,
    #[serde(default)]
    pub(in crate::scenario) bodies: Vec<String>,
    pub(in crate::scenario) paths: Option<Vec<String>>,
    pub(in crate::scenario) paths_max: Option<u64>,
    #[serde(default)]
    pub(in crate::scenario) events: EventLog,
    #[serde(default)]
    pub(in crate::scenario) format: Format,
    pub(in crate::scenario) hashes: Option<u64>,
    pub(in crate::scenario) snapshots: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) enum Observation {
    Gas,
    Packing { within: Option<Within>, gap: Option<f64> },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Events {
    #[serde(default)]
    pub(in crate::scenario) bodies: Vec<String>,
    pub(in crate::scenario) exactly: Option<u64>,
    pub(in crate::scenario) at_least: Option<u64>,
    pub(in crate::scenario) at_most: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Vicinity {
    pub(in crate::scenario) body: String,
    pub(in crate::scenario) near: Vector,
    pub(in crate::scenario) within: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) struct Figure {
    pub(in crate::scenario) near: f64,
    pub(in crate::scenario) within: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::scenario) enum Expectation {
    Impacts(Events),
    Enters(Events),
    Leaves(Events),
    Rests(Events),
    Releases(Events),
    Sticks(Events),
    Slips(Events),
    Collapses(Events),
    Joins(Events),
    Quits(Events),
    Sleeps(Events),
    Wakes(Events),
    EnergyDrift {
        below: f64,
    },
    MomentumDrift {
        below: f64,
    },
    Deepest {
        below: f64,
    },
    Position(Vicinity),
    Velocity(Vicinity),
    AtRest {
        #[serde(default)]
        bodies: Vec<String>,
    },
    LastEvent {
        kind: EventKind,
        body: String,
        near: f64,
        within: f64,
    },
    Temperature(Figure),
    Pressure(Figure),
    CollisionRate(Figure),
    Compressibility(Figure),
    Fraction(Figure),
    Coordination(Figure),
    Rattlers(Figure),
    Hash(String),
}
