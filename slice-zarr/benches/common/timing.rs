//! Measures single calls, and compares their times and results.

use std::time::Instant;

use ndarray::ArrayD;

/// Returns the time of `work` in milliseconds, and its result.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let begin = Instant::now();
    let out = work();
    (begin.elapsed().as_secs_f64() * 1e3, out)
}

/// Returns the median of several times.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Returns the ratios of our time to the median of each library's times, as cells of a table. A cell is empty if there
/// are no times.
pub fn ratios(ours: f64, theirs: Vec<Vec<f64>>) -> String {
    let cell = |times: Vec<f64>| match times.is_empty() {
        true => String::new(),
        false => format!("{:.2}", ours / median(times)),
    };
    let cells: Vec<String> = theirs.into_iter().map(cell).collect();
    cells.join(" | ")
}

/// Returns the sum of the elements' bits.
pub fn sum(out: &ArrayD<f32>) -> u64 {
    out.iter().map(|x| u64::from(x.to_bits())).sum()
}
