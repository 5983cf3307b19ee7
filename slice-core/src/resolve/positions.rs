//! [`AxisPositions`]: the positions selected on an axis, in any order.
//!
//! Positions are cut into runs and single positions (*singles*). A run has a constant step, which may be negative, or 0 for
//! a repeated position, and is stored as a range.
//!
//! If most positions are singles, storing runs would take at least three times as much memory as storing positions,
//! without a benefit, so the positions are stored one by one, in four bytes each if the axis is short enough. The positions
//! of a mask are stored as a mask if this takes the least memory. They are cut when they are needed one by one, in the same
//! way as the positions of a list.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::slice;

use smallvec::SmallVec;

use crate::bits::Bits;
use crate::bits::kernels::Counts;
use crate::resolve::axis::{AxisRange, MAX_AXIS_LEN};

/// The positions selected on an axis, in the order of the result, each of them any number of times.
///
/// Positions are divided into *runs*, which have a constant step. The step of a run is 0 if it repeats a position. A list of
/// a few positions, or of positions without a pattern, consists of runs of a single position. Positions are equal if they are
/// the same one by one, however they are divided.
///
/// # Example
///
/// ```
/// use slice_core::{AxisPositions, AxisRange, s};
///
/// let selection = s![1::2, [5, 0, 7]].resolve(&[4, 8])?;
/// assert!(selection.axis(0).runs().eq([AxisRange::new(1, 2, 2)]));
/// assert_eq!(*selection.axis(1), AxisPositions::from_positions([5, 0, 7]));
///
/// let list: Vec<usize> = (0..20).chain([7; 9]).collect();
/// let runs = [AxisRange::new(0, 1, 20), AxisRange::new(7, 0, 9)];
/// assert!(s![&list].resolve(&[30])?.axis(0).runs().eq(runs));
/// assert_eq!(AxisPositions::from_positions(list), AxisPositions::from_runs(runs));
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AxisPositions(pub(crate) Form);

/// The form in which positions are stored. Equal positions can have different forms.
#[derive(Clone, Debug)]
pub(crate) enum Form {
    /// Positions with a constant step, which is not 0 in a selection, or no positions.
    Range(Run),
    Runs(Vec<Run>),
    /// Singles on an axis with at most 2^31 elements. INVARIANT: all positions are below 2^31.
    Narrow(Vec<u32>),
    /// Singles on an axis of any length.
    Wide(Vec<usize>),
    Mask(Box<MaskPositions>),
}

/// A run, and the number of positions from the first of all positions to the last one of the run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) range: AxisRange,
    end: usize,
}

/// The positions at which a mask is true.
#[derive(Clone, Debug)]
pub(crate) struct MaskPositions {
    bits: Bits,
    counts: Counts,
    /// [`AxisPositions::of_bits`], as a pointer, so that programs without masks do not contain the function.
    #[cfg(feature = "std")]
    of_bits: fn(&Bits, &Counts) -> AxisPositions,
    /// The positions as runs or singles. With `std`, they are computed when they are first needed.
    #[cfg(feature = "std")]
    cut: std::sync::OnceLock<AxisPositions>,
    #[cfg(not(feature = "std"))]
    cut: AxisPositions,
}

