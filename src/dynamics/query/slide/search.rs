//! The first body that a sliding shape meets, to rounding.
//!
//! The shape that is swept is smaller than the real one by the rounding of the coordinates, so what only touches, or is
//! a few spacings deep, is not met. Where it meets a body it is put where the real shape touches.

use glam::DVec3;

use super::cone::Facing;
use super::edge::normal_of;
use super::near::{Around, Near};
use super::types::{Inside, SlideOptions, SlideShape};
use crate::dynamics::broadphase::combinations;
use crate::dynamics::broadphase::hash_grid::CarriedBox;
use crate::dynamics::query::{Best, Candidate, Rank, Sight, Spot, SweepHit, is_direction, moderate};
use crate::dynamics::{BodyId, Stepper};
use crate::geometry::{Aabb, Gap, Ray, Shape, Solid, gap, touch_point};
use crate::motion::Relative;
use crate::numeric::tolerance::SLIDE_SLACK;
use crate::numeric::whole::floor;
use crate::sweep::outline::parts_on_way;
use crate::sweep::{Overlap, Start, overlap};

/// Most periods, to either side of the nearest image, in which a kinematic body is met.
const IMAGES_MAX: i64 = 3;

/// Farthest image of a kinematic body that is met, in periods from where it is.
const FAR: i64 = 1 << 30;

/// A shape in the world, for the length of one slide.
pub(super) struct Search<'a> {
    pub(super) stepper: &'a Stepper,
    pub(super) shape: SlideShape,
    pub(super) sight: &'a Sight<'a>,
    pub(super) options: &'a SlideOptions<'a>,
    /// The kinematic bodies that move, and their ways, m for the whole slide.
    pub(super) moving: Vec<(BodyId, DVec3)>,
    pub(super) near: Near<'a>,
    /// The rounding at the start, m.
    pub(super) grain: f64,
}

/// A part of a way: from a place at a share of the slide, with a motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) place: DVec3,
    /// The share of the slide at which it begins.
    pub(super) share: f64,
    /// The share of the slide that it takes; 0 while all bodies stand still.
    pub(super) lasts: f64,
    pub(super) motion: DVec3,
}

impl Part {
    /// Its largest coordinates, m.
    fn size(&self) -> f64 {
        self.place.abs().max_element() + self.motion.abs().max_element()
    }
}

/// How the shape would meet a body.
pub(super) struct Meeting {
    /// Out of the body.
    pub(super) normal: DVec3,
    /// The way of the body in the whole slide, m.
    pub(super) way: DVec3,
    /// The share of the part.
    pub(super) t: f64,
    /// The rounding of distances between the two, m.
    pub(super) slack: f64,
}

impl Meeting {
    pub(super) fn facing(&self) -> Facing {
        Facing { normal: self.normal, least: self.normal.dot(self.way) }
    }
}

/// A body that a part of a way meets.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    /// The body; `t` is the share of the part.
    pub(super) hit: SweepHit,
    /// The way of the body in the whole slide, m.
    pub(super) way: DVec3,
    /// Where the shape touches the body, m.
    pub(super) place: DVec3,
    /// The rounding of distances between the two, m.
    slack: f64,
    /// Whether two boxes meet at an edge or a corner.
    at_edge: bool,
}

/// A sweep of the shape along a part of a way.
struct Cast<'a, C> {
    search: &'a Search<'a>,
    part: &'a Part,
    /// The largest coordinates of the part, m.
    size: f64,
    counts: C,
    /// Whether all is met at once: then faces are before edges, and of edges that with the slowest approach.
    at_once: bool,
    /// What it meets first so far, and the part of a mesh or a grid.
    best: Best<(Met, u32)>,
    /// The share of the part up to which it is of interest.
    last: f64,
}

