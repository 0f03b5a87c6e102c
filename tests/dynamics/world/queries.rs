//! Queries on a scene, compared with a loop over all bodies, and scenes with known answers.

use carom::dynamics::query::{BORDERS_MAX, Extent};
use carom::dynamics::{Body, Layers, Period, Response, Settings, Space};
use carom::geometry::cast::{Faces, ray_aabb, ray_half_space, ray_sphere, ray_triangle};
use carom::geometry::polytope::Placement;
use carom::geometry::{
    Aabb, Grid, HalfExtents, Mesh, Plane, Polytope, Radius, Ray, Shape, Solid, Start, Triangle, gap,
};
use carom::motion::{Relative, SimTime};
use carom::sweep;
use carom::world::{Filter, World};
use glam::DVec3;

use crate::common::scene::solid_cells;
use crate::common::{Random, gas, world};

/// A world and the data for a loop over its bodies.
struct Scene {
    world: World,
    /// In the order of their names.
    bodies: Vec<(String, Body)>,
    space: Space,
}

/// A result of the loop: its value, the body, the primitive, and the image. The least one is the best.
type Row = (f64, usize, u32, [i32; 3]);

impl Scene {
    fn new(settings: Settings, mut bodies: Vec<(String, Body)>) -> Self {
        let space = settings.space;
        let world = world(settings, bodies.clone());
        bodies.sort_by(|x, y| x.0.cmp(&y.0));
        Self { world, bodies, space }
    }

    fn sees(&self, row: usize, filter: &Filter<'_>) -> bool {
        let (name, body) = &self.bodies[row];
        let hidden = filter.without.is_some_and(|path| name == path || name.starts_with(&format!("{path}/")));
        !hidden && body.layers.meets(filter.layers) && (filter.sensors || body.response == Response::Collide)
    }

    /// All visible images of all bodies, up to `images` periods from the cell: row, image, position.
    fn all(&self, images: i32, filter: &Filter<'_>) -> Vec<(usize, [i32; 3], DVec3)> {
        let range = |axis: usize| match self.space.periods[axis] {
            Some(_) => -images..=images,
            None => 0..=0,
        };
        let mut all = Vec::new();
        let ids: Vec<_> = self.world.ids().collect();
        for row in (0..self.bodies.len()).filter(|&row| self.sees(row, filter)) {
            let home = self.world.state(ids[row]).position;
            let is_plane = matches!(self.bodies[row].1.shape, Shape::Plane(_));
            for image in range(0).flat_map(|x| range(1).flat_map(move |y| range(2).map(move |z| [x, y, z]))) {
                if image == [0; 3] || !is_plane {
                    all.push((row, image, home + self.space.shift(image)));
                }
            }
        }
        all
    }

    fn walk(
        &self,
        images: i32,
        filter: &Filter<'_>,
        mut ask: impl FnMut(&Shape, DVec3) -> Vec<(f64, u32)>,
    ) -> Vec<Row> {
        let mut rows = Vec::new();
        for (row, image, position) in self.all(images, filter) {
            let found = ask(&self.bodies[row].1.shape, position);
            rows.extend(found.into_iter().map(|(value, primitive)| (value, row, primitive, image)));
        }
        rows.sort_by(|x, y| x.0.total_cmp(&y.0).then_with(|| (x.1, x.2, x.3).cmp(&(y.1, y.2, y.3))));
        rows
    }

    fn name(&self, row: usize) -> &str {
        &self.bodies[row].0
    }

    /// A random ray; half of the rays aim at a body.
    fn ray(&self, random: &mut Random, size: f64, filter: &Filter<'_>) -> Ray {
        let origin = random.vector(size);
        let all = self.all(0, filter);
        let target = all[(random.unit() * all.len() as f64) as usize].2;
        let aims = random.unit() < 0.5;
        Ray { origin, direction: if aims { target - origin } else { direction(random, size) } }
    }

    fn check_rays(&self, random: &mut Random, size: f64, filter: &Filter<'_>) -> usize {
        let ray = self.ray(random, size, filter);
        let until = [0.25, 1.0, 2.0][(random.unit() * 3.0) as usize];
        let expected = self.walk(2, filter, |shape, position| {
            let mut hits = ray_hits(&ray, shape, position);
            hits.retain(|hit| hit.0 <= until);
            // However many triangles of a mesh are met, it is one body.
            hits.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
            hits.truncate(1);
            hits
        });
        let found = self.world.cast_ray_all(&ray, until, filter);
        assert_eq!(found.len(), expected.len(), "{ray:?} until {until}");
        for (hit, row) in found.iter().zip(&expected) {
            assert_eq!((hit.t, hit.name, hit.spot.primitive), (row.0, self.name(row.1), row.2), "{ray:?}");
            assert_eq!(hit.spot.point, ray.at(hit.t));
            assert!((hit.normal.length() - 1.0).abs() < 1e-12);
            let towards = hit.normal.dot(ray.direction) / ray.direction.length();
            // A surface entered from outside faces the ray, up to the rounding of a tangent's normal.
            assert!(hit.start != Start::Apart || towards <= 1e-6, "{ray:?} {hit:?}");
        }
        let first = self.world.cast_ray(&ray, until, filter);
        assert_eq!(first.as_ref(), found.first(), "{ray:?} until {until}");
        found.len()
    }

