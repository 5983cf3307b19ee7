//! Copies arrays with constant shapes, by running the loops of a [`Nest`]. The lengths of all loops are constants, so
//! the compiler can optimize the loops.
//!
//! The copy engine in [`copy`](crate::copy) plans copies at run time and copies most elements as bytes. It cannot be
//! used in constants, where elements cannot be read as bytes. The copies in this module can be evaluated in constants,
//! and compile to the same loops as hand-written code.

#![expect(unsafe_code)]

use core::mem::MaybeUninit;
use core::{ptr, slice};

use super::nest::{INNER_LOOPS, Nest};
use super::nested::NestedArray;
use crate::resolve::strided::StridedAxis;

impl<const N: usize> Nest<N> {
    /// Copies the selected elements of `data` to `out`. Panics if a buffer does not have the length required by the
    /// nest.
    #[inline(always)]
    pub(crate) const fn gather<T: Copy>(&self, data: &[T], out: &mut [T]) {
        assert!(data.len() == self.input_len && out.len() == self.len);
        // SAFETY: `data` has `input_len` elements and `out` has `len` elements. `out` is borrowed mutably, so the two
        // buffers do not overlap.
        unsafe { copy::<T, N, GATHER>(self, data.as_ptr().cast_mut(), out.as_mut_ptr()) }
    }

    /// Copies `values` to the selected elements of `into`. Panics if a buffer does not have the length required by the
    /// nest.
    #[inline(always)]
    pub(crate) const fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) {
        assert!(values.len() == self.len && into.len() == self.input_len);
        // SAFETY: as in `gather`, with the two buffers exchanged.
        unsafe { copy::<T, N, SCATTER>(self, into.as_mut_ptr(), values.as_ptr().cast_mut()) }
    }
}

/// Returns the selected elements of `data` as a `B`. Panics if `data` does not have the length of the nest's input.
///
/// # Safety
///
/// A `B` must consist of `nest.len` contiguous values of type `T`.
#[inline(always)]
const unsafe fn gather_as<T: Copy, B: Copy, const N: usize>(nest: &Nest<N>, data: &[T]) -> B {
    assert!(data.len() == nest.input_len);
    let mut out = MaybeUninit::<B>::uninit();
    // SAFETY: `data` has `input_len` elements. `out` is new memory for a `B`, which has room for `len` elements.
    unsafe { copy::<T, N, GATHER>(nest, data.as_ptr().cast_mut(), out.as_mut_ptr().cast()) };
    // SAFETY: all `len` elements have been written with copies of valid elements.
    unsafe { out.assume_init() }
}

/// Returns the selected elements of `data` as an array. Panics if `LEN` is not the number of selected elements, or if
/// `data` does not have the length of the nest's input.
#[inline(always)]
pub(crate) const fn gather_array<T: Copy, const N: usize, const LEN: usize>(
    nest: &Nest<N>,
    data: &[T],
) -> [T; LEN] {
    assert!(LEN == nest.len);
    // SAFETY: an array consists of `LEN` contiguous elements.
    unsafe { gather_as(nest, data) }
}

/// Returns the selected elements of `input`. Panics if `A` or `B` does not have the length required by the nest.
#[inline(always)]
pub(crate) const fn gather_nested<A, B, const N: usize>(nest: &Nest<N>, input: &A) -> B
where
    A: NestedArray,
    B: NestedArray<Element = A::Element>,
{
    assert!(B::LEN == nest.len);
    // SAFETY: by the invariant of `NestedArray`, a `B` consists of `LEN` contiguous elements.
    unsafe { gather_as(nest, elements(input)) }
}

/// Returns the elements of a nested array in C order.
#[inline(always)]
pub(crate) const fn elements<A: NestedArray>(array: &A) -> &[A::Element] {
    // SAFETY: by the invariant of `NestedArray`, the array consists of `LEN` contiguous elements. The slice borrows the
    // array.
    unsafe { slice::from_raw_parts(ptr::from_ref(array).cast(), A::LEN) }
}

/// Mutable version of [`elements`].
#[inline(always)]
pub(crate) const fn elements_mut<A: NestedArray>(array: &mut A) -> &mut [A::Element] {
    // SAFETY: as in `elements`. The array is borrowed mutably, and stays valid because its elements stay valid.
    unsafe { slice::from_raw_parts_mut(ptr::from_mut(array).cast(), A::LEN) }
}

/// The value of `SCATTERING` for a copy from the elements of a nest to a dense buffer.
const GATHER: bool = false;
/// The value of `SCATTERING` for a copy from a dense buffer to the elements of a nest.
const SCATTER: bool = true;

