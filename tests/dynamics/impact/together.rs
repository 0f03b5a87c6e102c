//! Impacts at one instant: all contacts that close are resolved together, then those that close as a result.
//!
//! The law is that of Smith, Kaufman, Vouga, Tamstorf & Grinspun, *Reflections on Simultaneous Impact*, 2012. Each test
//! derives the result of this law, for example for a cradle or for a ball that hits several others.

use carom::dynamics::{Body, Event, EventKind, Impacts, Settings};
use glam::DVec3;

use crate::common::Random;
use crate::common::scene::{Run, View, assert_near, ball, cube, cuboid, of_kind, plane, settings};

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn weightless(restitution: f64) -> Settings {
    settings(DVec3::ZERO, restitution, 0.0)
}

/// The diameter of the balls in a row, and their positions.
type Row = (f64, fn(usize) -> f64);

/// Balls that touch exactly, and balls that touch to rounding: 0.1 has no finite binary form, and its sums and
/// multiples are rounded.
const ROWS: [Row; 3] =
    [(1.0, |n| n as f64), (0.1, |n| (0..n).fold(0.0, |sum, _| sum + 0.1)), (0.1, |n| n as f64 * 0.1)];

#[test]
fn a_cradle_of_touching_balls_gives_out_as_many_as_come_in() {
    for (count, (pitch, place)) in [5, 10].into_iter().flat_map(|count| ROWS.map(|row| (count, row))) {
        for (coming, speed) in (1..count).flat_map(|coming| [(coming, 1.0), (coming, 0.3)]) {
            for view in View::some() {
                let at = |n: usize| X * (place(n) - if n < coming { 0.5 } else { 0.0 });
                let velocity = |n: usize| if n < coming { X * speed } else { DVec3::ZERO };
                let balls = (0..count).map(|n| ball(0.5 * pitch, 1.0).at(at(n)).moving(velocity(n)));
                let mut run = Run::seen(view, &weightless(1.0), &balls.collect::<Vec<_>>());
                run.until(1.0 / speed);
                let after: Vec<DVec3> = (0..count).map(|n| run.velocity(n)).collect();
                let wanted = |n: usize| if n >= count - coming { X * speed } else { DVec3::ZERO };
                let wanted: Vec<DVec3> = (0..count).map(wanted).collect();
                assert_eq!(after, wanted, "{coming} of {count} at {speed} m/s, {pitch} m wide, {view:?}");
            }
        }
    }
}

/// A cue ball strikes `count` balls at one instant. They touch their neighbours on a circle around the path of the cue
/// ball.
///
/// c is the cosine between the path and the line to each target, J the impulse on each target, and e the restitution.
/// The targets leave along their lines at J/m, the cue at u = v − n c J/M. From J/m − c u = e c v follows J = (1 + e) c
/// v / (1/m + n c²/M). For two equal elastic balls, the cue has −1/5 v and each target 2√3/5 v (Smith et al. 2012).
fn strikes_a_ring(count: u32, cue_mass: f64, restitution: f64, view: View) {
    // Squared radii of the circles for one, two, three and four balls of diameter 1.
    let ring = [0.0, 0.25, 1.0 / 3.0, 0.5][count as usize - 1];
    let (cosine, aside) = (f64::sqrt(1.0 - ring), f64::sqrt(ring));
    let outward = |n: u32| {
        let angle = std::f64::consts::TAU * f64::from(n) / f64::from(count);
        DVec3::new(0.0, angle.cos(), angle.sin()) * aside
    };
    let mut bodies = vec![ball(0.5, cue_mass).at(X * (-0.5 - cosine)).moving(X)];
    bodies.extend((0..count).map(|n| ball(0.5, 1.0).at(outward(n))));
    let mut run = Run::seen(view, &weightless(restitution), &bodies);
    let events = run.until(0.75);
    let impulse = (1.0 + restitution) * cosine / (1.0 + f64::from(count) * cosine * cosine / cue_mass);
    let left = 1.0 - f64::from(count) * impulse * cosine / cue_mass;
    let context = format!("{count} struck by {cue_mass} kg, restitution {restitution}, {view:?}");
    // About ten rounding errors of positions, normals and products.
    assert_near(run.velocity(0), X * left, 1e-14, &context);
    for n in 0..count {
        assert_near(run.velocity(1 + n as usize), (X * cosine + outward(n)) * impulse, 1e-14, &context);
    }
    // Without rebound, a pair stays in contact (Rest): for good, or, if it has a relative tangential motion, over a
    // rest height.
    for event in events.iter().filter(|event| event.kind != EventKind::Release) {
        assert!((event.time.seconds() - 0.5).abs() < 1e-14, "{context}: {event:?}");
        let stays = restitution == 0.0 && event.kind == EventKind::Rest;
        assert!((event.kind == EventKind::Impact || stays) && event.group == 1, "{context}: {event:?}");
        assert!((event.impulse - impulse).abs() < 1e-14, "{context}: {event:?}");
    }
    // Without rebound, the cue and the targets stay in contact, and rounding may cause another impact.
    assert!(events.len() == count as usize || restitution == 0.0, "{context}: {events:?}");
    run.check_books(1e-14, &context);
    run.check_losses(&events, &context);
}

