//! Trajectories of GSD in the schema `hoomd`, version 1.4, for HOOMD-blue and its tools.
//!
//! Its box has its middle at 0, so positions count from the middle of the periodic cell. Along an open axis the box
//! ends where the balls of the frame do, as far to both sides. That of a planar world has two dimensions, and no
//! height. Numbers have 32 bits.

mod file;

use std::path::Path;

use self::file::Writer;
use crate::dynamics::Period;
use crate::record::export::balls::{self, Ball};
use crate::record::export::error::ExportError;
use crate::record::export::roster::Roster;
use crate::record::files::WriteError;
use crate::world::World;

/// A trajectory that is being written.
pub(super) struct Gsd {
    file: Writer,
    /// The names of the types, one after the other, each as long as the longest.
    types: Vec<u8>,
    /// How many bytes each of them has.
    width: usize,
    /// The rows of the species that are types.
    species: Vec<usize>,
}

/// The columns of a frame.
#[derive(Default)]
struct Columns {
    /// The edges of the box and its tilts.
    sides: [f32; 6],
    type_ids: Vec<u32>,
    masses: Vec<f32>,
    diameters: Vec<f32>,
    positions: Vec<f32>,
    velocities: Vec<f32>,
    /// How many periods a ball is away from where the file shows it.
    images: Vec<i32>,
}

impl Gsd {
    pub(super) fn begin(place: &Path, roster: &Roster) -> Result<Self, ExportError> {
        balls::free(roster)?;
        let solids = roster.members.iter().filter(|member| !member.is_sensor);
        let mut species: Vec<usize> = solids.map(|member| member.species).collect();
        species.sort_unstable();
        species.dedup();
        let names = types(&species.iter().map(|&row| roster.species[row].as_str()).collect::<Vec<_>>());
        let width = 1 + names.iter().map(String::len).max().unwrap_or_default();
        let types = names.into_iter().flat_map(|name| {
            let mut bytes = name.into_bytes();
            bytes.resize(width, 0);
            bytes
        });
        Ok(Self { file: Writer::begin(place)?, types: types.collect(), width, species })
    }

    pub(super) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), ExportError> {
        let columns = self.columns(world, roster)?;
        let bytes = |numbers: &[f32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
        let count = columns.type_ids.len() as u32;
        self.file.frame([
            (1, self.file.frames().to_le_bytes().to_vec()),
            // Three dimensions are the default of the schema.
            (1, if world.settings().space.is_planar { vec![2] } else { Vec::new() }),
            (1, bytes(&columns.sides)),
            (1, count.to_le_bytes().to_vec()),
            (self.width as u32, self.types.clone()),
            (1, columns.type_ids.iter().flat_map(|id| id.to_le_bytes()).collect()),
            (1, bytes(&columns.masses)),
            (1, bytes(&columns.diameters)),
            (3, bytes(&columns.positions)),
            (3, bytes(&columns.velocities)),
            (3, columns.images.iter().flat_map(|image| image.to_le_bytes()).collect()),
            (1, world.now().seconds().to_le_bytes().to_vec()),
        ])?;
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        self.file.finish()
    }

    fn columns(&self, world: &World, roster: &Roster) -> Result<Columns, ExportError> {
        let mut columns = Columns::default();
        let periods = world.settings().space.periods;
        let mut open = [0.0_f64; 3];
        for Ball { member, radius } in balls::present(world, roster) {
            let lost = |what: &str| ExportError::NoSingle { what: format!("the {what} of `{}`", member.name) };
            let single = |number: f64, what: &str| {
                let rounded = number as f32;
                if rounded.is_finite() { Ok(rounded) } else { Err(lost(what)) }
            };
            let size = |number: f64, what: &str| {
                single(number, what).and_then(|found| if found > 0.0 { Ok(found) } else { Err(lost(what)) })
            };
            let rank = self.species.iter().position(|&row| row == member.species);
            columns.type_ids.push(rank.unwrap_or_default() as u32);
            columns.masses.push(size(member.mass.unwrap_or_default(), "mass")?);
            let diameter = size(2.0 * radius, "diameter")?;
            columns.diameters.push(diameter);
            let state = world.state(member.id);
            for (axis, turns) in world.turns(member.id).into_iter().enumerate() {
                let (place, turns) = match &periods[axis] {
                    Some(period) => centred(state.position[axis], turns, period),
                    None => (single(state.position[axis], "position")?, turns),
                };
                open[axis] = open[axis].max(f64::from(place).abs() + f64::from(diameter) / 2.0);
                columns.positions.push(place);
                columns.images.push(i32::try_from(turns).map_err(|_| lost("image"))?);
                columns.velocities.push(single(state.velocity[axis], "velocity")?);
            }
        }
        for axis in 0..if world.settings().space.is_planar { 2 } else { 3 } {
            let side = match &periods[axis] {
                Some(period) => period.length() as f32,
                None if open[axis] > 0.0 => upwards(2.0 * open[axis]),
                None => 1.0,
            };
            if !(side > 0.0 && side.is_finite()) {
                return Err(ExportError::NoSingle { what: "an edge of the box".to_owned() });
            }
            columns.sides[axis] = side;
        }
        Ok(columns)
    }
}

/// A place that counts from the middle of a period, within the rounded period, and how many periods it is away.
fn centred(place: f64, turns: i64, period: &Period) -> (f32, i64) {
    let half = period.length() as f32 / 2.0;
    let place = (place - (period.min + period.length() / 2.0)) as f32;
    if place >= half { (-half, turns + 1) } else { (place.max(-half), turns) }
}

/// The least number of 32 bits that is not less.
fn upwards(number: f64) -> f32 {
    let nearest = number as f32;
    if f64::from(nearest) < number { nearest.next_up() } else { nearest }
}

/// The names of types: the last parts of the names of the species. If bodies of these names would have another order, a
/// number stands before each, so that an import keeps the order.
fn types(species: &[&str]) -> Vec<String> {
    let last = |name: &&str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let names: Vec<String> = species.iter().map(last).collect();
    if names.is_sorted_by(|a, b| format!("{a}/") < format!("{b}/")) {
        return names;
    }
    let width = names.len().to_string().len();
    names.iter().enumerate().map(|(row, name)| format!("{:0width$}_{name}", row + 1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_types_are_short_and_in_order_and_those_of_an_import_stay() {
        let rows: [(&[&str], &[&str]); 4] = [
            (&["gas/large", "gas/small"], &["large", "small"]),
            (&["a/z", "b/y"], &["1_z", "2_y"]),
            (&["a/x", "b/x"], &["1_x", "2_x"]),
            (&["a", "a b"], &["1_a", "2_a b"]),
        ];
        for (species, wanted) in rows {
            assert_eq!(types(species), wanted);
            let again: Vec<String> = wanted.iter().map(|name| format!("spheres/{name}")).collect();
            assert_eq!(types(&again.iter().map(String::as_str).collect::<Vec<_>>()), wanted);
        }
    }

    #[test]
    fn a_rounded_place_is_within_the_rounded_period() {
        let period = Period { min: 0.1, max: 0.4 };
        let half = 0.3_f64 as f32 / 2.0;
        assert_eq!(centred(0.1, 2, &period), (-half, 2));
        assert_eq!(centred(0.4_f64.next_down(), 2, &period), (-half, 3));
        assert_eq!(centred(0.25, 0, &period), (0.0, 0));
        assert!(f64::from(upwards(0.1)) >= 0.1 && upwards(0.1) == 0.1 && upwards(0.5) == 0.5);
    }
}
