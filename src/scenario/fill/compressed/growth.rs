//! The compression itself: events of growing balls in the order of time.
//!
//! Lubachevsky & Stillinger, *Geometric properties of random disk packings*, J. Stat. Phys. 60, 1990. Points at random
//! places become balls that collide while they grow. Growth adds energy to the motion, so the velocities are scaled
//! back after some impacts of each ball. Only + − × ÷ √ and comparisons in a total order are used.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::ball::{Ball, meeting, rebound, wall_rebound};
use super::cells::{Cell, Cells};
use super::walls::Walls;

/// Impacts per ball between two times at which the velocities are rescaled and the growth is checked.
const IMPACTS_EACH: usize = 20;

/// The balls have jammed short of their radii when these grow by less than this fraction between two such times, for a
/// rate of growth of 1. The nearer the balls are, the more often they meet. So the limit is reached after some hundred
/// impacts of each ball.
const SHORT: f64 = 1e-4;

/// The rate of growth at which balls that are to jam end, at most. At larger rates some are caught before they have
/// found their places: with this one, 400 balls have 5.94 contacts each that push them, with 0.01 they have 5.6.
const GENTLE: f64 = 1e-3;

/// The fraction in place of [`SHORT`] at which balls that are to jam become faster, and by which factor. Their growth
/// is slower then, compared with their motion.
const CROWDED: f64 = 1e-3;
const FASTER: f64 = 10.0;

/// The fraction in place of [`SHORT`] at which balls that are to jam have done so. Those that push each other are then
/// nearer than 1e-4 of their diameter.
const TIGHT: f64 = 1e-5;

/// Speed of the balls while they are slow, in units of their later speed.
const SLOW: f64 = 0.1;

/// What happens to a ball.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// It meets another ball. `turn` is the number of paths of that ball at the prediction; a later path makes the
    /// event void.
    Ball { other: u32, turn: u32 },
    /// It meets the wall of this number.
    Wall(u32),
    /// It enters the next cell along an axis.
    Border(usize),
}

/// The next event of a ball. `turn` is its number of paths at the prediction; a later path makes the event void.
///
/// Events are in the order of time, ball and turn. The bits of times, which are not negative, are in the order of the
/// times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Next {
    time_bits: u64,
    ball: u32,
    turn: u32,
    what: What,
}

/// Balls that grow until the time 1 / rate.
pub(super) struct Growth {
    balls: Vec<Ball>,
    cells: Cells,
    walls: Walls,
    /// The cell of each ball, and the number of its paths so far.
    numbers: Vec<(Cell, u32)>,
    queue: BinaryHeap<Reverse<Next>>,
    now: f64,
    end: f64,
    /// Until this time the balls are slow. They grow quickly as long as they are far apart.
    slow_until: f64,
    /// Their speed after that along one axis, m/s.
    speed: f64,
}

/// Balls that have grown.
pub(super) struct Grown {
    /// Their positions, m, from the lower corner of the vessel.
    pub(super) places: Vec<DVec3>,
    /// The fraction of their radii that they have reached; less than 1 if they jammed before.
    pub(super) part: f64,
}

impl Growth {
    /// Points with these positions, m, and velocities, m/s. They have these radii, m, at the time `end`, s. They are
    /// slow up to the fraction `slow` of that time.
    pub(super) fn new(
        (mut cells, walls): (Cells, Walls),
        points: &[(DVec3, DVec3)],
        radii: &[f64],
        [slow, end]: [f64; 2],
    ) -> Self {
        let ball = |(&(position, velocity), radius): (&(DVec3, DVec3), &f64)| Ball {
            position,
            velocity,
            since: 0.0,
            growth: radius / end,
        };
        let balls: Vec<Ball> = points.iter().zip(radii).map(ball).collect();
        let numbers: Vec<(Cell, u32)> = balls.iter().map(|ball| (cells.at(ball.position), 0)).collect();
        (0..).zip(&numbers).for_each(|(id, (cell, _))| cells.put(id, *cell));
        Self {
            balls,
            cells,
            walls,
            numbers,
            queue: BinaryHeap::new(),
            now: 0.0,
            end,
            slow_until: slow * end,
            speed: 1.0,
        }
    }

    /// Lets the balls grow until they have their radii or jam. `rate` is the speed of the surfaces in units of the
    /// speed of the balls; it decreases towards the end if they are to jam.
    pub(super) fn run(mut self, rate: f64, jams: bool) -> Grown {
        while self.now < self.end {
            let before = self.now;
            self.begin_again();
            self.advance();
            let fastest = rate / GENTLE;
            let least = match jams {
                false => SHORT,
                true if self.speed < fastest => CROWDED,
                true => TIGHT,
            };
            if self.now < self.end && self.now - before < least * rate / self.speed * self.now {
                if least != CROWDED {
                    break;
                }
                self.speed = (self.speed * FASTER).min(fastest);
            }
        }
        let places = self.balls.iter().map(|ball| ball.position_at(self.now)).collect();
        Grown { places, part: self.now / self.end }
    }

