//! The *plan* of a copy: the lengths of the output axes and their strides in the input. The plan is validated once
//! against the length of the input, and its axes are merged where possible.
//!
//! Most selections need only a few loops, because axes are merged. Axes of length 1 are dropped. Two neighboring axes
//! become one if the outer stride spans the whole inner axis (`outer.stride == inner.len * inner.stride`). For example,
//! a contiguous slab of a volume becomes one axis of stride 1, a fully reversed array becomes one axis of stride -1,
//! and `[:, ::2]` on rows of even length becomes one axis of stride 2.

use crate::processor::isa::InstructionSet;
use crate::resolve::strided::StridedAxis;
use smallvec::SmallVec;

/// Merged axes. Up to six axes are stored inline, so only a plan with more than six axes after merging allocates
/// memory.
pub(crate) type MergedAxes = SmallVec<[StridedAxis; 6]>;

/// A planned copy, which can be run on any number of buffers.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let plan = s![:, ::-1].resolve(&[2, 3])?.plan()?;
/// assert_eq!((plan.input_len(), plan.len(), plan.is_empty()), (6, 6, false));
/// assert_eq!(plan.gather(&[1, 2, 3, 4, 5, 6])?, [3, 2, 1, 6, 5, 4]);
/// assert_eq!(plan.gather(&["a", "b", "c", "d", "e", "f"])?, ["c", "b", "a", "f", "e", "d"]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CopyPlan {
    /// INVARIANT: unless `len` is 0, `offset + sum(i_k * axes[k].stride)` is in `0..input_len` for all
    /// `i_k < axes[k].len`.
    pub(super) offset: usize,
    /// INVARIANT: no axis has length 0 or 1.
    pub(super) axes: MergedAxes,
    /// INVARIANT: the product of the lengths of `axes`, or 0 if no element is selected, in which case `axes` is empty.
    pub(super) len: usize,
    pub(super) input_len: usize,
    /// The most capable instruction set that may be used, or `None` for no limit. Only tests and benchmarks set it.
    pub(super) limit: Option<InstructionSet>,
}

impl CopyPlan {
    /// Plans the copy `out[i_0, i_1, ..] <- in[offset + i_0 * stride_0 + i_1 * stride_1 + ..]` for the output axes
    /// `axes`. Returns `None` if the offset of an element is outside `0..input_len`, or if there are more than
    /// `usize::MAX` elements.
    #[inline]
    pub(crate) fn new<I>(offset: usize, axes: I, input_len: usize) -> Option<Self>
    where
        I: IntoIterator<Item = StridedAxis, IntoIter: DoubleEndedIterator>,
    {
        let axes = axes.into_iter().rev().map(|axis| (0, axis));
        Self::from_reversed_axes(offset, axes, input_len)
    }

    /// Plans a copy along `axes`, which are listed from the innermost to the outermost. The first value of each pair is
    /// a distance that is added to `offset`. Returns `None` under the same conditions as [`new`](Self::new).
    #[inline(always)]
    pub(super) fn from_reversed_axes(
        mut offset: usize,
        axes: impl Iterator<Item = (isize, StridedAxis)>,
        input_len: usize,
    ) -> Option<Self> {
        let mut plan = Self {
            offset: 0,
            axes: MergedAxes::new(),
            len: 0,
            input_len,
            limit: None,
        };
        let mut extent = Extent::new();
        for (first, axis) in axes {
            offset = offset.wrapping_add_signed(first);
            if axis.len == 1 {
                continue;
            }
            extent.add_axis(axis);
            match plan.axes.last_mut() {
                Some(last) if axis.merge(*last).is_some() => {
                    last.len = last.len.wrapping_mul(axis.len);
                }
                _ => plan.axes.push(axis),
            }
        }
        if extent.len == Some(0) {
            plan.axes.clear();
            return Some(plan);
        }
        plan.axes.reverse();
        plan.offset = offset;
        plan.len = extent.len?;
        let fits = extent.down? <= offset && offset.checked_add(extent.up?)? < input_len;
        fits.then_some(plan)
    }

    /// Returns the number of elements to copy.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if nothing is copied.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of elements that the input buffer must contain.
    #[inline]
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// Restricts the plan to the instruction sets that `limit` includes, for tests and benchmarks.
    #[cfg(any(test, feature = "__bench"))]
    #[doc(hidden)]
    #[must_use]
    pub fn at_most(mut self, limit: InstructionSet) -> Self {
        self.limit = Some(limit);
        self
    }
}

/// The extent of a plan's axes in memory. A field is `None` if its value overflows.
struct Extent {
    /// The number of elements.
    len: Option<usize>,
    /// The distance from the first element down to the lowest in memory.
    down: Option<usize>,
    /// The distance from the first element up to the highest in memory.
    up: Option<usize>,
}

impl Extent {
    /// Returns the extent of a single element.
    #[inline(always)]
    fn new() -> Self {
        Self {
            len: Some(1),
            down: Some(0),
            up: Some(0),
        }
    }

    /// Adds an axis, along which the current extent is repeated.
    #[inline(always)]
    fn add_axis(&mut self, StridedAxis { len, stride }: StridedAxis) {
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

/// Returns the distance from a view's lowest element in memory to the view's first element, and the number of elements
/// from the lowest to the highest in memory, including the gaps. No axis may be empty.
#[cfg(feature = "ndarray")]
pub(crate) fn extent(axes: impl Iterator<Item = StridedAxis>) -> (usize, usize) {
    let mut extent = Extent::new();
    axes.for_each(|axis| extent.add_axis(axis));
    let within = "the view should stay within its buffer";
    let (down, up) = extent.down.zip(extent.up).expect(within);
    (down, down + up + 1)
}
