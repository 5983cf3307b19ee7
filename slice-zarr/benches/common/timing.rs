//! Times of single calls.

use std::time::Instant;

/// Returns the time of `work` in milliseconds, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let out = work();
    (begin.elapsed().as_secs_f64() * 1e3, out)
}

/// Returns the median.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
