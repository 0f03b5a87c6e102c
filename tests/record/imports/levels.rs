//! Levels as the editors write them: an infinite map of Tiled 1.11 as JSON and as XML, and a project of LDtk 1.5 with
//! levels in files of their own, and with several worlds.

use carom::record::{ImportFormat, ImportRequest};

use super::{Folder, all, scenario};

const CAVE_JSON: &[u8] = include_bytes!("levels/cave.tmj");
const CAVE_XML: &[u8] = include_bytes!("levels/cave.tmx");
const PROJECT: &[u8] = include_bytes!("levels/world.ldtk");
const WORLDS: &[u8] = include_bytes!("levels/worlds.ldtk");
const LEVELS: [&[u8]; 2] = [include_bytes!("levels/world/Level_0.ldtkl"), include_bytes!("levels/world/Level_1.ldtkl")];

fn rows(cells: &str) -> String {
    cells.split_whitespace().map(|row| format!("            \"{row}\",\n")).collect()
}

/// Chunks on both sides of 0, tiles that are turned, layers that are shifted and in groups, all kinds of objects, and a
/// tileset in a file that is not there.
#[test]
fn an_infinite_map_has_its_chunks_where_they_are() {
    let folder = Folder::new(&[("cave.tmj", CAVE_JSON), ("cave.tmx", CAVE_XML)]);
    let [json, xml] = ["cave.tmj", "cave.tmx"].map(|name| folder.import(name, &all(ImportFormat::Tiled)).unwrap());
    assert_eq!(json.text.replace("cave.tmj", "cave.tmx"), xml.text);
    // Tiles in the rows 4 and 8, from the column −4 to 7; the layer is shifted by half a tile and 2 tiles upwards.
    let cells = rows("..####...... ............ ............ ............ ##........##");
    let bodies = [
        format!("(name: \"ground/terrain\", shape: Tiles(cell: 1.0, rows: [\n{cells}        ]), position: (-3.5, -0.5, -7.0)),"),
        "(name: \"ground/things/crate\", shape: Box(half_extents: (0.5, 0.5, 1.0)), motion: Fixed, position: (4.5, 0.0, -2.0)),".to_owned(),
        "(name: \"ground/things/boulder\", shape: Sphere(radius: 0.5), motion: Fixed, position: (6.5, 0.0, -1.5)),".to_owned(),
        "(name: \"ground/things/chest\", shape: Box(half_extents: (0.5, 0.5, 0.5)), motion: Fixed, position: (1.5, 0.0, -1.5)),".to_owned(),
    ];
    for body in bodies {
        assert!(json.text.contains(&body), "{body} is missing in\n{}", json.text);
    }
    let missing = [
        "layer \"sky\": it is a picture",
        "object 3 \"slope\" at (-4.0, 0.0, -2.0): it is a polygon",
        "object 4 \"start\" \"spawn\" at (-2.0, 0.0, -2.0): it is a point",
        "object 5 at (0.0, 0.0, 2.0): it is a line",
        "object 7 at (2.0, 0.0, 1.0): it is rotated, and boxes are not",
        "object 8 \"pond\" at (2.0, 0.0, -3.0): it is an ellipse and no circle",
        "layer \"ground/back/ladders\": it is not solid",
        "tilesets in files of their own: their tiles among the objects are placed by the lower left corner",
    ];
    assert_eq!(json.missing, missing);
    assert!(json.text.contains("// - a tile fills its cell, whatever shape a tileset gives it"));
    assert_eq!(scenario(&json).bodies.len(), 4);
    let ladders = ImportRequest { layers: vec!["ground/back/ladders".to_owned()], ..all(ImportFormat::Tiled) };
    let found = folder.import("cave.tmj", &ladders).unwrap().text;
    let cells = rows("# #");
    assert!(found.contains(&format!("rows: [\n{cells}        ]), position: (3.0, -0.5, 4.0)")), "{found}");
}

#[test]
fn a_project_is_the_same_whether_its_levels_are_within_or_beside() {
    let folder = Folder::new(&[("world.ldtk", PROJECT), ("worlds.ldtk", WORLDS)]);
    std::fs::create_dir(folder.path("world")).unwrap();
    for (row, level) in LEVELS.iter().enumerate() {
        std::fs::write(folder.path(&format!("world/Level_{row}.ldtkl")), level).unwrap();
    }
    let beside = folder.import("world.ldtk", &all(ImportFormat::Ldtk)).unwrap();
    let within = folder.import("worlds.ldtk", &all(ImportFormat::Ldtk)).unwrap();
    assert_eq!(within.text.replace("worlds", "world"), beside.text);
    let bodies = [
        ("Level_0/Collisions", "cell: 1.0", "#....# #....# #.##.# ######", "(0.0, -0.5, -4.0)"),
        // A layer with finer cells, and shifted.
        ("Level_1/Fine", "cell: 0.5, depth: 1.0", "#", "(8.25, -0.5, 2.0)"),
        ("Level_1/Collisions", "cell: 1.0", "..##.. ######", "(6.0, -0.5, 0.0)"),
    ];
    for (name, cell, cells, position) in bodies {
        let cells = rows(cells);
        let body =
            format!("(name: \"{name}\", shape: Tiles({cell}, rows: [\n{cells}        ]), position: {position}),");
        assert!(beside.text.contains(&body), "{body} is missing in\n{}", beside.text);
    }
    let missing = [
        "entity \"Player\" of level \"Level_0\" at (1.5, 0.0, -3.0)",
        "entity \"Door\" of level \"Level_1\" at (11.0, 0.0, 1.0)",
        "layer \"Decor\", of the type Tiles",
        "layer \"Shade\", of the type AutoLayer",
    ];
    assert_eq!(beside.missing, missing);
    assert_eq!(scenario(&beside).bodies.len(), 3);
    let some = ImportRequest {
        layers: vec!["Collisions".to_owned()],
        values: vec!["walls".to_owned(), "3".to_owned()],
        ..all(ImportFormat::Ldtk)
    };
    let found = folder.import("world.ldtk", &some).unwrap();
    assert!(found.text.contains(&rows("#....# #....# #.##.# ##..##")), "{}", found.text);
    assert!(found.missing.contains(&"layer \"Fine\", of the type IntGrid".to_owned()), "{:?}", found.missing);
}
