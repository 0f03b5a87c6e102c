//! Sweeps: what a file may say, what is left of any interruption, and the studies that are included.

#[path = "../cli/bench.rs"]
#[expect(dead_code, reason = "other tests of the program use the rest")]
mod bench;

mod designs;
mod failures;
mod included;
mod merging;
mod wrong_files;
