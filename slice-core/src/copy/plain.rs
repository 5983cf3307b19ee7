//! *Plain* types: types without padding or pointers, whose elements may be copied as integers.
//!
//! A `Copy` type may have padding, which must not be read as an integer, or pointers, which lose their provenance in an
//! integer. Neither may be copied in integer vectors. Elements of a type that is only `Clone` must not be copied as
//! bytes at all. Stable Rust cannot determine whether a type has padding or pointers, but it can determine whether a
//! type *is* `f32` or `[u8; 3]`. This module therefore lists the plain types.

#![expect(unsafe_code)]

use core::any::TypeId;
use core::mem::MaybeUninit;
use core::slice;

/// Returns `true` if `T` is one of the listed plain types: a scalar (a number, `bool` or `char`), an array of 1 to 16
/// scalars, a tuple of one to four scalars of the same type, a square matrix of scalars with two to four rows (an array
/// of arrays), or `()`.
#[inline]
pub(crate) fn is_plain<T>() -> bool {
    macro_rules! any_of {
        ($($plain:ty)*) => { false $(|| typeid::of::<T>() == TypeId::of::<$plain>())* };
    }
    // `typeid` replaces all lifetimes of a type with `'static`. This makes no difference, because no listed type has a
    // lifetime. `any_of!` is evaluated at compile time.
    any_of!(() u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64 bool char)
        || is_plain_group(typeid::of::<T>(), size_of::<T>())
}

/// Returns `true` if the type with this id and size is one of the arrays, tuples and matrices accepted by [`is_plain`].
#[inline(never)]
fn is_plain_group(id: TypeId, size: usize) -> bool {
    macro_rules! any_of {
        ($($plain:ty)*) => { false $(|| is_plain_group_of::<$plain>(id, size))* };
    }
    any_of!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64 bool char)
}

/// Returns `true` if the type with this id and size is one of the arrays, tuples and matrices accepted by [`is_plain`],
/// with elements of type `P`. None of these types has padding.
fn is_plain_group_of<P: 'static>(id: TypeId, size: usize) -> bool {
    macro_rules! any_of {
        ($($group:ty),*) => { false $(|| id == TypeId::of::<$group>())* };
    }
    if !size.is_multiple_of(size_of::<P>()) {
        return false;
    }
    match size / size_of::<P>() {
        1 => any_of!([P; 1], (P,)),
        2 => any_of!([P; 2], (P, P)),
        3 => any_of!([P; 3], (P, P, P)),
        4 => any_of!([P; 4], (P, P, P, P), [[P; 2]; 2]),
        5 => any_of!([P; 5]),
        6 => any_of!([P; 6]),
        7 => any_of!([P; 7]),
        8 => any_of!([P; 8]),
        9 => any_of!([P; 9], [[P; 3]; 3]),
        10 => any_of!([P; 10]),
        11 => any_of!([P; 11]),
        12 => any_of!([P; 12]),
        13 => any_of!([P; 13]),
        14 => any_of!([P; 14]),
        15 => any_of!([P; 15]),
        16 => any_of!([P; 16], [[P; 4]; 4]),
        _ => false,
    }
}

/// Returns the bytes of `elements`, for reading.
#[inline]
pub(super) fn bytes<T: Copy>(elements: &[T]) -> &[MaybeUninit<u8>] {
    // SAFETY: the result covers the same memory, which is valid for reads. A `MaybeUninit<u8>` may hold any byte,
    // including padding. A `Copy` type has no interior mutability, so the bytes do not change while they are borrowed.
    unsafe { slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// Returns the bytes of `elements`, which may be uninitialized, for writing.
#[inline]
pub(super) fn bytes_mut<T>(elements: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    // SAFETY: the result covers the same memory, which is exclusively borrowed. Any bytes are valid for a
    // `MaybeUninit<T>`.
    unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}

/// Returns `elements` as elements that may be uninitialized, for writing.
///
/// # Safety
///
/// The caller must write only copies of valid elements to the result.
#[inline]
pub(super) unsafe fn as_uninit<T>(elements: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: `MaybeUninit<T>` has the layout of `T`. The caller guarantees that the elements stay valid.
    unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}

/// Returns the bytes of plain elements, for reading. Returns `None` for other types.
#[inline]
pub(super) fn plain_bytes<T>(elements: &[T]) -> Option<&[MaybeUninit<u8>]> {
    // SAFETY: the result covers the same memory, which is valid for reads. A plain type has no interior mutability, so
    // the bytes do not change while they are borrowed.
    is_plain::<T>()
        .then(|| unsafe { slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) })
}

/// Returns the bytes of plain elements, for writing. Returns `None` for other types.
///
/// # Safety
///
/// The caller must write only copies of valid elements to the result.
#[inline]
pub(super) unsafe fn plain_bytes_mut<T>(elements: &mut [T]) -> Option<&mut [MaybeUninit<u8>]> {
    // SAFETY: the result covers the same memory, which is exclusively borrowed. Plain elements have nothing to drop,
    // and the caller keeps them valid.
    is_plain::<T>().then(|| unsafe {
        slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements))
    })
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn only_scalars_and_small_groups_of_scalars_are_plain() {
        #[derive(Clone)]
        #[repr(transparent)]
        struct Meters(#[allow(dead_code)] f32);

        fn borrowed<'a>(_: &'a str) -> bool {
            is_plain::<&'a str>() || is_plain::<[&'a u8; 1]>()
        }
        assert!(is_plain::<f32>() && is_plain::<u8>() && is_plain::<char>() && is_plain::<i128>());
        assert!(is_plain::<[u8; 3]>() && is_plain::<[f32; 4]>() && is_plain::<[bool; 16]>());
        assert!(
            is_plain::<(f64, f64)>() && is_plain::<(u8, u8, u8)>() && is_plain::<[[f32; 4]; 4]>()
        );
        assert!(is_plain::<()>() && !is_plain::<Meters>() && !is_plain::<[Meters; 2]>());
        assert!(!is_plain::<(u8, u32)>() && !is_plain::<[u8; 17]>() && !is_plain::<Option<u8>>());
        assert!(!is_plain::<fn()>() && !is_plain::<*const u8>() && !is_plain::<[f32; 0]>());
        assert!(!borrowed("text"));
    }
}
