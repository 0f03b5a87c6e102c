//! A ray and an axis-aligned box: the slabs of the three axes, intersected.
//!
//! Kay & Kajiya, *Ray tracing complex scenes*, SIGGRAPH 1986, with the reciprocal of the direction computed once and
//! the nearer plane of a slab chosen by its sign, as in Williams, Barrus, Morley & Shirley, *An efficient and robust
//! ray–box intersection algorithm*, Journal of Graphics Tools 10, 2005. The parameter of a plane has three roundings
//! and no cancellation. Along an axis on which the ray does not move the reciprocal is infinite, and a slab gives all
//! parameters or none. An origin on the slab's border gives 0·∞, which is NaN and is ignored by the maximum.

use glam::{BVec3, DVec3};

use super::{Crossing, is_sound};
use crate::geometry::gap::largest;
use crate::geometry::{Aabb, Ray, Start};
use crate::numeric::tolerance::SLAB_SLACK;

/// Where a ray enters a box, up to and including the parameter `until`, and where it leaves it.
///
/// - If the direction is 0 or −0 along an axis, the ray is inside or outside the slab. On the border of the slab it
///   counts as inside, so no ray slips between two boxes with a common face.
/// - If several faces are entered at the same parameter, through an edge or a corner, the first axis gives the normal.
/// - If a box is flat, or so thin that two opposite faces have the same computed parameter, the ray passes through it
///   there: enter = leave.
/// - A box with its corners in the wrong order is never hit. For boxes that only bound something there is
///   [`AabbCaster::entry`].
///
/// See [`cast`](super) for the meaning of the results, and [`AabbCaster`] for many boxes.
///
/// ```
/// use carom::geometry::cast::ray_aabb;
/// use carom::geometry::{Aabb, Ray};
/// use carom::glam::DVec3;
///
/// let cube = Aabb::around(DVec3::ZERO, DVec3::ONE);
/// let ray = Ray { origin: DVec3::new(-3.0, 0.5, 0.0), direction: DVec3::X };
/// let hit = ray_aabb(&ray, &cube, f64::INFINITY).unwrap();
/// assert_eq!((hit.enter, hit.leave, hit.normal), (2.0, 4.0, -DVec3::X));
/// ```
#[inline]
pub fn ray_aabb(ray: &Ray, bounds: &Aabb, until: f64) -> Option<Crossing> {
    AabbCaster::new(ray).cast(bounds, until)
}

/// A ray prepared for casts at many boxes.
///
/// ```
/// use carom::geometry::cast::AabbCaster;
/// use carom::geometry::{Aabb, Ray};
/// use carom::glam::DVec3;
///
/// let caster = AabbCaster::new(&Ray { origin: DVec3::ZERO, direction: DVec3::X });
/// let boxes = [6.0, 2.0, 4.0].map(|x| Aabb::around(DVec3::X * x, DVec3::splat(0.5)));
/// let enters = boxes.map(|bounds| Some(caster.cast(&bounds, 5.0)?.enter));
/// // The first begins at 5.5 m, which is too far.
/// assert_eq!(enters, [None, Some(1.5), Some(3.5)]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(hidden)]
pub struct AabbCaster {
    origin: DVec3,
    /// The reciprocals of the direction's components; they may be infinite.
    inverse: DVec3,
}

impl AabbCaster {
    /// Computes the reciprocals. A component of the direction below 1e-308, whose reciprocal overflows, counts as 0.
    #[inline]
    pub fn new(ray: &Ray) -> Self {
        // A ray with NaN or infinite numbers is replaced by one that meets nothing.
        let origin = if is_sound(ray.origin, ray.direction) { ray.origin } else { DVec3::NAN };
        Self { origin, inverse: ray.direction.recip() }
    }

    /// As [`ray_aabb`], to the bit.
    #[inline]
    pub fn cast(&self, bounds: &Aabb, until: f64) -> Option<Crossing> {
        let slabs = self.slabs(bounds);
        let (enter, leave) = common(&slabs);
        // A ray without direction, or with NaN, never leaves the slabs.
        let bounded = (f64::NEG_INFINITY < enter) & (leave < f64::INFINITY) & is_sound(bounds.min, bounds.max);
        // The processor can seldom predict these tests, so there is one branch for all of them.
        if !(bounded & (enter <= leave) & (0.0 < leave) & (enter <= until)) {
            return None;
        }
        if enter == leave && !passes_in_instant(&slabs, bounds) {
            return None;
        }
        if enter < 0.0 {
            return Some(self.crossing_from_within(bounds, leave));
        }
        let (enter, start) = Start::of(enter);
        Some(Crossing { enter, leave, normal: self.face(&slabs, enter), start })
    }

