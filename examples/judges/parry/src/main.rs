//! Runs scenes of carom's oracle with the times of impact of parry: bodies move straight from impact to impact, and
//! `cast_shapes` gives the first impact of all pairs. The impact law is that of textbooks. Only scenes without gravity
//! and friction can run.

#[path = "../../casts.rs"]
mod casts;
#[path = "../../scene.rs"]
#[allow(dead_code, reason = "each adapter uses its part")]
mod scene;

use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{Ray, ShapeCastOptions, cast_shapes};
use parry3d_f64::shape::{Ball, Cuboid, HalfSpace, SharedShape};

use casts::{Cast, Shape, Touch};
use scene::{Engine, Form, Impact, Scene, State, Triple};

/// Maximum number of impacts in one step.
const IMPACTS_MAX: usize = 10_000;

struct Parry {
    scene: Scene,
    shapes: Vec<SharedShape>,
    places: Vec<Vector>,
    velocities: Vec<Vector>,
    timestep: f64,
    /// The pair of the last impact, while it separates: a cast would find the same impact again at once.
    last: Option<(usize, usize)>,
    /// Number of completed steps.
    steps: u64,
    impacts: Vec<Impact>,
}

/// The first impact of all pairs.
struct Hit {
    time: f64,
    pair: (usize, usize),
    /// From the first body to the second.
    normal: Vector,
}

fn vector([x, y, z]: Triple) -> Vector {
    Vector::new(x, y, z)
}

impl Engine for Parry {
    const TOLD: &'static str =
        "parry\t0.31.1 (parry3d-f64)\tf64; cast_shapes for all pairs, textbook law of impacts; no dynamics of its own";

    fn refuses(scene: &Scene) -> Option<&'static str> {
        let is_rough = scene.materials.iter().any(|material| material.1 > 0.0);
        if scene.gravity != [0.0; 3] {
            Some("straight flight only: no gravity")
        } else if is_rough {
            Some("no friction")
        } else {
            None
        }
    }

    fn new(scene: &Scene, timestep: f64) -> Self {
        let shape = |form: Form| match form {
            Form::Ball(radius) => SharedShape::new(Ball::new(radius)),
            Form::Cuboid(half) => SharedShape::new(Cuboid::new(vector(half))),
            Form::HalfSpace(normal, _) => SharedShape::new(HalfSpace::new(vector(normal).normalize())),
            Form::Triangles => unreachable!("refused"),
        };
        let place = |body: &scene::Body| match body.form {
            Form::HalfSpace(normal, offset) => vector(body.position) + vector(normal) * offset,
            _ => vector(body.position),
        };
        Self {
            shapes: scene.bodies.iter().map(|body| shape(body.form)).collect(),
            places: scene.bodies.iter().map(place).collect(),
            velocities: scene.bodies.iter().map(|body| vector(body.velocity)).collect(),
            scene: scene.clone(),
            timestep,
            last: None,
            steps: 0,
            impacts: Vec::new(),
        }
    }

    fn step(&mut self) {
        let mut left = self.timestep;
        for _ in 0..IMPACTS_MAX {
            let Some(hit) = self.first(left) else { break };
            self.fly(hit.time);
            left -= hit.time;
            self.bounce(&hit);
            self.last = Some(hit.pair);
            let time = (self.steps + 1) as f64 * self.timestep - left;
            self.impacts.push(Impact { time, pair: hit.pair });
        }
        self.fly(left);
        self.steps += 1;
    }

    fn state(&mut self, body: usize) -> State {
        let triple = |vector: Vector| [vector.x, vector.y, vector.z];
        // Without friction, nothing changes a spin.
        let spin = self.scene.bodies[body].spin;
        State { position: triple(self.places[body]), velocity: triple(self.velocities[body]), spin }
    }

    fn impacts(&self) -> Option<&[Impact]> {
        Some(&self.impacts)
    }
}

impl Parry {
    fn fly(&mut self, span: f64) {
        for (place, velocity) in self.places.iter_mut().zip(&self.velocities) {
            *place += *velocity * span;
        }
    }

    fn inverse_mass(&self, body: usize) -> f64 {
        let body = &self.scene.bodies[body];
        if body.motion == "free" { 1.0 / body.mass } else { 0.0 }
    }

    fn first(&self, within: f64) -> Option<Hit> {
        let mut first: Option<Hit> = None;
        for a in 0..self.shapes.len() {
            for b in a + 1..self.shapes.len() {
                if self.inverse_mass(a) + self.inverse_mass(b) > 0.0 && self.last != Some((a, b)) {
                    let limit = first.as_ref().map_or(within, |hit| hit.time);
                    first = self.impact((a, b), limit).or(first);
                }
            }
        }
        first
    }

    fn impact(&self, (a, b): (usize, usize), within: f64) -> Option<Hit> {
        let pose = |body: usize| Pose::from_translation(self.places[body]);
        let options =
            ShapeCastOptions { max_time_of_impact: within, stop_at_penetration: false, ..ShapeCastOptions::default() };
        let (shapes, velocities) = (&self.shapes, &self.velocities);
        let hit =
            cast_shapes(&pose(a), velocities[a], &*shapes[a], &pose(b), velocities[b], &*shapes[b], options).ok()??;
        let is_closing = (velocities[b] - velocities[a]).dot(hit.normal1) < 0.0;
        (is_closing && hit.time_of_impact < within).then_some(Hit {
            time: hit.time_of_impact,
            pair: (a, b),
            normal: hit.normal1,
        })
    }

    fn bounce(&mut self, hit: &Hit) {
        let (a, b) = hit.pair;
        let restitution = |body: usize| self.scene.materials[self.scene.bodies[body].material].0;
        let approach = (self.velocities[b] - self.velocities[a]).dot(hit.normal);
        let [one, other] = [a, b].map(|body| self.inverse_mass(body));
        let impulse = -(1.0 + restitution(a).min(restitution(b))) * approach / (one + other);
        self.velocities[a] -= hit.normal * (impulse * one);
        self.velocities[b] += hit.normal * (impulse * other);
    }
}

/// The answer to a cast.
fn cast(cast: &Cast) -> Result<Option<Touch>, String> {
    let made = |shape: Shape| match shape {
        Shape::Ball(radius) => SharedShape::new(Ball::new(radius)),
        Shape::Cuboid(half) => SharedShape::new(Cuboid::new(vector(half))),
        Shape::Point => SharedShape::new(Ball::new(0.0)),
    };
    let (target, at) = (made(cast.target), Pose::from_translation(vector(cast.at)));
    let (from, motion) = (vector(cast.from), vector(cast.motion));
    let triple = |vector: Vector| [vector.x, vector.y, vector.z];
    if let Shape::Point = cast.shape {
        let hit = target.cast_ray_and_get_normal(&at, &Ray::new(from, motion), 1.0, true);
        return Ok(hit.map(|hit| Touch { fraction: hit.time_of_impact, normal: triple(hit.normal) }));
    }
    let options = ShapeCastOptions { max_time_of_impact: 1.0, ..ShapeCastOptions::default() };
    let (shape, from) = (made(cast.shape), Pose::from_translation(from));
    let hit = cast_shapes(&at, Vector::ZERO, &*target, &from, motion, &*shape, options);
    let hit = hit.map_err(|error| error.to_string())?;
    Ok(hit.map(|hit| Touch { fraction: hit.time_of_impact, normal: triple(hit.normal1) }))
}

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words[..] {
        [option, casts, output] if option == "--casts" => casts::main(casts, output, cast),
        _ => scene::main::<Parry>(),
    }
}