/// Positions as runs or singles.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut<'a> {
    Runs(&'a [Run]),
    Narrow(&'a [u32]),
    Wide(&'a [usize]),
}

/// Evaluates an expression on singles or on runs. The expression on singles is compiled once for each stored type.
macro_rules! with_cut {
    ($cut:expr, $singles:ident => $of_singles:expr, $runs:ident => $of_runs:expr $(,)?) => {
        match $cut {
            $crate::resolve::positions::Cut::Narrow($singles) => $of_singles,
            $crate::resolve::positions::Cut::Wide($singles) => $of_singles,
            $crate::resolve::positions::Cut::Runs($runs) => $of_runs,
        }
    };
}
pub(crate) use with_cut;

/// The type in which a single position is stored: `u32` or `usize`.
pub(crate) trait Single: Copy + Default {
    /// Returns the position.
    fn position(self) -> usize;

    /// Returns `true` if the step from `b` to `c` differs from the step from `a` to `b`.
    fn differ(a: Self, b: Self, c: Self) -> bool;

    /// Adds a distance to the position. The sum wraps.
    fn add(&mut self, distance: usize);

    /// Stores `positions`.
    fn stored(positions: Vec<Self>) -> Form;
}

macro_rules! impl_single {
    ($type:ty, $form:ident) => {
        impl Single for $type {
            #[inline(always)]
            fn position(self) -> usize {
                // The position fits in a `usize`, because it is on an axis, and the length of an axis is a `usize`.
                self as usize
            }

            #[inline(always)]
            fn differ(a: Self, b: Self, c: Self) -> bool {
                // Positions in four bytes are below 2^31, so two steps differ by less than 2^32, and different steps do not
                // become equal by wrapping.
                b.wrapping_sub(a) != c.wrapping_sub(b)
            }

            #[inline(always)]
            fn add(&mut self, distance: usize) {
                *self = self.wrapping_add(distance as $type);
            }

            fn stored(positions: Vec<Self>) -> Form {
                Form::$form(positions)
            }
        }
    };
}

impl_single! { u32, Narrow }
impl_single! { usize, Wide }

/// Returns `true` if single positions on an axis of `size` elements are stored in four bytes each.
pub(crate) const fn are_narrow(size: usize) -> bool {
    size <= 1 << 31
}

/// A run is a range that is not empty. Unlike in a range of a strided selection, the step may be 0.
impl AxisRange {
    /// Returns `true` if the run is not empty, and all its positions are on an axis of `size` elements.
    fn is_run_within(self, size: usize) -> bool {
        let range = match self.step {
            0 => AxisRange::single(self.start),
            _ => self,
        };
        (1..=MAX_AXIS_LEN).contains(&self.len) && range.lies_within(size)
    }

    /// Returns the positions after the first `len`.
    fn after(self, len: usize) -> AxisRange {
        AxisRange::new(self.position(len), self.step, self.len - len)
    }

    /// Merges two runs, or returns `None` if one of them is empty, or the second does not continue the first.
    fn merge(self, next: AxisRange) -> Option<AxisRange> {
        let step = distance(self.position(self.len.checked_sub(1)?), next.start);
        let continues = |run: AxisRange| run.len == 1 || run.len > 1 && run.step == step;
        (continues(self) && continues(next)).then_some(AxisRange {
            start: self.start,
            step,
            len: self.len.saturating_add(next.len),
        })
    }
}

impl Run {
    /// Creates the first run of a list.
    pub(crate) const fn first(range: AxisRange) -> Self {
        Run {
            range,
            end: range.len,
        }
    }
}

impl MaskPositions {
    fn new(bits: Bits, counts: Counts) -> Self {
        #[cfg(feature = "std")]
        let cut = std::sync::OnceLock::new();
        #[cfg(not(feature = "std"))]
        let cut = AxisPositions::of_bits(&bits, &counts);
        MaskPositions {
            bits,
            counts,
            #[cfg(feature = "std")]
            of_bits: AxisPositions::of_bits,
            cut,
        }
    }

    fn cut(&self) -> &AxisPositions {
        #[cfg(feature = "std")]
        let cut = self
            .cut
            .get_or_init(|| (self.of_bits)(&self.bits, &self.counts));
        #[cfg(not(feature = "std"))]
        let cut = &self.cut;
        cut
    }
}

impl Form {
    fn len(&self) -> usize {
        match self {
            Form::Range(run) => run.end,
            Form::Runs(runs) => runs.last().map_or(0, |run| run.end),
            Form::Narrow(singles) => singles.len(),
            Form::Wide(singles) => singles.len(),
            Form::Mask(mask) => mask.counts.trues,
        }
    }

    #[inline]
    fn cut(&self) -> Cut<'_> {
        match self {
            Form::Range(run) => Cut::Runs(&slice::from_ref(run)[..usize::from(run.end > 0)]),
            Form::Runs(runs) => Cut::Runs(runs),
            Form::Narrow(singles) => Cut::Narrow(singles),
            Form::Wide(singles) => Cut::Wide(singles),
            Form::Mask(mask) => mask.cut().cut(),
        }
    }
}

impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        if let (Form::Narrow(one), Form::Narrow(other)) = (self, other) {
            return one == other;
        }
        let (len, mut k) = (self.len(), 0);
        if len != other.len() {
            return false;
        }
        let (one, other) = (self.cut(), other.cut());
        while k < len {
            let (run, other) = (one.run_from(k), other.run_from(k));
            let common = run.len.min(other.len);
            if run.start != other.start || common > 1 && run.step != other.step {
                return false;
            }
            k += common;
        }
        true
    }
}