    /// The outward normal of the face through which the ray enters.
    #[inline]
    fn face(&self, slabs: &[Slab; 3], enter: f64) -> DVec3 {
        let [first, second] = [slabs[0].enter == enter, slabs[1].enter == enter];
        let face = BVec3::new(first, !first & second, !first & !second);
        DVec3::select(face, -self.inverse.signum(), DVec3::ZERO)
    }

    /// The crossing of a ray that starts inside, or on a face along which it runs; the nearest face gives the normal.
    #[cold]
    fn crossing_from_within(&self, bounds: &Aabb, leave: f64) -> Crossing {
        let (below, above) = (self.origin - bounds.min, bounds.max - self.origin);
        let room = below.min(above);
        let axis = largest(-room);
        let normal = DVec3::AXES[axis] * if above[axis] < below[axis] { 1.0 } else { -1.0 };
        let start = if room[axis] > 0.0 { Start::Inside } else { Start::Touching };
        Crossing { enter: 0.0, leave, normal, start }
    }

    /// A lower bound of the parameters at which the ray meets anything in the box, not negative; infinite if nothing.
    ///
    /// It allows for the rounding errors of the box's own slabs, and for those of a
    /// [`TriangleCaster`](super::TriangleCaster) at a triangle that reaches the border of the box, so pruning never
    /// loses a hit.
    #[inline]
    pub fn entry(&self, bounds: &Aabb) -> f64 {
        let (enter, leave) = common(&self.slabs(bounds));
        let (enter, leave) = (enter * (1.0 - SLAB_SLACK), leave * (1.0 + SLAB_SLACK));
        let meets = enter <= leave && (0.0..f64::INFINITY).contains(&leave);
        if !meets {
            f64::INFINITY
        } else if enter > 0.0 {
            enter
        } else {
            0.0
        }
    }

    #[inline]
    fn slabs(&self, Aabb { min, max }: &Aabb) -> [Slab; 3] {
        let Self { origin, inverse } = self;
        [
            Slab::of(min.x, max.x, origin.x, inverse.x),
            Slab::of(min.y, max.y, origin.y, inverse.y),
            Slab::of(min.z, max.z, origin.z, inverse.z),
        ]
    }
}

/// The part of the line between two planes perpendicular to an axis. If the line runs in one of the planes, that end is
/// NaN.
///
/// The end is stored with the opposite sign, so the common part of several slabs is found by maxima alone.
struct Slab {
    enter: f64,
    minus_leave: f64,
}

impl Slab {
    #[inline]
    fn of(low: f64, high: f64, origin: f64, inverse: f64) -> Self {
        let (near, far) = if inverse < 0.0 { (high, low) } else { (low, high) };
        Self { enter: (near - origin) * inverse, minus_leave: (origin - far) * inverse }
    }
}

/// Whether one of the slabs of a box is itself passed in an instant. Otherwise a ray that is in all slabs for an
/// instant only touches an edge or a corner.
#[cold]
fn passes_in_instant(slabs: &[Slab; 3], bounds: &Aabb) -> bool {
    let is_instant = |slab: &Slab| slab.enter == -slab.minus_leave;
    // The faces of a box that is turned inside out may be at one parameter, too.
    bounds.min.cmple(bounds.max).all() && slabs.iter().any(is_instant)
}

