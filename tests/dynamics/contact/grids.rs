//! Grids: bodies on tiles and voxels move as on boxes and on a mesh of the same outline.

use std::sync::Arc;

use carom::dynamics::{Body, EventKind};
use carom::geometry::{Grid, Mesh, Shape};
use glam::DVec3;

use crate::common::scene::{Run, View, ball, cuboid, of_kind, settings, solid_cells};
use crate::common::{Random, is_thorough};

const G: DVec3 = DVec3::new(0.0, 0.0, -10.0);

/// The boxes of the solid cells; cells side by side along x are one box.
fn merged(grid: &Grid, position: DVec3) -> Vec<Body> {
    let mut boxes: Vec<[DVec3; 2]> = Vec::new();
    for cell in solid_cells(grid) {
        let bounds = grid.box_of(cell);
        match boxes.last_mut() {
            Some([min, max])
                if cell[0] > 0
                    && max.x == bounds.min.x
                    && (min.y, min.z) == (bounds.min.y, bounds.min.z)
                    && grid.is_solid([cell[0] - 1, cell[1], cell[2]]) =>
            {
                *max = bounds.max;
            }
            _ => boxes.push([bounds.min, bounds.max]),
        }
    }
    let body = |[min, max]: [DVec3; 2]| cuboid((max - min) * 0.5, 1.0).fixed().at(position + (min + max) * 0.5);
    boxes.into_iter().map(body).collect()
}

fn outline(grid: &Grid, position: DVec3) -> Body {
    let (corners, triangles) = grid.triangles();
    let mesh = Mesh::closed(&corners, &triangles).or_else(|_| Mesh::new(&corners, &triangles)).unwrap();
    Body { material: crate::common::scene::STUFF, ..Body::mesh(Arc::new(mesh)).at(position) }
}

fn gridded(grid: &Grid, position: DVec3) -> Body {
    Body::grid(grid.clone()).made_of(crate::common::scene::STUFF).at(position)
}

/// Free bodies in the empty cells of a grid.
fn movers(grid: &Grid, position: DVec3, count: usize, random: &mut Random) -> Vec<Body> {
    let [nx, ny, nz] = grid.size();
    let all = (0..nx * ny * nz).map(|n| [n % nx, n / nx % ny, n / nx / ny]);
    let mut empty: Vec<[u32; 3]> = all.filter(|&cell| !grid.is_solid(cell)).collect();
    let mut bodies = Vec::new();
    for _ in 0..count.min(empty.len()) {
        let cell = grid.box_of(empty.swap_remove(random.below(empty.len())));
        let half = cell.half().min_element() * random.between(0.2, 0.95);
        let room = cell.half() - half;
        let mut place = position + cell.center() + room * random.vector(1.0);
        if random.below(4) == 0 {
            place.z = position.z + cell.min.z + half;
        }
        let body = if random.below(2) == 0 { ball(half, 1.0) } else { cuboid(DVec3::splat(half), 1.0) };
        let velocity = random.vector(4.0) * if random.below(3) == 0 { DVec3::X } else { DVec3::ONE };
        bodies.push(body.at(place).moving(velocity));
    }
    bodies
}

fn random_grid(random: &mut Random) -> Grid {
    let size = if random.below(2) == 0 { [8, 1, 5] } else { [4, 4, 4] };
    let cell = [DVec3::ONE, DVec3::new(1.0, 2.0, 0.5), DVec3::new(0.7, 1.1, 0.9)][random.below(3)];
    let one_in = 2 + random.below(4);
    let count = size.iter().product::<u32>() as usize;
    let solid: Vec<bool> = (0..count).map(|_| random.below(one_in) == 0).collect();
    Grid::voxels(cell, size, |[x, y, z]| z == 0 || solid[((z * size[1] + y) * size[0] + x) as usize]).unwrap()
}

/// How far two runs are apart, m and m/s, relative to the numbers.
fn apart(one: &Run, other: &Run) -> f64 {
    let off = |a: DVec3, b: DVec3| (a - b).abs().max_element() / (1.0 + a.abs().max_element());
    let apart = |row: usize| {
        let places = off(one.position(row), other.position(row));
        places.max(off(one.velocity(row), other.velocity(row)))
    };
    one.free().into_iter().map(apart).fold(0.0, f64::max)
}

