//! The event log, compared with a simulator that is too simple to have the same errors.
//!
//! [`Oracle`] tests every pair, every image and every body at every event, takes the earliest event, and starts again.
//! It has no domains, no neighbour lists, no queue and no versions of predictions. It finds impacts from its own
//! quadratics, in a frame of time that starts at the last event. Its bodies bounce but never come to rest: these scenes
//! test the search for events, not rest.
//!
//! Two logs are compared until rounding errors, amplified by impacts, may exceed the interval between two events. Each
//! impact may multiply an error by the free path over the radius of curvature.

use carom::dynamics::{Body, EventKind, Motion, Period, Response, Settings, Space};
use carom::geometry::Shape;
use carom::motion::Relative;
use carom::motion::SimTime;
use carom::sweep::{normal_at_entry, pieces, rates_along};
use carom::world::World;
use glam::DVec3;

use crate::common::{Random, is_thorough, solid};

const X: DVec3 = DVec3::X;
const Z: DVec3 = DVec3::Z;

#[derive(Debug, Clone)]
struct Item {
    body: Body,
    position: DVec3,
    velocity: DVec3,
    inverse_mass: f64,
}

/// The data in which the two simulators must agree, and data for the bounds.
#[derive(Debug, Clone, Copy)]
struct Line {
    time: f64,
    kind: EventKind,
    a: usize,
    b: usize,
    /// Approach speed, m/s.
    speed: f64,
    /// The factor by which the event multiplies an error of the positions.
    growth: f64,
    /// A bound of the distance that any body has moved, m. Rounding errors of positions scale with it.
    way: f64,
}

struct Oracle {
    now: f64,
    gravity: DVec3,
    space: Space,
    items: Vec<Item>,
    /// The pair of the last event. Its contact is not a new event unless the bodies approach each other.
    just_met: Option<(usize, usize, [i32; 3])>,
    inside: Vec<(usize, usize, [i32; 3])>,
}

impl Oracle {
    fn new(settings: &Settings, bodies: &[Body]) -> Self {
        let item = |body: &Body| {
            let inverse_mass = if let Motion::Free(mass) = body.motion { 1.0 / mass.get() } else { 0.0 };
            Item { body: body.clone(), position: body.position, velocity: body.velocity, inverse_mass }
        };
        let items = bodies.iter().map(item).collect();
        Self { now: 0.0, gravity: settings.gravity, space: settings.space, items, just_met: None, inside: Vec::new() }
    }

    fn acceleration(&self, row: usize) -> DVec3 {
        if self.items[row].inverse_mass > 0.0 { self.gravity } else { DVec3::ZERO }
    }

    /// The images of `b` that `a` may meet within `span` seconds, as shifts of `b`.
    fn images(&self, a: usize, b: usize, span: f64) -> Vec<[i32; 3]> {
        let motion = self.motion(a, b, [0; 3]);
        let shapes = [a, b].map(|row| &self.items[row].body.shape);
        if shapes.iter().any(|shape| matches!(shape, Shape::Plane(_))) {
            return vec![[0; 3]];
        }
        let reach = shapes[0].half_extents() + shapes[1].half_extents();
        let mut shifts = vec![[0; 3]];
        for axis in 0..3 {
            let curve = 0.5 * motion.acceleration[axis].abs() * span * span + 1e-9;
            let (from, to) = (motion.position[axis], motion.position[axis] + motion.velocity[axis] * span);
            let (low, high) = (from.min(to) - curve - reach[axis], from.max(to) + curve + reach[axis]);
            // The image k is in reach if [low, high] + k L contains 0.
            let range = match self.space.periods[axis] {
                Some(period) => (-high / period.length()).ceil() as i32..=(-low / period.length()).floor() as i32,
                None if low <= 0.0 && high >= 0.0 => 0..=0,
                None => return Vec::new(),
            };
            shifts = shifts
                .iter()
                .flat_map(|&[x, y, z]| {
                    range.clone().map(move |k| match axis {
                        0 => [k, y, z],
                        1 => [x, k, z],
                        _ => [x, y, k],
                    })
                })
                .collect();
        }
        shifts
    }

    fn motion(&self, a: usize, b: usize, image: [i32; 3]) -> Relative {
        let (x, y) = (&self.items[a], &self.items[b]);
        Relative {
            position: y.position - x.position + self.space.shift(image),
            velocity: y.velocity - x.velocity,
            acceleration: self.acceleration(b) - self.acceleration(a),
        }
    }

