//! Settings of a world: gravity, the shape of space, and every cutoff with its default.
//!
//! Lengths are in m, accelerations in m/s². A default holds for every world that does not set the value.

use glam::DVec3;

use super::Materials;
use super::error::SetupError;
use crate::geometry::Shape;
use crate::numeric::tolerance::REST_HEIGHT_DEFAULT;
use crate::numeric::whole::floor;

/// One repeating axis of space: the half-open range [min, max), m.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Period {
    /// Begin of the range, m.
    pub min: f64,
    /// End of the range, where it begins again, m; more than `min`.
    pub max: f64,
}

/// Fewer periods than this lie between a body and the periodic cell, so that sums of some such numbers fit into their
/// type.
const PERIODS_MAX: f64 = 1_073_741_824.0;

/// The shape of space: each axis is open or periodic, and all may be in one plane. The default is open.
///
/// In planar space everything lies and moves in the plane z = 0: spheres are discs, with the moment of inertia ½ m r²
/// and a spin about z alone, and what else there is reaches across the plane, with all its faces upright.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Period, Settings, Space, World};
///
/// let space = Space { periods: [Some(Period { min: 0.0, max: 10.0 }), None, None], ..Space::default() };
/// let ball = Body::sphere(0.5, 1.0).unwrap().at(DVec3::X * 9.0).moving(DVec3::X);
/// let mut world = World::new(Settings { space, ..Settings::default() }, [("ball", ball)]).unwrap();
/// world.step(3.0).unwrap();
/// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::X * 2.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Space {
    /// The periodic range of x, y and z, or `None` for an open axis. No body may be wider than the period.
    pub periods: [Option<Period>; 3],
    /// Whether it is the plane z = 0.
    pub is_planar: bool,
}

impl Space {
    /// Whether a vector is in this space: along the plane, if it is planar.
    #[inline]
    pub(crate) fn has(&self, vector: DVec3) -> bool {
        !self.is_planar || vector.z == 0.0
    }

    /// A shape as bodies of this space meet it.
    pub(super) fn seen(&self, shape: &Shape) -> Shape {
        match shape {
            Shape::Mesh(mesh) if self.is_planar => Shape::Mesh(mesh.flat().into()),
            shape => shape.clone(),
        }
    }

    /// m r² over the moment of inertia of what a sphere is here: 5/2 for a solid ball, 2 for a disc.
    #[inline]
    pub(crate) const fn inverse_inertia(&self) -> f64 {
        if self.is_planar { 2.0 } else { 2.5 }
    }

    /// The periodic cell that contains `position`: 0 along an open axis.
    #[inline]
    pub(crate) fn cell_of(&self, position: DVec3) -> [i32; 3] {
        std::array::from_fn(|axis| match self.periods[axis] {
            // The most frequent case, without a division.
            Some(period) if (0.0..period.length()).contains(&(position[axis] - period.min)) => 0,
            Some(period) => floor((position[axis] - period.min) / period.length()) as i32,
            None => 0,
        })
    }

    /// `position` moved into the periodic cell, m, and the number of periods it was moved by.
    #[inline(always)]
    pub(crate) fn wrap(&self, position: DVec3) -> (DVec3, [i32; 3]) {
        let crossed = self.cell_of(position);
        (if crossed == [0; 3] { position } else { position - self.shift(crossed) }, crossed)
    }

    /// `position` moved into the periodic cell, m, and never outside by rounding: what rounds to the end of a period,
    /// or to less than its begin, is at its begin.
    pub(crate) fn within(&self, position: DVec3) -> DVec3 {
        let place = self.wrap(position).0;
        DVec3::from_array(std::array::from_fn(|axis| match self.periods[axis] {
            Some(period) if !(period.min..period.max).contains(&place[axis]) => period.min,
            _ => place[axis],
        }))
    }

    /// Whether the periods between `position` and the periodic cell can be counted: fewer than 2³⁰ along each axis.
    pub(crate) fn is_countable(&self, position: DVec3) -> bool {
        self.periods
            .iter()
            .zip(position.to_array())
            .all(|(period, place)| period.is_none_or(|period| period.counts(place)))
    }

