//! Grids beside loops over all cells and boxes.

use glam::DVec3;

use super::*;
use crate::geometry::cast::ray_aabb;
use crate::geometry::{Mesh, Outline, Ray, Start};
use crate::random::Random;

/// A random grid, of which every `one_in`-th cell is solid.
fn random_grid(random: &mut Random, largest: usize, one_in: usize) -> Grid {
    let size = [0; 3].map(|_| 1 + random.below(largest) as u32);
    let count = size.iter().product::<u32>() as usize;
    let solid: Vec<bool> = (0..count).map(|_| random.below(one_in) == 0).collect();
    let cell = [DVec3::ONE, DVec3::new(0.5, 2.0, 0.25), DVec3::new(0.1, 0.3, 0.7)][random.below(3)];
    Grid::voxels(cell, size, |[x, y, z]| solid[((z * size[1] + y) * size[0] + x) as usize]).unwrap()
}

fn cells(grid: &Grid) -> impl Iterator<Item = [u32; 3]> + use<> {
    let [nx, ny, nz] = grid.size();
    (0..nx * ny * nz).map(move |n| [n % nx, n / nx % ny, n / nx / ny])
}

fn parts_within(grid: &Grid, bounds: &Aabb) -> Vec<u32> {
    let mut found = Vec::new();
    Outline::Grid(grid).touching(bounds, |part| found.push(part));
    found.sort_unstable();
    found
}

/// The faces between solid and empty cells, found from the cells alone.
fn faces(grid: &Grid) -> Vec<u32> {
    let shows = |cell: [u32; 3], side: u32| {
        let (mut next, axis) = (cell.map(i64::from), side as usize / 2);
        next[axis] += if side % 2 == 1 { 1 } else { -1 };
        let inside = (0..3).all(|axis| (0..i64::from(grid.size()[axis])).contains(&next[axis]));
        grid.is_solid(cell) && !(inside && grid.is_solid(next.map(|n| n as u32)))
    };
    let rows = cells(grid).enumerate();
    rows.flat_map(|(n, cell)| (0..6).filter(move |&s| shows(cell, s)).map(move |s| 6 * n as u32 + s)).collect()
}

#[test]
fn the_surface_is_what_lies_between_solid_and_empty() {
    let mut random = Random::new(1);
    for round in 0..300 {
        let largest = if round % 30 == 0 { 20 } else { 6 };
        let one_in = 1 + random.below(4);
        let mut grid = random_grid(&mut random, largest, one_in);
        for _ in 0..random.below(20) {
            let cell = grid.size().map(|count| random.below(count as usize) as u32);
            grid.set(cell, random.below(2) == 0);
        }
        let all = faces(&grid);
        assert_eq!(all, parts_within(&grid, grid.bounds()), "{grid:?}");
        assert!(all.iter().all(|&part| grid.has_part(part)) && !grid.has_part(u32::MAX));
        let again = Grid::voxels(grid.cell(), grid.size(), |cell| grid.is_solid(cell)).unwrap();
        assert_eq!(grid, again, "cells that were set make the same grid");
        let (corners, triangles) = grid.triangles();
        assert_eq!(triangles.len(), 2 * all.len());
        if !all.is_empty() {
            let mesh = Mesh::closed(&corners, &triangles).unwrap();
            for row in 0..triangles.len() as u32 {
                assert_eq!(mesh.facet(mesh.facet_of(row)).normal, grid.facet(all[row as usize / 2]).normal);
            }
        }
        for _ in 0..20 {
            let mut corner = || grid.cell() * DVec3::from_array([0; 3].map(|_| random.below(16) as f64 / 2.0 - 1.0));
            let (one, other) = (corner(), corner());
            let bounds = Aabb { min: one.min(other), max: one.max(other) };
            let wanted: Vec<u32> = all.iter().copied().filter(|&n| bounds.touches(&grid.face_box(n))).collect();
            assert_eq!(parts_within(&grid, &bounds), wanted, "{bounds:?}");
            let squared = |part: &u32| {
                let face = grid.face_box(*part);
                one.clamp(face.min, face.max).distance_squared(one)
            };
            let nearest = all.iter().map(|part| (squared(part), *part)).min_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(grid.nearest(one).map(|(part, _)| part), nearest.map(|(_, part)| part));
            let holds = |cell: [u32; 3]| grid.is_solid(cell) && grid.box_of(cell).touches(&Aabb { min: one, max: one });
            assert_eq!(grid.contains(one), cells(&grid).any(holds), "{one}");
        }
    }
}

