//! The rules of the house that only a reader of the code can check: it is parsed, and names are followed to the files that
//! define them.

pub(crate) mod circles;
pub(crate) mod constants;
pub(crate) mod exceptions;
pub(crate) mod functions;
pub(crate) mod imports;
mod self_test;
pub(crate) mod tree;
