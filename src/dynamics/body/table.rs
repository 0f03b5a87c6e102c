//! The body table: dense rows in the order of the ids.
//!
//! Properties that do not change are stored per class, since many bodies share them. Paths are in [path
//! records](super::path_record).

use std::collections::BTreeMap;

use glam::DVec3;
use prefetch_index::prefetch_index;

use super::altered::alterable::Alterable;
use super::altered::turned::TurnedCells;
use super::driven::{Driven, DrivenBodies, first_path};
use super::path_record::PathRecords;
use super::sparse_column::Column;
use crate::dynamics::{Body, BodyId, Layers, MaterialId, Motion, Response, Settings, Space};
use crate::geometry::{CircleArc, Outline, Shape, Solid};
use crate::motion::{Path, SimTime, Spin};
use crate::numeric::tolerance::SPEED_PER_SIZE_MAX;

/// What determines the motion of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dynamics) enum Mover {
    Free,
    Fixed,
    Kinematic,
}

/// Despawned bodies that stay in the list of those that are present: at most so many, or one in so many of the list.
const LEFT_MAX: usize = 16;
const LEFT_SHARE: usize = 16;

/// The properties that determine how two bodies interact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::dynamics) struct Role {
    pub(in crate::dynamics) mover: Mover,
    pub(in crate::dynamics) response: Response,
    pub(in crate::dynamics) material: MaterialId,
    pub(in crate::dynamics) layers: Layers,
    pub(in crate::dynamics) collides_with: Layers,
}

/// How two bodies interact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::dynamics) enum Interaction {
    Collide,
    /// One is a sensor, and the other passes through it.
    Sense {
        sensor_is_a: bool,
    },
}

/// Properties that many bodies share and that do not change: in a gas of equal balls they stay in the nearest cache.
#[derive(Debug, Clone)]
pub(super) struct BodyClass {
    pub(super) shape: Shape,
    /// 1/kg; zero for a body that is not free.
    pub(super) inverse_mass: f64,
    /// 1/(kg·m²); zero for a body that does not rotate. That of a sphere depends on the space.
    pub(super) inverse_inertia: f64,
    /// As given: with the mass itself, not the reciprocal of its reciprocal.
    pub(super) motion: Motion,
    pub(super) role: Role,
    /// Whether its bodies were despawned.
    pub(super) is_gone: bool,
}

/// The properties that distinguish classes: the shape's kind and dimensions, the mass, the role.
type ClassKey = ([u64; 5], Role);

/// One row per body, in each column.
#[derive(Debug, Clone)]
pub(in crate::dynamics) struct BodyTable {
    /// Spin of each body along its path.
    pub(in crate::dynamics) spins: Column<Spin>,
    pub(super) classes: Vec<BodyClass>,
    /// The rank of each body's class.
    pub(super) class_of: Vec<u32>,
    /// What altered bodies had when they came.
    pub(super) given: BTreeMap<BodyId, Alterable>,
    /// The cells of grids that commands have turned.
    pub(super) turned: BTreeMap<BodyId, TurnedCells>,
    /// Number of periods subtracted from the path's coordinates so far.
    pub(in crate::dynamics) turns: Vec<[i64; 3]>,
    /// The bodies that courses move.
    pub(in crate::dynamics) driven: DrivenBodies,
    /// The kinematic bodies, by id.
    pub(in crate::dynamics) kinematic: Vec<BodyId>,
    /// The arcs, by id, with those that were despawned.
    pub(in crate::dynamics) arcs: Vec<(BodyId, CircleArc)>,
    /// The bodies that were not despawned, by id, with a few that were.
    present: Vec<BodyId>,
    /// How many of these were despawned.
    left: usize,
    /// Despawned bodies, and the rank of the class that each had.
    gone: BTreeMap<BodyId, u32>,
    /// The ranks of the classes of despawned bodies, by the ranks of those that they had.
    gone_classes: BTreeMap<u32, u32>,
    pub(in crate::dynamics) records: PathRecords,
    /// No body of the world is too fast for its size up to this speed, m/s.
    pub(in crate::dynamics) slow: f64,
}

