//! Path records: the path of each body, and the flags that predictions need, in one cache line.
//!
//! Most of the work in a gas is the search for a ball's next impact, and most of that time is memory access. A record
//! has all that the search needs: the path, and the rank of the radius. A *ballistic sphere* is a free ball under
//! gravity alone, without contacts and other special conditions. Any other body has no radius here and is predicted in
//! [`pair_event`](crate::dynamics::prediction::pair_event). Rare data that does not fit into a record is in separate
//! columns.

use std::collections::BTreeMap;

use glam::DVec3;
use prefetch_index::prefetch_index;

use super::sparse_column::Column;
use crate::dynamics::{BodyId, Settings, Space};
use crate::geometry::Shape;
use crate::motion::{Path, SimTime};
use crate::numeric::lane::machine;

/// Flag added to the rank of the radius: the body is not a ballistic sphere. No rank is as large.
const NOT_BALLISTIC: u32 = 1 << 31;

/// Flag: the acceleration is not that of gravity.
const OTHER_ACCELERATION: u32 = 1 << 30;

/// Flag: the epoch has more ticks than a record holds, that is after twelve days.
const EPOCH_OUTSIDE: u32 = 1 << 29;

/// In place of the rank of a radius: the body is a box.
const BOX: u32 = 1 << 28;

/// All flags.
const FLAGS: u32 = NOT_BALLISTIC | OTHER_ACCELERATION | EPOCH_OUTSIDE;

/// Offset of the ticks, which may be negative, so that a record holds them as an unsigned number.
const TICKS_MIN: u32 = 1 << 31;

/// The record of one body: two rows of four numbers, as they are read into vector registers.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(in crate::dynamics) struct PathRecord {
    /// Position at the epoch, m, and the x component of the velocity there, m/s.
    pub(in crate::dynamics) front: [f64; 4],
    /// The y and z components of the velocity, the part of the epoch beyond its ticks, s, and in the bits of the last
    /// number the rank of the radius above the ticks of the epoch.
    pub(in crate::dynamics) back: [f64; 4],
}

/// One axis of space, to find the nearest image.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Turn {
    /// Length of the period, m; 0 if the axis is open.
    pub(in crate::dynamics) length: f64,
    /// Periods per metre; 0 if the axis is open.
    pub(in crate::dynamics) per_length: f64,
}

/// Data common to all bodies.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Common {
    pub(in crate::dynamics) turns: [Turn; 3],
    /// m/s².
    pub(in crate::dynamics) gravity: DVec3,
    /// The vector instructions of the machine.
    pub(in crate::dynamics) machine: pulp::Arch,
}

/// The records of all bodies.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct PathRecords {
    records: Vec<PathRecord>,
    /// Accelerations that are not gravity, m/s².
    accelerations: Column<DVec3>,
    /// Ticks of epochs that do not fit into records.
    late: Column<i64>,
    /// All different radii, m.
    radii: Vec<f64>,
    /// Whether one of the bodies is a box.
    boxes: bool,
    pub(in crate::dynamics) common: Common,
}

impl PathRecords {
    /// Records of bodies that are not ballistic spheres yet.
    pub(in crate::dynamics) fn new<'a>(
        bodies: impl ExactSizeIterator<Item = (Path, &'a Shape)>,
        settings: &Settings,
    ) -> Self {
        let common = Common { turns: turns(&settings.space), gravity: settings.gravity, machine: machine() };
        let count = bodies.len();
        let mut records = Self {
            records: Vec::with_capacity(count),
            accelerations: Column::new(DVec3::ZERO, count),
            late: Column::new(0, count),
            radii: Vec::new(),
            boxes: false,
            common,
        };
        let mut ranks: BTreeMap<u64, u32> = BTreeMap::new();
        for (row, (path, shape)) in bodies.enumerate() {
            let rank = match shape {
                Shape::Sphere(radius) => *ranks.entry(radius.get().to_bits()).or_insert_with(|| {
                    records.radii.push(radius.get());
                    records.radii.len() as u32 - 1
                }),
                _ => records.rank_of_other(shape),
            };
            records.records.push(PathRecord::new(&path, 0, rank | NOT_BALLISTIC));
            records.set(BodyId(row as u32), &path);
        }
        records
    }

    /// Adds a body, which is not a ballistic sphere yet. It shares the rank of its radius with the last new body, if it
    /// can.
    pub(in crate::dynamics) fn push(&mut self, path: &Path, shape: &Shape) {
        let rank = match shape {
            Shape::Sphere(radius) => {
                if self.radii.last().is_none_or(|last| last.to_bits() != radius.get().to_bits()) {
                    self.radii.push(radius.get());
                }
                self.radii.len() as u32 - 1
            }
            _ => self.rank_of_other(shape),
        };
        self.accelerations.push_row();
        self.late.push_row();
        self.records.push(PathRecord::new(path, 0, rank | NOT_BALLISTIC));
        self.set(BodyId(self.records.len() as u32 - 1), path);
    }

