//! A survey of an event log: how many events of each kind, when, and how fast. It is made before the log is drawn, and
//! decides what the axes show.

use std::path::Path;

use crate::dynamics::EventKind;
use crate::record::tables::read::ReadError;
use crate::record::tables::{Energy, Events};
use crate::report::chart::{Series, Span};
use crate::report::rows::every_row;

/// If the run is this many times longer than nearly all events together, only their time is shown.
const CROWDED: f64 = 20.0;
/// Fraction of the events at either end that may be left out of the picture to show the others.
const TAIL: f64 = 0.01;
/// A quarter of all speeds must lie this many decades below the highest speed for a logarithmic axis.
const DECADES_MIN: usize = 2;
/// The number of decades in which speeds are counted: those of all floats.
const DECADES: usize = 660;

/// The content of the log, from a first reading.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    counts: [u64; EventKind::ALL.len()],
    /// The span of time with events, s.
    pub(crate) time: Span,
    /// The times of all events.
    times: Series,
    /// The length of the run, s.
    pub(crate) run: Span,
    /// Approach speeds of the events of the kind [`met`](Self::met), m/s, those of 0 left out.
    pub(crate) speed: Span,
    /// How many of these there were in each decade of speed.
    decades: Vec<u64>,
}

impl Survey {
    /// Reads the log of the run in `folder`.
    ///
    /// # Errors
    /// When a table cannot be read.
    pub(crate) fn read(folder: &Path) -> Result<Self, ReadError> {
        let mut survey = Self::new();
        every_row::<Energy>(folder, |row| survey.run.include(row.time.seconds()))?;
        every_row::<Events>(folder, |row| survey.add(row.kind, row.time.seconds(), row.approach_speed))?;
        Ok(survey)
    }

    fn add(&mut self, kind: EventKind, time: f64, speed: f64) {
        self.counts[kind as usize] += 1;
        self.time.include(time);
        self.times.add(time, 0.0);
        if kind == EventKind::Impact && self.count(kind) == 1 {
            // The rests before it are none of the kind that is shown.
            (self.speed, self.decades) = (Span::EMPTY, vec![0; DECADES]);
        }
        let is_met = kind == EventKind::Impact || (kind == EventKind::Rest && self.count(EventKind::Impact) == 0);
        if is_met && speed > 0.0 {
            self.speed.include(speed);
            self.decades[(speed.log10() + DECADES as f64 / 2.0) as usize] += 1;
        }
    }

    fn new() -> Self {
        Self { decades: vec![0; DECADES], ..Self::default() }
    }

    /// Whether a quarter of the speeds lie so many decades below the highest that a linear axis would show them at
    /// zero.
    pub(crate) fn spans_decades(&self) -> bool {
        let total: u64 = self.decades.iter().sum();
        let mut below = 0;
        let quarter = self.decades.iter().position(|count| {
            below += count;
            4 * below >= total
        });
        let highest = self.decades.iter().rposition(|&count| count > 0);
        quarter.zip(highest).is_some_and(|(quarter, highest)| highest >= quarter + DECADES_MIN)
    }

    /// The kind of event by which bodies met: impacts; or rests, if there was no impact and a body came to rest from a
    /// speed, as without restitution.
    pub(crate) fn met(&self) -> EventKind {
        let is_soft = self.count(EventKind::Impact) == 0 && !self.speed.is_empty();
        if is_soft { EventKind::Rest } else { EventKind::Impact }
    }

    /// How many events of one kind there were.
    pub(crate) const fn count(&self, kind: EventKind) -> u64 {
        self.counts[kind as usize]
    }

    /// How many events there were.
    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The span that is shown: the whole run, unless nearly all events lie in a small part of it.
    pub(crate) fn shown(&self) -> Span {
        let shown = self.crowd().unwrap_or(self.run.joined(self.time));
        // Events at the very start or end would be hidden by the frame.
        shown.widened(0.02 * shown.length())
    }

    /// The time of nearly all events, if it is a small part of the run.
    pub(crate) fn crowd(&self) -> Option<Span> {
        let span = Span::new(self.times.time_at(TAIL)?, self.times.time_at(1.0 - TAIL)?);
        let crowded = self.total() > 10 && span.length() > 0.0 && self.run.length() > CROWDED * span.length();
        crowded.then(|| span.widened(0.25 * span.length()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn survey(run: f64, times: &[f64], speeds: &[f64]) -> Survey {
        let mut survey = Survey::new();
        survey.run = Span::new(0.0, run);
        for (&time, &speed) in times.iter().zip(speeds) {
            survey.add(EventKind::Impact, time, speed);
        }
        survey
    }

    #[test]
    fn bodies_that_stay_together_have_met_too() {
        let mut survey = Survey::new();
        survey.add(EventKind::Rest, 0.0, 0.0);
        assert_eq!(survey.met(), EventKind::Impact, "a body that rests from the start on meets nothing");
        survey.add(EventKind::Rest, 1.3, 2.0);
        assert_eq!((survey.met(), survey.speed), (EventKind::Rest, Span::new(2.0, 2.0)));
        survey.add(EventKind::Impact, 1.4, 1.0);
        assert_eq!((survey.met(), survey.speed), (EventKind::Impact, Span::new(1.0, 1.0)));
    }

    #[test]
    fn a_burst_is_shown_alone() {
        let burst: Vec<f64> = (0..1000).map(|n| 5.0 + 1e-4 * f64::from(n)).collect();
        let crowd = survey(100.0, &burst, &[1.0; 1000]).crowd().unwrap();
        assert!(crowd.low > 4.9 && crowd.high < 5.2, "{crowd:?}");
        assert_eq!(survey(0.5, &burst, &[1.0; 1000]).crowd(), None);
        assert_eq!(survey(100.0, &[5.0], &[1.0]).crowd(), None, "one event is no crowd");
    }

    #[test]
    fn speeds_over_many_decades_ask_for_a_logarithm() {
        let shrinking: Vec<f64> = (0..40).map(|n| 0.5_f64.powi(n)).collect();
        let times = [1.0; 40];
        assert!(survey(1.0, &times, &shrinking).spans_decades());
        let mut even = [3.0; 40];
        even[0] = 1e-9;
        assert!(!survey(1.0, &times, &even).spans_decades(), "a single slow impact does not");
        assert!(!survey(1.0, &times, &[0.0; 40]).spans_decades());
    }
}
