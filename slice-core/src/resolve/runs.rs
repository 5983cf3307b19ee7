//! Cuts the positions selected on an axis, in any order, into runs and single positions (*singles*). A run has a
//! constant step, which may be negative, or 0 for a repeated position, and is stored as a range.
//!
//! If most positions are singles, storing runs would take at least three times as much memory as storing positions,
//! without a benefit, so the positions are stored one by one. The positions of a mask are stored as a mask if this takes
//! the least memory. They are cut when they are needed one by one, in the same way as the positions of a list.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::bits::Bits;
use crate::bits::kernels::Counts;
use crate::resolve::axis::{AxisRange, MAX_AXIS_LEN};
use crate::resolve::singles::{Single, Singles, are_narrow};
use smallvec::SmallVec;

/// A run is a range that is not empty. Unlike in a range of a strided selection, the step may be 0.
impl AxisRange {
    /// Returns `true` if the run is not empty, and all its positions are on an axis of `size` elements.
    pub(crate) fn is_run_within(self, size: usize) -> bool {
        let range = match self.step {
            0 => AxisRange::single(self.start),
            _ => self,
        };
        (1..=MAX_AXIS_LEN).contains(&self.len) && range.lies_within(size)
    }

    /// Returns the positions after the first `len`, or `None` if there are no more.
    fn after(self, len: usize) -> Option<AxisRange> {
        (len < self.len).then(|| AxisRange {
            start: self.position(len),
            step: self.step,
            len: self.len - len,
        })
    }

    /// Merges two runs, or returns `None` if the second run does not continue the first.
    fn merge(self, next: AxisRange) -> Option<AxisRange> {
        let step = distance(self.position(self.len - 1), next.start);
        let continues = |run: AxisRange| run.len == 1 || run.step == step;
        (continues(self) && continues(next)).then_some(AxisRange {
            start: self.start,
            step,
            len: self.len.saturating_add(next.len),
        })
    }
}

/// The positions of a list, of a mask or of points.
#[derive(Clone, Debug)]
pub(crate) enum ListPositions {
    /// Positions stored one by one, because most of them are singles.
    Singles(Singles),
    /// Positions stored as runs. INVARIANT: `len` is the sum of the runs' lengths.
    Runs { runs: Vec<AxisRange>, len: usize },
    /// Positions stored as a mask.
    Mask(Box<MaskPositions>),
}

/// The positions at which a mask is true.
#[derive(Clone, Debug)]
pub(crate) struct MaskPositions {
    bits: Bits,
    counts: Counts,
    /// [`cut_mask`], as a pointer, so that programs without masks do not contain the function.
    #[cfg(feature = "std")]
    cut_mask: fn(&Bits, &Counts) -> ListPositions,
    /// The positions as runs or singles. With `std`, they are computed when they are first needed.
    #[cfg(feature = "std")]
    cut: std::sync::OnceLock<ListPositions>,
    #[cfg(not(feature = "std"))]
    cut: ListPositions,
}

/// The positions of a list as runs or singles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut<'a> {
    Singles(&'a Singles),
    Runs(&'a [AxisRange]),
}

impl MaskPositions {
    fn new(bits: Bits, counts: Counts) -> Self {
        #[cfg(feature = "std")]
        let cut = std::sync::OnceLock::new();
        #[cfg(not(feature = "std"))]
        let cut = cut_mask(&bits, &counts);
        MaskPositions {
            bits,
            counts,
            #[cfg(feature = "std")]
            cut_mask,
            cut,
        }
    }

    fn cut(&self) -> &ListPositions {
        #[cfg(feature = "std")]
        let cut = self
            .cut
            .get_or_init(|| (self.cut_mask)(&self.bits, &self.counts));
        #[cfg(not(feature = "std"))]
        let cut = &self.cut;
        cut
    }
}

/// Cuts the positions of a mask, which must not be a range.
fn cut_mask(bits: &Bits, counts: &Counts) -> ListPositions {
    match Positions::of_bits(bits, counts) {
        Positions::List(list) => list,
        Positions::Range(_) => unreachable!("the positions of a stored mask are not a range"),
    }
}

/// The selected positions on one axis: a range, or positions from a list or mask that are not a range.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Positions {
    Range(AxisRange),
    List(ListPositions),
}

