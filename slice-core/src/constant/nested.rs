//! Nested arrays (arrays of arrays), whose shape is part of their type.

use super::nest::INNER_LOOPS;
use crate::error::message::nested_too_deeply;

/// The maximum number of axes of a nested array. With at most [`INNER_LOOPS`] axes, copies need no recursion.
pub(crate) const MAX_NESTED_RANK: usize = INNER_LOOPS;

/// A `Copy` type that can be the element type of a nested array: the numeric types, `bool`, `char`, shared references,
/// and your own types.
///
/// Implement this trait for your own type with an empty `impl`. `gather_array` and the other functions for flat buffers
/// do not require this trait, and accept any `Copy` type.
///
/// # Example
///
/// ```
/// use slice_core::{NestedElement, s};
///
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// struct Rgb(u8, u8, u8);
///
/// impl NestedElement for Rgb {}
///
/// const FLAG: [[Rgb; 1]; 2] = [[Rgb(0, 0, 0)], [Rgb(255, 0, 0)]];
/// const FLIPPED: [[Rgb; 1]; 2] = s![::-1].gather_nested(&FLAG);
/// assert_eq!(FLIPPED[0][0], Rgb(255, 0, 0));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a nested array",
    note = "for a `Copy` type of your own, write `impl slice_core::NestedElement for {Self} {{}}`"
)]
pub trait NestedElement: Copy {}

#[diagnostic::do_not_recommend]
impl<T: sealed::Element> NestedElement for T {}

mod sealed {
    /// The numeric types, `bool`, `char` and shared references.
    pub trait Element: Copy {}

    macro_rules! elements {
        ($($scalar:ty)*) => { $(impl Element for $scalar {})* };
    }

    elements!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char);

    impl<T: ?Sized> Element for &T {}

    pub trait Sealed {}

    impl<E: super::NestedElement> Sealed for E {}
    impl<A: super::NestedArray, const N: usize> Sealed for [A; N] {}
}

/// A nested array of [`NestedElement`]s, or a single element. For example, `[[f32; 640]; 480]` has the shape
/// `[480, 640]`. A single element has the shape `[]`.
///
/// # Example
///
/// ```
/// use slice_core::NestedArray;
///
/// assert_eq!(<[[f32; 640]; 480]>::SHAPE, [480, 640]);
/// ```
// INVARIANT: `Self` consists of `LEN` contiguous values of type `Element`, in C order over `SHAPE`. The trait is
// sealed, so only the implementations below exist.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a nested array whose elements implement `slice_core::NestedElement`",
    note = "elements can be numbers, `bool`, `char`, shared references, or your own `Copy` types that implement \
            `slice_core::NestedElement`"
)]
pub trait NestedArray: Copy + sealed::Sealed {
    /// The type of the elements.
    type Element: Copy;

    /// The length of each axis. There are at most 6 axes.
    const SHAPE: &'static [usize];

    /// The number of axes.
    #[doc(hidden)]
    const RANK: usize;

    /// The number of elements.
    #[doc(hidden)]
    const LEN: usize;

    /// `SHAPE`, padded at the end with ones to `MAX_NESTED_RANK` axes.
    #[doc(hidden)]
    const PADDED_SHAPE: [usize; MAX_NESTED_RANK];
}

impl<E: NestedElement> NestedArray for E {
    type Element = E;

    const RANK: usize = 0;
    const SHAPE: &'static [usize] = &[];
    const LEN: usize = 1;
    const PADDED_SHAPE: [usize; MAX_NESTED_RANK] = [1; MAX_NESTED_RANK];
}

impl<A: NestedArray, const N: usize> NestedArray for [A; N] {
    type Element = A::Element;

    const RANK: usize = A::RANK + 1;
    const SHAPE: &'static [usize] = {
        if Self::RANK > MAX_NESTED_RANK {
            nested_too_deeply(Self::RANK, MAX_NESTED_RANK).panic();
        }
        Self::PADDED_SHAPE.split_at(Self::RANK).0
    };
    const LEN: usize = N * A::LEN;
    const PADDED_SHAPE: [usize; MAX_NESTED_RANK] = {
        let mut shape = [N; MAX_NESTED_RANK];
        let mut axis = 1;
        while axis < MAX_NESTED_RANK {
            shape[axis] = A::PADDED_SHAPE[axis - 1];
            axis += 1;
        }
        shape
    };
}