    /// The vector of so many periods, m.
    #[inline]
    #[doc(hidden)]
    pub fn shift(&self, periods: [i32; 3]) -> DVec3 {
        self.shift_far(periods.map(f64::from))
    }

    /// The shortest of the vectors that differ from `offset` by whole periods, for an offset of less than a period and
    /// a half, m.
    pub(super) fn nearest(&self, offset: DVec3) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|axis| match self.periods[axis] {
            Some(period) if offset[axis] > 0.5 * period.length() => offset[axis] - period.length(),
            Some(period) if offset[axis] < -0.5 * period.length() => offset[axis] + period.length(),
            _ => offset[axis],
        }))
    }

    /// The same for numbers of periods that may exceed 32 bits.
    #[inline]
    pub(super) fn shift_far(&self, periods: [f64; 3]) -> DVec3 {
        DVec3::from_array(std::array::from_fn(|axis| match self.periods[axis] {
            Some(period) => periods[axis] * period.length(),
            None => 0.0,
        }))
    }
}

impl Period {
    /// Length of the axis, m.
    #[inline]
    pub fn length(&self) -> f64 {
        self.max - self.min
    }

    /// Whether the periods between a coordinate and the periodic cell can be counted; no for NaN and infinity.
    pub(super) fn counts(&self, place: f64) -> bool {
        (place - self.min).abs() < PERIODS_MAX * self.length()
    }
}

/// How impacts at one instant are resolved.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Impacts, Settings, World};
///
/// // Two balls meet a third one from both sides at one instant.
/// let middle_after = |impacts: Impacts| {
///     let ball = |x: f64, mass: f64| Body::sphere(0.5, mass).unwrap().at(DVec3::X * x).moving(DVec3::X * -x);
///     let bodies = [("left", ball(-2.0, 1.0)), ("middle", ball(0.0, 2.0)), ("right", ball(2.0, 1.0))];
///     let mut world = World::new(Settings { impacts, ..Settings::default() }, bodies).unwrap();
///     world.step(1.0).unwrap();
///     world.state(world.id("middle").unwrap()).velocity.x
/// };
/// assert_eq!(middle_after(Impacts::Together), 0.0);
/// assert!(middle_after(Impacts::Pairwise) < 0.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Impacts {
    /// All pairs that approach at the instant together, then those that approach after that.
    #[default]
    Together,
    /// One pair after the other, in the order of the bodies' names.
    Pairwise,
}

/// The settings of a world.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Body, Settings, World};
///
/// let ball = Body::sphere(0.5, 1.0).unwrap().moving(DVec3::Z * 10.0);
/// let rest_height = Settings::rest_height_of([&ball]);
/// assert!((rest_height - 5e-6).abs() < 1e-20);
/// let settings = Settings { gravity: DVec3::Z * -10.0, rest_height, ..Settings::default() };
/// let mut world = World::new(settings, [("ball", ball)]).unwrap();
/// world.step(1.0).unwrap();
/// assert_eq!(world.position(world.id("ball").unwrap()), DVec3::Z * 5.0);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Settings {
    /// Acceleration of every free body without contacts, m/s².
    pub gravity: DVec3,
    /// The shape of space.
    pub space: Space,
    /// The materials of the bodies.
    pub materials: Materials,
    /// How impacts at one instant are resolved.
    pub impacts: Impacts,
    /// An impact becomes a contact if its rebound would rise less than this, m; also if it loses energy and its rebound
    /// is slower than a fall through this length. Zero: only if the rebound has no speed. On curved surfaces it is also
    /// the largest distance between a path and the surface. 1e-6 by default; see also
    /// [`rest_height_of`](Self::rest_height_of).
    pub rest_height: f64,
    /// Largest number of impacts of a body that follow each other within `rest_height` and lose energy. The next one
    /// has no rebound, and the log calls it a collapse.
    pub flurry_max: u32,
    /// Largest number of impacts of one free body in one step. More impacts end the run with an error that names the
    /// body, since a run without this bound might never end.
    pub impacts_max: u32,
}

