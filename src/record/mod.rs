//! What a run leaves behind: tables, an audit, verdicts, a hash.
//!
//! [`recording`] is the file with which it can be checked that a run gives the same bits again.
//!
//! [`run()`] steps a world and writes everything into one folder; [`read`] reads the tables back, and
//! [`tables`] is the contract between the two and with other programs.

#[doc(hidden)]
pub mod answers;
mod compare;
mod export;
mod files;
#[doc(hidden)]
pub mod foreign;
pub mod gas;
mod gsd;
mod hash;
#[cfg(feature = "import")]
mod import;
pub mod packing;
mod query_table;
#[doc(hidden)]
pub mod recording;
mod replay;
mod rollback;
mod run;
mod run_balance;
mod sealed;
mod summary;
pub mod tables;
mod verdict;

pub use compare::{Bisection, Comparison, Diff, End, Ends, Side, bisect, compare, diff, ends};
#[doc(hidden)]
pub use export::is_series_file;
pub use export::{BodyPaths, ExportError, ExportFormat, ExportReport, ExportRequest, Exporter, PathImpact, RunPaths};
pub use files::WriteError;
#[cfg(feature = "study")]
pub(crate) use files::{is_empty_folder, remove_abandoned, write_json};
#[doc(hidden)]
pub use files::{keep_files, persist_file, replaceable, write_file};
#[doc(hidden)]
pub use hash::text_hash;
pub use hash::{snapshot_hash, state_hash};
#[cfg(feature = "import")]
pub use import::{ImportError, ImportFormat, ImportRequest, Imported, import};
#[doc(hidden)]
pub use query_table::{HitRow, SlideEnd, hits_as_json};
pub use recording::checkpoint::Checkpoint;
pub use recording::{
    Cadence, Difference, Divergence, Hash, Reader, Recorder, RecordingError, Verifier, VerifyError, changed,
};
#[doc(hidden)]
pub use replay::recorded_scenario;
pub use replay::resume::{ResumeError, Unfinished};
#[doc(hidden)]
pub use replay::resume::{holds_run, tables_of};
pub use replay::{
    RecordWhen, ReplayError, ReplayReport, ReplayTestError, Replayed, ScriptError, assert_replays, check_replay, replay,
};
pub use rollback::BytesError;
pub use run::job::{Halt, Job, Outcome, RunProgress};
#[cfg(feature = "oracle")]
pub(crate) use run::portion::EVENTS_AT_ONCE;
pub use run::start::run;
pub use run::unrecorded::run_unrecorded;
#[doc(hidden)]
pub use run_balance::RunBalance;
pub use sealed::{SealError, sealed, unsealed};
pub use summary::{Coarsest, SCHEMA, SUMMARY_FILE, Stepped, Summary, SummaryError, Timing};
#[doc(hidden)]
pub use summary::{summary_left, tables_left};
#[doc(hidden)]
pub use tables::heading::{Heading, file_name, file_names};
pub use tables::read;
#[doc(hidden)]
pub use tables::table_writer::Sheet;
pub use verdict::{EventFilter, Found, Verdict};
