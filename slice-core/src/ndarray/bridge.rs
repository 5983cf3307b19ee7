//! From a spec and the shape and strides of an array to a view of it.

#![allow(unsafe_code)]

use ndarray::{
    ArrayView, ArrayViewMut, Axis, Dimension, RawArrayView, RawArrayViewMut, ShapeBuilder,
};

use crate::SliceError;
use crate::item::Encoded;
use crate::resolve::{Step, Walk};

/// A view that is still to be made: its first element, shape and strides, in elements of the array it is taken from.
///
/// INVARIANT: if no length in `shape` is 0, every position within `shape`, taken from `offset` along `strides`, is the
/// place of an element of that array, and different positions are different positions of it; otherwise `offset` is 0.
pub(super) struct Parts<O> {
    offset: isize,
    shape: O,
    /// Signed, in the two's complement that ndarray stores strides in.
    strides: O,
}

impl<O: Dimension> Parts<O> {
    /// Resolves a spec for an array with this shape and these strides.
    #[inline]
    pub(super) fn new(
        spec: Encoded<'_>,
        shape: &[usize],
        strides: &[isize],
    ) -> Result<Self, SliceError> {
        let mut walk = Walk::new(spec, shape)?;
        let rank = walk.output_rank();
        // The kind list of a spec says what its masks say, so this only fails for a spec put together by hand.
        assert!(
            O::NDIM.is_none_or(|fixed| fixed == rank),
            "the type of a spec must match its masks"
        );
        let mut parts = Parts {
            offset: 0,
            shape: O::zeros(rank),
            strides: O::zeros(rank),
        };
        let (out_shape, out_strides) = (parts.shape.slice_mut(), parts.strides.slice_mut());
        let mut empty = false;
        let mut out = 0;
        while let Some(step) = walk.next() {
            // Start, step and position stay within the axis, and ndarray keeps the extent of an array below
            // `isize::MAX` elements: nothing wraps where an element is reached.
            match step? {
                Step::Keep { axis, range } => {
                    parts.offset = parts
                        .offset
                        .wrapping_add(strides[axis].wrapping_mul(range.start as isize));
                    out_shape[out] = range.len;
                    out_strides[out] = strides[axis].wrapping_mul(range.step) as usize;
                    empty |= range.len == 0;
                    out += 1;
                }
                Step::Drop { axis, position } => {
                    parts.offset = parts
                        .offset
                        .wrapping_add(strides[axis].wrapping_mul(position as isize));
                }
                Step::Insert => {
                    out_shape[out] = 1;
                    out += 1;
                }
            }
        }
        if empty {
            parts.offset = 0;
            out_strides.fill(0);
        }
        Ok(parts)
    }

    /// The same elements walked upwards in memory, as ndarray's constructors want them, and the signed strides.
    #[inline]
    fn upwards(self) -> (isize, O, O, O) {
        let mut offset = self.offset;
        let mut strides = self.strides.clone();
        for (stride, &len) in strides.slice_mut().iter_mut().zip(self.shape.slice()) {
            let signed = *stride as isize;
            if signed < 0 {
                // Not for an empty view: its strides are zero.
                offset = offset.wrapping_add(signed.wrapping_mul(len as isize - 1));
                *stride = signed.unsigned_abs();
            }
        }
        (offset, self.shape, strides, self.strides)
    }

    /// The view of the array whose first element (the one at position 0, 0, ...) is at `first`.
    ///
    /// # Safety
    ///
    /// `first` belongs to the array that `self` was resolved for, which may be read for the lifetime `'a`.
    #[inline]
    pub(super) unsafe fn view<'a, A>(self, first: *const A) -> ArrayView<'a, A, O> {
        let (offset, shape, strides, signed) = self.upwards();
        // Wrapping, because for an empty array `first` may dangle; otherwise this is the place of an element.
        let lowest = first.wrapping_offset(offset);
        // SAFETY: by the invariant of `Parts`, every position is the place of an element of an array that ndarray
        // holds, so all of it lies in one allocation and within `isize::MAX` bytes and elements; the strides are
        // non-negative; the lengths are no longer than that array's, and new axes have length 1.
        let mut view = unsafe { RawArrayView::from_shape_ptr(shape.strides(strides), lowest) };
        for (axis, &stride) in signed.slice().iter().enumerate() {
            if (stride as isize) < 0 {
                view.invert_axis(Axis(axis));
            }
        }
        // SAFETY: the elements are those of an array that the caller may read for `'a`.
        unsafe { view.deref_into_view() }
    }

    /// The same for a view that may be written.
    ///
    /// # Safety
    ///
    /// `first` belongs to the array that `self` was resolved for, which may be read and written, by nobody else, for
    /// the lifetime `'a`.
    #[inline]
    pub(super) unsafe fn view_mut<'a, A>(self, first: *mut A) -> ArrayViewMut<'a, A, O> {
        let (offset, shape, strides, signed) = self.upwards();
        let lowest = first.wrapping_offset(offset);
        // SAFETY: as in `view`.
        let mut view = unsafe { RawArrayViewMut::from_shape_ptr(shape.strides(strides), lowest) };
        for (axis, &stride) in signed.slice().iter().enumerate() {
            if (stride as isize) < 0 {
                view.invert_axis(Axis(axis));
            }
        }
        // SAFETY: the caller may write the elements for `'a`, and no two positions of the view are the same element:
        // different positions are different positions of an array that ndarray lets be written.
        unsafe { view.deref_into_view_mut() }
    }
}
