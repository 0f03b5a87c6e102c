//! Positions inside the periods that are in view.

use glam::{DVec2, DVec3};

use crate::dynamics::Period;
use crate::report::motion::curve::image;
use crate::report::motion::scene::Scene;
use crate::report::solids::Stage;

/// The periods of the two axes in view.
pub(crate) fn periods(scene: &Scene<'_>, axes: [usize; 2]) -> [Option<Period>; 2] {
    axes.map(|axis| scene.scenario.settings.space.periods[axis])
}

/// The image of a position inside the periods in view.
pub(crate) fn home(scene: &Scene<'_>, stage: &Stage, position: DVec3) -> DVec3 {
    within(periods(scene, stage.axes), stage.axes, position)
}

/// The image of a position inside these periods of the two axes in view.
pub(crate) fn within(periods: [Option<Period>; 2], [right, up]: [usize; 2], mut position: DVec3) -> DVec3 {
    let shift = image(DVec2::new(position[right], position[up]), periods);
    position[right] -= shift.x;
    position[up] -= shift.y;
    position
}
