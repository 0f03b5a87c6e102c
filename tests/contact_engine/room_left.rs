//! Whether bodies between moving walls have any space left, decided independently by least squares.
//!
//! Bodies that touch may move at velocities v with n·(v_b − v_a) ≥ 0 for each contact. The velocities of walls are
//! given. If no velocities of the free bodies meet all of these conditions, an overlap follows at once, whatever the
//! forces are: a gap between two convex bodies that closes to first order closes. The method minimizes ½ Σ max(0,
//! −n·(v_b − v_a))² by Newton's method (Mangasarian, *A finite Newton method for classification*, 2002). A small term ½
//! δ v² makes the solution unique.
//!
//! Forces play no role. If friction wedges a ball that has space to move, that is not a squeeze.

use carom::dynamics::{Body, State};
use glam::DVec3;

use crate::geometry::{gap, half_width, pairs};

/// Bodies touch if their gap, divided by the half width of the smaller one, is at most this.
const TOUCH: f64 = 1e-3;

/// There is no space if contacts must close at more than this fraction of the speed of the walls.
const CLOSING: f64 = 1e-3;

/// Makes the problem positive definite.
const DELTA: f64 = 1e-10;

struct Touch {
    a: usize,
    b: usize,
    normal: DVec3,
}

/// Returns why `body` is not squeezed between walls, or `None` if it is.
pub(crate) fn room_of(bodies: &[Body], states: &[State], body: usize, supports: [usize; 2]) -> Option<String> {
    let touches = touches(bodies, states);
    let island = island(bodies, &touches, body);
    let own: Vec<Touch> = touches.into_iter().filter(|touch| island[touch.a] || island[touch.b]).collect();
    let held = |row: usize| !bodies[row].is_free();
    let ends = || own.iter().flat_map(|touch| [touch.a, touch.b]).filter(|&row| held(row));
    let speed = ends().map(|row| states[row].velocity.length()).fold(0.0, f64::max);
    let closing = least_closing(bodies, states, &own);
    if closing <= CLOSING * speed {
        let count = own.len();
        let gap =
            |other: usize| gap((&bodies[body], states[body].position), (&bodies[other], states[other].position)).0;
        let near = (0..bodies.len()).filter(|&row| row != body).min_by(|&a, &b| gap(a).total_cmp(&gap(b))).unwrap();
        return Some(format!(
            "with {count} contacts around {body} nothing need close by more than {closing:.1e} m/s (walls: {speed} m/s); \
             {near} is next to it, {:.1e} m away",
            gap(near)
        ));
    }
    let apart = |support: usize| {
        let others = (0..bodies.len()).filter(|&row| island[row] && row != support);
        let gap =
            |row: usize| gap((&bodies[row], states[row].position), (&bodies[support], states[support].position)).0;
        if island[support] { 0.0 } else { others.map(gap).fold(f64::INFINITY, f64::min) }
    };
    let far = supports.into_iter().find(|&support| !own.iter().any(|touch| [touch.a, touch.b].contains(&support)));
    far.map(|support| format!("there is no room, but {support} is {:e} m from all that touch {body}", apart(support)))
}

fn touches(bodies: &[Body], states: &[State]) -> Vec<Touch> {
    let touch = |(a, b): (usize, usize)| {
        let (gap, normal) = gap((&bodies[a], states[a].position), (&bodies[b], states[b].position));
        let size = half_width(&bodies[a]).min(half_width(&bodies[b]));
        (gap <= TOUCH * size).then_some(Touch { a, b, normal })
    };
    pairs(bodies).filter_map(touch).collect()
}

/// The free bodies that are connected with `body` through contacts.
fn island(bodies: &[Body], touches: &[Touch], body: usize) -> Vec<bool> {
    let mut island = vec![false; bodies.len()];
    island[body] = bodies[body].is_free();
    loop {
        let next = touches
            .iter()
            .find(|touch| bodies[touch.a].is_free() && bodies[touch.b].is_free() && island[touch.a] != island[touch.b]);
        let Some(touch) = next else { return island };
        (island[touch.a], island[touch.b]) = (true, true);
    }
}

