//! What a run leaves behind: tables, an audit, verdicts, a hash.
//!
//! [`recording`] is the file with which anybody can check that a run gives the same bits again.
//!
//! [`run()`] steps a world and writes everything into one folder; [`read`] reads the tables back, and
//! [`tables`] is the contract between the two and with other programs.

mod books;
mod checkpoint;
mod chosen;
mod columns;
mod comma;
mod compare;
pub mod gas;
mod hash;
mod hits;
mod job;
mod moments;
pub mod read;
pub mod recording;
mod replay;
mod resume;
mod run;
mod sheet;
mod summary;
mod summed;
pub mod tables;
mod verdict;
mod write;

pub use books::Books;
pub use checkpoint::Checkpoint;
pub use compare::{Bisection, Comparison, bisect, compare};
pub use hash::{snapshot_hash, state_hash, text_hash};
pub use hits::{HitRow, hits_as_json};
pub use job::{Glimpse, Halt, Job, Outcome, run};
pub use recording::{Cadence, Recorder, Verifier};
pub use replay::{ReplayError, ReplayReport, ScriptError, replay};
pub use resume::{ResumeError, Unfinished, holds_run, tables_of};
pub use sheet::{Heading, Sheet, file_name};
pub use summary::{Coarsest, SCHEMA, SUMMARY_FILE, Summary, Timing};
pub use verdict::Verdict;
pub use write::{WriteError, write_file};
