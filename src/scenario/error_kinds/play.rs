//! What can be wrong with a slider of the playground.

use thiserror::Error;

use crate::numeric::shown;
use crate::scenario::limits::SLIDERS_MAX;
use crate::scenario::set::SettingError;

/// What is wrong with a slider.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum PlayFault {
    /// A path that leads nowhere.
    #[error("{}", .0.wrong)]
    Path(SettingError),
    /// A path to a field that takes its default.
    #[error("the scenario does not give this number, so there is nothing to move")]
    NotWritten,
    /// A path to something else than a number.
    #[error("a slider moves a number, found `{found}`")]
    NoNumber { found: String },
    /// Two sliders that move the same number.
    #[error("`{found}` and `{other}` move the same number")]
    OneNumber { found: String, other: String },
    /// A range that is empty or has its ends exchanged.
    #[error("the range must have its lower end first, found {} to {}", shown(*from), shown(*to))]
    EmptyRange { from: f64, to: f64 },
    /// A logarithmic range that is not positive.
    #[error("a logarithmic range must be positive, found the lower end {}", shown(*from))]
    LogOfNothing { from: f64 },
    /// A step that leads nowhere.
    #[error("the step must be more than {} and at most {}, found {}", shown(*least), shown(*most), shown(*found))]
    UnfitStep { least: f64, most: f64, found: f64 },
    /// A number that its slider cannot show: a warning.
    #[error("`{path}` is {}, outside of the range of its slider, {} to {}", shown(*value), shown(*from), shown(*to))]
    Outside { path: String, value: f64, from: f64, to: f64 },
    /// More sliders than a reader can keep in mind.
    #[error("there are {found} sliders, more than the {SLIDERS_MAX} allowed")]
    TooMany { found: usize },
}

impl PlayFault {
    /// What to do about it.
    pub(crate) fn help(&self) -> &str {
        match self {
            Self::Path(error) => &error.help,
            Self::NotWritten => "write the field out, or choose another path",
            Self::NoNumber { .. } => {
                "lead the path to one number, as in bodies.ball.velocity.x; or leave the slider out"
            }
            Self::OneNumber { .. } => "leave one of them out",
            Self::EmptyRange { .. } => "for example range: (0, 1)",
            Self::LogOfNothing { .. } => "raise the lower end, or leave out `log`",
            Self::UnfitStep { .. } => {
                "for example step: 0.01; with `log` it is the ratio of two neighbouring values, as in step: 10"
            }
            Self::Outside { .. } => "widen the range, or choose another value",
            Self::TooMany { .. } => "choose those that matter: without `play`, all numbers have sliders",
        }
    }
}
