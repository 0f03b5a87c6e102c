//! The impact of two ballistic spheres without any other event at the same instant: nearly every event of balls
//! between walls, and some of a gas that its own loop leaves to the general code.
//!
//! Law, energy balance and log are those of [`impact`](crate::dynamics::impact), to the bit. The general code looks up
//! data for any number of bodies of any kind. This code looks up the data of two spheres once and passes them on.

use glam::DVec3;

use super::constraint::{ImpactConstraint, ImpactContact};
use super::instant::rounding_of_time;
use super::room::stop_without_room;
use super::{count_contact_updates, count_impact, count_rapid_impacts, simultaneous, stay};
use crate::dynamics::body::pair::{Meeting, Pair};
use crate::dynamics::error::RunError;
use crate::dynamics::log::event::{Event, EventKind};
use crate::dynamics::log::groups::{group_now, group_of_free};
use crate::dynamics::queue::Queue;
use crate::dynamics::scene::Scene;
use crate::dynamics::simulation::Simulation;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::{BodyId, Impacts, Settings};
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::tolerance::INSTANT_MAX;

/// Two ballistic spheres at the instant of their impact.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct SpherePair {
    pair: Pair,
    meeting: Meeting,
    /// Both paths hold from this instant on.
    epoch: SimTime,
    /// The sum of how far each of them reaches from the origin, m.
    extents: f64,
    /// From the centre of the first to that of the second, m.
    offset: DVec3,
    balls: [Ball; 2],
}

/// One of the two spheres.
#[derive(Debug, Clone, Copy)]
struct Ball {
    id: BodyId,
    radius: f64,
    /// Position, m, in the coordinates of its path.
    position: DVec3,
    /// m/s.
    velocity: DVec3,
    /// Time since its path began, s.
    age: f64,
}

impl Ball {
    #[inline(always)]
    fn new(id: BodyId, radius: f64, path: &Path, time: SimTime) -> Self {
        let (position, velocity) = (path.position_at(time), path.velocity_at(time));
        Self { id, radius, position, velocity, age: time.since(path.epoch) }
    }
}

impl SpherePair {
    /// Approach speed, m/s.
    #[inline(always)]
    fn speed(&self) -> f64 {
        let [a, b] = &self.balls;
        (a.velocity - b.velocity).dot(self.meeting.normal).max(0.0)
    }

    /// Whether no other event is at the instant of their impact, which is the present.
    #[inline(always)]
    pub(in crate::dynamics) fn is_alone(&self, scene: &Scene, queue: &Queue) -> bool {
        scene.settings.impacts != Impacts::Together || !queue.has_other_before(self.pair, self.latest(scene))
    }

    /// The end of the instant of their impact, which is the present.
    #[inline(always)]
    pub(in crate::dynamics) fn latest(&self, scene: &Scene) -> SimTime {
        let rounding = rounding_of_time(scene.now.since(self.epoch), self.extents, self.speed());
        scene.now.plus(rounding.min(INSTANT_MAX))
    }
}

/// Resolves the impact of two ballistic spheres at the present, when no other event is at this instant.
#[inline(always)]
pub(in crate::dynamics) fn resolve_sphere_pair(sim: &mut Simulation, met: &SpherePair) -> Result<(), RunError> {
    let &SpherePair { pair, meeting, balls: [a, b], .. } = met;
    let speed = met.speed();
    let law = sim.scene.restitution(pair);
    let (restitution, is_elastic) = (law.at(speed), law.is_elastic());
    // Nothing presses two balls in free flight together, so only an impact that loses energy may have no rebound.
    let rebounds =
        (speed * speed > 0.0 && is_elastic) || sim.scene.rebounds(pair, sim.scene.inward(pair, &meeting), speed);
    let mut impact = ImpactContact { pair, meeting, speed, row: None, rebounds, collapse: false };
    if !is_elastic {
        count_rapid_impacts(sim, std::slice::from_mut(&mut impact));
    }
    count_impact(sim, pair.a, pair.b)?;
    count_impact(sim, pair.b, pair.a)?;
    sim.log.audit.deepest = sim.log.audit.deepest.max(a.radius + b.radius - met.offset.length());
    if !is_elastic {
        count_contact_updates(sim, pair);
    } else if group_now(sim, pair.a).is_some() || group_now(sim, pair.b).is_some() {
        stop_without_room(sim, std::slice::from_mut(&mut impact));
    }
    let group = group_of_free(sim, [pair.a, pair.b]);
    if impact.rebounds {
        rebound_sphere_pair(sim, met, &impact, restitution, group)?;
    } else {
        stay(sim, &impact, None, group);
    }
    Ok(())
}

