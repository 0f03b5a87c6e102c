//! What a run leaves behind, and how it is read again.

pub mod read;
pub mod tables;
