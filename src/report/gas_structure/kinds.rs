//! The kinds of bodies of a gas: those of one shape and mass.

use std::collections::BTreeSet;

use glam::DVec3;

use crate::dynamics::Motion;
use crate::report::chart::{Setup, brief};
use crate::report::drawing::{Color, PALETTE};
use crate::report::motion::colour_key::stem;
use crate::report::motion::scene::Scene;
use crate::world::Named;

/// The bodies of one shape and mass.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kind {
    /// What distinguishes it from other kinds; empty if there is only one.
    pub(super) label: String,
    /// The colour of its curves: that of its bodies, if they have one.
    pub(super) color: Color,
    /// Its bodies, by their places in the list.
    pub(super) members: Vec<usize>,
}

/// What a curve of this label is called; an empty one is that of all bodies.
pub(super) fn name(label: &str) -> &str {
    if label.is_empty() { "this run" } else { label }
}

/// The colour of a curve. The second colour is that of theory.
pub(super) fn color(row: usize) -> Color {
    PALETTE[if row == 0 { 0 } else { row + 1 } % PALETTE.len()]
}

/// The kinds of some bodies, in the order in which they first come. Where there are more than `most`, all are one.
pub(super) fn kinds(scene: &Scene<'_>, bodies: &[usize], most: usize, setup: Setup<'_>) -> Vec<Kind> {
    let mut found: Vec<(DVec3, f64)> = Vec::new();
    let mut members: Vec<Vec<usize>> = Vec::new();
    for (place, &body) in bodies.iter().enumerate() {
        let kind = size_and_mass(&scene.scenario.bodies[body]);
        match found.iter().position(|other| *other == kind) {
            Some(row) => members[row].push(place),
            None if found.len() == most => {
                found.truncate(1);
                members = vec![(0..bodies.len()).collect()];
                break;
            }
            None => {
                found.push(kind);
                members.push(vec![place]);
            }
        }
    }
    let named = |place: usize| scene.scenario.bodies[bodies[place]].name.as_str();
    let stems: Vec<String> =
        members.iter().map(|places| common_stem(places.iter().map(|&place| named(place)))).collect();
    let sizes: Vec<String> =
        found.iter().map(|(size, _)| format!("half extent {} m", brief(size.max_element()))).collect();
    let masses: Vec<String> = found.iter().map(|(_, mass)| format!("mass {} kg", brief(*mass))).collect();
    let both = sizes.iter().zip(&masses).map(|(size, mass)| format!("{size}, {mass}")).collect();
    let differ = |words: &Vec<String>| {
        words.iter().all(|word| !word.is_empty()) && words.iter().collect::<BTreeSet<_>>().len() == words.len()
    };
    let labels = match found.len() {
        0 | 1 => vec![String::new()],
        _ => [stems, sizes, masses].into_iter().find(differ).unwrap_or(both),
    };
    let kind = |(row, (label, members)): (usize, (String, Vec<usize>))| {
        let own = members.first().filter(|_| found.len() > 1).and_then(|&place| setup.color(named(place)));
        Kind { label, color: own.unwrap_or(color(row)), members }
    };
    labels.into_iter().zip(members).enumerate().map(kind).collect()
}

/// Whether all of these bodies are of one kind, so that no table has to be read to tell them apart.
pub(super) fn is_one_kind<'a>(mut bodies: impl Iterator<Item = &'a Named>) -> bool {
    let first = bodies.next().map(size_and_mass);
    bodies.all(|body| Some(size_and_mass(body)) == first)
}

/// What the bodies of a kind have in common.
fn size_and_mass(body: &Named) -> (DVec3, f64) {
    let mass = if let Motion::Free(mass) = body.motion { mass.get() } else { 0.0 };
    (body.shape.half_extents(), mass)
}

/// The name that all of these have without their numbers; empty if they have different ones.
fn common_stem<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let first = names.next().map_or("", stem);
    if names.all(|name| stem(name) == first) { first.to_owned() } else { String::new() }
}
