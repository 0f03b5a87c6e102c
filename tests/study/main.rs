//! Sweeps: which sweep files are valid, what remains after any interruption, and the included studies.

#[path = "../cli/bench.rs"]
#[expect(dead_code, reason = "other tests of the program use the rest")]
mod bench;

mod designs;
mod drawn;
mod failures;
mod included;
mod merging;
mod wrong_files;
