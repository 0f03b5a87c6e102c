//! The program as a user runs it.

mod bench;
mod mesh_runs;
mod program;
mod query;
mod streams;