    /// The next event of a pair: seconds from now, kind, normal from `a` to `b`.
    fn next_of(&self, a: usize, b: usize, image: [i32; 3]) -> Option<(f64, EventKind, DVec3)> {
        let (x, y) = (&self.items[a].body, &self.items[b].body);
        let motion = self.motion(a, b, image);
        let found = pieces(solid(&x.shape), solid(&y.shape), &motion);
        let sensed = x.response == Response::Sense || y.response == Response::Sense;
        let key = (a, b, image);
        if sensed && self.inside.contains(&key) {
            let leave = found.as_slice().iter().map(|piece| piece.leave).find(|&leave| leave > 0.0).unwrap_or(0.0);
            return leave.is_finite().then_some((leave, EventKind::Leave, X));
        }
        for piece in found.as_slice().iter().filter(|piece| piece.leave > 0.0) {
            // The last event is at the start or at the end of a piece, to rounding.
            if self.just_met == Some(key) && piece.enter <= 1e-9 * piece.leave.min(1.0) {
                let normal = carom::geometry::gap(solid(&x.shape), solid(&y.shape), motion.position).unwrap().normal;
                let rates = rates_along(solid(&x.shape), solid(&y.shape), &motion, normal);
                if rates.speed >= 0.0 || sensed {
                    continue;
                }
            }
            let enter = piece.enter.max(0.0);
            let normal = if piece.enter < 0.0 {
                let gap = carom::geometry::gap(solid(&x.shape), solid(&y.shape), motion.position).unwrap();
                if !sensed && gap.normal.dot(motion.velocity) >= 0.0 {
                    continue;
                }
                gap.normal
            } else {
                normal_at_entry(solid(&x.shape), solid(&y.shape), &motion, *piece)
            };
            let kind = if sensed { EventKind::Enter } else { EventKind::Impact };
            return Some((enter, kind, normal));
        }
        None
    }

    fn deals(&self, a: usize, b: usize) -> bool {
        let (x, y) = (&self.items[a].body, &self.items[b].body);
        let planes = matches!((&x.shape, &y.shape), (Shape::Plane(_), Shape::Plane(_)));
        let senses = [x, y].map(|body| body.response == Response::Sense);
        match senses {
            _ if planes => false,
            [true, true] => false,
            [false, false] => x.is_free() || y.is_free(),
            _ => x.motion != Motion::Fixed || y.motion != Motion::Fixed,
        }
    }

    /// The earliest event within `span` seconds.
    fn next(&self, span: f64) -> Option<(f64, EventKind, DVec3, usize, usize, [i32; 3])> {
        let mut best: Option<(f64, EventKind, DVec3, usize, usize, [i32; 3])> = None;
        for b in 0..self.items.len() {
            for a in (0..b).filter(|&a| self.deals(a, b)) {
                for image in self.images(a, b, span) {
                    let Some((time, kind, normal)) = self.next_of(a, b, image) else { continue };
                    if time <= span && best.is_none_or(|found| time < found.0) {
                        best = Some((time, kind, normal, a, b, image));
                    }
                }
            }
        }
        best
    }

    fn advance(&mut self, span: f64) {
        self.now += span;
        for row in 0..self.items.len() {
            let acceleration = self.acceleration(row);
            let item = &mut self.items[row];
            item.position += (item.velocity + acceleration * (0.5 * span)) * span;
            item.velocity += acceleration * span;
        }
    }

    /// The events until `end`, at most `count` of them, with at most `looks` searches. Each search covers a path of
    /// about half a metre, so that only a few images are in reach.
    fn run(&mut self, end: f64, count: usize, looks: usize) -> Vec<Line> {
        let mut log = Vec::new();
        let mut way = 1.0;
        for _ in 0..looks {
            if self.now >= end || log.len() >= count {
                break;
            }
            let fastest = self.items.iter().map(|item| item.velocity.length()).fold(0.0, f64::max);
            let window = 0.5 / (fastest + self.gravity.length().sqrt() + 1e-3);
            let span = window.min(end - self.now);
            // The resolution of the world's clock is half an ulp of 1 s.
            way += fastest * window + fastest / 64.0;
            let Some((time, kind, normal, a, b, image)) = self.next(span) else {
                self.advance(span);
                continue;
            };
            self.advance(time);
            let key = (a, b, image);
            let speed = (self.items[a].velocity - self.items[b].velocity).dot(normal);
            let growth = self.growth(a, b, speed);
            match kind {
                EventKind::Enter => self.inside.push(key),
                EventKind::Leave => self.inside.retain(|other| *other != key),
                _ => self.collide(a, b, normal, speed),
            }
            self.just_met = Some(key);
            log.push(Line { time: self.now, kind, a, b, speed, growth, way });
        }
        log
    }