/// Where the line enters the last of the slabs and leaves the first; ends that are NaN are ignored.
#[inline]
fn common([x, y, z]: &[Slab; 3]) -> (f64, f64) {
    let larger = |a: f64, b: f64| if a > b { a } else { b };
    let enter = larger(z.enter, larger(y.enter, larger(x.enter, f64::NEG_INFINITY)));
    let minus_leave = larger(z.minus_leave, larger(y.minus_leave, larger(x.minus_leave, f64::NEG_INFINITY)));
    (enter, -minus_leave)
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = ([f64; 3], [f64; 3], Option<(f64, f64, Start, DVec3)>);

    /// Rays at the box from (0, 0, 0) to (2, 4, 6).
    #[test]
    fn every_outcome() {
        use Start::{Apart, Inside, Touching};
        let (inf, nan, x, y, z) = (f64::INFINITY, f64::NAN, DVec3::X, DVec3::Y, DVec3::Z);
        let rows: [Row; 19] = [
            ([-4.0, 1.0, 1.0], [2.0, 0.0, 0.0], Some((2.0, 3.0, Apart, -x))),
            ([4.0, 1.0, 1.0], [-2.0, 0.0, -0.0], Some((1.0, 2.0, Apart, x))),
            ([1.0, 1.0, 9.0], [0.0, 0.0, -1.0], Some((3.0, 9.0, Apart, z))),
            ([1.0, 1.0, 9.0], [0.0, 0.0, 1.0], None),
            ([1.0, 5.0, 9.0], [0.0, 0.0, -1.0], None),
            // Along a face, along an edge, and beside them.
            ([2.0, 1.0, 9.0], [0.0, -0.0, -1.0], Some((3.0, 9.0, Apart, z))),
            ([0.0, 4.0, 9.0], [-0.0, 0.0, -1.0], Some((3.0, 9.0, Apart, z))),
            ([-5e-324, 4.0, 9.0], [-0.0, 0.0, -1.0], None),
            // Through an edge from outside, and at a corner.
            ([-1.0, -1.0, 3.0], [1.0, 1.0, 0.0], Some((1.0, 3.0, Apart, -x))),
            ([-1.0, 5.0, 7.0], [1.0, -1.0, -1.0], Some((1.0, 3.0, Apart, -x))),
            ([-1.0, 1.0, 3.0], [1.0, -1.0, 0.0], None),
            // From inside, from a face inwards, outwards and along.
            ([1.0, 2.0, 3.0], [0.0, 4.0, 1.0], Some((0.0, 0.5, Inside, -x))),
            ([1.0, 3.5, 3.0], [0.0, -4.0, 1.0], Some((0.0, 0.875, Inside, y))),
            ([1.0, 2.0, 0.25], [0.0, 4.0, 0.0], Some((0.0, 0.5, Inside, -z))),
            ([0.0, 2.0, 3.0], [1.0, 0.0, 0.0], Some((0.0, 2.0, Touching, -x))),
            ([0.0, 2.0, 3.0], [-1.0, 0.0, 0.0], None),
            ([0.0, 2.0, 3.0], [0.0, 1.0, 0.0], Some((0.0, 2.0, Touching, -x))),
            ([1.0, 2.0, 3.0], [0.0, -0.0, 0.0], None),
            ([-1.0, 2.0, 3.0], [inf, 0.0, 0.0], None),
        ];
        let bounds = Aabb { min: DVec3::ZERO, max: DVec3::new(2.0, 4.0, 6.0) };
        for (origin, direction, expected) in rows {
            let ray = Ray { origin: origin.into(), direction: direction.into() };
            let found = |until| ray_aabb(&ray, &bounds, until).map(|f| (f.enter, f.leave, f.start, f.normal));
            assert_eq!(found(inf), expected, "{ray:?}");
            assert_eq!(found(nan), None, "{ray:?}");
            let Some((enter, ..)) = expected else { continue };
            assert_eq!(found(enter), expected);
            assert!(enter == 0.0 || found(enter.next_down()).is_none());
            let bound = AabbCaster::new(&ray).entry(&bounds);
            assert!(enter * (1.0 - SLAB_SLACK) <= bound && bound <= enter, "{bound} for {enter}: {ray:?}");
        }
    }

    #[test]
    fn boxes_that_are_flat_inverted_or_not_finite() {
        let ray = Ray { origin: DVec3::new(-1.0, 0.5, 0.5), direction: DVec3::X };
        let (zero, one) = (DVec3::ZERO, DVec3::ONE);
        let rows = [
            (zero, one, Some((1.0, 2.0))),
            // Through its one face, and beside it.
            (zero, DVec3::new(0.0, 1.0, 1.0), Some((1.0, 1.0))),
            (DVec3::new(0.0, 0.625, 0.0), DVec3::new(0.0, 1.0, 1.0), None),
            (zero, DVec3::new(5e-324, 1.0, 1.0), Some((1.0, 1.0))),
            (zero, DVec3::new(-5e-324, 1.0, 1.0), None),
            (DVec3::new(0.0, 0.5, 0.0), DVec3::new(1.0, 0.5, 1.0), Some((1.0, 2.0))),
            (zero, DVec3::new(1.0, 0.0, 1.0), None),
            (one, zero, None),
            (DVec3::new(0.0, 0.5, 0.0), DVec3::new(1.0, 0.0, 1.0), None),
            (DVec3::NEG_INFINITY, DVec3::INFINITY, None),
        ];
        for (min, max, expected) in rows {
            assert_eq!(
                ray_aabb(&ray, &Aabb { min, max }, f64::INFINITY).map(|f| (f.enter, f.leave)),
                expected,
                "{min} {max}"
            );
        }
    }
}
