//! Positions of an axis in any order, cut into runs: neighbours, a constant step either way, repeats, singles.
//!
//! Where most positions are singles, runs would take three times their memory and gain nothing: then they are kept as they
//! are. Which it is depends on the positions alone, of a list as of a mask.

use alloc::vec;
use alloc::vec::Vec;

use crate::resolve::axis::{AxisRange, MAX_AXIS};

/// Positions of an axis in a constant step, which is 0 where one position is repeated.
///
/// # Example
///
/// ```
/// use slice_core::{AxisPositions, AxisRun, s};
///
/// let list: Vec<usize> = (0..20).chain([7; 9]).collect();
/// let selection = s![&list].resolve(&[30])?;
/// let runs = vec![AxisRun { start: 0, step: 1, len: 20 }, AxisRun { start: 7, step: 0, len: 9 }];
/// assert_eq!(selection.axis(0), AxisPositions::Runs(runs.into()));
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    // INVARIANT of those in a selection: `len` is not 0; if it is 1, `step` is 1.
    /// The first position.
    pub start: usize,
    /// The distance from one position to the next.
    pub step: isize,
    /// The number of positions.
    pub len: usize,
}

impl Run {
    /// The `k`-th position, for `k < len`.
    #[inline(always)]
    pub(crate) fn position(self, k: usize) -> usize {
        self.start.wrapping_add(k.wrapping_mul(self.step as usize))
    }

    /// Whether there are positions, all of them on an axis of this size.
    pub(crate) fn lies_within(self, size: usize) -> bool {
        let Run { start, step, len } = self;
        let range = match step {
            0 => AxisRange::single(start),
            _ => AxisRange::new(start, step, len),
        };
        (1..=MAX_AXIS).contains(&len) && range.lies_within(size)
    }

    /// Both runs as one, if the second goes on where this one ends.
    fn with(self, next: Run) -> Option<Run> {
        let step = distance(self.position(self.len - 1), next.start);
        let goes_on = |run: Run| run.len == 1 || run.step == step;
        (goes_on(self) && goes_on(next)).then_some(Run {
            start: self.start,
            step,
            len: self.len.saturating_add(next.len),
        })
    }

    #[inline]
    pub(crate) fn positions(self) -> impl ExactSizeIterator<Item = usize> + Clone {
        (0..self.len).map(move |k| self.position(k))
    }
}

/// Positions that no [`AxisRange`] can be: there are at least two of them.
#[derive(Clone, Debug)]
pub(crate) enum Runs {
    /// Mostly singles.
    Singles(Vec<usize>),
    /// Mostly runs. INVARIANT: `len` is the sum of their lengths.
    Runs { runs: Vec<Run>, len: usize },
}

/// The selected positions of one axis: positions in a constant step, or runs of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OuterAxis {
    Range(AxisRange),
    Runs(Runs),
}

/// Runs pay where they have at least so many positions each, on average.
const WORTHWHILE: usize = 4;

impl OuterAxis {
    pub(crate) fn len(&self) -> usize {
        match self {
            OuterAxis::Range(range) => range.len(),
            OuterAxis::Runs(runs) => runs.len(),
        }
    }

    /// The `k`-th position, for `k < len`.
    pub(crate) fn position(&self, k: usize) -> usize {
        match self {
            OuterAxis::Range(range) => range.position(k),
            OuterAxis::Runs(Runs::Singles(positions)) => positions[k],
            OuterAxis::Runs(Runs::Runs { runs, .. }) => {
                let mut left = k;
                for run in runs {
                    match left.checked_sub(run.len) {
                        Some(rest) => left = rest,
                        None => return run.position(left),
                    }
                }
                unreachable!("a position of the axis")
            }
        }
    }

    /// All positions, in order.
    pub(crate) fn to_positions(&self) -> Vec<usize> {
        match self {
            OuterAxis::Range(range) => range.positions().collect(),
            OuterAxis::Runs(runs) => runs.to_positions(),
        }
    }

    /// These positions, cut.
    pub(crate) fn of_positions(positions: Vec<usize>) -> Self {
        let [first, second, ..] = positions[..] else {
            return match positions.first() {
                Some(&only) => OuterAxis::Range(AxisRange::single(only)),
                None => OuterAxis::Range(AxisRange::new(0, 1, 0)),
            };
        };
        let changes = changes(&positions);
        if changes == 0 {
            return Self::of_run(Run {
                start: first,
                step: distance(first, second),
                len: positions.len(),
            });
        }
        if changes >= positions.len() / WORTHWHILE {
            return OuterAxis::Runs(Runs::Singles(positions));
        }
        OuterAxis::Runs(Runs::Runs {
            len: positions.len(),
            runs: cut(&positions, changes),
        })
    }

