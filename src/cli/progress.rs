//! The progress bar: on stderr, and only on a terminal.
//!
//! It shows simulated time, impacts so far, how many there are a second, and the time left.

use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::record::Glimpse;
use crate::scenario::printable::printable;

/// Ticks of the whole bar; simulated time is shown as a share of it.
const TICKS: u64 = 10_000;

/// Redraws a second.
const REDRAWS: u8 = 10;

/// A bar for one run.
pub(super) struct Progress(ProgressBar);

impl Progress {
    /// A bar for one run; hidden if `quiet` or if stderr is not a terminal.
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(REDRAWS) };
        let bar = ProgressBar::with_draw_target(Some(TICKS), target);
        let style = ProgressStyle::with_template("{prefix} [{bar:30}] {percent:>3} %  {msg}  {eta} left");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(printable(name).into_owned());
        Self(bar)
    }

    /// Shows how far the run is.
    pub(super) fn show(&self, glimpse: Glimpse) {
        let share = glimpse.time / glimpse.duration;
        self.0.set_position((share * TICKS as f64) as u64);
        if !self.0.is_hidden() {
            self.0.set_message(message(glimpse, self.0.elapsed().as_secs_f64()));
        }
    }

    /// Shows that pictures are being drawn, which takes as long as it takes.
    pub(super) fn drawing(&self) {
        if let Ok(style) = ProgressStyle::with_template("{prefix} {spinner} drawing plots, {elapsed}") {
            self.0.set_style(style);
        }
        self.0.enable_steady_tick(Duration::from_secs(1) / u32::from(REDRAWS));
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}

/// How far the run is after `seconds`.
fn message(glimpse: Glimpse, seconds: f64) -> String {
    let Glimpse { time, duration, impacts } = glimpse;
    let pace = if seconds > 0.0 { impacts as f64 / seconds } else { 0.0 };
    format!("{time:.3} of {duration} s  {} impacts, {}/s ", HumanCount(impacts), HumanCount(pace as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impacts_are_counted_and_timed() {
        let glimpse = Glimpse { time: 0.25, duration: 2.0, impacts: 1_234_567 };
        assert_eq!(message(glimpse, 10.0), "0.250 of 2 s  1,234,567 impacts, 123,456/s ");
        assert_eq!(message(glimpse, 0.0), "0.250 of 2 s  1,234,567 impacts, 0/s ");
    }
}