    fn check_casts(&self, random: &mut Random, size: f64, filter: &Filter<'_>) -> usize {
        let ray = self.ray(random, size, filter);
        let until = [0.25, 1.0][(random.unit() * 2.0) as usize];
        let thick = size * 10f64.powf(random.between(-3.0, -0.3));
        let half = DVec3::new(1.0, random.between(0.1, 1.0), random.between(0.1, 1.0)) * thick;
        let expected = |solid: Solid<'_>| {
            let rows = self.walk(2, filter, |shape, position| {
                let position = position - ray.origin;
                let motion = Relative { position, velocity: -ray.direction, acceleration: DVec3::ZERO };
                each_solid(shape, |other, row| Some((sweep::overlap(solid, other, &motion, until)?.enter, row)))
            });
            rows.first().map(|row| (row.0, self.name(row.1), row.2))
        };
        let sphere = self.world.cast_sphere(Radius::new(thick).unwrap(), &ray, until, filter);
        let cuboid = self.world.cast_box(HalfExtents::new(half).unwrap(), &ray, until, filter);
        let plain = |hit: &carom::world::Hit<'_, carom::dynamics::query::SweepHit>| hit.spot.primitive;
        let sphere = sphere.as_ref().map(|hit| (hit.t, hit.name, plain(hit)));
        let cuboid = cuboid.as_ref().map(|hit| (hit.t, hit.name, plain(hit)));
        assert_eq!(sphere, expected(Solid::Sphere(thick)), "{ray:?} radius {thick}");
        assert_eq!(cuboid, expected(Solid::Box(half)), "{ray:?} half {half}");
        usize::from(sphere.is_some()) + usize::from(cuboid.is_some())
    }

    fn check_closest(&self, random: &mut Random, size: f64, filter: &Filter<'_>) -> usize {
        let point = random.vector(1.5 * size);
        let within = [f64::INFINITY, 0.0, size * random.between(-0.1, 0.3)][(random.unit() * 3.0) as usize];
        let rows = self.walk(2, filter, |shape, position| {
            let near = match shape {
                Shape::Mesh(mesh) => {
                    let (triangle, near) = mesh.nearest(point - position).unwrap();
                    let distance = (point - position - near).length();
                    let inside = mesh.contains(point - position);
                    (if inside { -distance } else { distance }, mesh.source_row(triangle))
                }
                Shape::Grid(grid) => {
                    let place = point - position;
                    let near = |face: Aabb| place.clamp(face.min, face.max).distance(place);
                    let faces = faces(grid).map(|(number, face)| (near(face), number));
                    let (distance, number) = faces.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
                    let inside =
                        solid_cells(grid).any(|cell| grid.box_of(cell).touches(&Aabb::around(place, DVec3::ZERO)));
                    (if inside { -distance } else { distance }, number)
                }
                shape => (gap(Solid::Sphere(0.0), shape.solid().unwrap(), position - point).unwrap().separation, 0),
            };
            if near.0 <= within { vec![near] } else { vec![] }
        });
        let hit = self.world.closest_point(point, within, filter);
        let expected = rows.first().map(|row| (row.0, self.name(row.1), row.2));
        let found = hit.as_ref().map(|hit| (hit.separation, hit.name, hit.spot.primitive));
        assert_eq!(found, expected, "{point} within {within}");
        if let Some(hit) = &hit {
            let far = (hit.spot.point - point).length();
            assert!((far - hit.separation.abs()).abs() <= 1e-12 * (size + far), "{point} {hit:?}");
        }
        usize::from(hit.is_some())
    }

    fn check_boxes(&self, random: &mut Random, size: f64, filter: &Filter<'_>) -> usize {
        let half = random.vector(1.0).abs() * size * 10f64.powf(random.between(-3.0, 0.0));
        let bounds = Aabb::around(random.vector(size), half);
        let region = polytope(&bounds);
        let mut expected: Vec<(String, u32)> = Vec::new();
        for row in self.walk(2, filter, |shape, position| {
            let shares = match shape {
                Shape::Arc(_) => unreachable!("no scene here has an arc"),
                Shape::Sphere(radius) => {
                    position.clamp(bounds.min, bounds.max).distance_squared(position) <= radius.get() * radius.get()
                }
                Shape::Box(half) => bounds.touches(&Aabb::around(position, half.get())),
                Shape::Plane(plane) => {
                    let offset = position - bounds.center();
                    plane.distance(-offset) - plane.reach_of(bounds.half()) <= 0.0
                }
                Shape::Mesh(mesh) => return mesh_rows(mesh, position, &region),
                Shape::Grid(grid) => return grid_rows(grid, position, &region),
            };
            if shares { vec![(0.0, 0)] } else { vec![] }
        }) {
            let name = self.name(row.1).to_owned();
            // The first of several triangles; any of several images.
            if expected.iter().all(|(other, _)| *other != name) {
                expected.push((name, row.2));
            }
        }
        let found = self.world.overlapping(&bounds, filter);
        let names: Vec<_> = found.iter().map(|hit| hit.name).collect();
        assert_eq!(names, expected.iter().map(|(name, _)| name).collect::<Vec<_>>(), "{bounds:?}");
        for hit in &found {
            // The common point has a few rounding errors.
            let grain = 1e-12 * size;
            let near = hit.spot.point.clamp(bounds.min - grain, bounds.max + grain);
            assert_eq!(near, hit.spot.point, "{bounds:?} {hit:?}");
        }
        found.len()
    }

    fn check_polytopes(&self, random: &mut Random, size: f64, filter: &Filter<'_>) -> usize {
        let center = random.vector(size);
        let reach = size * 10f64.powf(random.between(-2.0, 0.0));
        let count = 1 + (random.unit() * 8.0) as usize;
        let planes: Vec<Plane> = (0..count)
            .map(|_| {
                let normal = random.vector(1.0);
                Plane::new(normal, normal.dot(center) - reach * normal.length()).unwrap()
            })
            .collect();
        let region = Polytope::new(planes, Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
        let mut expected = Vec::new();
        for (row, _, position) in self.all(0, filter) {
            let extent = match &self.bodies[row].1.shape {
                Shape::Sphere(radius) => region.sphere(position, *radius),
                Shape::Box(half) => region.aabb(&Aabb::around(position, half.get())),
                Shape::Plane(_) | Shape::Arc(_) => continue,
                Shape::Mesh(mesh) if mesh_rows(mesh, position, &region).is_empty() => Placement::Outside,
                Shape::Mesh(mesh) => {
                    let mut vertices = mesh.triangles().iter().flat_map(Triangle::vertices);
                    let inside = vertices.all(|vertex| region.contains(vertex + position));
                    if inside { Placement::Inside } else { Placement::Cut }
                }
                Shape::Grid(grid) if grid_rows(grid, position, &region).is_empty() => Placement::Outside,
                Shape::Grid(grid) => {
                    let seen = |cell: Aabb| Aabb { min: cell.min + position, max: cell.max + position };
                    let mut cells = solid_cells(grid).map(|cell| region.aabb(&seen(grid.box_of(cell))));
                    let inside = cells.all(|placement| placement == Placement::Inside);
                    if inside { Placement::Inside } else { Placement::Cut }
                }
            };
            match extent {
                Placement::Outside => {}
                Placement::Cut => expected.push((self.name(row), Extent::Cut)),
                Placement::Inside => expected.push((self.name(row), Extent::Inside)),
            }
        }
        let found = self.world.inside(&region, filter);
        let solid = |name: &str| self.bodies.iter().any(|(n, b)| n == name && !matches!(b.shape, Shape::Plane(_)));
        let rows: Vec<_> = found.iter().filter(|hit| solid(hit.name)).map(|hit| (hit.name, hit.extent)).collect();
        assert_eq!(rows, expected, "{region:?}");
        rows.len()
    }

    /// Compares every query with the loop, `rounds` times. Returns the number of results of each kind.
    fn check_all(&self, random: &mut Random, size: f64, rounds: usize) -> [usize; 5] {
        let filters = [
            Filter::ALL,
            Filter::ALL.with_sensors(),
            Filter::ALL.without("g1"),
            Filter::ALL.in_layers(Layers::one(2).and(Layers::FIRST)).without("g2/n3"),
        ];
        let mut found = [0; 5];
        for round in 0..rounds {
            let filter = &filters[round % filters.len()];
            found[0] += self.check_rays(random, size, filter);
            found[1] += self.check_casts(random, size, filter);
            found[2] += self.check_closest(random, size, filter);
            found[3] += self.check_boxes(random, size, filter);
            found[4] += self.check_polytopes(random, size, filter);
        }
        found
    }
}