    /// An error e of the point of impact turns the normal by e/ρ, with ρ the radius of curvature. At a glancing impact,
    /// the error is larger by the speed over the approach speed. The next free path is a few metres.
    fn growth(&self, a: usize, b: usize, speed: f64) -> f64 {
        let radius = |row: usize| match self.items[row].body.shape {
            Shape::Sphere(radius) => Some(radius.get()),
            _ => None,
        };
        let curvature = match (radius(a), radius(b)) {
            (Some(a), Some(b)) => 1.0 / (a + b),
            (Some(r), None) | (None, Some(r)) => 1.0 / r,
            (None, None) => 0.0,
        };
        let total = (self.items[a].velocity - self.items[b].velocity).length();
        2.0 + 8.0 * curvature * (total / speed.abs()).min(1e12)
    }

    fn collide(&mut self, a: usize, b: usize, normal: DVec3, speed: f64) {
        let compliance = self.items[a].inverse_mass + self.items[b].inverse_mass;
        let impulse = normal * (2.0 * speed / compliance);
        let shares = [self.items[a].inverse_mass, self.items[b].inverse_mass];
        self.items[a].velocity -= impulse * shares[0];
        self.items[b].velocity += impulse * shares[1];
    }
}

/// The event log of the world; in each event the smaller id comes first.
fn log_of(settings: &Settings, bodies: &[Body], end: f64, count: usize) -> Vec<Line> {
    let named = bodies.iter().enumerate().map(|(row, body)| (format!("b{row:03}"), body.clone()));
    let mut world = World::new(settings.clone(), named).expect("a valid start");
    world.advance(SimTime::from_seconds(end), count).expect("a run without error");
    let events = world.take_events();
    let line = |event: &carom::dynamics::Event| Line {
        time: event.time.seconds(),
        kind: event.kind,
        a: event.a.min(event.b).index(),
        b: event.a.max(event.b).index(),
        speed: event.approach_speed,
        growth: 1.0,
        way: 0.0,
    };
    events.iter().map(line).collect()
}

/// Compares two logs while the error of the positions is below 1e-7 m. It is 64 roundings of the path, multiplied by
/// the impacts. The error allowed for a time is this error over the approach speed, plus its rounding.
fn compare(name: &str, ours: &[Line], wanted: &[Line]) -> usize {
    let mut error: f64 = 0.0;
    let slack = |line: &Line, error: f64| error / line.speed.abs() + 64.0 * f64::EPSILON * line.time;
    for (row, line) in wanted.iter().enumerate() {
        error = error.max(64.0 * f64::EPSILON * line.way);
        // Two events that are closer than the error may be in either order, and so may all later events.
        let slack = slack(line, error);
        let tied = wanted.get(row + 1).is_some_and(|next| next.time - line.time <= 2.0 * slack);
        if error > 1e-7 || slack > 1e-3 * line.time || tied {
            return row;
        }
        let Some(found) = ours.get(row) else { panic!("{name}: event {row} is missing: {line:?}") };
        let same = (found.kind, found.a, found.b) == (line.kind, line.a, line.b);
        let close = (found.time - line.time).abs() <= slack;
        assert!(same && close, "{name}: event {row} is {found:?}, wanted {line:?}, slack {slack:e}");
        error *= line.growth;
    }
    wanted.len()
}

fn any_shape(random: &mut Random, size: f64) -> Body {
    let body = if random.unit() < 0.5 {
        Body::sphere(size, size * size * size)
    } else {
        let half = DVec3::new(random.between(0.3, 1.0), random.between(0.3, 1.0), random.between(0.3, 1.0));
        Body::cuboid(half * size, size * size * size)
    };
    body.unwrap()
}

/// Up to twelve bodies in a room or a periodic cell of edge 2 around the origin.
fn scene(seed: u64) -> (Settings, Vec<Body>) {
    let mut random = Random::new(seed);
    let gravity = match seed % 4 {
        0 | 1 => DVec3::ZERO,
        2 => Z * -10.0,
        _ => random.vector(5.0),
    };
    let periodic: [bool; 3] = std::array::from_fn(|_| random.unit() < 0.5);
    let period = |on: bool| on.then_some(Period { min: -1.0, max: 1.0 });
    let space = Space { periods: periodic.map(period), ..Space::default() };
    let mut bodies = Vec::new();
    for axis in (0..3).filter(|&axis| !periodic[axis]) {
        bodies.push(Body::plane(DVec3::AXES[axis], -1.0).unwrap());
        bodies.push(Body::plane(-DVec3::AXES[axis], -1.0).unwrap());
    }
    let count = 5 + (random.unit() * 8.0) as usize;
    let mut attempts = 0;
    while bodies.len() < count + 6 && attempts < 1000 {
        attempts += 1;
        let size = 0.3 * 10f64.powf(random.between(-3.0, 0.0));
        let body = any_shape(&mut random, size);
        let speed = 10f64.powf(random.between(-3.0, 3.0) * f64::from(u8::from(seed.is_multiple_of(3))));
        let body = body.at(random.vector(1.0 - size)).moving(random.vector(1.0) * speed);
        let body = match (random.unit() * 10.0) as u32 {
            0 => body.fixed(),
            1 if periodic == [true; 3] => body.kinematic(),
            2 => body.fixed().sensor(),
            3 => body.sensor(),
            _ => body,
        };
        if bodies.iter().all(|other| apart(&body, other, &space)) {
            bodies.push(body);
        }
    }
    (Settings { gravity, space, ..Settings::default() }, bodies)
}

