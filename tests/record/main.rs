//! The output of a run: tables, snapshots and recordings, and runs that continue from them.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod export;
mod imports;
mod layout;
mod moments;
mod recording;
mod replay_test;
mod resume;
mod rollback;
mod snapshots;
mod tables;
