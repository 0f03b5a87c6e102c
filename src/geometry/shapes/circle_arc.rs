//! The circular wall.

use glam::{DVec2, DVec3};

use crate::geometry::unit;
use crate::numeric::OutOfRange;
use crate::numeric::quantity::is_positive;
use crate::numeric::tolerance::UNIT_SLACK;

/// A thin wall along an arc of a circle around the position of its body, in the plane z = 0 and straight on along z. It
/// can be met from inside and from outside.
///
/// ```
/// use carom::geometry::CircleArc;
/// use carom::glam::DVec2;
///
/// // The upper half of a circle.
/// let arc = CircleArc::new(2.0, DVec2::X, -DVec2::X).unwrap();
/// assert_eq!((arc.radius(), arc.directions()), (2.0, [DVec2::X, -DVec2::X]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "(f64, DVec2, DVec2)", into = "(f64, DVec2, DVec2)")
)]
pub struct CircleArc {
    radius: f64,
    from: DVec2,
    to: DVec2,
}

/// The part of an arc that is nearest to a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArcPart {
    /// A point of the arc between its ends.
    Rim,
    /// The end with this number: where the arc begins, 0, or where it ends, 1.
    End(usize),
}

impl From<CircleArc> for (f64, DVec2, DVec2) {
    fn from(arc: CircleArc) -> Self {
        (arc.radius, arc.from, arc.to)
    }
}

/// The radius, m, and the two directions.
impl TryFrom<(f64, DVec2, DVec2)> for CircleArc {
    type Error = OutOfRange;

    fn try_from((radius, from, to): (f64, DVec2, DVec2)) -> Result<Self, OutOfRange> {
        Self::new(radius, from, to)
    }
}

impl CircleArc {
    /// The arc of `radius` (m) from the direction `from` counterclockwise to the direction `to`; the whole circle if
    /// they are the same. Directions may have any length.
    ///
    /// # Errors
    /// [`OutOfRange`] when the radius is not positive and finite, or a direction has no length.
    pub fn new(radius: f64, from: DVec2, to: DVec2) -> Result<Self, OutOfRange> {
        if !is_positive(radius) {
            let allowed = "a positive finite number of metres, from 1e-70 to 1e70";
            return Err(OutOfRange { quantity: "radius of an arc", allowed, found: radius });
        }
        let direction = |along: DVec2| {
            let allowed = "a direction: finite, of a length from 1e-70 to 1e70";
            let wrong = OutOfRange { quantity: "direction of an arc", allowed, found: along.abs().max_element() };
            if !along.is_finite() || !is_positive(along.abs().max_element()) {
                return Err(wrong);
            }
            // A unit vector stays as it is, so that saved arcs come back with the same bits.
            let is_unit = (along.length_squared() - 1.0).abs() <= UNIT_SLACK;
            let unit = if is_unit { Some(along.extend(0.0)) } else { unit(along.extend(0.0)) };
            unit.map(DVec3::truncate).ok_or(wrong)
        };
        Ok(Self { radius, from: direction(from)?, to: direction(to)? })
    }

    /// Its radius, m.
    pub const fn radius(&self) -> f64 {
        self.radius
    }

    /// The unit vectors to its ends.
    pub const fn directions(&self) -> [DVec2; 2] {
        [self.from, self.to]
    }

    /// Whether it is a whole circle, which has no ends.
    #[doc(hidden)]
    pub fn is_circle(&self) -> bool {
        self.from == self.to
    }

    /// Its two ends in the plane, m.
    #[doc(hidden)]
    pub fn ends(&self) -> [DVec3; 2] {
        [self.from, self.to].map(|along| (along * self.radius).extend(0.0))
    }

    /// Points of the arc in order, with its ends, that are less than two degrees apart, m: for pictures.
    #[doc(hidden)]
    pub fn chords(&self) -> Vec<DVec2> {
        /// How often a quarter of a circle is halved: 90°/2⁶.
        const HALVINGS: usize = 6;
        let mut directions = vec![self.from];
        let mut last = self.from;
        // Quarters of a circle, as long as the end is not nearer; a whole circle has four.
        while directions.len() < 5 && (directions.len() == 1 && self.is_circle() || !is_ahead(last, self.to)) {
            last = last.perp();
            directions.push(last);
        }
        if last != self.to {
            directions.push(self.to);
        }
        for _ in 0..HALVINGS {
            let halves = directions.windows(2).flat_map(|two| [two[0], (two[0] + two[1]).normalize_or(two[1])]);
            directions = halves.chain(directions.last().copied()).collect();
        }
        directions.into_iter().map(|along| along * self.radius).collect()
    }

    /// The part nearest to `place`.
    pub(crate) fn part_at(&self, place: DVec3) -> ArcPart {
        let place = place.truncate();
        let (after, before) = (self.from.perp_dot(place) >= 0.0, place.perp_dot(self.to) >= 0.0);
        let is_wide = self.from.perp_dot(self.to) < 0.0;
        if self.is_circle() || if is_wide { after || before } else { after && before } {
            return ArcPart::Rim;
        }
        ArcPart::End(usize::from(place.dot(self.to) > place.dot(self.from)))
    }

    /// The point nearest to `place`, m, and the part that it is on. For the middle of the circle it is where the arc
    /// begins.
    pub(crate) fn nearest(&self, place: DVec3) -> (DVec3, ArcPart) {
        let part = self.part_at(place);
        let flat = place.with_z(0.0);
        let point = match part {
            ArcPart::Rim => unit(flat).map_or(self.ends()[0], |along| along * self.radius),
            ArcPart::End(end) => self.ends()[end],
        };
        (point.with_z(place.z), part)
    }
}

/// Whether a direction is at most a quarter of a circle ahead of another, counterclockwise.
fn is_ahead(from: DVec2, to: DVec2) -> bool {
    from.perp_dot(to) >= 0.0 && from.dot(to) >= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nearest of many points of the arc.
    fn brute_force(arc: &CircleArc, span: f64, place: DVec3) -> f64 {
        let [from, _] = arc.directions();
        let start = libm::atan2(from.y, from.x);
        let points = (0..=100_000).map(|n| start + span * f64::from(n) / 1e5);
        points
            .map(|angle| (DVec3::new(libm::cos(angle), libm::sin(angle), 0.0) * arc.radius() - place).length())
            .fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_nearest_point_is_nearer_than_all_others() {
        let direction = |degrees: f64| DVec2::new(libm::cos(degrees.to_radians()), libm::sin(degrees.to_radians()));
        for (from, span) in [(0.0, 90.0), (30.0, 180.0), (-70.0, 250.0), (100.0, 359.0), (10.0, 1.0), (20.0, 360.0)] {
            let end = if span == 360.0 { from } else { from + span };
            let arc = CircleArc::new(1.5, direction(from), direction(end)).unwrap();
            for n in 0..200 {
                let place = DVec3::new(f64::from(n % 15) * 0.3 - 2.0, f64::from(n / 15) * 0.35 - 2.2, 0.0);
                let found = (arc.nearest(place).0 - place).length();
                let wanted = brute_force(&arc, f64::to_radians(span), place);
                assert!(found <= wanted + 1e-15 && wanted - found < 1e-4, "{from} {span} {place}: {found} {wanted}");
            }
        }
        assert!(
            CircleArc::new(0.0, DVec2::X, DVec2::Y).is_err() && CircleArc::new(1.0, DVec2::ZERO, DVec2::Y).is_err()
        );
    }
}