/// The minimum average number of positions per run for which positions are stored as runs.
const MIN_MEAN_POSITIONS_PER_RUN: usize = 4;

/// The minimum average number of elements of a mask per run for which its positions are stored as runs. At this number,
/// runs take a sixteenth of the memory of the mask. If runs are shorter, finding them takes longer than copying by the
/// bits of the mask.
const MIN_MASK_ELEMENTS_PER_RUN: usize = 16 * 8 * size_of::<AxisRange>();

impl Positions {
    pub(crate) fn len(&self) -> usize {
        match self {
            Positions::Range(range) => range.len(),
            Positions::List(list) => list.len(),
        }
    }

    /// Returns the `k`-th position, for `k < len`.
    pub(crate) fn position(&self, k: usize) -> usize {
        match self {
            Positions::Range(range) => range.position(k),
            Positions::List(list) => {
                let mut left = k;
                for run in list.as_runs() {
                    match left.checked_sub(run.len) {
                        Some(rest) => left = rest,
                        None => return run.position(left),
                    }
                }
                unreachable!("`k` is less than the number of positions")
            }
        }
    }

    /// Returns all positions, in order.
    pub(crate) fn to_positions(&self) -> Vec<usize> {
        match self {
            Positions::Range(range) => range.positions().collect(),
            Positions::List(list) => list.to_positions(),
        }
    }

    /// Stores positions as a range, as runs or as singles. Singles are stored in four bytes each if all of them are
    /// below 2^31.
    pub(crate) fn of_positions(positions: Vec<usize>) -> Self {
        let bits = positions.iter().fold(0, |bits: usize, &k| bits | k);
        if are_narrow(bits.saturating_add(1)) {
            Self::of_singles(positions.iter().map(|&k| k as u32).collect())
        } else {
            Self::of_singles(positions)
        }
    }

    /// Stores positions as a range, as runs or as singles. Singles keep the type `S`.
    pub(crate) fn of_singles<S: Single>(positions: Vec<S>) -> Self {
        let [first, second, ..] = positions[..] else {
            return match positions.first() {
                Some(only) => Positions::Range(AxisRange::single(only.position())),
                None => Positions::Range(AxisRange::new(0, 1, 0)),
            };
        };
        let limit = positions.len() / MIN_MEAN_POSITIONS_PER_RUN;
        let Some(changes) = count_changes(&positions, limit) else {
            return Positions::List(ListPositions::Singles(S::into_singles(positions)));
        };
        if changes == 0 {
            let step = distance(first, second);
            return Self::of_run(AxisRange::new(first.position(), step, positions.len()));
        }
        Positions::List(ListPositions::Runs {
            len: positions.len(),
            runs: cut(&positions, changes),
        })
    }

    /// Stores the positions of one run.
    pub(crate) fn of_run(run: AxisRange) -> Self {
        if run.step != 0 || run.len < 2 {
            return Positions::Range(run);
        }
        Positions::List(ListPositions::of_one_run(run))
    }

    /// Joins non-empty runs in order. If each run continues the previous one, the result is a single run.
    pub(crate) fn of_runs(runs: &[AxisRange]) -> Self {
        let Some((&first, rest)) = runs.split_first() else {
            return Positions::Range(AxisRange::new(0, 1, 0));
        };
        if let Some(all) = rest.iter().try_fold(first, |all, &run| all.merge(run)) {
            return Self::of_run(all);
        }
        Positions::List(ListPositions::Runs {
            len: runs
                .iter()
                .fold(0, |all: usize, run| all.saturating_add(run.len)),
            runs: runs.to_vec(),
        })
    }

    /// Stores the positions at which a mask is true, as a mask unless runs or singles take less memory.
    pub(crate) fn of_mask(mask: &[bool]) -> Self {
        let bits = Bits::pack(mask);
        let counts = bits.counts();
        let as_runs = counts.runs.saturating_mul(MIN_MASK_ELEMENTS_PER_RUN);
        let as_singles = counts.trues.saturating_mul(u32::BITS as usize);
        if are_narrow(mask.len())
            && mask.len() < as_runs.min(as_singles)
            && !bits.has_constant_step(&counts)
        {
            return Positions::List(ListPositions::Mask(Box::new(MaskPositions::new(
                bits, counts,
            ))));
        }
        Self::of_bits(&bits, &counts)
    }

