//! The program as a user runs it.

mod beginning;
mod bench;
mod ci;
mod diff;
mod drawn_again;
mod drawn_right;
mod export;
mod far_away;
mod files;
mod film;
mod import;
mod interrupted;
mod json;
mod kept;
mod leftovers;
mod mesh_runs;
mod numbers;
mod outside_text;
#[path = "../common/pages.rs"]
mod pages;
mod printed;
mod program;
mod query;
mod replay;
mod report;
mod settings;
mod streams;
mod terminal;
mod time_steps;
mod worked;