impl BodyTable {
    /// All `bodies` as they are at `epoch`.
    pub(in crate::dynamics) fn new(bodies: &[Body], settings: &Settings, epoch: SimTime) -> Self {
        let count = bodies.len();
        let path = |body: &Body| first_path(body, settings.gravity, epoch);
        let mut rows = Self {
            spins: Column::new(Spin::default(), count),
            classes: Vec::new(),
            class_of: Vec::with_capacity(count),
            given: BTreeMap::new(),
            turned: BTreeMap::new(),
            turns: vec![[0; 3]; count],
            driven: DrivenBodies::new(),
            kinematic: Vec::new(),
            arcs: Vec::new(),
            present: Vec::with_capacity(count),
            left: 0,
            gone: BTreeMap::new(),
            gone_classes: BTreeMap::new(),
            records: PathRecords::new(bodies.iter().map(|body| (path(body), &body.shape)), settings),
            slow: f64::INFINITY,
        };
        let (ids, mut ranks) = ((0..count as u32).map(BodyId), BTreeMap::new());
        ids.zip(bodies).for_each(|(id, body)| rows.push(id, body, settings, &mut ranks));
        rows.follow(epoch);
        rows
    }

    /// Adds a body as it is at `epoch`. It shares its class with the body before it, if it can.
    pub(in crate::dynamics) fn push_body(&mut self, id: BodyId, body: &Body, settings: &Settings, epoch: SimTime) {
        self.records.push(&first_path(body, settings.gravity, epoch), &body.shape);
        self.spins.push_row();
        self.turns.push([0; 3]);
        let last = self.classes.len().wrapping_sub(1);
        let before = self.classes.last().and_then(|last| class_key(&last.shape, last.inverse_mass, last.role));
        self.push(id, body, settings, &mut before.map(|class_key| (class_key, last as u32)).into_iter().collect());
        self.follow(epoch);
    }

    fn push(&mut self, id: BodyId, body: &Body, settings: &Settings, ranks: &mut BTreeMap<ClassKey, u32>) {
        self.slow = self.slow.min(SPEED_PER_SIZE_MAX * body.shape.half_extents().min_element());
        let (mover, inverse_mass) = match body.motion {
            Motion::Free(mass) => (Mover::Free, 1.0 / mass.get()),
            Motion::Fixed => (Mover::Fixed, 0.0),
            Motion::Kinematic => (Mover::Kinematic, 0.0),
        };
        let inverse_inertia = match body.shape {
            Shape::Sphere(radius) => settings.space.inverse_inertia() * inverse_mass / (radius.get() * radius.get()),
            Shape::Box(_) | Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => 0.0,
        };
        let velocity = if inverse_inertia > 0.0 { body.spin } else { DVec3::ZERO };
        self.spins.set(id, Spin { velocity, ..Spin::default() });
        let Body { ref shape, motion, response, material, layers, collides_with, .. } = *body;
        let role = Role { mover, response, material, layers, collides_with };
        let last = self.classes.len() as u32;
        let rank =
            class_key(shape, inverse_mass, role).map_or(last, |class_key| *ranks.entry(class_key).or_insert(last));
        if rank == last {
            let (shape, is_gone) = (settings.space.seen(shape), false);
            self.classes.push(BodyClass { shape, inverse_mass, inverse_inertia, motion, role, is_gone });
        }
        self.class_of.push(rank);
        self.present.push(id);
        if mover == Mover::Kinematic {
            self.kinematic.push(id);
        }
        if let Shape::Arc(arc) = *shape {
            self.arcs.push((id, arc));
        }
        if let Some(course) = &body.course {
            self.driven.insert(id, Driven::on(**course, self.path(id)));
        }
    }

    #[inline]
    fn class(&self, id: BodyId) -> &BodyClass {
        &self.classes[self.class_rank(id) as usize]
    }

    /// Bodies of equal rank differ only in position and motion.
    #[inline]
    pub(in crate::dynamics) fn class_rank(&self, id: BodyId) -> u32 {
        if self.classes.len() == 1 { 0 } else { self.class_of[id.index()] }
    }

