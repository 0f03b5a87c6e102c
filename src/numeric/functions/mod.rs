//! Functions of a number by `+ − × ÷ √` alone.

pub(crate) mod power;
pub mod turns;
