//! Exports as lines of text.

mod cell;
pub(super) mod events;
pub(super) mod lammps;
pub(super) mod sph;
pub(super) mod xyz;
