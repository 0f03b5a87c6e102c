//! Impacts that are left to the next round of an instant, because the others of this round decide what they do.

use super::constraint::ImpactContact;
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Meeting;
use crate::dynamics::few::Few;
use crate::dynamics::prediction::touching::Floor;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;

/// Leaves the impacts that depend on others of the round to the next one, for which they are predicted again.
#[inline]
pub(super) fn put_off(sim: &mut Simulation, impacts: &mut Few<ImpactContact>) {
    if impacts.len() < 2 {
        return;
    }
    let all = impacts.clone();
    put_off_corners(&sim.scene, impacts);
    // Also those without rebound of bodies that bounce off others now. The bounce decides whether they come to rest: an
    // elastic body that is struck on its support bounces off it.
    leave(&sim.scene, impacts, |impact| !impact.rebounds);
    if impacts.len() < all.len() {
        sim.to_predict.bodies.extend(all.iter().flat_map(|impact| sim.scene.free_of(impact.pair)));
    }
}

/// Leaves to the next round the impacts of bodies that have another impact now: those at corners, and those at edges in
/// the plane of the face that the body meets. What they do depends on it: a body that lands on one tile slides over the
/// next.
fn put_off_corners(scene: &Scene, impacts: &mut Few<ImpactContact>) {
    let met = impacts.iter().filter(|impact| impact.row.is_none());
    let floors: Few<Floor> = met.flat_map(|impact| scene.floors_of_impact(impact)).collect();
    let depends = |&ImpactContact { pair, meeting, .. }: &ImpactContact| {
        scene.meets_at_corner(pair, &floors) || scene.meets_flush_edge(pair, meeting.normal, &floors)
    };
    leave(scene, impacts, |impact| impact.row.is_none() && depends(impact));
}

/// Leaves the impacts that wait for others, where their bodies have others in this round.
fn leave(scene: &Scene, impacts: &mut Few<ImpactContact>, waits: impl Fn(&ImpactContact) -> bool) {
    let waiting: Few<bool> = impacts.iter().map(waits).collect();
    let now = impacts.iter().zip(&waiting).filter(|&(_, &waits)| !waits);
    let struck: Few<BodyId> = now.flat_map(|(impact, _)| scene.free_of(impact.pair)).collect();
    let shares = |impact: &ImpactContact| scene.free_of(impact.pair).any(|id| struck.contains(&id));
    let mut waiting = waiting.into_iter();
    impacts.retain(|impact| !(waiting.next() == Some(true) && shares(impact)));
}

impl Scene {
    /// What an impact is for its free bodies, if they stay there: the direction to a floor, and how deep they are in
    /// it, m.
    fn floors_of_impact(&self, impact: &ImpactContact) -> impl Iterator<Item = Floor> {
        let ImpactContact { pair, meeting: Meeting { normal, part, .. }, .. } = *impact;
        let depth = self.depth_along(pair, normal, part, self.now);
        self.free_of(pair).map(move |id| (id, if id == pair.a { normal } else { -normal }, depth))
    }
}
