//! Scenes on floors of several boxes, and coincidences at one instant, that once went wrong. The right values are
//! closed forms.

use carom::dynamics::{Event, EventKind};
use carom::motion::SimTime;
use carom::scenario::{Source, parse};
use carom::world::World;
use glam::DVec3;

const G: f64 = 9.81;

/// A scene, the instant (s), a body, its place then (m), and how exact that is.
type Row = (&'static str, f64, &'static str, [f64; 3], f64);

/// A ball loses v²/2 · (d/r)² per kilogram at a slit of width d, and 2 h/r of its speed at a ledge of height h: what is
/// left of that after the way is far less than the bound.
const PLACES: [Row; 29] = [
    ("floor_slit", 1.0, "ball", [0.6, 0.0, 0.04], 1e-9),
    ("floor_narrow_gap", 2.0, "ball", [9.0, 0.0, 0.2], 1e-9),
    ("floor_kicked_on_tiles", 2.0, "hero", [5.5, 0.5, 0.5], 1e-9),
    ("floor_starts_on_tile", 1.0, "crate", [1.0, 0.0, 0.5], 1e-9),
    ("floor_elastic_seam", 0.4, "ball", [0.3, 0.0, 0.25], 1e-9),
    ("floor_decimal_tiles", 0.9, "hero", [7.3, 0.5, 0.9], 1e-9),
    ("floor_decimal_tiles", 0.9, "hero2", [7.3, 3.5, 0.9], 1e-9),
    ("floor_decimal_tiles", 0.9, "ball", [8.3, 0.2, 0.2], 1e-9),
    ("floor_decimal_tiles", 0.9, "ball2", [8.3, 3.2, 0.2], 1e-9),
    ("floor_ends", 2.0, "ball", [9.0, 0.0, 0.2 - 0.5 * G * 1.4 * 1.4], 1e-9),
    ("floor_wide_gap", 1.5, "hero", [1.0, 0.0, 0.2], 1e-8),
    ("floor_ledge", 1.5, "hero", [2.0, 0.0, 0.2], 1e-9),
    ("floor_fell_far", 7.5, "hero", [0.05 + 0.9 * 7.5, 0.0, 0.4], 1e-9),
    ("floor_drops_away", 0.35, "hero", [3.03, 0.94, 0.4075], 1e-9),
    ("floor_sheet_ahead", 0.02, "hero", [5.948844130729992, 1.6660416785869192, 2.037693929203181], 1e-12),
    ("floor_upright", 0.8, "hero", [0.15, 0.0, -0.3 - 0.5 * G * 0.64], 1e-9),
    ("floor_repeats", 10.0, "a", [1.5, 0.0, 0.1], 1e-9),
    ("floor_repeats", 10.0, "b", [1.5, 10.0, 0.1], 1e-9),
    ("floor_repeats", 10.0, "c", [1.5, 20.0, 0.1], 1e-9),
    ("floor_repeats", 10.0, "d", [1.5, 0.5, 0.1], 1e-9),
    ("floor_repeats", 10.0, "e", [1.5, 10.5, 0.1], 1e-9),
    ("floor_repeats", 10.0, "f", [1.5, 20.5, 0.1], 1e-9),
    ("floor_line", 0.8, "b", [0.024, 0.363, 0.0], 1e-12),
    ("floor_ramp", 0.8, "side", [-0.852054794520548, -1.05, 0.399229452054794], 1e-12),
    ("floor_ramp", 0.8, "foot", [-1.72611722979439, 0.5, -0.311604053881626], 1e-12),
    ("floor_swings", 0.5, "ball", [0.83, 1.78, 0.2], 1e-9),
    ("floor_swings", 0.5, "box", [0.9, 0.5, 0.2], 1e-9),
    ("instant_plane_set_moving", 2.0, "ball", [0.0, 0.0, 0.105], 1e-9),
    ("instant_edge_to_edge", 2.0, "box", [-2.0, -2.0, 0.0], 1e-9),
];

fn world(name: &str) -> World {
    let source = Source::read(format!("tests/scenes/{name}.ron")).unwrap();
    parse(&source).unwrap_or_else(|problems| panic!("{name}: {problems}")).scenario.world().unwrap()
}

/// Runs a scene in steps of a twentieth of a second and returns the events.
fn run(world: &mut World, seconds: f64) -> Vec<Event> {
    for step in 1..=(20.0 * seconds).ceil() as u32 {
        let time = (0.05 * f64::from(step)).min(seconds);
        world.advance(SimTime::from_seconds(time), 100_000).unwrap_or_else(|error| panic!("{error}"));
    }
    world.take_events()
}

#[test]
fn bodies_are_where_one_floor_would_bring_them() {
    for (name, seconds, body, place, slack) in PLACES {
        let mut world = world(name);
        let events = run(&mut world, seconds);
        let found = world.state(world.id(body).unwrap()).position;
        let off = (found - DVec3::from_array(place)).length();
        assert!(off <= slack, "{name}: {body} at {found} for {place:?}, off by {off:e}: {} events", events.len());
    }
}

#[test]
fn a_plate_that_many_balls_meet_at_once_gives_all_the_same_rebound() {
    // 18 w + 100 u = −18 and w − u = 1/2.
    let (plate, ball) = (-27.0 / 118.0, 32.0 / 118.0);
    let mut world = world("instant_plate");
    run(&mut world, 1.0);
    for id in world.ids() {
        let wanted = if world.name(id) == "plate" { plate } else { ball };
        assert!((world.state(id).velocity - DVec3::Z * wanted).length() < 1e-12);
    }
}

/// What has no room is lost, and nothing else: each of these ends in one `collapse`, and the motion across goes on.
#[test]
fn bodies_without_room_stop_along_the_line_without_room() {
    let mut stuck = world("instant_without_room");
    let events = run(&mut stuck, 1.0);
    assert!(events.iter().any(|event| event.kind == EventKind::Collapse), "{events:?}");
    assert!(events.len() < 500, "{}", events.len());
    assert_eq!(stuck.state(stuck.id("b").unwrap()).velocity, DVec3::ZERO);
    let mut flat = world("instant_between_planes");
    run(&mut flat, 0.5);
    for id in flat.ids().filter(|&id| flat.state(id).velocity != DVec3::ZERO) {
        assert!((flat.state(id).velocity - DVec3::X).length() < 1e-9, "{:?}", flat.state(id));
    }
    for (name, seconds) in [("instant_full_cell", 0.1), ("instant_lattice", 2.0)] {
        let mut world = world(name);
        let before = world.balance().kinetic + world.balance().potential;
        run(&mut world, seconds);
        let after = world.balance().kinetic + world.balance().potential;
        assert!(after <= before * (1.0 + 1e-12) + 1e-3, "{name}: {before} J, then {after} J");
    }
}
