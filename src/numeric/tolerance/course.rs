//! Courses: prescribed motion by a formula.

/// Parts of a period, or of the time of a polynomial, in which a course is shown as a parabola.
///
/// The parabolas are exact at their ends, and off by 5e-5 of the amplitude in between. Larger: more rows in tables.
pub const COURSE_PARTS: f64 = 48.0;

/// Largest frequency of a course, Hz, and largest phase, turns.
///
/// The number of turns until the end of the longest run is below 2⁶⁰, so it fits into a whole number.
pub const FREQUENCY_MAX: f64 = 1e5;

/// A moment after which the slip of a body on a course, which has just begun, is looked at again: relative to the cycle
/// of the course, 2⁻²⁰.
///
/// A slip begins with the speed 0, which is also how it ends. Larger: a slip shorter than this would be missed.
pub const COURSE_MOMENT: f64 = 1.0 / 1_048_576.0;

/// The interval at which contacts with a course are updated where there are no time steps, relative to the cycle of the
/// course.
///
/// Their forces are constant in between, so paths depart from the course by up to 4e-8 of its amplitude, which the next
/// update mends. Larger: fewer updates, and farther off.
pub const COURSE_UPDATE: f64 = 1.0 / 1024.0;