#[test]
fn a_ball_that_strikes_several_at_once_shares_itself_among_them() {
    let views: Vec<View> = View::some().into_iter().chain([View::tilted()]).collect();
    for count in 1..=4 {
        for (mass, restitution) in [(1.0, 1.0), (1.0, 0.8), (1.0, 0.5), (1.0, 0.0), (3.0, 1.0), (0.1, 0.7), (50.0, 0.9)]
        {
            views.iter().for_each(|&view| strikes_a_ring(count, mass, restitution, view));
        }
    }
}

#[test]
fn two_struck_at_once_leave_with_the_numbers_of_the_literature() {
    // The result of [`strikes_a_ring`] for equal elastic balls: −1/5, and 2√3/5 at ±30°.
    let targets = [0.5, -0.5].map(|y| ball(0.5, 1.0).at(Y * y));
    let cue = ball(0.5, 1.0).at(X * (-1.0 - 0.75f64.sqrt())).moving(X * 5.0);
    let mut run = Run::new(&weightless(1.0), &[vec![cue], targets.to_vec()].concat());
    run.until(1.0);
    assert_near(run.velocity(0), -X, 1e-14, "cue");
    for (row, side) in [(1, 1.0), (2, -1.0)] {
        assert_near(run.velocity(row), DVec3::new(3.0, side * 3f64.sqrt(), 0.0), 1e-14, "target");
    }
}

#[test]
fn pairwise_impacts_go_by_the_order_of_ids() {
    // The cue meets the upper ball first. With n = (√3/2, ±1/2) it transfers (u·n) n twice: (3/4, √3/4) of (1, 0), then
    // (3/8, −√3/8) of the remaining (1/4, −√3/4).
    let root = 3f64.sqrt();
    let cue = DVec3::new(-0.125, -root / 8.0, 0.0);
    let (first, second) = (DVec3::new(0.75, root / 4.0, 0.0), DVec3::new(0.375, -root / 8.0, 0.0));
    let settings = Settings { impacts: Impacts::Pairwise, ..weightless(1.0) };
    let body = [
        ball(0.5, 1.0).at(X * (-0.5 - 0.75f64.sqrt())).moving(X),
        ball(0.5, 1.0).at(Y * 0.5),
        ball(0.5, 1.0).at(Y * -0.5),
    ];
    let mirror = DVec3::new(1.0, -1.0, 1.0);
    let rows = [
        ([0, 1, 2], [cue, first, second]),
        ([0, 2, 1], [cue * mirror, first * mirror, second * mirror]),
        ([1, 2, 0], [first, second, cue]),
        ([2, 1, 0], [first * mirror, second * mirror, cue * mirror]),
        ([1, 0, 2], [first, cue, second]),
    ];
    for (order, wanted) in rows {
        let bodies = order.map(|row: usize| body[row].clone());
        let mut run = Run::new(&settings, &bodies);
        run.until(0.75);
        for (row, wanted) in wanted.into_iter().enumerate() {
            assert_near(run.velocity(row), wanted, 1e-15, &format!("body {row} of order {order:?}"));
        }
    }
}

