//! The instant of the run that each frame of a film shows.
//!
//! Without slow motion, `speed` seconds of the run take one second of the film. With it, the time within some seconds
//! before and after each impact takes `factor` times as long. So the time of the film is a function of the instants of
//! the impacts alone: a straight line in each piece between two ends of such windows.

use super::request::Slow;

/// The length of a film for which a speed is chosen, s.
const LENGTH: f64 = 8.0;

/// A film in real time may have a length between these, s.
const REAL_TIME: [f64; 2] = [5.0, 12.0];

/// The digits of a chosen speed.
const DIGITS: [f64; 8] = [1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0];

/// The time around an impact in slow motion, over the time that is shown.
const WINDOW: f64 = 0.01;

/// From the time of the run to the time of the film, and back.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Clock {
    /// Instants of the run and of the film where the speed changes, s; in order, with both ends.
    knots: Vec<[f64; 2]>,
    /// Seconds of the run in a second of the film, without slow motion.
    pub(super) speed: f64,
    fps: f64,
}

impl Clock {
    /// The clock of a film of the run from one instant to another, with its impacts in order; all s.
    pub(super) fn new(span: [f64; 2], impacts: &[f64], slow: Option<Slow>, speed: Option<f64>, fps: u32) -> Self {
        let [from, until] = span;
        let mut knots = vec![[from, 0.0]];
        if let Some(Slow { factor, seconds }) = slow {
            let half = seconds.unwrap_or(WINDOW * (until - from));
            for [begin, end] in windows(span, impacts, half) {
                let [last, film] = knots[knots.len() - 1];
                let film = film + (begin - last);
                knots.extend([[begin, film], [end, film + factor * (end - begin)]]);
            }
        }
        let [last, film] = knots[knots.len() - 1];
        knots.push([until, film + (until - last)]);
        knots.dedup_by_key(|knot| knot[0]);
        let speed = speed.unwrap_or_else(|| chosen(knots[knots.len() - 1][1]));
        knots.iter_mut().for_each(|knot| knot[1] /= speed);
        Self { knots, speed, fps: f64::from(fps) }
    }

    /// The length of the film, s.
    pub(super) fn length(&self) -> f64 {
        self.knots[self.knots.len() - 1][1]
    }

    /// The number of frames: one for each instant of the film at which it begins, and one for the last instant.
    pub(super) fn frames(&self) -> f64 {
        // Less than a millionth of a frame is rounding.
        (self.length() * self.fps - 1e-6).ceil() + 1.0
    }

    /// The time of the film at a frame, s.
    pub(super) fn film_time(&self, frame: usize) -> f64 {
        (frame as f64 / self.fps).min(self.length())
    }

    /// The instant of the run at a time of the film, s.
    pub(super) fn instant(&self, film: f64) -> f64 {
        let [from, to] = self.piece(1, film);
        // The last instant without rounding.
        if film >= to[1] { to[0] } else { from[0] + (to[0] - from[0]) * ((film - from[1]) / (to[1] - from[1])) }
    }

    /// The time of the film at an instant of the run, s.
    pub(super) fn film_at(&self, instant: f64) -> f64 {
        let [from, to] = self.piece(0, instant);
        from[1] + (to[1] - from[1]) * ((instant - from[0]) / (to[0] - from[0]))
    }

    /// Seconds of the run in a second of the film, at a time of the film.
    pub(super) fn rate(&self, film: f64) -> f64 {
        let [from, to] = self.piece(1, film);
        (to[0] - from[0]) / (to[1] - from[1])
    }

    /// The lowest rate.
    pub(super) fn rate_min(&self) -> f64 {
        self.knots
            .windows(2)
            .map(|ends| (ends[1][0] - ends[0][0]) / (ends[1][1] - ends[0][1]))
            .fold(self.speed, f64::min)
    }

    /// The ends of the piece with a time of the run (0) or of the film (1).
    fn piece(&self, side: usize, time: f64) -> [[f64; 2]; 2] {
        let next = self.knots.partition_point(|knot| knot[side] <= time).clamp(1, self.knots.len() - 1);
        [self.knots[next - 1], self.knots[next]]
    }
}

/// The times within `half` of an impact, as windows that do not overlap.
fn windows([from, until]: [f64; 2], impacts: &[f64], half: f64) -> Vec<[f64; 2]> {
    let mut windows: Vec<[f64; 2]> = Vec::new();
    for impact in impacts {
        let (begin, end) = ((impact - half).max(from), (impact + half).min(until));
        match windows.last_mut() {
            Some(last) if begin <= last[1] => last[1] = end.max(last[1]),
            _ if begin < end => windows.push([begin, end]),
            _ => {}
        }
    }
    windows
}

/// A speed with few digits at which `seconds` take about eight.
fn chosen(seconds: f64) -> f64 {
    if (REAL_TIME[0]..=REAL_TIME[1]).contains(&seconds) {
        return 1.0;
    }
    let wanted = seconds / LENGTH;
    let power = wanted.log10().floor() as i32;
    let ten = 10_f64.powi(power.abs());
    // A quotient of short numbers is the float next to its decimals, and a product of rounded ones is not.
    let speeds = DIGITS.into_iter().chain([10.0]).map(|digit| if power < 0 { digit / ten } else { digit * ten });
    let away = |speed: &f64| (speed / wanted).max(wanted / speed);
    speeds.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap_or(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slow(factor: f64, seconds: f64) -> Option<Slow> {
        Some(Slow { factor, seconds: Some(seconds) })
    }

    #[test]
    fn the_time_around_impacts_takes_longer() {
        // Two windows that overlap, and one that is cut at the end: 0.9 to 1.15 s and 3.9 to 4 s.
        let clock = Clock::new([0.0, 4.0], &[1.0, 1.05, 4.0], slow(4.0, 0.1), Some(0.5), 10);
        let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(close(clock.length(), (3.65 + 4.0 * 0.35) / 0.5));
        for (instant, film, rate) in
            [(0.0, 0.0, 0.5), (0.5, 1.0, 0.5), (1.0, 2.6, 0.125), (2.0, 5.5, 0.5), (4.0, 10.1, 0.125)]
        {
            assert!(close(clock.film_at(instant), film), "{instant}: {}", clock.film_at(instant));
            assert!(close(clock.instant(film), instant) && close(clock.rate(film), rate), "{film}");
        }
        assert_eq!(clock.frames(), 102.0);
        assert!(close(clock.rate_min(), 0.125) && close(clock.film_time(101), 10.1));
    }

    #[test]
    fn a_chosen_speed_has_few_digits_and_a_film_of_some_seconds() {
        for (seconds, speed) in
            [(8.0, 1.0), (5.0, 1.0), (12.0, 1.0), (2.0, 0.3), (30.0, 4.0), (1e-5, 1.5e-6), (76.0, 10.0)]
        {
            assert_eq!(chosen(seconds), speed, "{seconds}");
        }
        for step in 1..2000 {
            let seconds = 1e-4 * 1.01_f64.powi(step);
            let length = seconds / chosen(seconds);
            assert!((5.0..=12.0).contains(&length), "{seconds} {length}");
        }
        // Impacts without a number make a film slow everywhere, and no longer.
        let impacts: Vec<f64> = (0..1000).map(|n| f64::from(n) * 1e-3).collect();
        let clock = Clock::new([0.0, 1.0], &impacts, slow(8.0, 0.01), None, 25);
        assert!((6.0..10.0).contains(&clock.length()));
        assert!((clock.rate_min() - clock.speed / 8.0).abs() < 1e-12);
    }
}
