//! The common part of the Rust adapters: a scene as `carom oracle scene --json` prints it, and the table that an engine
//! writes. Each adapter includes this file with `#[path]`.
//!
//! ```text
//! adapter SCENE.json TIMESTEP OUTPUT.csv     runs a scene with the engine's timestep, in s; if the engine reports
//!                                            impacts, also writes OUTPUT_events.csv
//! adapter --version                          prints name, version and settings of the engine
//! adapter --can SCENE.json                   prints the reason if the scene cannot run, else nothing
//! ```

use std::fmt::Write;
use std::fs;

use serde_json::Value;

/// A triple of numbers: m, m/s or rad/s.
pub type Triple = [f64; 3];

/// The shape of a body.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Ball(f64),
    Cuboid(Triple),
    HalfSpace(Triple, f64),
    /// A surface: the `surface` of the body.
    Triangles,
}

/// A body of a scene.
#[derive(Debug, Clone)]
pub struct Body {
    pub name: String,
    pub form: Form,
    /// Corners of a surface, and the places of each triangle's corners among them; empty for other shapes.
    pub surface: (Vec<Triple>, Vec<[u32; 3]>),
    pub motion: String,
    pub mass: f64,
    /// Moment of inertia, kg m²; 0 for a body that does not turn.
    pub inertia: f64,
    pub material: usize,
    pub position: Triple,
    pub velocity: Triple,
    pub spin: Triple,
}

/// The motion of a body: position (m), velocity (m/s) and spin (rad/s).
#[derive(Debug, Clone, Copy)]
pub struct State {
    pub position: Triple,
    pub velocity: Triple,
    pub spin: Triple,
}

/// An impact: its time (s), and the indices of the two bodies in the scene.
#[derive(Debug, Clone, Copy)]
pub struct Impact {
    pub time: f64,
    pub pair: (usize, usize),
}

/// A scene.
#[derive(Debug, Clone)]
pub struct Scene {
    pub duration: f64,
    pub every: f64,
    pub gravity: Triple,
    pub is_plane: bool,
    /// Restitution and friction of each material.
    pub materials: Vec<(f64, f64)>,
    pub bodies: Vec<Body>,
}

/// An engine with a scene in it.
pub trait Engine {
    const TOLD: &'static str;
    /// Whether it knows surfaces of triangles.
    const HAS_SURFACES: bool = false;
    fn refuses(scene: &Scene) -> Option<&'static str>;
    fn new(scene: &Scene, timestep: f64) -> Self;
    fn step(&mut self);
    /// The motion of a body, given by its index in the scene.
    fn state(&mut self, body: usize) -> State;
    /// All impacts so far, if the engine reports impacts.
    fn impacts(&self) -> Option<&[Impact]> {
        None
    }
}

fn triple(value: &Value) -> Triple {
    [0, 1, 2].map(|axis| number(&value[axis]))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn body(value: &Value) -> Body {
    let shape = &value["shape"];
    let form = match shape["kind"].as_str() {
        Some("sphere") => Form::Ball(number(&shape["radius"])),
        Some("box") => Form::Cuboid(triple(&shape["half_extents"])),
        Some("plane") => Form::HalfSpace(triple(&shape["normal"]), number(&shape["offset"])),
        _ => Form::Triangles,
    };
    let list = |field: &str| shape[field].as_array().into_iter().flatten();
    let corners = |value: &Value| [0, 1, 2].map(|corner| value[corner].as_u64().unwrap_or(0) as u32);
    let surface = (list("vertices").map(triple).collect(), list("triangles").map(corners).collect());
    let text = |field: &str| value[field].as_str().unwrap_or_default().to_owned();
    Body {
        name: text("name"),
        form,
        surface,
        motion: text("motion"),
        mass: number(&value["mass"]),
        inertia: number(&value["inertia"]),
        material: value["material"].as_u64().unwrap_or(0) as usize,
        position: triple(&value["position"]),
        velocity: triple(&value["velocity"]),
        spin: triple(&value["spin"]),
    }
}

impl Scene {
    fn read(file: &str) -> Result<Self, String> {
        let text = fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
        let data: Value = serde_json::from_str(&text).map_err(|error| format!("{file} is no JSON: {error}"))?;
        let list = |field: &str| data[field].as_array().cloned().unwrap_or_default();
        Ok(Self {
            duration: number(&data["duration"]),
            every: number(&data["output"]["timestep"]),
            gravity: triple(&data["gravity"]),
            is_plane: data["plane"] == "xz",
            materials: list("materials")
                .iter()
                .map(|one| (number(&one["restitution"]), number(&one["friction"])))
                .collect(),
            bodies: list("bodies").iter().map(body).collect(),
        })
    }
}

/// Steps through the scene. Returns a table with a row of each free body at the times of the scene, and the log of
/// impacts, if the engine has one.
fn run<E: Engine>(scene: &Scene, timestep: f64) -> (String, Option<String>) {
    let mut engine = E::new(scene, timestep);
    let stride = (scene.every / timestep).round().max(1.0) as u64;
    let steps = (scene.duration / timestep - 1e-9).ceil() as u64;
    let mut text = "step,time,body,x,y,z,vx,vy,vz,wx,wy,wz\n".to_owned();
    for step in 1..=steps {
        engine.step();
        let time = step as f64 * timestep;
        if (step % stride != 0 && step != steps) || time > scene.duration * (1.0 + 1e-9) {
            continue;
        }
        for (rank, body) in scene.bodies.iter().enumerate().filter(|(_, body)| body.motion == "free") {
            let State { position: [x, y, z], velocity: [vx, vy, vz], spin: [wx, wy, wz] } = engine.state(rank);
            let _ = write!(text, "{step},{time:?},{},{x:?},{y:?},{z:?},", body.name);
            let _ = writeln!(text, "{vx:?},{vy:?},{vz:?},{wx:?},{wy:?},{wz:?}");
        }
    }
    (text, engine.impacts().map(|impacts| log(scene, impacts)))
}

fn log(scene: &Scene, impacts: &[Impact]) -> String {
    let mut text = "time,kind,a,b\n".to_owned();
    for Impact { time, pair: (a, b) } in impacts.iter().filter(|impact| impact.time <= scene.duration) {
        let _ = writeln!(text, "{time:?},impact,{},{}", scene.bodies[*a].name, scene.bodies[*b].name);
    }
    text
}

/// The program of an adapter.
pub fn main<E: Engine>() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--version"] => println!("{}", E::TOLD),
        ["--can", scene] => {
            let scene = Scene::read(scene)?;
            let has_surface = scene.bodies.iter().any(|body| matches!(body.form, Form::Triangles));
            let reason =
                if has_surface && !E::HAS_SURFACES { Some("no surfaces of triangles") } else { E::refuses(&scene) };
            reason.into_iter().for_each(|reason| println!("{reason}"));
        }
        [scene, timestep, output] => {
            let timestep = timestep.parse().map_err(|error| format!("`{timestep}` is no timestep: {error}"))?;
            let write =
                |file: &str, text: &str| fs::write(file, text).map_err(|error| format!("cannot write {file}: {error}"));
            let (table, log) = run::<E>(&Scene::read(scene)?, timestep);
            write(output, &table)?;
            if let Some(log) = log {
                write(&format!("{}_events.csv", output.trim_end_matches(".csv")), &log)?;
            }
        }
        _ => return Err("adapter SCENE.json TIMESTEP OUTPUT.csv, or --version, or --can SCENE.json".to_owned()),
    }
    Ok(())
}
