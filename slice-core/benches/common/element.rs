//! The element types of the benchmarked arrays.

use std::mem::MaybeUninit;
use std::slice;

/// A numeric element type. [`nth`](Self::nth) returns enough different values to detect misplaced elements.
///
/// # Safety
///
/// The type must not have padding, and every bit pattern must be a valid value.
#[allow(unsafe_code)]
pub unsafe trait ArrayElement: Send + Sync + Copy + Default + PartialEq + 'static {
    fn nth(i: usize) -> Self;
}

// SAFETY: an integer has no padding, and every bit pattern is a valid value.
#[allow(unsafe_code)]
unsafe impl ArrayElement for u8 {
    fn nth(i: usize) -> Self {
        (i ^ (i >> 8) ^ (i >> 16)) as u8
    }
}

// SAFETY: a floating-point number has no padding, and every bit pattern is a valid value.
#[allow(unsafe_code)]
unsafe impl ArrayElement for f32 {
    fn nth(i: usize) -> Self {
        (i % (1 << 24)) as f32
    }
}

// SAFETY: a floating-point number has no padding, and every bit pattern is a valid value.
#[allow(unsafe_code)]
unsafe impl ArrayElement for f64 {
    fn nth(i: usize) -> Self {
        i as f64
    }
}

/// Returns the bytes of `numbers`.
pub fn bytes<T: ArrayElement>(numbers: &[T]) -> &[u8] {
    // SAFETY: the implementor of `ArrayElement` guarantees that the elements have no padding, so all of their bytes are
    // initialized.
    #[allow(unsafe_code)]
    unsafe {
        slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers))
    }
}

/// Mutable version of [`bytes`].
pub fn bytes_mut<T: ArrayElement>(numbers: &mut [T]) -> &mut [u8] {
    // SAFETY: the implementor of `ArrayElement` guarantees that the elements have no padding, and that any bytes
    // written to them are valid elements.
    #[allow(unsafe_code)]
    unsafe {
        slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), size_of_val(numbers))
    }
}

/// Returns `numbers` as possibly uninitialized elements.
///
/// # Safety
///
/// The caller must write only initialized elements to the result.
#[allow(
    unsafe_code,
    dead_code,
    reason = "used only by the benchmark that measures rten"
)]
pub unsafe fn uninit<T: ArrayElement>(numbers: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`, and the caller writes only initialized elements.
    unsafe { slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), numbers.len()) }
}
