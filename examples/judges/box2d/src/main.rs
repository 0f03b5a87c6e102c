//! Runs scenes of carom's oracle in Box2D, if they lie in a plane: x and z of the scene are x and y here. Each body is
//! a bullet, so continuous collision is active between all bodies.

#[path = "../../scene.rs"]
#[allow(dead_code, reason = "each adapter uses its part")]
mod scene;

use boxdd::shapes::{SurfaceMaterial, box_polygon, circle, offset_box_polygon};
use boxdd::{
    BodyBuilder, BodyId, BodyType, Foundation, MassData, MixerId, MotionLocks, ShapeDef, Transform, World, WorldBuilder,
};

use scene::{Body, Engine, Form, Scene, State, Triple};

/// Half the thickness of the slab that replaces a half-space, and half its length, m.
const THICK: f32 = 10.0;
const LONG: f32 = 100.0;

/// Number of sub-steps of a step: the default.
const SUB_STEPS: i32 = 4;

struct Box2d {
    world: World,
    ids: Vec<BodyId>,
    timestep: f32,
}

type Outcome<T> = Result<T, boxdd::Error>;

impl Engine for Box2d {
    const TOLD: &'static str = "Box2D\t3.2 (boxdd 0.6.0)\tf32, two dimensions; each body a bullet, 4 sub-steps (the default), restitution threshold 0, \
        the smaller restitution and friction of two, no damping, no sleeping";

    fn refuses(scene: &Scene) -> Option<&'static str> {
        (!scene.is_plane).then_some("not in a plane")
    }

    fn new(scene: &Scene, timestep: f64) -> Self {
        build(scene, timestep).expect("Box2D takes every scene in a plane")
    }

    fn step(&mut self) {
        let _ = self.world.step(self.timestep, SUB_STEPS).expect("a step is finite");
    }

    fn state(&mut self, body: usize) -> State {
        let mut told = || {
            let body = self.world.body(self.ids[body])?;
            Ok::<_, boxdd::Error>((body.position()?, body.linear_velocity()?, body.angular_velocity()?))
        };
        let (place, velocity, turning) = told().expect("the body is there");
        State {
            position: [place.x.into(), 0.0, place.y.into()],
            velocity: [velocity.x.into(), 0.0, velocity.y.into()],
            // Box2D counts rotation from x towards z, which is negative about y by the right-hand rule.
            spin: [0.0, -f64::from(turning), 0.0],
        }
    }
}

fn build(scene: &Scene, timestep: f64) -> Outcome<Box2d> {
    let foundation = Foundation::initialize_default()?;
    let [gx, _, gz] = scene.gravity;
    let definition = WorldBuilder::from(foundation.world_def())
        .gravity([gx as f32, gz as f32])
        .restitution_threshold(0.0)
        .maximum_linear_speed(1e5)
        .enable_sleep(false)
        .enable_continuous(true);
    let mut world = foundation.create_world(definition.build()?)?;
    world.set_restitution_callback(MixerId::from_bytes([1; 32]), |a, b| a.coefficient.min(b.coefficient))?;
    world.set_friction_callback(MixerId::from_bytes([2; 32]), |a, b| a.coefficient.min(b.coefficient))?;
    let ids = scene.bodies.iter().map(|body| insert(&foundation, &mut world, scene, body)).collect::<Outcome<_>>()?;
    Ok(Box2d { world, ids, timestep: timestep as f32 })
}

fn insert(foundation: &Foundation, world: &mut World, scene: &Scene, body: &Body) -> Outcome<BodyId> {
    let kind = match body.motion.as_str() {
        "free" => BodyType::Dynamic,
        "kinematic" => BodyType::Kinematic,
        _ => BodyType::Static,
    };
    let plane = |[x, _, z]: Triple| [x as f32, z as f32];
    let mut definition = BodyBuilder::from(foundation.body_def())
        .body_type(kind)
        .position(plane(body.position))
        .linear_velocity(plane(body.velocity))
        // By the right-hand rule, a positive rotation about y turns x towards -z.
        .angular_velocity(-body.spin[1] as f32)
        .bullet(body.motion == "free");
    if body.inertia == 0.0 {
        definition = definition.motion_locks(MotionLocks { angular_z: true, ..MotionLocks::default() });
    }
    let id = world.create_body(definition.build()?)?;
    let (restitution, friction) = scene.materials[body.material];
    let material = SurfaceMaterial::new().with_restitution(restitution as f32)?.with_friction(friction as f32)?;
    let shape = ShapeDef::builder().material(material).density(1.0).build()?;
    let mut placed = world.body(id)?;
    match body.form {
        Form::Ball(radius) => placed.create_circle(&shape, &circle([0.0, 0.0], radius as f32)?)?,
        Form::Cuboid([x, _, z]) => placed.create_polygon(&shape, &box_polygon(x as f32, z as f32)?)?,
        Form::Triangles => unreachable!("refused"),
        Form::HalfSpace([nx, _, nz], offset) => {
            let depth = offset as f32 - THICK;
            let centre = [nx as f32 * depth, nz as f32 * depth];
            let turned = nz.atan2(nx) as f32;
            placed
                .create_polygon(&shape, &offset_box_polygon(THICK, LONG, Transform::from_pos_angle(centre, turned)?)?)?
        }
    };
    if body.motion == "free" {
        placed.set_mass_data(MassData::new(body.mass as f32, [0.0, 0.0].into(), body.inertia as f32)?)?;
    }
    Ok(id)
}

fn main() -> Result<(), String> {
    scene::main::<Box2d>()
}
