//! The progress bar: on stderr, and only on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::record::Glimpse;

/// Ticks of the whole bar; simulated time is shown as a share of it.
const TICKS: u64 = 10_000;

/// Redraws a second.
const REDRAWS: u8 = 10;

/// A bar that shows simulated time, impacts so far and the time left.
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
        bar.set_prefix(name.to_owned());
        Self(bar)
    }

    /// Shows how far the run is.
    pub(super) fn show(&self, glimpse: Glimpse) {
        let share = glimpse.time / glimpse.duration;
        self.0.set_position((share * TICKS as f64) as u64);
        if !self.0.is_hidden() {
            self.0.set_message(format!("{:.3} of {} s  {} impacts", glimpse.time, glimpse.duration, glimpse.impacts));
        }
    }

    /// Takes the bar away.
    pub(super) fn finish(self) {
        self.0.finish_and_clear();
    }
}
