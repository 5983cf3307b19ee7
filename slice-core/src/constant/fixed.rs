//! Copies whose loops are constants where the shapes are: small enough for the compiler to see through.
//!
//! Other copies are planned at run time and move bytes. These can run in a constant, where elements cannot be read as
//! bytes, and compile to the loops that one would write by hand.

#![expect(unsafe_code)]

use core::mem::MaybeUninit;
use core::{ptr, slice};

use super::nest::{LOOPS, Nest};
use super::nested::NestedArray;
use crate::resolve::strided::Dim;

impl<const N: usize> Nest<N> {
    /// Copies the selected elements of `data` to `out`; panics if either has another length than the nest says.
    #[inline(always)]
    pub(crate) const fn gather<T: Copy>(&self, data: &[T], out: &mut [T]) {
        assert!(data.len() == self.input_len() && out.len() == self.len());
        // SAFETY: `data` has `input_len` elements and `out` has room for `len`; `out` is borrowed mutably, so the two
        // do not overlap.
        unsafe { copy::<T, N, GATHER>(self, data.as_ptr().cast_mut(), out.as_mut_ptr()) }
    }

    /// Copies `values` to the selected places of `into`; panics if either has another length than the nest says.
    #[inline(always)]
    pub(crate) const fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) {
        assert!(values.len() == self.len() && into.len() == self.input_len());
        // SAFETY: as in `gather`, with the roles of the two exchanged.
        unsafe { copy::<T, N, SCATTER>(self, into.as_mut_ptr(), values.as_ptr().cast_mut()) }
    }
}

/// The selected elements of `data` as a `B`; panics if `data` has another length than the nest says.
///
/// # Safety
///
/// `B` is `nest.len()` values of the type `T`, one after the other.
#[inline(always)]
const unsafe fn gather_as<T: Copy, B: Copy, const N: usize>(nest: &Nest<N>, data: &[T]) -> B {
    assert!(data.len() == nest.input_len());
    let mut out = MaybeUninit::<B>::uninit();
    // SAFETY: `data` has `input_len` elements; `out` is new memory with room for `len`, which is what a `B` is.
    unsafe { copy::<T, N, GATHER>(nest, data.as_ptr().cast_mut(), out.as_mut_ptr().cast()) };
    // SAFETY: all `len` elements have been written, each with a copy of a valid one.
    unsafe { out.assume_init() }
}

/// The selected elements of `data`; panics if there are not `LEN` or `data` has another length than the nest says.
#[inline(always)]
pub(crate) const fn gather_array<T: Copy, const N: usize, const LEN: usize>(
    nest: &Nest<N>,
    data: &[T],
) -> [T; LEN] {
    assert!(LEN == nest.len());
    // SAFETY: an array of `LEN` elements is just that.
    unsafe { gather_as(nest, data) }
}

/// The selected elements of `input`; panics if one of the types has another length than the nest says.
#[inline(always)]
pub(crate) const fn gather_nested<A, B, const N: usize>(nest: &Nest<N>, input: &A) -> B
where
    A: NestedArray,
    B: NestedArray<Element = A::Element>,
{
    assert!(B::LEN == nest.len());
    // SAFETY: the invariant of `NestedArray`.
    unsafe { gather_as(nest, elements(input)) }
}

/// The elements of an array of arrays in C order.
#[inline(always)]
pub(crate) const fn elements<A: NestedArray>(array: &A) -> &[A::Element] {
    // SAFETY: by the invariant of `NestedArray`, the array is `LEN` elements one after the other; it is borrowed for as
    // long as the slice is.
    unsafe { slice::from_raw_parts(ptr::from_ref(array).cast(), A::LEN) }
}

/// The same, to be written.
#[inline(always)]
pub(crate) const fn elements_mut<A: NestedArray>(array: &mut A) -> &mut [A::Element] {
    // SAFETY: as in `elements`, borrowed mutably; and an array of valid elements is a valid array.
    unsafe { slice::from_raw_parts_mut(ptr::from_mut(array).cast(), A::LEN) }
}

/// From the places that a nest names to a dense row.
const GATHER: bool = false;
/// From a dense row to the places that a nest names.
const SCATTER: bool = true;

