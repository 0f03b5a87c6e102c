//! Courses: prescribed motion along an axis, as a function of time.

use std::f64::consts::TAU;

use glam::DVec3;

use super::SimTime;
use crate::numeric::OutOfRange;
use crate::numeric::exact;
use crate::numeric::functions::turns::sine_and_cosine;
use crate::numeric::quantity::{is_moderate, is_positive};
use crate::numeric::tolerance::{COURSE_PARTS, FREQUENCY_MAX, PROJECTION_SLACK, TIME_MAX};
use crate::numeric::whole::floor;

/// Number of coefficients of a polynomial course: powers up to the seventh.
pub const COEFFICIENTS_MAX: usize = 8;

/// A prescribed motion along an axis: the displacement from a rest position as a function of the time since the start
/// of the run.
///
/// A sine is computed by `+ − × ÷` alone, to within 5e-16 of its amplitude, so a run has the same bits on all machines.
///
/// ```
/// use carom::glam::DVec3;
/// use carom::{Course, SimTime};
///
/// // 2 cm to each side, 50 times per second, first upwards.
/// let course = Course::sine(DVec3::Z, 0.02, 50.0, 0.0).unwrap();
/// let [displacement, velocity, acceleration] = course.at(SimTime::from_seconds(0.005));
/// assert_eq!((displacement, velocity), (DVec3::Z * 0.02, DVec3::ZERO));
/// assert!((acceleration.z + 0.02 * (100.0 * std::f64::consts::PI).powi(2)).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Course {
    /// Unit vector.
    axis: DVec3,
    law: Law,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Law {
    /// a sin 2π(f t + φ): amplitude in m, frequency in Hz, phase in turns.
    Sine { amplitude: f64, frequency: f64, phase: f64 },
    /// Σ cₖ tᵏ until `until`, s, and then at rest.
    Polynomial { coefficients: [f64; COEFFICIENTS_MAX], until: f64 },
}

/// The largest values of a course and its derivatives, without sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Largest {
    /// m.
    pub(crate) displacement: f64,
    /// m/s.
    pub(crate) speed: f64,
    /// m/s².
    pub(crate) acceleration: f64,
    /// m/s³.
    pub(crate) jerk: f64,
    /// m/s⁴.
    pub(crate) snap: f64,
}

impl Course {
    /// `amplitude` (m) · sin 2π(`frequency` (Hz) · t + `phase` (turns)), along `axis`, of which only the direction
    /// counts.
    ///
    /// # Errors
    /// [`OutOfRange`] when the axis has no length, when amplitude or frequency are not positive, or when a number is
    /// not finite.
    pub fn sine(axis: DVec3, amplitude: f64, frequency: f64, phase: f64) -> Result<Self, OutOfRange> {
        let axis = direction(axis)?;
        for (quantity, found) in [("amplitude", amplitude), ("frequency", frequency)] {
            if !is_positive(found) {
                return Err(OutOfRange { quantity, allowed: "positive and finite", found });
            }
        }
        if frequency > FREQUENCY_MAX {
            return Err(OutOfRange { quantity: "frequency", allowed: "at most 100,000 Hz", found: frequency });
        }
        if phase.is_nan() || phase.abs() > FREQUENCY_MAX {
            return Err(OutOfRange { quantity: "phase", allowed: "a number of turns, at most 100,000", found: phase });
        }
        let phase = phase - floor(phase) as f64;
        Ok(Self { axis, law: Law::Sine { amplitude, frequency, phase } })
    }

