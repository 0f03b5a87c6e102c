//! Coarseness: the spacing of floating-point numbers at the position of a body.
//!
//! Floats near a coordinate x are about |x| · 2⁻⁵² apart. So far from the origin, positions, gaps, depths and times of
//! impact are less precise. No other output of a run shows this.

use glam::DVec3;

use crate::dynamics::{Body, BodyId, Stepper};
use crate::geometry::Shape;
use crate::numeric::tolerance::COARSENESS_MAX;

/// The spacing of numbers at the position of a body, and the body's size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coarseness {
    /// Position of the body, m.
    pub place: DVec3,
    /// Distance from the largest coordinate to the next float, m.
    pub spacing: f64,
    /// Smallest width of the body, m; for a mesh or a grid the largest.
    pub size: f64,
}

impl Coarseness {
    /// The coarseness of a shape at a position. A half-space has no size, so it has none.
    fn of(shape: &Shape, place: DVec3) -> Option<Self> {
        let (reach, size) = match shape {
            Shape::Sphere(radius) => (place.abs(), 2.0 * radius.get()),
            Shape::Box(half) => (place.abs(), 2.0 * half.get().min_element()),
            Shape::Mesh(_) | Shape::Grid(_) => {
                let bounds = shape.outline()?.bounds();
                ((place + bounds.min).abs().max((place + bounds.max).abs()), (bounds.max - bounds.min).max_element())
            }
            Shape::Arc(arc) => (place.abs() + arc.radius(), 2.0 * arc.radius()),
            Shape::Plane(_) => return None,
        };
        let largest = reach.max_element();
        Some(Self { place, spacing: largest.next_up() - largest, size })
    }

    /// Spacing over size, dimensionless.
    pub fn ratio(&self) -> f64 {
        self.spacing / self.size
    }

    /// Whether the ratio is so large that a warning is useful: more than a millionth ([`COARSENESS_MAX`]).
    pub fn is_coarse(&self) -> bool {
        self.ratio() > COARSENESS_MAX
    }

    /// Whether the ratio is larger than that of `other`.
    pub(crate) fn is_coarser_than(&self, other: &Self) -> bool {
        self.ratio() > other.ratio()
    }
}

impl Body {
    /// The coarseness at the body's position; `None` for a half-space.
    pub fn coarseness(&self) -> Option<Coarseness> {
        Coarseness::of(&self.shape, self.position)
    }
}

impl Stepper {
    /// The coarseness at a body's present position; `None` for a half-space.
    pub fn coarseness(&self, id: BodyId) -> Option<Coarseness> {
        Coarseness::of(self.sim.scene.rows.shape(id), self.state(id).position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spacing_and_size_of_every_shape() {
        let far = DVec3::new(1.0, -1e12, 3.0);
        let cube = Body::cuboid(DVec3::new(1.0, 2.0, 3.0), 1.0).unwrap();
        let rows = [
            (Body::sphere(0.5, 1.0).unwrap().at(DVec3::X), f64::EPSILON, 1.0),
            (Body::sphere(0.5, 1.0).unwrap().at(far), 2f64.powi(-13), 1.0),
            (cube.at(far), 2f64.powi(-13), 2.0),
        ];
        for (body, spacing, size) in rows {
            let found = body.coarseness().unwrap();
            assert_eq!((found.spacing, found.size, found.ratio()), (spacing, size, spacing / size), "{body:?}");
        }
        assert_eq!(Body::plane(DVec3::Z, 1e12).unwrap().coarseness(), None);
    }
}
