//! Measured points from a table, to lay them over a plot.

use std::fs::File;
use std::path::Path;

use super::overlay::{Course, Overlay, POINTS_MAX};
use crate::scenario::text::rows::{commented, line_of};
use crate::scenario::text::source::open_file;

/// Why a table has no points to lay over a plot.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoPoints {
    /// It cannot be read.
    #[error("{file}: {cause}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system says, or the reader of CSV.
        cause: String,
    },
    /// It lacks a column.
    #[error("{file}: there is no column `{column}`; there are {}", columns.join(", "))]
    NoColumn {
        /// The file.
        file: String,
        /// What was sought.
        column: String,
        /// The columns that there are.
        columns: Vec<String>,
    },
    /// A field is no number.
    #[error("{file}:{line}: `{found}` in column `{column}` is not a finite number")]
    NoNumber {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The column.
        column: String,
        /// What stands there.
        found: String,
    },
    /// It has no row, or too many.
    #[error("{file} has {rows} rows; from 1 to 100000 can be drawn")]
    Rows {
        /// The file.
        file: String,
        /// How many rows it has at least.
        rows: usize,
    },
}

impl Overlay {
    /// The points in two columns of a table as CSV, with their names in its first line; `label` is for the legend.
    /// Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// [`NoPoints`] names file, line and column.
    pub fn measured(file: &Path, columns: [&str; 2], label: String) -> Result<Self, NoPoints> {
        let name = file.display().to_string();
        let unreadable = |cause: String| NoPoints::Unreadable { file: name.clone(), cause };
        let opened = open_file(file, File::options().read(true))
            .map_err(|obstacle| unreadable(std::io::Error::from(obstacle).to_string()))?;
        let mut reader = commented(opened);
        let headers = reader.headers().map_err(|error| unreadable(error.to_string()))?;
        let known: Vec<String> = headers.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
        let place = |column: &str| {
            let missing =
                || NoPoints::NoColumn { file: name.clone(), column: column.to_owned(), columns: known.clone() };
            known.iter().position(|known| known == column).ok_or_else(missing)
        };
        let places = [place(columns[0])?, place(columns[1])?];
        let (mut points, mut record) = (Vec::new(), csv::StringRecord::new());
        while reader.read_record(&mut record).map_err(|error| unreadable(error.to_string()))? {
            let mut point = [0.0; 2];
            for (side, value) in point.iter_mut().enumerate() {
                let text = record.get(places[side]).unwrap_or_default();
                let number = text.parse().ok().filter(|number: &f64| number.is_finite());
                *value = number.ok_or_else(|| NoPoints::NoNumber {
                    file: name.clone(),
                    line: line_of(&reader),
                    column: columns[side].to_owned(),
                    found: text.chars().take(40).collect(),
                })?;
            }
            points.push(point);
            if points.len() > POINTS_MAX {
                break;
            }
        }
        if points.is_empty() || points.len() > POINTS_MAX {
            return Err(NoPoints::Rows { file: name, rows: points.len() });
        }
        Ok(Self { label, color: None, course: Course::Points(points) })
    }
}
