//! [`AxisPositions`]: the positions selected on an axis, in any order.
//!
//! Positions are cut into runs and single positions (*singles*). A run has a constant step, which may be negative, or 0 for
//! a repeated position, and is stored as a range.
//!
//! If most positions are singles, storing runs would take at least three times as much memory as storing positions,
//! without a benefit, so the positions are stored one by one, in four bytes each if the axis is short enough. The positions
//! of a mask are stored as a mask unless singles take less memory, or there are only a few long runs. They are cut when they are needed one by one, in the same
//! way as the positions of a list.

mod cut;
pub(crate) mod form;

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use crate::bits::Bits;
use crate::bits::kernels::Counts;
use crate::resolve::axis::AxisRange;
use cut::{count_changes, cut};
use form::{Cut, Form, MaskPositions, Run, Single, are_narrow, distance, with_cut};

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

    /// Stores the positions at which a mask is true, as a mask unless singles take less memory, or there are only a few long
    /// runs.
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

#[cfg(test)]
mod tests;
