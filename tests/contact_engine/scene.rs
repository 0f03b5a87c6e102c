//! Makes scenes: a recipe describes the bodies, a chamber holds them. A scene that fails is written to a file.

use std::fmt::{self, Write};
use std::fs;
use std::path::PathBuf;

use carom::dynamics::{Body, BodyId, MaterialId, Motion, Settings, State, Stepper};
use carom::geometry::{Mesh, Shape};
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{STUFF, material, resisting};

pub(crate) const X: DVec3 = DVec3::X;
pub(crate) const Y: DVec3 = DVec3::Y;
pub(crate) const Z: DVec3 = DVec3::Z;

/// The perfectly elastic material.
pub(crate) const ELASTIC: MaterialId = MaterialId(0);

/// The kinds of bodies in a heap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Mix {
    Balls,
    Boxes,
    Both,
}

impl Mix {
    pub(crate) const ALL: [Self; 3] = [Self::Balls, Self::Boxes, Self::Both];
}

/// The description of random bodies to pour.
#[derive(Debug, Clone)]
pub(crate) struct Recipe {
    pub(crate) mix: Mix,
    pub(crate) count: usize,
    /// Half of the largest width, m.
    pub(crate) half: f64,
    /// The ratio of the largest to the smallest value, for widths and for masses.
    pub(crate) widths: f64,
    pub(crate) masses: f64,
    pub(crate) restitution: f64,
    pub(crate) friction: f64,
    /// Rolling and spinning friction, m.
    pub(crate) turning: f64,
    /// Largest speed along each axis at the start, m/s.
    pub(crate) speed: f64,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mix, count, half, widths, masses, restitution, friction, turning, speed } = self;
        write!(
            f,
            "{count} {mix:?} of {half} m, widths 1:{widths:.1}, masses 1:{masses:.1}, e {restitution:.2}, mu {friction:.2}, \
             {turning:.4} m, {speed:.1} m/s"
        )
    }
}

/// A random number from `least` to `most`, distributed evenly on a logarithmic scale.
pub(crate) fn spread(random: &mut Random, least: f64, most: f64) -> f64 {
    least * (most / least).powf(random.unit())
}

/// One of these values.
pub(crate) fn choose<T: Copy>(random: &mut Random, among: &[T]) -> T {
    among[random.below(among.len())]
}

impl Recipe {
    /// Edge of the cell of each body at the start, m.
    pub(crate) fn cell(&self) -> f64 {
        2.2 * self.half
    }

    pub(crate) fn settings(&self) -> Settings {
        let mut settings = Settings { gravity: Z * -10.0, ..Settings::default() };
        assert_eq!(settings.materials.add(material(self.restitution, self.friction)), STUFF);
        resisting(settings, self.turning, self.turning)
    }

    /// A random body at the origin. Its half widths are at most `half`, its mass at most 1 kg.
    pub(crate) fn body(&self, random: &mut Random) -> Body {
        let mut half = || spread(random, self.half / self.widths, self.half);
        let half = DVec3::new(half(), half(), half());
        let mass = spread(random, 1.0 / self.masses, 1.0);
        let round = match self.mix {
            Mix::Balls => true,
            Mix::Boxes => false,
            Mix::Both => random.below(2) == 0,
        };
        let body = if round { Body::sphere(half.x, mass) } else { Body::cuboid(half, mass) };
        body.unwrap().made_of(STUFF).moving(random.vector(self.speed))
    }

    /// All bodies on a lattice with `wide` cells along each side. The lattice begins at `from` and grows upwards; each
    /// body is slightly off the middle of its cell.
    pub(crate) fn poured(&self, random: &mut Random, wide: usize, from: DVec3) -> Vec<Body> {
        let shift = 0.5 * self.cell() - self.half;
        let middle = 0.5 * (wide - 1) as f64;
        let mut body = |n: usize| {
            let row = DVec3::new((n % wide) as f64 - middle, (n / wide % wide) as f64 - middle, 0.5);
            let layer = Z * (n / wide / wide) as f64;
            self.body(random).at(from + (row + layer) * self.cell() + random.vector(0.9 * shift))
        };
        (0..self.count).map(&mut body).collect()
    }

    /// The number of layers of the lattice.
    pub(crate) fn layers(&self, wide: usize) -> usize {
        self.count.div_ceil(wide * wide)
    }

    /// The bodies in a chamber that is twice as high as the lattice.
    pub(crate) fn heap(&self, random: &mut Random, wide: usize) -> Vec<Body> {
        let side = 0.5 * wide as f64 * self.cell();
        let high = self.layers(wide) as f64 * self.cell();
        let mut bodies = chamber(DVec3::new(side, side, high), STUFF);
        bodies.extend(self.poured(random, wide, DVec3::ZERO));
        bodies
    }
}

