//! The impact of two plain balls of which nothing else is part: nearly all that happens in a gas.
//!
//! Law, books and log are those of [`strike`](super::strike). What that looks up for any number of bodies of any kind is
//! here found once and handed on.

use glam::DVec3;

use super::BodyId;
use super::coupled::Member;
use super::event::{Event, EventKind};
use super::group;
use super::pair::Pair;
use super::predict::Meeting;
use super::stepper::{RunError, Stepper};
use super::strike::Closing;
use super::{Impacts, Settings};
use crate::motion::{Path, SimTime, Spin};

/// Two plain balls that close on each other at the present, with nobody else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lone {
    closing: Closing,
    paths: [Path; 2],
    /// At the present, m/s.
    velocities: [DVec3; 2],
    /// m.
    radii: [f64; 2],
    restitution: f64,
}

impl Stepper {
    /// How two plain balls meet, if they do so at `time`.
    #[inline]
    pub(super) fn plain_meeting(&self, pair: Pair, time: SimTime) -> Option<Meeting> {
        let meeting = self.scene.meeting_of_plain(pair)?;
        (pair.epoch(&self.scene.rows).plus(meeting.time) == time).then_some(meeting)
    }

    #[inline]
    pub(super) fn are_plain(&self, pair: Pair) -> bool {
        let lines = &self.scene.rows.lines;
        lines.is_plain(pair.a) && lines.is_plain(pair.b)
    }

    /// What two plain balls that meet now do, if nothing else happens at this instant.
    #[inline]
    pub(super) fn lone(&self, pair: Pair, meeting: Meeting) -> Option<Lone> {
        let (rows, bodies) = (&self.scene.rows, [pair.a, pair.b]);
        let paths = bodies.map(|id| rows.path(id));
        let velocities = paths.map(|path| path.velocity_at(self.now));
        let speed = (velocities[0] - velocities[1]).dot(meeting.normal).max(0.0);
        let restitution = self.scene.restitution(pair);
        // Nothing presses two balls in free flight together, so only one that loses energy may have no rebound.
        let rebounds = (speed * speed > 0.0 && restitution == 1.0)
            || self.scene.rebounds(pair, self.inward(pair, &meeting), speed);
        let closing = Closing { pair, meeting, speed, row: None, rebounds, collapse: false };
        let lone =
            self.scene.settings.impacts == Impacts::Pairwise || !self.queue.is_crowded(pair, self.latest_of(&closing));
        let radii = || bodies.map(|id| rows.lines.radius(rows.lines.get(id)));
        lone.then(|| Lone { closing, paths, velocities, radii: radii(), restitution })
    }

    /// An impact of which nothing else is part.
    pub(super) fn collide(&mut self, lone: Lone) -> Result<(), RunError> {
        let Lone { mut closing, paths, velocities, radii, restitution } = lone;
        let pair = closing.pair;
        let way = pair.motion(&self.scene.rows, &self.scene.settings.space, self.now).position;
        self.meet(pair.a, pair.b)?;
        self.meet(pair.b, pair.a)?;
        self.audit.deepest = self.audit.deepest.max(radii[0] + radii[1] - way.length());
        if restitution < 1.0 {
            self.note_flurry(&mut closing);
            self.note_bustle(pair);
        }
        let group = self.group_of_free([pair.a, pair.b]);
        if !closing.rebounds {
            self.stay(&closing, None, group);
            return Ok(());
        }
        let mut members = [0, 1].map(|row| self.flying([pair.a, pair.b][row], velocities[row], &paths[row]));
        let friction = self.scene.friction(pair);
        let arms = [closing.meeting.normal * radii[0], closing.meeting.normal * -radii[1]];
        let law = group::Closing { a: 0, b: 1, normal: closing.meeting.normal, arms, restitution, friction };
        let blow = group::strike(&mut members, &law);
        self.book_between(&closing, &blow, way);
        let places = paths.map(|path| self.place_in_cell(&path));
        let point = places[0].0 + closing.meeting.normal * radii[0];
        let event = self.event_at(pair, EventKind::Impact, &closing.meeting, point);
        let (approach_speed, impulse) = (closing.speed, blow.impulse);
        self.log(Event { approach_speed, impulse, loss: blow.loss, group, ..event });
        for (row, id) in [pair.a, pair.b].into_iter().enumerate() {
            self.fly_on(id, places[row], &members[row])?;
        }
        self.predict(pair.a);
        self.predict(pair.b);
        Ok(())
    }

    /// A plain ball as the impact law sees it.
    fn flying(&self, id: BodyId, linear: DVec3, path: &Path) -> Member {
        let rows = &self.scene.rows;
        let angular = rows.spins.get(id).at(self.now.since(path.epoch));
        Member { linear, angular, inverse_mass: rows.inverse_mass(id), inverse_inertia: rows.inverse_inertia(id) }
    }

    /// The path of a plain ball after an impact, which begins where it is now.
    fn fly_on(&mut self, id: BodyId, place: (DVec3, [i32; 3]), member: &Member) -> Result<(), RunError> {
        let Settings { gravity: acceleration, .. } = self.scene.settings;
        let path = Path { position: place.0, velocity: member.linear, acceleration, epoch: self.now };
        self.enter_path(id, &path, place.1, Spin { velocity: member.angular, acceleration: DVec3::ZERO })
    }
}
