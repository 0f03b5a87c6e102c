//! What goes in and comes out, as plain data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A scenario to be loaded.
#[derive(Debug, Deserialize)]
pub(crate) struct Order {
    /// What messages call it by.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
    /// Other than the text says, s.
    pub(crate) timestep: Option<f64>,
    pub(crate) duration: Option<f64>,
    /// Steps of which the hash is asked for.
    #[serde(default)]
    pub(crate) watched: Vec<u64>,
}

/// What is wrong with a scenario.
#[derive(Debug, Serialize)]
pub(crate) struct Problems {
    pub(crate) problems: Vec<Problem>,
    /// How many there are beyond the list.
    pub(crate) unlisted: usize,
}

/// One thing that is wrong. Lines and columns count from 1; 0 where there is no place.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Problem {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) field: String,
    pub(crate) message: String,
    pub(crate) help: Option<String>,
}

impl Problems {
    /// Something is wrong that has no place in the text.
    pub(crate) fn of_words(words: &impl std::fmt::Display) -> Self {
        Self { problems: vec![Problem { message: words.to_string(), ..Problem::default() }], unlisted: 0 }
    }
}

/// A scenario that can be run.
#[derive(Debug, Serialize)]
pub(crate) struct Description {
    pub(crate) carom: &'static str,
    pub(crate) title: String,
    pub(crate) timestep: f64,
    pub(crate) duration: f64,
    pub(crate) steps: u64,
    /// m/s².
    pub(crate) gravity: [f64; 3],
    /// The range of each periodic axis, m.
    pub(crate) periods: [Option<[f64; 2]>; 3],
    /// Whether all is in the plane z = 0.
    pub(crate) planar: bool,
    /// How many meshes there are.
    pub(crate) meshes: usize,
    pub(crate) bodies: Vec<Item>,
    pub(crate) play: Vec<Slider>,
    /// What is not as it should be, although it can be run.
    pub(crate) warnings: Vec<Problem>,
}

/// A slider, and the number of the text that it moves.
#[derive(Debug, Serialize)]
pub(crate) struct Slider {
    pub(crate) label: String,
    pub(crate) unit: String,
    pub(crate) range: [f64; 2],
    pub(crate) step: Option<f64>,
    pub(crate) log: bool,
    pub(crate) value: f64,
    /// Where the number begins and how long it is, in units of UTF-16, which scripts count in.
    pub(crate) at: usize,
    pub(crate) length: usize,
}

/// A body.
#[derive(Debug, Serialize)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) shape: Form,
    /// `free`, `fixed` or `kinematic`.
    pub(crate) motion: &'static str,
    pub(crate) sensor: bool,
    /// Its rank among all bodies of the scenario, in the order of the file, by which colours are given.
    pub(crate) rank: usize,
}

/// What a body is, m.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Form {
    Sphere(f64),
    Box([f64; 3]),
    /// Normal and offset.
    Plane([f64; 4]),
    /// The number of its mesh.
    Mesh(usize),
}

/// How far the front is.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    pub(crate) time: f64,
    pub(crate) step: u64,
    pub(crate) events: BTreeMap<&'static str, u64>,
    /// Step hashes found since the last report.
    pub(crate) hashes: Vec<(u64, String)>,
    /// The corners of a box around the centres of all that moved, at the instants of the snapshots, m.
    pub(crate) reach: [[f64; 3]; 2],
    /// When it is over.
    pub(crate) state_hash: Option<String>,
    pub(crate) error: Option<String>,
}

/// What the view saw.
#[derive(Debug, Serialize)]
pub(crate) struct Sights {
    pub(crate) events: Vec<Seen>,
    pub(crate) contacts: Vec<Touching>,
    /// The numbers of the meshes that are new or have changed since the last answer.
    pub(crate) meshes: Vec<usize>,
}

/// An event.
#[derive(Debug, Serialize)]
pub(crate) struct Seen {
    /// s, and the same with all its digits.
    pub(crate) time: f64,
    pub(crate) exact: String,
    pub(crate) kind: &'static str,
    pub(crate) a: u32,
    pub(crate) b: Option<u32>,
    pub(crate) point: [f64; 3],
    pub(crate) normal: [f64; 3],
    pub(crate) approach_speed: f64,
    pub(crate) impulse: f64,
}

/// Two bodies in contact.
#[derive(Debug, Serialize)]
pub(crate) struct Touching {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) normal: [f64; 3],
}
