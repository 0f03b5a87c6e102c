//! Roots by bracketing, narrowed to neighbouring floats.
//!
//! The function changes sign between two ends. The ends move towards the sign change until no float lies between them.
//! The first steps use false position with the Illinois weights (Dowell & Jarratt, *BIT* 11, 1971). If these do not
//! finish, the bracket is halved in the order of the floats, which ends after at most 64 halvings for any function.

/// Steps of false position before halving begins. Smooth functions need about eight.
const STRIDES: u32 = 24;

/// The two neighbouring floats between which `f` changes sign, first the one on the side of `low`.
///
/// Both ends are non-negative, `low < high`, and the values `f(low)` and `f(high)` have different signs, zero
/// counting as negative. The result depends on these arguments alone.
pub fn sign_change(f: impl Fn(f64) -> f64, low: f64, high: f64) -> (f64, f64) {
    debug_assert!(0.0 <= low && low < high && high.is_finite());
    let (mut low, mut high) = (low + 0.0, high);
    let (mut f_low, mut f_high) = (f(low), f(high));
    let rises = f_low <= 0.0;
    for _ in 0..STRIDES {
        if low.next_up() >= high {
            return (low, high);
        }
        let guess = low - f_low * ((high - low) / (f_high - f_low));
        // The comparison also catches NaN, which infinite values produce.
        let x = if guess > low && guess < high { guess } else { float_between(low, high) };
        let value = f(x);
        if (value <= 0.0) == rises {
            (low, f_low) = (x, value);
            f_high *= 0.5;
        } else {
            (high, f_high) = (x, value);
            f_low *= 0.5;
        }
    }
    halve(f, low, high, rises)
}

fn halve(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64, rises: bool) -> (f64, f64) {
    while low.next_up() < high {
        let x = float_between(low, high);
        if (f(x) <= 0.0) == rises { low = x } else { high = x }
    }
    (low, high)
}

/// The float halfway between two non-negative floats in the order of floats, that is, of their bits.
fn float_between(low: f64, high: f64) -> f64 {
    let (low, high) = (low.to_bits(), high.to_bits());
    f64::from_bits(low + (high - low) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_change_lies_between_neighbours() {
        type Row = (fn(f64) -> f64, f64, f64);
        let rows: [Row; 7] = [
            (|t| t * t - 2.0, 0.0, 2.0),
            (|t| 2.0 - t * t, 0.0, 1e9),
            (|t| t - 1e-300, 0.0, 1e9),
            (|t| (t - 0.3) * (t - 0.3) * (t - 0.3), 0.0, 1e15),
            (|t| if t < 7.0 { 1.0 } else { -1e-9 }, 0.0, 1e200),
            (|t| 1.0 / (t - 0.7), 0.0, 1.0),
            (|t| t * t * t * t - 81.0, 1.0, 1e70),
        ];
        for (row, (f, low, high)) in rows.into_iter().enumerate() {
            let (below, above) = sign_change(f, low, high);
            assert_eq!(below.next_up(), above, "row {row}");
            assert_ne!(f(below) <= 0.0, f(above) <= 0.0, "row {row}");
        }
    }

    #[test]
    fn a_zero_end_counts_as_negative() {
        assert_eq!(sign_change(|t| t, 0.0, 1.0).0, 0.0);
        assert_eq!(sign_change(|t| 1.0 - t, 0.0, 1.0).1, 1.0);
    }
}