    /// The value stored in place of the rank of a radius, for a shape that is not a sphere.
    fn rank_of_other(&mut self, shape: &Shape) -> u32 {
        let is_box = matches!(shape, Shape::Box(_));
        self.boxes |= is_box;
        if is_box { BOX } else { 0 }
    }

    /// Makes another acceleration that of gravity. All paths stay as they are.
    pub(in crate::dynamics) fn set_gravity(&mut self, gravity: DVec3) {
        let ids = (0..self.records.len() as u32).map(BodyId);
        let paths: Vec<(BodyId, Path)> = ids.map(|id| (id, self.path(id))).collect();
        self.common.gravity = gravity;
        for (id, path) in paths {
            self.set(id, &path);
            self.mark_not_ballistic(id);
        }
    }

    /// The path of a body.
    #[inline]
    pub(in crate::dynamics) fn path(&self, id: BodyId) -> Path {
        let record = self.get(id);
        let acceleration =
            if record.radius() & OTHER_ACCELERATION == 0 { self.common.gravity } else { self.other_acceleration(id) };
        Path {
            position: record.position(),
            velocity: record.velocity(),
            acceleration,
            epoch: self.epoch_of(record, id),
        }
    }

    /// The epoch of a body's path.
    #[inline]
    pub(in crate::dynamics) fn epoch(&self, id: BodyId) -> SimTime {
        self.epoch_of(self.get(id), id)
    }

    #[inline(always)]
    fn epoch_of(&self, record: &PathRecord, id: BodyId) -> SimTime {
        let ticks = if record.radius() & EPOCH_OUTSIDE == 0 { i64::from(record.ticks()) } else { self.late_ticks(id) };
        SimTime::from_parts(ticks, record.rest())
    }

    // Code for rare cases is not inlined into every caller of `path`.
    #[inline(never)]
    fn other_acceleration(&self, id: BodyId) -> DVec3 {
        *self.accelerations.get(id)
    }

    #[inline(never)]
    fn late_ticks(&self, id: BodyId) -> i64 {
        *self.late.get(id)
    }

    #[inline(always)]
    pub(in crate::dynamics) fn get(&self, id: BodyId) -> &PathRecord {
        &self.records[id.index()]
    }

    /// Prefetches the record of a body.
    #[inline(always)]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        prefetch_index(&self.records, id.index());
    }

    /// The radius of a ballistic sphere, m; NaN for other bodies.
    #[inline]
    pub(in crate::dynamics) fn radius(&self, record: &PathRecord) -> f64 {
        self.radii.get(record.radius() as usize).copied().unwrap_or(f64::NAN)
    }

    /// The radius of all spheres, m, if they have the same.
    #[inline]
    pub(in crate::dynamics) fn one_radius(&self) -> Option<f64> {
        let &[radius] = &self.radii[..] else { return None };
        Some(radius)
    }

    /// Whether there are boxes.
    #[inline]
    pub(in crate::dynamics) fn has_boxes(&self) -> bool {
        self.boxes
    }

    #[inline]
    pub(in crate::dynamics) fn is_ballistic_sphere(&self, id: BodyId) -> bool {
        self.records[id.index()].radius() & NOT_BALLISTIC == 0
    }

    /// Sets the path of a body. The flag for ballistic spheres does not change.
    #[inline(always)]
    pub(in crate::dynamics) fn set(&mut self, id: BodyId, path: &Path) {
        let Path { acceleration, epoch, .. } = *path;
        let mut radius = self.get(id).radius() & !(OTHER_ACCELERATION | EPOCH_OUTSIDE);
        if acceleration != self.common.gravity {
            radius |= OTHER_ACCELERATION;
            self.accelerations.set(id, acceleration);
        }
        let ticks = i32::try_from(epoch.ticks()).unwrap_or_else(|_| {
            radius |= EPOCH_OUTSIDE;
            self.late.set(id, epoch.ticks());
            0
        });
        self.records[id.index()] = PathRecord::new(path, ticks, radius);
    }

    /// Whether the acceleration of a body's path is that of gravity.
    #[inline]
    pub(in crate::dynamics) fn falls_freely(&self, id: BodyId) -> bool {
        self.get(id).radius() & OTHER_ACCELERATION == 0
    }

    /// Whether the epoch of a body's path fits into its record.
    pub(in crate::dynamics) fn holds_epoch(&self, id: BodyId) -> bool {
        self.get(id).radius() & EPOCH_OUTSIDE == 0
    }

    /// Sets whether a body is a ballistic sphere. If its path does not fit into a record, it is not.
    #[inline]
    pub(in crate::dynamics) fn set_ballistic_sphere(&mut self, id: BodyId, plain: bool) {
        let record = &mut self.records[id.index()];
        let is_ballistic_sphere = plain && record.radius() & (FLAGS & !NOT_BALLISTIC) == 0;
        record.set_radius(if is_ballistic_sphere {
            record.radius() & !NOT_BALLISTIC
        } else {
            record.radius() | NOT_BALLISTIC
        });
    }

    /// Whether a ballistic sphere remains one on its new path. That depends only on the acceleration, and on the
    /// position at its beginning: at most `reach` radii from the origin.
    #[inline(always)]
    pub(in crate::dynamics) fn stays_ballistic_sphere(&self, id: BodyId, path: &Path, reach: f64) -> bool {
        let record = self.get(id);
        record.radius() & FLAGS == 0 && path.position.abs().max_element() <= reach * self.radius(record)
    }

    /// Marks a body as not ballistic.
    #[inline]
    pub(in crate::dynamics) fn mark_not_ballistic(&mut self, id: BodyId) {
        let record = &mut self.records[id.index()];
        record.set_radius(record.radius() | NOT_BALLISTIC);
    }
}

