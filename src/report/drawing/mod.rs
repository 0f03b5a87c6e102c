//! A picture as marks on a sheet: the marks, their style, how they are cut, and the files.

pub(super) mod canvas;
pub(super) mod clip;
pub(super) mod dash;
pub(super) mod files;
pub(super) mod ink;
pub(super) mod inset;
pub(super) mod rect;
pub(super) mod style;
pub(super) mod typeface;
pub(super) mod words;
