//! Measures several candidates, such as libraries, alternately on the same work.

use std::ops::Range;

use super::timing::shortest;

/// The total time, in milliseconds, after which a candidate takes no more turns. It limits the duration of benchmarks
/// with slow candidates.
const MAX_TOTAL_MS: f64 = 3000.0;

/// The measured times of each candidate, in milliseconds.
pub struct Turns {
    times: Vec<Vec<f64>>,
}

impl Turns {
    /// Calls `run` with the number of each candidate, once to warm up and then in up to `turns` turns.
    ///
    /// A different candidate begins each turn, so that no candidate is always the first. `run` also receives the number
    /// of the turn, which is 0 for the warm-up, and returns the time in milliseconds, or `None` if the candidate does
    /// not support the work.
    pub fn take(
        candidates: usize,
        turns: usize,
        mut run: impl FnMut(usize, usize) -> Option<f64>,
    ) -> Self {
        let mut times = vec![Vec::new(); candidates];
        for turn in 0..=turns {
            for offset in 0..candidates {
                let candidate = (turn + offset) % candidates;
                let total: f64 = times[candidate].iter().sum();
                if total > MAX_TOTAL_MS {
                    continue;
                }
                if let Some(ms) = run(candidate, turn)
                    && turn > 0
                {
                    times[candidate].push(ms);
                }
            }
        }
        Turns { times }
    }

    /// Returns the shortest time of a candidate.
    pub fn shortest_time(&self, candidate: usize) -> f64 {
        shortest(&self.times[candidate])
    }

    /// Returns the ratios of the first candidate's time to the times of the candidates `others`, as table cells. The
    /// cell of a candidate without times is empty.
    pub fn ratios(&self, others: Range<usize>) -> String {
        let cell = |candidate: usize| match self.times[candidate].is_empty() {
            true => String::new(),
            false => format!(
                "{:.2}",
                self.shortest_time(0) / self.shortest_time(candidate)
            ),
        };
        let cells: Vec<String> = others.map(cell).collect();
        cells.join(" | ")
    }
}
