//! Iteration over the selected elements, as offsets into a flat buffer.

use core::iter::FusedIterator;

use crate::resolve::layout::StridedLayout;
use crate::resolve::listed_indices::ListedIndices;
use crate::resolve::selection::{PerAxis, Selection};

/// An iterator over the flat input offsets of the selected elements, returned by [`Selection::indices`].
///
/// # Example
///
/// ```
/// use slice_core::{Indices, s};
///
/// let selection = s![::-2].resolve(&[5])?;
/// let mut indices: Indices<'_> = selection.indices();
/// assert_eq!((indices.len(), indices.next()), (3, Some(4)));
/// assert_eq!(indices.collect::<Vec<_>>(), [2, 0]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Indices<'a>(Order<'a>);

#[derive(Clone, Debug)]
enum Order<'a> {
    Strided(StridedIndices),
    Listed(ListedIndices<'a>),
}

/// The offsets of the elements of a strided selection.
#[derive(Clone, Debug)]
struct StridedIndices {
    /// For each output axis: the length, the stride in the input, and the position of the next element.
    axes: PerAxis<(usize, isize, usize)>,
    offset: usize,
    remaining: usize,
}

impl Selection {
    /// Returns the offsets of the selected elements in a flat C-order buffer of the input, in output order.
    ///
    /// Python equivalent: `np.arange(x.size).reshape(x.shape)[spec].ravel()`, or, with lists, the same with
    /// `.oindex[spec]`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![:, ::-1].resolve(&[2, 3])?;
    /// assert_eq!(selection.indices().collect::<Vec<_>>(), [2, 1, 0, 5, 4, 3]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn indices(&self) -> Indices<'_> {
        if !self.is_strided() {
            return Indices(Order::Listed(ListedIndices::new(self)));
        }
        let layout = StridedLayout::flat(self);
        let axes = layout.shape().iter().zip(layout.strides());
        Indices(Order::Strided(StridedIndices {
            axes: axes.map(|(&len, &stride)| (len, stride, 0)).collect(),
            offset: layout.offset().cast_unsigned(),
            remaining: self.len(),
        }))
    }
}

impl Iterator for Indices<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        match &mut self.0 {
            Order::Strided(indices) => indices.next(),
            Order::Listed(indices) => indices.next(),
        }
    }

    /// Skips `n` offsets and returns the next one. In a strided selection, the loop has at most one iteration for each
    /// axis.
    fn nth(&mut self, n: usize) -> Option<usize> {
        match &mut self.0 {
            Order::Strided(indices) => indices.nth(n),
            Order::Listed(indices) => indices.nth(n),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let remaining = match &self.0 {
            Order::Strided(indices) => indices.remaining,
            Order::Listed(indices) => indices.len(),
        };
        (remaining, Some(remaining))
    }

    fn count(self) -> usize {
        self.len()
    }

    fn last(mut self) -> Option<usize> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl ExactSizeIterator for Indices<'_> {}

impl FusedIterator for Indices<'_> {}

impl StridedIndices {
    fn next(&mut self) -> Option<usize> {
        self.remaining = self.remaining.checked_sub(1)?;
        let offset = self.offset;
        for (len, stride, position) in self.axes.iter_mut().rev() {
            *position += 1;
            self.offset = self.offset.wrapping_add_signed(*stride);
            if *position < *len {
                break;
            }
            self.offset = self
                .offset
                .wrapping_add_signed(stride.wrapping_mul(*len as isize).wrapping_neg());
            *position = 0;
        }
        Some(offset)
    }

    fn nth(&mut self, n: usize) -> Option<usize> {
        let Some(remaining) = self.remaining.checked_sub(n) else {
            self.remaining = 0;
            return None;
        };
        self.remaining = remaining;
        let mut carry = n;
        for (len, stride, position) in self.axes.iter_mut().rev() {
            if carry == 0 {
                break;
            }
            // The sum cannot overflow, because neither term exceeds the number of elements, which fits in an `isize`.
            let sum = *position + carry;
            carry = sum / *len;
            let change = (sum % *len).wrapping_sub(*position) as isize;
            *position = sum % *len;
            self.offset = self.offset.wrapping_add_signed(stride.wrapping_mul(change));
        }
        self.next()
    }
}