    /// Removes a body: it no longer interacts with others, but keeps its shape and position.
    pub(in crate::dynamics) fn take_out(&mut self, id: BodyId) {
        let Self { classes, class_of, gone, gone_classes, kinematic, driven, .. } = self;
        let had = class_of[id.index()];
        let rank = *gone_classes.entry(had).or_insert_with(|| {
            let class = classes[had as usize].clone();
            let role = Role { mover: Mover::Fixed, layers: Layers::NONE, collides_with: Layers::NONE, ..class.role };
            classes.push(BodyClass { inverse_mass: 0.0, inverse_inertia: 0.0, role, is_gone: true, ..class });
            classes.len() as u32 - 1
        });
        class_of[id.index()] = rank;
        gone.insert(id, had);
        if let Ok(place) = kinematic.binary_search(&id) {
            kinematic.remove(place);
        }
        driven.remove(&id);
        self.left += 1;
        // Each body that leaves would otherwise cost a move of all others.
        if self.left > LEFT_MAX && LEFT_SHARE * self.left > self.present.len() {
            self.present = self.present().collect();
            self.left = 0;
        }
    }

    /// Whether a body was despawned.
    #[inline]
    pub(in crate::dynamics) fn is_gone(&self, id: BodyId) -> bool {
        !self.gone.is_empty() && self.class(id).is_gone
    }

