//! Checks of the content of a snapshot.
//!
//! A snapshot may come from a file. Content that no world of the given bodies could have written is refused, so later
//! code need not check it.

use glam::DVec3;
use thiserror::Error;

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::body::table::{BodyTable, Interaction};
use crate::dynamics::error::SetupError;
use crate::geometry::Outline;

/// A snapshot from which a world cannot continue.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
pub enum RestoreError {
    /// One of the bodies is not valid.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A snapshot of more or fewer bodies.
    #[error("the snapshot has {found} {what} for {wanted} bodies")]
    Length { what: &'static str, found: usize, wanted: usize },
    /// Content that no world of these bodies writes: numbers that are not finite, bodies that do not exist, or a state
    /// that a body cannot have.
    #[error("the {what} in the snapshot are not those of these bodies, or damaged")]
    Unsound { what: &'static str },
}

/// Checks of parts of a snapshot.
pub(in crate::dynamics) struct Checked;

impl Checked {
    pub(in crate::dynamics) fn that(sound: bool, what: &'static str) -> Result<(), RestoreError> {
        if sound { Ok(()) } else { Err(RestoreError::Unsound { what }) }
    }

    /// A column has one row per body, or no rows.
    pub(in crate::dynamics) fn column(found: usize, wanted: usize, what: &'static str) -> Result<(), RestoreError> {
        if found == 0 { Ok(()) } else { Self::all(found, wanted, what) }
    }

    pub(in crate::dynamics) fn all(found: usize, wanted: usize, what: &'static str) -> Result<(), RestoreError> {
        if found == wanted { Ok(()) } else { Err(RestoreError::Length { what, found, wanted }) }
    }
}

/// Whether all these numbers are finite.
pub(in crate::dynamics) fn is_finite(numbers: &[f64], vectors: &[DVec3]) -> bool {
    numbers.iter().all(|number| number.is_finite()) && vectors.iter().all(|vector| vector.is_finite())
}

pub(in crate::dynamics) fn is_pair(pair: Pair, rows: &BodyTable) -> bool {
    pair.a < pair.b && pair.b.index() < rows.count()
}

/// Whether two bodies collide, and the one that has an outline has this part.
pub(in crate::dynamics) fn has_part(pair: Pair, part: u32, rows: &BodyTable) -> bool {
    had_part(pair, part, rows) && rows.has_part([pair.a, pair.b], part)
}

/// Whether two bodies collide, and the one that has an outline may once have had this part.
pub(in crate::dynamics) fn had_part(pair: Pair, part: u32, rows: &BodyTable) -> bool {
    let numbers = |id: BodyId| rows.outline(id).map(Outline::numbers);
    is_pair(pair, rows)
        && rows.interaction(pair.a, pair.b) == Some(Interaction::Collide)
        && (part as usize) < numbers(pair.a).or(numbers(pair.b)).unwrap_or(1)
}
