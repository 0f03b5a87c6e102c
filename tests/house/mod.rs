//! The rules of the source tree that only a parser can check: the code is parsed, and names are followed to the files that define
//! them.

pub(crate) mod circles;
pub(crate) mod constants;
pub(crate) mod exceptions;
pub(crate) mod functions;
pub(crate) mod imports;
mod self_test;
pub(crate) mod tree;