/// Mostly oblique, sometimes along an axis, a coordinate plane or a diagonal.
fn direction(random: &mut Random, size: f64) -> DVec3 {
    let direction = random.vector(size);
    match (random.unit() * 8.0) as usize {
        0 => DVec3::new(direction.x, 0.0, 0.0),
        1 => DVec3::new(0.0, direction.y, -0.0),
        2 => DVec3::new(0.0, direction.y, direction.z),
        3 => DVec3::ONE * direction.x,
        _ => direction,
    }
}

fn polytope(bounds: &Aabb) -> Polytope {
    Polytope::from_aabb(bounds, Plane::new(DVec3::Z, 0.0).unwrap()).unwrap()
}

/// The results of `ask` for the solid, or for each triangle with its row in the source.
fn each_solid(shape: &Shape, ask: impl Fn(Solid<'_>, u32) -> Option<(f64, u32)>) -> Vec<(f64, u32)> {
    match shape {
        Shape::Mesh(mesh) => {
            let triangles = mesh.triangles().iter().zip(0..);
            triangles.filter_map(|(triangle, row)| ask(Solid::Triangle(triangle), mesh.source_row(row))).collect()
        }
        Shape::Grid(grid) => {
            let patch = |face: Aabb| Solid::Patch { center: face.center(), half: face.half() };
            faces(grid).filter_map(|(number, face)| ask(patch(face), number)).collect()
        }
        shape => ask(shape.solid().unwrap(), 0).into_iter().collect(),
    }
}

/// The faces of the cells of a grid that are part of its surface, each with the number of its cell.
fn faces(grid: &Grid) -> impl Iterator<Item = (u32, Aabb)> {
    let numbered =
        solid_cells(grid).map(|cell| (cell, (cell[2] * grid.size()[1] + cell[1]) * grid.size()[0] + cell[0]));
    numbered.flat_map(move |(cell, number)| {
        (0..6).filter_map(move |side| {
            let (axis, upper) = (side / 2, side % 2 == 1);
            let (mut next, mut face) = (cell, grid.box_of(cell));
            next[axis] = if upper { cell[axis] + 1 } else { cell[axis].wrapping_sub(1) };
            let edge = if upper { face.max[axis] } else { face.min[axis] };
            (face.min[axis], face.max[axis]) = (edge, edge);
            (!grid.is_solid(next)).then_some((number, face))
        })
    })
}

/// The cells that share a point with a region, or those around its point nearest to the middle of the grid.
fn grid_rows(grid: &Grid, position: DVec3, region: &Polytope) -> Vec<(f64, u32)> {
    let seen = |face: &Aabb| Aabb { min: face.min + position, max: face.max + position };
    let met = faces(grid).filter(|(_, face)| region.aabb(&seen(face)) != Placement::Outside);
    let rows: Vec<_> = met.map(|(number, _)| (0.0, number)).collect();
    if rows.is_empty()
        && let Some(point) = region.nearest(position + grid.bounds().center())
    {
        let point = Aabb::around(point - position, DVec3::ZERO);
        let around = solid_cells(grid).filter(|&cell| grid.box_of(cell).touches(&point));
        return around.map(|[x, y, z]| (0.0, (z * grid.size()[1] + y) * grid.size()[0] + x)).take(1).collect();
    }
    rows
}

/// A grid of 3 × 2 × 3 cells, of which every third is empty.
fn cells(size: f64) -> Grid {
    Grid::voxels(DVec3::new(1.0, 0.5, 0.75) * size, [3, 2, 3], |[x, y, z]| (x + 2 * y + z) % 3 != 0).unwrap()
}

fn ray_hits(ray: &Ray, shape: &Shape, position: DVec3) -> Vec<(f64, u32)> {
    let seen = Ray { origin: ray.origin - position, ..*ray };
    let met = match shape {
        Shape::Arc(_) => unreachable!("no scene here has an arc"),
        Shape::Sphere(radius) => ray_sphere(ray, position, radius.get(), f64::INFINITY),
        Shape::Box(half) => ray_aabb(ray, &Aabb::around(position, half.get()), f64::INFINITY),
        Shape::Plane(plane) => ray_half_space(&seen, plane, f64::INFINITY),
        Shape::Mesh(mesh) => {
            let cast = |triangle: &_| ray_triangle(&seen, triangle, Faces::Both, f64::INFINITY);
            let triangles = mesh.triangles().iter().zip(0..);
            return triangles.filter_map(|(one, row)| Some((cast(one)?.t, mesh.source_row(row)))).collect();
        }
        Shape::Grid(grid) => {
            let cells = solid_cells(grid).map(|cell| (cell, ray_aabb(&seen, &grid.box_of(cell), f64::INFINITY)));
            let first = cells.filter_map(|(cell, met)| Some((met?.enter, cell)));
            let first = first.min_by(|a, b| a.0.total_cmp(&b.0));
            let number = |[x, y, z]: [u32; 3]| (z * grid.size()[1] + y) * grid.size()[0] + x;
            return first.map(|(t, cell)| (t, number(cell))).into_iter().collect();
        }
    };
    met.map(|met| (met.enter, 0)).into_iter().collect()
}

/// The triangles that meet a region, or the first row if the region is inside the mesh.
fn mesh_rows(mesh: &Mesh, position: DVec3, region: &Polytope) -> Vec<(f64, u32)> {
    let triangles = mesh.triangles().iter().zip(0..);
    let met = triangles.filter(|(triangle, _)| region.triangle(&triangle.shifted(position), region.mask()).is_some());
    let rows: Vec<_> = met.map(|(_, row)| (0.0, mesh.source_row(row))).collect();
    let center = position + mesh.bounds().center();
    if rows.is_empty() && region.nearest(center).is_some_and(|point| mesh.contains(point - position)) {
        return vec![(0.0, mesh.source_row(0))];
    }
    rows
}

/// A closed tetrahedron. The first of its triangles has no area, so the rows in the source differ from the triangles.
fn tetrahedron(size: f64) -> Mesh {
    let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|vertex| (vertex - 0.25) * size);
    Mesh::closed(&vertices, &[[0, 0, 1], [0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]).unwrap()
}

/// Bodies with sizes of 1 : 1000 that pass through each other, at rest and in motion, in layers and subtrees.
fn clutter(count: usize, size: f64, space: Space, random: &mut Random) -> Scene {
    let mut bodies = Vec::new();
    for row in 0..count {
        let width = size * 10f64.powf(random.between(-4.0, -1.0));
        let body = match (random.unit() * 10.0) as usize {
            0..4 => Body::sphere(width, 1.0).unwrap(),
            4..8 => Body::cuboid(DVec3::new(width, width * random.between(0.1, 1.0), width), 1.0).unwrap(),
            8 if row % 2 == 0 => Body::mesh(tetrahedron(width)),
            8 => Body::grid(cells(width)),
            _ => Body::sphere(width, 1.0).unwrap().sensor(),
        };
        let is_mesh = body.shape.outline().is_some();
        let body = match (random.unit() * 3.0) as usize {
            _ if is_mesh => body,
            0 => body.fixed(),
            1 => body.kinematic().moving(random.vector(size)),
            _ => body.moving(random.vector(size)),
        };
        let layers = Layers::one(row % 3).and(Layers::one((random.unit() * 5.0) as usize));
        let name = format!("g{}/n{}/{row}", row % 5, row % 7);
        let body = body.at(random.vector(size)).in_layers(layers).colliding_with(Layers::NONE);
        bodies.push((name, body));
    }
    for (name, normal) in [("floor", DVec3::Z), ("wall", DVec3::new(-0.6, 0.8, 0.0))] {
        let plane = Body::plane(normal, -1.2 * size).unwrap();
        bodies.push((name.to_owned(), plane.colliding_with(Layers::NONE).in_layers(Layers::one(1))));
    }
    let gravity = DVec3::new(0.0, 0.0, -size);
    Scene::new(Settings { gravity, space, ..Settings::default() }, bodies)
}

fn repeating(axes: [bool; 3], size: f64) -> Space {
    Space { periods: axes.map(|repeats| repeats.then_some(Period { min: -size, max: size })), ..Space::default() }
}

#[test]
fn clutter_in_open_and_periodic_space() {
    for (seed, axes) in [[false; 3], [true; 3], [true, false, false], [false, true, true]].into_iter().enumerate() {
        for size in [1.0, 1024.0] {
            let mut random = Random::new(seed as u64);
            let mut scene = clutter(150, size, repeating(axes, size), &mut random);
            let mut found = [0; 5];
            for instant in [0.0, 0.01, 0.3, 0.7, 2.0] {
                scene.world.advance(SimTime::from_seconds(instant), usize::MAX).unwrap();
                for (total, count) in found.iter_mut().zip(scene.check_all(&mut random, size, 24)) {
                    *total += count;
                }
            }
            assert!(found.iter().all(|&count| count > 20), "{found:?} in 120 rounds");
        }
    }
}

#[test]
fn a_gas_after_many_impacts_and_domains() {
    let (count, packing) = (216, 0.3);
    let length = (f64::from(count) * std::f64::consts::PI / 6.0 / packing).cbrt();
    let mut world = gas(count, packing, 7);
    let mut random = Random::new(8);
    for instant in 0..6 {
        let target = world.now().plus(0.7 * f64::from(instant));
        world.advance(target, usize::MAX).unwrap();
        let bodies = world.ids().map(|id| (world.name(id).to_owned(), Body::sphere(0.5, 1.0).unwrap())).collect();
        let space = Space { periods: [Some(Period { min: 0.0, max: length }); 3], ..Space::default() };
        let scene = Scene { world, bodies, space };
        let found = scene.check_all(&mut random, 0.5 * length, 24);
        assert!(found.iter().all(|&count| count > 8), "{found:?} in 24 rounds");
        world = scene.world;
    }
    assert!(world.take_events().len() > 1000);
}

/// The rounding error of the distant origin is larger than a cell of the search, so the query tests all bodies.
#[test]
fn grains_of_dust_far_away() {
    let mut random = Random::new(3);
    let far = DVec3::new(1e9, -3e9, 2e9);
    let dust = |random: &mut Random| {
        let body = Body::sphere(1e-4, 1.0).unwrap().at(far + random.vector(0.01)).moving(random.vector(1e-3));
        body.colliding_with(Layers::NONE)
    };
    let bodies = (0..60).map(|n| (format!("{n}"), dust(&mut random))).collect();
    let mut scene = Scene::new(Settings::default(), bodies);
    let mut found = 0;
    for _ in 0..5 {
        scene.world.advance(scene.world.now().plus(1.0), usize::MAX).unwrap();
        for _ in 0..50 {
            let target = scene.all(0, &Filter::ALL)[(random.unit() * 60.0) as usize].2;
            for origin in [far + random.vector(0.02), DVec3::ZERO] {
                let ray = Ray { origin, direction: target - origin };
                let expected = scene.walk(0, &Filter::ALL, |shape, position| ray_hits(&ray, shape, position));
                let hits = scene.world.cast_ray_all(&ray, f64::INFINITY, &Filter::ALL);
                let hits: Vec<_> = hits.iter().map(|hit| (hit.t, hit.name)).collect();
                assert_eq!(hits, expected.iter().map(|row| (row.0, scene.name(row.1))).collect::<Vec<_>>());
                found += hits.len();
            }
        }
    }
    assert!(found >= 500, "every ray aims at a body");
}

#[test]
fn the_order_of_bodies_does_not_matter() {
    let mut random = Random::new(5);
    let scene = clutter(120, 1.0, repeating([true, false, true], 1.0), &mut random);
    let settings = || Settings { gravity: DVec3::new(0.0, 0.0, -1.0), space: scene.space, ..Settings::default() };
    let mut worlds = [world(settings(), scene.bodies.clone()), {
        world(settings(), scene.bodies.iter().rev().cloned().collect::<Vec<_>>())
    }];
    // The second world has made more steps, so its domains began at other instants. No answer depends on this.
    worlds[0].advance(SimTime::from_seconds(1.0), usize::MAX).unwrap();
    for instant in 1..=8 {
        worlds[1].advance(SimTime::from_seconds(f64::from(instant) / 8.0), usize::MAX).unwrap();
    }
    let [one, other] = &worlds;
    for _ in 0..100 {
        let ray = Ray { origin: random.vector(1.0), direction: random.vector(1.0) };
        let all = Filter::ALL.with_sensors();
        assert_eq!(one.cast_ray_all(&ray, 3.0, &all), other.cast_ray_all(&ray, 3.0, &all));
        let radius = Radius::new(0.05).unwrap();
        assert_eq!(one.cast_sphere(radius, &ray, 3.0, &all), other.cast_sphere(radius, &ray, 3.0, &all));
        let within = f64::INFINITY;
        assert_eq!(one.closest_point(ray.origin, within, &all), other.closest_point(ray.origin, within, &all));
        let bounds = Aabb::around(ray.origin, DVec3::splat(0.3));
        assert_eq!(one.overlapping(&bounds, &all), other.overlapping(&bounds, &all));
        assert_eq!(one.inside(&polytope(&bounds), &all), other.inside(&polytope(&bounds), &all));
    }
}

/// Two boxes with a common face, a ball behind them, a sensor around all of them, and a floor.
fn yard() -> World {
    let cube = |x: f64| Body::cuboid(DVec3::ONE, 1.0).unwrap().at(DVec3::X * x).fixed();
    world(
        Settings::default(),
        [
            ("yard/left", cube(-1.0)),
            ("yard/right", cube(1.0)),
            ("yard/ball", Body::sphere(1.0, 1.0).unwrap().at(DVec3::new(0.0, 4.0, 0.0)).in_layers(Layers::one(3))),
            ("zone", Body::sphere(9.0, 1.0).unwrap().fixed().sensor()),
            ("floor", Body::plane(DVec3::Z, -2.0).unwrap()),
        ],
    )
}

#[test]
fn rays_whose_answers_are_known() {
    let world = yard();
    let (all, inf) = (Filter::ALL, f64::INFINITY);
    let ball = Filter::ALL.in_layers(Layers::one(3));
    let at = DVec3::new;
    type Expected = Option<(&'static str, f64, DVec3, Start)>;
    let rows: [(DVec3, DVec3, f64, Filter<'_>, Expected); 18] = [
        // Along the common face, the ray touches both boxes at once: the first name has precedence.
        (at(0.0, -5.0, 0.0), DVec3::Y, inf, all, Some(("yard/left", 4.0, -DVec3::Y, Start::Apart))),
        (at(0.0, -5.0, 1.0), DVec3::Y, inf, all, Some(("yard/left", 4.0, -DVec3::Y, Start::Apart))),
        (at(0.0, -5.0, 1.0), DVec3::Y * 2.0, 2.0, all, Some(("yard/left", 2.0, -DVec3::Y, Start::Apart))),
        (at(0.0, -5.0, 1.0), DVec3::Y * 2.0, 1.75, all, None),
        (at(0.0, -5.0, 0.0), DVec3::Y, inf, ball, Some(("yard/ball", 8.0, -DVec3::Y, Start::Apart))),
        (
            at(0.0, -5.0, 0.0),
            DVec3::Y,
            inf,
            all.without("yard/left"),
            Some(("yard/right", 4.0, -DVec3::Y, Start::Apart)),
        ),
        (at(0.0, -5.0, 0.0), DVec3::Y, inf, all.without("yard"), None),
        (at(0.0, -5.0, 0.0), DVec3::Y, inf, all.without(""), None),
        (at(0.0, -5.0, 0.0), DVec3::Y, inf, all.without("yar"), Some(("yard/left", 4.0, -DVec3::Y, Start::Apart))),
        (at(0.0, -5.0, 0.0), DVec3::Y, inf, all.with_sensors(), Some(("zone", 0.0, -DVec3::Y, Start::Inside))),
        (at(0.0, -10.0, 0.0), DVec3::Y, inf, all.with_sensors(), Some(("zone", 1.0, -DVec3::Y, Start::Apart))),
        // From inside and from the surface.
        (at(1.0, 0.75, 0.0), DVec3::X, inf, all, Some(("yard/right", 0.0, DVec3::Y, Start::Inside))),
        (at(2.0, 0.0, 0.0), DVec3::X, inf, all, None),
        (at(2.0, 0.0, 0.0), -DVec3::X, inf, all, Some(("yard/right", 0.0, DVec3::X, Start::Touching))),
        (at(0.0, 4.5, 0.0), DVec3::Z, inf, all, Some(("yard/ball", 0.0, DVec3::Y, Start::Inside))),
        (at(9.0, 9.0, -3.0), DVec3::Z, inf, all, Some(("floor", 0.0, DVec3::Z, Start::Inside))),
        (at(9.0, 9.0, 3.0), -DVec3::Z, inf, all, Some(("floor", 5.0, DVec3::Z, Start::Apart))),
        (at(9.0, 9.0, 3.0), DVec3::X, inf, all, None),
    ];
    for (origin, direction, until, filter, expected) in rows {
        let hit = world.cast_ray(&Ray { origin, direction }, until, &filter);
        let found = hit.as_ref().map(|hit| (hit.name, hit.t, hit.normal, hit.start));
        assert_eq!(found, expected, "{origin} {direction} {until} {filter:?}");
        if let Some(hit) = hit {
            assert_eq!(Some(hit.body), world.id(hit.name));
            assert_eq!(hit.path().collect::<Vec<_>>().join("/"), hit.name);
            assert_eq!(hit.spot.position + hit.spot.local(), hit.spot.point);
        }
    }
    let through = Ray { origin: at(-9.0, 0.0, 0.0), direction: DVec3::X };
    let names: Vec<_> = world.cast_ray_all(&through, inf, &all).iter().map(|hit| (hit.name, hit.t)).collect();
    assert_eq!(names, [("yard/left", 7.0), ("yard/right", 9.0)]);
}

#[test]
fn shapes_on_their_way_whose_answers_are_known() {
    use sweep::Start::{Apart, Inside, Touching};
    let world = yard();
    let at = DVec3::new;
    let rows = [
        (at(0.0, -5.0, 0.0), DVec3::Y, 9.0, Some(("yard/left", 3.5, Apart))),
        (at(0.5, -5.0, 0.0), DVec3::Y, 9.0, Some(("yard/right", 3.5, Apart))),
        (at(1.0, -5.0, 0.0), DVec3::Y, 3.5, Some(("yard/right", 3.5, Apart))),
        (at(1.0, -5.0, 0.0), DVec3::Y, 3.25, None),
        (at(1.0, -1.5, 0.0), DVec3::Y, 9.0, Some(("yard/right", 0.0, Touching))),
        (at(1.0, -1.5, 0.0), -DVec3::Y, 9.0, None),
        (at(1.0, -1.5, 0.0), DVec3::X, 9.0, None),
        (at(1.0, 0.0, 0.0), DVec3::X, 9.0, Some(("yard/right", 0.0, Inside))),
        (at(9.0, 0.0, 0.0), -DVec3::Z, 9.0, Some(("floor", 1.5, Apart))),
        (at(9.0, 0.0, -1.5), DVec3::X, 9.0, None),
    ];
    let (radius, half) = (Radius::new(0.5).unwrap(), HalfExtents::new(DVec3::splat(0.5)).unwrap());
    for (row, (origin, direction, until, expected)) in rows.into_iter().enumerate() {
        let ray = Ray { origin, direction };
        let ball = world.cast_sphere(radius, &ray, until, &Filter::ALL);
        let cuboid = world.cast_box(half, &ray, until, &Filter::ALL);
        for hit in [&ball, &cuboid] {
            assert_eq!(hit.as_ref().map(|hit| (hit.name, hit.t, hit.start)), expected, "row {row}");
        }
        for hit in [ball, cuboid].into_iter().flatten().filter(|hit| hit.start != Inside) {
            assert_eq!(hit.normal, -direction, "row {row}");
            assert_eq!((hit.spot.point - ray.at(hit.t)).dot(direction), 0.5, "row {row}");
        }
    }
}

#[test]
fn nearest_bodies_whose_answers_are_known() {
    let world = yard();
    let at = DVec3::new;
    let rows = [
        (at(0.0, 2.5, 0.0), f64::INFINITY, Some(("yard/ball", 0.5, at(0.0, 3.0, 0.0)))),
        (at(0.0, 2.0, 0.0), 1.0, Some(("yard/ball", 1.0, at(0.0, 3.0, 0.0)))),
        (at(0.0, 2.0, 0.0), 0.75, None),
        (at(-0.5, 0.0, 0.0), 0.0, Some(("yard/left", -0.5, DVec3::ZERO))),
        (DVec3::ZERO, 0.0, Some(("yard/left", 0.0, DVec3::ZERO))),
        (at(1.0, 0.0, 0.75), 9.0, Some(("yard/right", -0.25, at(1.0, 0.0, 1.0)))),
        (at(1.0, 0.0, 0.75), -0.5, None),
        (at(9.0, 9.0, -4.0), 0.0, Some(("floor", -2.0, at(9.0, 9.0, -2.0)))),
        (at(1e6, 0.0, 0.0), f64::INFINITY, Some(("floor", 2.0, at(1e6, 0.0, -2.0)))),
    ];
    for (point, within, expected) in rows {
        let hit = world.closest_point(point, within, &Filter::ALL);
        assert_eq!(hit.map(|hit| (hit.name, hit.separation, hit.spot.point)), expected, "{point}");
    }
}

#[test]
fn bodies_in_a_box_and_in_a_polytope() {
    let world = yard();
    let around = |center: DVec3, half: DVec3| Aabb::around(center, half);
    use Extent::{Cut, Inside};
    let rows: [(Aabb, &[(&str, Extent)]); 7] = [
        (around(DVec3::ZERO, DVec3::splat(0.5)), &[("yard/left", Cut), ("yard/right", Cut)]),
        (around(DVec3::X, DVec3::ONE), &[("yard/left", Cut), ("yard/right", Inside)]),
        (around(DVec3::new(1.0, 0.0, 0.0), DVec3::new(0.5, 9.0, 0.5)), &[("yard/ball", Cut), ("yard/right", Cut)]),
        (around(DVec3::new(9.0, 9.0, -1.0), DVec3::ONE), &[("floor", Cut)]),
        (around(DVec3::new(9.0, 9.0, 0.0), DVec3::ONE), &[]),
        (
            around(DVec3::ZERO, DVec3::splat(5.0)),
            &[("floor", Cut), ("yard/ball", Inside), ("yard/left", Inside), ("yard/right", Inside)],
        ),
        (around(DVec3::new(2.0, 0.0, 0.0), DVec3::ZERO), &[("yard/right", Cut)]),
    ];
    for (bounds, expected) in rows {
        for hits in [world.overlapping(&bounds, &Filter::ALL), world.inside(&polytope(&bounds), &Filter::ALL)] {
            let found: Vec<_> = hits.iter().map(|hit| (hit.name, hit.extent)).collect();
            assert_eq!(found, expected, "{bounds:?}");
            assert!(hits.iter().all(|hit| polytope(&bounds).contains(hit.spot.point)), "{bounds:?} {hits:?}");
        }
    }
    let below = Polytope::new([Plane::new(-DVec3::Z, 2.0).unwrap()], Plane::new(DVec3::Z, 0.0).unwrap()).unwrap();
    let found: Vec<_> = world.inside(&below, &Filter::ALL).iter().map(|hit| (hit.name, hit.extent)).collect();
    assert_eq!(found, [("floor", Inside)]);
    let turned = Aabb { min: DVec3::ONE, max: -DVec3::ONE };
    assert!(world.overlapping(&turned, &Filter::ALL).is_empty());
}

/// A ball of radius 1 in the centre of a periodic cell of 16 m.
#[test]
fn through_the_images_of_a_periodic_cell() {
    let (space, inf) = (repeating([true, true, false], 8.0), f64::INFINITY);
    let settings = Settings { space, ..Settings::default() };
    let world = world(settings, [("ball", Body::sphere(1.0, 1.0).unwrap())]);
    let at = DVec3::new;
    let rows = [
        (at(2.0, 0.0, 0.0), DVec3::X, inf, Some((13.0, at(16.0, 0.0, 0.0)))),
        (at(2.0, 0.0, 0.0), DVec3::X, 12.5, None),
        (at(-2.0, 0.0, 0.0), -DVec3::X, inf, Some((13.0, at(-16.0, 0.0, 0.0)))),
        (at(2.0, 0.0, 0.0), at(16.0, 48.0, 0.0), inf, None),
        (at(-1602.0, 320.0, 0.0), DVec3::X, inf, Some((1.0, at(-1600.0, 320.0, 0.0)))),
        // Rays that never meet the ball, and a ray along the open axis.
        (at(4.0, 4.0, 0.0), DVec3::X, inf, None),
        (at(4.0, 4.0, 0.0), at(1.0, 0.0, 1e-3), inf, None),
        (at(4.0, 4.0, 0.0), DVec3::Z, inf, None),
    ];
    for (origin, direction, until, expected) in rows {
        let hit = world.cast_ray(&Ray { origin, direction }, until, &Filter::ALL);
        assert_eq!(hit.map(|hit| (hit.t, hit.spot.position)), expected, "{origin} {direction}");
    }
    // There is one ball beyond each border.
    let along = Ray { origin: at(2.0, 0.0, 0.0), direction: DVec3::X };
    assert_eq!(world.cast_ray_all(&along, inf, &Filter::ALL).len(), BORDERS_MAX as usize);
    let near = world.closest_point(at(7.0, -7.0, 0.0), inf, &Filter::ALL).unwrap();
    assert_eq!(near.spot.position, DVec3::ZERO);
    let wide = Aabb::around(DVec3::ZERO, at(1e6, 1e6, 1.0));
    assert_eq!(world.overlapping(&wide, &Filter::ALL).len(), 1);
    assert_eq!(world.inside(&polytope(&wide), &Filter::ALL).len(), 1);
}

#[test]
fn numbers_that_are_none_find_nothing() {
    let world = yard();
    let (all, one) = (Filter::ALL, DVec3::ONE);
    let wrong = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e71];
    let vectors = wrong.into_iter().flat_map(|x| [one.with_x(x), one.with_y(x), one.with_z(x)]);
    let (radius, half) = (Radius::new(0.5).unwrap(), HalfExtents::new(one).unwrap());
    for vector in vectors {
        let rays = [Ray { origin: vector, direction: one }, Ray { origin: DVec3::ZERO, direction: vector }];
        for ray in rays.into_iter().chain([Ray { origin: DVec3::ZERO, direction: DVec3::ZERO }]) {
            assert_eq!(world.cast_ray(&ray, 1.0, &all), None, "{ray:?}");
            assert_eq!(world.cast_ray_all(&ray, 1.0, &all), [], "{ray:?}");
            assert_eq!(world.cast_sphere(radius, &ray, 1.0, &all), None, "{ray:?}");
            assert_eq!(world.cast_box(half, &ray, 1.0, &all), None, "{ray:?}");
        }
        assert_eq!(world.closest_point(vector, f64::INFINITY, &all), None, "{vector}");
        for bounds in [Aabb { min: -one, max: vector }, Aabb { min: vector, max: one * 1e69 }] {
            let is_box = bounds.min.cmple(bounds.max).all();
            assert_eq!(world.overlapping(&bounds, &all).is_empty(), !is_box, "{bounds:?}");
        }
    }
    let ray = Ray { origin: DVec3::ZERO, direction: one };
    for until in [f64::NAN, -1.0, f64::NEG_INFINITY] {
        assert_eq!(world.cast_ray(&ray, until, &all), None, "{until}");
        assert_eq!(world.cast_sphere(radius, &ray, until, &all), None, "{until}");
    }
    assert_eq!(world.closest_point(one, f64::NAN, &all), None);
}

/// The bodies of the yard, by the numbers of one coordinate of all corners.
#[test]
fn a_box_may_be_the_whole_world() {
    let (world, inf) = (yard(), f64::INFINITY);
    let everything = vec!["floor", "yard/ball", "yard/left", "yard/right"];
    let rows = [
        (-inf, inf, everything.clone()),
        (-1e300, 1e300, everything.clone()),
        (-1e70, 1e70, everything.clone()),
        (-1e30, inf, everything),
        (-inf, -1.5, vec!["floor"]),
        (0.5, inf, vec!["yard/ball", "yard/right"]),
        (1e71, inf, vec![]),
        (inf, -inf, vec![]),
        (f64::NAN, inf, vec![]),
        (-inf, f64::NAN, vec![]),
    ];
    for (min, max, wanted) in rows {
        let hits = world.overlapping(&Aabb { min: DVec3::splat(min), max: DVec3::splat(max) }, &Filter::ALL);
        assert_eq!(hits.iter().map(|hit| hit.name).collect::<Vec<_>>(), wanted, "{min}..{max}");
    }
}

/// A ball of radius 0.5 in the middle of a period of 7 m.
fn far_and_wide() -> World {
    let space = Space { periods: [Some(Period { min: -3.5, max: 3.5 }), None, None], ..Space::default() };
    let settings = Settings { space, ..Settings::default() };
    world(settings, [("ball", Body::sphere(0.5, 1.0).unwrap())])
}

#[test]
fn a_box_of_any_width_finds_what_repeats() {
    let (world, inf) = (far_and_wide(), f64::INFINITY);
    let rows = [
        (-10.0, 10.0, Some(-7.0)),
        (-1e18, 1e18, Some(0.0)),
        (-6e19, 6e19, Some(0.0)),
        (-1e70, 1e70, Some(0.0)),
        (-1e300, 1e300, Some(0.0)),
        (-inf, inf, Some(0.0)),
        (-inf, 0.0, Some(0.0)),
        (-1e18, 2.0, Some(0.0)),
        (-1e18, -1e3, Some(-1001.0)),
        (1.0, 6.0, None),
        (1.0, 1e18, Some(7.0)),
        (1.0, inf, Some(7.0)),
        (-inf, -1e18, None),
        (1e18, inf, None),
    ];
    for (min, max, wanted) in rows {
        let bounds = Aabb { min: DVec3::new(min, -9.0, -inf), max: DVec3::new(max, 9.0, inf) };
        let hits = world.overlapping(&bounds, &Filter::ALL);
        let places: Vec<f64> = hits.iter().map(|hit| hit.spot.position.x).collect();
        assert_eq!(places.len(), usize::from(wanted.is_some()), "{min}..{max}");
        if let (Some(&place), Some(wanted)) = (places.first(), wanted) {
            // The smallest image, or of a box that begins too far away, one of those near the cell or its end.
            let near = if min > -1e12 { 0.0 } else { 35.0 };
            assert!((place - wanted).abs() <= near && min < place + 0.5 && place - 0.5 < max, "{min}..{max}: {place}");
        }
    }
}

#[test]
fn queries_from_far_away_find_nothing() {
    let (world, all) = (far_and_wide(), Filter::ALL);
    let (radius, half) = (Radius::new(0.1).unwrap(), HalfExtents::new(DVec3::ONE).unwrap());
    for x in [1e11, 1e18, 6e19, 1e30, 1e70, 1e71, 1e300, f64::MAX, f64::INFINITY].into_iter().flat_map(|x| [x, -x]) {
        let from = DVec3::X * x;
        assert_eq!(world.closest_point(from, f64::INFINITY, &all), None, "{x}");
        for direction in [DVec3::X, -DVec3::X, DVec3::Y] {
            let ray = Ray { origin: from, direction };
            assert_eq!(world.cast_ray(&ray, 9.0, &all), None, "{x}");
            assert_eq!(world.cast_sphere(radius, &ray, 9.0, &all), None, "{x}");
            assert_eq!(world.cast_box(half, &ray, 9.0, &all), None, "{x}");
            assert_eq!(world.cast_ray_all(&ray, 9.0, &all), [], "{x}");
        }
        assert_eq!(world.overlapping(&Aabb::around(from, DVec3::ONE), &all), [], "{x}");
    }
}
