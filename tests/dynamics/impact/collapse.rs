//! Impacts that accumulate: inelastic collapse ends in contact, and a body without space is an error that names it.
//!
//! Three equal balls on a line collide infinitely often in a finite time if restitution is below 7 − 4√3 = 0.0718
//! (Bernu & Mazighi, *One-dimensional bounce of inelastically colliding marbles on a wall*, 1990; McNamara & Young,
//! *Inelastic collapse and clumping in a one-dimensional granular medium*, 1992). Above this limit they separate after
//! a number of impacts that depends only on the speeds.

use carom::dynamics::{Body, BodyId, Event, EventKind, Period, RunError, Settings, Space};
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::scene::{Run, View, assert_near, ball, cube, cuboid, of_kind, plane, settings};
use crate::common::{Random, is_thorough};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

fn weightless(restitution: f64) -> Settings {
    settings(DVec3::ZERO, restitution, 0.0)
}

/// Positions and velocities of three balls of diameter 1 on a line. The first two balls meet first.
const TRIOS: [([f64; 3], [f64; 3]); 4] = [
    ([0.0, 2.0, 4.5], [1.0, 0.0, -0.5]),
    ([0.0, 2.0, 3.25], [1.0, 0.0, 0.0]),
    ([0.0, 2.0, 3.25], [1.0, 0.1, 0.0]),
    ([0.0, 1.0 + 1e-3, 2.0 + 2e-3], [1.0, 0.0, 0.0]),
];

fn trio(row: usize, restitution: f64, boxes: bool, view: View) -> Run {
    let (places, speeds) = TRIOS[row];
    let body = |n: usize| {
        let body = if boxes { cube(0.5, 1.0) } else { ball(0.5, 1.0) };
        body.at(X * places[n]).moving(X * speeds[n])
    };
    Run::seen(view, &weightless(restitution), &[body(0), body(1), body(2)])
}

/// The number of impacts of three balls and their final speeds. After each impact, only the other pair can approach.
fn alone(mut speeds: [f64; 3], restitution: f64) -> (usize, [f64; 3]) {
    let (mut count, mut left) = (0, 0);
    while speeds[left] > speeds[left + 1] {
        let half = 0.5 * (1.0 + restitution) * (speeds[left] - speeds[left + 1]);
        speeds[left] -= half;
        speeds[left + 1] += half;
        (count, left) = (count + 1, 1 - left);
    }
    (count, speeds)
}

fn ended(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.kind, EventKind::Collapse | EventKind::Rest))
}

#[test]
fn three_balls_above_the_limit_meet_as_often_as_they_should() {
    for (restitution, row) in
        [0.08, 0.1, 0.2, 0.5, 0.9, 1.0].into_iter().flat_map(|e| (0..TRIOS.len()).map(move |row| (e, row)))
    {
        for (view, boxes) in View::some().into_iter().flat_map(|view| [(view, false), (view, true)]) {
            let mut run = trio(row, restitution, boxes, view);
            let context = format!("restitution {restitution}, row {row}, boxes {boxes}, {view:?}");
            let events = run.until(1000.0);
            let (count, speeds) = alone(TRIOS[row].1, restitution);
            assert_eq!(of_kind(&events, EventKind::Impact).len(), count, "{context}: {events:?}");
            assert_eq!(events.len(), count, "{context}: {events:?}");
            for (n, speed) in speeds.into_iter().enumerate() {
                assert_near(run.velocity(n), X * speed, 1e-14, &context);
            }
            run.check_books(1e-13, &context);
            run.check_losses(&events, &context);
        }
    }
}

