//! Measures the time of a call, selects the shortest time, and computes checksums of elements.

use std::time::Instant;

use ndarray::ArrayD;

/// Returns the time of `work` in milliseconds, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let out = work();
    (begin.elapsed().as_secs_f64() * 1e3, out)
}

/// Returns the shortest of several times, because other work on the machine can only make a call slower.
pub fn shortest(times: &[f64]) -> f64 {
    times.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Returns a checksum of the elements: the sum of their bit patterns.
pub fn sum(out: &ArrayD<f32>) -> u64 {
    out.iter().map(|x| u64::from(x.to_bits())).sum()
}
