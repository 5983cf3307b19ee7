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
    pub(crate) fn new<I>(offset: usize, axes: I, input_len: usize) -> Option<Self>
    where
        I: IntoIterator<Item = (usize, isize)>,
        I::IntoIter: Clone,
    {
        let axes = axes.into_iter();
        let isa = InstructionSet::detect();
        if axes.clone().any(|(len, _)| len == 0) {
            return Some(Self {
                offset: 0,
                dims: Dims::new(),
                len: 0,
                input_len,
                isa,
            });
        }
        let mut dims = Dims::new();
        let mut count = 1usize;
        // The lowest and highest offset. The product of a `usize` and an `isize` always fits `i128`; the sum may not.
        let (mut lowest, mut highest) = (offset as i128, offset as i128);
        for (len, stride) in axes {
            if len == 1 {
                continue;
            }
            count = count.checked_mul(len)?;
            let reach = (len as i128 - 1) * stride as i128;
            if reach < 0 {
                lowest = lowest.checked_add(reach)?;
            } else {
                highest = highest.checked_add(reach)?;
            }
            push_merged(&mut dims, Dim { len, stride });
        }
        if lowest < 0 || highest >= input_len as i128 {
            return None;
        }
        Some(Self {
            offset,
            dims,
            len: count,
            input_len,
            isa,
        })
    }

    /// The number of elements copied.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is copied.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of elements that the input buffer must have at least.
    #[inline]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// The same plan, kept from using instruction sets richer than `limit`: for tests and measurements.
    #[must_use]
    pub fn at_most(mut self, limit: InstructionSet) -> Self {
        self.isa = self.isa.min(limit);
        self
    }
}

impl Dim {
    /// The two as one walk, if a step along this axis is as far as the whole of the one inside it.
    #[inline]
    pub(crate) const fn merge(self, inner: Dim) -> Option<Dim> {
        if inner.len > isize::MAX as usize {
            return None;
        }
        match inner.stride.checked_mul(inner.len as isize) {
            Some(whole) if whole == self.stride => Some(Dim {
                // No overflow: it divides the count of elements, which was checked.
                len: self.len * inner.len,
                stride: inner.stride,
            }),
            _ => None,
        }
    }
}

/// Appends an axis inside the others, or lengthens the last one when the two are one walk.
fn push_merged(dims: &mut Dims, inner: Dim) {
    if let Some(last) = dims.last_mut()
        && let Some(merged) = last.merge(inner)
    {
        *last = merged;
        return;
    }
    dims.push(inner);
}
