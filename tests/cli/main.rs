//! The program as a user runs it.

mod beginning;
mod bench;
mod files;
mod interrupted;
mod mesh_runs;
mod numbers;
mod program;
mod query;
mod streams;
