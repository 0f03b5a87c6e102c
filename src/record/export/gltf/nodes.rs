//! The document: nodes, meshes, materials and the animation of all bodies.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::binary::Binary;
use super::camera;
use super::document::{
    ARRAY_BUFFER, Animation, Attributes, Channel, Document, ELEMENT_ARRAY_BUFFER, Material, Mesh, Node, Primitive,
    Sampler, Scene, Surface, Target,
};
use super::geometry::Triangles;
use super::track::{Key, Track};
use crate::geometry::{HalfExtents, Shape};
use crate::record::export::roster::{Member, Roster};
use crate::record::export::surface::{self, View};

/// Colours of species in turn (Okabe and Ito, *Color Universal Design*, 2008); sRGB.
const SPECIES: [[u8; 3]; 7] =
    [[0, 114, 178], [213, 94, 0], [0, 158, 115], [204, 121, 167], [230, 159, 0], [86, 180, 233], [90, 90, 90]];
/// The colours of fixed bodies and of sensors.
const FIXED: [u8; 3] = [200, 200, 196];
const SENSOR: [u8; 3] = [0, 158, 115];

/// A colour and what has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Paint {
    color: [u8; 3],
    is_sensor: bool,
    is_static: bool,
}

/// Opacity of a sensor.
const SENSOR_OPACITY: f32 = 0.25;

/// The properties of the scene besides its bodies.
pub(super) struct Stage {
    /// The region to which planes are cut.
    pub(super) view: View,
    pub(super) gravity: DVec3,
}

/// A document that grows.
struct Assembly<'a> {
    document: Document,
    binary: Binary,
    animation: Animation,
    stage: &'a Stage,
    materials: BTreeMap<Paint, usize>,
    /// The geometries: shapes of size 1, and others by the row of the first member with that shape.
    geometries: BTreeMap<Solid, (Attributes, usize)>,
    meshes: BTreeMap<(Solid, Paint), usize>,
}

/// A geometry that several bodies may share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Solid {
    Ball,
    Box,
    Own(usize),
}

/// The document of all bodies with their `tracks`, and its data.
pub(super) fn assemble(roster: &Roster, tracks: &[Track], stage: &Stage) -> (Document, Vec<u8>) {
    let mut assembly = Assembly {
        document: Document { scenes: vec![Scene { nodes: vec![0] }], ..Document::default() },
        binary: Binary::default(),
        animation: Animation { name: "run", channels: Vec::new(), samplers: Vec::new() },
        stage,
        materials: BTreeMap::new(),
        geometries: BTreeMap::new(),
        meshes: BTreeMap::new(),
    };
    assembly.document.nodes.push(Node { name: "world".to_owned(), rotation: turn(stage.gravity), ..Node::default() });
    for (row, (member, track)) in roster.members.iter().zip(tracks).enumerate() {
        // A body that came and went outside the exported part has no key.
        if let Some(first) = track.keys.first() {
            assembly.body(roster, row, member, first, track);
        }
    }
    let Assembly { mut document, binary, animation, .. } = assembly;
    if let Some((camera, node)) = camera::around(roster, tracks, stage.gravity) {
        let row = document.nodes.len();
        document.nodes[0].children.push(row);
        document.nodes.push(node);
        document.cameras.push(camera);
    }
    if !animation.channels.is_empty() {
        document.animations = vec![animation];
    }
    let bytes = binary.into_document(&mut document);
    (document, bytes)
}

/// The rotation that turns z upwards, because y is upwards in glTF; `None` if gravity acts along y.
fn turn(gravity: DVec3) -> Option<[f32; 4]> {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    (!camera::is_along_y(gravity)).then_some([-half, 0.0, 0.0, half])
}

