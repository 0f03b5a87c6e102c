//! The way of a sliding shape: straight pieces, each axis with a piece of its own.
//!
//! An axis that is not blocked keeps its piece, so its end is one sum: two half moves end where the whole one ends.

use glam::DVec3;

use super::search::Part;

/// The place of a shape at each share of its motion, from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track {
    /// Where the piece of each axis begins, m, and at which share.
    from: DVec3,
    since: DVec3,
    /// The motion at present, m for the whole.
    pub(super) motion: DVec3,
    /// The share up to which the way is known.
    pub(super) share: f64,
}

impl Track {
    pub(super) fn new(from: DVec3, motion: DVec3) -> Self {
        Self { from, since: DVec3::ZERO, motion, share: 0.0 }
    }

    /// The place at the present share, m.
    pub(super) fn place(&self) -> DVec3 {
        self.place_at(self.share)
    }

    pub(super) fn place_at(&self, share: f64) -> DVec3 {
        self.from + self.motion * (share - self.since)
    }

    /// The rest of the way, from `place`.
    pub(super) fn rest(&self, place: DVec3) -> Part {
        let lasts = 1.0 - self.share;
        Part { place, share: self.share, lasts, motion: self.motion * lasts }
    }

    /// Goes on from `place`, with `motion`.
    pub(super) fn turn(&mut self, place: DVec3, motion: DVec3) {
        let before = self.place();
        for axis in 0..3 {
            if place[axis] != before[axis] || motion[axis] != self.motion[axis] {
                (self.from[axis], self.since[axis]) = (place[axis], self.share);
            }
        }
        self.motion = motion;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_that_is_not_blocked_ends_at_one_sum() {
        let mut track = Track::new(DVec3::ZERO, DVec3::new(0.1, 0.2, -0.3));
        track.share = 1.0 / 3.0;
        track.turn(track.place().with_z(-0.1), DVec3::new(0.1, 0.2, 0.0));
        assert_eq!(track.place_at(1.0), DVec3::new(0.1, 0.2, -0.1));
    }
}
