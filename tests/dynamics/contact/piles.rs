//! Lasting contacts: a body on a support is at rest to the bit. It leaves the support at the exact instant at which the
//! support ends.

use carom::dynamics::{Body, EventKind, Settings};
use carom::geometry::Mesh;
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::is_thorough;
use crate::common::scene::{Run, STUFF, View, assert_near, ball, cube, cuboid, first_of, of_kind, plane, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn falling(restitution: f64) -> Settings {
    settings(Z * -10.0, restitution, 0.0)
}

/// Bodies in equilibrium. A body that supports another one comes before it.
struct Pile {
    name: String,
    bodies: Vec<Body>,
    /// How far from its place a body may end after a drop, m.
    play: f64,
}

/// For level faces: the rounding error of a few metres, twenty times.
const LEVEL: f64 = 1e-12;
/// For round bodies: a few rest heights of 1 µm off the exact position between the neighbours.
const ROUND: f64 = 1e-5;
/// For balls between walls without play: a ball whose neighbour keeps it a rest height h away from its wall stays up by
/// √(2 h).
const JAMMED: f64 = 2e-3;

fn pile(name: impl Into<String>, play: f64, bodies: impl IntoIterator<Item = Body>) -> Pile {
    Pile { name: name.into(), bodies: bodies.into_iter().collect(), play }
}

fn floor() -> Body {
    plane(Z, 0.0)
}

/// A stack of boxes. `ratio` is the mass of the uppermost box over that of the lowest.
fn stack(count: u32, half: f64, ratio: f64) -> Pile {
    let mut top = 0.0;
    let boxes = (0..count).map(|n| {
        let mass = ratio.powf(f64::from(n) / f64::from(count - 1));
        top += 2.0 * half;
        cube(half, mass).at(Z * (top - half))
    });
    let boxes: Vec<Body> = boxes.collect();
    pile(format!("{count} boxes of {half} m, ratio {ratio}"), LEVEL, [vec![floor()], boxes].concat())
}

/// A pyramid of four, three, two and one boxes; `pitch` is the distance between the centres of neighbours.
fn pyramid(pitch: f64) -> Pile {
    let rows = (0..4).flat_map(|row| (0..4 - row).map(move |n| (f64::from(row), f64::from(n))));
    let boxes = rows.map(|(row, n)| cube(0.5, 1.0).at(DVec3::new((n + 0.5 * row) * pitch, 0.0, row + 0.5)));
    pile(format!("pyramid {pitch}"), LEVEL, [floor()].into_iter().chain(boxes))
}

fn plank(fixed: bool) -> Pile {
    let post = |x: f64| {
        let post = cube(0.5, 1.0).at(DVec3::new(x, 0.0, 0.5));
        if fixed { post.fixed() } else { post }
    };
    let plank = cuboid(DVec3::new(1.5, 0.5, 0.125), 2.0).at(Z * 1.125);
    pile(format!("plank, posts fixed: {fixed}"), LEVEL, [floor(), post(-1.0), post(1.0), plank])
}

fn grooves() -> Vec<Pile> {
    // Between slopes with the normals (±0.6, 0, 0.8), the centre of a ball is r/0.8 above their common edge.
    let slopes = [plane(DVec3::new(0.6, 0.0, 0.8), 0.0), plane(DVec3::new(-0.6, 0.0, 0.8), 0.0)];
    // Between two edges 0.6 m apart, the centre of a ball of 0.5 m is √(0.25 − 0.09) = 0.4 m above them.
    let edges = [-1.3, 1.3].map(|x| cube(1.0, 1.0).at(DVec3::new(x, 0.0, -1.0)).fixed());
    vec![
        pile("groove of slopes", ROUND, slopes.into_iter().chain([ball(0.5, 1.0).at(Z * 0.625)])),
        pile("groove of edges", ROUND, edges.into_iter().chain([ball(0.5, 1.0).at(Z * 0.4)])),
    ]
}

/// Three positions around the z axis, the first along x, at which balls of diameter 1 touch.
fn trefoil() -> [DVec3; 3] {
    let root = 3f64.sqrt();
    [X / root, DVec3::new(-0.5 / root, 0.5, 0.0), DVec3::new(-0.5 / root, -0.5, 0.0)]
}

fn heaps() -> Vec<Pile> {
    let top = ball(0.5, 1.0).at(Z * (2.0f64 / 3.0).sqrt());
    let posts = trefoil().map(|place| ball(0.5, 1.0).at(place).fixed());
    // A tray of three walls, each of which touches two of the three lower balls. The walls are half a ball beyond the
    // sides of the triangle of the centres, which are 1/(2√3) from its middle.
    let walls = trefoil().map(|place| plane(place.normalize(), -0.5 - 0.5 / 3f64.sqrt()));
    let lower = trefoil().map(|place| ball(0.5, 1.0).at(place));
    let tray = [vec![plane(Z, -0.5)], walls.to_vec(), lower.to_vec(), vec![top.clone()]].concat();
    // Four balls in a square and one above, all in contact: the fifth centre is √½ higher.
    let square = [plane(X, -1.0), plane(-X, -1.0), plane(Y, -1.0), plane(-Y, -1.0)];
    let four =
        [(0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5)].map(|(x, y)| ball(0.5, 1.0).at(DVec3::new(x, y, 0.5)));
    let fifth = ball(0.5, 3.0).at(Z * (0.5 + 0.5f64.sqrt()));
    let crate_ = [vec![floor()], square.to_vec(), four.to_vec(), vec![fifth]].concat();
    vec![
        pile("ball on three", ROUND, posts.into_iter().chain([top])),
        pile("tetrahedron in a tray", JAMMED, tray),
        pile("five in a crate", JAMMED, crate_),
    ]
}

fn mixed() -> Vec<Pile> {
    let boxes = [cube(0.5, 1.0).at(Z * 0.5), cube(0.25, 1.0).at(Z * 1.25)];
    let crowned = [vec![floor()], boxes.to_vec(), vec![ball(0.125, 1.0).at(Z * 1.625)]].concat();
    // Sixteen squares of two triangles in one plane: every body lies on a seam.
    let corner = |n: u32| DVec3::new(f64::from(n % 5) - 2.0, f64::from(n / 5) - 2.0, 0.0) * 2.0;
    let vertices: Vec<DVec3> = (0..25).map(corner).collect();
    let cells = (0..16).map(|n| n / 4 * 5 + n % 4);
    let triangles: Vec<[u32; 3]> = cells.flat_map(|a| [[a, a + 1, a + 6], [a, a + 6, a + 5]]).collect();
    let sheet = Body::mesh(Mesh::new(&vertices, &triangles).unwrap()).made_of(STUFF);
    let on_sheet = [
        sheet,
        cube(0.5, 1.0).at(Z * 0.5),
        cube(0.5, 2.0).at(DVec3::new(0.25, 0.0, 1.5)),
        cuboid(DVec3::new(0.5, 0.25, 0.125), 1.0).at(DVec3::new(2.0, 1.0, 0.125)),
        ball(0.25, 1.0).at(DVec3::new(-2.0, 0.5, 0.25)),
    ];
    vec![pile("ball on boxes", LEVEL, crowned), pile("boxes on a mesh", LEVEL, on_sheet)]
}

fn piles() -> Vec<Pile> {
    let mut all = vec![pyramid(1.125), pyramid(1.0), plank(false), plank(true)];
    for count in [2, 5, 20] {
        all.extend(
            [(0.5, 1.0), (0.05, 1.0), (0.5, 1000.0), (0.5, 0.001)].map(|(half, ratio)| stack(count, half, ratio)),
        );
    }
    all.extend(grooves().into_iter().chain(heaps()).chain(mixed()));
    all
}

/// The views in which a pile is tested: only the plain one for a pile with a mesh.
fn views(bodies: &[Body]) -> Vec<View> {
    if bodies.iter().any(|body| body.shape.solid().is_none()) { vec![View::PLAIN] } else { View::some() }
}

/// Nothing moves and no event occurs in a million steps. In other views, and in the short form of the tests, there are
/// only a thousand steps.
fn stays(run: &mut Run, view: View, context: &str) {
    let steps = if view == View::PLAIN && is_thorough() { 1_000_000 } else { 1_000 };
    let places = |run: &Run| run.free().into_iter().map(|row| run.position(row)).collect::<Vec<_>>();
    let (start, before) = (run.stepper.now(), places(run));
    for row in run.free() {
        assert_eq!(run.velocity(row), DVec3::ZERO, "{context}: body {row}");
    }
    for step in 1..=steps {
        run.stepper.advance(start.plus(f64::from(step) / 60.0), usize::MAX).unwrap();
        let events = run.stepper.take_events();
        assert!(events.is_empty(), "{context}: {events:?} at step {step}");
    }
    assert_eq!(places(run), before, "{context}");
    assert!(run.free().into_iter().all(|row| run.velocity(row) == DVec3::ZERO), "{context}");
    assert!(run.overlap() <= 1e-9, "{context}: {:e}", run.overlap());
}

#[test]
fn what_is_put_in_place_stays_there() {
    for Pile { name, bodies, .. } in piles() {
        for (restitution, view) in [0.0, 0.3].into_iter().flat_map(|e| views(&bodies).into_iter().map(move |v| (e, v)))
        {
            let context = format!("{name}, restitution {restitution}, {view:?}");
            let mut run = Run::seen(view, &falling(restitution), &bodies);
            let placed: Vec<DVec3> = run.free().into_iter().map(|row| run.position(row)).collect();
            let events = run.until(0.0);
            assert!(events.iter().all(|event| event.approach_speed == 0.0), "{context}: {events:?}");
            // A contact to rounding may become active only after a few instants.
            run.until(0.001);
            for (row, place) in run.free().into_iter().zip(placed) {
                assert_near(run.position(row), place, 1e-15 * 64.0, &context);
            }
            stays(&mut run, view, &context);
            run.check_books(1e-9, &context);
        }
    }
}

#[test]
fn what_is_dropped_comes_to_rest_where_it_belongs() {
    for Pile { name, bodies, play } in piles() {
        for (restitution, view) in [0.0, 0.3].into_iter().flat_map(|e| views(&bodies).into_iter().map(move |v| (e, v)))
        {
            let context = format!("{name}, restitution {restitution}, {view:?}");
            // Balls that bounce into a tray without play get wedged at arbitrary positions.
            if name.starts_with("tetrahedron") && restitution > 0.0 {
                continue;
            }
            // Each body starts one centimetre higher above its place than the previous one.
            let mut lift = 0.0;
            let raised = bodies.iter().map(|body| {
                lift += if body.is_free() { 0.01 } else { 0.0 };
                if body.is_free() { body.clone().at(body.position + Z * lift) } else { body.clone() }
            });
            let mut run = Run::seen(view, &falling(restitution), &raised.collect::<Vec<_>>());
            let mut deepest: f64 = 0.0;
            for look in 1..=200 {
                run.until(0.01 * f64::from(look));
                deepest = deepest.max(run.overlap());
            }
            assert!(deepest <= 1e-9, "{context}: {deepest:e}");
            run.until(60.0);
            for row in run.free() {
                assert_near(run.position(row), bodies[row].position, play, &format!("{context}, body {row}"));
            }
            stays(&mut run, view, &context);
            assert!(run.stepper.audit().deepest <= 1e-9, "{context}: {:e}", run.stepper.audit().deepest);
            run.check_books(1e-9, &context);
        }
    }
}

#[test]
fn a_box_falls_when_the_one_below_has_been_shot_from_under_it() {
    // The bullet transfers (1 + e) m/(m + M) of its 2 m/s to the lower box after 1.25 m, and stops or bounces back. The
    // lower box has passed under the upper one after 0.75 m, the sum of the half widths. The upper box then falls 1 m.
    for (bullet, mass, restitution) in
        [(1.0, 1.0, 1.0), (1.0, 3.0, 1.0), (0.5, 1.0, 0.5), (1.0, 7.0, 1.0), (1.0, 5.0, 0.25)]
    {
        let share = (1.0 + restitution) * bullet / (bullet + mass);
        let bodies = [
            cube(0.25, bullet).at(DVec3::new(-2.0, 0.0, 0.25)).moving(X * 2.0),
            cube(0.5, mass).at(Z * 0.5),
            cube(0.25, 5.0).at(Z * 1.25),
            floor(),
        ];
        for view in View::some() {
            let mut run = Run::seen(view, &falling(restitution), &bodies);
            let context = format!("masses {bullet} and {mass}, restitution {restitution}, {view:?}");
            let struck = 1.25 / 2.0;
            let ends = struck + 0.75 / (2.0 * share);
            let events = run.until(ends + 0.25);
            let release =
                first_of(&events, EventKind::Release, 2, 1).unwrap_or_else(|| panic!("{context}: {events:?}"));
            assert!((release.time.seconds() - ends).abs() < 1e-14, "{context}: {} for {ends}", release.time);
            assert_near(run.position(2), Z * (1.25 - 5.0 * 0.0625), 1e-13, &context);
            assert_near(run.velocity(2), Z * -2.5, 1e-13, &context);
            assert_near(run.velocity(1), X * (2.0 * share), 1e-14, &context);
            // The bottom face is at 1 m: the box lands √(2/10) s later.
            let events = run.until(ends + 0.5);
            let landing = events.iter().find(|event| event.a.0.min(event.b.0) == 2 && event.a.0.max(event.b.0) == 3);
            let landing = landing.unwrap_or_else(|| panic!("{context}: {events:?}"));
            assert!((landing.time.seconds() - ends - 0.2f64.sqrt()).abs() < 1e-14, "{context}: {landing:?}");
            run.check_books(1e-9, &context);
        }
    }
}

#[test]
fn a_stack_falls_with_the_box_that_slides_off_the_table() {
    // The table ends at x = 1, and the lower box leaves it when its centre is at 1.25. The upper box has the same
    // speed. In free fall the boxes exert no force on each other: they stay together. The upper box is not wider, so
    // the table does not support it either.
    for (upper, speed) in [(0.25, 1.0), (0.125, 1.0), (0.25, 2.5)] {
        let bodies = [
            cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).at(Z * -0.5).fixed(),
            cube(0.25, 1.0).at(Z * 0.25).moving(X * speed),
            cube(upper, 4.0).at(Z * (0.5 + upper)).moving(X * speed),
        ];
        for view in View::some() {
            let mut run = Run::seen(view, &falling(0.5), &bodies);
            let context = format!("upper {upper}, speed {speed}, {view:?}");
            let (off, end) = (1.25 / speed, 1.25 / speed + 0.5);
            let events = run.until(end);
            let release =
                first_of(&events, EventKind::Release, 1, 0).unwrap_or_else(|| panic!("{context}: {events:?}"));
            assert_eq!(release.time.seconds(), off, "{context}");
            for (row, height) in [(1, 0.25), (2, 0.5 + upper)] {
                assert_near(run.position(row), DVec3::new(speed * end, 0.0, height - 1.25), 1e-14, &context);
                assert_near(run.velocity(row), DVec3::new(speed, 0.0, -5.0), 1e-14, &context);
            }
            assert!(of_kind(&events, EventKind::Impact).is_empty(), "{context}: {events:?}");
            run.check_books(1e-9, &context);
        }
    }
}

