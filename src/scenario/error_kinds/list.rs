//! What can be wrong with a list of bodies, in words, and what to do about it.

use thiserror::Error;

/// What is wrong with a file that lists bodies.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ListFault {
    /// It is no table, or its columns are not those of a list.
    #[error("`{file}`, line {line}: {problem}")]
    Columns {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        problem: String,
    },
    /// A value that a body cannot have.
    #[error("`{file}`, line {line}, column `{column}`: {problem}")]
    Cell {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The name of the column.
        column: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A field for what the file has columns for.
    #[error("the file has a column `{column}`, which excludes `{field}`")]
    GivenTwice {
        /// The column.
        column: &'static str,
        /// The field.
        field: &'static str,
    },
    /// Neither a field nor a column for the shapes.
    #[error("the bodies have no shape: `{file}` has no column `radius`, nor `hx`, `hy` and `hz`")]
    NoShape {
        /// The file.
        file: String,
    },
}

impl ListFault {
    /// What to do about it, in a sentence.
    pub(in crate::scenario) const fn help(&self) -> &'static str {
        match self {
            Self::Columns { .. } => {
                "wanted is a line of names and then a line for each body, with commas: x,y,z (m), and as you like vx,vy,vz (m/s), wx,wy,wz (rad/s), radius or hx,hy,hz (m), mass (kg) or density (kg/m³), name"
            }
            Self::Cell { .. } => "correct the line of this body, or leave it out",
            Self::GivenTwice { .. } => "leave the field out, or take the column out of the file",
            Self::NoShape { .. } => "add the column, or shape: Sphere(radius: 0.1)",
        }
    }
}
