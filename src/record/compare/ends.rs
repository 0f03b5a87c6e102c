//! Where the bodies of two recorded runs end.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use glam::DVec3;
use serde::Serialize;

use super::names::Names;
use crate::motion::SimTime;
use crate::numeric::rounded;
use crate::record::recording::{Reader, RecordingError};
use crate::record::replay::ReplayError;

/// Position, velocity and spin of each body, by name.
type Motions = Vec<(String, [DVec3; 3])>;

/// Significant digits of a place in words.
const DIGITS: usize = 9;

/// A body that ends differently in two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct End {
    /// Its name.
    pub body: String,
    /// Its last place in the first run, m; `None` if it is not there.
    pub before: Option<DVec3>,
    /// Its last place in the second run, m.
    pub after: Option<DVec3>,
    /// Between both places, m.
    pub distance: Option<f64>,
}

/// How two runs end.
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    /// When, in each run.
    pub times: [SimTime; 2],
    /// The number of bodies that are in one of them.
    pub bodies: usize,
    /// Those that end differently, the farthest apart first, and those that only one run has at the end of the list.
    pub other: Vec<End>,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { body, before, after, distance } = self;
        match (before, after, distance) {
            (Some(before), Some(after), Some(distance)) if *distance > 0.0 => {
                let distance = rounded(*distance, 3);
                write!(f, "`{body}` ends at {} and at {}, {distance} m apart", place(*before), place(*after))
            }
            (Some(before), Some(_), _) => {
                write!(f, "`{body}` ends at {} in both, with another velocity or spin", place(*before))
            }
            (Some(before), None, _) => write!(f, "`{body}` ends at {}, and is not in the other", place(*before)),
            (None, Some(after), _) => write!(f, "`{body}` ends at {} in the other alone", place(*after)),
            (None, None, _) => write!(f, "`{body}` is in neither"),
        }
    }
}

fn place(position: DVec3) -> String {
    format!("({})", position.to_array().map(|number| rounded(number, DIGITS)).join(", "))
}

/// Compares the last states of two recordings, body by body.
///
/// # Errors
/// [`ReplayError`] when one of them is damaged, or has a scenario that cannot be read.
pub fn ends(before: &Path, after: &Path) -> Result<Ends, ReplayError> {
    let ((first, was), (second, is)) = (last(before)?, last(after)?);
    let mut bodies: BTreeMap<&str, [Option<[DVec3; 3]>; 2]> = BTreeMap::new();
    for (side, motions) in [&was, &is].into_iter().enumerate() {
        motions.iter().for_each(|(name, motion)| bodies.entry(name).or_default()[side] = Some(*motion));
    }
    let is_other = |&(_, [was, is]): &(&str, [Option<[DVec3; 3]>; 2])| bits(was) != bits(is);
    let count = bodies.len();
    let mut other: Vec<End> = bodies.into_iter().filter(is_other).map(end).collect();
    other.sort_by(|a, b| b.distance.unwrap_or(-1.0).total_cmp(&a.distance.unwrap_or(-1.0)));
    Ok(Ends { times: [first, second], bodies: count, other })
}

fn bits(motion: Option<[DVec3; 3]>) -> Option<[[u64; 3]; 3]> {
    motion.map(|motion| motion.map(|vector| vector.to_array().map(f64::to_bits)))
}

fn end((body, motions): (&str, [Option<[DVec3; 3]>; 2])) -> End {
    let [before, after] = motions.map(|motion| motion.map(|[position, ..]| position));
    let distance = before.zip(after).map(|(before, after)| before.distance(after));
    End { body: body.to_owned(), before, after, distance }
}

/// The end of a recording: when it is, and the motion of each body, by name.
fn last(file: &Path) -> Result<(SimTime, Motions), ReplayError> {
    let mut recording = Reader::open(file)?;
    let names = Names::of(&recording, file)?;
    let mut last = None;
    while let Some(noted) = recording.next_step()? {
        last = noted.halted.or(noted.mark).or(last);
    }
    let Some(mark) = last else { return Err(RecordingError::Empty { file: file.to_owned() }.into()) };
    let motions = mark.snapshot.motions().map(|(id, motion)| (names.name(id), motion)).collect();
    Ok((mark.snapshot.now(), motions))
}
