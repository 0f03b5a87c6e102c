//! When a plain ball meets its neighbours: many at a time, without a branch.
//!
//! The arithmetic is that of [`sphere_sphere`](crate::sweep::sphere_sphere) for straight motion, operation by operation, so a
//! meeting found here has the same bits; only its time is found, for of all neighbours but one no more is needed. Whatever
//! rounding might decide otherwise there (touch, grazing, sliding, distances out of proportion) is not decided here: such a
//! pair is to be [asked](ASK) for. The loop over lanes has no branch, so a compiler makes vector code of it.

use glam::DVec3;

use super::lines::{Common, Line, Lines, Turn};
use super::links::Neighbour;
use crate::motion::SimTime;
use crate::numeric::tolerance::{GRAZING_SLACK, TIME_MAX};

/// How many neighbours are looked at together.
pub(super) const LANES: usize = 8;

/// The time of a pair that does not meet.
pub(super) const NEVER: f64 = f64::INFINITY;

/// The time of a pair about which nothing is said here.
pub(super) const ASK: f64 = f64::NEG_INFINITY;

/// Squared distance over squared reach, and squared speeds over that with which two approach, up to which rounding is far
/// below what grazing is.
const FAR: f64 = 1_099_511_627_776.0;

/// What some neighbours are, one array a coordinate.
#[derive(Debug, Clone, Copy)]
pub(super) struct Others {
    position: [[f64; LANES]; 3],
    velocity: [[f64; LANES]; 3],
    whole: [f64; LANES],
    fraction: [f64; LANES],
    radius: [f64; LANES],
}

/// Meetings of a ball with some neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meetings {
    /// s from the beginning of the ball's path.
    pub(super) after: [f64; LANES],
    /// s from the later one of the beginnings of the two paths.
    pub(super) times: [f64; LANES],
}

/// When a plain ball meets each of at most [`LANES`] neighbours.
#[inline]
pub(super) fn meetings(
    own: &Line,
    neighbours: &[Neighbour],
    lines: &Lines,
    now: SimTime,
    others: &mut Others,
) -> Meetings {
    let common = &lines.common;
    others.gather(own, neighbours, lines);
    let (radius, age) = (lines.radius(own), now.since(own.epoch()));
    let task = Look { own, radius, age, others, common };
    // The same operations on the same numbers, in wider registers where there are some.
    let mut found = common.machine.dispatch(task);
    found.after[neighbours.len()..].fill(NEVER);
    found
}

/// What is to be found, as it is handed to code for the machine at hand.
struct Look<'a> {
    own: &'a Line,
    radius: f64,
    /// How long ago the path began, s.
    age: f64,
    others: &'a Others,
    common: &'a Common,
}

impl pulp::NullaryFnOnce for Look<'_> {
    type Output = Meetings;

    #[inline(always)]
    fn call(self) -> Meetings {
        if self.common.gravity == DVec3::ZERO { look::<false>(&self) } else { look::<true>(&self) }
    }
}

impl Others {
    const NONE: [f64; LANES] = [0.0; LANES];

    /// Nobody.
    pub(super) const EMPTY: Self = Self {
        position: [Self::NONE; 3],
        velocity: [Self::NONE; 3],
        whole: Self::NONE,
        fraction: Self::NONE,
        radius: Self::NONE,
    };

    /// Fills as many lanes as there are neighbours; what is in the others has no meaning.
    #[inline(always)]
    fn gather(&mut self, own: &Line, neighbours: &[Neighbour], lines: &Lines) {
        for (lane, neighbour) in neighbours.iter().take(LANES).enumerate() {
            let line = lines.get(neighbour.id);
            for axis in 0..3 {
                self.position[axis][lane] = line.position[axis];
                self.velocity[axis][lane] = line.velocity[axis];
            }
            self.whole[lane] = (i64::from(line.whole) - i64::from(own.whole)) as f64;
            self.fraction[lane] = line.fraction;
            self.radius[lane] = lines.radius(line);
        }
    }
}

#[inline(always)]
fn look<const FALLS: bool>(task: &Look<'_>) -> Meetings {
    let &Look { own, radius, age, others, common } = task;
    let mut found = Meetings { after: [NEVER; LANES], times: [0.0; LANES] };
    let Common { turns, gravity, .. } = common;
    let own_speed = own.velocity.length_squared();
    for lane in 0..LANES {
        let later = others.whole[lane] + (others.fraction[lane] - own.fraction);
        let own_span = if later > 0.0 { later } else { 0.0 };
        let span = if later < 0.0 { -later } else { 0.0 };
        let (mut d, mut v, mut speed) = ([0.0; 3], [0.0; 3], own_speed);
        let mut near = true;
        for axis in 0..3 {
            let (from, to) = (own.velocity[axis], others.velocity[axis][lane]);
            speed += to * to;
            let (g, mut way, mut own_way) = (gravity[axis], to, from);
            v[axis] = to - from;
            if FALLS {
                way = to + g * (0.5 * span);
                own_way = from + g * (0.5 * own_span);
                v[axis] = (to + g * span) - (from + g * own_span);
            }
            let straight = (others.position[axis][lane] + way * span) - (own.position[axis] + own_way * own_span);
            let Turn { length, half } = turns[axis];
            // Neighbours are near now; when their paths began they may have been anywhere.
            let present = straight + v[axis] * (age - own_span);
            let turn = if present > half {
                -length
            } else if present < -half {
                length
            } else {
                0.0
            };
            d[axis] = straight + turn;
            near &= (present + turn <= half) & (present + turn >= -half);
        }
        let reach = radius + others.radius[lane];
        let reach_squared = reach * reach;
        let distance = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
        let a = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        let b = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        let c = distance - reach_squared;
        let x = d[1] * v[2] - v[1] * d[2];
        let y = d[2] * v[0] - v[2] * d[0];
        let z = d[0] * v[1] - v[0] * d[1];
        let discriminant = reach_squared * a - (x * x + y * y + z * z);
        let positive = if discriminant > 0.0 { discriminant } else { 0.0 };
        let time = c / (positive.sqrt() - b);
        let leaves = (c >= 0.0) & (b >= 0.0);
        let passes = (c > 0.0) & (discriminant <= 0.0);
        let rebounds = (c <= 0.0) & (b > 0.0) & (b * b > GRAZING_SLACK * a * distance);
        let late = (c > 0.0) & (b < 0.0) & (time > TIME_MAX);
        let never = leaves | passes | rebounds | late;
        let steep = discriminant > 2.0 * GRAZING_SLACK * reach_squared * a;
        let moderate = (distance < FAR * reach_squared) & (speed < FAR * a);
        let meets = (c > 0.0) & (b < 0.0) & steep & moderate & (time > 0.0);
        let after = if never { NEVER } else { own_span + time };
        found.after[lane] = if (never | meets) & near { after } else { ASK };
        found.times[lane] = time;
    }
    found
}
