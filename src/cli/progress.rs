//! The progress bar: on stderr, and only on a terminal.
//!
//! It shows simulated time, the number of impacts so far and per second, and the time left. For a sweep it shows the
//! members, and for plots the pictures. Its line is never wider than the terminal: where it is narrow, fields are left
//! out, those of least interest first.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use textwrap::core::display_width;

use super::terminal::Look;
use super::terminal::text::shortened;
use crate::record::RunProgress;
use crate::scenario::text::printable::printable;
use crate::study::Pace;

/// Ticks of the whole bar; simulated time is shown as a share of it.
const TICKS: u64 = 10_000;

/// Redraws per second.
const REDRAWS: u8 = 10;

/// The width of a terminal that does not say it.
const WIDTH: usize = 80;

/// Columns of a bar with all that is around it but the name and the fields: ` [`, `] 100 %  `, `  59m left`.
const AROUND: usize = 22;

/// Columns of a line without a bar, but for the name and the words: ` - `, `, 59m`.
const AROUND_WORDS: usize = 8;

/// A bar for one run.
pub(super) struct Progress {
    bar: ProgressBar,
    name: String,
    /// When the run was first shown, and its number of impacts by then. A continued run had impacts before, in another
    /// process.
    first: Cell<Option<(Instant, u64)>>,
    /// When the words of the bar were last written, and the width of the terminal then.
    last: Cell<Option<(Instant, usize)>>,
}

/// Shows how much of a whole is done.
fn counted((bar, name): (&ProgressBar, &str), what: &str, done: usize, all: usize) {
    if !bar.is_hidden() {
        bar.set_message(busy(name, &format!("{what}, {done} of {all} done"), width()).1);
    }
}

impl Progress {
    /// A bar for one run; hidden if `quiet` or if stderr is not a terminal.
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        Self::on(target(quiet), name)
    }

    fn on(target: ProgressDrawTarget, name: &str) -> Self {
        let name = printable(name).into_owned();
        let bar = ProgressBar::with_draw_target(Some(TICKS), target).with_prefix(Line::new(&name, width()).name);
        Self { bar, name, first: Cell::new(None), last: Cell::new(None) }
    }

    /// Shows how far the run is.
    pub(super) fn show(&self, glimpse: RunProgress) {
        let now = Instant::now();
        let is_first = self.first.get().is_none();
        let (since, before) = self.first.get().unwrap_or((now, glimpse.impacts));
        self.first.set(Some((since, before)));
        let is_due = |(last, _): (Instant, usize)| now - last >= Duration::from_secs(1) / u32::from(REDRAWS);
        if self.bar.is_hidden() || !self.last.get().is_none_or(is_due) {
            return;
        }
        self.lay_out(glimpse, glimpse.impacts - before, now - since, width());
        if is_first {
            self.bar.reset_eta();
        }
    }

    /// Writes the bar for a terminal of `width` columns; `new` impacts were `since` then.
    fn lay_out(&self, glimpse: RunProgress, new: u64, since: Duration, width: usize) {
        let line = Line::new(&self.name, width);
        if self.last.replace(Some((Instant::now(), width))).is_none_or(|(_, before)| before != width) {
            self.bar.set_style(style(&line.with_bar("{percent:>3} %  {msg}{eta:>3}")));
            self.bar.set_prefix(line.name.clone());
        }
        self.bar.set_message(line.fitting(&fields(glimpse, new, since.as_secs_f64())));
        self.bar.set_position((glimpse.time / glimpse.duration * TICKS as f64) as u64);
    }

    /// Shows how many frames of a film are drawn.
    pub(super) fn frames(&self, done: usize, all: usize) {
        if done == 1 {
            self.busy("drawing frames");
        }
        counted((&self.bar, &self.name), "drawing frames", done, all);
    }

    /// Shows that something is being done that tells nothing of itself; the time left is not known.
    pub(super) fn busy(&self, what: &str) {
        if self.bar.is_hidden() {
            return;
        }
        let (name, words) = busy(&self.name, what, width());
        // Each change but that of the style is drawn.
        self.bar.set_style(style("{prefix} {spinner} {msg}, {elapsed}"));
        self.bar.set_message(words);
        self.bar.set_prefix(name);
        self.bar.reset_elapsed();
        self.bar.enable_steady_tick(Duration::from_secs(1) / u32::from(REDRAWS));
    }

    /// What shows how many of all pictures are drawn, from any thread.
    pub(super) fn pictures(&self) -> impl Fn(usize, usize) + Sync + use<> {
        let (bar, name) = (self.bar.clone(), self.name.clone());
        move |drawn, all| counted((&bar, &name), "drawing plots", drawn, all)
    }

    /// Removes the bar.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Does some work, and shows that it is being done.
pub(super) fn while_busy<T>((name, quiet): (&str, bool), what: &str, work: impl FnOnce() -> T) -> T {
    let progress = Progress::new(name, quiet);
    progress.busy(what);
    let done = work();
    progress.finish();
    done
}

/// A bar for the members of a sweep.
pub(super) struct Members {
    bar: ProgressBar,
}

