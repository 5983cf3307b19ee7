//! The forms in which positions are stored.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::slice;

use smallvec::SmallVec;

use super::AxisPositions;
use crate::bits::Bits;
use crate::bits::kernels::Counts;
use crate::resolve::axis::{AxisRange, MAX_AXIS_LEN};

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
    pub(super) end: usize,
}

/// The positions at which a mask is true.
#[derive(Clone, Debug)]
pub(crate) struct MaskPositions {
    pub(super) bits: Bits,
    counts: Counts,
    /// [`AxisPositions::of_bits`], as a pointer, so that programs without masks do not contain the function.
    #[cfg(feature = "std")]
    of_bits: fn(&Bits, &Counts) -> AxisPositions,
    /// The positions as runs or singles. With `std`, they are computed when they are first needed.
    #[cfg(feature = "std")]
    pub(super) cut: std::sync::OnceLock<AxisPositions>,
    #[cfg(not(feature = "std"))]
    pub(super) cut: AxisPositions,
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
            $crate::resolve::positions::form::Cut::Narrow($singles) => $of_singles,
            $crate::resolve::positions::form::Cut::Wide($singles) => $of_singles,
            $crate::resolve::positions::form::Cut::Runs($runs) => $of_runs,
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
    pub(super) fn is_run_within(self, size: usize) -> bool {
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
    pub(super) fn merge(self, next: AxisRange) -> Option<AxisRange> {
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
    pub(super) fn new(bits: Bits, counts: Counts) -> Self {
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
    pub(super) fn len(&self) -> usize {
        match self {
            Form::Range(run) => run.end,
            Form::Runs(runs) => runs.last().map_or(0, |run| run.end),
            Form::Narrow(singles) => singles.len(),
            Form::Wide(singles) => singles.len(),
            Form::Mask(mask) => mask.counts.trues,
        }
    }

    #[inline]
    pub(super) fn cut(&self) -> Cut<'_> {
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
        let first: SmallVec<[usize; HASHED]> = match self {
            Form::Mask(mask) => mask.bits.each_position().take(HASHED).collect(),
            _ => {
                let positions = self.cut().runs().flat_map(AxisRange::positions);
                positions.take(HASHED).collect()
            }
        };
        (self.len(), first).hash(state);
    }
}

impl<'a> Cut<'a> {
    /// Returns the runs, where a single is a run of length 1.
    pub(super) fn runs(self) -> impl ExactSizeIterator<Item = AxisRange> + Clone + 'a {
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

/// Returns the distance between two positions.
#[inline(always)]
pub(super) fn distance<S: Single>(from: S, to: S) -> isize {
    to.position().wrapping_sub(from.position()) as isize
}
