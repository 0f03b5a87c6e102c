//! The scenes: each is a scenario of `scenarios/oracle` with a line on what it tests.

pub(super) mod closed;
mod entries;
mod formulas;

use crate::oracle::error::OracleError;
use crate::scenario::{Problems, Scenario, Source, parse};
use closed::ClosedForm;
pub use entries::{Family, Scene, scenes};

/// The scene of this name.
///
/// # Errors
/// [`OracleError::NoScene`], with the most similar name.
pub fn find(name: &str) -> Result<&'static Scene, OracleError> {
    let missing = || {
        let nearest =
            scenes().iter().map(|scene| scene.name).filter(|known| known.contains(name) || name.contains(known));
        let family = || scenes().iter().map(|scene| scene.name).find(|known| shared(known, name) > 4);
        let nearest = nearest.min_by_key(|known| known.len()).or_else(family).map(str::to_owned);
        OracleError::NoScene { name: name.to_owned(), nearest }
    };
    scenes().iter().find(|scene| scene.name == name).ok_or_else(missing)
}

/// The number of characters that two names share at their beginning.
fn shared(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
}

impl Scene {
    /// The checked scenario of the scene.
    ///
    /// # Errors
    /// [`Problems`]; a bundled scene has none.
    pub fn scenario(&self) -> Result<Scenario, Problems> {
        Ok(parse(&Source::new(format!("{}.ron", self.name), self.text))?.scenario)
    }

    /// The closed forms of the scene; empty if there are none.
    pub fn closed_forms(&self) -> Vec<ClosedForm> {
        formulas::of(self.name)
    }
}
