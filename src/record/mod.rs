//! What a run leaves behind: tables, an audit, verdicts, a hash.
//!
//! [`run()`] steps a world and writes everything into one folder; [`read`] reads the tables back, and
//! [`tables`] is the contract between the two and with other programs.

mod books;
mod columns;
mod comma;
pub mod gas;
mod hash;
mod hits;
pub mod read;
mod run;
mod sheet;
mod summary;
pub mod tables;
mod verdict;
mod write;

pub use books::Books;
pub use hash::{snapshot_hash, state_hash, text_hash};
pub use hits::{HitRow, hits_as_json};
pub use run::{Glimpse, run};
pub use sheet::{Heading, Sheet, file_name};
pub use summary::{SCHEMA, SUMMARY_FILE, Summary, Timing};
pub use verdict::Verdict;
pub use write::{WriteError, write_file};