    /// Brings all balls to the present, rescales their velocities and predicts all events again. The mean square of a
    /// velocity is 3 m²/s², times the square of their speed.
    fn begin_again(&mut self) {
        let now = self.now;
        self.balls.iter_mut().for_each(|ball| ball.go_to(now));
        let square: f64 = self.balls.iter().map(|ball| ball.velocity.length_squared()).sum();
        let speed = if now < self.slow_until { SLOW } else { self.speed };
        let scale = speed * (3.0 * self.balls.len() as f64 / square).sqrt();
        self.balls.iter_mut().for_each(|ball| ball.velocity *= scale);
        self.queue.clear();
        (0..self.balls.len() as u32).for_each(|id| self.predict(id));
    }

    /// Resolves events up to the end, or until the balls have had [`IMPACTS_EACH`] impacts each on average.
    fn advance(&mut self) {
        let mut left = self.balls.len() * IMPACTS_EACH / 2;
        while left > 0 {
            let Some(Reverse(next)) = self.queue.pop() else { break };
            if self.numbers[next.ball as usize].1 != next.turn {
                continue;
            }
            let time = f64::from_bits(next.time_bits);
            if time >= self.end {
                break;
            }
            self.now = time;
            left -= usize::from(self.resolve(&next));
        }
        if left > 0 {
            self.now = self.end;
        }
    }

    /// Resolves an event; returns whether it was an impact.
    fn resolve(&mut self, next: &Next) -> bool {
        let (id, row) = (next.ball, next.ball as usize);
        match next.what {
            What::Ball { other, turn } => {
                if self.numbers[other as usize].1 == turn {
                    self.collide(id, other);
                    return true;
                }
                self.begin_path(id);
            }
            What::Wall(wall) => {
                self.balls[row].go_to(self.now);
                let normal = self.walls.normal(self.balls[row].position, wall);
                self.balls[row].velocity = wall_rebound(&self.balls[row], normal);
                self.begin_path(id);
                return true;
            }
            What::Border(axis) => {
                self.balls[row].go_to(self.now);
                let cell = self.numbers[row].0;
                let (to, shift) = self.cells.next(cell, axis, self.balls[row].velocity[axis]);
                self.balls[row].position[axis] += shift;
                self.cells.take(id, cell);
                self.cells.put(id, to);
                self.numbers[row].0 = to;
                self.begin_path(id);
            }
        }
        false
    }

    fn collide(&mut self, id: u32, other: u32) {
        let [a, b] = [id as usize, other as usize];
        self.balls[a].go_to(self.now);
        self.balls[b].go_to(self.now);
        let [one, two] = rebound(&self.balls[a], &self.balls[b], self.offset(a, self.balls[a].position, b));
        (self.balls[a].velocity, self.balls[b].velocity) = (one, two);
        // Count both new paths before predicting, so that neither ball predicts with the old path of the other.
        self.numbers[b].1 += 1;
        self.begin_path(id);
        self.predict(other);
    }

    fn begin_path(&mut self, id: u32) {
        self.numbers[id as usize].1 += 1;
        self.predict(id);
    }

    /// The vector from a ball at this place to the image of another ball next to it, m.
    fn offset(&self, a: usize, place: DVec3, b: usize) -> DVec3 {
        let shift = self.cells.shift(self.numbers[a].0, self.numbers[b].0);
        self.balls[b].position_at(self.now) - place + shift
    }

    /// Queues the first event of a ball.
    fn predict(&mut self, id: u32) {
        let row = id as usize;
        let (ball, (cell, turn), now) = (&self.balls[row], self.numbers[row], self.now);
        let place = ball.position_at(now);
        let (mut soonest, wall) = self.walls.meeting(ball, self.cells.place(cell), now);
        let mut what = What::Wall(wall);
        for axis in 0..3 {
            let stay = self.cells.stay(cell, axis, place[axis], ball.velocity[axis]);
            if stay < soonest {
                (soonest, what) = (stay, What::Border(axis));
            }
        }
        let mut partner = id;
        self.cells.around(cell, |other| {
            let span = if other == id {
                f64::INFINITY
            } else {
                meeting(ball, &self.balls[other as usize], self.offset(row, place, other as usize), now)
            };
            if span < soonest || span == soonest && partner != id && other < partner {
                (soonest, partner) = (span, other);
            }
        });
        if partner != id {
            what = What::Ball { other: partner, turn: self.numbers[partner as usize].1 };
        }
        if soonest < f64::INFINITY {
            self.queue.push(Reverse(Next { time_bits: (now + soonest).to_bits(), ball: id, turn, what }));
        }
    }
}