/// A triangle of fifteen touching balls. The first ball is at the origin, and the triangle opens along x.
fn rack() -> Vec<DVec3> {
    let rows = (0..5).flat_map(|row| (0..=row).map(move |n| (f64::from(row), f64::from(n))));
    rows.map(|(row, n)| DVec3::new(row * 0.75f64.sqrt(), n - 0.5 * row, 0.0)).collect()
}

#[test]
fn a_break_on_the_axis_is_its_own_mirror_image() {
    let mut views = View::some();
    views.push(View::tilted());
    // Values from an independent computation, which finds the impulses of each of the six rounds by relaxation. The
    // cue's −1/5 of an elastic break is the velocity of the first ball between its two neighbours, passed on.
    let ends = [(1.0, -0.2, 0.511_775_319_244), (0.9, -0.123_85, 0.396_001_986_314)];
    for (view, (restitution, cue, corner)) in views.into_iter().flat_map(|view| ends.map(|end| (view, end))) {
        let mut bodies: Vec<Body> = rack().into_iter().map(|place| ball(0.5, 1.0).at(place)).collect();
        bodies.push(ball(0.5, 1.0).at(X * -2.0).moving(X));
        let mut run = Run::seen(view, &weightless(restitution), &bodies);
        let events = run.until(1.0 + 1e-6);
        let context = format!("restitution {restitution}, {view:?}: {} impacts", events.len());
        let mirror = DVec3::new(1.0, -1.0, 1.0);
        for row in 0..5 {
            for n in 0..=row {
                let index = |n: usize| row * (row + 1) / 2 + n;
                let (one, other) = (run.velocity(index(n)), run.velocity(index(row - n)));
                // Positions have an error of one ulp, and each of about a hundred impulses passes it on.
                assert_near(one, other * mirror, 1e-9, &context);
                assert!(one.z.abs() <= 1e-12, "{context}: {one}");
            }
        }
        // The cue meets only the first ball. Then the recoil of that ball gives the cue this velocity. The corners
        // leave at 30°.
        assert_near(run.velocity(15), X * cue, 1e-9, &context);
        assert_near(run.velocity(10), DVec3::new(corner, -corner / 3f64.sqrt(), 0.0), 1e-9, &context);
        nothing_closes(&run, &context);
        run.check_books(1e-12, &context);
        run.check_losses(&events, &context);
    }
}

/// No two balls of diameter 1 that touch approach each other.
fn nothing_closes(run: &Run, context: &str) {
    for a in run.free() {
        for b in 0..a {
            let offset = run.position(b) - run.position(a);
            if offset.length() < 1.0 + 1e-12 {
                let closing = (run.velocity(a) - run.velocity(b)).dot(offset);
                assert!(closing <= 1e-12, "{context}: {a} and {b} close at {closing:e} m/s");
            }
        }
    }
}

#[test]
fn a_corner_sends_a_ball_back_the_way_it_came() {
    // For independent normals nₖ, the only velocity with nₖ·v' = −e nₖ·v for all k is −e v.
    let root = 0.75f64.sqrt();
    let rows: [(&str, Vec<DVec3>, DVec3); 5] = [
        ("edge", vec![X, Y], DVec3::new(-1.0, -3.0, 0.0)),
        ("corner", vec![X, Y, Z], DVec3::new(-1.0, -2.0, -0.5)),
        ("narrow wedge", vec![DVec3::new(root, 0.0, 0.5), DVec3::new(-root, 0.0, 0.5)], -Z),
        ("wide wedge", vec![DVec3::new(0.6, 0.0, 0.8), DVec3::new(-0.6, 0.0, 0.8)], -Z),
        ("funnel", [0.0, 1.0, 2.0].map(|n: f64| leaning(n * std::f64::consts::TAU / 3.0)).to_vec(), -Z),
    ];
    let views: Vec<View> = View::some().into_iter().chain([View::tilted()]).collect();
    for (name, normals, velocity) in rows {
        for (restitution, &view) in [1.0, 0.7, 0.25].into_iter().flat_map(|e| views.iter().map(move |view| (e, view))) {
            // The body touches every plane after half a second, when its centre is at the origin.
            let mut bodies: Vec<Body> = normals.iter().map(|&normal| plane(normal, -0.25)).collect();
            bodies.push(ball(0.25, 2.0).at(velocity * -0.5).moving(velocity));
            let mut run = Run::seen(view, &weightless(restitution), &bodies);
            let events = run.until(1.0);
            let context = format!("{name}, restitution {restitution}, {view:?}");
            assert_near(run.velocity(normals.len()), velocity * -restitution, 1e-14, &context);
            assert!(events.iter().all(|event| event.group == 1), "{context}: {events:?}");
            run.check_books(1e-14, &context);
            run.check_losses(&events, &context);
        }
    }
}

