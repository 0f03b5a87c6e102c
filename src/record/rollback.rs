//! The state of a world in bytes, to go back to it: for rollback, and for the state of another machine.
//!
//! The bytes have the version of their layout, a hash of what no command changes, and the snapshot. They are sealed, so
//! any damage is found.

use thiserror::Error;
use twox_hash::XxHash3_128;

use super::recording::RECORDING_SCHEMA;
use super::sealed::{SealError, begin, opened, seal_into};
use crate::world::snapshot::Thin;
use crate::world::{RestoreError, Snapshot, World};

/// Why a world cannot go on from these bytes.
#[derive(Debug, Clone, PartialEq, Error)]
#[expect(missing_docs, reason = "the messages say it")]
#[non_exhaustive]
pub enum BytesError {
    /// They are not as they were written, or not a state.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// Another version of carom has written them.
    #[error("the bytes are a state of format {found}; this carom reads format {RECORDING_SCHEMA}")]
    OtherVersion { found: u32 },
    /// Settings, names, shapes, masses or other properties differ.
    #[error("the bytes are the state of a world with other settings or bodies")]
    OtherWorld,
    /// Commands have brought other bodies there than here.
    #[error(transparent)]
    Restore(#[from] RestoreError),
}

impl World {
    /// Writes the present physical state, as [`snapshot`](Self::snapshot) has it, into `buffer`. What was in the buffer
    /// is replaced, and its memory is used again. A ball in flight needs about 110 bytes, and 50 more if it spins.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Body, Settings, World};
    ///
    /// let settings = Settings { gravity: DVec3::Z * -10.0, ..Settings::default() };
    /// let mut world = World::new(settings, [("ball", Body::sphere(0.5, 1.0)?)])?;
    /// let mut frame = Vec::new();
    /// world.save_into(&mut frame);
    /// world.step(1.0)?;
    /// // An input for the beginning comes late: back, and once more.
    /// world.restore_from(&frame)?;
    /// world.kick(world.id("ball").unwrap(), DVec3::Z * 10.0)?;
    /// world.step(1.0)?;
    /// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::Z * 5.0);
    /// # Ok::<_, Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_into(&self, buffer: &mut Vec<u8>) {
        let snapshot = self.snapshot();
        let worlds = self.hash_of(&snapshot).expect("its own bodies are known");
        seal_into(&(RECORDING_SCHEMA, worlds, Thin::new(snapshot)), buffer);
    }

    /// Goes on from bytes that [`save_into`](Self::save_into) has written, here or on another machine, as
    /// [`restore`](Self::restore) does from a snapshot. The world needs the same settings and bodies as that one, the
    /// same scheduled commands up to that instant, and all bodies that were spawned there by hand.
    ///
    /// # Errors
    /// [`BytesError`] when the bytes are damaged, of another version, or of another world; the world is then unchanged.
    pub fn restore_from(&mut self, bytes: &[u8]) -> Result<(), BytesError> {
        let (found, rest) = begin(opened(bytes)?)?;
        if found != RECORDING_SCHEMA {
            return Err(BytesError::OtherVersion { found });
        }
        let ((worlds, thin), rest) = begin::<([u8; 16], Thin)>(rest)?;
        if !rest.is_empty() {
            return Err(SealError::Foreign.into());
        }
        let snapshot = thin.whole()?;
        if self.hash_of(&snapshot)? != worlds {
            return Err(BytesError::OtherWorld);
        }
        Ok(self.restore(&snapshot)?)
    }

    /// The hash of what no command changes: the settings without gravity, and of each present body the name and all
    /// properties with which it came but its motion.
    fn hash_of(&self, snapshot: &Snapshot) -> Result<[u8; 16], RestoreError> {
        let first = self.beginning(|settings, bodies| {
            let mut hasher = XxHash3_128::new();
            add(&mut hasher, settings);
            bodies.for_each(|body| add(&mut hasher, &body));
            hasher.finish_128()
        });
        let mut hasher = XxHash3_128::new();
        add(&mut hasher, &first);
        self.came_later(snapshot)?.iter().for_each(|body| add(&mut hasher, body));
        Ok(hasher.finish_128().to_le_bytes())
    }
}

fn add<T: serde::Serialize>(hasher: &mut XxHash3_128, data: &T) {
    hasher.write(&postcard::to_stdvec(data).expect("plain data can be written"));
}
