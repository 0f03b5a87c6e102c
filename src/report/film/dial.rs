//! The clock above a picture: the instant in digits, the speed, and a line with a mark for each impact and a hand.

use glam::DVec2;

use super::clock::Clock;
use crate::report::chart::{Gaps, brief, signed, words};
use crate::report::drawing::{Anchor, BORDER, Canvas, IMPACT, Mark, Stroke, TEXT, Words, faded};

/// Shortest line, ems of captions.
const LINE_MIN: f64 = 6.0;

/// Distance between the digits and the line, ems.
const GAP: f64 = 1.5;

/// Width of a mark on the line, and the least and the greatest height of one, pixels.
const MARK: f64 = 2.0;
const HEIGHTS: [f64; 2] = [3.0, 12.0];

/// The parts of a clock.
pub(super) struct Dial {
    /// Where the digits begin, pixels.
    at: DVec2,
    /// The ends of the line.
    line: [DVec2; 2],
    decimals: usize,
    length: f64,
    /// Whether the speed stands beside the time.
    with_rate: bool,
}

impl Dial {
    pub(super) fn new(canvas: &Canvas, clock: &Clock, fps: u32) -> Self {
        let size = canvas.style.label_size;
        let step = clock.rate_min() / f64::from(fps);
        // As many decimals as two frames differ by.
        let decimals = (0..12).find(|&decimals| 0.1_f64.powi(decimals) <= 1.001 * step).unwrap_or(12) as usize;
        let with_rate = clock.rate_min() != 1.0;
        let (at, length) = (canvas.subtitle, clock.length());
        let mut dial = Self { at, line: [at; 2], decimals, length, with_rate };
        let last = [clock.speed, clock.rate_min()].map(|rate| dial.words(clock.instant(length), rate).width(size));
        let middle = at - DVec2::new(0.0, 0.36 * size);
        let begin = middle + DVec2::new(last[0].max(last[1]) + GAP * size, 0.0);
        dial.line = [begin, DVec2::new(canvas.size.x - Gaps::of(canvas.style).margin, middle.y)];
        dial
    }

    /// Draws the line with marks at times of the film, s.
    pub(super) fn behind(&self, canvas: &mut Canvas, impacts: impl Iterator<Item = f64>) {
        let Some(long) = self.long(canvas) else { return };
        canvas.push(Mark::Line(self.line.to_vec(), Stroke { color: faded(BORDER, 0.5), width: 1.0 }));
        let mut counts = vec![0_u32; (long / MARK) as usize + 1];
        impacts.for_each(|film| counts[((film / self.length).clamp(0.0, 1.0) * long / MARK) as usize] += 1);
        let most = counts.iter().copied().max().unwrap_or(0);
        for (place, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let share = (f64::from(count) / f64::from(most)).sqrt();
            let half = DVec2::new(0.0, 0.5 * (HEIGHTS[0] + (HEIGHTS[1] - HEIGHTS[0]) * share));
            let at = self.line[0] + DVec2::new((place as f64 + 0.5) * MARK, 0.0);
            let stroke = Stroke { color: faded(IMPACT, 0.6), width: 0.6 * MARK };
            canvas.push(Mark::Line(vec![at - half, at + half], stroke));
        }
    }

    /// Draws the digits and the hand at a time of the film.
    pub(super) fn hand(&self, canvas: &mut Canvas, clock: &Clock, film: f64) {
        let text = self.words(clock.instant(film), clock.rate(film));
        canvas.push(words(text, self.at, canvas.style.label_size, Anchor::Start, false));
        if let Some(long) = self.long(canvas) {
            let at = self.line[0] + DVec2::new(film / self.length * long, 0.0);
            canvas.push(Mark::Disc(at, canvas.style.scaled(4.0), TEXT));
        }
    }

    /// The length of the line, if there is room for one.
    fn long(&self, canvas: &Canvas) -> Option<f64> {
        let long = self.line[1].x - self.line[0].x;
        (long >= LINE_MIN * canvas.style.label_size).then_some(long)
    }

    fn words(&self, instant: f64, rate: f64) -> Words {
        let time = Words::formula(&format!("$t$ = {} s", signed(instant, self.decimals)));
        if self.with_rate { time.and(&format!(", {} × real time", short(rate))) } else { time }
    }
}

/// A number to three digits, without zeros at its end.
pub(super) fn short(value: f64) -> String {
    let text = brief(value);
    if text.contains('.') && !text.contains('·') {
        return text.trim_end_matches('0').trim_end_matches('.').to_owned();
    }
    text
}
