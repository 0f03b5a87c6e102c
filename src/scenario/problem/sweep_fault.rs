//! What can be wrong with a sweep.

use thiserror::Error;

use crate::numeric::shown;
use crate::scenario::limits::MEMBERS_MAX;
use crate::scenario::set::SettingError;

/// What is wrong with a sweep.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum SweepFault {
    /// A path that leads nowhere, or a value that is none.
    #[error("{}", .0.wrong)]
    Setting(SettingError),
    /// No value at all.
    #[error("there is nothing to choose from")]
    NoValues,
    /// A range of which a design of this kind cannot know how many values it has.
    #[error("a range of a `Grid` or a `Zip` needs a `count`")]
    CountMissing,
    /// A number of values where the design itself has one.
    #[error("a range of a `LatinHypercube` takes no `count`: it has a value for each member")]
    CountUseless,
    /// A range that goes nowhere.
    #[error("a range goes from one number to another, found {} to {}", shown(*from), shown(*to))]
    EmptyRange { from: f64, to: f64 },
    /// A logarithm of what has none.
    #[error("both ends of a `LogRange` must be positive, found {} to {}", shown(*from), shown(*to))]
    LogOfNothing { from: f64, to: f64 },
    /// Lists that are to go together, of different lengths.
    #[error("a `Zip` takes lists of one length: this one has {found} values, and `{other}` has {wanted}")]
    OtherLength { found: u64, other: String, wanted: u64 },
    /// More than anybody could run.
    #[error("the sweep would have {found} members, more than the {MEMBERS_MAX} allowed")]
    TooManyMembers { found: String },
    /// A name that could be no column.
    #[error("`{found}` is no name for a result")]
    UnfitName { found: String },
    /// The same name or path given two times.
    #[error("`{found}` is given twice")]
    Twice { found: String },
    /// A plot of something that is not there.
    #[error("there is no {what} `{found}`")]
    Unknown { what: &'static str, found: String, nearest: Option<String> },
}

impl SweepFault {
    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Setting(error) => return Some(error.help.clone()),
            Self::Unknown { nearest, .. } => return nearest.as_ref().map(|name| format!("did you mean `{name}`?")),
            Self::NoValues => "for example List([0.1, 0.5]), Range(from: 0, to: 1, count: 11) or Seeds(count: 20)",
            Self::CountMissing => "for example Range(from: 0, to: 1, count: 11)",
            Self::CountUseless => "leave it out; `LatinHypercube(count: ...)` says how many members there are",
            Self::EmptyRange { .. } => "give two finite numbers that differ",
            Self::LogOfNothing { .. } => "use a `Range`, or a `List`",
            Self::OtherLength { .. } => "give them as many values, or use a `Grid`",
            Self::TooManyMembers { .. } => "lower the counts, or use a `LatinHypercube`",
            Self::UnfitName { .. } => "a name has letters, digits and underscores, and begins with a letter",
            Self::Twice { .. } => "leave one of them out",
        };
        Some(text.to_owned())
    }
}
