//! Files of spheres: snapshots of EDMD, packings of packing-generation, data and dumps of LAMMPS, trajectories of
//! HOOMD-blue.

pub(super) mod gsd;
pub(super) mod lammps;
mod parts;
pub(super) mod sph;
pub(super) mod xyzd;
