//! The impacts of a gas.
//!
//! Nearly all are rebounds of two balls with no other event at the same instant. Law, balance and log are those of
//! [`impact`](crate::dynamics::impact), to the bit, which resolves all other impacts.

use glam::DVec3;

use super::Gas;
use super::balls::Balls;
use crate::dynamics::body::moderate;
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::body::path_record::PathRecord;
use crate::dynamics::error::RunError;
use crate::dynamics::few::Few;
use crate::dynamics::impact::constraint::ImpactContact;
use crate::dynamics::impact::instant::{add_if_now, in_order, rounding_of_time};
use crate::dynamics::impact::pair_law::{ContactPoint, approach_speed, resolve};
use crate::dynamics::impact::sphere_pair::resolve_sphere_pair;
use crate::dynamics::impact::{count_impact, count_rapid_impacts, resolve_together};
use crate::dynamics::log::Log;
use crate::dynamics::log::event::{Event, EventKind};
use crate::dynamics::log::groups::group_of_free;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::{BodyId, Impacts};
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::lane::rounded;
use crate::numeric::tolerance::INSTANT_MAX;

/// What an impact has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Struck {
    /// Both balls have new paths.
    Both,
    /// The bodies in the list of changes have new predictions.
    Changed,
    /// The world is no longer a gas.
    Ends,
}

/// Two balls at the instant of their impact.
struct Met {
    ids: [BodyId; 2],
    /// m, in the coordinates of their paths.
    positions: [DVec3; 2],
    /// m/s.
    velocities: [DVec3; 2],
    /// m.
    radii: [f64; 2],
    /// From the first to the second.
    normal: DVec3,
    /// The vector between the centres, m.
    offset: DVec3,
    /// The end of the instant of this impact.
    latest: SimTime,
}

impl Gas {
    /// Resolves the impact of a ball with the other one in its slot, at the present.
    #[inline(always)]
    pub(super) fn strike(&mut self, sim: &mut Simulation, ball: u32) -> Result<Struck, RunError> {
        self.resolved += 1;
        if !self.slots[ball as usize].is_exact {
            let met = self.met(sim, ball);
            if self.is_alone(sim, ball, met.latest) && rebound(sim, &self.balls, &met)? {
                for (id, position) in met.ids.into_iter().zip(met.positions) {
                    let shift = sim.scene.rows.records.get(id).position() - position;
                    let slot = &mut self.slots[id.index()];
                    slot.turn = slot.turn.wrapping_add(1);
                    slot.center += shift;
                }
                return Ok(Struck::Both);
            }
        }
        self.strike_generally(sim, ball)
    }

    /// The two balls of the impact in the slot of a ball.
    #[inline(always)]
    fn met(&self, sim: &Simulation, ball: u32) -> Met {
        let (scene, records) = (&sim.scene, &sim.scene.rows.records);
        let slot = &self.slots[ball as usize];
        let ids = [BodyId(ball.min(slot.other)), BodyId(ball.max(slot.other))];
        let [a, b] = ids.map(|id| records.get(id));
        let now = scene.now;
        let epoch = a.epoch().max(b.epoch());
        let positions = [a, b].map(|record| record.straight_at(now));
        let straight = b.straight_at(epoch) - a.straight_at(epoch);
        let gap = positions[1] - positions[0];
        let turns = &records.common.turns;
        let image = |axis: usize| -rounded(gap[axis] * turns[axis].per_length) * turns[axis].length;
        let shift = DVec3::new(image(0), image(1), image(2));
        let is_far = shift != DVec3::ZERO;
        let (straight, offset) = if is_far { (straight + shift, gap + shift) } else { (straight, gap) };
        let velocities = [a.velocity(), b.velocity()];
        let touching = straight + (velocities[1] - velocities[0]) * slot.time;
        let normal = touching / touching.length();
        let speed = (velocities[0] - velocities[1]).dot(normal).max(0.0);
        let radii = [records.radius(a), records.radius(b)];
        let extent = |record: &PathRecord, radius: f64| radius + record.position().abs().max_element();
        let extents = extent(a, radii[0]) + extent(b, radii[1]);
        let latest = now.plus(rounding_of_time(now.since(epoch), extents, speed).min(INSTANT_MAX));
        Met { ids, positions, velocities, radii, normal, offset, latest }
    }

    /// Whether no other impact can be until `latest`. The entry of the ball itself is taken.
    #[inline(always)]
    fn is_alone(&self, sim: &Simulation, ball: u32, latest: SimTime) -> bool {
        if sim.scene.settings.impacts != Impacts::Together {
            return true;
        }
        let slot = &self.slots[ball as usize];
        let mut next = self.calendar.ready().iter().rev();
        // The partner mostly has an entry for the same impact.
        let first = next.next();
        let is_same = first.is_some_and(|entry| entry.ball == slot.other && self.is_lone_impact_with(slot.other, ball));
        let first = if is_same { next.next() } else { first };
        slot.is_isolated && first.map_or_else(|| self.calendar.ends_after(latest), |entry| entry.time() > latest)
    }

    /// Whether the next event of a ball is an isolated impact with `other`, which has not begun another path.
    #[inline(always)]
    fn is_lone_impact_with(&self, ball: u32, other: u32) -> bool {
        let slot = &self.slots[ball as usize];
        slot.is_isolated & (slot.other == other) & (slot.turn_of_other == self.slots[other as usize].turn)
    }

