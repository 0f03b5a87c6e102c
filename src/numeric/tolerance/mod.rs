//! Every tolerance of the simulator, each with its unit, its derivation, and the effect of a larger value.
//!
//! No file outside this folder holds a literal tolerance. Whether two bodies meet is decided by signs: none of these
//! numbers decides it.
//!
//! A *rounding error* is half a spacing of floating-point numbers, unless a comment says otherwise; [`EPSILON`] is the
//! relative spacing.

mod contact;
mod course;

pub use contact::*;
pub use course::*;

/// Relative spacing of `f64` numbers, 2⁻⁵²: the distance from 1 to the next larger number.
pub const EPSILON: f64 = f64::EPSILON;

/// Largest deviation of |n|² from 1 at which a normal n counts as a unit vector, no unit.
///
/// Three components, each with an error of half a spacing, are squared and added. The sum is off by at most about four
/// spacings. Larger: normals that are visibly not of unit length would be used unchanged.
pub const UNIT_SLACK: f64 = 4.0 * EPSILON;

/// Rounding of a plain sum of small rests, per term and relative to their sizes added up; also of one more addition.
///
/// Twice the largest possible error. It decides which way a sum is computed, not its bits. Larger: more sums are
/// computed from all their parts. Smaller: a sum might be rounded wrongly.
pub const REST_SLACK: f64 = 2.0 * EPSILON;

/// Spacing of floating-point numbers at the position of a body, divided by the size of the body, from which a warning
/// is given, no unit.
///
/// One millionth: gaps and overlaps of this part of the body are rounding errors there, and so is a millionth of the
/// time in which the body moves by its own size. For a ball of 1 m it begins 4.3e9 m from the origin. It decides
/// nothing in a run; in a measured packing, a wall cuts a ball that overlaps it by more. Larger: the warning of coarse
/// results comes later, and a ball with a piece cut off may count as one that touches a wall.
pub const COARSENESS_MAX: f64 = 1e-6;

/// Ticks of the clock per second.
///
/// A power of two, so that conversion between ticks and seconds is exact. Larger: the clock has a finer resolution, and
/// runs have a shorter maximum duration.
pub const TICKS_PER_SECOND: f64 = 2048.0;

/// Latest time of a sweep, s from its start: 2⁴². Up to this time the clock counts every tick exactly.
///
/// 140,000 years. Larger: whole ticks would be lost by rounding.
pub const TIME_MAX: f64 = 2.0 / EPSILON / TICKS_PER_SECOND;

/// Resolution of the clock in the worst case, s: 2⁻⁶⁴, the spacing of remainders between half a tick and a whole tick.
///
/// Larger: faster bodies would be refused as too fast for their size.
pub const CLOCK_GRAIN: f64 = 0.5 * EPSILON / TICKS_PER_SECOND;

/// Largest speed of a body in half widths per second: 2⁶⁰, a sixteenth of a half width per resolution of the clock.
///
/// The instant of an impact is rounded by at most half of this resolution, so a body stays in front of the surface that
/// it meets. Larger: a body could overlap the other one by more, and in the end be behind it. Smaller: slower bodies
/// would be refused.
pub const SPEED_PER_SIZE_MAX: f64 = 0.0625 / CLOCK_GRAIN;

/// Duration of a fall from rest whose final speed counts as zero when bodies in contact settle, s: 2⁻⁵³.
///
/// The contact forces that hold a body carry the rounding error of its weight. After one second this error has changed
/// the speed by half a spacing of g. Larger: bodies in contact that move slowly, but visibly, would be stopped.
pub const STILL_FALL: f64 = 0.5 * EPSILON;

/// Largest violation of a bound by a projected vector, relative to the size of the vector; also the smallest
/// determinant of unit normals that counts as independent.
///
/// A projection on three planes has about thirty rounding errors. Larger: supports that are nearly parallel would count
/// as one.
pub const PROJECTION_SLACK: f64 = 64.0 * EPSILON;

/// Error bound of a 3 × 3 determinant, relative to the sum of the magnitudes of its six products.
///
/// Each product has at most seven roundings of half a spacing (Shewchuk 1997, §4.3, with the sum itself rounded).
/// Larger: more determinants are computed a second time, exactly. Smaller: a wrong sign would be accepted.
pub const DETERMINANT_SLACK: f64 = 4.0 * EPSILON;

