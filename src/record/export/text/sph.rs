//! Snapshots of EDMD: each frame has the number of balls, the edges of the box, and a line for each ball. The line has
//! a letter for its type, its position and its radius.
//!
//! Source: F. Smallenburg, *Efficient event-driven simulations of hard spheres*, European Physical Journal E 45, 22
//! (2022), and the section "Snapshot file format" of the code, <https://github.com/FSmallenburg/EDMD>. Its unit of
//! length is the largest diameter, and its box begins at 0.

use std::fmt::Write;

use crate::dynamics::{Period, Settings};
use crate::record::export::balls::{self, Ball};
use crate::record::export::error::ExportError;
use crate::record::export::pen::{push_number, push_numbers};
use crate::record::export::roster::Roster;
use crate::world::World;

/// Types are the letters of the alphabet, one for each radius.
const TYPES_MAX: usize = 26;

/// What all frames of a file share.
pub(crate) struct Sph {
    periods: [Period; 3],
    /// The radii of all balls, the largest first, m.
    radii: Vec<f64>,
}

impl Sph {
    pub(crate) fn new(roster: &Roster, settings: &Settings) -> Result<Self, ExportError> {
        let [Some(x), Some(y), Some(z)] = settings.space.periods else {
            return Err(not_periodic(settings));
        };
        let mut radii = balls::radii(roster)?;
        radii.sort_by(|a, b| b.total_cmp(a));
        radii.dedup();
        Ok(Self { periods: [x, y, z], radii })
    }

    pub(crate) fn frame(&self, world: &World, roster: &Roster) -> String {
        let unit = 2.0 * self.radii[0];
        let (mut lines, mut count) = (String::new(), 0);
        for Ball { member, radius } in balls::present(world, roster) {
            let position = world.state(member.id).position;
            let place = |axis: usize| (position[axis] - self.periods[axis].min) / unit;
            count += 1;
            lines.push(self.letter(radius));
            push_numbers(&mut lines, [place(0), place(1), place(2), radius / unit]);
            lines.push('\n');
        }
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{count}");
        for (axis, period) in self.periods.iter().enumerate() {
            push_number(&mut text, period.length() / unit);
            text.push(if axis == 2 { '\n' } else { ' ' });
        }
        text + &lines
    }

    /// The type of a radius; if there are more radii than letters, all balls have the type a.
    fn letter(&self, radius: f64) -> char {
        let rank = self.radii.iter().position(|&known| known == radius);
        let row = rank.filter(|_| self.radii.len() <= TYPES_MAX).unwrap_or(0);
        char::from(b'a' + row as u8)
    }
}

fn not_periodic(settings: &Settings) -> ExportError {
    let open = ["x", "y", "z"].into_iter().zip(&settings.space.periods).filter(|(_, period)| period.is_none());
    let open: Vec<&str> = open.map(|(axis, _)| axis).collect();
    let verb = if open.len() == 1 { "is" } else { "are" };
    let axes = match open.as_slice() {
        [x, y, z] => format!("{x}, {y} and {z}"),
        axes => axes.join(" and "),
    };
    ExportError::NotPeriodic { axes, verb }
}
