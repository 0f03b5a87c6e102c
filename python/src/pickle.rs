//! Simulations and snapshots as bytes.
//!
//! A simulation consists of the text of its scenario with its files, the changes from Python, its clock, and a snapshot
//! of its world.

use carom::record::{SealError, sealed, unsealed};
use carom::scenario::{MeshFile, Source, parse};
use carom::world::Snapshot;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::deeds::Deeds;
use crate::errors::Raised;
use crate::origin::Origin;
use crate::state::{Clock, State, resumed};

/// Version of the bytes.
const VERSION: u32 = 5;

/// A simulation as bytes.
#[derive(Serialize, Deserialize)]
struct Pickled {
    version: u32,
    name: String,
    text: String,
    files: Vec<(String, Vec<u8>)>,
    deeds: Deeds,
    clock: Clock,
    has_begun: bool,
    keeps_events: bool,
    snapshot: Snapshot,
}

/// A snapshot with the clock of its simulation and what was done to it by then.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Moment {
    pub(crate) clock: Clock,
    pub(crate) has_begun: bool,
    pub(crate) deeds: Deeds,
    pub(crate) snapshot: Snapshot,
}

impl State {
    /// The whole simulation as bytes, without the events that were not taken.
    pub(crate) fn bytes(&mut self) -> PyResult<Vec<u8>> {
        let snapshot = self.world()?.snapshot();
        let source = self.origin.source();
        let files = self.origin.files().iter().map(|file| (file.name.clone(), file.bytes.to_vec())).collect();
        let (deeds, clock) = (self.deeds.clone(), self.clock);
        let (has_begun, keeps_events) = (self.has_begun, self.keeps_events);
        let Source { name, text, .. } = source;
        let pickled = Pickled { version: VERSION, name, text, files, deeds, clock, has_begun, keeps_events, snapshot };
        Ok(sealed(&pickled))
    }

    /// A simulation from its bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let Pickled { version, name, text, files, deeds, clock, has_begun, keeps_events, snapshot } =
            unsealed(bytes).map_err(unread)?;
        if version != VERSION {
            return Err(PyValueError::new_err("the simulation was pickled by another version of carom"));
        }
        let files = files.into_iter().map(|(name, bytes)| MeshFile { name, bytes: bytes.into() }).collect();
        let source = Source::new(name, &text).with_files(files);
        let origin = Origin::read(parse(&source).map_err(Raised::raised)?.scenario, source);
        let world = resumed(&origin, &deeds, &snapshot)?;
        Ok(Self { deeds, clock, has_begun, keeps_events, ..Self::new(origin, Some(world)) })
    }
}

/// What pickle wants: what makes a value, and its bytes.
pub(crate) type Pieces<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// A value without a simulation, as pickle wants it.
pub(crate) fn pieces<'py, T>(object: &Bound<'py, T>, value: &impl Serialize) -> PyResult<Pieces<'py>> {
    Ok((object.as_any().get_type().getattr("_from_bytes")?, (PyBytes::new(object.py(), &sealed(value)),)))
}

/// The value of its bytes.
pub(crate) fn made<T: DeserializeOwned>(bytes: &[u8]) -> PyResult<T> {
    unsealed(bytes).map_err(unread)
}

fn unread(error: SealError) -> PyErr {
    PyValueError::new_err(format!("it cannot be unpickled: {error}"))
}