#[test]
fn a_lift_carries_what_lies_on_what_lies_on_it() {
    // The work is the weight of 6 kg times the distance, plus m w² if the load did not move at first: ½ m w² becomes
    // kinetic energy, and without rebound the same amount becomes heat.
    for (speed, rides) in [(0.25, true), (0.25, false), (0.3, true), (-0.3, true)] {
        let start = if rides { Z * speed } else { DVec3::ZERO };
        let loads =
            [cube(0.5, 1.0).at(Z * 0.5), ball(0.25, 2.0).at(Z * 1.25), ball(0.25, 3.0).at(DVec3::new(1.0, 0.5, 0.25))];
        let lift = cuboid(DVec3::new(2.0, 2.0, 0.5), 1.0).at(Z * -0.5).moving(Z * speed).kinematic();
        let bodies: Vec<Body> = [lift].into_iter().chain(loads.clone().map(|load| load.moving(start))).collect();
        for view in View::some() {
            let mut run = Run::seen(view, &falling(0.0), &bodies);
            let context = format!("speed {speed}, rides {rides}, {view:?}");
            run.until(10.0);
            for (row, load) in (1..).zip(&loads) {
                assert_eq!(run.velocity(row), Z * speed, "{context}: body {row}");
                assert_near(run.position(row), load.position + Z * (10.0 * speed), 1e-13, &context);
            }
            let audit = run.stepper.audit();
            let jolt = if rides { 0.0 } else { 0.5 * 6.0 * speed * speed };
            let work = 6.0 * 10.0 * 10.0 * speed + 2.0 * jolt;
            assert!((audit.work - work).abs() < 1e-12 * work.abs(), "{context}: {} J for {work}", audit.work);
            assert!((audit.dissipated - jolt).abs() < 1e-12, "{context}: {} J", audit.dissipated);
            run.check_books(1e-9, &context);
        }
    }
}

