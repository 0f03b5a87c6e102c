//! Parameter studies: one scenario run many times with other values, on all cores, in any number of processes.
//!
//! A [`Study`] is a [`Sweep`](crate::scenario::sweep_file::Sweep) and its base scenario. Its members are numbered. Each
//! is a run of which only a few numbers are kept. The result of a member is a file in the [`Folder`] of the study,
//! named by a hash of all that determines it: the text of its scenario, its mesh files, what is collected, and the
//! version of the results. It is written beside its place and then moved. So any number of processes may work in one
//! folder, and a process may be killed at any instant. If two processes run the same member, they write the same bytes.
//! If a sweep is changed, the results that are still valid stay.
//!
//! [`Study::run`] runs the members that have no result yet, [`merge()`] makes one table of all.

mod collect;
mod error;
mod folder;
mod latex;
mod member;
mod merge;
mod run;
mod statistics;
mod table;

pub use error::StudyError;
pub use folder::Folder;
pub use member::{MemberResult, Status};
pub use merge::{Lost, Merged, merge};
pub use run::{Ended, Pace, Shard, Study, Workload};
pub use statistics::{Point, points};
pub use table::{Row, write_tables};
#[doc(hidden)]
pub use {
    folder::SWEEP_FILE,
    latex::latex,
    member::RESULTS_VERSION,
    run::JOBS_MAX,
    statistics::Summary,
    table::{TABLE, columns, values},
};
