//! The bodies of a diagram in which each body has its own line.

use crate::report::chart::grouped;
use crate::report::motion::scene::{FEW_MAX, Scene};

/// The chosen bodies, as many as can be distinguished, and a note if these are not all.
pub(super) fn few(scene: &Scene<'_>, names: &[String], driven: bool) -> (Vec<usize>, Option<String>) {
    let mut chosen = scene.chosen(names, driven);
    let all = grouped(chosen.len() as u64);
    let note = (chosen.len() > FEW_MAX).then(|| format!("The first {FEW_MAX} of {all} bodies are drawn."));
    chosen.truncate(FEW_MAX);
    (chosen, note)
}

/// A note that velocities of some bodies are means between rows of the trajectory.
pub(super) fn chords(scene: &Scene<'_>, chosen: &[usize]) -> Option<String> {
    let inexact = chosen.iter().find(|&&body| !scene.has_knots(body))?;
    let name = &scene.scenario.bodies[*inexact].name;
    Some(format!("Of bodies without recorded paths, such as {name}, velocities are means between two recorded steps."))
}
