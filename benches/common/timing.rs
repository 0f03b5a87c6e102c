//! Times of single calls.

use std::hint::black_box;
use std::time::Instant;

/// The median of times, which are not empty.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// How long a call takes, µs.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> f64 {
    let began = Instant::now();
    black_box(work());
    1e6 * began.elapsed().as_secs_f64()
}
