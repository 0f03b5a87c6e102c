//! How two things lie to each other when a window of time, or a ray, begins.

/// The state at the start, of a sweep and of a ray cast alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// With a gap between them.
    Apart,
    /// In touch, and about to overlap.
    Touching,
    /// With common interior.
    Inside,
}

impl Start {
    /// The state of an overlap that begins at `enter` on the whole line of time, and where what lies ahead of it begins.
    #[inline]
    pub(crate) fn of(enter: f64) -> (f64, Self) {
        match enter {
            // Matches −0 as well, and makes it 0.
            0.0 => (0.0, Self::Touching),
            enter if enter < 0.0 => (0.0, Self::Inside),
            enter => (enter, Self::Apart),
        }
    }
}
