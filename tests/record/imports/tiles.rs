//! Maps of Tiled and LDtk.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use carom::record::{ImportError, ImportFormat, ImportRequest};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use proptest::prelude::*;
use serde_json::json;

use super::{Folder, all, imported, may_have_a_mark, refused, survives};

/// A map of 4 × 3 tiles of 16 pixels, with a layer that it writes as `data` says.
fn tmx(data: &str) -> Vec<u8> {
    format!(
        "<?xml version=\"1.0\"?>\n<map orientation=\"orthogonal\" width=\"4\" height=\"3\" tilewidth=\"16\" tileheight=\"16\">\n \
         <layer name=\"walls\" width=\"4\" height=\"3\">{data}</layer>\n</map>"
    )
    .into_bytes()
}

/// The tiles of the map: solid where a number is not 0. The upper bits of a number say how a tile is turned.
const TILES: [u32; 12] = [0, 0, 0, 0, 0, 7, 0, 0x8000_0003, 0, 1, 1, 0x2000_0000];

const WANTED: &str = "(name: \"walls\", shape: Tiles(cell: 1.0, rows: [\n            \"#.#\",\n            \"##.\",\n        ]), \
                      position: (1.0, -0.5, -3.0)),";

fn bytes() -> Vec<u8> {
    TILES.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn zlib() -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes()).unwrap();
    encoder.finish().unwrap()
}

fn gzip() -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&bytes()).unwrap();
    encoder.finish().unwrap()
}

fn csv() -> String {
    TILES.map(|tile| tile.to_string()).join(",\n")
}

#[test]
fn every_encoding_of_a_layer_gives_the_same_tiles() {
    let tiles: String = TILES.iter().map(|tile| format!("<tile gid=\"{tile}\"/>")).collect();
    let base = |bytes: &[u8]| format!("\n   {}\n  ", STANDARD.encode(bytes));
    let rows = [
        format!("<data>{tiles}</data>"),
        format!("<data encoding=\"csv\">\n{}\n</data>", csv()),
        format!("<data encoding=\"base64\">{}</data>", base(&bytes())),
        format!("<data encoding=\"base64\" compression=\"zlib\">{}</data>", base(&zlib())),
        format!("<data encoding=\"base64\" compression=\"gzip\">{}</data>", base(&gzip())),
        "<data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"4\" height=\"2\">0,0,0,0,0,7,0,3</chunk>\
         <chunk x=\"0\" y=\"2\" width=\"3\" height=\"1\">0,1,1</chunk></data>"
            .to_owned(),
    ];
    for data in &rows {
        let found = imported("x.tmx", &tmx(data), &all(ImportFormat::Tiled));
        assert!(found.text.contains(WANTED), "{data}\n{}", found.text);
    }
    // As versions before 1.0 wrote a map.
    let old = "<?xml version=\"1.0\"?>\n<!DOCTYPE map SYSTEM \"http://mapeditor.org/dtd/1.0/map.dtd\">";
    let old = String::from_utf8(tmx(&rows[1])).unwrap().replace("<?xml version=\"1.0\"?>", old);
    assert!(imported("x.tmx", old.as_bytes(), &all(ImportFormat::Tiled)).text.contains(WANTED));
    let json = |layer: serde_json::Value| {
        json!({"orientation": "orthogonal", "tilewidth": 16, "tileheight": 16, "layers": [layer]}).to_string()
    };
    let base = json!({"name": "walls", "type": "tilelayer", "width": 4, "height": 3});
    let with = |more: serde_json::Value| {
        let mut layer = base.clone();
        layer.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json(layer)
    };
    let rows = [
        with(json!({"data": TILES})),
        with(json!({"data": STANDARD.encode(bytes()), "encoding": "base64", "compression": ""})),
        with(json!({"data": STANDARD.encode(zlib()), "encoding": "base64", "compression": "zlib"})),
        with(json!({"chunks": [
            {"x": 0, "y": 0, "width": 4, "height": 1, "data": TILES[..4]},
            {"x": 0, "y": 1, "width": 4, "height": 2, "data": TILES[4..]},
        ]})),
        json(json!({"name": "", "type": "group", "layers": [
            {"name": "walls", "type": "tilelayer", "width": 4, "height": 3, "data": TILES},
        ]})),
    ];
    for text in rows {
        let found = imported("x.tmj", text.as_bytes(), &all(ImportFormat::Tiled));
        assert!(found.text.contains(WANTED), "{text}\n{}", found.text);
    }
}

