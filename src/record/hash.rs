//! Hashes of the state of a world.
//!
//! The state hash covers the observable state: BLAKE3 over the present time and, for every body in the order of the
//! names, its name and the bits of its position, velocity and spin. Two worlds with the same hash have the same
//! observable state.

use crate::motion::SimTime;
use crate::world::{Snapshot, World};

/// Bytes in one call of the hash function: enough for BLAKE3 to process many of its chunks at once. A power of two,
/// because BLAKE3 processes as many chunks at once as divide the number of bytes before them.
const TOGETHER: usize = 1 << 16;

/// The hash of the present state, as 64 hexadecimal digits.
pub fn state_hash(world: &World) -> String {
    let (mut hasher, mut bytes) = (blake3::Hasher::new(), Vec::with_capacity(2 * TOGETHER));
    add_time(&mut bytes, world.now());
    for id in world.ids() {
        let (name, state) = (world.name(id), world.state(id));
        bytes.extend_from_slice(&(name.len() as u64).to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        let mut numbers = [[0; 8]; 9];
        for (rank, vector) in [state.position, state.velocity, state.spin].into_iter().enumerate() {
            for axis in 0..3 {
                numbers[3 * rank + axis] = number_bytes(vector[axis]);
            }
        }
        bytes.extend_from_slice(numbers.as_flattened());
        while let Some(piece) = bytes.get(..TOGETHER) {
            hasher.update(piece);
            bytes.drain(..TOGETHER);
        }
    }
    hasher.update(&bytes).finalize().to_hex().to_string()
}

/// The hash of a whole snapshot, as 64 hexadecimal digits: of every bit of the physical state, with contacts, bodies
/// advanced by time steps, energy accounts and counters. Two worlds with the same bodies and settings whose snapshots
/// have the same hash have the same future.
///
/// The input is the snapshot in the format of `postcard`, so the hash changes with the layout of the snapshot. The
/// [`state_hash`] does not.
///
/// # Panics
/// Never: a snapshot is plain data, which can always be written.
pub fn snapshot_hash(snapshot: &Snapshot) -> String {
    let bytes = postcard::to_stdvec(snapshot).expect("plain data can be written");
    blake3::hash(&bytes).to_hex().to_string()
}

/// The hash of a text, as 64 hexadecimal digits.
pub fn text_hash(text: &str) -> String {
    bytes_hash(text.as_bytes())
}

/// The hash of the content of a file, as 64 hexadecimal digits.
pub(super) fn bytes_hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}

fn add_time(bytes: &mut Vec<u8>, time: SimTime) {
    bytes.extend_from_slice(&time.ticks().to_le_bytes());
    bytes.extend_from_slice(&number_bytes(time.rest()));
}

/// The sum turns −0 into 0, which is the same position and velocity.
fn number_bytes(number: f64) -> [u8; 8] {
    (number + 0.0).to_bits().to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::{Body, BodyId, Settings};
    use glam::DVec3;

    #[test]
    fn every_part_of_the_state_counts_and_the_sign_of_zero_does_not() {
        let ball = || Body::sphere(1.0, 1.0).unwrap();
        let hash = |name: &str, body: Body| state_hash(&World::new(Settings::default(), [(name, body)]).unwrap());
        let still = hash("a", ball());
        assert_eq!(hash("a", ball().at(-DVec3::ZERO).moving(-DVec3::ZERO).spinning(-DVec3::ZERO)), still);
        let tiny = DVec3::Z * 1e-300;
        let others = [("b", ball()), ("a", ball().at(tiny)), ("a", ball().moving(tiny)), ("a", ball().spinning(tiny))];
        let mut hashes: Vec<String> = others.into_iter().map(|(name, body)| hash(name, body)).collect();
        hashes.push(still);
        hashes.sort();
        hashes.dedup();
        assert_eq!(hashes.len(), 5);
    }

    #[test]
    fn the_hash_of_a_snapshot_knows_what_one_does_not_see() {
        let world = |bodies: Vec<(&str, Body)>| World::new(Settings::default(), bodies).unwrap();
        let ball = || Body::sphere(1.0, 1.0).unwrap();
        let (still, mut passed) = (world(vec![("a", ball())]), world(vec![("a", ball())]));
        passed.kick(BodyId(0), DVec3::X).unwrap();
        passed.spawn("b", &ball().at(DVec3::X * 9.0)).unwrap();
        passed.kick(BodyId(0), -DVec3::X).unwrap();
        passed.despawn(BodyId(1)).unwrap();
        assert_eq!(state_hash(&still), state_hash(&passed));
        let [still_hash, passed_hash] = [&still, &passed].map(|world| snapshot_hash(&world.snapshot()));
        assert_ne!(still_hash, passed_hash, "another body was there");
        let again = world(vec![("a", ball())]);
        assert_eq!(snapshot_hash(&again.snapshot()), still_hash);
    }
}
