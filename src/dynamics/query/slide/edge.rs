//! The face at which a sliding shape meets a body.

use glam::DVec3;

use crate::geometry::Solid;
use crate::motion::Relative;
use crate::sweep::{Overlap, Start};

/// The normal out of the body, and whether two boxes meet at an edge or a corner. There it is that of the face that
/// they approach more slowly, as in impacts. The face of a cell is met from its `side` alone; `None` if it is not.
///
/// Of the two solids the first is smaller than the real one by `slack`, m, along each axis.
pub(super) fn normal_of(
    [slim, other]: [Solid<'_>; 2],
    side: Option<DVec3>,
    motion: &Relative,
    (met, slack): (&Overlap, f64),
) -> Option<(DVec3, bool)> {
    let known = -met.normal;
    let (a, middle, b) = match (slim, other) {
        (Solid::Box(a), Solid::Box(b)) => (a, DVec3::ZERO, b),
        (Solid::Box(a), Solid::Patch { center, half }) => (a, center, half),
        _ => return Some((known, false)),
    };
    if met.start == Start::Inside {
        return Some((known, false));
    }
    let position = motion.position_at(met.enter) + middle;
    let gaps = position.abs() - (a + b);
    let entering = motion.velocity.dot(known);
    let normals = DVec3::AXES.into_iter().map(|axis| axis * -position.dot(axis).signum());
    let approached = normals.filter(|normal| side.is_none_or(|side| side.dot(*normal) >= 0.0));
    let (mut faces, mut slowest) = (0, None);
    for normal in approached {
        let (speed, gap) = (motion.velocity.dot(normal), gaps.dot(normal.abs()));
        // What the real shape meets at once, the slim one meets after its slack.
        if speed > 0.0 && gap.abs() * entering <= slack * (speed + entering) {
            faces += 1;
            slowest = slowest.filter(|&(least, _)| least <= speed).or(Some((speed, normal)));
        }
    }
    slowest.map(|(_, normal)| (normal, faces > 1))
}