#[test]
fn what_is_no_map_says_where() {
    let zstd = "<data encoding=\"base64\" compression=\"zstd\">KLUv/Q==</data>";
    let short = STANDARD.encode(&bytes()[..44]);
    let large = "<data encoding=\"csv\"><chunk x=\"0\" y=\"0\" width=\"1\" height=\"1\">1</chunk>\
                 <chunk x=\"99999\" y=\"99999\" width=\"1\" height=\"1\">1</chunk></data>";
    let rows = [
        (b"".to_vec(), "line 1, column 0: EOF while parsing"),
        (b"<map".to_vec(), "line 1, column"),
        (b"<html></html>".to_vec(), "line 1, column 1: a `map` is wanted, found `html`"),
        (b"<map orientation=\"hexagonal\" tilewidth=\"1\" tileheight=\"1\"/>".to_vec(), "the map is hexagonal"),
        (b"<map tilewidth=\"1\"/>".to_vec(), "the attribute `tileheight` is missing"),
        (b"<map tilewidth=\"x\" tileheight=\"1\"/>".to_vec(), "`tilewidth` must be a number, found `x`"),
        (b"<map tilewidth=\"0\" tileheight=\"1\"/>".to_vec(), "its tiles must have a size, found 0"),
        (b"<map tilewidth=\"1\" tileheight=\"1\"/>".to_vec(), "no layer has solid tiles or objects"),
        (tmx("<data encoding=\"csv\">1,2</data>"), "line 3, column 43: 12 cells wanted, 4 × 3, 2 found"),
        (tmx("<data encoding=\"csv\">1,two</data>"), "`two` is no number of a tile"),
        (tmx("<data encoding=\"base64\">!</data>"), "it is no base64"),
        (tmx("<data encoding=\"base64\" compression=\"zlib\">AAAA</data>"), "its cells cannot be unpacked"),
        (tmx(zstd), "cells compressed by zstd are not read: in Tiled, choose zlib or CSV"),
        (tmx(&format!("<data encoding=\"base64\">{short}</data>")), "12 cells wanted, 4 × 3, 11 found"),
        (tmx(large), "cells, more than 33554432"),
        (tmx("<data encoding=\"rot13\">1</data>"), "cells in the encoding `rot13` are not read"),
        (tmx(""), "line 3, column 2: the layer has no `data`"),
        // As versions before 1.2 wrote properties.
        (
            b"{\"tilewidth\":1,\"tileheight\":1,\"layers\":[{\"properties\":{\"solid\":true}}]}".to_vec(),
            "line 1, column 54: invalid type: map, expected a sequence",
        ),
        (
            b"<!DOCTYPE map [<!ENTITY a \"aaaa\">]>\n<map tilewidth=\"1\" tileheight=\"1\"/>".to_vec(),
            "line 1, column 1: XML with DTD",
        ),
        (b"{\"tilewidth\": 1}".to_vec(), "line 1, column 16: missing field `tileheight`"),
    ];
    for (bytes, wanted) in rows {
        refused("x.tmx", &all(ImportFormat::Tiled), &[(&bytes, wanted)]);
    }
    let packed = tmx(&format!("<data encoding=\"base64\" compression=\"zlib\">{}</data>", STANDARD.encode(zlib())));
    survives("x.tmx", &packed, &all(ImportFormat::Tiled));
}

