//! The distribution of the speeds of a gas, compared with Maxwell's law.
//!
//! Speeds are counted in units of √(k_B T / m), in which Maxwell's law (*Illustrations of the dynamical theory of
//! gases*, 1860) is the same for all temperatures and masses: a density proportional to s^(d−1) exp(−s²/2) in d
//! dimensions.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Width of a class, in √(k_B T / m).
const WIDTH: f64 = 0.1;

/// The least number of classes. By Maxwell's law one speed in 10⁷ is beyond; it makes all classes up to its own.
const CLASSES: usize = 60;

/// The largest number of classes. No speed is beyond √(d (N − 1)), where one body has all the energy of N, so only
/// rounding in nearly no heat comes so far.
const CLASSES_MAX: usize = 1 << 17;

/// Counts of speeds, and the moments of their components.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Speeds {
    /// One for each class.
    counts: Vec<u64>,
    components: u64,
    squares: f64,
    fourth_powers: f64,
    dimension: usize,
}

impl Default for Speeds {
    fn default() -> Self {
        Self { counts: vec![0; CLASSES], components: 0, squares: 0.0, fourth_powers: 0.0, dimension: 3 }
    }
}

/// The number of bodies with a speed in one class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Class {
    /// The lower end, in √(k_B T / m).
    pub low: f64,
    /// The upper end, in √(k_B T / m).
    pub high: f64,
    /// The number of bodies.
    pub count: u64,
    /// The number of bodies by Maxwell's law.
    pub maxwell: f64,
}

impl Speeds {
    /// Counts a velocity in units of √(k_B T / m). Only its components along the axes with `moves` belong to the gas.
    pub(super) fn add(&mut self, velocity: DVec3, moves: [bool; 3]) {
        let class = ((velocity.length() / WIDTH) as usize).min(CLASSES_MAX - 1);
        if class >= self.counts.len() {
            self.counts.resize(class + 1, 0);
        }
        self.counts[class] += 1;
        self.dimension = 0;
        for axis in (0..3).filter(|&axis| moves[axis]) {
            let square = velocity[axis] * velocity[axis];
            self.squares += square;
            self.fourth_powers += square * square;
            self.components += 1;
            self.dimension += 1;
        }
    }

    /// ⟨u⁴⟩/⟨u²⟩² of the components; `None` if nothing moved.
    pub fn kurtosis(&self) -> Option<f64> {
        let square = self.squares / self.components as f64;
        (self.squares > 0.0).then(|| self.fourth_powers / self.components as f64 / (square * square))
    }

    /// All classes, from slow to fast. In the last one `maxwell` also has all that is faster.
    pub fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        let total: u64 = self.counts.iter().sum();
        self.counts.iter().enumerate().map(move |(rank, &count)| {
            let [low, high] = [rank, rank + 1].map(|rank| rank as f64 * WIDTH);
            let below = |speed: f64| maxwell_below(speed, self.dimension);
            let upper = if rank + 1 == self.counts.len() { 1.0 } else { below(high) };
            Class { low, high, count, maxwell: total as f64 * (upper - below(low)) }
        })
    }
}

/// The fraction of bodies slower than `speed` by Maxwell's law in so many dimensions: the distribution function of χ_d.
fn maxwell_below(speed: f64, dimension: usize) -> f64 {
    let tail = libm::exp(-0.5 * speed * speed);
    let error_function = libm::erf(speed * std::f64::consts::FRAC_1_SQRT_2);
    match dimension {
        1 => error_function,
        2 => 1.0 - tail,
        _ => error_function - (2.0 / std::f64::consts::PI).sqrt() * speed * tail,
    }
}

/// Maxwell's probability density of a speed, both in units of √(k_B T / m), in so many dimensions.
pub fn maxwell_density(speed: f64, dimension: usize) -> f64 {
    let tail = libm::exp(-0.5 * speed * speed);
    let norm = (2.0 / std::f64::consts::PI).sqrt();
    match dimension {
        1 => norm * tail,
        2 => speed * tail,
        _ => norm * speed * speed * tail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its integral, by Simpson's rule, is the share of bodies that are slower.
    #[test]
    fn maxwells_density_is_the_slope_of_his_law() {
        for dimension in [1, 2, 3] {
            for upper in [0.5_f64, 1.7, 4.0] {
                let pieces = 1000;
                let step = upper / f64::from(pieces);
                let weight = |place: i32| match place {
                    0 => 1.0,
                    _ if place == pieces => 1.0,
                    _ if place % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                let value = |place: i32| weight(place) * maxwell_density(step * f64::from(place), dimension);
                let integral = (0..=pieces).map(value).sum::<f64>() * step / 3.0;
                // The rule is off by 4/180 h⁴ times the fourth derivative, which stays below 4: 2e-11 for h = 0.004.
                assert!((integral - maxwell_below(upper, dimension)).abs() < 1e-10, "{dimension} {upper}");
            }
        }
    }

    #[test]
    fn maxwells_law_has_its_closed_forms() {
        // Medians of χ with 1, 2 and 3 degrees of freedom: the roots of erf(s/√2) = ½, √(2 ln 2), and the
        // third to the digits of a table.
        let medians = [0.674_489_750_196_081_7, (2.0 * 2.0_f64.ln()).sqrt(), 1.538_172_254_455_237];
        for (dimension, median) in [1, 2, 3].into_iter().zip(medians) {
            let below = maxwell_below(median, dimension);
            assert!((below - 0.5).abs() < 1e-12, "{dimension}: {below}");
            assert_eq!(maxwell_below(0.0, dimension), 0.0);
        }
    }

    #[test]
    fn classes_hold_every_speed_once() {
        let mut speeds = Speeds::default();
        for speed in [0.0, 0.05, 0.15, 5.95, 23.81] {
            speeds.add(DVec3::X * speed, [true, true, false]);
        }
        let classes: Vec<Class> = speeds.classes().collect();
        let counts: Vec<u64> = classes.iter().map(|class| class.count).collect();
        assert_eq!((counts[0], counts[1], counts[59], counts[238], counts.iter().sum()), (2, 1, 1, 1, 5));
        assert!(classes.len() == 239 && classes[238].low <= 23.81 && classes[238].high > 23.81);
        let expected: f64 = classes.iter().map(|class| class.maxwell).sum();
        assert!((expected - 5.0).abs() < 1e-14);
        assert_eq!(Speeds::default().kurtosis(), None);
    }

    #[test]
    fn two_speeds_of_one_size_have_kurtosis_one() {
        let mut speeds = Speeds::default();
        [1.0, -1.0].into_iter().for_each(|u| speeds.add(DVec3::X * u, [true, false, false]));
        assert_eq!(speeds.kurtosis(), Some(1.0));
    }
}