#[test]
fn a_grid_is_its_boxes_and_its_outline() {
    let rounds = if is_thorough() { 2000 } else { 150 };
    let (mut rests, mut impacts, mut far) = (0, 0, 0);
    for seed in 0..rounds {
        let mut random = Random::new(seed);
        let grid = random_grid(&mut random);
        let position = [DVec3::ZERO, DVec3::new(-3.25, 0.5, 7.0), DVec3::new(0.1, -0.3, 0.7)][random.below(3)];
        let settings = settings(G, [0.0, 0.5, 0.9][random.below(3)], [0.0, 0.3][random.below(2)]);
        let movers = movers(&grid, position, 1 + random.below(3), &mut random);
        let with = |scenery: Vec<Body>, nudge: f64| {
            let moved = |body: &Body| body.clone().at(body.position * nudge).moving(body.velocity * nudge);
            let bodies: Vec<Body> = movers.iter().map(moved).chain(scenery).collect();
            Run::new(&settings, &bodies)
        };
        let mut runs = [
            with(vec![gridded(&grid, position)], 1.0),
            with(vec![outline(&grid, position)], 1.0),
            with(merged(&grid, position), 1.0),
            // How far a rounding at the start comes.
            with(vec![gridded(&grid, position)], 1.0 + 4.0 * f64::EPSILON),
        ];
        for step in 1..=4 {
            let events: Vec<_> = runs.iter_mut().map(|run| run.until(0.25 * f64::from(step))).collect();
            let [mesh, boxes, nudged] = [1, 2, 3].map(|other| apart(&runs[0], &runs[other]));
            let round = movers.iter().any(|body| matches!(body.shape, Shape::Sphere(_)));
            let allowed = if round { 1e-3 } else { 1e-12f64.max(100.0 * nudged) };
            rests += of_kind(&events[0], EventKind::Rest).len();
            impacts += events[0].len();
            if mesh > allowed || boxes > allowed {
                println!("{seed} step {step}: mesh {mesh:e}, boxes {boxes:e}, nudged {nudged:e} {grid:?} {settings:?}");
                far += 1;
                break;
            }
        }
        runs[0].check_books(1e-12, &format!("{seed}"));
        assert!(runs[0].overlap() < 1e-9, "{seed}: {}", runs[0].overlap());
    }
    assert!(rests > 30 && impacts > 300 && far == 0, "{rests} {impacts} {far}");
}

/// A hole exactly as wide as a box: it falls when it stands above it, and passes over it otherwise. A corridor exactly
/// as high lets it through. In all 48 views.
#[test]
fn what_fits_exactly_goes_through() {
    let rows = ["......", "##.###", "......", "######"];
    let level = gridded(&Grid::tiles(DVec3::ONE, &rows).unwrap(), DVec3::new(-2.0, -0.5, -3.0));
    let hero = cuboid(DVec3::splat(0.5), 1.0);
    let settings = settings(G, 0.0, 0.0);
    for view in View::all() {
        let mut above = Run::seen(view, &settings, &[hero.clone().at(DVec3::Z * 1.5 + DVec3::X * 0.5), level.clone()]);
        above.until(10.0);
        assert_eq!((above.position(0), above.velocity(0)), (DVec3::new(0.5, 0.0, -1.5), DVec3::ZERO), "{view:?}");
        let passes = hero.clone().at(DVec3::new(-1.5, 0.0, 0.5)).moving(DVec3::X);
        let mut passes = Run::seen(view, &settings, &[passes, level.clone()]);
        let events = passes.until(2.0);
        assert_eq!(of_kind(&events, EventKind::Rest).len(), 1, "{view:?}: {events:?}");
        assert_eq!((passes.position(0), passes.velocity(0)), (DVec3::new(0.5, 0.0, 0.5), DVec3::X), "{view:?}");
        let through = hero.clone().at(DVec3::new(-1.5, 0.0, -1.5)).moving(DVec3::X);
        let mut through = Run::seen(view, &settings, &[through, level.clone()]);
        through.until(5.0);
        assert_eq!((through.position(0), through.velocity(0)), (DVec3::new(3.5, 0.0, -1.5), DVec3::X), "{view:?}");
    }
}