/// A normal at 45° to z, with the azimuth `angle`.
fn leaning(angle: f64) -> DVec3 {
    DVec3::new(angle.cos(), angle.sin(), 1.0) * 0.5f64.sqrt()
}

/// A slab lands flat on two cubes, which lie on a floor or float freely.
fn slab_on_two(gravity: f64, with_floor: bool, masses: [f64; 2]) -> (Settings, Vec<Body>) {
    // With gravity, the slab falls 1.25 m in half a second and reaches 5 m/s. Without gravity, it moves 2.5 m at 5 m/s.
    let drop = if gravity > 0.0 { 1.25 } else { 2.5 };
    let speed = if gravity > 0.0 { 0.0 } else { 5.0 };
    let mut bodies = vec![
        cuboid(DVec3::new(2.0, 0.5, 0.25), masses[0]).at(Z * (1.25 + drop)).moving(Z * -speed),
        cube(0.5, masses[1]).at(DVec3::new(-1.0, 0.0, 0.5)),
        cube(0.5, masses[1]).at(DVec3::new(1.0, 0.0, 0.5)),
    ];
    if with_floor {
        bodies.push(plane(Z, 0.0));
    }
    (settings(Z * -gravity, 1.0, 0.0), bodies)
}

#[test]
fn a_slab_lands_flat_on_two_boxes() {
    // Two impulses J with 2 v = J (1/M + 2/m): the slab has −5 + 2J/m, each cube −J/M. On a floor, the cubes bounce
    // back and meet the slab again. For equal masses the speeds are −1/3 v and 2/3 v after the first impact. The second
    // impact, with 1/3 v of approach, gives 7/9 v and 4/9 v; the energies are 49 + 2·16 of 81.
    let equal = [1.0, 1.0];
    let rows = [
        (0.0, false, equal, 5.0 / 3.0, -10.0 / 3.0),
        (0.0, false, [2.0, 1.0], 0.0, -5.0),
        (0.0, false, [1.0, 3.0], 25.0 / 7.0, -10.0 / 7.0),
        (0.0, true, equal, 35.0 / 9.0, 20.0 / 9.0),
        (10.0, true, equal, 35.0 / 9.0, 20.0 / 9.0),
    ];
    for (gravity, with_floor, masses, slab, cubes) in rows {
        for view in View::some() {
            let (settings, bodies) = slab_on_two(gravity, with_floor, masses);
            let mut run = Run::seen(view, &settings, &bodies);
            let events = run.until(0.5);
            let context = format!("gravity {gravity}, floor {with_floor}, masses {masses:?}, {view:?}");
            assert_near(run.velocity(0), Z * slab, 1e-14, &context);
            for row in [1, 2] {
                assert_near(run.velocity(row), Z * cubes, 1e-14, &context);
            }
            let impacts = of_kind(&events, EventKind::Impact);
            let group = impacts[0].group;
            assert!(impacts.iter().all(|event| event.group == group && event.time.seconds() == 0.5), "{context}");
            assert!(impacts.len() >= 2, "{context}: {events:?}");
            run.check_books(1e-14, &context);
        }
    }
}

/// Impacts of one cluster: the impacts of one instant form a group, and groups count up from 1.
fn check_groups(events: &[Event], context: &str) {
    let mut last: Option<&Event> = None;
    for event in events {
        if event.kind != EventKind::Impact {
            continue;
        }
        let wanted = match last {
            None => 1,
            Some(before) if before.time == event.time => before.group,
            Some(before) => before.group + 1,
        };
        assert_eq!(event.group, wanted, "{context}: {event:?} after {last:?}");
        last = Some(event);
    }
    assert!(last.is_some_and(|event| event.group > 2), "{context}: a few instants");
}