const OBJECTS: &str = r#"<map tilewidth="10" tileheight="10">
 <layer name="sky" width="1" height="1"><data encoding="csv">1</data></layer>
 <objectgroup name="things" offsetx="5">
  <properties><property name="solid" type="bool" value="true"/></properties>
  <object id="1" name="crate" x="10" y="20" width="20" height="10"/>
  <object id="2" x="30" y="0" width="10" height="10"><ellipse/></object>
  <object id="3" name="start" type="spawn" x="1" y="2"><point/></object>
  <object id="4" x="0" y="0" width="10" height="20"><ellipse/></object>
  <object id="5" x="0" y="0" rotation="45" width="10" height="20"/>
  <object id="6" x="0" y="0"><polygon points="0,0 1,1 1,0"/></object>
  <object id="7" x="0" y="0"><polyline points="0,0 1,1"/></object>
  <object id="8" x="0" y="0" width="9" height="9"><text>hello</text></object>
  <object id="9" gid="3" x="10" y="30" width="10" height="20"/>
  <object id="10" template="hero.tx" x="0" y="0"/>
  <object id="11" x="0" y="0" width="9" height="9"><properties><property name="collides" value="false"/></properties></object>
 </objectgroup>
 <imagelayer name="hills"/>
</map>"#;

#[test]
fn rectangles_and_circles_are_bodies_and_all_else_is_listed() {
    let found = imported("x.tmx", OBJECTS.as_bytes(), &all(ImportFormat::Tiled));
    let bodies = [
        "(name: \"things/crate\", shape: Box(half_extents: (1.0, 0.5, 0.5)), motion: Fixed, position: (2.5, 0.0, -2.5)),",
        "(name: \"things/2\", shape: Sphere(radius: 0.5), motion: Fixed, position: (4.0, 0.0, -0.5)),",
        "(name: \"things/9\", shape: Box(half_extents: (0.5, 0.5, 1.0)), motion: Fixed, position: (2.0, 0.0, -2.0)),",
    ];
    for body in bodies {
        assert!(found.text.contains(body), "{body} is missing in\n{}", found.text);
    }
    let missing = [
        "layer \"sky\": it is not solid",
        "object 3 \"start\" \"spawn\" at (0.6, 0.0, -0.2): it is a point",
        "object 4 at (0.5, 0.0, 0.0): it is an ellipse and no circle",
        "object 5 at (0.5, 0.0, 0.0): it is rotated, and boxes are not",
        "object 6 at (0.5, 0.0, 0.0): it is a polygon",
        "object 7 at (0.5, 0.0, 0.0): it is a line",
        "object 8 at (0.5, 0.0, 0.0): it is a text",
        "object 10 at (0.5, 0.0, 0.0): it is in a template, a file of its own",
        "object 11 at (0.5, 0.0, 0.0): it is not solid",
        "layer \"hills\": it is a picture",
    ];
    assert_eq!(found.missing, missing);
    assert!(missing.iter().all(|line| found.text.contains(&format!("// - {line}\n"))), "{}", found.text);
    let sky = ImportRequest { layers: vec!["sky".to_owned()], scale: Some(0.5), ..all(ImportFormat::Tiled) };
    let found = imported("x.tmx", OBJECTS.as_bytes(), &sky);
    assert!(
        found.text.contains("Tiles(cell: 5.0, rows: [\n            \"#\",\n        ]), position: (0.0, -2.5, -5.0)")
    );
    let none = ImportRequest { layers: vec!["ground".to_owned()], ..all(ImportFormat::Tiled) };
    refused("x.tmx", &none, &[(OBJECTS.as_bytes(), "it has no layer `ground`")]);
    // Without a property all layers are solid, but for pictures of tiles.
    let guessed = imported("x.tmx", OBJECTS.replace("\"solid\"", "\"other\"").as_bytes(), &all(ImportFormat::Tiled));
    assert!(guessed.text.contains("(name: \"sky\"") && guessed.text.contains("(name: \"things/crate\""));
    assert!(
        guessed.missing[6].ends_with("it is a picture of a tile; --layer makes those of a layer solid"),
        "{:?}",
        guessed.missing
    );
}

