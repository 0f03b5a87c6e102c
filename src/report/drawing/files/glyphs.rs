//! The letters of a label in their places, for file formats that draw letters themselves.

use glam::DVec2;

use crate::report::drawing::canvas::Label;
use crate::report::drawing::typeface::{Face, Letter, letters};

/// A line of letters in one style.
pub(super) struct Line {
    pub(super) letters: Vec<Letter>,
    pub(super) face: Face,
    /// Where it begins, pixels.
    pub(super) at: DVec2,
    /// Pixels per em.
    pub(super) size: f64,
    /// Its direction: to the right, or upwards.
    pub(super) along: DVec2,
}

impl Line {
    /// The place of a point of a letter, in pixels; `x` and `y` are in ems from the origin of the letter, `y` upwards.
    pub(super) fn place(&self, letter: &Letter, [x, y]: [f64; 2]) -> DVec2 {
        let up = DVec2::new(self.along.y, -self.along.x);
        self.at + self.size * (self.along * (letter.at + x) + up * y)
    }
}

/// The lines of a label.
pub(super) fn lines(label: &Label) -> Vec<Line> {
    let line = |(text, face, part): (&str, Face, Label)| {
        let (letters, width) = letters(text, face);
        let along = if part.upwards { DVec2::NEG_Y } else { DVec2::X };
        let begin = part.anchor.begin(width) * part.size;
        Line { letters, face, at: part.at + along * begin, size: part.size, along }
    };
    label.parts().into_iter().map(line).collect()
}