#[test]
fn three_balls_below_the_limit_become_one() {
    for (restitution, row) in [0.02, 0.05, 0.071].into_iter().flat_map(|e| (0..TRIOS.len()).map(move |row| (e, row))) {
        for (view, boxes) in View::some().into_iter().flat_map(|view| [(view, false), (view, true)]) {
            let mut run = trio(row, restitution, boxes, view);
            let context = format!("restitution {restitution}, row {row}, boxes {boxes}, {view:?}");
            let events = run.until(100.0);
            // Each impact reduces the speeds by a factor. After about forty impacts they reach the resolution of the
            // numbers.
            assert!(events.len() < 1000, "{context}: {} events", events.len());
            assert!(ended(&events), "{context}: {events:?}");
            let common = TRIOS[row].1.iter().sum::<f64>() / 3.0;
            for n in 0..3 {
                assert_near(run.velocity(n), X * common, 1e-9, &context);
            }
            assert!(run.overlap() <= 1e-9, "{context}: {:e}", run.overlap());
            let gap = run.position(2).x - run.position(0).x - 2.0;
            assert!(gap.abs() <= 1e-6, "{context}: they are {gap:e} m apart");
            run.check_books(1e-12, &context);
            run.check_losses(&events, &context);
            assert_eq!(run.until(1000.0), [], "{context}: nothing happens to a clump");
        }
    }
}

#[test]
fn two_that_meet_a_third_from_both_sides_at_once_leave_it() {
    // Impacts at a single instant are no collapse: the middle ball stays, the outer two bounce back at e times their
    // speed.
    for restitution in [0.0, 0.05, 0.5, 1.0] {
        let body = |x: f64| ball(0.5, 1.0).at(X * (2.0 * x)).moving(X * -x);
        let mut run = Run::new(&weightless(restitution), &[body(-1.0), body(0.0), body(1.0)]);
        let events = run.until(2.0);
        for (row, speed) in [-restitution, 0.0, restitution].into_iter().enumerate() {
            assert_near(run.velocity(row), X * speed, 1e-15, &format!("restitution {restitution}: {events:?}"));
        }
    }
}

/// A row of elastic bodies in contact between two fixed ones, along x: only a velocity of zero along the row opens no
/// pair and closes none. What is across the row stays.
#[test]
fn an_elastic_row_without_room_stops_along_the_row() {
    for masses in [&[1.0][..], &[2.0, 1.0], &[1.0, 1.0, 1.0], &[3.0, 0.1, 2.0, 7.0]] {
        for (view, boxes) in View::all().into_iter().flat_map(|view| [(view, false), (view, true)]) {
            let shape = |mass: f64| if boxes { cube(0.25, mass) } else { ball(0.25, mass) };
            let across = if boxes { DVec3::new(0.0, 0.5, -0.25) } else { DVec3::ZERO };
            let wall = |x: f64| cuboid(DVec3::new(0.25, 9.0, 9.0), 1.0).at(X * x).fixed();
            let row = masses.iter().enumerate().map(|(n, &mass)| {
                let along = if n == 0 { X } else { DVec3::ZERO };
                shape(mass).at(X * (0.5 * (n + 1) as f64)).moving(along + across)
            });
            let ends = [wall(0.0), wall(0.5 * (masses.len() + 1) as f64)];
            let bodies: Vec<Body> = ends.into_iter().chain(row).collect();
            let mut run = Run::seen(view, &weightless(1.0), &bodies);
            let context = format!("{masses:?}, boxes {boxes}, {view:?}");
            let events = run.until(1.0);
            assert!(events.len() < 500, "{context}: {} events", events.len());
            assert!(ended(&events), "{context}: {events:?}");
            for n in 0..masses.len() {
                assert_near(run.velocity(n + 2), across, 1e-12, &context);
            }
            assert!(run.overlap() <= 1e-12, "{context}: {:e}", run.overlap());
            run.check_books(1e-12, &context);
        }
    }
}

