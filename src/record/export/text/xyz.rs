//! Extended XYZ: for each frame the number of bodies, a line of keys and a line for each body.
//!
//! Source: the extended XYZ specification of the libAtoms project, <https://github.com/libAtoms/extxyz>. The columns
//! have the names that OVITO uses. ASE takes `species` for chemical elements, so each species has the symbol of one,
//! and its own name stands in the column `kind`. All numbers have the digits that read back to the same bits.

use std::fmt::Write;

use glam::DVec3;

use super::cell::ends;
use crate::dynamics::{Space, State};
use crate::geometry::Shape;
use crate::record::export::error::ExportError;
use crate::record::export::pen::{push_number, push_numbers};
use crate::record::export::roster::{Member, Roster};
use crate::world::World;

const PROPERTIES: &str = "species:S:1:id:I:1:pos:R:3:velo:R:3:angular_velocity:R:3:radius:R:1";

/// Symbols for species, in their order; species beyond have the symbol of no element, X.
const SYMBOLS: [&str; 54] = [
    "H", "He", "Li", "Be", "B", "C", "N", "O", "F", "Ne", "Na", "Mg", "Al", "Si", "P", "S", "Cl", "Ar", "K", "Ca",
    "Sc", "Ti", "V", "Cr", "Mn", "Fe", "Co", "Ni", "Cu", "Zn", "Ga", "Ge", "As", "Se", "Br", "Kr", "Rb", "Sr", "Y",
    "Zr", "Nb", "Mo", "Tc", "Ru", "Rh", "Pd", "Ag", "Cd", "In", "Sn", "Sb", "Te", "I", "Xe",
];

/// What all frames of a file share.
pub(crate) struct Xyz {
    /// Whether a column is needed that distinguishes boxes from balls.
    has_boxes: bool,
}

/// A ball or a box at an instant, as its line has it.
struct Row<'a> {
    member: &'a Member,
    state: State,
    /// Zero for a box.
    radius: f64,
    /// Half the edges of a box; zero for a ball.
    half: DVec3,
}

impl Xyz {
    pub(crate) fn new(roster: &Roster) -> Result<Self, ExportError> {
        let shown = || roster.members.iter().filter(|member| size(member).is_some());
        if shown().next().is_none() {
            return Err(ExportError::NoBodies);
        }
        Ok(Self { has_boxes: shown().any(|member| matches!(member.shape, Shape::Box(_))) })
    }

    pub(crate) fn frame(&self, world: &World, roster: &Roster) -> String {
        let rows: Vec<Row<'_>> = roster.members.iter().filter_map(|member| row(world, member)).collect();
        let mut text = format!("{}\n", rows.len());
        push_cell(&mut text, &world.settings().space, &rows);
        let shape = if self.has_boxes { ":aspherical_shape:R:3" } else { "" };
        // Writing into a string cannot fail.
        let _ = writeln!(text, "Properties={PROPERTIES}{shape}:kind:S:1 Time={}", world.now());
        for row in &rows {
            let symbol = SYMBOLS.get(row.member.species).unwrap_or(&"X");
            let _ = write!(text, "{symbol} {}", row.member.id.0);
            let vectors = [row.state.position, row.state.velocity, row.state.spin];
            push_numbers(&mut text, vectors.iter().flat_map(DVec3::to_array).chain([row.radius]));
            if self.has_boxes {
                push_numbers(&mut text, row.half.to_array());
            }
            text.push(' ');
            push_word(&mut text, &roster.species[row.member.species]);
            text.push('\n');
        }
        text
    }
}

fn row<'a>(world: &World, member: &'a Member) -> Option<Row<'a>> {
    let (radius, half) = size(member).filter(|_| world.is_present(member.id))?;
    Some(Row { member, state: world.state(member.id), radius, half })
}

/// Radius and half edges of a body that has a line.
pub(crate) fn size(member: &Member) -> Option<(f64, DVec3)> {
    match &member.shape {
        _ if member.is_sensor => None,
        Shape::Sphere(radius) => Some((radius.get(), DVec3::ZERO)),
        Shape::Box(half) => Some((0.0, half.get())),
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => None,
    }
}

/// The periodic cell, if any axis is periodic. Along an open axis the cell ends where the bodies of the frame do.
fn push_cell(text: &mut String, space: &Space, rows: &[Row<'_>]) {
    let flags = space.periods.map(|period| if period.is_some() { "T" } else { "F" }).join(" ");
    if space.periods.iter().any(Option::is_some) {
        let ends = ends(space, &rows.iter().map(|row| (row.state.position, row.half + row.radius)));
        let edges = (0..9).map(|place| if place % 4 == 0 { ends[place / 4][1] - ends[place / 4][0] } else { 0.0 });
        push_quoted(text, "Lattice", edges);
        push_quoted(text, "Origin", ends.iter().map(|end| end[0]));
    }
    let _ = write!(text, "pbc=\"{flags}\" ");
}

fn push_quoted(text: &mut String, key: &str, numbers: impl Iterator<Item = f64>) {
    let _ = write!(text, "{key}=\"");
    for (place, number) in numbers.enumerate() {
        if place > 0 {
            text.push(' ');
        }
        push_number(text, number);
    }
    text.push_str("\" ");
}

/// Adds a name as one word: a blank in it would end the column, and a quotation mark or a bracket might open a list.
fn push_word(text: &mut String, name: &str) {
    let plain = |letter: char| letter.is_whitespace() || "\"'=[]{},".contains(letter);
    text.extend(name.chars().map(|letter| if plain(letter) { '_' } else { letter }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word() {
        let mut text = String::new();
        push_word(&mut text, "left ball/[a=1]");
        assert_eq!(text, "left_ball/_a_1_");
    }
}
