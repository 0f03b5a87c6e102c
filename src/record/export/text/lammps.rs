//! Files of LAMMPS: text dumps of frames, and a data file of one frame in the atom style `sphere`.
//!
//! Source: the pages `dump` and `read_data` of <https://docs.lammps.org>. A type is a species. Along an open axis the box
//! ends where the balls of the frame do. All numbers have the digits that read back to the same bits.

use std::fmt::Write;

use glam::DVec3;

use super::cell;
use crate::record::export::balls::{self, Ball};
use crate::record::export::pen::{push_number, push_numbers};
use crate::record::export::roster::Roster;
use crate::scenario::sphere_volume;
use crate::world::World;

/// A frame of a dump; `number` counts from 0.
pub(crate) fn dump(number: u64, world: &World, roster: &Roster) -> String {
    let balls: Vec<Ball<'_>> = balls::present(world, roster).collect();
    let flags = world.settings().space.periods.map(|period| if period.is_some() { "pp" } else { "ff" }).join(" ");
    let mut text = format!("ITEM: TIME\n{}\nITEM: TIMESTEP\n{number}\n", world.now());
    // Writing into a string cannot fail.
    let _ = writeln!(text, "ITEM: NUMBER OF ATOMS\n{}\nITEM: BOX BOUNDS {flags}", balls.len());
    for [low, high] in ends(world, &balls) {
        push_number(&mut text, low);
        push_numbers(&mut text, [high]);
        text.push('\n');
    }
    text.push_str("ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius mass\n");
    for Ball { member, radius } in &balls {
        let state = world.state(member.id);
        let _ = write!(text, "{} {}", member.id.0 + 1, member.species + 1);
        let vectors = [state.position, state.velocity, state.spin].into_iter().flat_map(|vector| vector.to_array());
        push_numbers(&mut text, vectors.chain([*radius, member.mass.unwrap_or_default()]));
        text.push('\n');
    }
    text
}

/// A data file.
pub(crate) fn data(world: &World, roster: &Roster) -> String {
    let balls: Vec<Ball<'_>> = balls::present(world, roster).collect();
    let (count, types) = (balls.len(), roster.species.len());
    let mut text = format!("LAMMPS data file, written by carom\n\n{count} atoms\n{types} atom types\n\n");
    for ([low, high], axis) in ends(world, &balls).into_iter().zip(["x", "y", "z"]) {
        push_number(&mut text, low);
        push_numbers(&mut text, [high]);
        // Writing into a string cannot fail.
        let _ = writeln!(text, " {axis}lo {axis}hi");
    }
    text.push_str("\nAtoms # sphere\n\n");
    for Ball { member, radius } in &balls {
        let _ = write!(text, "{} {}", member.id.0 + 1, member.species + 1);
        let density = density(member.mass.unwrap_or_default(), *radius);
        let position = world.state(member.id).position.to_array();
        push_numbers(&mut text, [2.0 * radius, density].into_iter().chain(position));
        text.push('\n');
    }
    text.push_str("\nVelocities\n\n");
    for Ball { member, .. } in &balls {
        let state = world.state(member.id);
        let _ = write!(text, "{}", member.id.0 + 1);
        push_numbers(&mut text, state.velocity.to_array().into_iter().chain(state.spin.to_array()));
        text.push('\n');
    }
    text
}

/// The density of a ball, kg/m³, rounded so that the mass that follows from it has the same density again.
fn density(mass: f64, radius: f64) -> f64 {
    let volume = sphere_volume(radius);
    let mut density = mass / volume;
    loop {
        let again = density * volume / volume;
        if again == density || again.is_nan() {
            return density;
        }
        density = again;
    }
}

/// The ends of the box along each axis, m.
fn ends(world: &World, balls: &[Ball<'_>]) -> [[f64; 2]; 3] {
    let bodies = balls.iter().map(|ball| (world.state(ball.member.id).position, DVec3::splat(ball.radius)));
    cell::ends(&world.settings().space, &bodies)
}