/// Gives two ballistic spheres their velocities after the rebound, and logs the impact.
#[inline(always)]
fn rebound_sphere_pair(
    sim: &mut Simulation,
    met: &SpherePair,
    impact: &ImpactContact,
    restitution: f64,
    group: u64,
) -> Result<(), RunError> {
    let &SpherePair { pair, meeting, offset, balls, .. } = met;
    let normal = meeting.normal;
    let [a, b] = &balls;
    let (frictions, arms) = (sim.scene.frictions(pair), [normal * a.radius, normal * -b.radius]);
    let law = ImpactConstraint { a: 0, b: 1, normal, arms, restitution, frictions };
    let ([member_a, member_b], result) =
        simultaneous::resolve_pair([sim.scene.solver_body(a), sim.scene.solver_body(b)], &law);
    sim.log.book_between(impact, &result, offset);
    let space = &sim.scene.settings.space;
    let (place_a, place_b) = (space.wrap(a.position), space.wrap(b.position));
    let point = place_a.0 + normal * a.radius;
    let event = sim.scene.event_at(pair, EventKind::Impact, &meeting, point);
    let (approach_speed, impulse) = (impact.speed, result.impulse);
    sim.log.add(Event { approach_speed, impulse, loss: result.loss, group, ..event });
    begin_ballistic_path(sim, pair.a, place_a, &member_a)?;
    begin_ballistic_path(sim, pair.b, place_b, &member_b)?;
    sim.to_predict.body(pair.a);
    sim.to_predict.body(pair.b);
    Ok(())
}

/// Begins the path of a ballistic sphere after an impact, at its present position.
#[inline(never)]
fn begin_ballistic_path(
    sim: &mut Simulation,
    id: BodyId,
    place: (DVec3, [i32; 3]),
    member: &SolverBody,
) -> Result<(), RunError> {
    let Settings { gravity: acceleration, .. } = sim.scene.settings;
    let path = Path { position: place.0, velocity: member.linear, acceleration, epoch: sim.scene.now };
    sim.enter_path(id, &path, place.1, Spin { velocity: member.angular, acceleration: DVec3::ZERO })
}

impl Scene {
    #[inline]
    pub(in crate::dynamics) fn are_ballistic_spheres(&self, pair: Pair) -> bool {
        let records = &self.rows.records;
        records.is_ballistic_sphere(pair.a) && records.is_ballistic_sphere(pair.b)
    }

    /// The impact of two ballistic spheres, if it is still at `time`.
    #[inline(always)]
    pub(in crate::dynamics) fn sphere_pair(&self, pair: Pair, time: SimTime) -> Option<SpherePair> {
        let (records, space) = (&self.rows.records, &self.settings.space);
        let (a, b) = (records.path(pair.a), records.path(pair.b));
        let radii = [records.radius(records.get(pair.a)), records.radius(records.get(pair.b))];
        let epoch = a.epoch.max(b.epoch);
        let motion = pair.motion_of([&a, &b], space, epoch);
        let meeting = self.sphere_meeting(pair, radii, &motion)?;
        if epoch.plus(meeting.time) != time {
            return None;
        }
        let extent = |path: &Path, radius: f64| radius + path.position.abs().max_element();
        let extents = extent(&a, radii[0]) + extent(&b, radii[1]);
        let balls = [Ball::new(pair.a, radii[0], &a, time), Ball::new(pair.b, radii[1], &b, time)];
        let offset = pair.image_offset(balls[1].position - balls[0].position, space);
        Some(SpherePair { pair, meeting, epoch, extents, offset, balls })
    }

    /// A ballistic sphere as input of the impact law.
    #[inline(always)]
    fn solver_body(&self, ball: &Ball) -> SolverBody {
        let &Ball { id, velocity: linear, age, .. } = ball;
        let rows = &self.rows;
        let (inverse_mass, inverse_inertia) = (rows.inverse_mass(id), rows.inverse_inertia(id));
        SolverBody { linear, angular: rows.spins.get(id).at(age), inverse_mass, inverse_inertia }
    }
}