/// The name of an arrangement of balls on a line, and the gap after each ball, m.
type Gaps = (&'static str, fn(usize) -> f64);

/// Eighty-eight balls on a line: all move to a wall, or the first one moves to the others.
fn line(gaps: impl Fn(usize) -> f64, wall: bool) -> Vec<Body> {
    let mut x = if wall { 1.0 } else { 0.0 };
    let mut bodies = Vec::new();
    for n in 0..88 {
        let velocity = if wall {
            -X
        } else if n == 0 {
            X
        } else {
            DVec3::ZERO
        };
        bodies.push(ball(0.5, 1.0).at(X * x).moving(velocity));
        x += 1.0 + if n == 0 && !wall { 0.5 } else { gaps(n) };
    }
    if wall {
        bodies.push(plane(X, 0.0));
    }
    bodies
}

#[test]
fn eighty_eight_balls_in_a_line_come_to_an_end() {
    let gaps: [Gaps; 3] =
        [("even", |_| 0.125), ("touching", |_| 0.0), ("random", |n| Random::new(n as u64).between(0.0, 0.3))];
    for (restitution, (name, gap)) in [0.95, 0.6, 0.2].into_iter().flat_map(|e| gaps.map(|gap| (e, gap))) {
        if restitution == 0.6 && !is_thorough() {
            continue;
        }
        for wall in [true, false] {
            let mut run = Run::new(&weightless(restitution), &line(gap, wall));
            let context = format!("restitution {restitution}, {name} gaps, wall: {wall}");
            let start = run.energy();
            let mut count = 0;
            let mut told = Vec::new();
            for look in 1..=300 {
                let events = run.until(f64::from(look));
                count += events.len();
                told.extend(events);
                assert!(run.overlap() <= 1e-9, "{context}: {:e} at {look} s", run.overlap());
            }
            println!("{context}: {count} events, {:.1e} of the energy left", run.energy() / start);
            assert!((20..1_000_000).contains(&count), "{context}: {count} events");
            assert!(run.energy() < start, "{context}");
            // The balls are still in their initial order.
            assert!((1..88).all(|n| run.position(n).x > run.position(n - 1).x + 1.0 - 1e-9), "{context}");
            run.check_books(1e-11, &context);
            run.check_losses(&told, &context);
        }
    }
}

/// A thousand balls of diameter 1 in a periodic cube, one per 5 m³. The total momentum is zero.
fn gas(restitution: f64) -> (Settings, Vec<Body>) {
    let (side, spacing) = (10, f64::cbrt(5.0));
    let mut random = Random::new(88);
    let mut velocities: Vec<DVec3> = (0..side * side * side).map(|_| random.vector(1.0)).collect();
    let mean = velocities.iter().sum::<DVec3>() / velocities.len() as f64;
    velocities.iter_mut().for_each(|velocity| *velocity -= mean);
    let bodies = velocities.into_iter().zip(0..).map(|(velocity, n)| {
        let cell = DVec3::new(f64::from(n % side), f64::from(n / side % side), f64::from(n / side / side));
        ball(0.5, 1.0).at((cell + 0.5) * spacing).moving(velocity)
    });
    let space = Space { periods: [Some(Period { min: 0.0, max: f64::from(side) * spacing }); 3], ..Space::default() };
    (Settings { space, ..weightless(restitution) }, bodies.collect())
}

#[test]
fn a_granular_gas_cools_ten_thousand_times() {
    // By Haff's law (1983) the energy decreases as 1/t², so this takes a hundred times the first free flights.
    for restitution in [0.5, 0.2] {
        let (settings, bodies) = gas(restitution);
        let mut run = Run::new(&settings, &bodies);
        let (start, mut time, mut events) = (run.energy(), 1.0, Vec::new());
        while run.energy() > 1e-4 * start {
            time *= 1.25;
            assert!(time < 1e6, "restitution {restitution}: {:e} of the energy left", run.energy() / start);
            events.extend(run.until(time));
        }
        let audit = run.stepper.audit();
        let collapses = audit.count(EventKind::Collapse) + audit.count(EventKind::Rest);
        println!("restitution {restitution}: {} events, {collapses} collapses or rests, {time:.0} s", events.len());
        // Each impact removes about (1 − e²)/6 of a ball's energy. A decrease by ln 10⁴ takes at most a hundred impacts
        // per ball.
        assert!(events.len() < 1_000_000, "{}", events.len());
        let momentum = run.stepper.balance().momentum.length();
        assert!(momentum <= 1e-12 * 1000.0, "{momentum:e}");
        assert!(audit.deepest <= 1e-9 * 0.5, "{:e}", audit.deepest);
        assert_eq!((audit.work, audit.impulse), (0.0, DVec3::ZERO));
        run.check_books(1e-12, "gas");
        run.check_losses(&events, "gas");
        let jumps = events.iter().filter(|event| matches!(event.kind, EventKind::Impact | EventKind::Collapse));
        assert!(jumps.into_iter().all(|event| event.loss >= 0.0), "none gains");
    }
}

/// A body of half width ½ between two walls. The walls start 2 m apart and approach each other.
struct Vice {
    body: Body,
    /// The speeds of the left and the right wall, m/s.
    speeds: [f64; 2],
    gravity: DVec3,
    restitution: f64,
    boxes: bool,
}

impl Vice {
    fn check(&self, view: View) {
        let [left, right] = self.speeds;
        let wall = |side: f64, speed: f64| {
            let wall = if self.boxes {
                cuboid(DVec3::new(0.5, 4.0, 4.0), 1.0).at(X * (side * 1.5))
            } else {
                plane(X * -side, -1.0)
            };
            wall.moving(X * (-side * speed)).kinematic()
        };
        let mut bodies = vec![wall(-1.0, left), self.body.clone(), wall(1.0, right)];
        if self.gravity != DVec3::ZERO {
            bodies.push(plane(Z, -0.5));
        }
        // Without loss, the impacts become more and more frequent, as the inverse of the remaining space.
        let settings = Settings { impacts_max: 10_000, ..settings(self.gravity, self.restitution, 0.0) };
        let mut run = Run::seen(view, &settings, &bodies);
        let closes = 1.0 / (left + right);
        let context = format!("{:?} {} {:?}, boxes {}, {view:?}", self.speeds, self.restitution, self.body, self.boxes);
        let error = run.stepper.advance(SimTime::from_seconds(closes + 1.0), usize::MAX);
        let error = error.err().unwrap_or_else(|| panic!("{context}: no error"));
        let RunError::Squeezed { body, time, .. } = error else { panic!("{context}: {error}") };
        assert_eq!(body, BodyId(1), "{context}");
        for id in 0..3 {
            assert!(error.to_string().contains(&format!("{:?}", BodyId(id))), "{context}: {error} does not say {id}");
        }
        let early = closes - time.seconds();
        assert!((-1e-12..=1e-6).contains(&early), "{context}: {early:e} s before the walls leave no room");
    }
}

#[test]
fn a_body_between_closing_walls_is_squeezed_when_they_leave_it_no_room() {
    let bodies = [
        ball(0.5, 1.0).at(X * 0.25).moving(X * 0.3),
        ball(0.5, 3.0).at(X * -0.1),
        ball(0.5, 1.0),
        cube(0.5, 1.0).at(X * 0.25).moving(X * -0.5),
    ];
    for (restitution, speeds) in
        [1.0, 0.5, 0.0].into_iter().flat_map(|e| [[1.0, 1.0], [2.0, 0.25], [0.5, 1.5]].map(|s| (e, s)))
    {
        for (body, boxes) in bodies.iter().flat_map(|body| [(body, false), (body, true)]) {
            for gravity in [DVec3::ZERO, Z * -10.0] {
                let vice = Vice { body: body.clone(), speeds, gravity, restitution, boxes };
                View::some().into_iter().take(3).for_each(|view| vice.check(view));
            }
        }
    }
}
