//! The state of a pair at the beginning of a window of time, or of a ray.

/// The state at the start of a sweep or a ray cast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With a gap between them.
    Apart,
    /// Touching, with an overlap just after.
    Touching,
    /// With common interior.
    Inside,
}

impl Start {
    /// The beginning of the part of an overlap from 0 on, and the state at 0. `enter` is the beginning of the whole
    /// overlap and may be negative.
    #[inline]
    pub(crate) fn of(enter: f64) -> (f64, Self) {
        match enter {
            // Matches −0 as well, and turns it into 0.
            0.0 => (0.0, Self::Touching),
            enter if enter < 0.0 => (0.0, Self::Inside),
            enter => (enter, Self::Apart),
        }
    }
}