    /// The same impact by the general code, which also resolves several impacts of one instant.
    #[cold]
    #[inline(never)]
    fn strike_generally(&mut self, sim: &mut Simulation, ball: u32) -> Result<Struck, RunError> {
        let other = self.slots[ball as usize].other;
        let pair = Pair::of_nearest(BodyId(ball), BodyId(other), &sim.scene.rows.records, sim.scene.now);
        match sim.scene.sphere_pair(pair, sim.scene.now) {
            None => sim.to_predict.body(BodyId(ball)),
            Some(met) if self.is_alone(sim, ball, met.latest(&sim.scene)) => resolve_sphere_pair(sim, &met)?,
            Some(_) => {
                let impacts = self.impacts_now(sim, pair, [ball, other]);
                resolve_together(sim, impacts, pair)?;
            }
        }
        let changed = &sim.to_predict;
        let is_ballistic = |&id: &BodyId| sim.scene.rows.records.is_ballistic_sphere(id);
        let is_gas =
            changed.pairs.is_empty() && changed.own_events.is_empty() && changed.bodies.iter().all(is_ballistic);
        Ok(if is_gas { Struck::Changed } else { Struck::Ends })
    }

    /// All impacts at the instant of that of `pair`, as [`resolve_impact`](crate::dynamics::impact::resolve_impact)
    /// finds them.
    fn impacts_now(&self, sim: &Simulation, pair: Pair, balls: [u32; 2]) -> Few<ImpactContact> {
        let scene = &sim.scene;
        let mut impacts: Few<ImpactContact> = scene.impacts(pair, scene.now).collect();
        let Some(first) = impacts.first().filter(|_| scene.settings.impacts == Impacts::Together) else {
            return impacts;
        };
        let latest = scene.latest_of(first);
        let entries = self.calendar.until(latest).into_iter();
        let mut ids: Vec<u32> =
            entries.filter(|entry| self.slots[entry.ball as usize].has(entry)).map(|entry| entry.ball).collect();
        ids.extend(balls);
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            self.pairs(scene, id).for_each(|other| add_if_now(scene, other, pair, latest, &mut impacts));
        }
        in_order(&mut impacts);
        impacts
    }
}

/// Gives the two balls of an impact their velocities after the rebound, and logs it. Returns false, with no change, if
/// the general code has more to do here.
#[inline(always)]
fn rebound(sim: &mut Simulation, balls: &Balls, met: &Met) -> Result<bool, RunError> {
    let &Met { ids: [a, b], positions, velocities, radii, normal, offset, .. } = met;
    let Simulation { scene, counters, .. } = &*sim;
    let point = |id: BodyId, velocity: DVec3| {
        let inverse_mass = balls.inverse_mass.unwrap_or_else(|| scene.rows.inverse_mass(id));
        ContactPoint { velocity, inverse_mass }
    };
    let (one, other) = (point(a, velocities[0]), point(b, velocities[1]));
    let speed = approach_speed(one, other, normal).max(0.0);
    let (restitution, is_elastic) = balls.restitution.map_or_else(
        || {
            let law = scene.restitution(Pair::new(a, b, [0; 3]));
            (law.at(speed), law.is_elastic())
        },
        |restitution| (restitution, restitution == 1.0),
    );
    let outcome = resolve(one, other, normal, speed, restitution);
    let [place_a, place_b] = positions.map(|position| scene.settings.space.wrap(position));
    let slow = scene.rows.slow * scene.rows.slow;
    let is_plain = |velocity: DVec3| (velocity.length_squared() <= slow) & moderate(velocity);
    let leaves = restitution * speed;
    let is_plain = outcome.velocities.into_iter().all(is_plain) && leaves * leaves > 0.0;
    let may_collapse = |id: BodyId| counters.flurries.get(id).count >= scene.settings.flurry_max;
    if !is_plain || counters.groups.instant == scene.now || !is_elastic && (may_collapse(a) || may_collapse(b)) {
        return Ok(false);
    }
    if !is_elastic {
        let (pair, meeting) = (Pair::new(a, b, [0; 3]), Meeting { time: 0.0, normal, part: 0 });
        let impact = ImpactContact { pair, meeting, speed, row: None, rebounds: true, collapse: false };
        count_rapid_impacts(sim, &mut [impact]);
    }
    count_impact(sim, a, b)?;
    count_impact(sim, b, a)?;
    let group = group_of_free(sim, [a, b]);
    let Simulation { scene, log, .. } = sim;
    log.audit.deepest = log.audit.deepest.max(radii[0] + radii[1] - offset.length());
    log.audit.dissipated += outcome.dissipated;
    log.audit.virial += offset * (normal * outcome.impulse);
    log.add(Event {
        time: scene.now,
        kind: EventKind::Impact,
        a,
        b,
        point: place_a.0 + normal * radii[0],
        normal,
        approach_speed: speed,
        impulse: outcome.impulse,
        loss: outcome.dissipated,
        group,
    });
    for ((id, (position, crossed)), velocity) in [(a, place_a), (b, place_b)].into_iter().zip(outcome.velocities) {
        let path = Path { position, velocity, acceleration: DVec3::ZERO, epoch: scene.now };
        if scene.rows.spins.has_rows() || log.tracked.has_rows() {
            note_rare(scene, log, id, &path);
        }
        scene.rows.records.set(id, &path);
        scene.rows.cross(id, crossed);
    }
    Ok(true)
}

/// Continues the spin of a ball on its new path, and notes the path if it is tracked.
fn note_rare(scene: &mut Scene, log: &mut Log, id: BodyId, path: &Path) {
    let age = scene.now.since(scene.rows.records.epoch(id));
    let spin = Spin { velocity: scene.rows.spins.get(id).at(age), acceleration: DVec3::ZERO };
    scene.rows.spins.set(id, spin);
    if *log.tracked.get(id) {
        log.note_path(id, path, spin);
    }
}
