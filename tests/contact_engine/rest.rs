//! Heaps come to rest: bodies are still to the bit, touch each other, and carry their weight. A disturbance elsewhere
//! does not wake them.

use carom::dynamics::{Body, BodyId, EventKind, Settings, State, Stepper};
use carom::geometry::Mesh;
use carom::motion::SimTime;
use glam::DVec3;

use crate::common::scene::STUFF;
use crate::common::{Random, is_thorough};
use crate::geometry::{gap, half_edges};
use crate::scene::{Mix, Recipe, X, Y, Z, bits, chamber, moved, states, written};

/// Longest time in which a heap must come to rest, s.
const PATIENCE: u32 = 40;

/// The impulse of a minute is a sum over many events and steps, each with a rounding error. The test takes the
/// difference over one second.
const ROUNDING: f64 = 1e-9;

fn recipe(mix: Mix, restitution: f64, friction: f64) -> Recipe {
    Recipe { mix, count: 30, half: 0.1, widths: 1.5, masses: 3.0, restitution, friction, turning: 0.0, speed: 0.5 }
}

/// A ball may keep a spin up to this size, rad/s, if no friction resists it.
const SPIN_MAX: f64 = 1e-9;

fn still(bodies: &[Body], states: &[State]) -> bool {
    let moves = |state: &State| state.velocity != DVec3::ZERO || state.spin.length() > SPIN_MAX;
    !bodies.iter().zip(states).any(|(body, state)| body.is_free() && moves(state))
}

fn same(one: &[State], other: &[State]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| bits(one) == bits(other))
}

fn go_to(stepper: &mut Stepper, seconds: f64) -> usize {
    stepper.advance(SimTime::from_seconds(seconds), usize::MAX).unwrap_or_else(|error| panic!("{error}"));
    stepper.take_events().len()
}

/// Advances in steps of one second until nothing moves and no event occurs for a second. Returns that time.
fn settled(stepper: &mut Stepper, bodies: &[Body]) -> Result<f64, String> {
    let mut before = states(stepper);
    for second in 1..=PATIENCE {
        let events = go_to(stepper, f64::from(second));
        let now = states(stepper);
        if events == 0 && still(bodies, &now) && same(&before, &now) {
            return Ok(f64::from(second));
        }
        before = now;
    }
    let most = |of: fn(&State) -> DVec3| {
        let sizes =
            || before.iter().zip(bodies).filter(|(_, body)| body.is_free()).map(|(state, _)| of(state).length());
        (sizes().filter(|&size| size > 0.0).count(), sizes().fold(0.0, f64::max))
    };
    let ((moving, speed), (turning, spin)) = (most(|state| state.velocity), most(|state| state.spin));
    Err(format!(
        "not at rest after {PATIENCE} s: {moving} move at up to {speed:.1e} m/s, {turning} turn at {spin:.1e} rad/s"
    ))
}

/// The gap of each free body to its nearest neighbour, sorted.
fn gaps(bodies: &[Body], states: &[State]) -> Vec<f64> {
    let least = |row: usize| {
        let others = (0..bodies.len()).filter(|&other| other != row);
        let gap = |other: usize| gap((&bodies[row], states[row].position), (&bodies[other], states[other].position)).0;
        others.map(gap).fold(f64::INFINITY, f64::min)
    };
    let mut gaps: Vec<f64> = (0..bodies.len()).filter(|&row| bodies[row].is_free()).map(least).collect();
    gaps.sort_by(f64::total_cmp);
    gaps
}

