//! Worlds from outside: commands, queries, extreme numbers and sizes.

mod commands;
mod extremes;
mod magnitudes;
mod queries;
mod reading;
mod worlds;