/// Whether no image of `b` overlaps `a`.
fn apart(a: &Body, b: &Body, space: &Space) -> bool {
    let steps = |axis: usize| if space.periods[axis].is_some() { -1..=1 } else { 0..=0 };
    steps(0).all(|x| {
        steps(1).all(|y| {
            steps(2).all(|z| {
                let shift = if matches!(b.shape, Shape::Plane(_)) { DVec3::ZERO } else { space.shift([x, y, z]) };
                let offset = b.position - a.position + shift;
                carom::geometry::gap(solid(&a.shape), solid(&b.shape), offset).is_none_or(|gap| gap.separation > 1e-3)
            })
        })
    })
}

#[test]
fn random_scenes_give_the_log_of_the_brute_force() {
    let mut compared = 0;
    for seed in 0..900 {
        let (settings, bodies) = scene(seed);
        let fastest = bodies.iter().map(|body| body.velocity.length()).fold(0.1, f64::max);
        let end = 100.0 / fastest;
        let ours = log_of(&settings, &bodies, end, 60);
        let wanted = Oracle::new(&settings, &bodies).run(end, 40, 400);
        compared += compare(&format!("seed {seed}"), &ours, &wanted);
    }

    assert!(compared > 4_000, "{compared}");
}

#[test]
fn a_bullet_through_a_lattice_meets_what_it_should() {
    let mut compared = 0;
    let seeds = if is_thorough() { 120 } else { 30 };
    for seed in 0..seeds {
        let mut random = Random::new(1000 + seed);
        let speed = 10f64.powf(random.between(-3.0, 6.0));
        let mut bodies = Vec::new();
        for n in 0..125 {
            let place = DVec3::new(f64::from(n % 5), f64::from(n / 5 % 5), f64::from(n / 25)) - 2.0;
            let post = Body::sphere(0.08, 1.0).unwrap().at(place);
            bodies.push(if n % 3 == 0 { post.fixed() } else { post });
        }
        let direction = random.vector(1.0).normalize();
        let bullet = Body::sphere(10f64.powf(random.between(-4.0, -2.0)), 1e-3).unwrap();
        bodies.push(bullet.at(DVec3::splat(0.5)).moving(direction * speed));
        let space = Space { periods: [Some(Period { min: -2.5, max: 2.5 }); 3], ..Space::default() };
        let settings = Settings { space, ..Settings::default() };
        let end = 100.0 / speed;
        let ours = log_of(&settings, &bodies, end, 8);
        let wanted = Oracle::new(&settings, &bodies).run(end, 8, 400);
        compared += compare(&format!("lattice {seed}"), &ours, &wanted);
    }
    assert!(compared > seeds as usize, "{compared}");
}

#[test]
fn a_long_flight_ends_where_it_should() {
    // 1 km to 1000 km past other balls to a ball of radius 1 m: hundreds of thousands of first domains.
    for (row, distance) in [1e3, 1e4, 1e5, 1e6].into_iter().enumerate() {
        for speed in [1e-3, 1.0, 1e6] {
            let bullet = Body::sphere(1e-3, 1.0).unwrap().moving(X * speed);
            let target = Body::sphere(1.0, 1.0).unwrap().at(X * distance);
            let beside = |n: u32| Body::sphere(0.5, 1.0).unwrap().at(X * (distance * f64::from(n) / 9.0) + Z * 0.6);
            let mut bodies = vec![bullet, target];
            bodies.extend((1..9).map(|n| beside(n).fixed()));
            let log = log_of(&Settings::default(), &bodies, 2.0 * distance / speed, 2);
            assert_eq!(log.len(), 1, "row {row} at {speed} m/s");
            let wanted = (distance - 1.001) / speed;
            assert!((log[0].time - wanted).abs() <= 4.0 * f64::EPSILON * wanted, "{} for {wanted}", log[0].time);
        }
    }
}