/// The faults of a heap, on the way to rest and at rest.
fn faults_of(settings: &Settings, bodies: &[Body], name: &str) -> Vec<String> {
    let mut stepper = Stepper::new(settings.clone(), bodies).expect("a valid start");
    let mut faults = Vec::new();
    let seconds = match settled(&mut stepper, bodies) {
        Ok(seconds) => seconds,
        Err(fault) => {
            println!("{name}: {fault}");
            return vec![fault];
        }
    };
    let asleep = states(&stepper);
    let resists = settings.materials.rolling_friction(STUFF, STUFF) > 0.0;
    if resists && asleep.iter().any(|state| state.spin != DVec3::ZERO) {
        faults.push("balls turn although friction resists it".to_owned());
    }
    let gaps = gaps(bodies, &asleep);
    let (median, most) = (gaps[gaps.len() / 2], gaps[gaps.len() * 95 / 100]);
    println!(
        "{name}: at rest after {seconds} s, gaps: median {median:.1e} m, 95 % {most:.1e} m, {:.1e} m",
        gaps.last().unwrap()
    );
    // The limit for the 95th percentile also holds for the median.
    if most > 0.5 * settings.rest_height {
        faults.push(format!("gaps: median {median:e} m, 95 % {most:e} m"));
    }
    // Over one second, the impulse from outside must balance that of the total weight.
    let before = stepper.audit().impulse;
    go_to(&mut stepper, seconds + 1.0);
    let carried = stepper.audit().impulse - before;
    let weight = settings.gravity * stepper.balance().mass;
    let off = (carried + weight).length() / weight.length();
    if off > ROUNDING {
        faults.push(format!("the supports carry {carried} N of {weight} N, off by {off:e}"));
    }
    // The heap sleeps for ten seconds in steps, and for a hundred more in one step.
    let mut events = 0;
    for step in 1..=600 {
        events += go_to(&mut stepper, seconds + 1.0 + f64::from(step) / 60.0);
    }
    events += go_to(&mut stepper, seconds + 111.0);
    if events > 0 || !same(&asleep, &states(&stepper)) {
        faults.push(format!("{events} events while it sleeps"));
    }
    if stepper.audit().count(EventKind::Rest) == 0 {
        faults.push("nothing in the log says that anything rests".to_owned());
    }
    faults
}

/// Bodies above an inverted pyramid of half-spaces. On a level floor, a smooth body slides for ever, and a rough ball
/// rolls or spins about the vertical for ever. Here the slopes push the balls together.
fn hopper(recipe: &Recipe, random: &mut Random) -> Vec<Body> {
    let wide = 3;
    let lean = |x: f64, y: f64| Body::plane(DVec3::new(0.6 * x, 0.6 * y, 0.8), 0.0).unwrap().made_of(STUFF);
    let mut bodies = vec![lean(1.0, 0.0), lean(-1.0, 0.0), lean(0.0, 1.0), lean(0.0, -1.0)];
    // The slopes rise by 3 : 4 up to the corner of the lattice.
    let above = 0.75 * 0.5 * wide as f64 * recipe.cell() + recipe.half;
    bodies.extend(recipe.poured(random, wide, Z * above));
    bodies
}

fn check(name: &str, recipe: &Recipe, bodies: &[Body]) {
    let (settings, title) = (recipe.settings(), format!("{name}: {recipe}"));
    let faults = faults_of(&settings, bodies, &title);
    if !faults.is_empty() {
        let file = written(&format!("rest_{name}"), &title, &settings, bodies, f64::from(PATIENCE));
        panic!("{title}:\n  {}\n  {}", faults.join("\n  "), file.display());
    }
}

fn check_hopper(name: &str, recipe: &Recipe) {
    check(name, recipe, &hopper(recipe, &mut Random::new(name.len() as u64)));
}

#[test]
fn smooth_balls_come_to_rest() {
    check_hopper("smooth_balls", &recipe(Mix::Balls, 0.3, 0.0));
}

#[test]
fn smooth_balls_that_bounce_come_to_rest() {
    check_hopper("bouncing_balls", &recipe(Mix::Balls, 0.8, 0.0));
}

#[test]
fn rough_balls_come_to_rest() {
    check_hopper("rough_balls", &recipe(Mix::Balls, 0.3, 0.5));
}

#[test]
fn rough_balls_and_boxes_come_to_rest() {
    check_hopper("rough_balls_and_boxes", &recipe(Mix::Both, 0.0, 0.8));
}

#[test]
fn rough_boxes_come_to_rest_on_slopes() {
    check_hopper("rough_boxes_on_slopes", &recipe(Mix::Boxes, 0.3, 0.5));
}