/// Balls and boxes bounce and roll on the same cells in every view.
#[test]
fn axes_and_mirrors_play_no_role() {
    for seed in 0..if is_thorough() { 100 } else { 5 } {
        let mut random = Random::new(1000 + seed);
        let grid = random_grid(&mut random);
        let settings = settings(G, 0.5, 0.3);
        let mut bodies = movers(&grid, DVec3::ZERO, 3, &mut random);
        let round = bodies.iter().any(|body| matches!(body.shape, Shape::Sphere(_)));
        bodies.push(gridded(&grid, DVec3::ZERO));
        let mut plain = Run::new(&settings, &bodies);
        plain.until(0.5);
        for view in View::all() {
            let mut seen = Run::seen(view, &settings, &bodies);
            seen.until(0.5);
            let allowed = if round { 1e-6 } else { 1e-11 };
            assert!(apart(&plain, &seen) <= allowed, "{seed} {view:?}: {:e}", apart(&plain, &seen));
        }
    }
}

/// A box that meets the edge or the corner of a cell exactly goes on as at that of a box.
#[test]
fn a_box_meets_the_edge_of_a_cell_as_that_of_a_box() {
    let level = |rows: &[&str]| Grid::tiles(DVec3::ONE, rows).unwrap();
    let voxel = Grid::voxels(DVec3::ONE, [3; 3], |cell| cell == [1; 3]).unwrap();
    let ways =
        [(2.0, 0.0, -1.0), (1.0, 0.0, -2.0), (1.0, 0.0, -1.0), (1.0, 1.0, -1.0), (1.0, 2.0, -2.0), (2.0, 1.0, -2.0)];
    // The edge of the first solid cell at its lower x and upper z.
    let grids = [(level(&["..##"]), DVec3::new(2.0, 0.0, 1.0)), (voxel, DVec3::new(1.0, 1.0, 2.0))];
    for (grid, edge) in grids {
        for (x, y, z) in ways {
            let velocity = DVec3::new(x, y, z);
            let meets = edge + DVec3::new(-0.5, if y == 0.0 { 0.5 } else { -0.5 }, 0.5);
            for (view, restitution) in View::all().into_iter().zip([0.0, 0.5, 1.0].into_iter().cycle()) {
                let body = cuboid(DVec3::splat(0.5), 1.0).at(meets - velocity).moving(velocity);
                let settings = settings(DVec3::ZERO, restitution, 0.0);
                let mut runs = [vec![gridded(&grid, DVec3::ZERO)], merged(&grid, DVec3::ZERO)].map(|scenery| {
                    let bodies: Vec<Body> = std::iter::once(body.clone()).chain(scenery).collect();
                    Run::seen(view, &settings, &bodies)
                });
                let events = [0, 1].map(|row| runs[row].until(1.75));
                let off = apart(&runs[0], &runs[1]);
                assert!(off < 1e-12, "{velocity}, e {restitution}, {view:?}: {off:e} {events:#?}");
            }
        }
    }
}

/// A box whose edge touches that of a cell moves over it, and does not hang there.
#[test]
fn a_box_moves_over_the_edge_of_a_cell_that_it_touches() {
    let level = Grid::tiles(DVec3::ONE, &["..##"]).unwrap();
    for view in View::all() {
        let body = cuboid(DVec3::splat(0.5), 1.0).at(DVec3::new(1.5, 0.5, 1.5)).moving(DVec3::X);
        let mut run = Run::seen(view, &settings(G, 0.0, 0.0), &[body, gridded(&level, DVec3::ZERO)]);
        run.until(0.5);
        assert_eq!((run.position(0), run.velocity(0)), (DVec3::new(2.0, 0.5, 1.5), DVec3::X), "{view:?}");
    }
}
