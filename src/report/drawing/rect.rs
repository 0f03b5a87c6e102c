//! A rectangle of the picture.

use glam::DVec2;

/// A rectangle of the picture, pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    /// Upper left corner.
    pub(crate) min: DVec2,
    /// Lower right corner.
    pub(crate) max: DVec2,
}

impl Rect {
    /// Width and height.
    pub(crate) fn size(self) -> DVec2 {
        self.max - self.min
    }

    /// Whether a circle lies inside.
    pub(crate) fn holds(self, center: DVec2, radius: f64) -> bool {
        (center - radius).cmpge(self.min).all() && (center + radius).cmple(self.max).all()
    }
}
