//! Models in glTF.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::geometry::{Mesh, Shape};
use carom::record::ImportFormat;
use carom::record::ImportRequest;
use glam::DVec3;
use serde_json::{Value, json};

use super::{Folder, all, refused, scenario, survives};

/// The corners of a unit cube, and its faces as two triangles each, counterclockwise as seen from outside.
fn cube() -> (Vec<[f32; 3]>, Vec<u16>) {
    let corners = (0..8).map(|row: u8| [0, 1, 2].map(|axis| f32::from(row >> axis & 1))).collect();
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (corners, faces.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d]).collect())
}

/// The bytes of a cube: corners, and then rows.
fn bytes() -> Vec<u8> {
    let (corners, rows) = cube();
    let corners = corners.into_iter().flatten().flat_map(f32::to_le_bytes);
    corners.chain(rows.into_iter().flat_map(u16::to_le_bytes)).collect()
}

fn document(uri: Option<&str>, nodes: &Value) -> Value {
    json!({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
        "meshes": [{"name": "cube", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
        ],
        "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
        "buffers": [match uri { Some(uri) => json!({"uri": uri, "byteLength": 168}), None => json!({"byteLength": 168}) }],
    })
}

fn embedded() -> String {
    format!("data:application/octet-stream;base64,{}", STANDARD.encode(bytes()))
}

fn binary(document: &Value) -> Vec<u8> {
    let mut text = document.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let bytes = bytes();
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend(((12 + 8 + text.len() + 8 + bytes.len()) as u32).to_le_bytes());
    for (kind, part) in [(b"JSON", &text), (b"BIN\0", &bytes)] {
        file.extend((part.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(part);
    }
    file
}

fn mesh(shape: &Shape) -> &Mesh {
    match shape {
        Shape::Mesh(mesh) => mesh,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cube_is_the_same_wherever_its_bytes_are() {
    let nodes = json!([{"mesh": 0}]);
    let text = |uri| document(uri, &nodes).to_string().into_bytes();
    let folder = Folder::new(&[
        ("embedded.gltf", &text(Some(&embedded()))),
        // With a byte order mark.
        ("beside.gltf", &["\u{feff}".as_bytes(), &text(Some("my%20cube.bin"))].concat()),
        ("my cube.bin", &bytes()),
        ("one.glb", &binary(&document(None, &nodes))),
    ]);
    let request = all(ImportFormat::Gltf);
    let wanted = folder.import("embedded.gltf", &request).unwrap();
    assert_eq!(wanted.files[0].name, "made_1.obj");
    assert!(wanted.text.contains("(name: \"cube\", shape: Mesh(file: \"made_1.obj\"))"), "{}", wanted.text);
    for name in ["beside.gltf", "one.glb"] {
        assert_eq!(folder.import(name, &request).unwrap().files, wanted.files, "{name}");
    }
    // As a closed mesh it is checked to be whole and to look outwards.
    let closed = carom::record::Imported { text: wanted.text.replace(".obj\"", ".obj\", closed: true"), ..wanted };
    let scenario = scenario(&closed);
    let bounds = mesh(&scenario.bodies[0].shape).bounds();
    assert_eq!((bounds.min, bounds.max), (DVec3::new(0.0, -1.0, 0.0), DVec3::new(1.0, 0.0, 1.0)), "y has become z");
}

#[test]
fn a_node_is_scaled_turned_and_shifted_within_the_one_above() {
    let half = 0.5_f64.sqrt();
    let nodes = json!([
        {"name": "above", "children": [1, 2], "translation": [10, 0, 0]},
        {"name": "a:b/left", "mesh": 0, "scale": [2, 3, 4], "rotation": [0, 0, half, half]},
        {"name": "mirrored", "mesh": 0, "matrix": [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]},
    ]);
    let folder = Folder::new(&[("x.gltf", document(Some(&embedded()), &nodes).to_string().as_bytes())]);
    let request = ImportRequest { scale: Some(0.5), ..all(ImportFormat::Gltf) };
    let found = folder.import("x.gltf", &request).unwrap();
    let closed = carom::record::Imported { text: found.text.replace(".obj\"", ".obj\", closed: true"), ..found };
    let scenario = scenario(&closed);
    let names: Vec<&str> = scenario.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(names, ["a_b/left", "mirrored"]);
    // x: 10 and then −3 to 0 after the quarter turn; y from 0 to 2 becomes z; z from 0 to 4 becomes −y.
    let bounds = mesh(&scenario.bodies[0].shape).bounds();
    assert!(bounds.min.abs_diff_eq(DVec3::new(3.5, -2.0, 0.0), 1e-7), "{bounds:?}");
    assert!(bounds.max.abs_diff_eq(DVec3::new(5.0, 0.0, 1.0), 1e-7), "{bounds:?}");
    let bounds = mesh(&scenario.bodies[1].shape).bounds();
    assert_eq!((bounds.min, bounds.max), (DVec3::new(4.5, -0.5, 2.5), DVec3::new(5.0, 0.0, 3.0)));
}

#[test]
fn strips_and_fans_become_triangles_and_lines_do_not() {
    for (mode, wanted) in [(4, 2), (5, 4), (6, 4)] {
        let mut document = document(Some(&embedded()), &json!([{"mesh": 0}]));
        document["meshes"][0]["primitives"][0]["mode"] = json!(mode);
        document["accessors"][1]["count"] = json!(6);
        let folder = Folder::new(&[("x.gltf", document.to_string().as_bytes())]);
        let found = folder.import("x.gltf", &all(ImportFormat::Gltf)).unwrap();
        let object = String::from_utf8(found.files[0].bytes.to_vec()).unwrap();
        assert_eq!(object.lines().filter(|line| line.starts_with('f')).count(), wanted, "{object}");
    }
}

#[test]
fn what_is_no_model_says_why() {
    let nodes = json!([{"mesh": 0}]);
    let changed = |place: &str, value: Value| {
        let mut document = document(Some(&embedded()), &nodes);
        *document.pointer_mut(place).unwrap() = value;
        document.to_string().into_bytes()
    };
    let rows = [
        (b"{".to_vec(), "line 1, column 1: EOF while parsing"),
        (b"{}".to_vec(), "missing field `asset`"),
        (b"glTF\x02\0\0\0\0\0\0\0\xff\0\0\0JSON".to_vec(), "the file ends too early"),
        (changed("/asset/version", json!("1.0")), "it is of the version 1.0 of glTF"),
        (changed("/buffers/0/uri", json!("none.bin")), "buffers[0]: its file `none.bin`: it cannot be read"),
        (changed("/buffers/0/uri", json!("../x.bin")), "lies outside the folder of the model"),
        (changed("/buffers/0/uri", json!("data:;base64,!")), "it is no base64"),
        (changed("/nodes", json!([{"mesh": 7}])), "meshes[7]: there is no such mesh"),
        (
            changed("/nodes", json!([{"children": [0]}])),
            "nodes[0]: nodes lie too deep within each other, or in a circle",
        ),
        (changed("/nodes", json!([{"name": "empty"}])), "it has no mesh that a scenario can have"),
        (changed("/accessors/0/count", json!(9)), "a view ends before its accessor"),
        (changed("/accessors/0/count", json!(3)), "there is no corner"),
        (changed("/accessors/1/componentType", json!(5126)), "indices of the type 5126 are not known"),
        (changed("/bufferViews/1/byteLength", json!(73)), "a buffer ends before its view"),
        (
            changed("/meshes/0/primitives/0", json!({"attributes": {"POSITION": 0}, "mode": 1})),
            "it has points or lines",
        ),
        (
            changed("/nodes", json!([{"mesh": 0, "scale": [0, 0, 0]}])),
            "it has no mesh that a scenario can have: the mesh",
        ),
    ];
    for (bytes, wanted) in rows {
        refused("x.gltf", &all(ImportFormat::Gltf), &[(&bytes, wanted)]);
    }
    survives("x.gltf", &binary(&document(None, &nodes)), &all(ImportFormat::Gltf));
}
