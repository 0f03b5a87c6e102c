//! Cells of grids that come and go: what stands on them falls, what flies meets them, and all else goes on.

use carom::geometry::Grid;
use carom::{Body, Command, CommandError, EventKind, SimTime, Timed, World};
use glam::DVec3;

use super::id;
use crate::common::scene::{ball, cube, cuboid, settings};
use crate::common::{events_until, world};

const G: DVec3 = DVec3::new(0.0, 0.0, -10.0);

fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn on_floor(rows: &[&str], bodies: impl IntoIterator<Item = (&'static str, Body)>) -> World {
    let level = Body::grid(Grid::tiles(DVec3::ONE, rows).unwrap()).made_of(crate::common::scene::STUFF);
    world(settings(G, 0.0, 0.5), [("level", level)].into_iter().chain(bodies))
}

/// A ball and a box rest, a cell is taken away at an exact instant below one of them, and the other one has no event.
#[test]
fn what_stands_on_a_cell_that_goes_falls_at_that_instant() {
    for stands in [ball(0.25, 1.0), cube(0.25, 1.0), cuboid(at(0.5, 0.25, 0.25), 2.0)] {
        let bodies = [("it", stands.clone().at(at(1.5, 0.5, 1.25))), ("other", ball(0.25, 1.0).at(at(4.5, 0.5, 1.25)))];
        let mut world = on_floor(&["......", "######"], bodies);
        let gone = Command::SetCell { body: "level".to_owned(), cell: [1, 0, 0], solid: false };
        let at_two = SimTime::from_seconds(2.0);
        world.schedule(Timed { at: at_two, command: gone, origin: "a test".to_owned() }).unwrap();
        let events = events_until(&mut world, 3.0);
        let of = |name: &str| events.iter().filter(|event| [event.a, event.b].contains(&id(&world, name))).count();
        assert_eq!(of("other"), 1, "{events:?}");
        let ends: Vec<_> = events.iter().filter(|event| event.kind == EventKind::Release).collect();
        assert_eq!((ends.len(), ends[0].time), (1, at_two), "{events:?}");
        let fallen = world.state(id(&world, "it"));
        assert_eq!((fallen.position, fallen.velocity), (at(1.5, 0.5, 1.25 - 5.0), at(0.0, 0.0, -10.0)), "{stands:?}");
        assert_eq!(world.position(id(&world, "other")), at(4.5, 0.5, 1.25));
    }
}

/// A box on two cells stays while one of them is left, without an event.
#[test]
fn one_of_two_cells_is_enough() {
    let mut world = on_floor(&["...", "###"], [("it", cuboid(at(0.75, 0.25, 0.25), 1.0).at(at(1.5, 0.5, 1.25)))]);
    let level = id(&world, "level");
    events_until(&mut world, 1.0);
    for cell in [1, 0] {
        world.set_cell(level, [cell, 0, 0], false).unwrap();
        let next = world.now().seconds() + 0.5;
        assert_eq!(events_until(&mut world, next), [], "{cell}");
        assert_eq!(world.position(id(&world, "it")), at(1.5, 0.5, 1.25));
    }
    world.set_cell(level, [2, 0, 0], false).unwrap();
    let events = events_until(&mut world, 3.0);
    assert_eq!((events.len(), events[0].kind, events[0].time.seconds()), (1, EventKind::Release, 2.0));
    assert_eq!(world.position(id(&world, "it")).z, 1.25 - 5.0);
}

/// A ball that flies past meets a cell that appears before it, and not one that is gone again.
#[test]
fn what_flies_meets_a_new_cell() {
    let level = Body::grid(Grid::tiles(DVec3::ONE, &[".........."]).unwrap());
    let flies = Body::sphere(0.25, 1.0).unwrap().at(at(-1.0, 0.5, 0.5)).moving(DVec3::X);
    let mut world = world(settings(DVec3::ZERO, 1.0, 0.0), [("level", level), ("it", flies)]);
    let level = id(&world, "level");
    events_until(&mut world, 1.0);
    world.set_cell(level, [9, 0, 0], true).unwrap();
    world.set_cell(level, [5, 0, 0], true).unwrap();
    events_until(&mut world, 2.0);
    world.set_cell(level, [5, 0, 0], false).unwrap();
    assert_eq!(events_until(&mut world, 9.0), []);
    let events = events_until(&mut world, 12.0);
    assert_eq!((events.len(), events[0].time.seconds()), (1, 9.75));
    assert_eq!(world.state(id(&world, "it")).velocity, -DVec3::X);
}

#[test]
fn a_cell_is_not_put_into_a_body() {
    let mut world = on_floor(&["...", "###"], [("it", ball(0.25, 1.0).at(at(1.5, 0.5, 1.25)))]);
    let (level, it) = (id(&world, "level"), id(&world, "it"));
    world.step(1.0).unwrap();
    let before = world.snapshot();
    let inside = world.set_cell(level, [1, 0, 1], true).unwrap_err();
    assert!(
        matches!(&inside, CommandError::Overlap { body, other, depth } if body == "level" && other == "it" && *depth == 0.5)
    );
    let missing = world.set_cell(level, [3, 0, 0], true).unwrap_err();
    assert_eq!(
        missing.to_string(),
        "`level` has no cell (3, 0, 0): its cells are counted from 0, and there are 3 × 1 × 2"
    );
    let no_grid = world.set_cell(it, [0, 0, 0], true).unwrap_err();
    assert!(no_grid.to_string().starts_with("`it` is no grid"), "{no_grid}");
    assert_eq!(world.snapshot(), before, "a refused command changes nothing");
    // Beside it there is room, to the hair.
    world.set_cell(level, [0, 0, 1], true).unwrap();
    world.set_cell(level, [2, 0, 1], true).unwrap();
    assert_eq!(world.take_events().len(), 1);
}

/// A heap that is advanced by time steps falls through a hole in its floor.
#[test]
fn a_heap_flows_out_of_a_hole() {
    let walls = [DVec3::X, -DVec3::X, DVec3::Y, -DVec3::Y].map(|wall| crate::common::scene::plane(wall, -1.0));
    let balls = (0..40).map(|n: u32| {
        let place = at(f64::from(n % 2), f64::from(n / 2 % 2), f64::from(n / 4));
        ball(0.2, 1.0).at(place * 0.6 - at(0.3, 0.3 + 0.01 * f64::from(n % 3), -0.5))
    });
    let level = Grid::voxels(DVec3::splat(0.5), [4, 4, 1], |_| true).unwrap();
    let floor = Body::grid(level).at(at(-1.0, -1.0, -0.5)).made_of(crate::common::scene::STUFF);
    let bodies = [floor].into_iter().chain(walls).chain(balls).enumerate().map(|(n, body)| (format!("{n:02}"), body));
    // With a friction of 0.3 the balls may form an arch over the hole, which is 2.5 balls wide.
    let mut world = world(settings(G, 0.2, 0.05), bodies);
    world.step(3.0).unwrap();
    let below =
        |world: &World| world.ids().filter(|&id| world.body(id).is_free() && world.position(id).z < -0.5).count();
    assert_eq!(below(&world), 0);
    for cell in [[1, 1, 0], [2, 1, 0], [1, 2, 0], [2, 2, 0]] {
        world.set_cell(id(&world, "00"), cell, false).unwrap();
    }
    world.step(6.0).unwrap();
    // Twelve cells are left around the hole, each as wide as a ball, and what lies on them. A ball that rolls there may
    // be about to fall.
    let stays = |id| {
        let rests = world.state(id).velocity.length() < 0.01;
        world.body(id).is_free() && world.position(id).z > -0.5 && rests
    };
    for id in world.ids().filter(|&id| stays(id)) {
        let place = world.position(id).abs();
        assert!(place.x.max(place.y) > 0.5, "{place} rests over the hole");
    }
    assert!(below(&world) > 25, "{}", below(&world));
}

/// Copies of a world with changed cells go on alike, also from a saved snapshot and a whole saved world.
#[test]
fn changed_cells_are_in_snapshots() {
    let mut world =
        on_floor(&["....", "####"], [("it", ball(0.25, 1.0).at(at(1.5, 0.5, 1.25)).moving(DVec3::X * 0.5))]);
    let level = id(&world, "level");
    world.step(0.5).unwrap();
    let early = world.snapshot();
    world.set_cell(level, [2, 0, 0], false).unwrap();
    world.set_cell(level, [3, 0, 1], true).unwrap();
    let (snapshot, mut saved) = (world.snapshot(), world.clone());
    let text = serde_json::to_string(&saved).unwrap();
    world.step(2.0).unwrap();
    let mut loaded: World = serde_json::from_str(&text).unwrap();
    loaded.step(2.0).unwrap();
    saved.restore(&early).unwrap();
    assert_eq!(saved.body(level).shape, Body::grid(Grid::tiles(DVec3::ONE, &["....", "####"]).unwrap()).shape);
    saved.restore(&snapshot).unwrap();
    assert_eq!(saved.body(level).shape, world.body(level).shape);
    saved.step(2.0).unwrap();
    assert_eq!((loaded.snapshot(), saved.snapshot()), (world.snapshot(), world.snapshot()));
    assert!(world.position(id(&world, "it")).z < 0.0);
}
