//! The commands, one file each.

pub(super) mod check;
pub(super) mod export;
pub(super) mod film;
pub(super) mod import;
pub(super) mod judging;
pub(super) mod list;
pub(super) mod new;
pub(super) mod pages;
pub(super) mod plot;
pub(super) mod query;
pub(super) mod replaying;
pub(super) mod report;
pub(super) mod run;
pub(super) mod sweep;
