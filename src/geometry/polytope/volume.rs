//! Boxes and balls against a polytope.
//!
//! A box is first classified by two of its corners for each plane: the one farthest in front and the one farthest
//! behind (Greene, *Detecting Intersection of a Rectangular Solid and a Convex Polyhedron*, 1994). This rejects most
//! boxes outside. It may keep a box near a corner of the polytope, which is sufficient for a tree of boxes. The exact
//! functions test more: a box is cut if the polytope meets one of its faces or lies within it, a ball if the polytope's
//! nearest point is no farther from its centre than its radius.

use glam::DVec3;

use super::{Mask, Polytope, Quad, is_moderate_vector};
use crate::geometry::{Aabb, Plane, Radius};
use crate::numeric::tolerance::PROJECTION_SLACK;

/// Position of a solid relative to a polytope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// They have no point in common.
    Outside,
    /// They have points in common, but not the whole solid belongs to the polytope. It may touch the polytope from
    /// outside, or contain it.
    Cut,
    /// The whole solid belongs to the polytope; it may touch the boundary from inside.
    Inside,
}

/// The classification of a box, which holds for everything in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bounded {
    /// All of the box is behind one plane: nothing in it meets the polytope.
    Outside,
    /// All of the box is in front of every active plane: everything in it is inside.
    Inside,
    /// Only these planes have a part of the box behind them. Objects in the box need a test against these planes only.
    Straddling(Mask),
}

impl Polytope {
    /// A quick classification of a box by the planes of `active`, for the way down a tree of boxes. A mask that is
    /// returned can replace `active` below this box: queries with it give the same hits, to the bit.
    ///
    /// A box that is NaN, infinite, beyond 1e70 m or turned inside out (`min` above `max`) is `Outside`.
    ///
    /// ```
    /// use carom::geometry::polytope::Bounded;
    /// use carom::geometry::{Aabb, Plane, Polytope};
    /// use carom::glam::DVec3;
    ///
    /// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
    /// let room = Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::splat(4.0)), floor).unwrap();
    /// let cube = |x: f64| Aabb::around(DVec3::X * x, DVec3::ONE);
    /// assert_eq!(room.classify(&cube(0.0), room.mask()), Bounded::Inside);
    /// assert_eq!(room.classify(&cube(9.0), room.mask()), Bounded::Outside);
    /// // Only the second plane, at the largest x, cuts this one.
    /// let Bounded::Straddling(mask) = room.classify(&cube(4.0), room.mask()) else { panic!("it is cut") };
    /// assert_eq!(mask.rows().collect::<Vec<_>>(), [1]);
    /// ```
    pub fn classify(&self, bounds: &Aabb, active: Mask) -> Bounded {
        let is_box = is_moderate_vector(bounds.min) && is_moderate_vector(bounds.max);
        if !(is_box && bounds.min.cmple(bounds.max).all()) {
            return Bounded::Outside;
        }
        let mut straddling = Mask::EMPTY;
        for row in active.intersection(self.mask()).rows() {
            let plane = &self.planes()[row];
            let [behind, front] = bounds.extremes(plane.normal());
            if plane.distance(front) < 0.0 {
                return Bounded::Outside;
            }
            if plane.distance(behind) < 0.0 {
                straddling = straddling.with(row);
            }
        }
        if straddling.is_empty() { Bounded::Inside } else { Bounded::Straddling(straddling) }
    }

    /// The exact position of a box relative to the polytope. If the box contains a polytope that is empty, or not
    /// empty, only because of rounding, [`nearest`](Self::nearest) decides.
    ///
    /// A box that is NaN, infinite, beyond 1e70 m or turned inside out is `Outside`.
    ///
    /// ```
    /// use carom::geometry::polytope::Placement;
    /// use carom::geometry::{Aabb, Plane, Polytope};
    /// use carom::glam::DVec3;
    ///
    /// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
    /// let room = Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::splat(4.0)), floor).unwrap();
    /// let cube = |x: f64| Aabb::around(DVec3::X * x, DVec3::ONE);
    /// let placements = [3.0, 5.0, 6.0].map(|x| room.aabb(&cube(x)));
    /// // The first touches the wall from inside, the second from outside.
    /// assert_eq!(placements, [Placement::Inside, Placement::Cut, Placement::Outside]);
    /// ```
    pub fn aabb(&self, bounds: &Aabb) -> Placement {
        let cutting = match self.classify(bounds, self.mask()) {
            Bounded::Outside => return Placement::Outside,
            Bounded::Inside => return Placement::Inside,
            Bounded::Straddling(cutting) => cutting,
        };
        let meets_face = || Quad::faces(bounds).iter().any(|face| self.quad(face, cutting).is_some());
        // If the polytope meets no face of the box, it is entirely inside or entirely outside, and any of its points
        // shows which.
        let holds =
            || self.nearest(bounds.center()).is_some_and(|point| bounds.touches(&Aabb::around(point, DVec3::ZERO)));
        if meets_face() || holds() { Placement::Cut } else { Placement::Outside }
    }