    /// The bodies that were not despawned, by id.
    pub(in crate::dynamics) fn present(&self) -> impl Iterator<Item = BodyId> + Clone + use<'_> {
        self.present.iter().copied().filter(|&id| self.left == 0 || !self.is_gone(id))
    }

    /// The number of these bodies.
    pub(in crate::dynamics) fn present_count(&self) -> usize {
        self.present.len() - self.left
    }

    /// Despawned bodies, by id.
    pub(in crate::dynamics) fn gone(&self) -> impl ExactSizeIterator<Item = BodyId> {
        self.gone.keys().copied()
    }

    /// The definition of a body, also of a despawned one. Its initial position and velocity are not stored.
    pub(in crate::dynamics) fn body(&self, id: BodyId) -> Body {
        let rank = self.gone.get(&id).unwrap_or(&self.class_of[id.index()]);
        let BodyClass { shape, motion, role, .. } = &self.classes[*rank as usize];
        let Role { response, material, layers, collides_with, .. } = *role;
        let course = self.driven(id).filter(|_| !self.is_free(id)).map(|driven| Box::new(driven.course));
        Body { course, response, material, layers, collides_with, ..Body::new(shape.clone(), *motion) }
    }

    /// Prefetches the rows of a body.
    #[inline]
    pub(in crate::dynamics) fn prefetch(&self, id: BodyId) {
        if self.classes.len() > 1 {
            prefetch_index(&self.class_of, id.index());
        }
        self.records.prefetch(id);
    }

    #[inline]
    pub(in crate::dynamics) fn shape(&self, id: BodyId) -> &Shape {
        &self.class(id).shape
    }

    /// 1/kg; zero for a body that is not free.
    #[inline]
    pub(in crate::dynamics) fn inverse_mass(&self, id: BodyId) -> f64 {
        self.class(id).inverse_mass
    }

    /// 1/(kg·m²); zero for a body that does not rotate.
    #[inline]
    pub(in crate::dynamics) fn inverse_inertia(&self, id: BodyId) -> f64 {
        self.class(id).inverse_inertia
    }

    #[inline]
    pub(in crate::dynamics) fn role(&self, id: BodyId) -> &Role {
        &self.class(id).role
    }

    /// The solid of a body, or of a part of its outline. Other bodies have only part 0.
    #[inline]
    pub(in crate::dynamics) fn solid(&self, id: BodyId, part: u32) -> Solid<'_> {
        match self.shape(id) {
            Shape::Sphere(radius) => Solid::Sphere(radius.get()),
            Shape::Box(half) => Solid::Box(half.get()),
            Shape::Plane(plane) => Solid::Plane(plane),
            Shape::Arc(arc) => Solid::Arc(arc),
            Shape::Mesh(mesh) => Outline::of(mesh).solid(part),
            Shape::Grid(grid) => Outline::Grid(grid).solid(part),
        }
    }

    /// Counts the periods by which a body's path is moved back.
    #[inline]
    pub(in crate::dynamics) fn cross(&mut self, id: BodyId, crossed: [i32; 3]) {
        if crossed != [0; 3] {
            let turns = &mut self.turns[id.index()];
            (0..3).for_each(|axis| turns[axis] += i64::from(crossed[axis]));
        }
    }

    #[inline]
    pub(in crate::dynamics) fn path(&self, id: BodyId) -> Path {
        self.records.path(id)
    }

    /// The outline of a body that is a mesh or a grid.
    #[inline]
    pub(in crate::dynamics) fn outline(&self, id: BodyId) -> Option<Outline<'_>> {
        self.shape(id).outline()
    }

    /// Whether the outline of one of two bodies has a part; true if none has an outline.
    pub(in crate::dynamics) fn has_part(&self, bodies: [BodyId; 2], part: u32) -> bool {
        let outline = bodies.into_iter().find_map(|id| self.outline(id));
        outline.is_none_or(|outline| outline.has_part(part))
    }

    pub(in crate::dynamics) fn count(&self) -> usize {
        self.class_of.len()
    }

    pub(in crate::dynamics) fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.count() as u32).map(BodyId)
    }

    pub(in crate::dynamics) fn is_free(&self, id: BodyId) -> bool {
        self.role(id).mover == Mover::Free
    }

    pub(in crate::dynamics) fn moves(&self, id: BodyId) -> bool {
        self.role(id).mover != Mover::Fixed
    }

    /// Whether the predictions of two bodies belong to `id` and not to `other`. They belong to a free body before a
    /// kinematic one, and to a kinematic body before a fixed one; so a piston does not have the predictions of a
    /// thousand balls. For the same reason they belong to a colliding body before a sensor. In other cases they belong
    /// to the smaller id.
    #[inline]
    pub(in crate::dynamics) fn owns(&self, id: BodyId, other: BodyId) -> bool {
        let rank = |id: BodyId| match self.role(id).mover {
            Mover::Free => (0, self.senses(id)),
            Mover::Kinematic => (1, self.senses(id)),
            Mover::Fixed => (2, self.senses(id)),
        };
        (rank(id), id) < (rank(other), other)
    }

    #[inline]
    pub(in crate::dynamics) fn senses(&self, id: BodyId) -> bool {
        self.role(id).response == Response::Sense
    }

    /// Whether the events of `id` with `other` are predicted for `id`. If both are free and collide, they are predicted
    /// for each of them, otherwise only for the body that [owns](Self::owns) the pair. Only commands change the path of
    /// a sensor.
    #[inline]
    pub(in crate::dynamics) fn predicts_with(&self, id: BodyId, other: BodyId) -> bool {
        let strikes = |id: BodyId| self.is_free(id) && !self.senses(id);
        (strikes(id) && strikes(other)) || self.owns(id, other)
    }

    /// Position of the body in the periodic cell, m.
    pub(in crate::dynamics) fn wrapped_position(&self, id: BodyId, space: &Space, time: SimTime) -> DVec3 {
        space.wrap(self.path(id).position_at(time)).0
    }

    /// Largest absolute coordinate of a body, along any axis, when its path begins, m: the scale of the rounding of its
    /// position. Shapes without bounds count as points.
    #[inline]
    pub(in crate::dynamics) fn extent(&self, id: BodyId) -> f64 {
        let half = self.shape(id).half_extents().max_element();
        let place = self.reach(id);
        if half.is_finite() { half + place } else { place }
    }

    /// How two bodies interact, if at all.
    pub(in crate::dynamics) fn interaction(&self, a: BodyId, b: BodyId) -> Option<Interaction> {
        let (first, second) = (self.role(a), self.role(b));
        if !Layers::collide([first.layers, first.collides_with], [second.layers, second.collides_with]) {
            return None;
        }
        let one_moves = self.moves(a) || self.moves(b);
        let has_outline = self.outline(a).is_some() || self.outline(b).is_some();
        match (first.response, second.response) {
            (Response::Collide, Response::Collide) => {
                (self.is_free(a) || self.is_free(b)).then_some(Interaction::Collide)
            }
            (Response::Sense, Response::Sense) => None,
            // The parts of an outline have no interior, so a sensor cannot be in it.
            (first, _) => {
                (one_moves && !has_outline).then_some(Interaction::Sense { sensor_is_a: first == Response::Sense })
            }
        }
    }
}

/// The key of a body's class; `None` for shapes that are never shared.
pub(super) fn class_key(shape: &Shape, inverse_mass: f64, role: Role) -> Option<ClassKey> {
    let (kind, [x, y, z]) = match shape {
        Shape::Sphere(radius) => (0, [radius.get(); 3]),
        Shape::Box(half) => (1, half.get().to_array()),
        Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => return None,
    };
    Some(([kind, x.to_bits(), y.to_bits(), z.to_bits(), inverse_mass.to_bits()], role))
}
