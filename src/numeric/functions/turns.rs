//! Sine and cosine of an angle in turns, by `+ − × ÷` alone, so that all machines give the same bits.

use std::f64::consts::TAU;

use crate::numeric::whole::floor;

/// The highest powers of the two series: the next terms are below 1e-18 within an eighth of a turn.
const SINE_POWER: u32 = 19;
const COSINE_POWER: u32 = 18;

/// Sine and cosine of an angle, in turns, below 2⁶⁰.
pub fn sine_and_cosine(turns: f64) -> [f64; 2] {
    let quarter = floor(4.0 * turns + 0.5);
    let angle = TAU * (turns - quarter as f64 / 4.0);
    let (sine, cosine) = (angle * series(angle, SINE_POWER), series(angle, COSINE_POWER));
    match quarter.rem_euclid(4) {
        0 => [sine, cosine],
        1 => [cosine, -sine],
        2 => [-sine, -cosine],
        _ => [-cosine, sine],
    }
}

/// 1 − x²/(2·3)·(1 − x²/(4·5)·(…)) for an odd power, and 1 − x²/(1·2)·(1 − x²/(3·4)·(…)) for an even one.
fn series(angle: f64, power: u32) -> f64 {
    let square = angle * angle;
    let factors = (2..=power).rev().step_by(2).map(|n| f64::from(n * (n - 1)));
    factors.fold(1.0, |rest, factor| 1.0 - square / factor * rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_are_those_of_the_standard_library() {
        for n in -4000..4000 {
            let turns = f64::from(n) / 1024.0 + f64::from(n % 7) * 1e-5;
            let angle = TAU * (turns - turns.round());
            let [sine, cosine] = sine_and_cosine(turns);
            assert!((sine - angle.sin()).abs() < 5e-16 && (cosine - angle.cos()).abs() < 5e-16, "{turns}");
            assert!((sine * sine + cosine * cosine - 1.0).abs() < 5e-16, "{turns}");
        }
        assert_eq!(sine_and_cosine(-0.25), [-1.0, -0.0]);
        assert_eq!(sine_and_cosine(12.5), [-0.0, -1.0]);
    }
}
