//! The motion of a run as pictures need it: tracks of bodies, curves through them, the part of the world that is seen,
//! and the colours of bodies.

pub(super) mod colour_key;
pub(super) mod curve;
pub(super) mod props;
pub(super) mod scene;
pub(super) mod track;
pub(super) mod view;