    /// One run.
    pub(crate) fn of_run(run: Run) -> Self {
        if run.step != 0 || run.len < 2 {
            return OuterAxis::Range(AxisRange::new(run.start, run.step, run.len));
        }
        OuterAxis::Runs(Runs::Runs {
            len: run.len,
            runs: vec![run],
        })
    }

    /// These runs, none of which is empty, one after the other; one run if all go on where the one before ends.
    pub(crate) fn of_runs(runs: &[Run]) -> Self {
        let Some((&first, rest)) = runs.split_first() else {
            return OuterAxis::Range(AxisRange::new(0, 1, 0));
        };
        if let Some(all) = rest.iter().try_fold(first, |all, &run| all.with(run)) {
            return Self::of_run(all);
        }
        let canonical = |&Run { start, step, len }: &Run| {
            let step = if len == 1 { 1 } else { step };
            Run { start, step, len }
        };
        OuterAxis::Runs(Runs::Runs {
            len: runs
                .iter()
                .fold(0, |all: usize, run| all.saturating_add(run.len)),
            runs: runs.iter().map(canonical).collect(),
        })
    }

    /// The positions at which a mask is true.
    pub(crate) fn of_mask(mask: &[bool]) -> Self {
        let (trues, edges) = census(mask);
        let runs = edges.div_ceil(2);
        if runs <= 1 || runs * WORTHWHILE <= trues {
            let mut found = Vec::with_capacity(runs);
            each_run(mask, |start, len| {
                found.push(Run {
                    start,
                    step: 1,
                    len,
                });
            });
            return match found[..] {
                [] => OuterAxis::Range(AxisRange::new(0, 1, 0)),
                [run] => Self::of_run(run),
                _ => OuterAxis::Runs(Runs::Runs {
                    runs: found,
                    len: trues,
                }),
            };
        }
        let mut positions = Vec::with_capacity(trues);
        if edges <= mask.len() / 16 {
            each_run(mask, |start, len| positions.extend(start..start + len));
        } else {
            scattered(mask, trues, &mut positions);
        }
        Self::of_positions(positions)
    }
}

impl Runs {
    pub(crate) fn len(&self) -> usize {
        match self {
            Runs::Singles(positions) => positions.len(),
            Runs::Runs { len, .. } => *len,
        }
    }

    pub(crate) fn to_positions(&self) -> Vec<usize> {
        match self {
            Runs::Singles(positions) => positions.clone(),
            Runs::Runs { runs, len } => {
                let mut positions = Vec::with_capacity(*len);
                runs.iter()
                    .for_each(|run| positions.extend(run.positions()));
                positions
            }
        }
    }
}

/// By their positions: the same may be cut in two ways.
impl PartialEq for Runs {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Runs::Singles(one), Runs::Singles(other)) => one == other,
            _ => self.len() == other.len() && self.to_positions() == other.to_positions(),
        }
    }
}

impl Eq for Runs {}

impl core::hash::Hash for Runs {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        self.to_positions().hash(state);
    }
}

#[inline(always)]
fn distance(from: usize, to: usize) -> isize {
    to.wrapping_sub(from) as isize
}

/// How often the step from one position to the next is another than the step before.
fn changes(positions: &[usize]) -> usize {
    let triples = positions.iter().zip(&positions[1..]).zip(&positions[2..]);
    triples
        .map(|((&a, &b), &c)| usize::from(distance(a, b) != distance(b, c)))
        .sum()
}

/// The longest runs from left to right; a pair is a run only at the end, as its second position may begin a longer one.
fn cut(positions: &[usize], changes: usize) -> Vec<Run> {
    let mut runs = Vec::with_capacity(changes + 1);
    let mut rest = positions;
    while let [start, next @ ..] = rest {
        let (start, mut step, mut len) = (*start, 1, 1);
        if let Some(&second) = next.first() {
            let pairs = rest.iter().zip(next);
            let found = distance(start, second);
            let more = pairs
                .take_while(|&(&a, &b)| distance(a, b) == found)
                .count();
            if more > 1 || next.len() == 1 {
                (step, len) = (found, more + 1);
            }
        }
        runs.push(Run { start, step, len });
        rest = &rest[len..];
    }
    runs
}