impl Settings {
    /// Refuses settings with which no world can run: its first such field, and what that must be.
    pub(super) fn check(&self) -> Result<(), SetupError> {
        let is_range = |period: &Period| 0.0 < period.length() && period.length() < f64::INFINITY;
        let has_ranges = self.space.periods.iter().flatten().all(is_range);
        let has_plane = !self.space.is_planar || self.space.periods[2].is_none();
        let stays = self.space.has(self.gravity);
        let [gravity, in_plane, space, planar, rest_height] = [
            (self.gravity.length_squared().is_finite(), "gravity", "an acceleration, m/s², with a finite square"),
            (stays, "gravity", "in the plane z = 0, since space is planar"),
            (has_ranges, "space", "periods, m, that end after they begin, of finite length"),
            (has_plane, "space", "open along z if it is planar"),
            ((0.0..f64::INFINITY).contains(&self.rest_height), "rest_height", "a length, m, finite and not negative"),
        ];
        let wrong = [gravity, in_plane, space, planar, rest_height].into_iter().find(|&(is_right, ..)| !is_right);
        wrong.map_or(Ok(()), |(_, field, must)| Err(SetupError::Setting { field, must }))
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: DVec3::ZERO,
            space: Space::default(),
            materials: Materials::default(),
            impacts: Impacts::default(),
            rest_height: REST_HEIGHT_DEFAULT,
            flurry_max: 16,
            impacts_max: 1_000_000,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamics::Stepper;
    use crate::random::Random;

    #[test]
    fn a_world_needs_settings_that_can_run() {
        let with = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            Stepper::new(settings, &[]).err()
        };
        let refused = |field: &str, change: fn(&mut Settings)| {
            let found = with(change);
            assert!(matches!(found, Some(SetupError::Setting { field: own, .. }) if own == field), "{found:?}");
        };
        refused("gravity", |settings| settings.gravity.y = f64::NAN);
        refused("gravity", |settings| settings.gravity.z = f64::NEG_INFINITY);
        refused("space", |settings| settings.space.periods[1] = Some(Period { min: 1.0, max: 0.0 }));
        refused("space", |settings| settings.space.periods[2] = Some(Period { min: 1.0, max: 1.0 }));
        refused("space", |settings| settings.space.periods[0] = Some(Period { min: 0.0, max: f64::INFINITY }));
        refused("rest_height", |settings| settings.rest_height = -1e-9);
        refused("rest_height", |settings| settings.rest_height = f64::NAN);
        assert_eq!(with(|settings| settings.rest_height = 0.0), None);
        assert_eq!(with(|settings| settings.space.periods[0] = Some(Period { min: -1.0, max: 1.0 })), None);
    }

    #[test]
    fn rounding_puts_nothing_outside_of_the_cell() {
        let rows = [
            ((0.2, 1.2), 1.2, 0.2),
            ((0.2, 1.2), 0.2_f64.next_down(), 0.2),
            ((-0.3, 3.1), -0.3 - 6e-16, 3.099999999999999),
            ((1.3, 2.8), 1.3_f64.next_down(), 1.3),
            ((0.0, 1.0), -1e-300, 0.0),
            ((0.0, 10.0), 13.5, 3.5),
            ((0.0, 10.0), -0.5, 9.5),
        ];
        for ((min, max), place, wanted) in rows {
            for axis in 0..3 {
                let mut space = Space::default();
                space.periods[axis] = Some(Period { min, max });
                let found = space.within(DVec3::splat(place));
                assert_eq!(found[axis], wanted, "{place} in [{min}, {max})");
                assert_eq!(found[(axis + 1) % 3], place, "an open axis");
            }
        }
        let mut random = Random::from_state(12);
        for _ in 0..100_000 {
            let min = (random.between(-3.0, 3.0) * 10.0).round() / 10.0;
            let period = Period { min, max: min + (random.between(0.5, 5.0) * 10.0).round() / 10.0 };
            let border = min + period.length() * (random.below(21) as f64 - 10.0);
            let place = border + border * f64::EPSILON * (random.below(9) as f64 - 4.0);
            let found = Space { periods: [Some(period), None, None], ..Space::default() }.within(DVec3::splat(place)).x;
            assert!((period.min..period.max).contains(&found), "{place} in {period:?} became {found}");
        }
    }
}
