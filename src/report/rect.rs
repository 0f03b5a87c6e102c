//! A rectangle of the picture.

use glam::DVec2;

/// A rectangle of the picture, pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    /// Upper left corner.
    pub(super) min: DVec2,
    /// Lower right corner.
    pub(super) max: DVec2,
}

impl Rect {
    /// Width and height.
    pub(super) fn size(self) -> DVec2 {
        self.max - self.min
    }

    /// Whether a circle lies inside.
    pub(super) fn holds(self, center: DVec2, radius: f64) -> bool {
        (center - radius).cmpge(self.min).all() && (center + radius).cmple(self.max).all()
    }
}
