//! What is copied: the axes of the output as distances in the input, checked once and merged.
//!
//! Merging is what makes most selections cheap. Axes of length 1 are never walked, so they go. Two neighbouring axes
//! become one when a step along the outer one is exactly as far as the whole inner one (`outer.stride == inner.len *
//! inner.stride`): a slab of a volume becomes one run, a fully reversed array one reversed run, `[:, ::2]` of an even
//! row length one axis of stride 2.

use super::isa::InstructionSet;
use smallvec::SmallVec;

/// One axis of the output: its length and the distance in input elements between neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dim {
    pub(crate) len: usize,
    pub(crate) stride: isize,
}

/// Merged axes; six inline cover every selection that does not alternate on more than six axes.
pub(crate) type Dims = SmallVec<[Dim; 6]>;

/// A selection made ready for copying: planned once, used on as many buffers as you like.
#[derive(Clone, Debug)]
pub struct GatherPlan {
    /// INVARIANT: for all `i_k < dims[k].len`, `offset + sum(i_k * dims[k].stride)` is in `0..input_len`; or `len` is 0.
    pub(super) offset: usize,
    /// INVARIANT: no axis has length 0 or 1.
    pub(super) dims: Dims,
    /// INVARIANT: the product of the axes' lengths; or 0, and then `dims` is empty.
    pub(super) len: usize,
    pub(super) input_len: usize,
    /// INVARIANT: the running processor has it.
    pub(super) isa: InstructionSet,
}

impl GatherPlan {
    /// Plans the copy `out[i_0, i_1, ..] <- in[offset + i_0 * stride_0 + i_1 * stride_1 + ..]` for the given
    /// `(len, stride)` of every output axis; `None` when an element lies outside `0..input_len` or there are more than
    /// `usize::MAX` of them.
    #[inline]
    pub(crate) fn new<I>(offset: usize, axes: I, input_len: usize) -> Option<Self>
    where
        I: IntoIterator<Item = (usize, isize), IntoIter: DoubleEndedIterator>,
    {
        let mut plan = Self::single(input_len);
        let mut extent = Extent::new();
        for (len, stride) in axes.into_iter().rev() {
            plan.repeat(&mut extent, len, stride);
        }
        plan.settle(extent, offset).then_some(plan)
    }

    /// The plan of a single element, to be [repeated](Self::repeat) and [settled](Self::settle).
    #[inline(always)]
    pub(super) fn single(input_len: usize) -> Self {
        let isa = InstructionSet::detect();
        Self {
            offset: 0,
            dims: Dims::new(),
            len: 0,
            input_len,
            isa,
        }
    }

    /// Repeats all there is so far `len` times, at distances of `stride`.
    #[inline(always)]
    pub(super) fn repeat(&mut self, extent: &mut Extent, len: usize, stride: isize) {
        if len == 1 {
            return;
        }
        extent.repeat(len, stride);
        let outer = Dim { len, stride };
        match self.dims.last_mut() {
            Some(last) if outer.merge(*last).is_some() => {
                *last = Dim {
                    len: last.len.wrapping_mul(len),
                    ..*last
                };
            }
            _ => self.dims.push(outer),
        }
    }

    /// Puts the first element at `offset`. Whether the plan is now one, as [`new`](Self::new) asks for.
    #[inline(always)]
    pub(super) fn settle(&mut self, extent: Extent, offset: usize) -> bool {
        if extent.len == Some(0) {
            self.dims.clear();
            return true;
        }
        self.dims.reverse();
        self.offset = offset;
        let Extent {
            len: Some(len),
            down: Some(down),
            up: Some(up),
        } = extent
        else {
            return false;
        };
        self.len = len;
        down <= offset
            && offset
                .checked_add(up)
                .is_some_and(|highest| highest < self.input_len)
    }

    /// The number of elements copied.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is copied.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of elements that the input buffer must have at least.
    #[inline]
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// The same plan, kept from using instruction sets richer than `limit`: for tests and measurements.
    #[doc(hidden)]
    #[must_use]
    pub fn at_most(mut self, limit: InstructionSet) -> Self {
        self.isa = match self.isa.min(limit) {
            InstructionSet::Neon if !cfg!(target_arch = "aarch64") => InstructionSet::Baseline,
            isa => isa,
        };
        self
    }
}

impl Dim {
    /// The same with its stride in smaller units.
    #[inline]
    pub(super) fn scaled(self, scale: usize) -> Dim {
        Dim {
            len: self.len,
            stride: self.stride.wrapping_mul(scale as isize),
        }
    }

    /// The two as one walk, if a step along this axis is as far as the whole of the one inside it.
    #[inline]
    pub(crate) const fn merge(self, inner: Dim) -> Option<Dim> {
        if inner.len > isize::MAX as usize {
            return None;
        }
        match inner.stride.checked_mul(inner.len as isize) {
            Some(whole) if whole == self.stride => Some(Dim {
                // Overflows only with the count of elements, which is checked where it matters.
                len: self.len.wrapping_mul(inner.len),
                stride: inner.stride,
            }),
            _ => None,
        }
    }
}

/// How much a plan in the making covers; `None` where that overflowed.
pub(super) struct Extent {
    /// The number of elements.
    len: Option<usize>,
    /// The distance from the first element down to the lowest.
    down: Option<usize>,
    /// The distance from the first element up to the highest.
    up: Option<usize>,
}

impl Extent {
    /// That of a single element.
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self {
            len: Some(1),
            down: Some(0),
            up: Some(0),
        }
    }

    #[inline(always)]
    fn repeat(&mut self, len: usize, stride: isize) {
        self.len = match self.len {
            _ if len == 0 => Some(0),
            Some(count) => count.checked_mul(len),
            None => None,
        };
        let reach = stride.unsigned_abs().checked_mul(len.saturating_sub(1));
        let side = if stride < 0 {
            &mut self.down
        } else {
            &mut self.up
        };
        *side = side
            .zip(reach)
            .and_then(|(side, reach)| side.checked_add(reach));
    }
}
