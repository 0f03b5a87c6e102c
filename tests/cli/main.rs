//! The program as a user runs it.

mod far_away;
mod mesh_runs;
mod outside_text;
mod program;
mod query;
