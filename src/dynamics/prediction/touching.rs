//! Bodies that touch, to rounding: what rounding hides, whether they only slide along each other, and the normal of two
//! boxes that meet at an edge or a corner of both.

use glam::{BVec3, DVec3};

use crate::dynamics::BodyId;
use crate::dynamics::body::pair::Pair;
use crate::dynamics::contact::Surface;
use crate::dynamics::few::Few;
use crate::dynamics::scene::Scene;
use crate::geometry::gap::{largest, side};
use crate::geometry::{Outline, Shape, gap, unit};
use crate::motion::{Relative, SimTime};
use crate::numeric::Intervals;
use crate::numeric::tolerance::{CLOSING_SLACK, SLIDE_SLACK};
use crate::sweep::{self, Rates};

/// A body, the direction to a floor, and how deep it is in the floor, m.
pub(in crate::dynamics) type Floor = (BodyId, DVec3, f64);

/// Rounding where two bodies are in contact.
#[derive(Debug, Clone, Copy)]
pub(in crate::dynamics) struct Rounding {
    /// m/s.
    pub(in crate::dynamics) speed: f64,
    /// m.
    pub(in crate::dynamics) depth: f64,
}

impl Rounding {
    /// Whether the acceleration stops the approach before the overlap exceeds rounding.
    pub(in crate::dynamics) fn turns(&self, rates: &Rates) -> bool {
        rates.acceleration > 0.0 && rates.speed * rates.speed <= 2.0 * rates.acceleration * self.depth
    }

    /// When a pair in contact begins to approach: now, or when the acceleration has turned its velocity. Infinite if
    /// never.
    pub(in crate::dynamics) fn time_of_closing(&self, rates: &Rates) -> f64 {
        let &Rates { speed, acceleration, .. } = rates;
        if (speed < -self.speed && !self.turns(rates)) || (speed <= 0.0 && acceleration < 0.0) {
            0.0
        } else if acceleration < 0.0 {
            speed / -acceleration
        } else {
            f64::INFINITY
        }
    }
}

impl Scene {
    /// Rounding of the speed and of the depth of a pair in contact. Bodies that already lie deeper in what they rest
    /// on, after a long fall say, may be as deep in the next support.
    pub(in crate::dynamics) fn rounding(&self, pair: Pair) -> Rounding {
        let depth = SLIDE_SLACK * (self.rows.extent(pair.a) + self.rows.extent(pair.b));
        Rounding { speed: CLOSING_SLACK * self.speeds(pair), depth: depth + self.sunk(pair) }
    }

    /// Whether two solids that meet at `time` only slide along each other: along some axis they touch, and do not move
    /// or move apart. Half-spaces have no such axis.
    pub(super) fn slides(&self, pair: Pair, motion: &Relative, time: f64) -> bool {
        if [pair.a, pair.b].into_iter().any(|id| matches!(self.rows.shape(id), Shape::Plane(_))) {
            return false;
        }
        let (offset, velocity) = (motion.position_at(time), motion.velocity_at(time));
        let fast = DVec3::splat(CLOSING_SLACK * (self.speeds(pair) + velocity.abs().max_element()));
        let pulled = DVec3::splat(CLOSING_SLACK * self.settings.gravity.abs().max_element());
        let opens = (velocity * offset.signum()).cmpgt(fast);
        let moves_not = velocity.abs().cmple(fast) & motion.acceleration.abs().cmple(pulled);
        let closes_not = opens | moves_not | self.carried_axes(pair, offset);
        closes_not.any() && (closes_not & self.touching_axes(pair, motion, time, &[])).any()
    }

    fn is_ball_and_box(&self, pair: Pair) -> bool {
        let shapes = [pair.a, pair.b].map(|id| self.rows.shape(id));
        matches!(shapes, [Shape::Sphere(_), Shape::Box(_)] | [Shape::Box(_), Shape::Sphere(_)])
    }

    /// The axes along which a ball lies on a floor that does not move relative to a box, and so keeps the two apart
    /// where they only touch. The second body is `offset` from the first, m.
    fn carried_axes(&self, pair: Pair, offset: DVec3) -> BVec3 {
        let moves_alike = |one: BodyId, other: BodyId| {
            let steady = |id: BodyId| !self.rows.is_free(id) && self.rows.driven(id).is_none();
            steady(one) && steady(other) && self.rows.path(one).velocity == self.rows.path(other).velocity
        };
        let mut axes = BVec3::FALSE;
        if !self.is_ball_and_box(pair) {
            return axes;
        }
        for (id, towards) in [(pair.a, offset), (pair.b, -offset)] {
            for contact in self.contacts.of(id).iter().map(|&row| self.contacts.get(row)) {
                if moves_alike(contact.pair.other(id), pair.other(id)) {
                    let outward = contact.outward(id);
                    axes |= outward.abs().cmpeq(DVec3::ONE) & (outward * towards).cmpgt(DVec3::ZERO);
                }
            }
        }
        axes
    }