/// Margin by which the stored domain of a body is larger than the region in which the body may move, relative to its
/// coordinates; and margin by which the exit from the domain is early, relative to a tick of the clock and to the times
/// involved.
///
/// The time of exit has a few rounding errors and is rounded to the resolution of the clock. This margin keeps the body
/// inside until then. Larger: a few more neighbours, and slightly earlier exits.
pub const DOMAIN_SLACK: f64 = 64.0 * EPSILON;

/// Margin between a box and the edge of the grid cells that contain it, relative to the edge of a cell: 2⁻²⁰.
///
/// A traversal of the grid may be off by half of it. Larger: a box that fills its cell exactly would be entered one
/// level higher. Smaller: the traversal would be reliable for fewer cells.
pub const CELL_ROOM: f64 = 4_294_967_296.0 * EPSILON;

/// Twice the largest distance of a point computed on a ray from the ray, relative to the coordinates involved.
///
/// The parameter of a cell border takes a product and two sums, and so does the point at this parameter: eight
/// spacings. Larger: rays from far away would test all bodies where a traversal of cells is enough.
pub const WALK_SLACK: f64 = 16.0 * EPSILON;

/// Closing speed of a pair in contact that counts as zero, relative to the speeds of the two bodies.
///
/// Both velocities carry the rounding errors of the impact before: two products and a sum each, twice over for the
/// normal, about eight spacings. The overlap of such a pair grows by no more than the rounding error of the distance
/// travelled. Larger: a slow approach from contact would be missed.
pub const CLOSING_SLACK: f64 = 16.0 * EPSILON;

/// Overlap along an axis, relative to the coordinates and sizes along it, at which solids that do not move along that
/// axis slide past each other.
///
/// The height of a body at rest on one of two equal tables has the rounding errors of about eight sums. Larger: a body
/// would pass over a step of that height.
pub const SLIDE_SLACK: f64 = 16.0 * EPSILON;

/// How far a slide looks for what its shape touches, relative to the largest half edge of the shape.
///
/// What touches is found within some roundings. So this is enough up to 10¹⁰ half edges from the origin. Larger: more
/// bodies are tested, with the same results.
pub const TOUCH_REACH: f64 = 0.0009765625;

/// Overlap at the start that counts as touching, relative to the coordinates and sizes of the pair.
///
/// Two bodies that touch as they are written, such as 0.1 + 0.2 against 0.3, overlap by the rounding error of a few
/// sums. Larger: a pair that visibly overlaps would be accepted.
pub const START_OVERLAP_SLACK: f64 = 16.0 * EPSILON;

/// Largest deviation of the vertices of two adjacent triangles from one plane at which the triangles form one facet,
/// relative to the coordinates.
///
/// The vertices carry about ten rounding errors of rotation, scale and translation, and the products here add their
/// own. Larger: a floor that is visibly bent would count as flat.
pub const FACET_SLACK: f64 = 32.0 * EPSILON;

/// Distance beyond a seam of its facet at which a body still counts as supported, and distance at which two features of
/// a mesh count as one, relative to the coordinates.
///
/// The seam is computed from both sides, with about ten rounding errors each. Larger: a body would leave the end of its
/// support later by this distance.
pub const SEAM_SLACK: f64 = 32.0 * EPSILON;

/// Amount by which the ball around a box is enlarged before it is taken to fit into another ball, relative to its
/// radius: 2⁻²⁰.
///
/// A ball that does not reach the enlarged ball does not meet the box, in spite of rounding errors. If two centres are
/// [`BOUND_FAR`] reaches apart, the square of the distance at which they pass each other has an error of about 16 ε of
/// the square of their distance, 2⁻²⁴ of the squared reach. Larger: boxes that nearly fill the ball are not among the
/// balls.
pub const BOUND_SLACK: f64 = 4_294_967_296.0 * EPSILON;

/// The distance, in reaches, up to which [`BOUND_SLACK`] holds.
pub const BOUND_FAR: f64 = 4096.0;

const _: () = assert!(16.0 * EPSILON * BOUND_FAR * BOUND_FAR < 0.25 * BOUND_SLACK, "rounding is less than the slack");

/// Amount by which the distance to a box is reduced before the box is excluded from the obstacles of a ball, relative
/// to the distance: 2⁻²⁶.
///
/// The exact time of impact is computed from squared distances. Where these cancel, its relative error can be √ε.
/// Larger: a few more triangles are tested, with the same answer.
pub const REACH_SLACK: f64 = 67_108_864.0 * EPSILON;

/// Amount by which the parameter range of a ray within a box is widened before boxes are excluded, relative to its
/// ends.
///
/// The parameter of a plane has three roundings, one and a half spacings. A vertex of a triangle near the ray is
/// shifted by up to two and a half spacings of its distance along each axis. Larger: a few more boxes are tested.
pub const SLAB_SLACK: f64 = 8.0 * EPSILON;

