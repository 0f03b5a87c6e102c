//! Files of spheres: snapshots of EDMD, packings of packing-generation, data and dumps of LAMMPS.

pub(super) mod lammps;
mod parts;
pub(super) mod sph;
pub(super) mod xyzd;
