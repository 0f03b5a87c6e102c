//! The keys of one body: where it is at the beginning of each path, and the velocities before and after.

use glam::{DVec3, Vec3};

use crate::dynamics::Space;
use crate::motion::{Path, SimTime};

/// A key of a cubic spline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Key {
    /// Time since the beginning of the export, s.
    pub(super) time: f32,
    /// Velocity before, m/s.
    pub(super) arriving: Vec3,
    /// Position, m.
    pub(super) position: Vec3,
    /// Velocity after, m/s.
    pub(super) leaving: Vec3,
}

/// The motion of one body.
#[derive(Debug, Default)]
pub(super) struct Track {
    pub(super) keys: Vec<Key>,
    /// The present path, moved by whole periods to where the previous one ended.
    path: Option<Path>,
    /// When the body comes and goes, if it was not there from the beginning or to the end, s.
    pub(super) comes: Option<f32>,
    pub(super) goes: Option<f32>,
}

impl Track {
    /// Begins a path. Its position is within the periodic cell, and the motion of the body continues beyond it, unless
    /// the body was put there.
    pub(super) fn begin_path(&mut self, path: &Path, from: SimTime, (space, is_put): (&Space, bool)) {
        let start = path.epoch.max(from);
        let mut path = *path;
        let before = self.path.filter(|_| path.epoch > from);
        if let Some(before) = before.filter(|_| is_put) {
            self.leave(&before, start, from);
        } else if let Some(before) = before {
            path.position += periods_between(path.position, before.position_at(path.epoch), space);
        } else if path.epoch > from {
            self.comes = Some(seconds(start, from));
        } else {
            self.keys.clear();
        }
        let leaving = path.velocity_at(start);
        self.push(Key {
            time: seconds(start, from),
            arriving: before.map_or(leaving, |before| before.velocity_at(start)).as_vec3(),
            position: path.position_at(start).as_vec3(),
            leaving: leaving.as_vec3(),
        });
        self.path = Some(path);
    }

    /// The body is put elsewhere: the spline has its last place before, at the latest time that glTF tells apart.
    fn leave(&mut self, before: &Path, time: SimTime, from: SimTime) {
        let velocity = before.velocity_at(time).as_vec3();
        let position = before.position_at(time).as_vec3();
        let latest = seconds(time, from).next_down();
        let mut key = Key { time: latest, arriving: velocity, position, leaving: velocity };
        while let Some(same) = self.keys.pop_if(|last| last.time >= latest) {
            key.arriving = same.arriving;
        }
        self.keys.extend((latest >= 0.0).then_some(key));
    }

    /// The body is removed.
    pub(super) fn end(&mut self, time: SimTime, from: SimTime) {
        self.goes = Some(seconds(time.max(from), from));
        self.path = None;
    }

    /// The export ends at `until`.
    pub(super) fn close(&mut self, until: SimTime, from: SimTime) {
        let Some(path) = self.path else { return };
        let velocity = path.velocity_at(until).as_vec3();
        let position = path.position_at(until).as_vec3();
        self.push(Key { time: seconds(until, from), arriving: velocity, position, leaving: velocity });
    }

    /// Whether the body stays in one place.
    pub(super) fn is_still(&self) -> bool {
        let Some(first) = self.keys.first() else { return true };
        let rests = |key: &Key| key.arriving == Vec3::ZERO && key.leaving == Vec3::ZERO;
        self.keys.iter().all(|key| rests(key) && key.position == first.position)
    }

    /// Adds a key. Keys with the same rounded time become one.
    fn push(&mut self, key: Key) {
        match self.keys.last_mut() {
            Some(last) if last.time == key.time => (last.position, last.leaving) = (key.position, key.leaving),
            _ => self.keys.push(key),
        }
    }
}

/// Seconds since the beginning of the export, rounded as glTF has them.
fn seconds(time: SimTime, from: SimTime) -> f32 {
    time.since(from) as f32
}

/// The shift by whole periods from `position` to its image nearest to `wanted`, m.
fn periods_between(position: DVec3, wanted: DVec3, space: &Space) -> DVec3 {
    let away = wanted - position;
    DVec3::from_array(std::array::from_fn(|axis| match space.periods[axis] {
        Some(period) => (away[axis] / period.length()).round() * period.length(),
        None => 0.0,
    }))
}