    /// The position of a ball relative to the polytope. Touching from outside is decided within the rounding error of
    /// [`nearest`](Self::nearest).
    ///
    /// A centre that is NaN, infinite or beyond 1e70 m is `Outside`.
    ///
    /// ```
    /// use carom::geometry::polytope::Placement;
    /// use carom::geometry::{Aabb, Plane, Polytope, Radius};
    /// use carom::glam::DVec3;
    ///
    /// let (floor, radius) = (Plane::new(DVec3::Z, 0.0).unwrap(), Radius::new(1.0).unwrap());
    /// let room = Polytope::from_aabb(&Aabb::around(DVec3::ZERO, DVec3::splat(4.0)), floor).unwrap();
    /// let placements = [3.0, 4.5, 6.0].map(|x| room.sphere(DVec3::X * x, radius));
    /// assert_eq!(placements, [Placement::Inside, Placement::Cut, Placement::Outside]);
    /// ```
    pub fn sphere(&self, center: DVec3, radius: Radius) -> Placement {
        if !is_moderate_vector(center) {
            return Placement::Outside;
        }
        let radius = radius.get();
        let depth = self.planes().iter().map(|plane| plane.distance(center)).fold(f64::INFINITY, f64::min);
        if depth >= radius {
            return Placement::Inside;
        }
        let reaches = |point: DVec3| point.distance_squared(center) <= radius * radius;
        if depth >= -radius && self.nearest(center).is_some_and(reaches) { Placement::Cut } else { Placement::Outside }
    }

    /// The point of the polytope nearest to `point`, m. It is `point` itself, to the bit, if that belongs to the
    /// polytope. Otherwise it is a point on the boundary, within rounding error ([`PROJECTION_SLACK`] of the
    /// coordinates and offsets).
    ///
    /// `None` if the polytope is empty, or if a coordinate is NaN, infinite or beyond 1e70 m. Two planes at an angle of
    /// less than 1e-7 count as parallel.
    pub fn nearest(&self, point: DVec3) -> Option<DVec3> {
        if !is_moderate_vector(point) {
            return None;
        }
        if self.contains(point) {
            return Some(point);
        }
        // The nearest point lies on a plane that `point` is behind: on a face, or on an edge or at its end.
        let behind = (0..self.planes().len()).filter(|&row| self.planes()[row].distance(point) < 0.0);
        let candidates = behind.flat_map(|row| {
            let plane = &self.planes()[row];
            let foot = point - plane.normal() * plane.distance(point);
            let edges = self.planes().iter().filter_map(move |other| self.nearest_on_edge(point, plane, other));
            std::iter::once(foot).chain(edges)
        });
        let fitting = candidates.filter(|&candidate| self.holds_nearly(candidate, point));
        fitting.min_by(|p, q| p.distance_squared(point).total_cmp(&q.distance_squared(point)))
    }

    /// The point nearest to `point` on the line that two planes share, within the part in front of all other planes.
    fn nearest_on_edge(&self, point: DVec3, plane: &Plane, other: &Plane) -> Option<DVec3> {
        let (n, m) = (plane.normal(), other.normal());
        let across = n.cross(m);
        let squared = across.length_squared();
        if squared <= PROJECTION_SLACK {
            return None;
        }
        let length = squared.sqrt();
        let (along, aside) = (across / length, across.cross(n));
        // Twice: the second pass removes the rounding error of the first, which is large where the edge is sharp.
        let base = (0..2).fold(point, |x, _| {
            let x = x - n * plane.distance(x);
            x - aside * (other.distance(x) / squared)
        });
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        for bound in self.planes() {
            let slope = bound.normal().dot(along);
            // The two planes themselves, and others parallel to the edge, are tested in `holds_nearly`.
            if slope.abs() * length > PROJECTION_SLACK {
                let at = -bound.distance(base) / slope;
                if slope > 0.0 { low = low.max(at) } else { high = high.min(at) }
            }
        }
        Some(base + along * 0.0f64.max(low).min(high))
    }

    /// Whether a computed point belongs to the polytope, within the rounding errors of the numbers it was computed
    /// from.
    fn holds_nearly(&self, candidate: DVec3, from: DVec3) -> bool {
        let size = candidate.abs().max_element() + from.abs().max_element();
        self.planes().iter().all(|plane| {
            plane.distance(candidate) >= -PROJECTION_SLACK * (size + plane.offset().abs()) - f64::MIN_POSITIVE
        })
    }
}