/// Copies between the elements of `strided` selected by `nest` and the elements of `dense`, in order.
///
/// # Safety
///
/// `strided` must be valid for `nest.input_len` elements and `dense` for `nest.len` elements, and the two buffers
/// must not overlap. If `SCATTERING` is true, `strided` must be writable and `dense` must hold valid elements.
/// Otherwise, `dense` must be writable and `strided` must hold valid elements.
#[inline(always)]
const unsafe fn copy<T: Copy, const N: usize, const SCATTERING: bool>(
    nest: &Nest<N>,
    strided: *mut T,
    dense: *mut T,
) {
    let (outer, inner) = (nest.outer(), &nest.inner);
    if outer.is_empty() {
        // SAFETY: `inner` has all loops of the nest. The invariants of `Nest` and the caller's guarantees meet the
        // requirements of `copy_inner`.
        unsafe { copy_inner::<T, SCATTERING>(inner, nest.offset, 0, strided, dense) };
    } else {
        // SAFETY: the invariants of `Nest` and the caller's guarantees meet the requirements of `copy_outer`.
        unsafe {
            copy_outer::<T, SCATTERING>(outer, inner, nest.offset, 0, strided, dense);
        }
    }
}

/// Runs the loops of `outer` around the loops of `inner`, with the arguments and the result of [`copy_inner`].
///
/// # Safety
///
/// The loops of `outer` and `inner` together must meet the requirements of [`copy_inner`].
const unsafe fn copy_outer<T: Copy, const SCATTERING: bool>(
    outer: &[StridedAxis],
    inner: &[StridedAxis; INNER_LOOPS],
    mut at: usize,
    mut next: usize,
    strided: *mut T,
    dense: *mut T,
) -> usize {
    let Some((axis, rest)) = outer.split_first() else {
        // SAFETY: there is no outer loop left, so the caller's guarantee applies to `inner` alone.
        return unsafe { copy_inner::<T, SCATTERING>(inner, at, next, strided, dense) };
    };
    let mut i = 0;
    while i < axis.len {
        // SAFETY: the caller's guarantee includes every position of the outermost loop.
        next = unsafe { copy_outer::<T, SCATTERING>(rest, inner, at, next, strided, dense) };
        at = at.wrapping_add_signed(axis.stride);
        i += 1;
    }
    next
}

/// Runs `$body` once for each position of a loop.
macro_rules! each {
    ($loops:ident[$level:literal], $at:ident, $body:expr) => {
        let (mut i, mut $at) = (0, $at);
        while i < $loops[$level].len {
            $body;
            // The sum wraps only after the last position.
            $at = $at.wrapping_add_signed($loops[$level].stride);
            i += 1;
        }
    };
}

/// Runs `loops`, starting at offset `at` of `strided` and offset `next` of `dense`. Returns the offset in `dense` after
/// the last copied element.
///
/// # Safety
///
/// For all `i_k < loops[k].len`, `at + sum(i_k * loops[k].stride)` must be the offset of an element of `strided`.
/// Starting at `next`, `dense` must have one element for each of these offsets. All of these elements must be readable
/// or writable as [`copy`] requires.
#[inline(always)]
const unsafe fn copy_inner<T: Copy, const SCATTERING: bool>(
    loops: &[StridedAxis; INNER_LOOPS],
    at: usize,
    mut next: usize,
    strided: *mut T,
    dense: *mut T,
) -> usize {
    let [.., row] = *loops;
    each!(loops[0], at, {
        each!(loops[1], at, {
            each!(loops[2], at, {
                each!(loops[3], at, {
                    each!(loops[4], at, {
                        if row.stride == 1 {
                            // SAFETY: the elements of the innermost loop are contiguous in `strided`, and the caller
                            // guarantees that they can be accessed.
                            unsafe { copy_run::<T, SCATTERING>(at, next, row.len, strided, dense) };
                            next += row.len;
                        } else {
                            each!(loops[5], at, {
                                // SAFETY: the caller guarantees that the elements at `at` and `next` can be accessed.
                                unsafe { copy_run::<T, SCATTERING>(at, next, 1, strided, dense) };
                                next += 1;
                            });
                        }
                    });
                });
            });
        });
    });
    next
}

/// Copies `len` elements between offset `at` of `strided` and offset `next` of `dense`.
///
/// # Safety
///
/// Both buffers must have `len` elements at these offsets, which must be readable or writable as [`copy`] requires.
#[inline(always)]
const unsafe fn copy_run<T: Copy, const SCATTERING: bool>(
    at: usize,
    next: usize,
    len: usize,
    strided: *mut T,
    dense: *mut T,
) {
    // SAFETY: `at` is within `strided`.
    let strided = unsafe { strided.add(at) };
    // SAFETY: `next` is within `dense`.
    let dense = unsafe { dense.add(next) };
    if SCATTERING {
        // SAFETY: both buffers have `len` elements and do not overlap. The elements of `dense` are valid, and
        // `strided` can be written.
        unsafe { ptr::copy_nonoverlapping(dense, strided, len) };
    } else {
        // SAFETY: both buffers have `len` elements and do not overlap. The elements of `strided` are valid, and
        // `dense` can be written.
        unsafe { ptr::copy_nonoverlapping(strided, dense, len) };
    }
}
