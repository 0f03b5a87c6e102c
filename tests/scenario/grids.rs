//! Grids and height fields in scenarios, cells that change, and the messages about what is wrong with them.

use std::fs;
use std::path::Path;

use carom::dynamics::Motion;
use carom::geometry::{Grid, Shape};
use carom::scenario::{Problems, Scenario, Source, parse};
use carom::world::Command;
use glam::DVec3;
use miette::NarratableReportHandler;

fn text(shape: &str, more: &str, commands: &str) -> String {
    let body = format!("(name: \"it\", shape: {shape}, {more})");
    format!("(timestep: 0.5, duration: 1,\nbodies: [\n  {body},\n],\ncommands: [{commands}])")
}

fn read(shape: &str, more: &str, commands: &str) -> Result<Scenario, Problems> {
    parse(&Source::new("grids.ron", &text(shape, more, commands))).map(|parsed| parsed.scenario)
}

fn message(problems: &Problems) -> String {
    let mut text = String::new();
    NarratableReportHandler::new().render_report(&mut text, problems).unwrap();
    text
}

fn grid(scenario: &Scenario) -> &Grid {
    let Shape::Grid(grid) = &scenario.bodies[0].shape else { panic!("{:?}", scenario.bodies[0]) };
    grid
}

#[test]
fn tiles_and_voxels_are_grids() {
    let tiles = read("Tiles(cell: (2, 0.5), depth: 3, rows: [\".# \", \"###\"])", "position: (1, 2, 3)", "").unwrap();
    assert_eq!(*grid(&tiles), Grid::tiles(DVec3::new(2.0, 3.0, 0.5), &[".#.", "###"]).unwrap());
    assert_eq!((tiles.bodies[0].motion, tiles.bodies[0].position), (Motion::Fixed, DVec3::new(1.0, 2.0, 3.0)));
    let plain = read("Tiles(cell: 0.25, rows: [\"#\"])", "motion: Fixed", "").unwrap();
    assert_eq!(grid(&plain).bounds().max, DVec3::splat(0.25));
    let shape = "Voxels(cell: (1, 2, 3), size: (4, 3, 2), cells: [(3, 2, 1)], blocks: [((0, 0, 0), (3, 1, 0))])";
    let voxels = read(shape, "", "").unwrap();
    let solid = |[x, y, z]: [u32; 3]| (z == 0 && y < 2) || [x, y, z] == [3, 2, 1];
    assert_eq!(*grid(&voxels), Grid::voxels(DVec3::new(1.0, 2.0, 3.0), [4, 3, 2], solid).unwrap());
    assert_eq!(grid(&read("Voxels(cell: 1, size: (2, 2, 2))", "", "").unwrap()).solid_count(), 0);
}

