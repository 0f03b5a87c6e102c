//! The program as a user runs it.

mod mesh_runs;
mod program;
mod query;