impl<C: Fn(&Meeting) -> bool> Cast<'_, C> {
    /// The motion of a body with a way, m for the whole slide, seen from the shape.
    fn motion(&self, found: &Candidate, way: DVec3) -> Relative {
        let velocity = way * self.part.lasts - self.part.motion;
        Relative { position: found.position - self.part.place, velocity, acceleration: DVec3::ZERO }
    }

    /// Looks at a body, with its way.
    fn meet(&mut self, found: &Candidate, way: DVec3) {
        let search = self.search;
        let rows = &search.stepper.sim.scene.rows;
        let Some(outline) = rows.outline(found.id) else {
            return self.offer(found, way, 0, rows.solid(found.id, 0));
        };
        let slim = search.slim(search.grain.max(search.rounding_of(self.size, found)));
        parts_on_way(slim, outline, &self.motion(found, way), self.last, |facet, _| {
            self.offer(found, way, facet, outline.solid(facet));
            self.last
        });
    }

    /// Looks at a body, or at a part of its mesh or grid.
    fn offer(&mut self, found: &Candidate, way: DVec3, facet: u32, other: Solid<'_>) {
        let (search, motion) = (self.search, self.motion(found, way));
        // No less than that at the start.
        let slack = search.grain.max(search.rounding(self.size, found, other));
        let slim = search.slim(slack);
        let Some(met) = overlap(slim, other, &motion, self.last) else { return };
        let outline = search.stepper.sim.scene.rows.outline(found.id);
        let side = outline.filter(|_| matches!(other, Solid::Patch { .. })).map(|outline| outline.facet(facet).normal);
        let Some((normal, at_edge)) = normal_of([slim, other], side, &motion, (&met, slack)) else { return };
        let meeting = Meeting { normal, way, t: met.enter, slack };
        if !search.is_met(found, &met, normal, motion.velocity) || !(self.counts)(&meeting) {
            return;
        }
        let &Candidate { id: body, position, .. } = found;
        let primitive = outline.map_or(0, |outline| outline.primitive(facet));
        let spot = Spot { body, primitive, position, point: position };
        let hit = SweepHit { spot, t: met.enter, normal, start: met.start };
        let met = Met { hit, way, place: self.part.place, slack, at_edge };
        let value = match (self.at_once, at_edge) {
            (false, _) => hit.t,
            (true, false) => 0.0,
            (true, true) => motion.velocity.dot(normal),
        };
        self.best.offer(Rank::new(value, found, primitive), (met, facet));
        self.last = if self.at_once { self.last } else { self.last.min(hit.t) };
    }
}

