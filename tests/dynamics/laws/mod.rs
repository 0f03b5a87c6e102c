//! Laws of physics: closed forms, conservation, symmetry and statistical mechanics.

mod courses;
mod dense_gas;
mod galilean;
mod gas;
mod moving_outlines;
mod physics;
mod planar;
mod riding;
mod shaken;
mod time_travel;

use carom::World;
use carom::dynamics::Balance;

/// The energy that a world has gained since `before` beyond the work of its walls and less its losses, and the size of
/// its energies, J.
fn unexplained(before: &Balance, world: &World) -> (f64, f64) {
    let (after, audit) = (world.balance(), world.audit());
    let change = after.kinetic + after.potential - before.kinetic - before.potential;
    let size = after.kinetic + after.potential.abs() + audit.work.abs() + audit.dissipated;
    (change - audit.work + audit.dissipated + audit.contact_heat, size)
}
