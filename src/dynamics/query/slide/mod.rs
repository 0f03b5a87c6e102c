//! Slides: where a ball or a box comes to that moves, and slides along what blocks it.
//!
//! A slide is the way of a free body without gravity, restitution and friction: it goes straight to the first body that
//! it meets, loses the part of its motion into that body, and goes on with the rest: along one plane, along the edge of
//! two, and at the corner of three it stops. There is no skin and no margin. A shape that touches a body stands on it,
//! and overlaps of some spacings of its coordinates, as they come from `position += velocity * dt`, count as touching.

mod cone;
mod edge;
mod ground;
mod near;
mod search;
mod track;
mod turn;
mod types;

use glam::DVec3;

use super::{Sight, SweepHit, is_direction, moderate};
use crate::dynamics::{BodyId, Stepper};
use crate::geometry::unit;
use crate::numeric::tolerance::TIME_MAX;
use near::Near;
use search::{Met, Search};
use track::Track;
use turn::Turn;
pub use types::{Inside, SLIDE_HITS_MAX, Slide, SlideOptions, SlideShape};

impl Stepper {
    /// Where `shape` comes to from the place `from`, m, if it moves by `motion`, m, within `duration` seconds.
    ///
    /// Kinematic bodies move in that time, at most for 2⁴² s; one on which the shape stands carries it. Other bodies
    /// stand still. A number that is NaN or infinite moves nothing.
    ///
    /// # Errors
    /// [`Inside`] if the shape overlaps a body at the start.
    pub fn slide(
        &self,
        shape: SlideShape,
        [from, motion]: [DVec3; 2],
        duration: f64,
        sight: &Sight<'_>,
        options: &SlideOptions<'_>,
    ) -> Result<Slide<SweepHit>, Inside> {
        let rows = &self.sim.scene.rows;
        let can_move = moderate(from) && moderate(motion) && duration.is_finite();
        let kinematic = rows.kinematic.iter().filter(|&&id| can_move && duration > 0.0 && sight.sees(id, rows));
        // No longer than the clock goes.
        let lasts = duration.min(TIME_MAX);
        let way = |&id: &BodyId| match rows.driven(id) {
            Some(driven) => {
                let ends = [self.now(), self.now().plus(lasts)].map(|time| driven.path_at(time).position);
                (id, ends[1] - ends[0])
            }
            None => (id, rows.path(id).velocity * lasts),
        };
        let ways = kinematic.map(way);
        let moving = ways.filter(|&(_, way)| is_direction(way)).collect();
        let motion = if can_move { motion } else { DVec3::ZERO };
        let near = if can_move { Near::new(self, sight, (shape, options), [from, motion]) } else { Near::default() };
        let mut search = Search { stepper: self, shape, sight, options, moving, near, grain: 0.0 };
        match search.inside(from, motion) {
            Some(inside) => Err(inside),
            None => Ok(search.slide(from, motion)),
        }
    }
}

impl Search<'_> {
    fn slide(&self, from: DVec3, wish: DVec3) -> Slide<SweepHit> {
        let (up, [_, snap]) = (self.options.upwards(), self.options.heights());
        let stood = self.floor(from, 0.0);
        let carried = stood.map_or(DVec3::ZERO, |floor| floor.way);
        let mut turn = Turn::new(self.options, wish, carried);
        let mut hits = Vec::new();
        let end = self.go(Track::new(from, wish + carried), &mut turn, &mut hits);
        let mut to = end.unwrap_or_else(|stopped| stopped);
        if stood.is_some() && snap > 0.0 && wish.dot(up) <= 0.0 {
            to = self.below(to, 1.0, snap).unwrap_or(to);
        }
        to = self.settled(to);
        let mut ahead = [self.options.level(wish), wish].into_iter().filter_map(unit);
        Slide {
            to,
            left: from + wish + carried - to,
            onward: if end.is_ok() { turn.onward() } else { DVec3::ZERO },
            hits,
            floor: self.floor(to, 1.0).map(|met| met.hit),
            wall: ahead
                .find_map(|ahead| self.touched(to, 1.0, ahead, |normal| self.options.is_wall(normal)))
                .map(|met| met.hit),
            ceiling: self.touched(to, 1.0, up, |normal| self.options.is_ceiling(normal)).map(|met| met.hit),
            is_stuck: end.is_err(),
        }
    }

    /// Follows the way to its end, and returns that; or the place where it stops before, as an error.
    fn go(&self, mut track: Track, turn: &mut Turn<'_>, hits: &mut Vec<SweepHit>) -> Result<DVec3, DVec3> {
        for _ in 0..SLIDE_HITS_MAX {
            let part = track.rest(track.place());
            let Some(met) = self.first(&part, |meeting| !turn.knows(&meeting.facing(), track.motion)) else {
                return Ok(track.place_at(1.0));
            };
            track.share += part.lasts * met.hit.t;
            hits.push(SweepHit { t: track.share, ..met.hit });
            if met.hit.t > 0.0 {
                turn.move_on(track.motion, self.walked(&track));
            }
            if self.options.is_wall(met.hit.normal)
                && let Some((place, done)) = self.step(&track.rest(met.place))
            {
                track.share += (1.0 - track.share) * done;
                track.turn(place, track.motion);
                turn.move_on(track.motion, self.walked(&track));
                continue;
            }
            let Some(motion) = turn.after(&met) else { return Err(met.place) };
            // Across the normal it is where its track is.
            let place = DVec3::select(met.hit.normal.cmpeq(DVec3::ZERO), track.place(), met.place);
            track.turn(place, motion);
        }
        Err(track.place())
    }

    /// The floor on which it walks.
    fn walked(&self, track: &Track) -> Option<Met> {
        if self.options.walking { self.floor(track.place(), track.share) } else { None }
    }
}
