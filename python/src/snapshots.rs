//! Snapshots: a simulation returns to an earlier instant, in this process or in another one.

use carom::motion::SimTime;
use carom::record::snapshot_hash;
use pyo3::prelude::*;

use crate::pickle::{Moment, Pieces, made, pieces};
use crate::simulation::Simulation;
use crate::time::fraction;

/// The complete physical state at one instant.
#[pyclass(frozen, module = "carom")]
pub(crate) struct Snapshot(Moment);

impl Snapshot {
    fn now(&self) -> SimTime {
        self.0.snapshot.now()
    }
}

#[pymethods]
impl Snapshot {
    /// When it was taken, s.
    #[getter]
    fn time(&self) -> f64 {
        self.now().seconds()
    }

    /// When it was taken, s, as a `fractions.Fraction`.
    #[getter]
    fn time_exact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(self.now(), py)
    }

    /// The hash of every bit of the state.
    #[getter]
    fn hash(&self) -> String {
        snapshot_hash(&self.0.snapshot)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.snapshot == other.0.snapshot
    }

    fn __hash__(&self) -> u64 {
        let hash = snapshot_hash(&self.0.snapshot);
        u64::from_str_radix(&hash[..16], 16).unwrap_or_default()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pieces<'py>> {
        pieces(slf, &slf.get().0)
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        made(bytes).map(Self)
    }

    fn __repr__(&self) -> String {
        format!("<carom.Snapshot at {} s>", self.time())
    }
}

#[pymethods]
impl Simulation {
    /// The complete physical state now.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Snapshot> {
        self.detached(py, |state| {
            let snapshot = state.world()?.snapshot();
            let (clock, has_begun, deeds) = (state.clock, state.has_begun, state.deeds.clone());
            Ok(Snapshot(Moment { clock, has_begun, deeds, snapshot }))
        })
    }

    /// Returns to a snapshot of this simulation. Events that were not taken are lost, and commands that were given
    /// since are forgotten, also those for a time to come.
    fn restore(&self, py: Python<'_>, snapshot: &Snapshot) -> PyResult<()> {
        let _running = self.begin()?;
        self.detached(py, |state| state.restore(&snapshot.0))
    }
}
