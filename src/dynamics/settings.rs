//! What holds for a whole world: gravity, the shape of space, and every cutoff with its default.

use glam::DVec3;

use super::Materials;
use crate::numeric::tolerance::REST_LENGTH_DEFAULT;
use crate::numeric::whole::floor;

/// One repeating axis of space: the half-open range [min, max), m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Period {
    /// Where the range begins, m.
    pub min: f64,
    /// Where it ends and begins again, m; more than `min`.
    pub max: f64,
}

/// Fewer periods than this lie between a body and the periodic cell: sums of a few such numbers fit into their type.
const PERIODS_MAX: f64 = 1_073_741_824.0;

/// The shape of space: each axis is open or repeats. The default is open.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Space {
    /// The repeating range of x, y and z, or `None` for an axis without end.
    pub periods: [Option<Period>; 3],
}

impl Space {
    /// Which cell of the periodic grid holds `position`: 0 along an open axis.
    #[inline]
    pub fn cell_of(&self, position: DVec3) -> [i32; 3] {
        std::array::from_fn(|axis| match self.periods[axis] {
            // Where it mostly is, without a division.
            Some(period) if (0.0..period.length()).contains(&(position[axis] - period.min)) => 0,
            Some(period) => floor((position[axis] - period.min) / period.length()) as i32,
            None => 0,
        })
    }

    /// `position` brought into the periodic cell, m, and over how many periods.
    #[inline(always)]
    pub(crate) fn wrap(&self, position: DVec3) -> (DVec3, [i32; 3]) {
        let crossed = self.cell_of(position);
        (if crossed == [0; 3] { position } else { position - self.shift(crossed) }, crossed)
    }

    /// Whether so few periods lie between `position` and the periodic cell that they can be counted: fewer than 2³⁰ along
    /// each axis.
    pub fn is_countable(&self, position: DVec3) -> bool {
        self.periods.iter().zip(position.to_array()).all(|(period, place)| {
            period.is_none_or(|period| (place - period.min).abs() < PERIODS_MAX * period.length())
        })
    }

    /// The vector of so many periods, m.
    #[inline]
    pub fn shift(&self, periods: [i32; 3]) -> DVec3 {
        self.shift_far(periods.map(f64::from))
    }

    /// The same for a number of periods that 32 bits need not hold.
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
}

/// How impacts at one instant are resolved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Impacts {
    /// All contacts of touching bodies that close at the instant together, then those that close after that.
    #[default]
    Together,
    /// One pair after the other, in the order of the bodies' names.
    Pairwise,
}

/// What holds for a whole world.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Acceleration of every free body that nothing supports, m/s².
    pub gravity: DVec3,
    /// The shape of space.
    pub space: Space,
    /// What bodies are made of.
    pub materials: Materials,
    /// How impacts at one instant are resolved.
    pub impacts: Impacts,
    /// A bounce whose rebound would rise less than this becomes a contact, m; and so does one that loses energy and whose
    /// rebound is slower than a fall through this length. Zero: only a rebound without any speed does. On curved surfaces
    /// it is also how far a way round may rise above its chord.
    pub rest_length: f64,
    /// Most impacts of a body that follow one on another within `rest_length` and lose energy. The next one has no
    /// rebound, and the log calls it a collapse.
    pub flurry_max: u32,
    /// Most impacts of one free body in one step. More end the run with an error that names the body,
    /// for a run without this bound need not end.
    pub impacts_max: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: DVec3::ZERO,
            space: Space::default(),
            materials: Materials::default(),
            impacts: Impacts::default(),
            rest_length: REST_LENGTH_DEFAULT,
            flurry_max: 16,
            impacts_max: 1_000_000,
        }
    }
}