#[test]
fn objects_of_json_are_those_of_xml() {
    let text = json!({"tilewidth": 10, "tileheight": 10, "layers": [
        {"type": "tilelayer", "name": "sky", "width": 1, "height": 1, "data": [1]},
        {"type": "objectgroup", "name": "things", "offsetx": 5, "properties": [{"name": "solid", "type": "bool", "value": true}],
         "objects": [
            {"id": 1, "name": "crate", "x": 10, "y": 20, "width": 20, "height": 10},
            {"id": 2, "x": 30, "y": 0, "width": 10, "height": 10, "ellipse": true},
            {"id": 3, "name": "start", "type": "spawn", "x": 1, "y": 2, "point": true},
            {"id": 4, "x": 0, "y": 0, "width": 10, "height": 20, "ellipse": true},
            {"id": 5, "x": 0, "y": 0, "rotation": 45, "width": 10, "height": 20},
            {"id": 6, "x": 0, "y": 0, "polygon": [{"x": 0, "y": 0}]},
            {"id": 7, "x": 0, "y": 0, "polyline": [{"x": 0, "y": 0}]},
            {"id": 8, "x": 0, "y": 0, "width": 9, "height": 9, "text": {"text": "hello"}},
            {"id": 9, "gid": 3, "x": 10, "y": 30, "width": 10, "height": 20},
            {"id": 10, "template": "hero.tj", "x": 0, "y": 0},
            {"id": 11, "x": 0, "y": 0, "width": 9, "height": 9, "properties": [{"name": "collides", "value": false}]},
        ]},
        {"type": "imagelayer", "name": "hills"},
    ]});
    let [xml, json] =
        [OBJECTS.as_bytes(), text.to_string().as_bytes()].map(|bytes| imported("x", bytes, &all(ImportFormat::Tiled)));
    assert_eq!(json, xml);
    may_have_a_mark("x", OBJECTS, &all(ImportFormat::Tiled));
    may_have_a_mark("x", &text.to_string(), &all(ImportFormat::Tiled));
}

