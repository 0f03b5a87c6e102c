//! One number for the whole state of a world.
//!
//! BLAKE3 over every body in the order of the names: its name, its position and its velocity to the bit, and
//! the present. Two worlds with one hash are in the same state.

use crate::motion::SimTime;
use crate::world::World;

/// The hash of the present state, as 64 hexadecimal digits.
pub fn state_hash(world: &World) -> String {
    let mut hasher = blake3::Hasher::new();
    hash_time(&mut hasher, world.now());
    for id in world.ids() {
        let (name, state) = (world.name(id), world.state(id));
        hasher.update(&(name.len() as u64).to_le_bytes());
        hasher.update(name.as_bytes());
        for number in state.position.to_array().into_iter().chain(state.velocity.to_array()) {
            hash_number(&mut hasher, number);
        }
    }
    hasher.finalize().to_hex().to_string()
}

/// The hash of a text, as 64 hexadecimal digits.
pub fn text_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn hash_time(hasher: &mut blake3::Hasher, time: SimTime) {
    hasher.update(&time.whole().to_le_bytes());
    hash_number(hasher, time.fraction());
}

/// The sum turns −0 into 0, which is the same place and speed.
fn hash_number(hasher: &mut blake3::Hasher, number: f64) {
    hasher.update(&(number + 0.0).to_bits().to_le_bytes());
}
