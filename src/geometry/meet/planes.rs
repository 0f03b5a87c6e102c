//! Two planes, and three.
//!
//! Three planes meet in the point (d₁ n₂×n₃ + d₂ n₃×n₁ + d₃ n₁×n₂) / n₁·(n₂×n₃) (Ericson, *Real-Time Collision
//! Detection*, 2005, § 5.4.5), two in a line along n₁×n₂ (§ 5.4.4). The cross products are computed without
//! cancellation, and the point is corrected once by the residuals of the three equations. So it is on every plane
//! within rounding error, even if the planes meet at a grazing angle. If the determinant is not larger than rounding
//! error, there is no single common point. The remaining cases are distinguished by which planes are parallel.

use glam::DVec3;

use crate::geometry::closest::are_parallel;
use crate::geometry::exact::cross;
use crate::geometry::{Plane, unit};
use crate::numeric::tolerance::{MEETING_SLACK, PARALLEL_SLACK};

/// A line in space: all points `point` + t `direction`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// One of its points, m: the one nearest to the origin, to rounding.
    pub point: DVec3,
    /// Its direction, a unit vector.
    pub direction: DVec3,
}

/// Relative position of two planes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Planes {
    /// They intersect in a line, along the cross product of their normals.
    Crossing(Line),
    /// They have no point in common.
    Parallel {
        /// How far they are apart, m.
        distance: f64,
    },
    /// They are the same plane; the normals may be opposite.
    Coincident,
}

/// Relative position of three planes. A plane is named by its place in the arguments: 0, 1, 2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThreePlanes {
    /// They have one point in common, m.
    Point(DVec3),
    /// No two are parallel, and all contain one line, like the pages of a book.
    Sheaf(Line),
    /// No two are parallel, and they intersect in three parallel lines, like the sides of a tent.
    Prism {
        /// Unit vector along the three lines.
        direction: DVec3,
    },
    /// Two are parallel and apart, and the third cuts both.
    ParallelPair {
        /// The plane that cuts.
        third: usize,
    },
    /// Two are the same, and the third cuts them.
    CoincidentPair {
        /// The plane that cuts.
        third: usize,
        /// The line in which it cuts.
        line: Line,
    },
    /// All are parallel, and no two the same.
    Parallel,
    /// Two are the same, and the third is parallel to them and apart.
    ParallelToPair {
        /// The plane apart.
        third: usize,
    },
    /// All three are the same.
    Coincident,
}

/// Where the planes `a` and `b` meet.
///
/// Whether the planes are parallel is decided by the normals, within [`PARALLEL_SLACK`]. Parallel planes are the same
/// if their offsets agree within [`MEETING_SLACK`] of their size.
///
/// ```
/// use carom::geometry::Plane;
/// use carom::geometry::meet::{Line, Planes, plane_plane};
/// use carom::glam::DVec3;
///
/// let floor = Plane::new(DVec3::Z, 0.0).unwrap();
/// let wall = Plane::new(DVec3::X, 2.0).unwrap();
/// let edge = Line { point: DVec3::X * 2.0, direction: DVec3::Y };
/// assert_eq!(plane_plane(&floor, &wall), Planes::Crossing(edge));
/// let ceiling = Plane::new(-DVec3::Z, -3.0).unwrap();
/// assert_eq!(plane_plane(&floor, &ceiling), Planes::Parallel { distance: 3.0 });
/// ```
pub fn plane_plane(a: &Plane, b: &Plane) -> Planes {
    let n = cross(a.normal(), b.normal());
    if !are_parallel(a.normal(), b.normal(), n) {
        return Planes::Crossing(line(a, b, n));
    }
    let offset = if a.normal().dot(b.normal()) > 0.0 { b.offset() } else { -b.offset() };
    let distance = (a.offset() - offset).abs();
    let same = distance <= MEETING_SLACK * (a.offset().abs() + offset.abs());
    if same { Planes::Coincident } else { Planes::Parallel { distance } }
}

