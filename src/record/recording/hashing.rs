//! The hash of a step, taken on another thread while the world goes on.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use super::{Hash, Step};
use crate::world::Snapshot;

/// Takes the hashes of steps, one after another.
pub(super) struct Hashing {
    /// Where states go and their hashes come from; none where there are no threads.
    helper: Option<(Sender<Snapshot>, Receiver<Hash>)>,
    /// The step whose hash is still to come.
    pending: Option<Step>,
    buffer: Vec<u8>,
}

impl Hashing {
    pub(super) fn new() -> Self {
        Self { helper: helper(), pending: None, buffer: Vec::new() }
    }

    /// Begins with a step, of which all but the hash is said. The one before is [ended](Self::end).
    pub(super) fn begin(&mut self, step: Step, snapshot: Snapshot) {
        debug_assert!(self.pending.is_none(), "the hash of one step at a time");
        let hash = match &self.helper {
            Some((states, _)) => {
                states.send(snapshot).expect("the helper waits for states");
                step.hash
            }
            None => self.hash(&snapshot),
        };
        self.pending = Some(Step { hash, ..step });
    }

    /// The step that was begun with, and its hash; waits for it.
    pub(super) fn end(&mut self) -> Option<Step> {
        let step = self.pending.take()?;
        let hash = self.helper.as_ref().map(|(_, hashes)| hashes.recv().expect("the helper answers"));
        Some(Step { hash: hash.unwrap_or(step.hash), ..step })
    }

    /// The hash of a state, at once.
    pub(super) fn hash(&mut self, snapshot: &Snapshot) -> Hash {
        Hash::of(snapshot, &mut self.buffer)
    }
}

/// A thread that answers each state with its hash, until nobody can ask any more.
fn helper() -> Option<(Sender<Snapshot>, Receiver<Hash>)> {
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
    use super::*;
    use crate::dynamics::{Body, Settings};
    use crate::world::World;

    #[test]
    fn a_helper_or_none_it_is_the_same_hash() {
        let mut world = World::new(Settings::default(), [("ball", Body::sphere(1.0, 1.0).unwrap())]).unwrap();
        let alone = Hashing { helper: None, ..Hashing::new() };
        let mut all = [Hashing::new(), alone];
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
    }
}
