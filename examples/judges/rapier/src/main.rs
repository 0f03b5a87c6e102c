//! Runs scenes of carom's oracle in Rapier, with continuous collision for each body.

#[path = "../../scene.rs"]
#[allow(dead_code, reason = "each adapter uses its part")]
mod scene;

use rapier3d_f64::prelude::{
    CoefficientCombineRule, ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, SharedShape,
    TriMeshFlags, Vector,
};

use scene::{Body, Engine, Form, Scene, State, Triple};

struct Rapier {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
}

fn vector([x, y, z]: Triple) -> Vector {
    Vector::new(x, y, z)
}

fn triple(vector: Vector) -> Triple {
    [vector.x, vector.y, vector.z]
}

fn size(body: &Body) -> f64 {
    match body.form {
        Form::Ball(radius) => radius,
        Form::Cuboid(half) => half.into_iter().fold(f64::INFINITY, f64::min),
        Form::HalfSpace(..) | Form::Triangles => f64::INFINITY,
    }
}

impl Engine for Rapier {
    const TOLD: &'static str = "Rapier\t0.36.1 (rapier3d-f64)\tf64; continuous collision on for each body, 16 solver iterations, \
        length unit the width of the smallest body, combine rule Min, no damping, no sleeping; surfaces with FIX_INTERNAL_EDGES";
    const HAS_SURFACES: bool = true;

    fn refuses(_: &Scene) -> Option<&'static str> {
        None
    }

    fn new(scene: &Scene, timestep: f64) -> Self {
        let mut world = PhysicsWorld { gravity: vector(scene.gravity), ..PhysicsWorld::default() };
        world.integration_parameters.dt = timestep;
        world.integration_parameters.num_solver_iterations = 16;
        let free = scene.bodies.iter().filter(|body| body.motion == "free");
        world.integration_parameters.length_unit = 2.0 * free.map(size).fold(f64::INFINITY, f64::min);
        let handles = scene.bodies.iter().map(|body| insert(&mut world, scene, body)).collect();
        Self { world, handles }
    }

    fn step(&mut self) {
        self.world.step();
    }

    fn state(&mut self, body: usize) -> State {
        let body = &self.world.bodies[self.handles[body]];
        State { position: triple(body.translation()), velocity: triple(body.linvel()), spin: triple(body.angvel()) }
    }
}

fn insert(world: &mut PhysicsWorld, scene: &Scene, body: &Body) -> RigidBodyHandle {
    let (restitution, friction) = scene.materials[body.material];
    let mut place = body.position;
    let collider = match body.form {
        Form::Ball(radius) => ColliderBuilder::ball(radius),
        Form::Cuboid([x, y, z]) => ColliderBuilder::cuboid(x, y, z),
        Form::HalfSpace(normal, offset) => {
            place = [0, 1, 2].map(|axis| place[axis] + offset * normal[axis]);
            ColliderBuilder::new(SharedShape::halfspace(vector(normal)))
        }
        Form::Triangles => {
            let (vertices, triangles) = &body.surface;
            let vertices = vertices.iter().copied().map(vector).collect();
            ColliderBuilder::trimesh_with_flags(vertices, triangles.clone(), TriMeshFlags::FIX_INTERNAL_EDGES)
                .expect("the scene's triangles are a mesh")
        }
    };
    let collider = collider
        .restitution(restitution)
        .friction(friction)
        .restitution_combine_rule(CoefficientCombineRule::Min)
        .friction_combine_rule(CoefficientCombineRule::Min);
    let (builder, collider) = match body.motion.as_str() {
        "free" => (RigidBodyBuilder::dynamic(), collider.mass(body.mass)),
        "kinematic" => (RigidBodyBuilder::kinematic_velocity_based(), collider),
        _ => (RigidBodyBuilder::fixed(), collider),
    };
    let builder = builder.translation(vector(place)).linvel(vector(body.velocity)).angvel(vector(body.spin));
    let builder = builder.linear_damping(0.0).angular_damping(0.0).can_sleep(false).ccd_enabled(true);
    let builder = if body.inertia == 0.0 { builder.lock_rotations() } else { builder };
    world.insert(builder, collider).0
}

fn main() -> Result<(), String> {
    scene::main::<Rapier>()
}
