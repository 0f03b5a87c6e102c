//! Worlds from outside: commands, queries, extreme numbers and sizes.

mod altered;
mod commands;
mod extremes;
mod magnitudes;
mod queries;
mod reading;
mod worlds;