impl Assembly<'_> {
    fn body(&mut self, roster: &Roster, row: usize, member: &Member, first: &Key, track: &Track) {
        let node = self.document.nodes.len();
        let scale = match &member.shape {
            Shape::Sphere(radius) => Vec3::splat(radius.get() as f32),
            Shape::Box(half) => half.get().as_vec3(),
            Shape::Plane(_) | Shape::Mesh(_) | Shape::Arc(_) | Shape::Grid(_) => Vec3::ONE,
        };
        let mesh = self.mesh(roster, row, member, first);
        self.document.nodes.push(Node {
            name: member.name.clone(),
            mesh: Some(mesh),
            translation: Some(first.position.to_array()),
            scale: (scale != Vec3::ONE).then(|| scale.to_array()),
            ..Node::default()
        });
        self.document.nodes[0].children.push(node);
        if !track.is_still() {
            let times: Vec<f32> = track.keys.iter().map(|key| key.time).collect();
            let values = track.keys.iter().flat_map(|key| [key.arriving, key.position, key.leaving]);
            self.channel(node, "translation", "CUBICSPLINE", &times, &values.collect::<Vec<_>>());
        }
        if let Some((times, scales)) = presence(track, scale) {
            self.channel(node, "scale", "STEP", &times, &scales);
        }
    }

    fn channel(
        &mut self,
        node: usize,
        path: &'static str,
        interpolation: &'static str,
        times: &[f32],
        values: &[Vec3],
    ) {
        let (input, output) = (self.binary.times(times), self.binary.vectors(values, None, false));
        self.animation.channels.push(Channel { sampler: self.animation.samplers.len(), target: Target { node, path } });
        self.animation.samplers.push(Sampler { input, output, interpolation });
    }

    fn mesh(&mut self, roster: &Roster, row: usize, member: &Member, first: &Key) -> usize {
        let solid = match &member.shape {
            Shape::Sphere(_) => Solid::Ball,
            Shape::Box(_) => Solid::Box,
            Shape::Plane(_) | Shape::Arc(_) | Shape::Grid(_) => Solid::Own(row),
            Shape::Mesh(mesh) => {
                let has_it = |other: &Member| matches!(&other.shape, Shape::Mesh(own) if Arc::ptr_eq(own, mesh));
                Solid::Own(roster.members.iter().position(has_it).unwrap_or(row))
            }
        };
        let Member { is_sensor, is_static, species, .. } = *member;
        let color = match member.color {
            Some(color) => color,
            None if is_sensor => SENSOR,
            None if is_static => FIXED,
            None => SPECIES[species % SPECIES.len()],
        };
        let paint = Paint { color, is_sensor, is_static };
        let (attributes, indices) = match self.geometries.get(&solid) {
            Some(&known) => known,
            None => self.geometry(solid, &member.shape, first.position.as_dvec3()),
        };
        let material = self.material(paint);
        let meshes = &mut self.document.meshes;
        *self.meshes.entry((solid, paint)).or_insert_with(|| {
            meshes.push(Mesh { primitives: [Primitive { attributes, indices, material }] });
            meshes.len() - 1
        })
    }

    fn geometry(&mut self, solid: Solid, shape: &Shape, position: DVec3) -> (Attributes, usize) {
        let view = self.stage.view.seen_from(position);
        let unit = || HalfExtents::new(DVec3::ONE).expect("one is positive");
        let triangles = match solid {
            Solid::Ball => Triangles::ball(),
            Solid::Box => Triangles::flat(&surface::Surface::of(&Shape::Box(unit()), &view)),
            Solid::Own(_) => Triangles::flat(&surface::Surface::of(shape, &view)),
        };
        let attributes = Attributes {
            position: self.binary.vectors(&triangles.corners, Some(ARRAY_BUFFER), true),
            normal: self.binary.vectors(&triangles.normals, Some(ARRAY_BUFFER), false),
        };
        let rows = self.binary.rows(&triangles.rows, ELEMENT_ARRAY_BUFFER);
        self.geometries.insert(solid, (attributes, rows));
        (attributes, rows)
    }

    fn material(&mut self, paint: Paint) -> usize {
        let materials = &mut self.document.materials;
        *self.materials.entry(paint).or_insert_with(|| {
            let [red, green, blue] = paint.color.map(linear);
            let base_color_factor = [red, green, blue, if paint.is_sensor { SENSOR_OPACITY } else { 1.0 }];
            let [r, g, b] = paint.color;
            let name = match paint {
                Paint { is_sensor: true, .. } => "sensor".to_owned(),
                Paint { is_static: true, .. } => format!("fixed #{r:02X}{g:02X}{b:02X}"),
                Paint { .. } => format!("#{r:02X}{g:02X}{b:02X}"),
            };
            materials.push(Material {
                name,
                pbr_metallic_roughness: Surface { base_color_factor, metallic_factor: 0.0, roughness_factor: 0.6 },
                alpha_mode: paint.is_sensor.then_some("BLEND"),
                double_sided: true,
            });
            materials.len() - 1
        })
    }
}

/// The scale over time of a body that comes or goes: zero while it is not there.
fn presence(track: &Track, scale: Vec3) -> Option<(Vec<f32>, Vec<Vec3>)> {
    let mut keys = vec![(0.0, if track.comes.is_some() { Vec3::ZERO } else { scale })];
    keys.extend(track.comes.map(|time| (time, scale)));
    keys.extend(track.goes.map(|time| (time, Vec3::ZERO)));
    // Of two keys at the same time the later one counts.
    keys.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 = later.1;
        }
        same
    });
    (track.comes.is_some() || track.goes.is_some()).then(|| keys.into_iter().unzip())
}

/// The linear intensity of a component of sRGB (IEC 61966-2-1).
fn linear(number: u8) -> f32 {
    let share = f64::from(number) / 255.0;
    let linear = if share <= 0.040_45 { share / 12.92 } else { libm::pow((share + 0.055) / 1.055, 2.4) };
    linear as f32
}