/// Six fixed boxes around a cavity with these half edges. The floor of the cavity is at z = 0.
pub(crate) fn chamber(half: DVec3, stuff: MaterialId) -> Vec<Body> {
    let thick = 0.25 * half.min_element();
    let side = |axis: usize, sign: f64| {
        let mut edges = half + DVec3::splat(2.0 * thick);
        edges[axis] = thick;
        let place = DVec3::AXES[axis] * (sign * (half[axis] + thick)) + Z * half.z;
        Body::cuboid(edges, 1.0).unwrap().made_of(stuff).at(place).fixed()
    };
    (0..3).flat_map(|axis| [side(axis, -1.0), side(axis, 1.0)]).collect()
}

/// The same bodies, shifted by `by`.
pub(crate) fn moved(bodies: Vec<Body>, by: DVec3) -> Vec<Body> {
    let shifted = |body: Body| {
        let place = body.position + by;
        body.at(place)
    };
    bodies.into_iter().map(shifted).collect()
}

/// The present state of every body.
pub(crate) fn states(stepper: &Stepper) -> Vec<State> {
    (0..stepper.count()).map(|row| stepper.state(BodyId(row as u32))).collect()
}

/// The bits of a state, for comparisons to the bit.
pub(crate) fn bits(state: &State) -> [u64; 9] {
    let numbers = [state.position, state.velocity, state.spin].map(|v| v.to_array().map(f64::to_bits));
    std::array::from_fn(|n| numbers[n / 3][n % 3])
}

/// Writes a scene as a scenario and returns the path.
pub(crate) fn written(name: &str, title: &str, settings: &Settings, bodies: &[Body], seconds: f64) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("contact_engine");
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{name}.ron"));
    fs::write(&file, scenario(title, settings, bodies, seconds)).unwrap();
    file
}

fn vector(v: DVec3) -> String {
    format!("({:?}, {:?}, {:?})", v.x, v.y, v.z)
}

fn mesh_text(mesh: &Mesh) -> String {
    let corners: Vec<String> = mesh.triangles().iter().flat_map(|triangle| triangle.vertices().map(vector)).collect();
    let sides: Vec<String> =
        (0..mesh.triangles().len()).map(|n| format!("({}, {}, {})", 3 * n, 3 * n + 1, 3 * n + 2)).collect();
    format!("Mesh(vertices: [{}], triangles: [{}])", corners.join(", "), sides.join(", "))
}

fn scenario(title: &str, settings: &Settings, bodies: &[Body], seconds: f64) -> String {
    let mut text = format!("(\n    title: {title:?},\n    timestep: {:?},\n    duration: {seconds:?},\n", 1.0 / 60.0);
    let materials = &settings.materials;
    let (restitution, friction) = (materials.restitution(STUFF, STUFF).at(0.0), materials.friction(STUFF, STUFF));
    let (rolling, spinning) = (materials.rolling_friction(STUFF, STUFF), materials.spinning_friction(STUFF, STUFF));
    writeln!(text, "    gravity: {},\n    rest_height: {:?},", vector(settings.gravity), settings.rest_height).unwrap();
    let turning = format!("rolling_friction: {rolling:?}, spinning_friction: {spinning:?}");
    writeln!(text, "    materials: {{\"stuff\": (restitution: {restitution:?}, friction: {friction:?}, {turning})}},")
        .unwrap();
    writeln!(text, "    bodies: [").unwrap();
    for (row, body) in bodies.iter().enumerate() {
        let (kind, shape) = match &body.shape {
            Shape::Sphere(radius) => ("ball", format!("Sphere(radius: {:?})", radius.get())),
            Shape::Box(half) => ("box", format!("Box(half_extents: {})", vector(half.get()))),
            Shape::Plane(plane) => {
                ("plane", format!("Plane(normal: {}, offset: {:?})", vector(plane.normal()), plane.offset()))
            }
            Shape::Mesh(mesh) => ("mesh", mesh_text(mesh)),
            Shape::Arc(_) | Shape::Grid(_) => panic!("no scene here has an arc or a grid"),
        };
        write!(text, "        (name: \"{row:03} {kind}\", shape: {shape}").unwrap();
        match body.motion {
            Motion::Free(mass) => write!(text, ", mass: {:?}", mass.get()).unwrap(),
            Motion::Fixed if ["plane", "mesh"].contains(&kind) => {}
            Motion::Fixed => write!(text, ", motion: Fixed").unwrap(),
            Motion::Kinematic => write!(text, ", motion: Kinematic").unwrap(),
        }
        if body.material == STUFF {
            write!(text, ", material: \"stuff\"").unwrap();
        }
        for (field, value) in [("position", body.position), ("velocity", body.velocity), ("spin", body.spin)] {
            if value != DVec3::ZERO {
                write!(text, ", {field}: {}", vector(value)).unwrap();
            }
        }
        writeln!(text, "),").unwrap();
    }
    text + "    ],\n    plots: [],\n    expect: [],\n)\n"
}