/// Boxes do not rotate, so friction stops them on a level floor.
#[test]
fn rough_boxes_come_to_rest_on_a_floor() {
    let recipe = recipe(Mix::Boxes, 0.3, 0.5);
    check("rough_boxes_on_a_floor", &recipe, &recipe.heap(&mut Random::new(4), 3));
}

/// With rolling and spinning friction, balls come to rest on a level floor too, and lose all spin. Without it, most
/// balls in a single layer still roll after [`PATIENCE`].
#[test]
fn balls_that_do_not_roll_on_come_to_rest_on_a_floor() {
    let recipe = Recipe { count: 100, turning: 1e-3, speed: 1.0, ..recipe(Mix::Balls, 0.3, 0.5) };
    check("balls_on_a_floor", &recipe, &recipe.heap(&mut Random::new(6), 12));
}

/// A narrow shaft, in which each ball leans on a wall.
#[test]
fn a_column_of_balls_in_a_shaft_comes_to_rest() {
    let recipe = Recipe { count: 10, widths: 1.2, ..recipe(Mix::Balls, 0.5, 0.3) };
    check("shaft", &recipe, &recipe.heap(&mut Random::new(7), 1));
}

/// An open box: a level floor and four upright walls, as a mesh.
fn tray(half: f64, height: f64) -> Body {
    let corner = |place: u32| {
        let side = |bit: u32| if place & bit == 0 { -half } else { half };
        DVec3::new(side(1), side(2), if place & 4 == 0 { 0.0 } else { height })
    };
    let quads = [[0, 1, 3, 2], [0, 4, 5, 1], [1, 5, 7, 3], [3, 7, 6, 2], [2, 6, 4, 0]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Body::mesh(Mesh::new(&(0..8).map(corner).collect::<Vec<_>>(), &triangles).unwrap())
}

/// Sleeping bodies are a few nanometres away from the facets that support them.
#[test]
fn a_heap_in_a_mesh_sleeps_on() {
    for (mix, seed) in [(Mix::Balls, 8), (Mix::Both, 9), (Mix::Boxes, 3)] {
        let recipe = Recipe { count: 90, turning: 1e-3, ..recipe(mix, 0.3, 0.5) };
        let mut bodies = vec![tray(1.5 * recipe.cell(), 5.0).made_of(STUFF)];
        bodies.extend(recipe.poured(&mut Random::new(seed), 3, Z * recipe.half));
        let mut stepper = Stepper::new(recipe.settings(), &bodies).expect("a valid start");
        let seconds = settled(&mut stepper, &bodies).unwrap_or_else(|fault| panic!("{recipe}: {fault}"));
        let slept = |stepper: &Stepper| stepper.audit().count(EventKind::Sleep);
        let (before, asleep) = (slept(&stepper), states(&stepper));
        assert_eq!(before > 0, mix != Mix::Boxes, "{recipe}: time steps only with round bodies");
        let events = go_to(&mut stepper, seconds + 100.0);
        assert!(events == 0 && same(&asleep, &states(&stepper)), "{recipe}: {events} events while they sleep");
    }
}

/// Many random heaps come to rest. The short form of the tests runs two of them.
#[test]
fn many_heaps_come_to_rest() {
    let count = if is_thorough() { 60 } else { 2 };
    let mut faults = Vec::new();
    for seed in 100..100 + count {
        let mut random = Random::new(seed);
        let mix = Mix::ALL[random.below(3)];
        // A smooth box may slide off another one at any low speed.
        let smooth = mix == Mix::Balls && random.below(2) == 0;
        let friction = if smooth { 0.0 } else { random.between(0.2, 1.2) };
        // A ball may roll between a slope and the edge of a box for any time.
        let turning = if mix == Mix::Both { 1e-3 } else { 0.0 };
        let recipe = Recipe {
            count: 2 + random.below(60),
            widths: random.between(1.0, 5.0),
            masses: random.between(1.0, 100.0),
            turning,
            ..recipe(mix, random.between(0.0, 0.9), friction)
        };
        let name = format!("{seed}: {recipe}");
        let (settings, bodies) = (recipe.settings(), hopper(&recipe, &mut random));
        let found = faults_of(&settings, &bodies, &name);
        if !found.is_empty() {
            let file = written(&format!("rest_{seed}"), &name, &settings, &bodies, f64::from(PATIENCE));
            println!("{}", file.display());
        }
        faults.extend(found.into_iter().map(|fault| format!("{name}: {fault}")));
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// A chamber with four fixed balls as its floor. They keep the balls off the level ground below, where these could roll
/// for ever.
fn uneven(recipe: &Recipe, random: &mut Random, place: DVec3) -> Vec<Body> {
    let mut bodies = chamber(DVec3::new(recipe.cell(), recipe.cell(), recipe.layers(2) as f64 * recipe.cell()), STUFF);
    let ball = Body::sphere(recipe.half, 1.0).unwrap().made_of(STUFF).fixed();
    for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)] {
        bodies.push(ball.clone().at((X * x + Y * y) * recipe.cell() + Z * (0.3 * recipe.half)));
    }
    bodies.extend(recipe.poured(random, 2, Z * (1.3 * recipe.half)));
    moved(bodies, place)
}

/// Two heaps and a single ball sleep, each in its own chamber. A ball that falls on the first heap does not wake the
/// others.
#[test]
fn a_ball_wakes_what_it_falls_on_and_nothing_else() {
    let mut faults = Vec::new();
    let kinds = [(Mix::Balls, 0.0), (Mix::Balls, 0.4), (Mix::Both, 0.4), (Mix::Boxes, 0.4)];
    let mut asleep_of = [0; 4];
    for (seed, kind) in (21..29).flat_map(|seed| (0..4).map(move |kind| (seed, kind))) {
        if asleep_of[kind] > 0 {
            continue;
        }
        let ((mix, friction), count) = (kinds[kind], if is_thorough() { 20 } else { 12 });
        let recipe = Recipe { count, ..recipe(mix, 0.3, friction) };
        let heap = |n: u64| uneven(&recipe, &mut Random::new(seed + 10 * n), X * (2.0 * n as f64));
        let one = Recipe { count: 1, mix: Mix::Balls, ..recipe.clone() };
        let lone = uneven(&one, &mut Random::new(seed), X * 4.0);
        let (first, second) = (heap(0), heap(1));
        let bodies = [first.clone(), second.clone(), lone].concat();
        let mut stepper = Stepper::new(recipe.settings(), &bodies).expect("a valid start");
        let name = format!("seed {seed}, {mix:?}");
        // A heap in which a ball keeps turning does not sleep: take the next seed.
        let Ok(seconds) = settled(&mut stepper, &bodies) else { continue };
        asleep_of[kind] += 1;
        let asleep = states(&stepper);
        let top = |row: usize| asleep[row].position.z + half_edges(&bodies[row]).z;
        let highest = (0..first.len()).filter(|&row| bodies[row].is_free()).map(top).fold(0.0, f64::max);
        let ball = Body::sphere(0.1, 1.0).unwrap().made_of(STUFF).at(Z * (highest + 0.15)).moving(Z * -1.0);
        let ball = stepper.spawn(&ball).expect("there is room above the heap");
        let others = first.len()..bodies.len();
        let (mut events, mut touched) = (0, 0);
        for step in 1..=120 {
            stepper.advance(SimTime::from_seconds(seconds + f64::from(step) / 60.0), usize::MAX).unwrap();
            for event in stepper.take_events() {
                let of_others = |id: BodyId| others.contains(&id.index());
                touched += usize::from(event.a == ball || event.b == ball);
                events += usize::from(of_others(event.a) || of_others(event.b));
            }
            let now = states(&stepper);
            if events > 0 || !same(&asleep[others.clone()], &now[others.clone()]) {
                faults.push(format!("{name}: step {step}: another heap woke up, with {events} events"));
                break;
            }
        }
        if touched == 0 {
            faults.push(format!("{name}: the ball touched nothing"));
        }
    }
    assert_eq!(asleep_of, [1; 4], "heaps of each kind that came to rest");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
