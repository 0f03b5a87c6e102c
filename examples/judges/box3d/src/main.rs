//! Runs scenes of carom's oracle in Box3D. Each body is a bullet, so continuous collision is active between all bodies.

#[path = "../../scene.rs"]
#[allow(dead_code, reason = "each adapter uses its part")]
mod scene;

use boxddd::{
    BodyId, BodyType, BoxHull, Foundation, MaterialMixInput, MeshData, MotionLocks, Quat, Sphere, Vec3, World,
};

use scene::{Body, Engine, Form, Scene, State, Triple};

/// Half the thickness of the slab that replaces a half-space, and half its length, m.
const THICK: f32 = 10.0;
const LONG: f32 = 100.0;

/// Number of sub-steps of a step: the default.
const SUB_STEPS: i32 = 4;

struct Box3d {
    world: World,
    ids: Vec<BodyId>,
    timestep: f32,
}

type Outcome<T> = Result<T, boxddd::Error>;

fn vector([x, y, z]: Triple) -> Vec3 {
    Vec3::new(x as f32, y as f32, z as f32)
}

impl Engine for Box3d {
    const TOLD: &'static str = "Box3D\t0.1 at 781673be (boxddd 0.4.0)\tf32; each body a bullet, 4 sub-steps (the default), restitution threshold 0, \
        the smaller restitution and friction of two, no damping, no sleeping";
    const HAS_SURFACES: bool = true;

    fn refuses(_: &Scene) -> Option<&'static str> {
        None
    }

    fn new(scene: &Scene, timestep: f64) -> Self {
        build(scene, timestep).expect("Box3D takes every scene")
    }

    fn step(&mut self) {
        self.world.step(self.timestep, SUB_STEPS).expect("a step is finite");
    }

    fn state(&mut self, body: usize) -> State {
        let id = self.ids[body];
        let told = || {
            let triple = |vector: Vec3| [vector.x, vector.y, vector.z].map(f64::from);
            let place = self.world.body_position(id)?;
            Ok::<_, boxddd::Error>(State {
                position: [place.x, place.y, place.z].map(f64::from),
                velocity: triple(self.world.body_linear_velocity(id)?),
                spin: triple(self.world.body_angular_velocity(id)?),
            })
        };
        told().expect("the body is there")
    }
}

fn build(scene: &Scene, timestep: f64) -> Outcome<Box3d> {
    let foundation = Foundation::initialize_default()?;
    let definition = foundation
        .world_def_builder()
        .gravity(vector(scene.gravity))
        .restitution_threshold(0.0)
        .maximum_linear_speed(1e5)
        .enable_sleep(false)
        .enable_continuous(true);
    let mut world = foundation.create_world(definition.build()?)?;
    let smaller = |a: MaterialMixInput, b: MaterialMixInput| a.coefficient.min(b.coefficient);
    world.set_restitution_callback(smaller)?;
    world.set_friction_callback(smaller)?;
    let ids = scene.bodies.iter().map(|body| insert(foundation, &mut world, scene, body)).collect::<Outcome<_>>()?;
    Ok(Box3d { world, ids, timestep: timestep as f32 })
}

fn insert(foundation: &Foundation, world: &mut World, scene: &Scene, body: &Body) -> Outcome<BodyId> {
    let kind = match body.motion.as_str() {
        "free" => BodyType::Dynamic,
        "kinematic" => BodyType::Kinematic,
        _ => BodyType::Static,
    };
    let mut definition = foundation
        .body_def_builder()
        .body_type(kind)
        .position(vector(body.position))
        .linear_velocity(vector(body.velocity))
        .angular_velocity(vector(body.spin))
        .allow_fast_rotation(true)
        .bullet(body.motion == "free");
    if body.inertia == 0.0 {
        let locks = MotionLocks { angular_x: true, angular_y: true, angular_z: true, ..MotionLocks::default() };
        definition = definition.motion_locks(locks);
    }
    if let Form::HalfSpace(normal, offset) = body.form {
        let depth = offset - f64::from(THICK);
        let place = [0, 1, 2].map(|axis| body.position[axis] + depth * normal[axis]);
        definition = definition.position(vector(place)).rotation(upright(normal));
    }
    let id = world.create_body(definition.build()?)?;
    let (restitution, friction) = scene.materials[body.material];
    let volume = match body.form {
        Form::Ball(radius) => 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3),
        Form::Cuboid(half) => 8.0 * half.iter().product::<f64>(),
        Form::HalfSpace(..) | Form::Triangles => 1.0,
    };
    let density = if body.motion == "free" { body.mass / volume } else { 1.0 };
    let shape = foundation.shape_def_builder().density(density as f32);
    let shape = shape.restitution(restitution as f32).friction(friction as f32).build()?;
    match body.form {
        Form::Ball(radius) => world.create_sphere_shape(id, &shape, &Sphere::new(Vec3::ZERO, radius as f32))?,
        Form::Cuboid([x, y, z]) => world.create_hull_shape(id, &shape, &BoxHull::new(x as f32, y as f32, z as f32)?)?,
        Form::HalfSpace(..) => world.create_hull_shape(id, &shape, &BoxHull::new(LONG, LONG, THICK)?)?,
        Form::Triangles => {
            let (vertices, triangles) = &body.surface;
            let vertices: Vec<Vec3> = vertices.iter().copied().map(vector).collect();
            let corners: Vec<i32> = triangles.iter().flatten().map(|&corner| corner as i32).collect();
            world.create_mesh_shape(
                id,
                &shape,
                MeshData::builder(vertices, corners).build()?,
                Vec3::new(1.0, 1.0, 1.0),
            )?
        }
    };
    Ok(id)
}

/// The rotation that turns z into a unit normal.
fn upright([x, y, z]: Triple) -> Quat {
    if z < -0.999 {
        return Quat::new(Vec3::new(1.0, 0.0, 0.0), 0.0);
    }
    let length = (2.0 * (1.0 + z)).sqrt();
    Quat::new(vector([-y / length, x / length, 0.0]), (0.5 * length) as f32)
}

fn main() -> Result<(), String> {
    scene::main::<Box3d>()
}
