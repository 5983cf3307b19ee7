//! Cuts positions into runs.

use alloc::vec::Vec;

use super::form::{Run, Single, distance};
use crate::resolve::axis::AxisRange;

/// Counts how often the step between positions changes. Returns `None` if the step changes at least once, and at least
/// `limit` times.
pub(super) fn count_changes<S: Single>(positions: &[S], limit: usize) -> Option<usize> {
    let mut changes = 0;
    // The count is checked after each part of the positions: if most positions are singles, the first part often
    // already has too many changes.
    let mut rest = positions;
    while rest.len() > 2 {
        let part = &rest[..rest.len().min(STEP_PAIRS_PER_CHECK + 2)];
        let triples = part.iter().zip(&part[1..]).zip(&part[2..]);
        let differ = triples.map(|((&a, &b), &c)| u32::from(S::differ(a, b, c)));
        changes += differ.sum::<u32>() as usize;
        if changes >= limit && changes > 0 {
            return None;
        }
        rest = &rest[part.len() - 2..];
    }
    Some(changes)
}

/// The number of pairs of steps that are compared before the number of changes is checked again.
const STEP_PAIRS_PER_CHECK: usize = 1024;

/// Cuts positions into the longest runs, from left to right. Two positions are a run only at the end, because elsewhere
/// the second position may begin a longer run.
pub(super) fn cut<S: Single>(positions: &[S], changes: usize) -> Vec<Run> {
    let mut runs = Vec::with_capacity(changes + 1);
    let mut rest = positions;
    while let [start, next @ ..] = rest {
        let (start, mut step, mut len) = (*start, 1, 1);
        if let Some(&second) = next.first() {
            let pairs = rest.iter().zip(next);
            let first_step = distance(start, second);
            let equal_steps = pairs
                .take_while(|&(&a, &b)| distance(a, b) == first_step)
                .count();
            if equal_steps > 1 || next.len() == 1 {
                (step, len) = (first_step, equal_steps + 1);
            }
        }
        rest = &rest[len..];
        let range = AxisRange::new(start.position(), step, len);
        let end = positions.len() - rest.len();
        runs.push(Run { range, end });
    }
    runs
}
