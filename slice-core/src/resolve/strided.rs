//! The memory layout of a selection: an offset, plus a length and stride per axis.
//!
//! Views, copies, iterators and layouts for other libraries are all derived from this layout.

use crate::resolve::axis::AxisRange;
use crate::resolve::selection::Selection;

/// One axis of an array in memory: its length, and its stride in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StridedAxis {
    pub(crate) len: usize,
    pub(crate) stride: isize,
}

impl StridedAxis {
    /// Multiplies the stride by `scale`.
    #[inline]
    pub(crate) fn scaled(self, scale: usize) -> StridedAxis {
        StridedAxis {
            len: self.len,
            stride: self.stride.wrapping_mul(scale as isize),
        }
    }

    /// Merges this axis with the inner axis next to it. Returns `None` unless the outer stride is the inner length
    /// times the inner stride.
    #[inline]
    pub(crate) const fn merge(self, inner: StridedAxis) -> Option<StridedAxis> {
        if inner.len > isize::MAX as usize {
            return None;
        }
        match inner.stride.checked_mul(inner.len as isize) {
            Some(whole) if whole == self.stride => Some(StridedAxis {
                // The product overflows only if the number of elements overflows. The caller checks the number of
                // elements.
                len: self.len.wrapping_mul(inner.len),
                stride: inner.stride,
            }),
            _ => None,
        }
    }
}

/// Returns the axes whose lengths are in `shape` and whose strides are in `strides`.
pub(crate) fn strided_axes<'a>(
    shape: &'a [usize],
    strides: &'a [isize],
) -> impl DoubleEndedIterator<Item = StridedAxis> + Clone + 'a {
    let axes = shape.iter().zip(strides);
    axes.map(|(&len, &stride)| StridedAxis { len, stride })
}

impl AxisRange {
    /// Applies the range to an axis with the stride `stride`. Returns the distance from the first element to the first
    /// selected element, and the resulting axis.
    ///
    /// A multiplication can wrap only if no array in memory can have this axis, or if the range is empty.
    #[inline(always)]
    pub(crate) const fn strided(self, stride: isize) -> (isize, StridedAxis) {
        let axis = StridedAxis {
            len: self.len,
            stride: stride.wrapping_mul(self.step),
        };
        (stride.wrapping_mul(self.start as isize), axis)
    }
}

impl Selection {
    /// Returns the result of [`AxisRange::strided`] for each axis of an array in a flat C-order buffer, beginning with
    /// the last axis.
    ///
    /// The sum of all distances is the offset of the first selected element. Dropped axes have length 1.
    #[inline(always)]
    pub(crate) fn flat_axes(&self) -> impl Iterator<Item = (isize, StridedAxis)> {
        let mut stride = 1_isize;
        let axes = self.ranges().iter().zip(self.input_shape()).rev();
        axes.map(move |(range, &size)| {
            let axis = range.strided(stride);
            stride = stride.wrapping_mul(size as isize);
            axis
        })
    }
}
