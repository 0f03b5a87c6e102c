//! The sections of a scenario file, one file each: from the written form to checked values.

pub(super) mod body;
pub(super) mod clock;
pub(super) mod colors;
pub(super) mod commands;
mod course;
pub(super) mod layers;
pub(super) mod play;
pub(super) mod plots;
pub(super) mod request_schema;
pub(super) mod requests;
pub(super) mod settings;