/// Each row: attributes of a tileset, an object, and where its body is and how large; all of 16 × 8 pixels at (32, 16).
#[test]
fn a_picture_of_a_tile_lies_where_its_tileset_says_and_all_turn_around_their_place() {
    let boxed = |half: &str, x: f64, z: f64| {
        format!("shape: Box(half_extents: ({half})), motion: Fixed, position: ({x:?}, 0.0, {z:?})")
    };
    let tile = |alignment: &str| format!("<tileset firstgid=\"1\" objectalignment=\"{alignment}\"/>");
    let (flat, upright) = ("0.5, 0.5, 0.25", "0.25, 0.5, 0.5");
    let gid = "gid=\"2147483650\"";
    let rows = [
        (tile("unspecified"), gid, "", boxed(flat, 2.5, -0.75)),
        (tile("topleft"), gid, "", boxed(flat, 2.5, -1.25)),
        (tile("top"), gid, "", boxed(flat, 2.0, -1.25)),
        (tile("right"), gid, "", boxed(flat, 1.5, -1.0)),
        (tile("center"), gid, "rotation=\"-90\"", boxed(upright, 2.0, -1.0)),
        (tile("bottomright"), gid, "rotation=\"180\"", boxed(flat, 2.5, -1.25)),
        (
            "<tileset firstgid=\"1\"/><tileset firstgid=\"3\" objectalignment=\"top\"/>".to_owned(),
            gid,
            "",
            boxed(flat, 2.5, -0.75),
        ),
        ("<tileset firstgid=\"1\" source=\"a.tsx\"/>".to_owned(), gid, "", boxed(flat, 2.5, -0.75)),
        (String::new(), "", "rotation=\"90\"", boxed(upright, 1.75, -1.5)),
        (String::new(), "", "rotation=\"-540\"", boxed(flat, 1.5, -0.75)),
        (String::new(), "", "rotation=\"360\"", boxed(flat, 2.5, -1.25)),
    ];
    for (tilesets, tile, rotation, wanted) in rows {
        let text = format!(
            "<map tilewidth=\"16\" tileheight=\"16\">{tilesets}<objectgroup name=\"o\"><properties><property name=\"solid\" \
             value=\"true\"/></properties><object id=\"1\" {tile} x=\"32\" y=\"16\" width=\"16\" height=\"8\" {rotation}/></objectgroup></map>"
        );
        let found = imported("x.tmx", text.as_bytes(), &all(ImportFormat::Tiled));
        assert!(found.text.contains(&wanted), "{tilesets}{tile} {rotation}: {wanted} is missing in {}", found.text);
        assert_eq!(found.missing.len(), usize::from(tilesets.contains("source")), "{:?}", found.missing);
    }
    let turned = |degrees: f64, more: &str| {
        let object =
            json!({"id": 1, "x": 32, "y": 16, "width": 16, "height": 16, "ellipse": true, "rotation": degrees});
        let layer = json!({"type": "objectgroup", "name": "o", "objects": [object]});
        let tileset = json!([{"firstgid": 1, "objectalignment": more}]);
        json!({"tilewidth": 16, "tileheight": 16, "tilesets": tileset, "layers": [layer]}).to_string()
    };
    let found = imported("x.tmj", turned(90.0, "top").as_bytes(), &all(ImportFormat::Tiled));
    assert!(found.text.contains("Sphere(radius: 0.5), motion: Fixed, position: (1.5, 0.0, -1.5)"), "{}", found.text);
    let found = imported("x.tmj", turned(33.0, "top").as_bytes(), &all(ImportFormat::Tiled));
    let (sine, cosine) = 33.0_f64.to_radians().sin_cos();
    let place = found.text.split("position: (").nth(1).unwrap().split(')').next().unwrap();
    let place: Vec<f64> = place.split(", ").map(|word| word.parse().unwrap()).collect();
    let wanted = [2.0 + 0.5 * (cosine - sine), 0.0, -1.0 - 0.5 * (cosine + sine)];
    // A few roundings of numbers below 2.5.
    let is_near = |(place, wanted): (&f64, f64)| (place - wanted).abs() <= 8.0 * f64::EPSILON;
    assert!(place.iter().zip(wanted).all(is_near), "{place:?} {wanted:?}");
}

#[test]
fn if_nothing_is_left_the_error_says_why() {
    let with = |objects: &str, more: &str| {
        format!("<map tilewidth=\"1\" tileheight=\"1\"><objectgroup name=\"o\">{objects}</objectgroup>{more}</map>")
    };
    let polygon = "<object id=\"1\" x=\"3\" y=\"3\"><polygon points=\"0,0 5,0 5,5\"/></object>";
    let point = "<object x=\"1\" y=\"1\"><point/></object>";
    let off = "<imagelayer name=\"i\"/><objectgroup name=\"p\"><properties><property name=\"solid\" value=\"false\"/></properties></objectgroup>";
    let rows = [
        (with(polygon, ""), "objects: object 1 at (3.0, 0.0, -3.0): it is a polygon", "a layer can be solid if"),
        (with(&point.repeat(5), ""), "it is a point; and 2 more", "a layer can be solid if it has tiles, or"),
        (
            with("", off),
            "objects: layer \"i\": it is a picture; layer \"p\": it is not solid",
            "choose one by --layer; its layers are: o, i, p",
        ),
    ];
    for (text, wanted, remedy) in rows {
        let folder = Folder::new(&[("x.tmx", text.as_bytes())]);
        let error = folder.import("x.tmx", &all(ImportFormat::Tiled)).unwrap_err();
        let ImportError::Unfit { problem, remedy: found, .. } = &error else { panic!("{error:?}") };
        assert!(problem.contains(wanted) && found.contains(remedy), "{error:?}");
    }
}