    /// The axes along which two solids, none of them a half-space, overlap by no more than rounding at `time`. `floors`
    /// are those to come, as [`floors`](Self::floors) of a body.
    fn touching_axes(&self, pair: Pair, motion: &Relative, time: f64, floors: &[Floor]) -> BVec3 {
        let bodies = [pair.a, pair.b];
        let [one, other] = bodies.map(|id| self.rows.shape(id).half_extents());
        let [a, b] = bodies.map(|id| self.rows.records.get(id).position().abs());
        let (reach, offset) = (one + other, motion.position_at(time));
        let overlap = reach - offset.abs();
        let slack = (a + b + reach) * SLIDE_SLACK;
        let near = overlap.cmple(slack);
        let stands = !floors.is_empty() || self.touches_any(pair);
        if near.all() || !stands {
            return near;
        }
        overlap.cmple(slack + self.depths_of_floors(pair, offset, floors))
    }

    /// How deep one of the bodies is in a floor along each axis, on the side on which `offset` points to b, m.
    fn depths_of_floors(&self, pair: Pair, offset: DVec3, floors: &[Floor]) -> DVec3 {
        let mut depths = DVec3::ZERO;
        for (id, towards) in [(pair.a, offset), (pair.b, -offset)] {
            let own = floors.iter().filter(|floor| floor.0 == id).map(|floor| (floor.1, floor.2));
            for (outward, depth) in self.floors(id).chain(own) {
                let is_along = outward.abs().cmpeq(DVec3::ONE) & (outward * towards).cmpge(DVec3::ZERO);
                depths = DVec3::select(is_along, depths.max(DVec3::splat(depth)), depths);
            }
        }
        depths
    }

    /// The flat faces of bodies that are not free on which this body rests: the directions to them, and how deep it is
    /// in them, m. A body that fell far lies there by the rounding of its fall, which is more than that of its place.
    ///
    /// Like the predictions that use them they follow from the paths of the two bodies: these begin anew when a contact
    /// is settled, and not when the path of another free body does.
    pub(super) fn floors(&self, id: BodyId) -> impl Iterator<Item = (DVec3, f64)> {
        self.contacts.of(id).iter().map(|&row| self.contacts.get(row)).filter_map(move |contact| {
            let is_floor = contact.surface != Surface::Curved && !self.rows.is_free(contact.pair.other(id));
            let pair = contact.pair.as_seen_from_path(&self.rows);
            let depth = || self.depth_along(pair, contact.normal, contact.part, pair.epoch(&self.rows));
            is_floor.then(|| (contact.outward(id), depth()))
        })
    }

