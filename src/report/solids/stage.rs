//! A frame for solids seen along an axis.

use glam::{DVec2, DVec3};

use crate::report::chart::Frame;
use crate::report::coordinates::across;

/// A frame that shows two coordinates at equal scales.
#[derive(Debug, Clone)]
pub(in crate::report) struct Stage {
    /// The frame.
    pub(in crate::report) frame: Frame,
    /// The horizontal and the vertical axis.
    pub(in crate::report) axes: [usize; 2],
}

impl Stage {
    /// Where a point of the world is on the picture.
    pub(in crate::report) fn place(&self, position: DVec3) -> DVec2 {
        self.frame.place(position[self.axes[0]], position[self.axes[1]])
    }

    /// The distance of a point towards the viewer, or that component of a direction. The axes in view run to the right
    /// and upwards.
    pub(in crate::report) fn nearness(&self, direction: DVec3) -> f64 {
        let towards = if self.axes == [0, 2] { -1.0 } else { 1.0 };
        towards * direction[across(self.axes)]
    }

    /// Pixels per metre.
    pub(in crate::report) fn scale(&self) -> f64 {
        self.frame.rect.size().x / self.frame.x.span.length()
    }
}