impl Eq for Form {}

/// The number of positions that are hashed.
const HASHED: usize = 16;

impl Hash for Form {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // A hash of all positions would take as long as listing them, and the runs depend on the cut.
        let positions = self.cut().runs().flat_map(AxisRange::positions);
        let first: SmallVec<[usize; HASHED]> = positions.take(HASHED).collect();
        (self.len(), first).hash(state);
    }
}

impl<'a> Cut<'a> {
    /// Returns the runs, where a single is a run of length 1.
    fn runs(self) -> impl ExactSizeIterator<Item = AxisRange> + Clone + 'a {
        let count = with_cut!(self, singles => singles.len(), runs => runs.len());
        let run = move |n: usize| with_cut!(self, singles => AxisRange::single(singles[n].position()), runs => runs[n].range);
        (0..count).map(run)
    }

    /// Implements [`AxisPositions::run_from`].
    #[inline]
    pub(crate) fn run_from(self, k: usize) -> AxisRange {
        with_cut!(self, singles => AxisRange::single(singles[k].position()), runs => {
            let at = runs.partition_point(|run| run.end <= k);
            let begin = at.checked_sub(1).map_or(0, |before| runs[before].end);
            runs[at].range.after(k - begin)
        })
    }
}

/// The minimum average number of positions per run for which positions are stored as runs.
const MIN_MEAN_POSITIONS_PER_RUN: usize = 4;

/// The minimum average number of elements of a mask per run for which its positions are stored as runs. At this number,
/// runs take about a tenth of the memory of the mask. If runs are shorter, finding them takes longer than copying by the
/// bits of the mask.
const MIN_MASK_ELEMENTS_PER_RUN: usize = 3072;

impl From<AxisRange> for AxisPositions {
    #[inline]
    fn from(range: AxisRange) -> Self {
        AxisPositions(Form::Range(Run::first(range)))
    }
}