    /// The displacement c₀ + c₁ t + c₂ t² + … (m, t in s) along `axis`, of which only the direction counts, until the
    /// time `until` (s), at which it must be at rest. There it stays.
    ///
    /// ```
    /// use carom::glam::DVec3;
    /// use carom::{Course, SimTime};
    ///
    /// // Up by 1 m within 1 s, from rest to rest.
    /// let course = Course::polynomial(DVec3::Z, &[0.0, 0.0, 3.0, -2.0], 1.0).unwrap();
    /// assert_eq!(course.at(SimTime::from_seconds(0.5))[0], DVec3::Z * 0.5);
    /// assert_eq!(course.at(SimTime::from_seconds(9.0)), [DVec3::Z, DVec3::ZERO, DVec3::ZERO]);
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`] when the axis has no length, when there are more than eight coefficients, when a number is not
    /// finite, when `until` is not positive, or when it is not at rest then.
    pub fn polynomial(axis: DVec3, coefficients: &[f64], until: f64) -> Result<Self, OutOfRange> {
        let axis = direction(axis)?;
        let wrong = coefficients.iter().find(|&&found| !is_moderate(found)).or(coefficients.get(COEFFICIENTS_MAX));
        if let Some(&found) = wrong {
            return Err(OutOfRange { quantity: "coefficients", allowed: "at most eight finite numbers", found });
        }
        if !is_positive(until) {
            return Err(OutOfRange { quantity: "until", allowed: "positive and finite", found: until });
        }
        let mut all = [0.0; COEFFICIENTS_MAX];
        all[..coefficients.len()].copy_from_slice(coefficients);
        let course = Self { axis, law: Law::Polynomial { coefficients: all, until } };
        let is_at_rest = polynomial(&all, until)[1].abs() <= PROJECTION_SLACK * course.largest().speed;
        if !is_at_rest {
            let allowed = "a time at which the velocity is 0, since it rests after it";
            return Err(OutOfRange { quantity: "until", allowed, found: until });
        }
        Ok(course)
    }

    /// Displacement (m), velocity (m/s) and acceleration (m/s²) at an instant.
    pub fn at(&self, time: SimTime) -> [DVec3; 3] {
        self.along(time).map(|number| self.axis * number)
    }

    /// The same along the axis.
    pub(crate) fn along(&self, time: SimTime) -> [f64; 3] {
        let [displacement, speed, acceleration, _] = self.with_jerk(time);
        [displacement, speed, acceleration]
    }

    /// The same with the jerk, m/s³.
    pub(crate) fn with_jerk(&self, time: SimTime) -> [f64; 4] {
        match self.law {
            Law::Sine { amplitude, frequency, phase } => {
                let (whole, rest) = exact::product(time.ticks() as f64 * SimTime::TICK, frequency);
                let turns = (whole - floor(whole) as f64) + (rest + frequency * time.rest()) + phase;
                let [sine, cosine] = sine_and_cosine(turns);
                let rate = TAU * frequency;
                let speed = amplitude * rate * cosine;
                [amplitude * sine, speed, -amplitude * rate * rate * sine, -rate * rate * speed]
            }
            Law::Polynomial { ref coefficients, until } => {
                let seconds = time.seconds();
                if seconds < until {
                    polynomial(coefficients, seconds)
                } else {
                    [polynomial(coefficients, until)[0], 0.0, 0.0, 0.0]
                }
            }
        }
    }

    /// Whether it is one that can be made.
    pub(crate) fn is_sound(&self) -> bool {
        let again = match &self.law {
            &Law::Sine { amplitude, frequency, phase } => Self::sine(self.axis, amplitude, frequency, phase),
            Law::Polynomial { coefficients, until } => Self::polynomial(self.axis, coefficients, *until),
        };
        again.is_ok_and(|again| again.law == self.law && (self.axis - again.axis).length() <= PROJECTION_SLACK)
    }

    /// The direction, as a unit vector.
    pub(crate) fn axis(&self) -> DVec3 {
        self.axis
    }

    /// After which time from any instant on the course has been everywhere where it will ever be, s; at most the range
    /// of the clock.
    pub(crate) fn cycle(&self) -> f64 {
        let cycle = match self.law {
            Law::Sine { frequency, .. } => 1.0 / frequency,
            Law::Polynomial { until, .. } => until,
        };
        cycle.min(TIME_MAX)
    }

    /// Bounds of the course and its derivatives.
    pub(crate) fn largest(&self) -> Largest {
        match self.law {
            Law::Sine { amplitude, frequency, .. } => {
                let rate = TAU * frequency;
                let [speed, acceleration] = [amplitude * rate, amplitude * rate * rate];
                let jerk = acceleration * rate;
                Largest { displacement: amplitude, speed, acceleration, jerk, snap: jerk * rate }
            }
            Law::Polynomial { ref coefficients, until } => {
                let bound = |order: usize| {
                    let terms = coefficients.iter().enumerate().skip(order).rev();
                    terms.fold(0.0, |sum, (power, coefficient)| {
                        let factor: usize = (power + 1 - order..=power).product();
                        sum * until + coefficient.abs() * factor as f64
                    })
                };
                let [displacement, speed, acceleration, jerk, snap] = [0, 1, 2, 3, 4].map(bound);
                Largest { displacement, speed, acceleration, jerk, snap }
            }
        }
    }

    /// When it comes to rest for ever: its acceleration may jump there.
    pub(crate) fn end(&self) -> SimTime {
        match self.law {
            Law::Sine { .. } => SimTime::NEVER,
            Law::Polynomial { .. } => SimTime::from_seconds(self.cycle()),
        }
    }

    /// The next instant at which another parabola shows the course; [never](SimTime::NEVER) after its end.
    pub(crate) fn next_shown(&self, now: SimTime) -> SimTime {
        let part = self.cycle() / COURSE_PARTS;
        let seconds = now.seconds();
        match self.law {
            Law::Polynomial { until, .. } if seconds >= until => SimTime::NEVER,
            _ => {
                let end_of = |whole: i64| SimTime::from_seconds((whole + 1) as f64 * part);
                // At the end of a part, rounding may count the present to that part.
                let whole = floor(seconds / part);
                if end_of(whole) > now { end_of(whole) } else { end_of(whole + 1) }
            }
        }
    }
}

fn direction(axis: DVec3) -> Result<DVec3, OutOfRange> {
    let length = axis.length();
    if is_positive(length) {
        Ok(axis / length)
    } else {
        Err(OutOfRange { quantity: "length of the axis", allowed: "positive and finite", found: length })
    }
}

/// A polynomial and its first three derivatives.
fn polynomial(coefficients: &[f64; COEFFICIENTS_MAX], t: f64) -> [f64; 4] {
    coefficients.iter().rev().fold([0.0; 4], |[value, slope, bend, jerk], coefficient| {
        [value * t + coefficient, slope * t + value, bend * t + 2.0 * slope, jerk * t + 3.0 * bend]
    })
}
