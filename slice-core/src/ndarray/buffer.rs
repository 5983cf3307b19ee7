//! Functions for arrays whose elements are contiguous in some order of the axes. They return the elements as a Rust
//! slice, or the address of the element that comes first in memory.

#![expect(unsafe_code)]

use core::slice;

use ndarray::{ArrayRef, Dimension};

use crate::resolve::strided::{StridedAxis, strided_axes};

/// Returns the address of the element that comes first in memory. Returns `None` if the size of `A` is zero, or if the
/// elements are not contiguous in any order of the axes.
pub(super) fn buffer_start<A, D: Dimension>(array: &ArrayRef<A, D>) -> Option<*const A> {
    if size_of::<A>() == 0 {
        None
    } else if is_in_c_order(array) {
        Some(array.as_ptr())
    } else {
        array.as_slice_memory_order().map(<[A]>::as_ptr)
    }
}

/// Returns the elements of an array that has a [`buffer_start`], in memory order.
pub(super) fn elements<A, D: Dimension>(array: &ArrayRef<A, D>) -> &[A] {
    if is_in_c_order(array) {
        // SAFETY: the array is in C order, as checked above, so its `len()` elements are contiguous, beginning at
        // `as_ptr()`. The result borrows the array.
        return unsafe { slice::from_raw_parts(array.as_ptr(), array.len()) };
    }
    array
        .as_slice_memory_order()
        .expect("the caller checks that the elements are contiguous")
}

/// Mutable version of [`elements`].
pub(super) fn elements_mut<A, D: Dimension>(array: &mut ArrayRef<A, D>) -> &mut [A] {
    if is_in_c_order(array) {
        let (first, len) = (array.as_mut_ptr(), array.len());
        // SAFETY: see `elements`. The result borrows the array mutably.
        return unsafe { slice::from_raw_parts_mut(first, len) };
    }
    array
        .as_slice_memory_order_mut()
        .expect("the caller checks that the elements are contiguous")
}

/// Returns `true` if the elements are contiguous in C order. ndarray's own check is slower.
pub(super) fn is_in_c_order<A, D: Dimension>(array: &ArrayRef<A, D>) -> bool {
    let mut run = 1_usize;
    let mut axes = array.shape().iter().zip(array.strides()).rev();
    axes.all(|(&len, &stride)| {
        let follows = len == 1 || stride.cast_unsigned() == run;
        run = run.wrapping_mul(len);
        follows
    })
}

/// Returns the lengths and strides of the axes.
pub(super) fn axes<A, D: Dimension>(
    array: &ArrayRef<A, D>,
) -> impl DoubleEndedIterator<Item = StridedAxis> + Clone {
    strided_axes(array.shape(), array.strides())
}

/// Returns the number of elements from an address in a buffer to an equal or higher address in the same buffer. The
/// size of `A` must not be zero.
pub(super) fn distance<A>(start: *const A, element: *const A) -> usize {
    (element.addr() - start.addr()) / size_of::<A>()
}