impl AxisPositions {
    /// Creates positions from a list. [`Selection::from_axes`](crate::Selection::from_axes) and
    /// [`Selection::from_steps`](crate::Selection::from_steps) check that they are on their axis.
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange};
    ///
    /// assert_eq!(AxisPositions::from_positions([7, 5, 3]), AxisRange::new(7, -2, 3).into());
    /// ```
    pub fn from_positions(positions: impl IntoIterator<Item = usize>) -> Self {
        let positions: Vec<usize> = positions.into_iter().collect();
        let bits = positions.iter().fold(0, |bits: usize, &k| bits | k);
        if are_narrow(bits.saturating_add(1)) {
            Self::of_singles(positions.iter().map(|&k| k as u32).collect())
        } else {
            Self::of_singles(positions)
        }
    }

    /// Creates positions from a sequence of runs, none of which may be empty. If each run continues the previous one, they
    /// are merged.
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange};
    ///
    /// let runs = [AxisRange::new(5, 1, 3), AxisRange::new(0, 0, 2)];
    /// assert!(AxisPositions::from_runs(runs).iter().eq([5, 6, 7, 0, 0]));
    /// ```
    pub fn from_runs(runs: impl IntoIterator<Item = AxisRange>) -> Self {
        let mut end = 0_usize;
        let runs = runs.into_iter().map(|range| {
            end = end.saturating_add(range.len);
            Run { range, end }
        });
        let runs: Vec<Run> = runs.collect();
        if runs.iter().all(|run| run.range.len == 1) {
            return Self::from_positions(runs.iter().map(|run| run.range.start));
        }
        let (first, mut rest) = (runs[0], runs[1..].iter());
        match rest.try_fold(first.range, |all, run| all.merge(run.range)) {
            Some(all) if all.len > 0 => Self::of_run(all),
            _ => AxisPositions(Form::Runs(runs)),
        }
    }

    /// Stores a run, or a range, which may be empty.
    pub(crate) fn of_run(run: AxisRange) -> Self {
        match run.step {
            0 if run.len > 1 => AxisPositions(Form::Runs(vec![Run::first(run)])),
            _ => run.into(),
        }
    }

    /// Stores positions as a range, as runs or as singles. Singles keep the type `S`.
    pub(crate) fn of_singles<S: Single>(positions: Vec<S>) -> Self {
        let [first, second, ..] = positions[..] else {
            return match positions.first() {
                Some(only) => AxisRange::single(only.position()).into(),
                None => AxisRange::whole(0).into(),
            };
        };
        let limit = positions.len() / MIN_MEAN_POSITIONS_PER_RUN;
        match count_changes(&positions, limit) {
            None => AxisPositions(S::stored(positions)),
            Some(0) => {
                let step = distance(first, second);
                Self::of_run(AxisRange::new(first.position(), step, positions.len()))
            }
            Some(changes) => AxisPositions(Form::Runs(cut(&positions, changes))),
        }
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
            return AxisPositions(Form::Mask(Box::new(MaskPositions::new(bits, counts))));
        }
        Self::of_bits(&bits, &counts)
    }

    /// Stores the positions of the set bits of a mask, as a range, as runs or as singles.
    fn of_bits(bits: &Bits, counts: &Counts) -> Self {
        if counts.trues == 0 {
            return AxisRange::whole(0).into();
        }
        if counts.runs == 1 {
            let start = bits.each_position().next().unwrap_or(0);
            return AxisRange::new(start, 1, counts.trues).into();
        }
        if counts.runs * MIN_MEAN_POSITIONS_PER_RUN <= counts.trues {
            let (mut runs, mut end) = (Vec::with_capacity(counts.runs), 0);
            bits.each_run(|start, len| {
                end += len;
                let range = AxisRange::new(start, 1, len);
                runs.push(Run { range, end });
            });
            return AxisPositions(Form::Runs(runs));
        }
        if are_narrow(bits.len()) {
            Self::of_singles(bits.positions_u32(counts))
        } else {
            Self::of_singles::<usize>(bits.each_position().collect())
        }
    }

    /// Returns the number of positions.
    ///
    /// ```
    /// use slice_core::AxisPositions;
    ///
    /// assert_eq!(AxisPositions::from_positions([5, 0]).len(), 2);
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if no position is selected.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[false, false]].resolve(&[2])?.axis(0).is_empty());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the positions one by one.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[5, -1, 5]].resolve(&[8])?.axis(0).iter().eq([5, 7, 5]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        self.runs().flat_map(AxisRange::positions)
    }

    /// Returns the runs of positions.
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange};
    ///
    /// let positions = AxisPositions::from_positions((0..20).chain([7; 9]));
    /// assert!(positions.runs().eq([AxisRange::new(0, 1, 20), AxisRange::new(7, 0, 9)]));
    /// ```
    pub fn runs(&self) -> impl ExactSizeIterator<Item = AxisRange> + Clone + '_ {
        self.cut().runs()
    }

    /// Returns the positions from the `k`-th on, counting from 0, up to the end of its run.
    ///
    /// # Panics
    ///
    /// Panics unless there are more than `k` positions.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisPositions, AxisRange};
    ///
    /// let positions = AxisPositions::from_positions((0..20).chain([7; 9]));
    /// assert_eq!(positions.run_from(18), AxisRange::new(18, 1, 2));
    /// ```
    #[inline]
    #[must_use]
    pub fn run_from(&self, k: usize) -> AxisRange {
        self.cut().run_from(k)
    }

    pub(crate) fn to_vec(&self) -> Vec<usize> {
        with_cut!(
            self.cut(),
            singles => singles.iter().map(|single| single.position()).collect(),
            _runs => self.iter().collect(),
        )
    }

    /// Returns the `k`-th position, for `k < len`.
    pub(crate) fn position(&self, k: usize) -> usize {
        self.run_from(k).start
    }

    /// Returns the positions as a range, or `None` if they have no constant step other than 0.
    #[inline]
    pub(crate) fn range(&self) -> Option<AxisRange> {
        match &self.0 {
            Form::Range(run) => Some(run.range),
            _ => None,
        }
    }

    /// Returns the mask, or `None` if the positions are not stored as a mask.
    pub(crate) fn mask(&self) -> Option<&Bits> {
        match &self.0 {
            Form::Mask(mask) => Some(&mask.bits),
            _ => None,
        }
    }

    /// Returns the positions as runs or singles.
    #[inline]
    pub(crate) fn cut(&self) -> Cut<'_> {
        self.0.cut()
    }

    /// Returns the first range, run or single that is not valid on an axis of `size` elements.
    #[inline]
    pub(crate) fn outside(&self, size: usize) -> Option<AxisRange> {
        match &self.0 {
            Form::Range(run) if run.range.lies_within(size) => None,
            Form::Range(run) => Some(run.range),
            Form::Mask(mask) if mask.bits.len() <= size => None,
            _ => self.run_outside(size),
        }
    }

    fn run_outside(&self, size: usize) -> Option<AxisRange> {
        with_cut!(
            self.cut(),
            singles => {
                let mut positions = singles.iter().map(|single| single.position());
                positions.find(|&position| position >= size).map(AxisRange::single)
            },
            runs => {
                let mut runs = runs.iter().map(|run| run.range);
                runs.find(|run| !run.is_run_within(size))
            },
        )
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
fn cut<S: Single>(positions: &[S], changes: usize) -> Vec<Run> {
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

#[cfg(test)]
mod tests {
    use alloc::string::String;

    use super::*;
    use crate::error::SliceError;
    use crate::random::Random;
    use crate::resolve::selection::Selection;
    use crate::resolve::step::OutputAxis;
    use crate::spec::dyn_spec::DynSliceSpec;
    #[cfg(target_pointer_width = "64")]
    use crate::spec::list::List;

    fn runs(positions: &[usize]) -> Vec<(usize, isize, usize)> {
        let cut = AxisPositions::from_positions(positions.to_vec());
        assert_eq!(cut.len(), cut.runs().map(|run| run.len).sum::<usize>());
        cut.runs()
            .map(|run| (run.start, run.step, run.len))
            .collect()
    }

    #[test]
    fn positions_are_cut_into_runs_and_singles() {
        assert_eq!(runs(&[]), []);
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
            let cut = AxisPositions::from_positions(positions.clone());
            assert!(cut.iter().eq(positions.iter().copied()));
            assert_eq!(cut.len(), positions.len());
            for (k, &position) in positions.iter().enumerate() {
                assert_eq!(cut.position(k), position);
            }
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
            let singles = resolved(&list, size);
            match is_narrow {
                true => assert!(matches!(singles.0, Form::Narrow(_))),
                false => assert!(matches!(singles.0, Form::Wide(_))),
            }
            assert!(singles.iter().eq(extremes));
        }
        // In 32 bits, the step from 0 to 3 * 2^30 would equal the step from 3 * 2^30 to 2^31.
        let wrapping = [0, 3 << 30, 1 << 31];
        assert_eq!(
            runs(&wrapping),
            [(0, 1, 1), (3 << 30, 1, 1), (1 << 31, 1, 1)]
        );
        let wrapping_axis = AxisPositions::from_positions(wrapping);
        assert!(wrapping_axis.iter().eq(wrapping));
        let far_apart = [0, 1 << 33, 1, (1 << 33) - 1];
        let cut = resolved(&[0, -1, 1, -2], (1 << 33) + 1);
        assert!(cut.iter().eq(far_apart));
        assert_eq!(cut, AxisPositions::from_positions(far_apart));
    }

    #[cfg(target_pointer_width = "64")]
    fn resolved(list: &[i64], size: usize) -> AxisPositions {
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
                AxisPositions::of_singles(narrow),
                AxisPositions::of_singles(positions),
            );
            assert_eq!(narrow, wide);
            assert_eq!(hash(&narrow), hash(&wide));
            assert!(narrow.runs().eq(wide.runs()));
        }
    }

    fn hash(positions: &AxisPositions) -> u64 {
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
        positions.hash(&mut sum);
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
                assert!(bits.each_position().eq(expected.iter().copied()));
                assert_eq!(counts.trues, expected.len());
                let cut = AxisPositions::of_mask(&mask);
                assert!(cut.iter().eq(expected.iter().copied()), "{len} {share}");
                assert_eq!(cut, AxisPositions::from_positions(expected));
            }
        }
    }

    #[test]
    fn a_mask_is_stored_in_the_smallest_form() {
        let form = |mask: &[bool]| match AxisPositions::of_mask(mask).0 {
            Form::Range(_) => "range",
            Form::Narrow(_) | Form::Wide(_) => "singles",
            Form::Runs(_) => "runs",
            Form::Mask(_) => "mask",
        };
        let mask =
            |is_true: &dyn Fn(usize) -> bool| -> Vec<bool> { (0..9600).map(is_true).collect() };
        for step in 1..40 {
            assert_eq!(form(&mask(&|i| i % step == 0)), "range", "{step}");
        }
        // The mask takes 1200 bytes, a single 4 bytes and a run 32 bytes.
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

    #[test]
    fn from_axes_inverts_axis_and_output_axes() {
        let texts = [
            "[0, 2], ::-1, 3",
            "newaxis, [3, 3, 3, 3, 3], newaxis, 1, [0, 1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6], newaxis",
            "0, [True, False, True, True], [-1]",
            "[], :, 1:3",
            "...",
        ];
        for text in texts {
            let spec: DynSliceSpec = text.parse().unwrap();
            let selection = spec.resolve(&[5, 4, 9]).unwrap();
            let output: Vec<OutputAxis> = selection.output_axes().to_vec();
            let axes = (0..3).map(|axis| selection.axis(axis).into_owned());
            let rebuilt = Selection::from_axes(&[5, 4, 9], axes, &output).unwrap();
            assert_eq!(rebuilt, selection, "{text}");
            for axis in 0..3 {
                let positions = selection.axis(axis);
                assert_eq!(positions.len(), positions.iter().count());
            }
        }
    }

    #[test]
    fn from_axes_merges_continuing_runs_and_rejects_invalid_runs() {
        let run = AxisRange::new;
        let selection_of = |runs: &[AxisRange]| {
            let axes = [AxisPositions::from_runs(runs.iter().copied())];
            Selection::from_axes(&[10], axes, &[OutputAxis::Input(0)])
        };
        let whole = selection_of(&[run(0, 1, 4), run(4, 7, 1), run(5, 1, 5)]).unwrap();
        assert_eq!(whole.range(0), Some(AxisRange::whole(10)));
        let repeated = selection_of(&[run(0, 1, 4), run(3, 0, 2)]).unwrap();
        assert!(repeated.axis(0).iter().eq([0, 1, 2, 3, 3, 3]));
        let max = isize::MAX as usize;
        for invalid in [
            run(0, 1, 0),
            run(0, 1, 11),
            run(10, 0, 1),
            run(9, 2, 2),
            run(0, -1, 2),
            run(0, 0, usize::MAX),
            run(usize::MAX, 1, 1),
        ] {
            let error = selection_of(&[run(3, 1, 2), invalid]).unwrap_err();
            let expected = SliceError::InvalidRange {
                axis: 0,
                start: invalid.start,
                step: invalid.step,
                len: invalid.len,
                size: 10,
            };
            assert_eq!(error, expected);
        }
        let error = selection_of(&[run(3, 0, max), run(4, 0, max)]).unwrap_err();
        let message: String = alloc::format!("{error}");
        assert!(matches!(error, SliceError::TooLarge { .. }), "{message}");
    }
}
