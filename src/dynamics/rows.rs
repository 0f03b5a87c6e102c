//! The bodies as dense rows, in the order of their ids: the truth inside a step.

use glam::DVec3;

use super::column::Column;
use super::lines::Lines;
use super::{Body, BodyId, Layers, MaterialId, Motion, Response, Settings, Space};
use crate::geometry::{Mesh, Shape, Solid};
use crate::motion::{Path, SimTime, Spin};

/// Who decides how a body moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mover {
    Free,
    Fixed,
    Kinematic,
}

/// What decides whether two bodies have to do with each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct Role {
    pub(super) mover: Mover,
    pub(super) response: Response,
    pub(super) material: MaterialId,
    pub(super) layers: Layers,
    pub(super) deals_with: Layers,
}

/// How two bodies have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dealing {
    Collide,
    /// One passes through the other.
    Sense {
        sensor_is_a: bool,
    },
}

/// One row a body, in each column.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    /// How fast the body turns along its path.
    pub(super) spins: Column<Spin>,
    pub(super) shapes: Vec<Shape>,
    /// Zero for a body that no impulse moves.
    pub(super) inverse_masses: Vec<f64>,
    /// 1/(kg·m²); zero for a body that nothing turns. A solid ball has ⅖ m r².
    pub(super) inverse_inertias: Vec<f64>,
    pub(super) roles: Vec<Role>,
    /// How many periods the path's coordinates lie beyond those of the body's domain.
    pub(super) images: Vec<[i32; 3]>,
    /// How many periods were taken off the path's coordinates in the past.
    pub(super) turns: Vec<[i64; 3]>,
    pub(super) lines: Lines,
}

impl Rows {
    /// All `bodies` as they are at `epoch`.
    pub(super) fn new(bodies: &[Body], settings: &Settings, epoch: SimTime) -> Self {
        let count = bodies.len();
        let mut rows = Self {
            spins: Column::new(Spin::default(), count),
            shapes: Vec::with_capacity(count),
            inverse_masses: Vec::with_capacity(count),
            inverse_inertias: Vec::with_capacity(count),
            roles: Vec::with_capacity(count),
            images: vec![[0; 3]; count],
            turns: vec![[0; 3]; count],
            lines: Lines::new([].into_iter(), &[], settings),
        };
        let ids = (0..count as u32).map(BodyId);
        ids.zip(bodies).for_each(|(id, body)| rows.push(id, body));
        let paths = bodies.iter().map(|body| first_path(body, settings.gravity, epoch));
        rows.lines = Lines::new(paths, &rows.shapes, settings);
        rows
    }

    fn push(&mut self, id: BodyId, body: &Body) {
        let (mover, inverse_mass) = match body.motion {
            Motion::Free(mass) => (Mover::Free, 1.0 / mass.get()),
            Motion::Fixed => (Mover::Fixed, 0.0),
            Motion::Kinematic => (Mover::Kinematic, 0.0),
        };
        let inverse_inertia = match body.shape {
            Shape::Sphere(radius) => 2.5 * inverse_mass / (radius.get() * radius.get()),
            Shape::Box(_) | Shape::Plane(_) | Shape::Mesh(_) => 0.0,
        };
        let spin = if inverse_inertia > 0.0 { body.spin } else { DVec3::ZERO };
        self.spins.set(id, Spin { velocity: spin, acceleration: DVec3::ZERO });
        self.inverse_inertias.push(inverse_inertia);
        self.shapes.push(body.shape.clone());
        self.inverse_masses.push(inverse_mass);
        let Body { response, material, layers, deals_with, .. } = *body;
        self.roles.push(Role { mover, response, material, layers, deals_with });
    }

