//! Positions inside the periods that are in view.

use glam::{DVec2, DVec3};

use super::curve::image;
use super::scene::Scene;
use crate::dynamics::{Period, Space};
use crate::report::solids::Stage;

/// The periods of the two axes in view.
pub(crate) fn periods(scene: &Scene<'_>, axes: [usize; 2]) -> [Option<Period>; 2] {
    axes.map(|axis| scene.scenario.settings.space.periods[axis])
}

/// The image of a position inside the periods in view.
pub(crate) fn home(scene: &Scene<'_>, stage: &Stage, mut position: DVec3) -> DVec3 {
    let [right, up] = stage.axes;
    let shift = image(DVec2::new(position[right], position[up]), periods(scene, stage.axes));
    position[right] -= shift.x;
    position[up] -= shift.y;
    position
}

/// The displacement between two places by the nearest image.
pub(crate) fn shortest(mut way: DVec3, space: &Space) -> DVec3 {
    for axis in 0..3 {
        if let Some(period) = space.periods[axis] {
            way[axis] -= (way[axis] / period.length()).round() * period.length();
        }
    }
    way
}
