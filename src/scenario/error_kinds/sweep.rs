//! What can be wrong with a sweep.

use thiserror::Error;

use crate::numeric::shown;
use crate::scenario::limits::MEMBERS_MAX;
use crate::scenario::set::SettingError;

/// What is wrong with a sweep.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum SweepFault {
    /// A path that leads nowhere, or a value that is not RON.
    #[error("{}", .0.wrong)]
    Setting(SettingError),
    /// A base scenario that cannot be read.
    #[error("{wrong}")]
    Base { wrong: String },
    /// No value at all.
    #[error("there is nothing to choose from")]
    NoValues,
    /// A range without a number of values, where the design needs one.
    #[error("a range of a `Grid` or a `Zip` needs a `count`")]
    CountMissing,
    /// A number of values, where the design itself has one.
    #[error("a range of a `LatinHypercube` takes no `count`: it has a value for each member")]
    CountUseless,
    /// A range whose ends are equal, or too large.
    #[error("a range goes from one number to another, found {} to {}", shown(*from), shown(*to))]
    EmptyRange { from: f64, to: f64 },
    /// A logarithmic range that is not positive.
    #[error("both ends of a `LogRange` must be positive, found {} to {}", shown(*from), shown(*to))]
    LogOfNothing { from: f64, to: f64 },
    /// Lists of different lengths that are combined value by value.
    #[error("a `Zip` takes lists of one length: this one has {found} values, and `{other}` has {wanted}")]
    OtherLength { found: u64, other: String, wanted: u64 },
    /// Seeds beyond the largest one.
    #[error("the last seed would be larger than {}, the largest there is", u64::MAX)]
    SeedTooLarge,
    /// More members than the limit.
    #[error("the sweep would have {found} members, more than the {MEMBERS_MAX} allowed")]
    TooManyMembers { found: String },
    /// A name that cannot be that of a column.
    #[error("`{found}` is no name for a result")]
    UnfitName { found: String },
    /// A name that is too long for a file.
    #[error("a name of {length} letters is too long")]
    LongName { length: usize },
    /// A name that a column of every table has.
    #[error("the table already has a column `{found}`")]
    ColumnTaken { found: String },
    /// Two factors that vary the same value, or one a part of the other.
    #[error("`{found}` and `{other}` vary the same value")]
    OneValue { found: String, other: String },
    /// Two factors that would have one column.
    #[error("`{found}` and `{other}` would be one column of the table")]
    OneColumn { found: String, other: String },
    /// The same name or path given two times.
    #[error("`{found}` is given twice")]
    Twice { found: String },
    /// A plot of something that does not exist.
    #[error("there is no {what} `{found}`")]
    Unknown { what: &'static str, found: String, nearest: Option<String> },
    /// Differences from nothing.
    #[error("`residuals` are differences from a line, and nothing of that kind is laid over this plot")]
    NoLine,
}

impl SweepFault {
    /// What to do about it.
    pub(crate) fn help(&self) -> Option<String> {
        let text = match self {
            Self::Setting(error) => return Some(error.help.clone()),
            Self::Unknown { nearest, .. } => return nearest.as_ref().map(|name| format!("did you mean `{name}`?")),
            Self::Base { .. } => {
                "give the path of a scenario file from the folder of the sweep, as in base: \"ball.ron\""
            }
            Self::NoLine => "for example style: (over: [Formula(label: \"theory\", y: \"x^2\")])",
            Self::NoValues => "for example List([0.1, 0.5]), Range(from: 0, to: 1, count: 11) or Seeds(count: 20)",
            Self::CountMissing => "for example Range(from: 0, to: 1, count: 11)",
            Self::CountUseless => "leave it out; `LatinHypercube(count: ...)` says how many members there are",
            Self::EmptyRange { .. } => "give two finite numbers that differ",
            Self::LogOfNothing { .. } => "use a `Range`, or a `List`",
            Self::OtherLength { .. } => "give them as many values, or use a `Grid`",
            Self::TooManyMembers { .. } => "lower the counts, or use a `LatinHypercube`",
            Self::SeedTooLarge => "lower `first` or `count`",
            Self::UnfitName { .. } => "a name has letters, digits and underscores, and begins with a letter",
            Self::LongName { .. } => "use at most 100: the files of plots are named after it",
            Self::ColumnTaken { .. } => "give the result another name",
            Self::OneColumn { .. } => "name one of the bodies or materials otherwise",
            Self::OneValue { .. } | Self::Twice { .. } => "leave one of them out",
        };
        Some(text.to_owned())
    }
}
