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
#[doc(hidden)]
pub mod gas;
mod gsd;
mod hash;
#[cfg(feature = "import")]
mod import;
#[doc(hidden)]
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

pub use compare::{Bisection, Comparison, Diff, Side, bisect, compare, diff};
pub use export::{ExportError, ExportFormat, ExportReport, ExportRequest, Exporter};
pub use files::WriteError;
#[cfg(feature = "study")]
pub(crate) use files::{is_empty_folder, remove_abandoned, write_json};
pub use hash::{snapshot_hash, state_hash};
#[cfg(feature = "import")]
pub use import::{ImportError, ImportFormat, ImportRequest, Imported, import};
pub use recording::{Cadence, Difference, Divergence, Hash, Reader, Recorder, RecordingError, Verifier, VerifyError};
pub use replay::{
    RecordWhen, ReplayError, ReplayReport, ReplayTestError, Replayed, ScriptError, assert_replays, check_replay, replay,
};
pub use rollback::BytesError;
pub use run::job::RunProgress;
#[cfg(feature = "oracle")]
pub(crate) use run::portion::EVENTS_AT_ONCE;
pub use run::start::run;
pub use sealed::{SealError, sealed, unsealed};
pub use summary::{Coarsest, Stepped, Summary, SummaryError};
pub use tables::read;
pub use verdict::Verdict;
#[doc(hidden)]
pub use {
    compare::{End, Ends, ends},
    export::{BodyPaths, PathImpact, RunPaths, is_series_file},
    files::{keep_files, persist_file, replaceable, write_file},
    hash::text_hash,
    query_table::{HitRow, SlideEnd, hits_as_json},
    recording::changed,
    recording::checkpoint::Checkpoint,
    replay::recorded_scenario,
    replay::resume::{ResumeError, Unfinished, holds_run, tables_of},
    run::job::{Halt, Job, Outcome},
    run::unrecorded::run_unrecorded,
    run_balance::RunBalance,
    summary::{SCHEMA, SUMMARY_FILE, Timing, summary_left, tables_left},
    tables::heading::{Heading, file_name, file_names},
    tables::table_writer::Sheet,
    verdict::{EventFilter, Found},
};
