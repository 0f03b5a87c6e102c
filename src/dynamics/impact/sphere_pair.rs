//! The impact of two ballistic spheres of which nothing else is part: nearly all that happens in a gas.
//!
//! Law, books and log are those of [`strike`](crate::dynamics::impact). What that looks up for any number of bodies of any kind is
//! here found once and handed on.

use glam::DVec3;

use super::simultaneous;
use super::{INSTANT_MAX, ImpactContact, rounding_of_time};
use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::event::{Event, EventKind};
use crate::dynamics::prediction::pair_event::Meeting;
use crate::dynamics::solver::SolverBody;
use crate::dynamics::state::{RunError, Stepper};
use crate::dynamics::{Impacts, Settings};
use crate::motion::{Path, SimTime, Spin};

/// Two ballistic spheres at the instant at which they meet.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Encounter {
    pair: Pair,
    meeting: Meeting,
    /// From then on both paths hold.
    epoch: SimTime,
    /// How far they reach from the origin, m, both together.
    extents: f64,
    /// From the centre of the first to that of the second, m.
    way: DVec3,
    balls: [Ball; 2],
}

/// One of the two.
#[derive(Debug, Clone, Copy)]
struct Ball {
    id: BodyId,
    radius: f64,
    /// Where it is, m, counted as its path is.
    position: DVec3,
    /// m/s.
    velocity: DVec3,
    /// For how long it has been on its path, s.
    age: f64,
}

impl Ball {
    #[inline(always)]
    fn new(id: BodyId, radius: f64, path: &Path, time: SimTime) -> Self {
        let (position, velocity) = (path.position_at(time), path.velocity_at(time));
        Self { id, radius, position, velocity, age: time.since(path.epoch) }
    }
}

impl Stepper {
    #[inline]
    pub(in crate::dynamics) fn are_ballistic_spheres(&self, pair: Pair) -> bool {
        let records = &self.scene.rows.records;
        records.is_ballistic_sphere(pair.a) && records.is_ballistic_sphere(pair.b)
    }

    /// How two ballistic spheres meet, if they do so at `time`.
    #[inline(always)]
    pub(in crate::dynamics) fn encounter(&self, pair: Pair, time: SimTime) -> Option<Encounter> {
        self.prefetch_for_impact(pair);
        let (records, space) = (&self.scene.rows.records, &self.scene.settings.space);
        let (a, b) = (records.path(pair.a), records.path(pair.b));
        let radii = [records.radius(records.get(pair.a)), records.radius(records.get(pair.b))];
        let epoch = a.epoch.max(b.epoch);
        let motion = pair.motion_of([&a, &b], space, epoch);
        let meeting = self.scene.meeting_of_plain(pair, radii, &motion)?;
        if epoch.plus(meeting.time) != time {
            return None;
        }
        let extent = |path: &Path, radius: f64| radius + path.position.abs().max_element();
        let extents = extent(&a, radii[0]) + extent(&b, radii[1]);
        let balls = [Ball::new(pair.a, radii[0], &a, time), Ball::new(pair.b, radii[1], &b, time)];
        let way = pair.way(balls[1].position - balls[0].position, space);
        Some(Encounter { pair, meeting, epoch, extents, way, balls })
    }

    /// What two ballistic spheres that meet now do if nothing else happens at this instant; else nothing. Returns whether.
    #[inline(always)]
    pub(in crate::dynamics) fn resolve_sphere_pair(&mut self, encounter: &Encounter) -> Result<bool, RunError> {
        let &Encounter { pair, meeting, epoch, extents, balls: [a, b], .. } = encounter;
        let speed = (a.velocity - b.velocity).dot(meeting.normal).max(0.0);
        if self.scene.settings.impacts == Impacts::Together {
            let rounding = rounding_of_time(self.now.since(epoch), extents, speed);
            if self.queue.is_crowded(pair, self.now.plus(rounding.min(INSTANT_MAX))) {
                return Ok(false);
            }
        }
        let restitution = self.scene.restitution(pair);
        // Nothing presses two balls in free flight together, so only one that loses energy may have no rebound.
        let rebounds = (speed * speed > 0.0 && restitution == 1.0)
            || self.scene.rebounds(pair, self.inward(pair, &meeting), speed);
        self.meet(pair.a, pair.b)?;
        self.meet(pair.b, pair.a)?;
        let mut closing = ImpactContact { pair, meeting, speed, row: None, rebounds, collapse: false };
        self.audit.deepest = self.audit.deepest.max(a.radius + b.radius - encounter.way.length());
        if restitution < 1.0 {
            self.count_rapid_impacts(&mut closing);
            self.count_simultaneous_looks(pair);
        }
        let group = self.group_of_free([pair.a, pair.b]);
        if closing.rebounds {
            self.rebound_sphere_pair(encounter, &closing, restitution, group)?;
        } else {
            self.begin_contact(&closing, None, group);
        }
        Ok(true)
    }

    /// Gives two ballistic spheres the velocities with which they rebound, and the log its line.
    #[inline(always)]
    fn rebound_sphere_pair(
        &mut self,
        encounter: &Encounter,
        closing: &ImpactContact,
        restitution: f64,
        group: u64,
    ) -> Result<(), RunError> {
        let &Encounter { pair, meeting, way, balls, .. } = encounter;
        let normal = meeting.normal;
        let [a, b] = &balls;
        let (friction, arms) = (self.scene.friction(pair), [normal * a.radius, normal * -b.radius]);
        let law = simultaneous::ImpactConstraint { a: 0, b: 1, normal, arms, restitution, friction };
        let ([member_a, member_b], result) = simultaneous::resolve_pair([self.flying(a), self.flying(b)], &law);
        self.book_between(closing, &result, way);
        let space = &self.scene.settings.space;
        let (place_a, place_b) = (space.wrap(a.position), space.wrap(b.position));
        let point = place_a.0 + normal * a.radius;
        let event = self.event_at(pair, EventKind::Impact, &meeting, point);
        let (approach_speed, impulse) = (closing.speed, result.impulse);
        self.log(Event { approach_speed, impulse, loss: result.loss, group, ..event });
        self.fly_on(pair.a, place_a, &member_a)?;
        self.fly_on(pair.b, place_b, &member_b)?;
        self.predict_both([pair.a, pair.b]);
        Ok(())
    }

    /// A ballistic sphere as the impact law sees it.
    #[inline(always)]
    fn flying(&self, ball: &Ball) -> SolverBody {
        let &Ball { id, velocity: linear, age, .. } = ball;
        let rows = &self.scene.rows;
        let (inverse_mass, inverse_inertia) = (rows.inverse_mass(id), rows.inverse_inertia(id));
        SolverBody { linear, angular: rows.spins.get(id).at(age), inverse_mass, inverse_inertia }
    }

    /// The path of a ballistic sphere after an impact, which begins where it is now.
    #[inline(never)]
    fn fly_on(&mut self, id: BodyId, place: (DVec3, [i32; 3]), member: &SolverBody) -> Result<(), RunError> {
        let Settings { gravity: acceleration, .. } = self.scene.settings;
        let path = Path { position: place.0, velocity: member.linear, acceleration, epoch: self.now };
        self.enter_path(id, &path, place.1, Spin { velocity: member.angular, acceleration: DVec3::ZERO })
    }
}
