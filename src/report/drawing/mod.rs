//! A picture as marks on a sheet: what is drawn, in which style, cut where, and how it becomes files.

pub(super) mod canvas;
pub(super) mod clip;
pub(super) mod dash;
mod files;
pub(super) mod ink;
pub(super) mod rect;
pub(super) mod style;
pub(super) mod typeface;
pub(super) mod words;