    /// Stores the positions of the set bits of a mask, as a range, as runs or as singles.
    fn of_bits(bits: &Bits, counts: &Counts) -> Self {
        if counts.trues == 0 {
            return Positions::Range(AxisRange::new(0, 1, 0));
        }
        if counts.runs == 1 {
            let start = bits.each_position().next().unwrap_or(0);
            return Positions::Range(AxisRange::new(start, 1, counts.trues));
        }
        if counts.runs * MIN_MEAN_POSITIONS_PER_RUN <= counts.trues {
            let mut runs = Vec::with_capacity(counts.runs);
            bits.each_run(|start, len| runs.push(AxisRange::new(start, 1, len)));
            return Positions::List(ListPositions::Runs {
                runs,
                len: counts.trues,
            });
        }
        if are_narrow(bits.len()) {
            Self::of_singles(bits.positions_u32(counts))
        } else {
            Self::of_singles(bits.positions(counts))
        }
    }
}

impl ListPositions {
    /// Stores the positions of one run, which may be empty.
    pub(crate) fn of_one_run(run: AxisRange) -> Self {
        let runs = if run.len == 0 { vec![] } else { vec![run] };
        ListPositions::Runs { runs, len: run.len }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            ListPositions::Singles(singles) => singles.len(),
            ListPositions::Runs { len, .. } => *len,
            ListPositions::Mask(mask) => mask.counts.trues,
        }
    }

    /// Returns the positions as runs or singles.
    #[inline]
    pub(crate) fn cut(&self) -> Cut<'_> {
        match self {
            ListPositions::Singles(singles) => Cut::Singles(singles),
            ListPositions::Runs { runs, .. } => Cut::Runs(runs),
            ListPositions::Mask(mask) => mask.cut().cut(),
        }
    }

    /// Returns the mask, or `None` if the positions are not stored as a mask.
    pub(crate) fn mask(&self) -> Option<&Bits> {
        match self {
            ListPositions::Mask(mask) => Some(&mask.bits),
            ListPositions::Singles(_) | ListPositions::Runs { .. } => None,
        }
    }

    pub(crate) fn to_positions(&self) -> Vec<usize> {
        match self.cut() {
            Cut::Singles(singles) => singles.to_positions(),
            Cut::Runs(runs) => positions_of_runs(runs, self.len()),
        }
    }

    /// Returns the positions as runs, where a single position is a run of length 1.
    pub(crate) fn as_runs(&self) -> impl Iterator<Item = AxisRange> {
        let (singles, runs) = match self.cut() {
            Cut::Singles(singles) => (Some(singles), &[][..]),
            Cut::Runs(runs) => (None, runs),
        };
        let singles = singles
            .into_iter()
            .flat_map(|singles| (0..singles.len()).map(|k| AxisRange::single(singles.position(k))));
        singles.chain(runs.iter().copied())
    }
}

/// Returns `true` if two sequences of runs, which have the same number of positions in all, have the same positions.
fn are_equal_runs(
    mut runs: impl Iterator<Item = AxisRange>,
    mut others: impl Iterator<Item = AxisRange>,
) -> bool {
    let (mut rest, mut other_rest) = (None, None);
    loop {
        let (Some(run), Some(other)) = (
            rest.take().or_else(|| runs.next()),
            other_rest.take().or_else(|| others.next()),
        ) else {
            return true;
        };
        let len = run.len.min(other.len);
        if run.start != other.start || len > 1 && run.step != other.step {
            return false;
        }
        rest = run.after(len);
        other_rest = other.after(len);
    }
}

/// Returns the `len` positions of runs.
pub(crate) fn positions_of_runs(runs: &[AxisRange], len: usize) -> Vec<usize> {
    let mut positions = Vec::with_capacity(len);
    { runs.iter() }.for_each(|run| positions.extend(run.positions()));
    positions
}

/// Compares positions, because equal positions can be cut into different runs and stored in different types.
impl PartialEq for ListPositions {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (
                ListPositions::Singles(Singles::Narrow(one)),
                ListPositions::Singles(Singles::Narrow(other)),
            ) => one == other,
            _ => self.len() == other.len() && are_equal_runs(self.as_runs(), other.as_runs()),
        }
    }
}

impl Eq for ListPositions {}

/// The number of positions that are hashed.
const HASHED: usize = 16;

