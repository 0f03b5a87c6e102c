//! The program as a user runs it.

mod mesh_runs;
mod outside_text;
mod program;
mod query;