/// Where the planes `a`, `b` and `c` meet.
///
/// - The normals count as independent if their determinant is larger than the change that an error of
///   [`PARALLEL_SLACK`] in each of them can cause. The point is on every plane within the rounding errors of its
///   coordinates and the offsets.
/// - Whether pairs are parallel, or the same, is decided as in [`plane_plane`]. If two of the three pairs are, the
///   third counts as such, too.
/// - If the normals are dependent and no pair is parallel, the two planes that intersect at the steepest angle are
///   taken. If the third plane contains their line within [`MEETING_SLACK`], the result is a sheaf, otherwise a prism.
///
/// ```
/// use carom::geometry::Plane;
/// use carom::geometry::meet::{ThreePlanes, plane_plane_plane};
/// use carom::glam::DVec3;
///
/// let [x, y, z] = [(DVec3::X, 1.0), (DVec3::Y, 2.0), (DVec3::Z, 3.0)].map(|(n, d)| Plane::new(n, d).unwrap());
/// assert_eq!(plane_plane_plane(&x, &y, &z), ThreePlanes::Point(DVec3::new(1.0, 2.0, 3.0)));
/// let opposite = Plane::new(DVec3::X, 9.0).unwrap();
/// assert_eq!(plane_plane_plane(&x, &opposite, &z), ThreePlanes::ParallelPair { third: 2 });
/// ```
pub fn plane_plane_plane(a: &Plane, b: &Plane, c: &Plane) -> ThreePlanes {
    let planes = [a, b, c];
    let crosses = [0, 1, 2].map(|row| cross(other(planes, row, 1).normal(), other(planes, row, 2).normal()));
    let none_parallel = (0..3).all(|row| {
        let (a, b) = (other(planes, row, 1), other(planes, row, 2));
        !are_parallel(a.normal(), b.normal(), crosses[row])
    });
    if none_parallel {
        return point(planes, crosses).unwrap_or_else(|| sheaf_or_prism(planes, crosses));
    }
    let pairs = [0, 1, 2].map(|row| plane_plane(other(planes, row, 1), other(planes, row, 2)));
    let crossing = pairs.map(|pair| matches!(pair, Planes::Crossing(_)));
    // At least one pair is parallel. If two are, the third counts as parallel, too.
    if crossing.iter().filter(|&&crossing| crossing).count() == 2 {
        cut_pair(planes, pairs, crossing)
    } else {
        all_parallel(pairs)
    }
}

/// The plane `by` places after `planes[row]`, counted cyclically.
fn other(planes: [&Plane; 3], row: usize, by: usize) -> &Plane {
    planes[(row + by) % 3]
}

/// The line of two planes whose normals have the cross product `n`.
fn line(a: &Plane, b: &Plane, n: DVec3) -> Line {
    let sum = cross(b.normal(), n) * a.offset() + cross(n, a.normal()) * b.offset();
    Line { point: sum / n.length_squared(), direction: unit(n).unwrap_or(n) }
}

/// The common point of planes with independent normals; `crosses[k]` is the cross product of the two normals other than
/// k.
fn point(planes: [&Plane; 3], crosses: [DVec3; 3]) -> Option<ThreePlanes> {
    let determinant = planes[0].normal().dot(crosses[0]);
    let uncertain = PARALLEL_SLACK * crosses.iter().map(|n| n.length()).sum::<f64>();
    if determinant.abs() <= uncertain {
        return None;
    }
    let solve = |right: [f64; 3]| (crosses[0] * right[0] + crosses[1] * right[1] + crosses[2] * right[2]) / determinant;
    let point = solve(planes.map(Plane::offset));
    Some(ThreePlanes::Point(point - solve(planes.map(|plane| plane.distance(point)))))
}

/// Three planes with dependent normals, no two of them parallel.
fn sheaf_or_prism(planes: [&Plane; 3], crosses: [DVec3; 3]) -> ThreePlanes {
    let lengths = crosses.map(DVec3::length);
    let steepest = |best: usize, row: usize| if lengths[row] > lengths[best] { row } else { best };
    let third = (1..3).fold(0, steepest);
    let (a, b) = (other(planes, third, 1), other(planes, third, 2));
    let line = line(a, b, crosses[third]);
    let coordinates = (a.offset().abs() + b.offset().abs()) / lengths[third] + planes[third].offset().abs();
    if planes[third].distance(line.point).abs() <= MEETING_SLACK * coordinates {
        ThreePlanes::Sheaf(line)
    } else {
        ThreePlanes::Prism { direction: line.direction }
    }
}

/// One pair is parallel, the third plane cuts it.
fn cut_pair(planes: [&Plane; 3], pairs: [Planes; 3], crossing: [bool; 3]) -> ThreePlanes {
    let third = crossing.iter().position(|&crossing| !crossing).unwrap_or_default();
    let next = (third + 1) % 3;
    match (pairs[third], plane_plane(planes[third], planes[next])) {
        (Planes::Coincident, Planes::Crossing(line)) => ThreePlanes::CoincidentPair { third, line },
        _ => ThreePlanes::ParallelPair { third },
    }
}

/// No plane cuts another.
fn all_parallel(pairs: [Planes; 3]) -> ThreePlanes {
    let same = pairs.map(|pair| pair == Planes::Coincident);
    match same.iter().filter(|&&same| same).count() {
        0 => ThreePlanes::Parallel,
        1 => ThreePlanes::ParallelToPair { third: same.iter().position(|&same| same).unwrap_or_default() },
        _ => ThreePlanes::Coincident,
    }
}