/// Rays from outside, from inside, along edges, through corners and in the planes between cells, beside the first box
/// of all solid cells.
#[test]
fn a_ray_meets_the_first_of_the_solid_cells() {
    let mut random = Random::new(1);
    let (mut hits, mut inside, mut free) = (0, 0, 0);
    for _ in 0..20_000 {
        let one_in = 1 + random.below(8);
        let grid = random_grid(&mut random, 6, one_in);
        let (exact, cell) = (random.below(2) == 0, grid.cell());
        let mut coordinate = |scale: f64| {
            let halves = random.below(17) as f64 / 2.0 - 1.0;
            halves * scale + if exact { 0.0 } else { random.below(1000) as f64 * 1e-4 }
        };
        let origin = DVec3::new(coordinate(cell.x), coordinate(cell.y), coordinate(cell.z));
        let target = DVec3::new(coordinate(cell.x), coordinate(cell.y), coordinate(cell.z));
        let ray = Ray { origin, direction: target - origin };
        let until = [0.5, 2.0, f64::INFINITY][random.below(3)];
        let found = grid.cast_ray(&ray, until);
        let boxes = cells(&grid).filter(|&cell| grid.is_solid(cell)).map(|cell| grid.box_of(cell));
        let first = boxes.filter_map(|cell| ray_aabb(&ray, &cell, until)).min_by(|a, b| a.enter.total_cmp(&b.enter));
        match (found, first) {
            // A ray in the plane of the faces of two boxes side by side meets neither of them from outside.
            (None, Some(_)) => {
                let planes = |axis: usize| (0..=grid.size[axis]).any(|n| grid.edge(axis, n) == origin[axis]);
                assert!((0..3).any(|axis| ray.direction[axis] == 0.0 && planes(axis)), "{grid:?} {ray:?} {first:?}");
                free += 1;
            }
            (Some(found), Some(first)) if exact || found.t > 0.0 => {
                let slides = (0..3).any(|axis| ray.direction[axis] == 0.0);
                assert!(found.t == first.enter || slides && found.t > first.enter, "{found:?} {first:?} {ray:?}");
                assert!(grid.is_solid(grid.place_of(found.cell)));
                assert!(found.start == Start::Inside || found.normal.dot(ray.direction) < 0.0, "{found:?}");
                hits += 1;
            }
            (Some(found), Some(_)) => {
                assert_eq!((found.t, found.start), (0.0, Start::Inside));
                inside += 1;
            }
            (found, first) => assert_eq!(found.map(|hit| hit.t), first.map(|hit| hit.enter), "{grid:?} {ray:?}"),
        }
    }
    assert!(hits > 2_500 && inside > 100 && free < 300, "{hits} {inside} {free}");
}

#[test]
fn a_long_ray_walks_through_free_cells() {
    let grid = Grid::voxels(DVec3::ONE, [1200, 3, 3], |[x, y, z]| y != 1 || z != 1 || x == 1100).unwrap();
    let ray = Ray { origin: DVec3::new(-1.0, 1.5, 1.5), direction: DVec3::X };
    let hit = grid.cast_ray(&ray, f64::INFINITY).unwrap();
    assert_eq!(
        (hit.t, grid.place_of(hit.cell), hit.normal, hit.start),
        (1101.0, [1100, 1, 1], -DVec3::X, Start::Apart)
    );
    assert_eq!(grid.cast_ray(&ray, 1100.0), None);
    let still = Ray { origin: DVec3::new(1000.5, 1.5, 1.5), direction: DVec3::ZERO };
    assert_eq!(grid.cast_ray(&still, f64::INFINITY), None);
    let ray = Ray { origin: DVec3::new(1100.5, 1.5, 1.5), ..ray };
    let hit = grid.cast_ray(&ray, f64::INFINITY).unwrap();
    assert_eq!((hit.t, hit.start, hit.normal), (0.0, Start::Inside, -DVec3::X));
}

#[test]
fn what_is_wrong_is_named() {
    let rows = |rows: &[&str]| Grid::tiles(DVec3::ONE, rows).unwrap_err();
    assert_eq!(rows(&["##", "#"]), GridError::Row { row: 1, found: 1, wanted: 2 });
    assert_eq!(rows(&["#x"]), GridError::Character { row: 0, column: 1, found: 'x' });
    assert_eq!(rows(&[]), GridError::Size { size: [0, 1, 0] });
    let voxels = |cell: DVec3, size: [u32; 3]| Grid::voxels(cell, size, |_| true).unwrap_err();
    assert_eq!(voxels(DVec3::new(1.0, -1.0, 1.0), [1; 3]), GridError::Cell { found: -1.0 });
    assert_eq!(voxels(DVec3::splat(1e70), [2; 3]), GridError::Cell { found: 1e70 });
    assert_eq!(voxels(DVec3::ONE, [u32::MAX; 3]), GridError::Size { size: [u32::MAX; 3] });
    assert_eq!(voxels(DVec3::ONE, [1, 0, 1]), GridError::Size { size: [1, 0, 1] });
}
