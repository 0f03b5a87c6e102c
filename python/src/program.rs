//! The command line, as the command `carom` of the package.

use std::ffi::OsString;
use std::panic::catch_unwind;

use pyo3::prelude::*;

/// The exit code of a program that has panicked, as in Rust.
const PANICKED: i32 = 101;

/// Runs the command line with these words, the first of which is the name of the program, and returns the exit code.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, words: Vec<OsString>) -> i32 {
    py.detach(|| catch_unwind(|| carom::cli::run_with(words) as i32).unwrap_or(PANICKED))
}