#[test]
fn a_smooth_table_is_drawn_from_under_a_stack() {
    // With half widths of 1 and 0.25, the table has passed after 1.25 m. Until then the stack does not move.
    for speed in [0.5, 2.0, 10.0] {
        let table = cuboid(DVec3::new(1.0, 1.0, 0.5), 1.0).at(Z * -0.5).moving(X * speed).kinematic();
        let boxes = [cube(0.25, 1.0).at(Z * 0.25), cube(0.25, 2.0).at(Z * 0.75), cube(0.125, 3.0).at(Z * 1.125)];
        let bodies: Vec<Body> = [table].into_iter().chain(boxes.clone()).collect();
        for view in View::some() {
            let mut run = Run::seen(view, &falling(0.3), &bodies);
            let context = format!("speed {speed}, {view:?}");
            let off = 1.25 / speed;
            run.until(0.75 * off);
            for (row, body) in (1..).zip(&boxes) {
                assert_eq!((run.velocity(row), run.position(row)), (DVec3::ZERO, body.position), "{context}: {row}");
            }
            let events = run.until(off + 0.5);
            let release =
                first_of(&events, EventKind::Release, 1, 0).unwrap_or_else(|| panic!("{context}: {events:?}"));
            assert_eq!(release.time, SimTime::from_seconds(off), "{context}");
            for (row, body) in (1..).zip(&boxes) {
                assert_near(run.position(row), body.position - Z * 1.25, 1e-14, &context);
            }
            assert_eq!(run.stepper.audit().work, 0.0, "{context}: a smooth table does none");
            run.check_books(1e-9, &context);
        }
    }
}
