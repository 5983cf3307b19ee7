//! The element types of the measured arrays.

use std::mem::MaybeUninit;
use std::slice;

/// Types of numbers. [`nth`](Self::nth) returns enough different values to detect misplaced elements.
///
/// # Safety
///
/// The type has no padding, and all bytes are valid.
#[allow(unsafe_code)]
pub unsafe trait ArrayElement: Send + Sync + Copy + Default + PartialEq + 'static {
    fn nth(i: usize) -> Self;
}

// SAFETY: an integer has no padding, and all bytes are valid.
#[allow(unsafe_code)]
unsafe impl ArrayElement for u8 {
    fn nth(i: usize) -> Self {
        (i ^ (i >> 8) ^ (i >> 16)) as u8
    }
}

// SAFETY: a floating-point number has no padding, and all bytes are valid.
#[allow(unsafe_code)]
unsafe impl ArrayElement for f32 {
    fn nth(i: usize) -> Self {
        (i % (1 << 24)) as f32
    }
}

// SAFETY: a floating-point number has no padding, and all bytes are valid.
#[allow(unsafe_code)]
unsafe impl ArrayElement for f64 {
    fn nth(i: usize) -> Self {
        i as f64
    }
}

/// Returns the bytes of numbers.
pub fn bytes<T: ArrayElement>(numbers: &[T]) -> &[u8] {
    // SAFETY: numbers have no padding, and any byte is a `u8`.
    #[allow(unsafe_code)]
    unsafe {
        slice::from_raw_parts(numbers.as_ptr().cast(), size_of_val(numbers))
    }
}

/// Returns the bytes of numbers for writing.
pub fn bytes_mut<T: ArrayElement>(numbers: &mut [T]) -> &mut [u8] {
    // SAFETY: numbers have no padding, and any bytes are valid numbers.
    #[allow(unsafe_code)]
    unsafe {
        slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), size_of_val(numbers))
    }
}

/// Returns the memory of numbers as possibly uninitialized memory.
///
/// # Safety
///
/// Only valid numbers may be written to the memory.
#[allow(unsafe_code, dead_code, reason = "only one benchmark has such a peer")]
pub unsafe fn uninit<T: ArrayElement>(numbers: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: the layouts are equal, and the caller writes only valid numbers.
    unsafe { slice::from_raw_parts_mut(numbers.as_mut_ptr().cast(), numbers.len()) }
}
