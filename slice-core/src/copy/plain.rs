//! Which types may be cloned by copying their bytes, although all that is known of them is that they are `Clone`.
//!
//! `Clone` gives no leave to copy bytes, and whether a type is `Copy` as well cannot be asked on stable Rust. Whether a
//! type *is* `f32`, however, can be, so that assignments to arrays of numbers run on the byte engine although their
//! bound is `Clone`, as that of ndarray's own `assign` is.

#![expect(unsafe_code)]

use super::bytes::Byte;
use core::any::TypeId;
use core::slice;

/// The bytes of numbers, `bool`s and `char`s, to be read; `None` for other types.
#[inline]
pub(super) fn plain_bytes<T>(elements: &[T]) -> Option<&[Byte]> {
    // SAFETY: the same memory, valid for reads of as many bytes; a `MaybeUninit<u8>` may be any byte.
    is_plain::<T>()
        .then(|| unsafe { slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) })
}

/// The bytes of numbers, `bool`s and `char`s, to be written; `None` for other types.
///
/// The engine writes whole copies of other elements through it, or nothing, so the elements stay valid.
#[inline]
pub(super) fn plain_bytes_mut<T>(elements: &mut [T]) -> Option<&mut [Byte]> {
    // SAFETY: the same memory, exclusively borrowed; the module's callers write only copies of valid elements, which
    // are `Copy` and have nothing to drop.
    is_plain::<T>().then(|| unsafe {
        slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements))
    })
}

/// Whether `T` is a number, `bool` or `char`. The compiler knows the answer.
#[inline]
pub(crate) fn is_plain<T>() -> bool {
    macro_rules! any_of {
        ($($plain:ty)*) => { false $(|| typeid::of::<T>() == TypeId::of::<$plain>())* };
    }
    // For a type with lifetimes, `typeid` is that of the type with all of them replaced by `'static`: still none of these.
    any_of!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64 bool char)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn numbers_are_plain_and_nothing_that_looks_like_one() {
        #[derive(Clone)]
        #[repr(transparent)]
        struct Meters(#[allow(dead_code)] f32);

        fn borrowed<'a>(_: &'a str) -> bool {
            is_plain::<&'a str>() || is_plain::<[&'a u8; 1]>()
        }
        assert!(is_plain::<f32>() && is_plain::<u8>() && is_plain::<char>() && is_plain::<i128>());
        assert!(!is_plain::<Meters>() && !is_plain::<()>() && !is_plain::<[f32; 1]>());
        assert!(!borrowed("text"));
    }
}
