//! `carom oracle` and `carom compare`: judgements of trajectories and of casts.

mod casts;
pub(crate) mod compare;
pub(crate) mod oracle;
mod verdict;

pub(in crate::cli) use verdict::unreadable;
