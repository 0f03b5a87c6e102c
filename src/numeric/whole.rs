//! Rounding down to whole numbers, without a call of the maths library.
//!
//! Not every processor that this code is built for has an instruction for `floor`; a conversion and a
//! comparison are the same everywhere, and inline.

/// The largest whole number that is no larger than `x`; saturates beyond ±2⁶³, and NaN gives 0.
#[inline]
pub fn floor(x: f64) -> i64 {
    let towards_zero = x as i64;
    if towards_zero as f64 > x { towards_zero.saturating_sub(1) } else { towards_zero }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        let edges = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 1e15 + 0.5, -1e15 - 0.5, 4.5e15, -5e-324, 5e-324];
        for x in edges.into_iter().flat_map(|x: f64| [x, x.next_up(), x.next_down()]) {
            assert_eq!(floor(x), x.floor() as i64, "{x}");
        }
        assert_eq!((floor(1e300), floor(-1e300), floor(f64::NAN)), (i64::MAX, i64::MIN, 0));
    }
}