/// Copies between the places of `nest` in `strided` and the elements of `dense`, in order.
///
/// # Safety
///
/// `strided` is valid for `nest.input_len()` elements and `dense` for `nest.len()`; the two do not overlap. With
/// `SCATTERING`, `strided` may be written and `dense` holds valid elements; otherwise it is the other way round.
#[inline(always)]
const unsafe fn copy<T: Copy, const N: usize, const SCATTERING: bool>(
    nest: &Nest<N>,
    strided: *mut T,
    dense: *mut T,
) {
    let (outer, inner) = (nest.outer(), nest.inner());
    if outer.is_empty() {
        // SAFETY: the loops of `inner` are all there are, and the nest's invariants are what `copy_inner` asks for.
        unsafe { copy_inner::<T, SCATTERING>(inner, nest.offset(), 0, strided, dense) };
    } else {
        // SAFETY: the nest's invariants are what `copy_outer` asks for.
        unsafe {
            copy_outer::<T, SCATTERING>(outer, inner, nest.offset(), 0, strided, dense);
        }
    }
}

/// The loops of `outer` around those of `inner`; returns how many elements of `dense` are done.
///
/// # Safety
///
/// As [`copy_inner`], for all loops.
const unsafe fn copy_outer<T: Copy, const SCATTERING: bool>(
    outer: &[Dim],
    inner: &[Dim; LOOPS],
    mut at: usize,
    mut done: usize,
    strided: *mut T,
    dense: *mut T,
) -> usize {
    let Some((dim, rest)) = outer.split_first() else {
        // SAFETY: there is no outer loop, so this is the caller's promise.
        return unsafe { copy_inner::<T, SCATTERING>(inner, at, done, strided, dense) };
    };
    let mut i = 0;
    while i < dim.len {
        // SAFETY: the caller's promise for one value of the outermost loop's counter.
        done = unsafe { copy_outer::<T, SCATTERING>(rest, inner, at, done, strided, dense) };
        at = at.wrapping_add_signed(dim.stride);
        i += 1;
    }
    done
}

/// One loop around another.
macro_rules! each {
    ($dims:ident[$level:literal], $at:ident, $body:expr) => {
        let (mut i, mut $at) = (0, $at);
        while i < $dims[$level].len {
            $body;
            // Wraps only after the last position.
            $at = $at.wrapping_add_signed($dims[$level].stride);
            i += 1;
        }
    };
}

/// The loops of `dims` from `at`; returns how many elements of `dense` are done, counted from `done`.
///
/// # Safety
///
/// For all `i_k < dims[k].len`, `at + sum(i_k * dims[k].stride)` is the place of an element of `strided`; from `done`
/// on, `dense` has as many elements as there are such places. Reading and writing as [`copy`].
#[inline(always)]
const unsafe fn copy_inner<T: Copy, const SCATTERING: bool>(
    dims: &[Dim; LOOPS],
    at: usize,
    mut done: usize,
    strided: *mut T,
    dense: *mut T,
) -> usize {
    let [.., row] = *dims;
    each!(dims[0], at, {
        each!(dims[1], at, {
            each!(dims[2], at, {
                each!(dims[3], at, {
                    each!(dims[4], at, {
                        if row.stride == 1 {
                            // SAFETY: the innermost loop is over places next to each other.
                            unsafe { copy_run::<T, SCATTERING>(at, done, row.len, strided, dense) };
                            done += row.len;
                        } else {
                            each!(dims[5], at, {
                                // SAFETY: `at` is a place, and `done` counts the places before it.
                                unsafe { copy_run::<T, SCATTERING>(at, done, 1, strided, dense) };
                                done += 1;
                            });
                        }
                    });
                });
            });
        });
    });
    done
}

/// Copies `len` elements between those of `strided` from `at` on and those of `dense` from `done` on.
///
/// # Safety
///
/// There are so many on both sides. Reading and writing as [`copy`].
#[inline(always)]
const unsafe fn copy_run<T: Copy, const SCATTERING: bool>(
    at: usize,
    done: usize,
    len: usize,
    strided: *mut T,
    dense: *mut T,
) {
    // SAFETY: `strided` reaches beyond `at`.
    let strided = unsafe { strided.add(at) };
    // SAFETY: `dense` reaches beyond `done`.
    let dense = unsafe { dense.add(done) };
    if SCATTERING {
        // SAFETY: `len` elements on both sides, those of `dense` valid, those of `strided` to be written.
        unsafe { ptr::copy_nonoverlapping(dense, strided, len) };
    } else {
        // SAFETY: `len` elements on both sides, those of `strided` valid, those of `dense` to be written.
        unsafe { ptr::copy_nonoverlapping(strided, dense, len) };
    }
}
