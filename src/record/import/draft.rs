//! What an import has found, before it is written as a scenario.

use std::collections::BTreeSet;

use glam::DVec3;

use super::error::Trouble;
use crate::scenario::MeshFile;
use crate::scenario::text::printable::is_hidden;

/// Most reasons in an error.
const REASONS_MAX: usize = 3;

/// A scenario made of a file of another program.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The scenario, as RON.
    pub text: String,
    /// The files that it names, to be written beside it.
    pub files: Vec<MeshFile>,
    /// What the file has and the scenario has not, each in words.
    pub missing: Vec<String>,
}

/// A scenario in the making.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// Whether bodies fall.
    pub(super) has_gravity: bool,
    /// Whether it is a planar world, with discs in place of balls.
    pub(super) is_planar: bool,
    /// Both ends of the period along each axis, m.
    pub(super) space: [Option<[f64; 2]>; 3],
    /// Bodies, as RON.
    pub(super) bodies: Vec<String>,
    pub(super) balls: Vec<Ball>,
    /// k_B T of the balls, J.
    pub(super) temperature: Option<f64>,
    pub(super) meshes: Vec<Surface>,
    /// What a reader should know.
    pub(super) notes: Vec<String>,
    /// What the file has and the scenario has not.
    pub(super) missing: Vec<String>,
}

impl Draft {
    /// The error for a file of which nothing is left: `problem`, and the first reasons.
    pub(super) fn nothing(&self, problem: &str, remedy: impl Into<String>) -> Trouble {
        let rest = self.missing.len().saturating_sub(REASONS_MAX);
        let more = (rest > 0).then(|| format!("and {rest} more"));
        let reasons: Vec<String> = self.missing.iter().take(REASONS_MAX).cloned().chain(more).collect();
        let colon = if reasons.is_empty() { "" } else { ": " };
        Trouble::new(format!("{problem}{colon}{}", reasons.join("; ")), remedy)
    }
}

/// A sphere.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ball {
    /// Its type in the file; a part of its name.
    pub(super) kind: Option<String>,
    /// m.
    pub(super) radius: f64,
    pub(super) load: Load,
    /// m.
    pub(super) position: DVec3,
    /// m/s.
    pub(super) velocity: DVec3,
    /// rad/s.
    pub(super) spin: DVec3,
}

/// kg, or kg/m³.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Load {
    Mass(f64),
    Density(f64),
}

/// A fixed mesh.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) name: String,
    /// m.
    pub(super) vertices: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
}

/// Names of bodies, each once.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// A name like `wanted` that a body can have and none has had.
    pub(super) fn fit(&mut self, wanted: &str, otherwise: &str) -> String {
        let parts: Vec<String> = wanted.split('/').map(part).filter(|part| !part.is_empty()).collect();
        let base =
            if parts.is_empty() { otherwise.to_owned() } else { parts[parts.len().saturating_sub(3)..].join("/") };
        let counted = (2..).map(|count| format!("{base} {count}"));
        let name = std::iter::once(base.clone()).chain(counted).find(|name| !self.0.contains(name));
        let name = name.expect("there is always one more number");
        self.0.insert(name.clone());
        name
    }
}

/// A word as a part of the name of a body; empty if nothing is left of it.
pub(super) fn part(word: &str) -> String {
    let is_bad = |letter: char| is_hidden(letter) || "/\\:*".contains(letter);
    let part: String = word.chars().take(60).map(|letter| if is_bad(letter) { '_' } else { letter }).collect();
    match part.trim() {
        "." | ".." => String::new(),
        part => part.to_owned(),
    }
}
