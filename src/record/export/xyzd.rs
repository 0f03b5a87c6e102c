//! Packings of the program packing-generation (V. Baranov): for each ball its centre, counted from the lower corner of
//! the periodic cell, and its diameter, as four numbers of 64 bits in little-endian order.

use super::balls::{self, Ball};
use super::roster::Roster;
use crate::world::World;

pub(super) fn packing(world: &World, roster: &Roster) -> Vec<u8> {
    let corner = world.settings().space.periods.map(|period| period.map_or(0.0, |period| period.min));
    let mut bytes = Vec::new();
    for Ball { member, radius } in balls::present(world, roster) {
        let [x, y, z] = world.state(member.id).position.to_array();
        for number in [x - corner[0], y - corner[1], z - corner[2], 2.0 * radius] {
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}
