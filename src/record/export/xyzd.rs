//! Packings of the program packing-generation (V. Baranov): for each ball its centre, counted from the lower corner of
//! the periodic cell, and its diameter, as four numbers of 64 bits in little-endian order.

use std::path::Path;

use super::balls::{self, Ball};
use super::error::ExportError;
use super::pen::Pen;
use super::roster::Roster;
use crate::record::files::WriteError;
use crate::world::World;

/// A packing that is being written.
pub(super) struct Xyzd(Pen);

impl Xyzd {
    pub(super) fn begin(place: &Path, roster: &Roster) -> Result<Self, ExportError> {
        balls::radii(roster)?;
        Ok(Self(Pen::create(place)?))
    }

    pub(super) fn frame(&mut self, world: &World, roster: &Roster) -> Result<(), WriteError> {
        let corner = world.settings().space.periods.map(|period| period.map_or(0.0, |period| period.min));
        for Ball { member, radius } in balls::present(world, roster) {
            let [x, y, z] = world.state(member.id).position.to_array();
            for number in [x - corner[0], y - corner[1], z - corner[2], 2.0 * radius] {
                self.0.put(&number.to_le_bytes())?;
            }
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        self.0.finish()
    }
}
