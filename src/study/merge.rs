//! One table of all results, from one folder or from many.

use super::error::StudyError;
use super::folder::{Folder, Stored};
use super::member::Status;
use super::run::Study;
use super::table::Row;

/// All members with their results.
#[derive(Debug, Clone)]
pub struct Merged {
    /// The study.
    pub study: Study,
    /// A row for each member, in the order of the design.
    pub rows: Vec<Row>,
    /// The members without a result.
    pub lost: Vec<Lost>,
}

/// A member without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lost {
    /// Its number, from 0.
    pub member: u64,
    /// Whether there is a damaged result.
    pub is_damaged: bool,
    /// Its values, as `path = value`.
    pub values: Vec<String>,
}

/// Gathers the results of a study from folders, all of which have the same sweep.
///
/// The rows depend only on the sweep and on the results: not on the number of folders, on who ran what, or on the
/// order.
///
/// # Errors
/// [`StudyError`] for a folder without a sweep, and for folders of different ones.
pub fn merge(folders: &[Folder]) -> Result<Merged, StudyError> {
    let Some((first, others)) = folders.split_first() else {
        return Err(StudyError::NothingThere { folder: std::path::PathBuf::new() });
    };
    let study = Study::of_folder(first)?;
    for other in others {
        let found = Study::of_folder(other)?;
        if (found.text(), found.base_text()) != (study.text(), study.base_text()) {
            let [first, second] = [first, other].map(|folder| folder.path().to_owned());
            return Err(StudyError::Different { first, second });
        }
    }
    let (mut rows, mut lost) = (Vec::new(), Vec::new());
    for member in 0..study.count() {
        let (key, stored) = study.stored(folders, member);
        let parameters: Vec<String> = study.sweep.values(member).into_iter().map(str::to_owned).collect();
        let result = match stored {
            Stored::Whole(result) => Some(result),
            Stored::Damaged | Stored::Nothing => {
                let named = study.sweep.vary.iter().zip(&parameters);
                let values = named.map(|(factor, value)| format!("{} = {value}", factor.path)).collect();
                lost.push(Lost { member, is_damaged: stored == Stored::Damaged, values });
                None
            }
        };
        rows.push(Row { member, parameters, key, result });
    }
    Ok(Merged { study, rows, lost })
}

impl Merged {
    /// How many members ended in this way.
    #[doc(hidden)]
    pub fn count(&self, status: Status) -> usize {
        self.rows.iter().filter(|row| row.result.as_ref().is_some_and(|result| result.status == status)).count()
    }
}