#[test]
fn impacts_of_one_instant_share_a_group_and_groups_count_up() {
    for restitution in [1.0, 0.9, 0.5] {
        let mut bodies: Vec<Body> = (0..5).map(|n| ball(0.5, 1.0).at(X * f64::from(n))).collect();
        bodies[0] = bodies[0].clone().at(X * -0.5).moving(X);
        bodies.extend([plane(X, -2.0), plane(-X, -6.0)]);
        let mut run = Run::new(&weightless(restitution), &bodies);
        let events = run.until(if restitution < 1.0 { 8.0 } else { 100.0 });
        let context = format!("restitution {restitution}");
        check_groups(&events, &context);
        let together = events.windows(2).filter(|two| two[0].group == two[1].group).count();
        assert!(together >= 3, "{context}: the chain is one instant");
        run.check_books(1e-12, &context);
        run.check_losses(&events, &context);
    }
}

#[test]
fn what_is_no_meeting_has_no_group() {
    let bodies = [
        plane(Z, 0.0),
        cube(0.5, 1.0).at(Z * 0.5).moving(X),
        cuboid(DVec3::ONE, 1.0).at(X * 2.0).fixed().sensor(),
        ball(0.25, 1.0).at(DVec3::new(6.0, 0.0, 0.25)),
    ];
    let mut run = Run::new(&settings(Z * -10.0, 1.0, 0.0), &bodies);
    let events = run.until(10.0);
    for kind in [EventKind::Enter, EventKind::Leave] {
        assert!(!of_kind(&events, kind).is_empty(), "no {kind}");
        assert!(of_kind(&events, kind).iter().all(|event| event.group == 0), "{kind}");
    }
    // The cube and the ball lie on the floor from the start. Then one meets the other.
    let met: Vec<_> = events.iter().filter(|event| event.group > 0).map(|event| (event.kind, event.group)).collect();
    assert_eq!(met, [(EventKind::Rest, 1), (EventKind::Rest, 2), (EventKind::Impact, 3)]);
}

#[test]
fn losses_of_the_log_are_what_the_energy_went_down_by() {
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let restitution = random.unit();
        let mut bodies = Vec::new();
        for axis in DVec3::AXES {
            bodies.extend([plane(axis, -3.0), plane(-axis, -3.0)]);
        }
        for n in 0..27 {
            let place = DVec3::new(f64::from(n % 3), f64::from(n / 3 % 3), f64::from(n / 9)) - 1.0;
            let body = if n % 2 == 0 { ball(0.5, random.between(0.1, 3.0)) } else { cube(0.4, 1.0) };
            bodies.push(body.at(place).moving(random.vector(1.0)));
        }
        let mut run = Run::new(&weightless(restitution), &bodies);
        let start = run.energy();
        let events = run.until(3.0);
        let context = format!("seed {seed}");
        let told: f64 = events.iter().map(|event| event.loss).sum();
        assert!(events.len() > 20, "{context}");
        assert!((start - run.energy() - told).abs() <= 1e-12 * start, "{context}: {told} J");
        assert!(events.iter().all(|event| event.loss >= -1e-15 * start), "{context}");
        run.check_books(1e-12, &context);
    }
}

#[test]
fn mirror_images_stay_exact() {
    let rows = [0.0, 1e-9, 1e-3, 0.1, 0.37].into_iter().flat_map(|gap| [0.0, 0.5, 1.0].map(|e| (gap, e)));
    for (gap, restitution) in rows {
        for (view, mass) in View::some().into_iter().flat_map(|view| [0.3, 1.0, 2.7].map(|mass| (view, mass))) {
            let targets = [1.0, -1.0].map(|side| ball(0.5, 1.0).at(Y * (side * (0.5 + 0.5 * gap))));
            let cue = ball(0.5, mass).at(X * -1.7).moving(X * 0.7);
            let mut run = Run::seen(view, &weightless(restitution), &[vec![cue], targets.to_vec()].concat());
            let events = run.until(10.0);
            let context = format!("gap {gap}, restitution {restitution}, mass {mass}, {view:?}");
            assert!(!events.is_empty(), "{context}");
            let [cue, one, other] = [0, 1, 2].map(|row| run.velocity(row));
            assert_eq!((cue.y, cue.z), (0.0, 0.0), "{context}: {cue}");
            assert_eq!(one, other * DVec3::new(1.0, -1.0, 1.0), "{context}");
        }
    }
}
