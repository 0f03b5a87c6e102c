//! Files of LAMMPS: text dumps of frames, and a data file of one frame in the atom style `sphere`.
//!
//! Source: the pages `dump` and `read_data` of <https://docs.lammps.org>. A type is a species. Along an open axis the box
//! ends where the balls of the frame do. All numbers have the digits that read back to the same bits.

use std::fmt::Write;
use std::path::Path;

use crate::record::export::balls::{self, Ball};
use crate::record::export::error::ExportError;
use crate::record::export::pen::{Pen, push_number, push_numbers};
use crate::record::export::roster::Roster;
use crate::record::files::WriteError;
use crate::scenario::sphere_volume;
use crate::world::World;

/// A dump that is being written.
pub(crate) struct Dump {
    pen: Pen,
    frames: u64,
}

/// A data file that is being written.
pub(crate) struct Data(Pen);

impl Dump {
    pub(crate) fn begin(place: &Path, roster: &Roster) -> Result<Self, ExportError> {
        balls::free(roster)?;
        Ok(Self { pen: Pen::create(place)?, frames: 0 })
    }

    pub(crate) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), WriteError> {
        let balls: Vec<Ball<'_>> = balls::present(world, roster).collect();
        let flags = world.settings().space.periods.map(|period| if period.is_some() { "pp" } else { "ff" }).join(" ");
        let (frame, count) = (self.frames, balls.len());
        let mut text = format!("ITEM: TIME\n{}\nITEM: TIMESTEP\n{frame}\n", world.now());
        // Writing into a string cannot fail.
        let _ = writeln!(text, "ITEM: NUMBER OF ATOMS\n{count}\nITEM: BOX BOUNDS {flags}");
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
        self.frames += 1;
        self.pen.put(text.as_bytes())
    }

    pub(crate) fn finish(self) -> Result<(), WriteError> {
        self.pen.finish()
    }
}

impl Data {
    pub(crate) fn begin(place: &Path, roster: &Roster) -> Result<Self, ExportError> {
        balls::free(roster)?;
        Ok(Self(Pen::create(place)?))
    }

    pub(crate) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), WriteError> {
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
        self.0.put(text.as_bytes())
    }

    pub(crate) fn finish(self) -> Result<(), WriteError> {
        self.0.finish()
    }
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
    std::array::from_fn(|axis| match world.settings().space.periods[axis] {
        Some(period) => [period.min, period.max],
        None => {
            let end = |ball: &Ball<'_>, sign: f64| world.state(ball.member.id).position[axis] + sign * ball.radius;
            let low = balls.iter().map(|ball| end(ball, -1.0)).fold(f64::INFINITY, f64::min);
            let high = balls.iter().map(|ball| end(ball, 1.0)).fold(f64::NEG_INFINITY, f64::max);
            if low < high { [low, high] } else { [0.0, 1.0] }
        }
    })
}