/// How many are true, and how often that changes, beginning and ending with false.
fn census(mask: &[bool]) -> (usize, usize) {
    // 255 of them add up to a byte, which the compiler adds many at a time.
    let mut trues = 0;
    for part in mask.chunks(255) {
        trues += usize::from(part.iter().map(|&x| u8::from(x)).sum::<u8>());
    }
    let Some((first, rest)) = mask.split_first() else {
        return (0, 0);
    };
    let mut edges = usize::from(*first) + usize::from(*mask.last().unwrap_or(first));
    for (before, after) in mask.chunks(255).zip(rest.chunks(255)) {
        let differ = before.iter().zip(after).map(|(a, b)| u8::from(a != b));
        edges += usize::from(differ.sum::<u8>());
    }
    (trues, edges)
}

/// Calls `run(start, len)` for all that are true next to each other; long stretches of one value are passed eight at a time.
fn each_run(mask: &[bool], mut run: impl FnMut(usize, usize)) {
    let mut start = None;
    let (words, rest) = mask.as_chunks::<8>();
    let mut step = |at: usize, is_true: bool| match (start, is_true) {
        (None, true) => start = Some(at),
        (Some(from), false) => {
            run(from, at - from);
            start = None;
        }
        _ => {}
    };
    let mut last = false;
    for (i, word) in words.iter().enumerate() {
        if *word == [last; 8] {
            continue;
        }
        for (k, &is_true) in word.iter().enumerate() {
            step(8 * i + k, is_true);
        }
        last = word[7];
    }
    for (k, &is_true) in rest.iter().enumerate() {
        step(8 * words.len() + k, is_true);
    }
    step(mask.len(), false);
}

/// The positions of a mask that changes often, without a branch that depends on it.
fn scattered(mask: &[bool], trues: usize, positions: &mut Vec<usize>) {
    // One place more than there are: what is false is written, too, and overwritten.
    positions.resize(trues + 1, 0);
    let mut next = 0;
    for (at, &is_true) in mask.iter().enumerate() {
        if let Some(place) = positions.get_mut(next) {
            *place = at;
        }
        next += usize::from(is_true);
    }
    positions.truncate(trues);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn runs(positions: &[usize]) -> Vec<(usize, isize, usize)> {
        match OuterAxis::of_positions(positions.to_vec()) {
            OuterAxis::Range(range) => vec![(range.start(), range.step(), range.len())],
            OuterAxis::Runs(Runs::Runs { runs, len }) => {
                assert_eq!(len, runs.iter().map(|run| run.len).sum());
                runs.iter()
                    .map(|run| (run.start, run.step, run.len))
                    .collect()
            }
            OuterAxis::Runs(Runs::Singles(positions)) => {
                positions.iter().map(|&start| (start, 1, 1)).collect()
            }
        }
    }

    #[test]
    fn neighbours_steps_repeats_and_singles() {
        assert_eq!(runs(&[]), [(0, 1, 0)]);
        assert_eq!(runs(&[7]), [(7, 1, 1)]);
        assert_eq!(runs(&[3, 4, 5]), [(3, 1, 3)]);
        assert_eq!(runs(&[9, 6, 3, 0]), [(9, -3, 4)]);
        assert_eq!(runs(&[5, 5, 5]), [(5, 0, 3)]);
        assert_eq!(runs(&[0, 2, 5]), [(0, 1, 1), (2, 1, 1), (5, 1, 1)]);
        let mut long: Vec<usize> = (0..20).chain([50]).chain((100..108).rev()).collect();
        assert_eq!(runs(&long), [(0, 1, 20), (50, 1, 1), (107, -1, 8)]);
        long.extend([3, 3]);
        assert_eq!(runs(&long).last(), Some(&(3, 0, 2)));
    }

    #[test]
    fn however_they_are_cut_the_positions_stay() {
        let mut random = Random(5);
        for _ in 0..3000 {
            let mut positions = Vec::new();
            for _ in 0..random.below(6) {
                let (start, len) = (random.below(40), random.below(20));
                let step = random.below(4);
                positions.extend((0..len).map(|k| match random.0 & 1 {
                    0 => start + 100 - step * k,
                    _ => start + step * k,
                }));
            }
            let cut = OuterAxis::of_positions(positions.clone());
            assert_eq!(cut.to_positions(), positions);
            assert_eq!(cut.len(), positions.len());
        }
    }

    #[test]
    fn a_mask_is_the_list_of_its_positions() {
        let mut random = Random(7);
        for len in [0, 1, 7, 8, 9, 64, 255, 256, 600] {
            for share in [0, 1, 30, 500, 970, 999, 1000] {
                let mask: Vec<bool> = (0..len).map(|_| random.below(1000) < share).collect();
                let expected: Vec<usize> = (0..len).filter(|&i| mask[i]).collect();
                let cut = OuterAxis::of_mask(&mask);
                assert_eq!(cut.to_positions(), expected, "{len} {share}");
                assert_eq!(cut, OuterAxis::of_positions(expected));
            }
        }
    }
}
