//! Worlds from outside: commands, queries, extreme numbers and sizes.

mod altered;
mod cells;
mod commands;
mod extremes;
mod magnitudes;
mod queries;
mod reading;
mod slides;
mod worlds;

use carom::{BodyId, World};
use glam::DVec3;

/// The conserved sums: energy, J, and momentum, kg·m/s; and the scale of their rounding.
pub(crate) fn books(world: &World) -> (f64, DVec3, f64) {
    let (balance, audit) = (world.balance(), world.audit());
    let energy = balance.kinetic + balance.potential + audit.dissipated + audit.contact_heat - audit.work;
    let weight = world.settings().gravity * (balance.mass * world.now().seconds());
    let scale =
        balance.kinetic + balance.potential.abs() + audit.dissipated + audit.contact_heat.abs() + audit.work.abs();
    let scale = scale + balance.momentum_scale + weight.length() + audit.impulse.length();
    (energy, balance.momentum - audit.impulse - weight, scale)
}

#[track_caller]
fn check_books(world: &World, start: (f64, DVec3, f64), context: &str) {
    let (energy, momentum, scale) = books(world);
    // Rounding of sums of some thousand terms.
    let slack = 1e-12 * (scale + start.2);
    assert!((energy - start.0).abs() <= slack, "{context}: {} J", energy - start.0);
    assert!((momentum - start.1).length() <= slack, "{context}: {} N·s", momentum - start.1);
}

fn id(world: &World, name: &str) -> BodyId {
    world.id(name).expect("there is such a body")
}