impl PathRecord {
    /// The upper half of the tag of a box with the acceleration of gravity.
    pub(in crate::dynamics) const FREE_BOX: u64 = ((NOT_BALLISTIC | BOX) as u64) << 32;

    /// The upper half of the tag of a ballistic sphere of the first radius.
    pub(in crate::dynamics) const FIRST_SPHERE: u64 = 0;

    /// Whether this is the record of a box with the acceleration of gravity.
    #[inline]
    pub(in crate::dynamics) fn is_free_box(&self) -> bool {
        self.radius() == NOT_BALLISTIC | BOX
    }

    #[inline]
    fn new(path: &Path, ticks: i32, radius: u32) -> Self {
        let Path { position: p, velocity: v, epoch, .. } = path;
        let mut record = Self { front: [p.x, p.y, p.z, v.x], back: [v.y, v.z, epoch.rest(), 0.0] };
        record.set_tag(ticks, radius);
        record
    }

    /// Position at the epoch, m.
    #[inline(always)]
    pub(in crate::dynamics) fn position(&self) -> DVec3 {
        let [x, y, z, _] = self.front;
        DVec3::new(x, y, z)
    }

    /// Velocity at the epoch, m/s.
    #[inline(always)]
    pub(in crate::dynamics) fn velocity(&self) -> DVec3 {
        let ([.., x], [y, z, ..]) = (self.front, self.back);
        DVec3::new(x, y, z)
    }

    /// Position at `time`, m, without acceleration.
    #[inline(always)]
    pub(in crate::dynamics) fn straight_at(&self, time: SimTime) -> DVec3 {
        self.position() + self.velocity() * time.since(self.epoch())
    }

    /// The part of the epoch beyond its ticks, s.
    #[inline(always)]
    pub(in crate::dynamics) fn rest(&self) -> f64 {
        self.back[2]
    }

    /// The rank of the radius with its flags, above the ticks of the epoch.
    #[inline(always)]
    pub(in crate::dynamics) fn tag(&self) -> u64 {
        self.back[3].to_bits()
    }

    #[inline(always)]
    fn ticks(&self) -> i32 {
        (self.tag() as u32).wrapping_sub(TICKS_MIN) as i32
    }

    #[inline(always)]
    fn radius(&self) -> u32 {
        (self.tag() >> 32) as u32
    }

    #[inline(always)]
    fn set_radius(&mut self, radius: u32) {
        self.set_tag(self.ticks(), radius);
    }

    #[inline(always)]
    fn set_tag(&mut self, ticks: i32, radius: u32) {
        let ticks = (ticks as u32).wrapping_add(TICKS_MIN);
        self.back[3] = f64::from_bits(u64::from(radius) << 32 | u64::from(ticks));
    }

    /// The epoch of the path.
    #[inline]
    pub(in crate::dynamics) fn epoch(&self) -> SimTime {
        SimTime::from_parts(i64::from(self.ticks()), self.rest())
    }
}

/// The three axes of space.
fn turns(space: &Space) -> [Turn; 3] {
    space.periods.map(|period| match period {
        Some(period) => Turn { length: period.length(), per_length: 1.0 / period.length() },
        None => Turn { length: 0.0, per_length: 0.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Body;

    #[test]
    fn a_record_is_a_cache_line() {
        assert_eq!((size_of::<PathRecord>(), align_of::<PathRecord>()), (64, 64));
    }

    #[test]
    fn a_record_holds_what_was_set() {
        for ticks in [0, 1, -1, i64::from(i32::MIN), i64::from(i32::MAX), i64::from(i32::MAX) + 1] {
            let epoch = SimTime::from_parts(ticks, 0.25 * SimTime::TICK);
            let [position, velocity] = [DVec3::new(1.0, -2.0, 3.0), DVec3::new(-4.0, 5.0, -6.0)];
            let path = Path { position, velocity, acceleration: DVec3::ZERO, epoch };
            let shape = Body::sphere(0.5, 1.0).unwrap().shape;
            let mut records = PathRecords::new([(path, &shape)].into_iter(), &Settings::default());
            let id = BodyId(0);
            records.set_ballistic_sphere(id, true);
            assert_eq!((records.path(id), records.is_ballistic_sphere(id)), (path, ticks <= i64::from(i32::MAX)));
            assert_eq!(records.is_ballistic_sphere(id), records.radius(records.get(id)) == 0.5);
            records.mark_not_ballistic(id);
            assert!(records.path(id) == path && !records.is_ballistic_sphere(id));
        }
    }
}