impl Search<'_> {
    /// The first body on a part of a way that the shape meets in a way that `counts`. Of what it meets at once, faces
    /// are before edges: flush boxes have no edges where they meet.
    pub(super) fn first(&self, part: &Part, counts: impl Fn(&Meeting) -> bool) -> Option<Met> {
        let first = self.cast(part, &counts, None)?;
        let best = if first.0.at_edge { self.cast(part, &counts, Some(first.0)) } else { None };
        let (met, facet) = best.unwrap_or(first);
        Some(self.touching(part, met, facet))
    }

    /// What the shape meets first, and which part of a mesh or a grid; or what it meets at once with an `edge`.
    fn cast(&self, part: &Part, counts: impl Fn(&Meeting) -> bool, edge: Option<Met>) -> Option<(Met, u32)> {
        let last = edge.map_or(1.0, |edge| {
            let approach = (edge.way * part.lasts - part.motion).dot(edge.hit.normal);
            edge.hit.t + 4.0 * edge.slack / approach
        });
        let (size, at_once) = (part.size(), edge.is_some());
        let mut cast = Cast { search: self, part, size, counts, at_once, best: Best(None), last: last.min(1.0) };
        for &(id, way) in &self.moving {
            for found in self.moved(id, way, part) {
                cast.meet(&found, way);
            }
        }
        let goes = is_direction(part.motion) && moderate(part.place);
        let (half, end) = (self.shape.half(), part.place + part.motion);
        let swept = Aabb { min: part.place.min(end) - half, max: part.place.max(end) + half };
        if let Some(near) = self.near.within(&swept, &self.moving).filter(|_| goes) {
            for found in near {
                let Some(parts) = found.parts(&swept) else {
                    cast.meet(&found.body, DVec3::ZERO);
                    continue;
                };
                parts.for_each(|piece| cast.offer(&found.body, DVec3::ZERO, piece.part, piece.solid));
            }
        } else if goes {
            let ray = Ray { origin: part.place, direction: part.motion };
            let carried = CarriedBox { ray, half, from: 0.0, until: cast.last };
            self.stepper.along(&carried, self.sight, |found, _| {
                if self.way_of(found.id).is_none() {
                    cast.meet(&found, DVec3::ZERO);
                }
                cast.last
            });
        }
        cast.best.answer()
    }

    /// The overlap at the start that is deepest beyond rounding, if there is one. The rounding is that of all bodies
    /// around: a shape that stands on one of them touches those beside it with the same.
    pub(super) fn inside(&mut self, place: DVec3, motion: DVec3) -> Option<Inside> {
        let size = Part { place, share: 0.0, lasts: 0.0, motion }.size();
        let (mut grain, mut deepest): (f64, Option<Inside>) = (0.0, None);
        self.each_around(place, |around| {
            grain = grain.max(self.rounding_of(size, &around.body));
            if self.options.one_way.iter().all(|&(body, _)| body != around.body.id) {
                let inside = self.overlap_with(around, place);
                deepest =
                    inside.filter(|inside| deepest.is_none_or(|deepest| inside.depth > deepest.depth)).or(deepest);
            }
        });
        self.grain = grain;
        deepest.filter(|inside| inside.depth > 4.0 * grain)
    }

    /// A place at which the next slide can begin: what came from a body with large coordinates may be deeper in another
    /// one than the rounding there.
    pub(super) fn settled(&self, place: DVec3) -> DVec3 {
        let size = Part { place, share: 1.0, lasts: 0.0, motion: DVec3::ZERO }.size();
        let mut settled = place;
        self.each_around(place, |around| {
            if self.way_of(around.body.id).is_none()
                && let Some(inside) = self.overlap_with(around, place)
                && inside.depth > 3.0 * self.rounding_of(size, &around.body)
                && inside.depth <= 4.0 * self.grain
            {
                settled += inside.out;
            }
        });
        settled
    }

    /// Looks at the bodies that may touch the shape at a place.
    fn each_around(&self, place: DVec3, look: impl FnMut(&Around<'_>)) {
        let (half, periods) = (self.shape.half(), self.stepper.sim.scene.settings.space.periods);
        match self.near.within(&Aabb::around(place, half), &[]) {
            Some(near) => near.for_each(look),
            None => {
                // In a shape wider than a period the nearest image is the deepest.
                let lengths = periods.map(|period| period.map_or(f64::INFINITY, |period| period.length()));
                let bounds = Aabb::around(place, half.min(DVec3::from_array(lengths)));
                Near::within_bounds(self.stepper, self.sight, bounds).all().for_each(look);
            }
        }
    }

    /// How deep the shape is in a body.
    fn overlap_with(&self, around: &Around<'_>, place: DVec3) -> Option<Inside> {
        let (rows, Candidate { id, position, .. }) = (&self.stepper.sim.scene.rows, around.body);
        let mut deepest: Option<Gap> = None;
        let mut look = |other: Solid<'_>| {
            let found = gap(self.shape.solid(), other, position - place);
            let deeper = |gap: &Gap| deepest.is_none_or(|deepest| gap.separation < deepest.separation);
            deepest = found.filter(deeper).or(deepest);
        };
        let bounds = Aabb::around(place, self.shape.half());
        if let Some(parts) = around.parts(&bounds) {
            parts.for_each(|piece| look(piece.solid));
        } else if let Some(outline) = rows.outline(id) {
            outline.touching(&bounds.shifted(-position), |part| look(outline.solid(part)));
        } else {
            look(rows.solid(id, 0));
        }
        deepest.map(|gap| Inside { body: id, depth: -gap.separation, out: gap.normal * gap.separation })
    }

    /// The images of a kinematic body at the begin of a part that the shape may meet on it.
    fn moved(&self, id: BodyId, way: DVec3, part: &Part) -> impl Iterator<Item = Candidate> + use<> {
        let (scene, space) = (&self.stepper.sim.scene, self.stepper.sim.scene.settings.space);
        let place = scene.rows.path(id).position_at(scene.now) + way * part.share;
        let half = scene.rows.shape(id).half_extents() + self.shape.half();
        let (offset, motion) = (part.place - place, part.motion - way * part.lasts);
        // No farther than twice that, so that no number overflows.
        let whole = |periods: f64| floor(periods).clamp(-2 * FAR, 2 * FAR);
        let images = combinations(std::array::from_fn(|axis| match space.periods[axis] {
            Some(period) if half[axis].is_finite() => {
                let (from, to) = (offset[axis], offset[axis] + motion[axis]);
                let nearest = whole(from / period.length() + 0.5);
                let low = (-whole((half[axis] - from.min(to)) / period.length())).max(nearest - IMAGES_MAX);
                let high = whole((from.max(to) + half[axis]) / period.length()).min(nearest + IMAGES_MAX);
                low.max(-FAR)..=high.min(FAR)
            }
            _ => 0..=0,
        }));
        images.map(move |image| {
            let image = image.map(|number| number as i32);
            Candidate { id, image, position: place + space.shift(image) }
        })
    }

    fn way_of(&self, id: BodyId) -> Option<DVec3> {
        self.moving.iter().find(|(body, _)| *body == id).map(|&(_, way)| way)
    }

    /// Whether an overlap stops the shape: not where it leaves, and not what lets it through.
    fn is_met(&self, found: &Candidate, met: &Overlap, normal: DVec3, velocity: DVec3) -> bool {
        let mut sides = self.options.one_way.iter().filter(|&&(body, _)| body == found.id).peekable();
        if sides.peek().is_some() {
            return met.start != Start::Inside && sides.any(|&(_, side)| side.dot(normal) >= 0.5 * side.length());
        }
        met.start != Start::Inside || velocity.dot(normal) > 0.0
    }

    /// The shape, smaller by rounding.
    fn slim(&self, slack: f64) -> Solid<'static> {
        match self.shape {
            SlideShape::Ball(radius) => Solid::Sphere((radius.get() - slack).max(0.5 * radius.get())),
            SlideShape::Box(half) => Solid::Box((half.get() - slack).max(0.5 * half.get())),
        }
    }

    /// The rounding of a distance between the shape and a body, m, for a part of a way with this size.
    fn rounding_of(&self, size: f64, found: &Candidate) -> f64 {
        let rows = &self.stepper.sim.scene.rows;
        match rows.shape(found.id) {
            shape @ (Shape::Mesh(_) | Shape::Grid(_)) => self.rounding(size, found, Solid::Box(shape.half_extents())),
            _ => self.rounding(size, found, rows.solid(found.id, 0)),
        }
    }

    fn rounding(&self, size: f64, found: &Candidate, other: Solid<'_>) -> f64 {
        let reach = match other {
            Solid::Sphere(radius) => radius,
            Solid::Box(half) => half.max_element(),
            Solid::Plane(plane) | Solid::Sheet(plane) => plane.offset().abs(),
            Solid::Arc(arc) => arc.radius(),
            Solid::Patch { center, half } => (center.abs() + half).max_element(),
            Solid::Triangle(triangle) => {
                triangle.vertices().map(|corner| corner.abs().max_element()).into_iter().fold(0.0, f64::max)
            }
        };
        let terms = size + found.position.abs().max_element() + self.shape.half().max_element();
        SLIDE_SLACK * (terms + reach)
    }

    /// The place where the real shape touches the body, a little before the one where the slim shape does.
    fn touching(&self, part: &Part, mut met: Met, triangle: u32) -> Met {
        let SweepHit { spot, t, normal, start } = met.hit;
        let (solid, other) = (self.shape.solid(), self.stepper.sim.scene.rows.solid(spot.body, triangle));
        let way = met.way * part.lasts;
        let depth = |t: f64| {
            let offset = spot.position + way * t - (part.place + part.motion * t);
            gap(solid, other, offset).map_or(0.0, |gap| -gap.separation)
        };
        let velocity = way - part.motion;
        let t = if start == Start::Inside { 0.0 } else { (t - depth(t) / normal.dot(velocity)).max(0.0) };
        // A way as short as rounding is none.
        let t = if t * velocity.length() > met.slack { t } else { 0.0 };
        let (position, deep) = (spot.position + way * t, depth(t));
        met.place = part.place + part.motion * t;
        match face(solid, other, normal) {
            Some((axis, middle, apart)) if t > 0.0 => {
                met.place[axis] = position[axis] + middle + normal[axis] * apart;
            }
            _ if t > 0.0 => met.place += normal * deep,
            _ if deep <= 4.0 * met.slack => met.place += normal * deep.max(0.0),
            _ => {}
        }
        let point = touch_point(solid, met.place, other, position, -normal);
        met.hit = SweepHit { spot: Spot { position, point, ..spot }, t, ..met.hit };
        met
    }
}

/// The axis along which two solids touch face to face, or at the end of a ball, the centre of the second along it, from
/// its position, and how far the centres are then apart along it, m.
fn face(a: Solid<'_>, b: Solid<'_>, normal: DVec3) -> Option<(usize, f64, f64)> {
    let axis = (0..3).find(|&axis| normal[axis].abs() == 1.0)?;
    let reach = |solid: Solid<'_>| match solid {
        Solid::Sphere(radius) => Some((0.0, radius)),
        Solid::Box(half) => Some((0.0, half[axis])),
        Solid::Patch { center, half } => Some((center[axis], half[axis])),
        Solid::Plane(_) | Solid::Sheet(_) | Solid::Arc(_) | Solid::Triangle(_) => None,
    };
    let (middle, other) = reach(b)?;
    Some((axis, middle, reach(a)?.1 + other))
}
