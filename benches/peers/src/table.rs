//! Medians of runs, and how they are written into a table.

use crate::calm::{End, Run};

/// The middle one of some numbers, the upper one of two; NaN if there is none.
pub(crate) fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The runs of one engine for one scene, a seed each.
pub(crate) struct Runs(pub(crate) Vec<Run>);

impl Runs {
    /// Median of the computing time, s: of all runs, so it is a lower bound if [`is_done`](Self::is_done) is false.
    pub(crate) fn computing(&self) -> f64 {
        // A run that was not done would have taken longer than any other.
        let rank = |run: &Run| (matches!(run.end, End::Done), run.computing);
        let mut ranks: Vec<(bool, f64)> = self.0.iter().map(rank).collect();
        ranks.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.total_cmp(&b.1)));
        ranks[ranks.len() / 2].1
    }

    /// Whether so many runs were done that the median of the computing time is one of theirs.
    pub(crate) fn is_done(&self) -> bool {
        self.done() > self.0.len() / 2
    }

    fn done(&self) -> usize {
        self.0.iter().filter(|run| matches!(run.end, End::Done)).count()
    }

    /// Median of the computing time, or what it exceeds.
    pub(crate) fn computing_shown(&self) -> String {
        format!("{}{}", if self.is_done() { "" } else { "> " }, number(self.computing()))
    }

    /// How many came to their goal, and what kept the others from it.
    pub(crate) fn ends(&self) -> String {
        let mut text = format!("{} of {}", self.done(), self.0.len());
        for run in &self.0 {
            if let End::Failed(message) = &run.end {
                text += &format!("; {}", message.replace('|', "\\|").replace('\n', " "));
            }
        }
        text
    }

    /// Median of something.
    pub(crate) fn median(&self, of: impl Fn(&Run) -> f64) -> f64 {
        median(self.0.iter().map(of))
    }

    /// The largest of something.
    pub(crate) fn largest(&self, of: impl Fn(&Run) -> f64) -> f64 {
        self.0.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Median computing time of a step of a run, s.
pub(crate) fn step_median(run: &Run) -> f64 {
    median(run.steps.iter().copied())
}

/// Computing time of the longest step over that of the median one.
pub(crate) fn step_worst(run: &Run) -> f64 {
    run.steps.iter().copied().fold(0.0, f64::max) / step_median(run)
}

/// Computing time of carom over that of the peer, as far as both are known.
pub(crate) fn ratio(carom: &Runs, peer: &Runs) -> String {
    let ratio = number(carom.computing() / peer.computing());
    match (carom.is_done(), peer.is_done()) {
        (true, true) => ratio,
        (false, true) => format!("> {ratio}"),
        (true, false) => format!("< {ratio}"),
        (false, false) => "–".to_owned(),
    }
}

/// A number with two digits or three.
pub(crate) fn number(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        size if !(1e-3..1e5).contains(&size) => format!("{number:.1e}"),
        size if size < 10.0 => {
            let digits = 1 - size.log10().floor() as i32;
            format!("{number:.0$}", digits.max(0) as usize)
        }
        _ => format!("{number:.0}"),
    }
}

/// Writes a row of a table, and can be read before the next one comes.
pub(crate) fn row<T: AsRef<str>>(cells: &[T]) {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    println!("| {} |", cells.join(" | "));
}

/// Writes the head of a table.
pub(crate) fn head(names: &[&str]) {
    println!();
    row(names);
    println!("|{}", "---|".repeat(names.len()));
}
