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

    /// Its corners one after the other, the first once more at the end.
    pub(crate) fn corners(self) -> [DVec2; 5] {
        let Self { min, max } = self;
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y), min]
    }

    /// Its upper and its lower part; the lower one has the height `lower`, and between both is a `gap`, pixels.
    pub(crate) fn stacked(self, lower: f64, gap: f64) -> [Self; 2] {
        let below = self.max.y - lower;
        let upper = Self { max: DVec2::new(self.max.x, below - gap), ..self };
        [upper, Self { min: DVec2::new(self.min.x, below), ..self }]
    }

    /// Its upper and its lower half, with a gap between.
    pub(crate) fn halves(self, gap: f64) -> [Self; 2] {
        self.stacked(0.5 * (self.size().y - gap), gap)
    }

    /// Whether both have points within in common.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    /// Whether a circle lies inside.
    pub(crate) fn holds(self, center: DVec2, radius: f64) -> bool {
        (center - radius).cmpge(self.min).all() && (center + radius).cmple(self.max).all()
    }
}
