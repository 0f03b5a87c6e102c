//! Two implicit lines in the plane.
//!
//! They cross where both equations hold: Cramer's rule (Ericson, *Real-Time Collision Detection*, 2005, § 3.1.5). The
//! three determinants are computed without cancellation, and whether one is 0 is decided exactly. So the point is
//! accurate to a few ulps of itself, even for nearly parallel lines.

use glam::DVec2;

use crate::geometry::Line2;
use crate::numeric::exact::{product_difference, products_equal};

/// Relative position of two lines in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lines {
    /// They cross in one point, m.
    One(DVec2),
    /// They have the same direction and no point in common.
    Parallel {
        /// How far they are apart, m.
        distance: f64,
    },
    /// They are the same line; the normals may have opposite directions or different lengths.
    Coincident,
}

/// Where the lines `a` and `b` cross.
///
/// - The coefficients are taken to be exact. As floats, (0.1, 0.3) and (0.2, 0.6) are parallel; (0.1, 0.3) and (0.3,
///   0.9) are not, and the lines cross far away.
/// - Each coordinate of the point is accurate to about eight ulps of itself.
/// - Lines that cross beyond the range of the floats count as parallel.
///
/// ```
/// use carom::geometry::Line2;
/// use carom::geometry::meet::{Lines, line2_line2};
/// use carom::glam::DVec2;
///
/// let line = |x: f64, y: f64, offset: f64| Line2::new(DVec2::new(x, y), offset).unwrap();
/// // x + y = 3 and x − y = 1.
/// let found = line2_line2(&line(1.0, 1.0, 3.0), &line(1.0, -1.0, 1.0));
/// assert_eq!(found, Lines::One(DVec2::new(2.0, 1.0)));
/// // x = 1 and 2 x = 8.
/// assert_eq!(line2_line2(&line(1.0, 0.0, 1.0), &line(2.0, 0.0, 8.0)), Lines::Parallel { distance: 3.0 });
/// ```
pub fn line2_line2(a: &Line2, b: &Line2) -> Lines {
    let (n, m, d, e) = (a.normal(), b.normal(), a.offset(), b.offset());
    let parallel = products_equal([n.x, m.y], [n.y, m.x]);
    if !parallel {
        let determinant = product_difference([n.x, m.y], [n.y, m.x]);
        let point =
            DVec2::new(product_difference([d, m.y], [n.y, e]), product_difference([n.x, e], [d, m.x])) / determinant;
        if point.is_finite() {
            return Lines::One(point);
        }
    }
    if parallel && products_equal([n.x, e], [d, m.x]) && products_equal([n.y, e], [d, m.y]) {
        return Lines::Coincident;
    }
    // m = k n, so the second line is n·p = e / k; k is the ratio of the larger components.
    let axis = usize::from(n.y.abs() > n.x.abs());
    Lines::Parallel { distance: (product_difference([d, m[axis]], [n[axis], e]) / (m[axis] * n.length())).abs() }
}
