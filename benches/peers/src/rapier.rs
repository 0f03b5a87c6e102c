//! A scene in Rapier with its default settings, except the unit of length.

use carom::glam::DVec3;
use rapier3d_f64::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SharedShape, Vector};

use crate::engine::STEP;
use crate::scene::{Item, Scene, Shape, Wall};

/// A Rapier world.
pub(crate) struct Rapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

impl Rapier {
    pub(crate) fn new(scene: &Scene, wall_of: impl Fn(&Scene, &Wall) -> ColliderBuilder) -> Self {
        let mut world = PhysicsWorld { gravity: to_rapier(DVec3::Z * -scene.gravity), ..PhysicsWorld::default() };
        world.integration_parameters.dt = STEP;
        world.integration_parameters.length_unit = 2.0 * scene.radius;
        let stuff = |collider: ColliderBuilder| collider.restitution(scene.restitution).friction(scene.friction);
        for wall in &scene.walls {
            world.insert_collider(stuff(wall_of(scene, wall)), None);
        }
        let mut insert = |item: &Item| {
            let place = RigidBodyBuilder::dynamic().translation(to_rapier(item.position));
            let body = place.linvel(to_rapier(item.velocity));
            let (body, collider) = match item.shape {
                Shape::Ball => (body, ColliderBuilder::ball(scene.radius)),
                Shape::Cube => {
                    (body.lock_rotations(), ColliderBuilder::cuboid(scene.radius, scene.radius, scene.radius))
                }
            };
            world.insert(body, stuff(collider).mass(scene.mass(item.shape))).0
        };
        let handles = scene.items.iter().map(&mut insert).collect();
        Self { world, handles }
    }

    /// Advances by one step.
    pub(crate) fn step(&mut self) {
        self.world.step();
    }

    pub(crate) fn states(&self) -> impl Iterator<Item = (DVec3, DVec3)> {
        let bodies = self.handles.iter().map(|&handle| &self.world.bodies[handle]);
        bodies.map(|body| (from_rapier(body.translation()), from_rapier(body.linvel())))
    }
}

pub(crate) fn half_space(_: &Scene, wall: &Wall) -> ColliderBuilder {
    let shape = SharedShape::halfspace(to_rapier(wall.normal));
    ColliderBuilder::new(shape).translation(to_rapier(wall.normal * wall.offset))
}

/// A box with one face in the plane of the wall, so wide and thick that no body can pass around it.
pub(crate) fn box_wall(scene: &Scene, wall: &Wall) -> ColliderBuilder {
    let reach = scene.items.iter().map(|item| item.position.max_element()).fold(scene.radius, f64::max);
    let along = wall.normal.abs();
    let half = along * reach + (1.0 - along) * (4.0 * reach);
    let centre = wall.normal * (wall.offset - reach);
    ColliderBuilder::cuboid(half.x, half.y, half.z).translation(to_rapier(centre))
}

/// Converts a vector to the version of glam that the peers use.
pub(crate) fn to_rapier(vector: DVec3) -> Vector {
    Vector::new(vector.x, vector.y, vector.z)
}

fn from_rapier(vector: Vector) -> DVec3 {
    DVec3::new(vector.x, vector.y, vector.z)
}
