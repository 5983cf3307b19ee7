//! Times the functions that a benchmark compares, called *candidates*, in turn. Each round measures every candidate, so
//! that a busy machine disturbs all candidates equally. The order changes in every round, so that the caches do not
//! always favor the same candidate.

use std::time::{Duration, Instant};

/// A named function to be timed.
pub struct Candidate<'a> {
    pub name: &'static str,
    pub run: Box<dyn FnMut() + 'a>,
}

impl<'a> Candidate<'a> {
    pub fn new(name: &'static str, run: impl FnMut() + 'a) -> Self {
        let run = Box::new(run);
        Self { name, run }
    }
}

/// The duration of a measurement.
#[derive(Clone, Copy)]
pub struct Effort {
    /// The number of rounds.
    pub rounds: usize,
    /// The approximate time for which a candidate is repeated within a round.
    pub batch: Duration,
}

/// Returns the median time of one run of each candidate, in nanoseconds.
pub fn medians(candidates: &mut [Candidate<'_>], effort: Effort) -> Vec<f64> {
    let times = rounds(candidates, effort).into_iter();
    times.map(median).collect()
}

/// Returns the shortest time of one run of each candidate, in nanoseconds. Other work on the machine affects the
/// shortest time the least.
#[allow(dead_code, reason = "only one benchmark calls this function")]
pub fn minima(candidates: &mut [Candidate<'_>], effort: Effort) -> Vec<f64> {
    let times = rounds(candidates, effort).into_iter();
    times
        .map(|times| times.into_iter().fold(f64::INFINITY, f64::min))
        .collect()
}

/// Returns the times of each candidate in all rounds.
fn rounds(candidates: &mut [Candidate<'_>], effort: Effort) -> Vec<Vec<f64>> {
    let repetitions: Vec<u32> = candidates
        .iter_mut()
        .map(|candidate| repetitions(candidate, effort.batch))
        .collect();
    let mut times: Vec<Vec<f64>> = vec![Vec::with_capacity(effort.rounds); candidates.len()];
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    let mut random = 1;
    for _ in 0..effort.rounds {
        shuffle(&mut order, &mut random);
        for &i in &order {
            let (candidate, repetitions, times) =
                (&mut candidates[i], repetitions[i], &mut times[i]);
            if repetitions > 1 {
                // Warms the caches, which contain the data of the previous candidate.
                (candidate.run)();
            }
            times.push(time(candidate, repetitions).as_secs_f64() * 1e9 / f64::from(repetitions));
        }
    }
    times
}

/// Shuffles the order with the linear congruential generator of Knuth's MMIX.
fn shuffle(order: &mut [usize], random: &mut u64) {
    for last in (1..order.len()).rev() {
        *random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        order.swap(last, (*random >> 33) as usize % (last + 1));
    }
}

/// Returns how many runs of the candidate take roughly as long as `batch`. The number is doubled until the runs take
/// more than half of `batch`. An additional first run warms the caches and touches the pages.
fn repetitions(candidate: &mut Candidate<'_>, batch: Duration) -> u32 {
    (candidate.run)();
    let mut repetitions = 1;
    while repetitions < 1 << 20 {
        let elapsed = time(candidate, repetitions);
        if elapsed * 2 > batch {
            break;
        }
        repetitions *= 2;
    }
    repetitions
}

fn time(candidate: &mut Candidate<'_>, repetitions: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..repetitions {
        (candidate.run)();
    }
    start.elapsed()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
