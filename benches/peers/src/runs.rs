//! The runs of both engines for one scene, alternately, and the table of their results.

use crate::calm::{End, Goal, Run, run};
use crate::engine::Name;
use crate::scene::Scene;
use crate::table::{median, number};

/// The columns that [`Runs::cells`] fills.
pub(crate) const COLUMNS: [&str; 8] = [
    "engine",
    "done",
    "computing s",
    "time / peer",
    "simulated s",
    "deepest overlap / diameter",
    "median step ms",
    "worst / median step",
];

/// The number of runs of each scene and their limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// Runs of each scene, with seeds from 1 on.
    pub(crate) seeds: u64,
    /// The engine with which carom is compared.
    pub(crate) peer: Name,
    /// Computing seconds after which a run is stopped.
    pub(crate) limit: f64,
}

/// Runs a scene in both engines alternately: each seed in one engine and then in the other.
pub(crate) fn in_turn(scene: impl Fn(u64) -> Scene, goal: Goal, bounds: Bounds) -> [Runs; 2] {
    let mut both = [Name::Carom, bounds.peer].map(|name| Runs { name, runs: Vec::new() });
    for seed in 1..=bounds.seeds {
        let scene = scene(seed);
        for runs in &mut both {
            runs.runs.push(run(runs.name, &scene, goal, bounds.limit));
        }
    }
    both
}

/// The runs of one engine for one scene, one for each seed.
pub(crate) struct Runs {
    name: Name,
    runs: Vec<Run>,
}

impl Runs {
    /// The table row of these runs, compared with those of the peer.
    pub(crate) fn cells(&self, peer: &Self) -> Vec<String> {
        vec![
            self.name.to_string(),
            self.ends(),
            self.computing(),
            ratio(self, peer),
            number(self.median(|run| run.simulated)),
            number(self.largest(|run| run.deepest)),
            number(1e3 * self.median(Run::step_median)),
            number(self.median(|run| run.step_worst() / run.step_median())),
        ]
    }

    /// The run with the median computing time. Stopped runs rank above completed runs, and failed runs above all
    /// others.
    fn middle(&self) -> &Run {
        let rank = |run: &Run| match run.end {
            End::Done => 0,
            End::OutOfTime => 1,
            End::Failed(_) => 2,
        };
        let mut runs: Vec<&Run> = self.runs.iter().collect();
        runs.sort_by(|a, b| rank(a).cmp(&rank(b)).then(a.computing.total_cmp(&b.computing)));
        runs[runs.len() / 2]
    }

    /// The median of the computing time, or its lower bound if that run was stopped.
    fn computing(&self) -> String {
        let Run { end, computing, .. } = self.middle();
        match end {
            End::Done => number(*computing),
            End::OutOfTime => format!("> {}", number(*computing)),
            End::Failed(_) => "–".to_owned(),
        }
    }

    /// How many runs reached their goal, and the error messages of the runs that failed.
    fn ends(&self) -> String {
        let done = self.runs.iter().filter(|run| matches!(run.end, End::Done)).count();
        let mut text = format!("{done} of {}", self.runs.len());
        for run in &self.runs {
            if let End::Failed(message) = &run.end {
                text += &format!("; {}", message.replace('|', "\\|").replace('\n', " "));
            }
        }
        text
    }

    /// The median of a quantity over the runs.
    pub(crate) fn median(&self, of: impl Fn(&Run) -> f64) -> f64 {
        median(self.runs.iter().map(of))
    }

    /// The largest value of a quantity over the runs.
    fn largest(&self, of: impl Fn(&Run) -> f64) -> f64 {
        self.runs.iter().map(of).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The ratio of two computing times, or a bound if one of the runs was stopped.
fn ratio(one: &Runs, other: &Runs) -> String {
    let (one, other) = (one.middle(), other.middle());
    let ratio = number(one.computing / other.computing);
    match (&one.end, &other.end) {
        (End::Done, End::Done) => ratio,
        (End::OutOfTime, End::Done) => format!("> {ratio}"),
        (End::Done, End::OutOfTime) => format!("< {ratio}"),
        _ => "–".to_owned(),
    }
}
