//! What is copied: the axes of the output as distances in the input, checked once and merged.
//!
//! Merging is what makes most selections cheap. Axes of length 1 are dropped. Two neighbouring axes
//! become one when a step along the outer one is exactly as far as the whole inner one (`outer.stride == inner.len *
//! inner.stride`): a slab of a volume becomes one run, a fully reversed array one reversed run, `[:, ::2]` of an even
//! row length one axis of stride 2.

use super::isa::InstructionSet;
use crate::resolve::strided::Dim;
use smallvec::SmallVec;

/// Merged axes; six inline cover every selection that does not alternate on more than six axes.
pub(crate) type MergedAxes = SmallVec<[Dim; 6]>;

/// A selection made ready for copying: planned once, used on as many buffers as you like.
#[derive(Clone, Debug)]
pub struct GatherPlan {
    /// INVARIANT: for all `i_k < dims[k].len`, `offset + sum(i_k * dims[k].stride)` is in `0..input_len`; or `len` is 0.
    pub(super) offset: usize,
    /// INVARIANT: no axis has length 0 or 1.
    pub(super) dims: MergedAxes,
    /// INVARIANT: the product of the axes' lengths; or 0, and then `dims` is empty.
    pub(super) len: usize,
    pub(super) input_len: usize,
    /// No richer set is used, for tests and measurements.
    pub(super) limit: Option<InstructionSet>,
}

impl GatherPlan {
    /// Plans the copy `out[i_0, i_1, ..] <- in[offset + i_0 * stride_0 + i_1 * stride_1 + ..]` for these output axes;
    /// `None` when an element lies outside `0..input_len` or there are more than
    /// `usize::MAX` of them.
    #[inline]
    pub(crate) fn new<I>(offset: usize, axes: I, input_len: usize) -> Option<Self>
    where
        I: IntoIterator<Item = Dim, IntoIter: DoubleEndedIterator>,
    {
        let axes = axes.into_iter().rev().map(|dim| (0, dim));
        Self::of_axes(offset, axes, input_len)
    }

    /// The same for axes of which the innermost comes first, each with a distance that is part of the offset.
    #[inline(always)]
    pub(super) fn of_axes(
        mut offset: usize,
        axes: impl Iterator<Item = (isize, Dim)>,
        input_len: usize,
    ) -> Option<Self> {
        let mut plan = Self {
            offset: 0,
            dims: MergedAxes::new(),
            len: 0,
            input_len,
            limit: None,
        };
        let mut extent = Extent::new();
        for (first, dim) in axes {
            offset = offset.wrapping_add_signed(first);
            if dim.len == 1 {
                continue;
            }
            extent.repeat(dim);
            match plan.dims.last_mut() {
                Some(last) if dim.merge(*last).is_some() => {
                    last.len = last.len.wrapping_mul(dim.len);
                }
                _ => plan.dims.push(dim),
            }
        }
        if extent.len == Some(0) {
            plan.dims.clear();
            return Some(plan);
        }
        plan.dims.reverse();
        plan.offset = offset;
        plan.len = extent.len?;
        let fits = extent.down? <= offset && offset.checked_add(extent.up?)? < input_len;
        fits.then_some(plan)
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

    /// The number of elements that the input buffer must have: not fewer, and not more.
    #[inline]
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// The same plan, kept from using instruction sets richer than `limit`: for tests and measurements.
    #[cfg(any(test, feature = "__bench"))]
    #[doc(hidden)]
    #[must_use]
    pub fn at_most(mut self, limit: InstructionSet) -> Self {
        self.limit = Some(limit);
        self
    }
}

/// How much a plan in the making covers; `None` where that overflowed.
struct Extent {
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
    fn new() -> Self {
        Self {
            len: Some(1),
            down: Some(0),
            up: Some(0),
        }
    }

    #[inline(always)]
    fn repeat(&mut self, Dim { len, stride }: Dim) {
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

/// The elements below the first one of a view, and all from the lowest to the highest; no axis is empty.
#[cfg(feature = "ndarray")]
pub(super) fn extent(axes: impl Iterator<Item = Dim>) -> (usize, usize) {
    let mut extent = Extent::new();
    axes.for_each(|dim| extent.repeat(dim));
    let within = "a view stays within its buffer";
    let (down, up) = extent.down.zip(extent.up).expect(within);
    (down, down + up + 1)
}
