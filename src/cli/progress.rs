//! The progress bar: on stderr, and only on a terminal.
//!
//! It shows simulated time, the number of impacts so far and per second, and the time left. For a sweep it shows the
//! members.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::record::Glimpse;
use crate::scenario::text::printable::printable;
use crate::study::Pace;

/// Ticks of the whole bar; simulated time is shown as a share of it.
const TICKS: u64 = 10_000;

/// Redraws per second.
const REDRAWS: u8 = 10;

/// A bar for one run.
pub(super) struct Progress {
    bar: ProgressBar,
    /// When the run was first shown, and its number of impacts by then. A continued run had impacts before, in another
    /// process.
    first: Cell<Option<(Instant, u64)>>,
}

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
        Self { bar, first: Cell::new(None) }
    }

    /// Shows how far the run is.
    pub(super) fn show(&self, glimpse: Glimpse) {
        let share = glimpse.time / glimpse.duration;
        self.bar.set_position((share * TICKS as f64) as u64);
        if self.first.get().is_none() {
            self.bar.reset_eta();
        }
        let (since, impacts) = self.first.get().unwrap_or_else(|| (Instant::now(), glimpse.impacts));
        self.first.set(Some((since, impacts)));
        if !self.bar.is_hidden() {
            self.bar.set_message(message(glimpse, glimpse.impacts - impacts, since.elapsed().as_secs_f64()));
        }
    }

    /// Shows that bodies are being made; the time left is not known.
    pub(super) fn making(&self) {
        self.spin("{prefix} {spinner} making bodies, {elapsed}");
    }

    /// Shows that pictures are being drawn; the time left is not known.
    pub(super) fn drawing(&self) {
        self.spin("{prefix} {spinner} drawing plots, {elapsed}");
    }

    /// Shows how many frames of a film are drawn.
    pub(super) fn frames(&self, done: usize, all: usize) {
        if done == 1 {
            if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos} of {len} frames  {eta} left") {
                self.bar.set_style(style.progress_chars("=> "));
            }
            self.bar.set_length(all as u64);
            self.bar.reset_eta();
        }
        self.bar.set_position(done as u64);
    }

    fn spin(&self, template: &str) {
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
        self.bar.enable_steady_tick(Duration::from_secs(1) / u32::from(REDRAWS));
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for the members of a sweep.
pub(super) struct Members {
    bar: ProgressBar,
}

impl Members {
    /// A bar for one sweep; hidden if `quiet` or if stderr is not a terminal.
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(REDRAWS) };
        let bar = ProgressBar::with_draw_target(Some(1), target);
        if let Ok(style) = ProgressStyle::with_template("{prefix} [{bar:30}] {pos} of {len} members  {eta} left") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(printable(name).into_owned());
        Self { bar }
    }

    /// Shows how far the sweep is. Members that had a result before took no time, so they do not count for the time
    /// left.
    pub(super) fn show(&self, pace: Pace) {
        self.bar.set_length(pace.all);
        self.bar.set_position(pace.done);
        if pace.run == 0 {
            self.bar.reset_eta();
        }
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The progress of the run; `new` is the number of impacts in the last `seconds`.
fn message(glimpse: Glimpse, new: u64, seconds: f64) -> String {
    let Glimpse { time, duration, impacts } = glimpse;
    let pace = if seconds > 0.0 { new as f64 / seconds } else { 0.0 };
    format!("{time:.3} of {duration} s  {} impacts, {}/s ", HumanCount(impacts), HumanCount(pace as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impacts_are_counted_and_timed() {
        let glimpse = Glimpse { time: 0.25, duration: 2.0, impacts: 1_234_567 };
        assert_eq!(message(glimpse, 34_560, 10.0), "0.250 of 2 s  1,234,567 impacts, 3,456/s ");
        assert_eq!(message(glimpse, 0, 0.0), "0.250 of 2 s  1,234,567 impacts, 0/s ");
    }
}