/// A project of two levels with walls and water.
fn ldtk(layout: &str) -> serde_json::Value {
    let level = |name: &str, x: i64, cells: &[i64]| {
        json!({"identifier": name, "worldX": x, "worldY": 32, "pxWid": 48, "pxHei": 32, "externalRelPath": null, "layerInstances": [
            {"__identifier": "Things", "__type": "Entities", "__cWid": 3, "__cHei": 2, "__gridSize": 16, "__pxTotalOffsetX": 0,
             "__pxTotalOffsetY": 0, "entityInstances": [{"__identifier": "Player", "px": [8, 16]}]},
            {"__identifier": "Cells", "__type": "IntGrid", "__cWid": 3, "__cHei": 2, "__gridSize": 16, "__pxTotalOffsetX": 8,
             "__pxTotalOffsetY": 0, "intGridCsv": cells},
        ]})
    };
    json!({
        "defaultGridSize": 16, "worldLayout": layout,
        "levels": [level("Low", -16, &[0, 1, 0, 1, 2, 1]), level("High", 64, &[2, 0, 0, 0, 0, 0])],
        "defs": {"layers": [{"identifier": "Cells", "intGridValues": [{"value": 1, "identifier": "walls"}, {"value": 2, "identifier": null}]}]},
    })
}

#[test]
fn each_level_of_ldtk_is_a_body_at_its_place_in_the_world() {
    let found = imported("x.ldtk", ldtk("Free").to_string().as_bytes(), &all(ImportFormat::Ldtk));
    let low = "(name: \"Low\", shape: Tiles(cell: 1.0, rows: [\n            \".#.\",\n            \"###\",\n        ]), position: (-0.5, -0.5, -4.0)),";
    let high = "(name: \"High\", shape: Tiles(cell: 1.0, rows: [\n            \"#\",\n        ]), position: (4.5, -0.5, -3.0)),";
    assert!(found.text.contains(low) && found.text.contains(high), "{}", found.text);
    assert_eq!(found.missing[0], "entity \"Player\" of level \"Low\" at (-0.5, 0.0, -3.0)");
    assert!(found.text.contains("// - values of \"Cells\": 1 walls, 2; --value chooses"), "{}", found.text);
    let row = imported("x.ldtk", ldtk("LinearHorizontal").to_string().as_bytes(), &all(ImportFormat::Ldtk));
    assert!(
        row.text.contains("position: (0.5, -0.5, -2.0)") && row.text.contains("position: (3.5, -0.5, -1.0)"),
        "{}",
        row.text
    );
    let walls = ImportRequest {
        levels: vec!["Low".to_owned()],
        values: vec!["walls".to_owned()],
        depth: Some(2.0),
        ..all(ImportFormat::Ldtk)
    };
    let found = imported("x.ldtk", ldtk("Free").to_string().as_bytes(), &walls);
    assert!(
        found.text.contains("depth: 2.0, rows: [\n            \".#.\",\n            \"#.#\",")
            && !found.text.contains("High")
    );
}

#[test]
fn levels_in_files_of_their_own_are_read_beside_the_project() {
    let whole = ldtk("Free");
    let mut project = whole.clone();
    let levels = project["levels"].as_array_mut().unwrap();
    let files: Vec<Vec<u8>> = levels.iter().map(|level| format!("\u{feff}{level}").into_bytes()).collect();
    for (row, level) in levels.iter_mut().enumerate() {
        level["layerInstances"] = json!(null);
        level["externalRelPath"] = json!(format!("{row}.ldtkl"));
    }
    let text = project.to_string();
    let folder = Folder::new(&[("x.ldtk", text.as_bytes()), ("0.ldtkl", &files[0]), ("1.ldtkl", &files[1])]);
    let found = folder.import("x.ldtk", &all(ImportFormat::Ldtk)).unwrap();
    assert_eq!(found.text, imported("x.ldtk", whole.to_string().as_bytes(), &all(ImportFormat::Ldtk)).text);
    let outside = text.replace("0.ldtkl", "../0.ldtkl");
    let rows =
        [(text.as_bytes(), "level \"0.ldtkl\": it cannot be read"), (outside.as_bytes(), "it lies outside the folder")];
    refused("y.ldtk", &all(ImportFormat::Ldtk), &rows);
}