/// The largest closing speed of a contact if the free bodies move so as to reduce closing as far as possible, m/s.
fn least_closing(bodies: &[Body], states: &[State], touches: &[Touch]) -> f64 {
    let mut columns = vec![None; bodies.len()];
    let mut count = 0;
    for row in touches.iter().flat_map(|touch| [touch.a, touch.b]) {
        if bodies[row].is_free() && columns[row].is_none() {
            columns[row] = Some(3 * count);
            count += 1;
        }
    }
    let velocity = |v: &[f64], row: usize| match columns[row] {
        Some(column) => DVec3::new(v[column], v[column + 1], v[column + 2]),
        None => states[row].velocity,
    };
    let closing = |v: &[f64], touch: &Touch| -touch.normal.dot(velocity(v, touch.b) - velocity(v, touch.a));
    let value = |v: &[f64]| {
        let over = touches.iter().map(|touch| closing(v, touch).max(0.0).powi(2)).sum::<f64>();
        0.5 * over + 0.5 * DELTA * v.iter().map(|x| x * x).sum::<f64>()
    };
    let mut v = vec![0.0; 3 * count];
    for _ in 0..200 {
        let size = v.len();
        let mut slope: Vec<f64> = v.iter().map(|x| DELTA * x).collect();
        let mut curve = vec![0.0; size * size];
        (0..size).for_each(|n| curve[n * size + n] = DELTA);
        for touch in touches {
            let over = closing(&v, touch);
            if over <= 0.0 {
                continue;
            }
            // The derivative of the closing speed with respect to the velocities.
            let ends = [(columns[touch.a], touch.normal), (columns[touch.b], -touch.normal)];
            let ends = ends.into_iter().filter_map(|(column, along)| Some((column?, along)));
            let row: Vec<(usize, f64)> =
                ends.flat_map(|(column, along)| (0..3).map(move |k| (column + k, along[k]))).collect();
            for &(i, x) in &row {
                slope[i] += over * x;
                row.iter().for_each(|&(j, y)| curve[i * size + j] += x * y);
            }
        }
        let step = solved(curve, &slope);
        let before = value(&v);
        let moved = |share: f64| v.iter().zip(&step).map(|(x, d)| x - share * d).collect::<Vec<f64>>();
        let shares = (0..40).map(|n| 0.5f64.powi(n));
        let Some(next) = shares.map(moved).find(|next| value(next) < before) else { break };
        v = next;
    }
    touches.iter().map(|touch| closing(&v, touch)).fold(0.0, f64::max)
}

/// Solves a symmetric positive definite system by Cholesky's method.
fn solved(mut a: Vec<f64>, b: &[f64]) -> Vec<f64> {
    let size = b.len();
    for j in 0..size {
        for i in j..size {
            let sum: f64 = (0..j).map(|k| a[i * size + k] * a[j * size + k]).sum();
            let rest = a[i * size + j] - sum;
            a[i * size + j] = if i == j { rest.max(0.01 * DELTA).sqrt() } else { rest / a[j * size + j] };
        }
    }
    let mut x = b.to_vec();
    for i in 0..size {
        let sum: f64 = (0..i).map(|k| a[i * size + k] * x[k]).sum();
        x[i] = (x[i] - sum) / a[i * size + i];
    }
    for i in (0..size).rev() {
        let sum: f64 = (i + 1..size).map(|k| a[k * size + i] * x[k]).sum();
        x[i] = (x[i] - sum) / a[i * size + i];
    }
    x
}

#[test]
fn the_judge_knows_when_there_is_room() {
    let ball = |place: DVec3| Body::sphere(0.5, 1.0).unwrap().at(place);
    let wall = |normal: DVec3, speed: f64| Body::plane(normal, -0.5).unwrap().kinematic().moving(normal * speed);
    let still = |body: &Body| State { position: body.position, velocity: body.velocity, spin: DVec3::ZERO };
    let room = |bodies: &[Body]| room_of(bodies, &bodies.iter().map(still).collect::<Vec<_>>(), 0, [1, 2]);
    let tilted = DVec3::new(-0.8, 0.0, 0.6);
    let (west, east) = (wall(DVec3::X, 1.0), wall(-DVec3::X, 1.0));
    let middle = || ball(DVec3::ZERO);
    assert_eq!(room(&[middle(), west.clone(), east.clone()]), None);
    assert!(room(&[middle(), west.clone(), wall(-DVec3::X, -1.0)]).is_some(), "both walls go east");
    assert!(room(&[middle(), west.clone(), wall(tilted, 1.0)]).is_some(), "it can go up");
    assert_eq!(room(&[middle(), west.clone(), wall(tilted, 1.0), wall(-DVec3::Z, 0.0)]), None);
    let beside = Body::plane(-DVec3::X, -1.5).unwrap().kinematic().moving(-DVec3::X);
    assert!(room(&[middle(), west.clone(), beside.clone()]).is_some(), "it has 1 m");
    assert_eq!(room(&[middle(), west.clone(), beside.clone(), ball(DVec3::X)]), None);
    let off = ball(DVec3::new(0.96, 0.28, 0.0));
    assert!(
        room(&[middle(), west, Body::plane(-DVec3::X, -1.46).unwrap().kinematic().moving(-DVec3::X), off]).is_some()
    );
}