    /// The solid that a body is, or that a part of it is: a triangle of its mesh. Other bodies have only part 0.
    #[inline]
    pub(super) fn solid(&self, id: BodyId, part: u32) -> Solid<'_> {
        match &self.shapes[id.index()] {
            Shape::Sphere(radius) => Solid::Sphere(radius.get()),
            Shape::Box(half) => Solid::Box(half.get()),
            Shape::Plane(plane) => Solid::Plane(plane),
            Shape::Mesh(mesh) => Solid::Triangle(&mesh.triangles()[part as usize]),
        }
    }

    #[inline]
    pub(super) fn path(&self, id: BodyId) -> Path {
        self.lines.path(id)
    }

    /// The mesh that a body is.
    #[inline]
    pub(super) fn mesh(&self, id: BodyId) -> Option<&Mesh> {
        match &self.shapes[id.index()] {
            Shape::Mesh(mesh) => Some(mesh),
            _ => None,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.shapes.len()
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..self.count() as u32).map(BodyId)
    }

    pub(super) fn is_free(&self, id: BodyId) -> bool {
        self.roles[id.index()].mover == Mover::Free
    }

    pub(super) fn moves(&self, id: BodyId) -> bool {
        self.roles[id.index()].mover != Mover::Fixed
    }

    /// Whether what is predicted for two bodies is the business of `id` and not of `other`: that of the one
    /// that moves, of the free one before the kinematic one, so that a piston need not know a thousand
    /// balls, and else of the first.
    #[inline]
    pub(super) fn owns(&self, id: BodyId, other: BodyId) -> bool {
        let rank = |id: BodyId| match self.roles[id.index()].mover {
            Mover::Free => 0,
            Mover::Kinematic => 1,
            Mover::Fixed => 2,
        };
        (rank(id), id) < (rank(other), other)
    }

    /// Whether a body looks for what it does with `other`: of two that are free each does, else the one that
    /// [owns](Self::owns) it.
    #[inline]
    pub(super) fn looks_at(&self, id: BodyId, other: BodyId) -> bool {
        (self.is_free(id) && self.is_free(other)) || self.owns(id, other)
    }

    /// Where the body is in the periodic cell, m.
    pub(super) fn wrapped_position(&self, id: BodyId, space: &Space, time: SimTime) -> DVec3 {
        let position = self.path(id).position_at(time);
        position - space.shift(space.cell_of(position))
    }

    /// How far a body reaches from the origin along any axis as its path begins, at most, m: what the rounding of its place
    /// scales with. Shapes without end count as points.
    pub(super) fn extent(&self, id: BodyId) -> f64 {
        let half = self.shapes[id.index()].half_extents().max_element();
        let place = self.path(id).position.abs().max_element();
        if half.is_finite() { half + place } else { place }
    }

    /// How two bodies have to do with each other, if at all.
    pub(super) fn dealing(&self, a: BodyId, b: BodyId) -> Option<Dealing> {
        let (first, second) = (self.roles[a.index()], self.roles[b.index()]);
        if !Layers::deal([first.layers, first.deals_with], [second.layers, second.deals_with]) {
            return None;
        }
        let someone_moves = self.moves(a) || self.moves(b);
        let has_mesh = self.mesh(a).is_some() || self.mesh(b).is_some();
        match (first.response, second.response) {
            (Response::Collide, Response::Collide) => (self.is_free(a) || self.is_free(b)).then_some(Dealing::Collide),
            (Response::Sense, Response::Sense) => None,
            // A sheet has no inside that a sensor could be in.
            (first, _) => {
                (someone_moves && !has_mesh).then_some(Dealing::Sense { sensor_is_a: first == Response::Sense })
            }
        }
    }
}

/// The path on which a body begins.
fn first_path(body: &Body, gravity: DVec3, epoch: SimTime) -> Path {
    let Body { position, velocity, .. } = *body;
    match body.motion {
        Motion::Free(_) => Path { position, velocity, acceleration: gravity, epoch },
        // A fixed body stays, whatever velocity it was given.
        Motion::Fixed => Path { position, velocity: DVec3::ZERO, acceleration: DVec3::ZERO, epoch },
        Motion::Kinematic => Path { position, velocity, acceleration: DVec3::ZERO, epoch },
    }
}
