//! The rotation of bodies: their spins, and the slip of balls that roll.

use glam::DVec3;

use super::measured::{Measured, Outcome, Worst};
use super::overlap::{bounds, candidates, gap_between, places};
use crate::geometry::{Aabb, Shape};
use crate::numeric::rounded;
use crate::oracle::exact::{Exact, Moment};
use crate::oracle::trajectory::Trajectory;

/// Gap up to which bodies of the exact course touch, m.
const TOUCHING: f64 = 1e-9;
/// Slip up to which a ball of the exact course counts as rolling, over the largest speed.
const ROLLING: f64 = 1e-9;

const NO_SPINS: &str = "the table has no spins";

/// The largest difference from the exact spin, as a speed of the surface over the largest speed of the scene. A row is
/// compared with the exact spins from the row before to the row after, so that an impact which is a little early or
/// late is not counted here, too.
pub(super) fn spin(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory, within: usize) -> Outcome {
    if !theirs.has_spins {
        return Err(NO_SPINS);
    }
    let scale = fastest(exact, ideal);
    let mut worst = Worst::new();
    for (place, &body) in exact.free.iter().enumerate() {
        let (track, path, radius) = (&theirs.tracks[place], &ideal.tracks[place], radius(exact, body));
        for row in 0..within {
            let around = path[row.saturating_sub(1)..(row + 2).min(path.len())].iter().map(|moment| moment.spin);
            let (low, high) =
                around.fold((path[row].spin, path[row].spin), |(low, high), spin| (low.min(spin), high.max(spin)));
            let found = track[row].spin;
            worst.see((found - found.clamp(low, high)).length() * radius, (body, row, found));
        }
    }
    if scale == 0.0 {
        return Err("nothing moves or falls");
    }
    let note = worst.note(|(body, row, found)| {
        let time = theirs.times[row];
        let [found, meant] = [found, exact.at(body, time).spin].map(|spin| rounded(spin.length(), 4));
        format!("{found} in place of {meant} rad/s, `{}` at {} s", exact.names[body], rounded(time.seconds(), 6))
    });
    Ok(Measured::new(worst.value / scale, note))
}

/// The largest slip of a ball that rolls in the exact course at this row and at the row before, over the largest speed
/// of the scene.
pub(super) fn slip(exact: &Exact, theirs: &Trajectory, ideal: &Trajectory, within: usize) -> Outcome {
    if !theirs.has_spins {
        return Err(NO_SPINS);
    }
    let scale = fastest(exact, ideal);
    let mut worst = Worst::new();
    let mut before: Vec<(usize, usize)> = Vec::new();
    for row in 0..if turns(exact, ideal) { within } else { 0 } {
        let rolling = rolling(exact, ideal, row, ROLLING * scale);
        for &(pair, normal) in rolling.iter().filter(|(pair, _)| before.contains(pair)) {
            let [found, meant] = [theirs, ideal].map(|of| slip_between(exact, of, row, pair, normal));
            worst.see((found - meant).max(0.0), (pair, row));
        }
        before = rolling.into_iter().map(|(pair, _)| pair).collect();
    }
    worst.of.ok_or("no ball rolls before the horizon")?;
    let note = worst.note(|((a, b), row)| {
        let [one, other] = [a, b].map(|body| &exact.names[body]);
        let (slip, time) = (rounded(worst.value, 3), rounded(theirs.times[row].seconds(), 6));
        format!("{slip} m/s, `{one}` and `{other}` at {time} s")
    });
    Ok(Measured::new(worst.value / scale, note))
}

/// Pairs that touch without slip, of which one is a ball that turns, with the normals from the first body to the
/// second.
fn rolling(exact: &Exact, ideal: &Trajectory, row: usize, most: f64) -> Vec<((usize, usize), DVec3)> {
    let places = places(exact, ideal, row);
    let reach = DVec3::splat(TOUCHING);
    let wide = |body: usize| {
        let Aabb { min, max } = bounds(exact, body, places[body]);
        Aabb { min: min - reach, max: max + reach }
    };
    let turns = |body: usize| ideal.moment(exact, body, row).spin != DVec3::ZERO;
    let mut pairs = candidates(exact, wide);
    pairs.retain(|&(a, b)| turns(a) || turns(b));
    let touching = pairs.into_iter().filter_map(|pair| {
        let gap = gap_between(exact, pair, &places)?;
        (gap.separation.abs() <= TOUCHING).then_some((pair, gap.normal))
    });
    touching.filter(|&(pair, normal)| slip_between(exact, ideal, row, pair, normal) <= most).collect()
}

/// The speed of slip between the surfaces of two bodies that touch, m/s.
fn slip_between(exact: &Exact, of: &Trajectory, row: usize, (a, b): (usize, usize), normal: DVec3) -> f64 {
    let surface = |body: usize, outwards: DVec3| {
        let Moment { velocity, spin, .. } = of.moment(exact, body, row);
        let is_ball = matches!(exact.bodies[body].shape, Shape::Sphere(_));
        if is_ball { velocity + spin.cross(radius(exact, body) * outwards) } else { velocity }
    };
    let apart = surface(b, -normal) - surface(a, normal);
    (apart - apart.dot(normal) * normal).length()
}

fn turns(exact: &Exact, ideal: &Trajectory) -> bool {
    (0..exact.free.len()).any(|place| ideal.tracks[place].iter().any(|moment| moment.spin != DVec3::ZERO))
}

/// The largest speed of a centre or a surface, m/s; if nothing moves, the speed after a fall by one size.
fn fastest(exact: &Exact, ideal: &Trajectory) -> f64 {
    let of = |(track, &body): (&Vec<Moment>, &usize)| {
        let radius = radius(exact, body);
        track.iter().map(|moment| moment.velocity.length().max(moment.spin.length() * radius)).fold(0.0, f64::max)
    };
    let largest = ideal.tracks.iter().zip(&exact.free).map(of).fold(0.0, f64::max);
    if largest > 0.0 { largest } else { (2.0 * exact.scenario.settings.gravity.length() * exact.size).sqrt() }
}

fn radius(exact: &Exact, body: usize) -> f64 {
    exact.bodies[body].shape.half_extents().min_element()
}
