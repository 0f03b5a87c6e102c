//! The limit on the impacts of one body per step, and the error when a body exceeds it.
//!
//! The limit turns a run without end (infinitely many impacts in finite time) into an error that names the body. If the
//! body is between two others of prescribed velocity that approach each other, the error is [`RunError::Squeezed`].

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::error::RunError;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::geometry::gap;
use crate::motion::SimTime;
use crate::numeric::tolerance::TIME_MAX;

/// Counts one more impact of `body` in this step.
#[inline]
pub(in crate::dynamics) fn count_work(sim: &mut Simulation, body: BodyId, partner: BodyId) -> Result<(), RunError> {
    let work = &mut sim.counters.work[body.index()];
    if work.step != sim.counters.step {
        (work.step, work.impacts) = (sim.counters.step, 0);
    }
    work.impacts += 1;
    if work.impacts <= sim.scene.settings.impacts_max || !sim.scene.rows.is_free(body) {
        return Ok(());
    }
    Err(too_many_impacts(sim, body, partner))
}

/// The reason why a body has more impacts in one step than the limit.
#[cold]
fn too_many_impacts(sim: &Simulation, body: BodyId, partner: BodyId) -> RunError {
    let work = &sim.counters.work[body.index()];
    let supports = work.supports();
    let closes = supports.and_then(|supports| sim.scene.closes_in(body, supports));
    match supports.zip(closes) {
        Some((supports, time)) => RunError::Squeezed { body, supports, time },
        None => RunError::Stalled { body, partner, impacts: work.impacts, time: sim.scene.now },
    }
}

impl Scene {
    /// When two bodies of prescribed velocity that approach each other leave no space for `body` between them. `None`
    /// if they do not.
    fn closes_in(&self, body: BodyId, supports: [BodyId; 2]) -> Option<SimTime> {
        let rows = &self.rows;
        if supports.iter().any(|&id| rows.is_free(id)) {
            return None;
        }
        let (mut space, mut speed) = (0.0, 0.0);
        for id in supports {
            let pair = Pair::new(body, id, [0; 3]);
            let offset = pair.motion(rows, &self.settings.space, self.now).position;
            let [a, b] = self.solids(pair, 0);
            let found = gap(a, b, offset)?;
            let inward = if body == pair.a { -found.normal } else { found.normal };
            space += found.separation.max(0.0);
            speed += inward.dot(rows.path(id).velocity_at(self.now));
        }
        let time = space / speed;
        (speed > 0.0 && time < TIME_MAX).then(|| self.now.plus(time))
    }
}
