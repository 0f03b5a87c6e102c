//! The rules of the source tree that need a parser: the code is parsed, and each name is resolved to the file that
//! defines it.

pub(crate) mod api;
pub(crate) mod circles;
pub(crate) mod constants;
pub(crate) mod exceptions;
pub(crate) mod functions;
pub(crate) mod imports;
mod self_test;
pub(crate) mod tree;