#[test]
fn heights_are_meshes_from_rows_or_a_file() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("heights");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("hills.csv"), "0, 1, 0\n2, 0, -1\n").unwrap();
    let mesh = |shape: &str| {
        let source = Source::new("grids.ron", &text(shape, "", "")).in_folder(&folder);
        let scenario = parse(&source).unwrap().scenario;
        let Shape::Mesh(mesh) = &scenario.bodies[0].shape else { panic!("{scenario:?}") };
        (mesh.clone(), scenario.files)
    };
    let (rows, none) = mesh("Heights(cell: 2, rows: [[0, 1, 0], [2, 0, -1]])");
    let (file, files) = mesh("Heights(cell: (2, 2), file: \"hills.csv\")");
    assert_eq!(rows, file);
    assert_eq!((none.len(), files.len(), files[0].name.as_str()), (0, 1, "hills.csv"));
    assert_eq!((rows.triangles().len(), rows.bounds().min, rows.bounds().max.z), (4, DVec3::Z * -1.0, 2.0));
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_a_remedy() {
    let tiles = "Tiles(cell: 1, rows: [\"##\"])";
    let rows = [
        ("Tiles(cell: 1, rows: [\"##\", \"#\"])", "", "", "bodies[0].shape.rows[1]: row 1 has 1 cells", "fill the row"),
        ("Tiles(cell: 1, rows: [\"#o\"])", "", "", "bodies[0].shape.rows[0]: row 0 has 'o' at column 1", "write `#`"),
        (
            "Tiles(cell: 1, rows: [])",
            "",
            "",
            "bodies[0].shape.rows: a grid of 0 × 1 × 0 cells has none",
            "at least one cell",
        ),
        ("Tiles(cell: 0, rows: [\"#\"])", "", "", "bodies[0].shape.cell: an edge of a cell is 0 m", "positive"),
        (
            "Tiles(cell: 1, depth: -1, rows: [\"#\"])",
            "",
            "",
            "bodies[0].shape.depth: an edge of a cell is -1 m",
            "positive",
        ),
        ("Tiles(cell: (1, 2, 3), rows: [\"#\"])", "", "", "bodies[0].shape.cell", ""),
        (
            "Voxels(cell: 1, size: (2, 2, 2), cells: [(0, 2, 0)])",
            "",
            "",
            "bodies[0].shape.cells[0]: there is no cell (0, 2, 0)",
            "counted from 0",
        ),
        (
            "Voxels(cell: 1, size: (2, 2, 2), blocks: [((1, 0, 0), (0, 1, 1))])",
            "",
            "",
            "bodies[0].shape.blocks[0]: a block goes",
            "lowest",
        ),
        ("Voxels(cell: 1, size: (4000, 4000, 4000))", "", "", "more than the 134217728 allowed", "divide it"),
        (
            "Voxels(cell: 1, size: (0, 1, 1))",
            "",
            "",
            "bodies[0].shape.size: a grid of 0 × 1 × 1 cells has none",
            "at least one cell",
        ),
        (
            tiles,
            "motion: Free, mass: 1",
            "",
            "bodies[0].motion: a mesh or a grid cannot be `Free`",
            "leave `motion` out",
        ),
        (
            tiles,
            "response: Sense",
            "",
            "bodies[0].response: a mesh or a grid cannot be a sensor",
            "leave `response` out",
        ),
        (tiles, "spin: (1, 0, 0)", "", "bodies[0].spin", ""),
        ("Heights(cell: 1)", "", "", "bodies[0].shape: heights take either `file` or `rows`", "for example"),
        (
            "Heights(cell: 1, rows: [[0, 1], [0]])",
            "",
            "",
            "bodies[0].shape.rows: heights are a rectangle",
            "same number",
        ),
        ("Heights(cell: 0, rows: [[0, 1], [0, 1]])", "", "", "bodies[0].shape.cell", "positive"),
        ("Heights(cell: 1, file: \"a.obj\")", "", "", "must end in `.csv` or `.txt`", "rows of numbers"),
        ("Heights(cell: 1, file: \"../a.csv\")", "", "", "must lie beside the scenario", "put the file"),
        (
            tiles,
            "",
            "SetCell(at: 0.5, body: \"it\", cell: (2, 0, 0), solid: true)",
            "commands[0].body: `it` has no cell (2, 0, 0)",
            "counted from 0",
        ),
        (
            "Box(half_extents: (1, 1, 1))",
            "motion: Fixed",
            "SetCell(at: 0.5, body: \"it\", cell: (0, 0, 0), solid: true)",
            "commands[0].body: `it` is no grid",
            "`Tiles`",
        ),
    ];
    for (shape, more, commands, wrong, remedy) in rows {
        let problems = read(shape, more, commands).expect_err(shape);
        let found = message(&problems);
        assert!(found.contains(wrong) && found.contains(remedy), "{shape}: {found}");
    }
}

#[test]
fn a_cell_is_set_at_its_time() {
    let set = "SetCell(at: 0.5, body: \"it\", cell: (1, 0, 0), solid: false)";
    let scenario = read("Tiles(cell: 1, rows: [\"##\"])", "", set).unwrap();
    let command = &scenario.commands[0].command;
    assert_eq!(*command, Command::SetCell { body: "it".to_owned(), cell: [1, 0, 0], solid: false });
    let mut world = scenario.world().unwrap();
    world.step(1.0).unwrap();
    let Shape::Grid(grid) = world.body(world.id("it").unwrap()).shape else { unreachable!() };
    assert_eq!(*grid, Grid::tiles(DVec3::ONE, &["#."]).unwrap());
}