#[test]
fn what_is_no_project_of_ldtk_says_why() {
    let changed = |place: &str, value: serde_json::Value| {
        let mut project = ldtk("Free");
        *project.pointer_mut(place).unwrap() = value;
        project.to_string()
    };
    let cells = "/levels/0/layerInstances/1/intGridCsv";
    let rows = [
        ("[".to_owned(), "line 1, column 1"),
        ("{}".to_owned(), "missing field `defaultGridSize`"),
        (changed("/defaultGridSize", json!(0)), "its tiles must have a size"),
        (changed(cells, json!([1])), "layer \"Cells\": 3 × 2 cells wanted, 1 found"),
        (changed("/levels", json!([])), "no level has solid cells"),
    ];
    for (text, wanted) in rows {
        refused("x.ldtk", &all(ImportFormat::Ldtk), &[(text.as_bytes(), wanted)]);
    }
    let text = ldtk("Free").to_string();
    let one = |word: &str| vec![word.to_owned()];
    let rows = [
        (ImportRequest { levels: one("Mid"), ..all(ImportFormat::Ldtk) }, "it has no level `Mid`"),
        (ImportRequest { layers: one("Things"), ..all(ImportFormat::Ldtk) }, "no layer `Things` of the type IntGrid"),
        (ImportRequest { values: one("lava"), ..all(ImportFormat::Ldtk) }, "it has no value `lava`"),
    ];
    for (request, wanted) in &rows {
        refused("x.ldtk", request, &[(text.as_bytes(), *wanted)]);
    }
    let folder = Folder::new(&[("x.ldtk", text.as_bytes())]);
    let error = folder.import("x.ldtk", &rows[2].0).unwrap_err();
    assert!(matches!(&error, ImportError::Unfit { remedy, .. } if remedy == "its values are: 1 walls, 2"), "{error:?}");
    may_have_a_mark("x.ldtk", &text, &all(ImportFormat::Ldtk));
    survives("x.ldtk", text.as_bytes(), &all(ImportFormat::Ldtk));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// The rows of a body, put at its place, are the cells of the map.
    #[test]
    fn a_layer_reads_back_cell_by_cell(width in 1..9_usize, tiles in prop::collection::vec(0..3_u32, 1..60)) {
        let height = tiles.len() / width;
        prop_assume!(height > 0 && tiles[..width * height].iter().any(|&tile| tile > 0));
        let tiles = &tiles[..width * height];
        let layer = json!({"name": "a", "type": "tilelayer", "width": width, "height": height, "data": tiles});
        let map = json!({"tilewidth": 8, "tileheight": 8, "layers": [layer]}).to_string();
        let text = imported("x.tmj", map.as_bytes(), &all(ImportFormat::Tiled)).text;
        let rows: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("            \"")?.strip_suffix("\",")).collect();
        let place = text.split("]), position: (").nth(1).unwrap().split(')').next().unwrap();
        let place: Vec<f64> = place.split(", ").map(|word| word.parse().unwrap()).collect();
        let (left, bottom) = (place[0] as usize, -place[2] as usize);
        let mut found = vec![false; width * height];
        for (row, line) in rows.iter().enumerate() {
            for (column, cell) in line.chars().enumerate().filter(|(_, cell)| *cell == '#') {
                found[(bottom - rows.len() + row) * width + left + column] = cell == '#';
            }
        }
        prop_assert_eq!(found, tiles.iter().map(|&tile| tile > 0).collect::<Vec<_>>());
    }
}
