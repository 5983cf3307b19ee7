//! Where elements are in memory: an offset, and for each axis a length and a stride.
//!
//! This is all that views, copies, iterators and the layouts for other libraries read of a selection. Positions and steps
//! are multiplied by strides here and nowhere else.

use crate::resolve::axis::AxisRange;
use crate::resolve::selection::Selection;

/// One axis of elements in memory: how many there are, and the distance from each to the next, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dim {
    pub(crate) len: usize,
    pub(crate) stride: isize,
}

impl Dim {
    /// The same with its stride in smaller units.
    #[inline]
    pub(crate) fn scaled(self, scale: usize) -> Dim {
        Dim {
            len: self.len,
            stride: self.stride.wrapping_mul(scale as isize),
        }
    }

    /// The two axes as one, if the stride of this one is as large as all of the inner one.
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

/// The axes with these lengths and strides.
pub(crate) fn dims<'a>(
    shape: &'a [usize],
    strides: &'a [isize],
) -> impl DoubleEndedIterator<Item = Dim> + Clone + 'a {
    let axes = shape.iter().zip(strides);
    axes.map(|(&len, &stride)| Dim { len, stride })
}

impl AxisRange {
    /// What is selected of an axis whose elements are `stride` apart: the distance from the first element of the axis to
    /// the first that is selected, and the selected ones.
    ///
    /// Wraps only where no array in memory has such an axis, or where nothing is selected.
    #[inline(always)]
    pub(crate) const fn strided(self, stride: isize) -> (isize, Dim) {
        let dim = Dim {
            len: self.len,
            stride: stride.wrapping_mul(self.step),
        };
        (stride.wrapping_mul(self.start as isize), dim)
    }
}

impl Selection {
    /// What is selected of each axis of a flat C-order buffer, the last axis first.
    ///
    /// The distances of all axes together are the offset of the first selected element. Axes that are not axes of the
    /// output have length 1.
    #[inline(always)]
    pub(crate) fn flat_axes(&self) -> impl Iterator<Item = (isize, Dim)> {
        let mut stride = 1_isize;
        let axes = self.axes().iter().zip(self.input_shape()).rev();
        axes.map(move |(range, &size)| {
            let axis = range.strided(stride);
            stride = stride.wrapping_mul(size as isize);
            axis
        })
    }
}
