//! Computes the hash of a step on another thread while the world goes on.

use std::cell::OnceCell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::format::{Hash, Step};
use crate::world::Snapshot;

/// Least number of bodies for which a helper thread computes the hash. With fewer bodies, waking the thread takes
/// longer than the hash.
const HELPED: usize = 1_000;

/// The channels that send states to the thread and return their hashes.
type Helper = (Sender<Snapshot>, Receiver<Hash>);

/// Computes the hashes of steps, one after another.
#[derive(Default)]
pub(super) struct Hashing {
    /// The helper, started with the first large state; `None` inside if no thread could be started.
    helper: OnceCell<Option<Helper>>,
    /// The step that has begun and not yet ended.
    pending: Option<Step>,
    /// Whether its hash is still to come from the helper.
    is_awaited: bool,
    buffer: Vec<u8>,
}

impl Hashing {
    /// Begins a step that lacks only its hash. The step before must have [ended](Self::end).
    pub(super) fn begin(&mut self, step: Step, snapshot: Snapshot) {
        debug_assert!(self.pending.is_none(), "the hash of one step at a time");
        let large = snapshot.count() >= HELPED;
        let helper = if large { self.helper.get_or_init(helper).as_ref() } else { None };
        self.is_awaited = helper.is_some();
        self.pending = Some(match helper {
            Some((states, _)) => {
                states.send(snapshot).expect("the helper waits for states");
                step
            }
            None => Step { hash: self.hash(&snapshot), ..step },
        });
    }

    /// The step that has begun, with its hash; waits for the hash.
    pub(super) fn end(&mut self) -> Option<Step> {
        let step = self.pending.take()?;
        Some(match self.helper.get() {
            Some(Some((_, hashes))) if self.is_awaited => {
                Step { hash: hashes.recv().expect("the helper answers"), ..step }
            }
            _ => step,
        })
    }

    /// The hash of a state, computed here.
    pub(super) fn hash(&mut self, snapshot: &Snapshot) -> Hash {
        Hash::of(snapshot, &mut self.buffer)
    }
}

/// Starts a thread that returns the hash of each state, until the channel is closed.
fn helper() -> Option<Helper> {
    let ((states, asked), (answer, hashes)) = (channel::<Snapshot>(), channel());
    let work = move || {
        let mut buffer = Vec::new();
        for snapshot in asked {
            if answer.send(Hash::of(&snapshot, &mut buffer)).is_err() {
                return;
            }
        }
    };
    thread::Builder::new().name("hashes".to_owned()).spawn(work).ok()?;
    Some((states, hashes))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::dynamics::{Body, Settings};
    use crate::world::World;

    #[test]
    fn a_helper_or_none_it_is_the_same_hash() {
        for count in [1, HELPED - 1, HELPED] {
            let ball =
                |row: usize| Body::sphere(0.25, 1.0).unwrap().at(DVec3::X * row as f64).moving(DVec3::Y * row as f64);
            let named: Vec<_> = (0..count).map(|row| (format!("{row:04}"), ball(row))).collect();
            let mut world = World::new(Settings::default(), named).unwrap();
            let alone = Hashing { helper: OnceCell::from(None), ..Hashing::default() };
            let mut all = [Hashing::default(), alone];
            for number in 0..10 {
                world.step(0.1).unwrap();
                let snapshot = world.snapshot();
                let wanted = Hash::of(&snapshot, &mut Vec::new());
                for hashing in &mut all {
                    assert_eq!(hashing.end(), None);
                    let step = Step { step: number, time: world.now(), hash: Hash::default(), commands: Vec::new() };
                    hashing.begin(step.clone(), snapshot.clone());
                    assert_eq!((hashing.hash(&snapshot), hashing.end()), (wanted, Some(Step { hash: wanted, ..step })));
                }
            }
            let helped = all.map(|hashing| hashing.helper.get().is_some_and(Option::is_some));
            assert_eq!(helped, [count >= HELPED, false], "{count}");
        }
    }
}