impl core::hash::Hash for ListPositions {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        // A hash of all positions would take as long as listing them, and the runs depend on the cut.
        let runs = self.as_runs();
        let first: SmallVec<[usize; HASHED]> =
            runs.flat_map(AxisRange::positions).take(HASHED).collect();
        (self.len(), first).hash(state);
    }
}

#[inline(always)]
fn distance<S: Single>(from: S, to: S) -> isize {
    to.position().wrapping_sub(from.position()) as isize
}

/// Counts how often the step between positions changes. Returns `None` if the step changes at least once, and at least
/// `limit` times.
fn count_changes<S: Single>(positions: &[S], limit: usize) -> Option<usize> {
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
fn cut<S: Single>(positions: &[S], changes: usize) -> Vec<AxisRange> {
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
        runs.push(AxisRange::new(start.position(), step, len));
        rest = &rest[len..];
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    #[cfg(target_pointer_width = "64")]
    use crate::spec::list::List;

    fn runs(positions: &[usize]) -> Vec<(usize, isize, usize)> {
        match Positions::of_positions(positions.to_vec()) {
            Positions::Range(range) => vec![(range.start(), range.step(), range.len())],
            Positions::List(list) => match list.cut() {
                Cut::Runs(runs) => {
                    assert_eq!(list.len(), runs.iter().map(|run| run.len).sum::<usize>());
                    runs.iter()
                        .map(|run| (run.start, run.step, run.len))
                        .collect()
                }
                Cut::Singles(singles) => {
                    let positions = singles.to_positions();
                    positions.iter().map(|&start| (start, 1, 1)).collect()
                }
            },
        }
    }

    #[test]
    fn positions_are_cut_into_runs_and_singles() {
        assert_eq!(runs(&[]), [(0, 1, 0)]);
        assert_eq!(runs(&[7]), [(7, 1, 1)]);
        assert_eq!(runs(&[3, 4, 5]), [(3, 1, 3)]);
        assert_eq!(runs(&[9, 6, 3, 0]), [(9, -3, 4)]);
        assert_eq!(runs(&[5, 5, 5]), [(5, 0, 3)]);
        assert_eq!(runs(&[0, 2, 5]), [(0, 1, 1), (2, 1, 1), (5, 1, 1)]);
        let mut positions: Vec<usize> = (0..20).chain([50]).chain((100..108).rev()).collect();
        assert_eq!(runs(&positions), [(0, 1, 20), (50, 1, 1), (107, -1, 8)]);
        positions.extend([3, 3]);
        assert_eq!(runs(&positions).last(), Some(&(3, 0, 2)));
    }

    #[test]
    fn runs_keep_the_positions_of_their_list() {
        let mut random = Random(5);
        for _ in 0..if cfg!(miri) { 20 } else { 3000 } {
            let mut positions = Vec::new();
            for _ in 0..random.below(6) {
                let (start, len) = (random.below(40), random.below(20));
                let step = random.below(4);
                positions.extend((0..len).map(|k| match random.0 & 1 {
                    0 => start + 100 - step * k,
                    _ => start + step * k,
                }));
            }
            let cut = Positions::of_positions(positions.clone());
            assert_eq!(cut.to_positions(), positions);
            assert_eq!(cut.len(), positions.len());
        }
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn extreme_steps_do_not_wrap() {
        let last = (1_usize << 31) - 1;
        // Steps of 2^31 - 1 and -(2^31 - 1), and the largest difference between two steps.
        let extremes = [0, last, 0, last, 0, 0, last, last];
        for (size, is_narrow) in [(1 << 31, true), (last + 2, false)] {
            assert_eq!(are_narrow(size), is_narrow);
            let list: Vec<i64> = extremes.iter().map(|&k| k as i64).collect();
            let Positions::List(ListPositions::Singles(singles)) = resolved(&list, size) else {
                panic!("the list is not stored as singles")
            };
            assert_eq!(matches!(singles, Singles::Narrow(_)), is_narrow);
            assert_eq!(singles.to_positions(), extremes);
        }
        // In 32 bits, the step from 0 to 3 * 2^30 would equal the step from 3 * 2^30 to 2^31.
        let wrapping = [0, 3 << 30, 1 << 31];
        assert_eq!(
            runs(&wrapping),
            [(0, 1, 1), (3 << 30, 1, 1), (1 << 31, 1, 1)]
        );
        let wrapping_axis = Positions::of_positions(wrapping.to_vec());
        assert_eq!(wrapping_axis.to_positions(), wrapping);
        let far_apart = [0, 1 << 33, 1, (1 << 33) - 1];
        let cut = resolved(&[0, -1, 1, -2], (1 << 33) + 1);
        assert_eq!(cut.to_positions(), far_apart);
        assert_eq!(cut, Positions::of_positions(far_apart.to_vec()));
    }

    #[cfg(target_pointer_width = "64")]
    fn resolved(list: &[i64], size: usize) -> Positions {
        match List::borrowed(list).elements().resolve(size) {
            Ok(axis) => axis,
            Err(_) => panic!("a position on the axis was rejected"),
        }
    }

    #[test]
    fn narrow_and_wide_positions_form_equal_runs() {
        let mut random = Random(11);
        for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
            let len = random.below(40);
            let limit = 1 + random.below(6);
            let positions: Vec<usize> = (0..len).map(|_| random.below(limit)).collect();
            let narrow: Vec<u32> = positions.iter().map(|&k| k as u32).collect();
            let (narrow, wide) = (
                Positions::of_singles(narrow),
                Positions::of_singles(positions),
            );
            assert_eq!(narrow, wide);
            assert_eq!(hash(&narrow), hash(&wide));
            let kinds = [&narrow, &wide].map(core::mem::discriminant);
            assert_eq!(kinds[0], kinds[1]);
        }
    }

    fn hash(axis: &Positions) -> u64 {
        use core::hash::{Hash, Hasher};

        /// A simple polynomial hasher.
        struct Sum(u64);

        impl Hasher for Sum {
            fn write(&mut self, bytes: &[u8]) {
                for byte in bytes {
                    self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(*byte));
                }
            }

            fn finish(&self) -> u64 {
                self.0
            }
        }
        let mut sum = Sum(7);
        axis.hash(&mut sum);
        sum.finish()
    }

    #[test]
    fn a_mask_equals_the_list_of_its_true_positions() {
        let mut random = Random(7);
        for len in [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1100] {
            for share in [0, 1, 30, 500, 970, 999, 1000] {
                if cfg!(miri) && len > 65 {
                    continue;
                }
                let mask: Vec<bool> = (0..len).map(|_| random.below(1000) < share).collect();
                let expected: Vec<usize> = (0..len).filter(|&i| mask[i]).collect();
                let bits = Bits::pack(&mask);
                let counts = bits.counts();
                assert!(bits.positions(&counts) == expected && counts.trues == expected.len());
                let cut = Positions::of_mask(&mask);
                assert_eq!(cut.to_positions(), expected, "{len} {share}");
                assert_eq!(cut, Positions::of_positions(expected));
            }
        }
    }

    #[test]
    fn a_mask_is_stored_in_the_smallest_form() {
        let form = |mask: &[bool]| match Positions::of_mask(mask) {
            Positions::Range(_) => "range",
            Positions::List(ListPositions::Singles(_)) => "singles",
            Positions::List(ListPositions::Runs { .. }) => "runs",
            Positions::List(ListPositions::Mask(_)) => "mask",
        };
        let mask =
            |is_true: &dyn Fn(usize) -> bool| -> Vec<bool> { (0..9600).map(is_true).collect() };
        for step in 1..40 {
            assert_eq!(form(&mask(&|i| i % step == 0)), "range", "{step}");
        }
        // The mask takes 1200 bytes, a single 4 bytes and a run 24 bytes.
        assert_eq!(form(&mask(&|i| (i * i) % 31 == 1)), "mask");
        assert_eq!(form(&mask(&|i| i.is_power_of_two())), "singles");
        assert_eq!(form(&mask(&|i| i % 5000 < 2500)), "runs");
        assert_eq!(form(&mask(&|i| i % 3000 < 2500)), "mask");
        // In these masks, only the position before the last one is not at the same distance as the others.
        for step in 2..20 {
            let last = 9599 / step * step;
            let differs = |i| (i % step == 0) != (i == last - step || i == last - step + 1);
            assert_eq!(form(&mask(&differs)), "mask", "{step}");
        }
        assert_eq!(form(&mask(&|_| true)), "range");
        assert_eq!(form(&mask(&|_| false)), "range");
    }
}