impl Members {
    /// A bar for one sweep; hidden if `quiet` or if stderr is not a terminal.
    pub(super) fn new(name: &str, quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(1), target(quiet));
        let line = Line::new(&printable(name), width());
        bar.set_style(style(&line.with_bar("{pos} of {len} members  {eta:>3}")));
        bar.set_prefix(line.name);
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

/// Where a bar is drawn. A terminal that cannot go back to the beginning of a line has none.
fn target(quiet: bool) -> ProgressDrawTarget {
    let is_dumb = std::env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    if quiet || is_dumb { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr_with_hz(REDRAWS) }
}

fn width() -> usize {
    Look::of_stderr().width.unwrap_or(WIDTH)
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the templates of this file are valid");
    style.progress_chars("=> ").tick_chars("|/-\\ ")
}

/// The parts of a line with a bar.
struct Line {
    /// The name of the run, shortened where there is little room.
    name: String,
    /// Columns of the bar.
    bar: usize,
    /// Columns for other fields.
    room: usize,
}

impl Line {
    fn new(name: &str, width: usize) -> Self {
        let name = shortened(name, width / 5);
        let bar = (width / 6).clamp(6, 30);
        let room = width.saturating_sub(display_width(&name) + bar + AROUND);
        Self { name, bar, room }
    }

    fn with_bar(&self, fields: &str) -> String {
        format!("{{prefix}} [{{bar:{}}}] {fields} left", self.bar)
    }

    /// As many of the fields as there is room for, each with two blanks behind it.
    fn fitting(&self, fields: &[String]) -> String {
        let mut text = String::new();
        for field in fields {
            let more = format!("{text}{field}  ");
            if display_width(&more) > self.room {
                break;
            }
            text = more;
        }
        text
    }
}

/// The name and the words of a line without a bar.
fn busy(name: &str, what: &str, width: usize) -> (String, String) {
    let name = shortened(name, width / 5);
    let room = width.saturating_sub(display_width(&name) + AROUND_WORDS);
    (name, shortened(what, room))
}

/// The progress of a run, the most interesting first; `new` is the number of impacts in the last `seconds`.
fn fields(glimpse: RunProgress, new: u64, seconds: f64) -> [String; 3] {
    let RunProgress { time, duration, impacts } = glimpse;
    let pace = if seconds > 0.0 { new as f64 / seconds } else { 0.0 };
    [
        format!("{time:.3} of {duration} s"),
        format!("{} impacts", HumanCount(impacts)),
        format!("{}/s", HumanCount(pace as u64)),
    ]
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;

    #[test]
    fn impacts_are_counted_and_timed() {
        let glimpse = RunProgress { time: 0.25, duration: 2.0, impacts: 1_234_567 };
        assert_eq!(fields(glimpse, 34_560, 10.0), ["0.250 of 2 s", "1,234,567 impacts", "3,456/s"]);
        assert_eq!(fields(glimpse, 0, 0.0)[2], "0/s");
    }

    /// A terminal that keeps what is written on it.
    #[derive(Debug, Clone)]
    struct Paper {
        width: u16,
        written: Arc<Mutex<String>>,
    }

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            self.width
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.written.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            self.written.lock().unwrap().clear();
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The bar of a long run on a terminal of this width.
    fn drawn(name: &str, width: u16) -> String {
        let paper = Paper { width, written: Arc::default() };
        let written = paper.written.clone();
        let progress = Progress::on(ProgressDrawTarget::term_like(Box::new(paper)), name);
        let glimpse = RunProgress { time: 1234.5, duration: 5000.0, impacts: 12_345_678 };
        progress.lay_out(glimpse, 1_427_220, Duration::from_secs(10), usize::from(width));
        progress.bar.tick();
        written.lock().unwrap().trim().to_owned()
    }

    #[test]
    fn fields_are_left_out_where_there_is_no_room() {
        let rows = [
            (60, &["newtons_cr.. [==>", "25 %", "left"][..], &["of 5000 s", "impacts"][..]),
            (80, &["newtons_cradle [", "25 %", "1234.500 of 5000 s", "left"], &["impacts"]),
            (100, &["1234.500 of 5000 s", "left"], &["142,722/s"]),
            (120, &["1234.500 of 5000 s  12,345,678 impacts", "left"], &[]),
            (200, &["1234.500 of 5000 s  12,345,678 impacts  142,722/s", "left"], &[]),
        ];
        for (width, has, has_not) in rows {
            let line = drawn("newtons_cradle", width);
            assert!(display_width(&line) <= usize::from(width), "{width}: {line}");
            assert!(has.iter().all(|part| line.contains(part)), "{width}: {line}");
            assert!(!has_not.iter().any(|part| line.contains(part)), "{width}: {line}");
        }
    }

    #[test]
    fn a_line_fits_whatever_its_name() {
        for name in
            ["a", "newtons_cradle", "a_name_that_is_longer_than_all_others_in_this_folder", "漢字漢字漢字漢字漢字"]
        {
            for width in 60..=200 {
                let line = drawn(name, width);
                assert!(display_width(&line) <= usize::from(width), "{width}: {line}");
                let (name, words) = busy(name, "drawing plots, 3 of 12 done", usize::from(width));
                assert!(display_width(&name) + display_width(&words) + AROUND_WORDS <= usize::from(width));
                assert_eq!(words, "drawing plots, 3 of 12 done");
            }
        }
    }
}