/// Amount by which the foot of a point on the face of a triangle may be farther than the nearest edge and still be the
/// answer, relative to the squared distance.
///
/// Both squares are sums with a few rounding errors. Larger: on a sliver, an inaccurate foot would be accepted.
pub const FACE_SLACK: f64 = 16.0 * EPSILON;

/// Product of two squared sides divided by the squared cross product, from which a triangle counts as a sliver: the
/// sine of the angle between the sides is then less than a quarter, no unit.
///
/// The cross product loses as many digits as this quotient has. At a quarter it loses two bits. Larger: normals of
/// slivers would carry the rounding error of their longest edge.
pub const SLIVER_RATIO: f64 = 16.0;

/// Sine of the angle below which two directions count as parallel, no unit.
///
/// Each component of a direction has the rounding error of its input and, if the direction was normalised, of the
/// division: half a spacing each, two spacings for two directions. The value is twice that. Larger: lines that meet
/// very far away would count as parallel.
pub const PARALLEL_SLACK: f64 = 4.0 * EPSILON;

/// Largest computed distance of two objects that count as meeting, relative to the coordinates involved.
///
/// Origins and offsets as given, the vector between them, two parameters and the points at these parameters have about
/// ten roundings of half a spacing each. Larger: objects that visibly miss each other would count as meeting.
pub const MEETING_SLACK: f64 = 16.0 * EPSILON;

/// Largest difference of two times of impact that count as simultaneous: relative to the interval of the prediction,
/// and to the coordinates divided by the approach speed.
///
/// Two positions and two velocities have about eight rounding errors each, and so has the time at which the separation
/// becomes zero. Larger: impacts that follow each other would be resolved together.
pub const GROUP_SLACK: f64 = 32.0 * EPSILON;

/// Velocity or acceleration that counts as zero when bodies in contact settle, relative to the largest among these
/// bodies.
///
/// The solution of a coupled problem has a few rounding errors for each contact through which the forces are
/// transmitted, at most a thousand. Larger: a motion that is slow compared with another one would be stopped.
pub const CALM_SLACK: f64 = 4096.0 * EPSILON;

/// Largest residual of the contact constraints of a large coupled problem, relative to the largest given motion: 2⁻³⁴.
///
/// In a heap of `n` layers the forces at the bottom carry `n` weights. The error of an iterative solution is about `n`²
/// times the residual of a constraint: for a hundred layers the forces are accurate to a millionth. Larger: bodies in a
/// heap at rest would creep. With this value they creep by less than a nanometre in the first second.
pub const COUPLED_TOLERANCE: f64 = 262_144.0 * EPSILON;

/// Residual at which the iteration for a large coupled problem stops, relative to the largest given motion: 2⁻³⁷.
///
/// An eighth of what counts as solved, so that rounding in long chains of contacts does not decide whether a problem is
/// solved. Larger: gaps in a heap change by more in each contact update. Smaller: more rounds for the same heap.
pub const COUPLED_AIM: f64 = COUPLED_TOLERANCE / 8.0;

/// Square of the sine of the angle between a path and a surface, above which an impact needs no further test, no unit:
/// 2⁻²⁰.
///
/// A ball that enters a surface of radius `r` at the angle `β` reaches a depth of `r` `β`²/2: at this angle half a
/// millionth of `r`, far above rounding. Larger: more impacts are tested for a depth within rounding; the answers are
/// the same.
pub const GRAZING_SLACK: f64 = 4_294_967_296.0 * EPSILON;

/// Longest overlap that rounding cannot distinguish from an instant, relative to the later of its two times.
///
/// The time at which the overlap begins has about ten rounding errors, and so has the time at which it ends. The value
/// is twice that. For such an overlap the separation at that instant is tested, to the same rounding. Larger: a body
/// that misses another one this narrowly, and stays near it this briefly, would count as a hit.
pub const INSTANT_SLACK: f64 = 32.0 * EPSILON;

/// Crossing speed, relative to the speeds involved, below which a crossing may be a turning point, no unit: 64 √ε,
/// 2⁻²⁰.
///
/// The time at which a path turns back from a surface is known only to √ε, and so is the speed there. The value is 64
/// times that. Larger: for a body that crosses a thin sheet at a very flat angle, the wrong side of entry may be
/// reported.
pub const TURNING_SLACK: f64 = GRAZING_SLACK;

const _: () = assert!(UNIT_SLACK < 1e-12, "a unit vector must be one to rounding");
