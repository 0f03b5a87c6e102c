//! How a slide goes on after what it met.

use glam::DVec3;

use super::cone::{Cone, Facing};
use super::search::Met;
use super::types::SlideOptions;
use crate::numeric::tolerance::PROJECTION_SLACK;

/// The planes that a slide meets at one place, and the motions with which it came there.
pub(super) struct Turn<'a> {
    options: &'a SlideOptions<'a>,
    /// The way of what it stands on at the start, m.
    carried: DVec3,
    /// The planes for the whole motion, and for the motion without the carry. The latter do not push.
    planes: [Cone; 2],
    /// How far up the bodies that it met move, m; 0 if they do not.
    lift: f64,
    /// The floor on which it walks.
    floor: [Option<Facing>; 2],
    /// These two motions as they came there.
    wishes: [DVec3; 2],
    /// The motion without the carry and without what was blocked.
    own: DVec3,
}

impl<'a> Turn<'a> {
    pub(super) fn new(options: &'a SlideOptions<'a>, wish: DVec3, carried: DVec3) -> Self {
        let wishes = [wish + carried, wish];
        Self { options, carried, planes: Default::default(), lift: 0.0, floor: [None; 2], wishes, own: wish }
    }

    /// The motion without the carry and without what was blocked.
    pub(super) fn onward(&self) -> DVec3 {
        self.own
    }

    /// Whether a plane is known, and the motion does not enter it.
    pub(super) fn knows(&self, facing: &Facing, motion: DVec3) -> bool {
        self.planes[0].keeps_out(facing, motion, self.wishes[0])
    }

    /// The slide has moved on: it forgets the planes. It may still walk on a floor.
    pub(super) fn move_on(&mut self, motion: DVec3, floor: Option<Met>) {
        (self.planes, self.lift, self.floor) = (Default::default(), 0.0, [None; 2]);
        self.wishes = [motion, self.own];
        let stays = |floor: &Met| floor.hit.normal.dot(motion - floor.way) <= PROJECTION_SLACK * motion.length();
        floor.filter(stays).iter().for_each(|floor| self.add(floor));
    }

    /// The motion after `met`, if the planes leave one.
    pub(super) fn after(&mut self, met: &Met) -> Option<DVec3> {
        self.add(met);
        self.own = self.motion(1).unwrap_or(DVec3::ZERO);
        self.motion(0)
    }

    fn add(&mut self, met: &Met) {
        let (normal, least) = (met.hit.normal, met.hit.normal.dot(met.way));
        let pair = [least, (least - normal.dot(self.carried)).min(0.0)].map(|least| Facing { normal, least });
        for (planes, facing) in self.planes.iter_mut().zip(pair) {
            planes.add(facing);
        }
        self.lift = self.lift.max(met.way.dot(self.options.upwards()));
        if self.options.walking && self.options.is_floor(normal) {
            self.floor = pair.map(Some);
        }
    }

    fn motion(&self, which: usize) -> Option<DVec3> {
        let (planes, wish, up) = (&self.planes[which], self.wishes[which], self.options.upwards());
        match &self.floor[which] {
            _ if !self.options.walking => planes.nearest(wish),
            // Walls do not lift what walks.
            None => planes.with(Facing { normal: -up, least: -wish.dot(up).max(self.lift) }).nearest(wish),
            Some(floor) => {
                let ahead = planes.along(floor, up).nearest(self.options.level(wish))?;
                let rise = (floor.least - floor.normal.dot(ahead)) / floor.normal.dot(up);
                // The rise along a slope is no momentum.
                Some(if which == 0 { ahead + up * rise } else { ahead })
            }
        }
    }
}
