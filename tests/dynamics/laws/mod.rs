//! Laws of physics: closed forms, conservation, symmetry and statistical mechanics.

mod courses;
mod dense_gas;
mod galilean;
mod gas;
mod moving_outlines;
mod physics;
mod planar;
mod time_travel;
