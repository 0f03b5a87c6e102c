//! Errors of judging a trajectory.

use miette::Diagnostic;
use thiserror::Error;

use crate::record::foreign::ForeignError;
use crate::scenario::{OverrideError, Problems};
use crate::world::{RunError, SetupError};

/// Why there is no judgement.
#[derive(Debug, Error, Diagnostic)]
#[non_exhaustive]
pub enum OracleError {
    /// The table is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Table(#[from] ForeignError),
    /// The scenario is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Scenario(#[from] Problems),
    /// The timestep does not suit the scenario.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Timestep(#[from] OverrideError),
    /// No such scene.
    #[error("there is no scene `{name}`{}", nearest.as_ref().map(|near| format!("; did you mean `{near}`?")).unwrap_or_default())]
    #[diagnostic(help("`carom oracle list` shows all scenes"))]
    NoScene {
        /// The requested name.
        name: String,
        /// The most similar name of a scene.
        nearest: Option<String>,
    },
    /// A scenario for which trajectories cannot be judged.
    #[error("this scenario cannot be judged: {why}")]
    #[diagnostic(help("judged are scenarios in open space without sensors, spawns and despawns"))]
    Unsuited {
        /// The reason.
        why: &'static str,
    },
    /// The exact course cannot begin.
    #[error("the exact course cannot begin: {0}")]
    Setup(#[from] SetupError),
    /// The exact course ends with an error.
    #[error("the exact course ends with an error: {0}")]
    Run(#[from] RunError),
}
