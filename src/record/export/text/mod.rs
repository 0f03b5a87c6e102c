//! Exports as lines of text.

pub(super) mod events;
pub(super) mod lammps;
pub(super) mod sph;
pub(super) mod xyz;