    /// How deep the bodies of a pair are in each other at `now` along `normal`, at a part of an outline, m.
    pub(in crate::dynamics) fn depth_along(&self, pair: Pair, normal: DVec3, part: u32, now: SimTime) -> f64 {
        let offset = pair.motion(&self.rows, &self.settings.space, now).position;
        let half = |id: BodyId| self.rows.shape(id).half_extents();
        let on_part = |body: BodyId, outline: Outline<'_>, place: DVec3, inwards: DVec3| {
            let facet = outline.facet(part);
            let is_face = inwards == facet.normal || inwards == -facet.normal;
            let apart = || outline.range_along(part, inwards)[0] - inwards.dot(place);
            inwards.abs().dot(half(body)) - if is_face { facet.distance(place).abs() } else { apart() }
        };
        let [outline_a, outline_b] = [pair.a, pair.b].map(|id| self.rows.outline(id));
        match (self.rows.shape(pair.a), self.rows.shape(pair.b), outline_a.or(outline_b)) {
            (Shape::Box(_), Shape::Box(_), _) => (half(pair.a) + half(pair.b) - offset.abs()).dot(normal.abs()),
            (Shape::Box(_), _, Some(outline)) => on_part(pair.a, outline, -offset, normal),
            (_, Shape::Box(_), Some(outline)) => on_part(pair.b, outline, offset, -normal),
            _ => {
                let [a, b] = self.solids(pair, part);
                gap(a, b, offset).map_or(0.0, |gap| -gap.separation)
            }
        }
    }

    /// Whether one of two bodies has a contact.
    #[inline]
    pub(in crate::dynamics) fn touches_any(&self, pair: Pair) -> bool {
        !self.contacts.of(pair.a).is_empty() || !self.contacts.of(pair.b).is_empty()
    }

    /// How deep the bodies of a pair are in the floors on which they rest, m.
    #[inline]
    fn sunk(&self, pair: Pair) -> f64 {
        if !self.touches_any(pair) {
            return 0.0;
        }
        let floors = self.floors(pair.a).chain(self.floors(pair.b));
        floors.map(|floor| floor.1).fold(0.0, f64::max)
    }

    /// Whether two bodies now meet at an edge or a corner of both, to rounding, so that more than one axis may be the
    /// normal.
    pub(in crate::dynamics) fn meets_at_corner(&self, pair: Pair, floors: &[Floor]) -> bool {
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        self.normal_at_corner(pair, &motion, 0.0, floors).is_some()
    }

    /// Whether a ball now meets a box along `normal` at an edge in the plane of one of `floors`, to rounding.
    pub(in crate::dynamics) fn meets_flush_edge(&self, pair: Pair, normal: DVec3, floors: &[Floor]) -> bool {
        if !self.is_ball_and_box(pair) {
            return false;
        }
        let motion = pair.motion(&self.rows, &self.settings.space, self.now);
        let touching = self.touching_axes(pair, &motion, 0.0, floors);
        let is_flush = |towards: DVec3| {
            let axis = largest(towards.abs());
            towards != normal && towards == side(motion.position, axis) && touching.test(axis)
        };
        let of_pair = |&(id, outward, _): &Floor| if id == pair.a { outward } else { -outward };
        let own = floors.iter().filter(|floor| floor.0 == pair.a || floor.0 == pair.b);
        own.map(of_pair).any(is_flush)
    }

    /// The normal of two boxes that meet at an edge or a corner of both, to rounding; `None` for other pairs.
    ///
    /// The order in which they began to overlap along the axes is rounding. The normal is the axis along which they
    /// approach most slowly, since this is how fast their separation decreases; if none approaches, the axis along
    /// which the least acceleration presses them together. Axes that tie act together: the normal is between them. If
    /// one of the two rests on other faces of such directions, only these count: faces in one plane are one floor.
    pub(super) fn normal_at_corner(&self, pair: Pair, motion: &Relative, time: f64, floors: &[Floor]) -> Option<DVec3> {
        let bodies = [pair.a, pair.b];
        if !bodies.iter().all(|&id| matches!(self.rows.shape(id), Shape::Box(_))) {
            return None;
        }
        let touching = self.touching_axes(pair, motion, time, floors);
        if touching.bitmask().count_ones() < 2 {
            return None;
        }
        let (offset, velocity) = (motion.position_at(time), motion.velocity_at(time));
        let normals: Few<DVec3> = (0..3).filter(|&axis| touching.test(axis)).map(|axis| side(offset, axis)).collect();
        let rests = |id: BodyId, outward: DVec3| {
            self.contacts.of(id).iter().any(|&row| self.contacts.get(row).outward(id) == outward)
        };
        let is_floor = |&normal: &DVec3| rests(pair.a, normal) || rests(pair.b, -normal);
        let on_floors: Few<DVec3> = normals.iter().copied().filter(is_floor).collect();
        let normals = if on_floors.is_empty() { normals } else { on_floors };
        let slow = CLOSING_SLACK * (self.speeds(pair) + velocity.abs().max_element());
        let (least, slowest) = least_along(&normals, velocity, slow);
        Some(if least > slow { between(&slowest) } else { self.least_pressed(&slowest, motion.acceleration) })
    }

    /// The normal along which an acceleration presses two bodies together least; between those of `normals` that tie.
    fn least_pressed(&self, normals: &[DVec3], acceleration: DVec3) -> DVec3 {
        between(&least_along(normals, acceleration, CLOSING_SLACK * self.settings.gravity.abs().max_element()).1)
    }

    /// The normal along which two boxes stay in contact that have met along `normal`. After an impact at an edge or a
    /// corner of both they no longer approach, and gravity alone decides which of their faces bear.
    pub(in crate::dynamics) fn normal_of_rest(&self, pair: Pair, normal: DVec3) -> DVec3 {
        let fall = |id: BodyId| if self.rows.is_free(id) { self.settings.gravity } else { DVec3::ZERO };
        let normals: Few<DVec3> = (0..3).filter(|&axis| normal[axis] != 0.0).map(|axis| side(normal, axis)).collect();
        let is_corner = [pair.a, pair.b].iter().all(|&id| matches!(self.rows.shape(id), Shape::Box(_)));
        if !is_corner || normals.len() < 2 {
            return normal;
        }
        self.least_pressed(&normals, fall(pair.b) - fall(pair.a))
    }
}

/// The unit vector between normals along different axes.
fn between(normals: &[DVec3]) -> DVec3 {
    unit(normals.iter().sum()).expect("normals along different axes do not cancel")
}

/// The least component of `motion`, of b seen from a, against one of `normals`, and all normals with that component, to
/// `slack`.
fn least_along(normals: &[DVec3], motion: DVec3, slack: f64) -> (f64, Few<DVec3>) {
    let against = |normal: &DVec3| -normal.dot(motion);
    let least = normals.iter().map(against).fold(f64::INFINITY, f64::min);
    (least, normals.iter().copied().filter(|normal| against(normal) <= least + slack).collect())
}

/// When the centres differ by less than `reach` along the two axes tangential to an axis-parallel `normal`, or along
/// all three for another normal.
pub(super) fn tangential_pieces(reach: DVec3, normal: DVec3, motion: &Relative) -> Intervals {
    let coordinates = sweep::coordinates(motion);
    let across = (0..3).filter(|&axis| normal[axis].abs() != 1.0);
    across.fold(Intervals::ALL, |common, axis| common.intersection(&coordinates[axis].within(reach[axis])))
}
