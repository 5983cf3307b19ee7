//! The lists of a slice: positions of any integer type, or a mask.

use alloc::vec::Vec;
use core::panic::RefUnwindSafe;

/// The types of list elements: all primitive integer types, and `bool` for masks.
///
/// ```
/// use slice_core::bound::ListElement;
/// use slice_core::{Selection, SliceError, s};
///
/// /// Selects rows of a table by a list or a mask.
/// fn rows<T: ListElement>(shape: [usize; 2], rows: &[T]) -> Result<Selection, SliceError> {
///     s![&rows, :].resolve(&shape)
/// }
///
/// assert_eq!(rows([3, 4], &[2_u8, 0])?.output_shape(), [2, 4]);
/// assert_eq!(rows([3, 4], &[true, false, false])?.output_shape(), [1, 4]);
/// # Ok::<(), SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a list in a slice must contain integers, or `bool`s as a mask, but this one contains `{Self}`",
    label = "neither integers nor `bool`s",
    note = "the elements may have any primitive integer type, or the type `bool`; convert other values first"
)]
pub trait ListElement: sealed::Sealed {}

/// A list of positions, or a mask, that can be borrowed in a slice, as in `s![&rows]`.
///
/// Implemented for Rust slices and arrays, `Vec`, and ndarray arrays and views with one axis, if the elements have a
/// primitive integer type or the type `bool`. Also implemented for references to these types.
#[diagnostic::on_unimplemented(
    message = "a list in a slice must be a Rust slice, an array, a `Vec` or an ndarray array with one axis, but this one is `{Self}`",
    label = "not a one-dimensional list of positions or a mask",
    note = "for a single index, omit the `&`; for a list with several axes, flatten it and reshape the result",
    note = "arrays of another version of ndarray are of other types: slice-core needs ndarray 0.17"
)]
pub trait List {
    /// Borrows the list.
    #[doc(hidden)]
    fn borrowed(&self) -> ListRef<'_>;
}

pub(crate) mod sealed {
    use core::panic::RefUnwindSafe;

    use super::{ListRef, OwnedList};

    /// A supertrait that other crates cannot implement, which seals [`ListElement`](super::ListElement).
    pub trait Sealed: Copy + Sync + RefUnwindSafe + 'static {
        /// Borrows `elements` as a list.
        fn list(elements: &[Self]) -> ListRef<'_>;

        /// Copies `elements` to a list.
        fn owned(elements: impl Iterator<Item = Self>) -> OwnedList;
    }
}

impl<T: ListElement> List for [T] {
    #[inline]
    fn borrowed(&self) -> ListRef<'_> {
        T::list(self)
    }
}

impl<T: ListElement, const N: usize> List for [T; N] {
    #[inline]
    fn borrowed(&self) -> ListRef<'_> {
        T::list(self)
    }
}

impl<T: ListElement> List for Vec<T> {
    #[inline]
    fn borrowed(&self) -> ListRef<'_> {
        T::list(self)
    }
}

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> List for &L {
    #[inline]
    fn borrowed(&self) -> ListRef<'_> {
        L::borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> List for &mut L {
    #[inline]
    fn borrowed(&self) -> ListRef<'_> {
        L::borrowed(self)
    }
}

/// A list whose elements are not contiguous in memory.
pub trait Scattered: Sync + RefUnwindSafe {
    /// Copies all elements.
    fn to_owned(&self) -> OwnedList;
}

/// A list that owns its elements.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OwnedList {
    /// Positions as written. A number outside the range of `i64` becomes the nearest `i64`, which is also out of bounds
    /// for every axis.
    Positions(Vec<i64>),
    /// A mask, with `true` for each selected position.
    Mask(Vec<bool>),
}

/// The error for a list whose elements a `const fn` cannot read.
const NOT_CONSTANT: &str = "the elements of this list are not contiguous in memory: resolve the slice instead, or copy the list";

macro_rules! lists {
    ($($Variant:ident $int:ty)*) => {
        /// A borrowed list in a slice. Public only because the hidden method [`List::borrowed`] returns it.
        #[derive(Clone, Copy)]
        pub enum ListRef<'a> {
            $(
                /// Positions.
                $Variant(&'a [$int]),
            )*
            /// A mask.
            Mask(&'a [bool]),
            /// Positions or a mask that are not contiguous in memory.
            Scattered(&'a dyn Scattered),
        }

        $(
            impl sealed::Sealed for $int {
                fn list(elements: &[Self]) -> ListRef<'_> {
                    ListRef::$Variant(elements)
                }

                fn owned(elements: impl Iterator<Item = Self>) -> OwnedList {
                    OwnedList::Positions(elements.map(Position::nearest).collect())
                }
            }

            #[diagnostic::do_not_recommend]
            impl ListElement for $int {}
        )*

        impl ListRef<'_> {
            /// Returns the number of elements.
            pub(crate) const fn len(self) -> usize {
                match self {
                    $( ListRef::$Variant(list) => list.len(), )*
                    ListRef::Mask(mask) => mask.len(),
                    ListRef::Scattered(_) => panic!("{}", NOT_CONSTANT),
                }
            }

            /// Returns the position at `place`, as written. A position above `i128::MAX` becomes `i128::MAX`.
            pub(crate) const fn number(self, place: usize) -> i128 {
                match self {
                    ListRef::U128(list) if list[place] > i128::MAX as u128 => i128::MAX,
                    $( ListRef::$Variant(list) => list[place] as i128, )*
                    ListRef::Mask(_) | ListRef::Scattered(_) => panic!("{}", NOT_CONSTANT),
                }
            }
        }
    };
}

lists! {
    I8 i8 I16 i16 I32 i32 I64 i64 I128 i128 Isize isize
    U8 u8 U16 u16 U32 u32 U64 u64 U128 u128 Usize usize
}

/// Evaluates `$result` with the positions of a list, which is compiled once for each integer type, `$on_mask` with a
/// mask, or `$on_scattered` with a list that is not contiguous.
macro_rules! with_list {
    ($list:expr, $positions:ident => $result:expr, $mask:ident => $on_mask:expr, $scattered:ident => $on_scattered:expr) => {
        with_list!(
            @ $list, $positions => $result, $mask => $on_mask, $scattered => $on_scattered,
            I8 I16 I32 I64 I128 Isize U8 U16 U32 U64 U128 Usize
        )
    };
    (@ $list:expr, $positions:ident => $result:expr, $mask:ident => $on_mask:expr, $scattered:ident => $on_scattered:expr,
     $($Variant:ident)*) => {
        match $list {
            $( $crate::spec::list::ListRef::$Variant($positions) => $result, )*
            $crate::spec::list::ListRef::Mask($mask) => $on_mask,
            $crate::spec::list::ListRef::Scattered($scattered) => $on_scattered,
        }
    };
}
pub(crate) use with_list;

impl ListRef<'_> {
    /// Returns a copy that owns its elements.
    pub(crate) fn to_owned(self) -> OwnedList {
        match self {
            ListRef::Mask(mask) => OwnedList::Mask(mask.to_vec()),
            ListRef::Scattered(list) => list.to_owned(),
            list => OwnedList::Positions(list.nearest()),
        }
    }

    /// Returns the `i64` nearest to each position. This function is compiled once, not once for each integer type.
    pub(crate) fn nearest(self) -> Vec<i64> {
        let nearest = |place| self.number(place).nearest();
        (0..self.len()).map(nearest).collect()
    }
}

impl sealed::Sealed for bool {
    fn list(elements: &[Self]) -> ListRef<'_> {
        ListRef::Mask(elements)
    }

    fn owned(elements: impl Iterator<Item = Self>) -> OwnedList {
        OwnedList::Mask(elements.collect())
    }
}

#[diagnostic::do_not_recommend]
impl ListElement for bool {}

/// An element of a list of positions.
pub(crate) trait Position: Copy {
    /// Returns the nearest `i64`. The rounding changes no result, because no axis has more than `i64::MAX` positions.
    fn nearest(self) -> i64;
}

macro_rules! positions {
    ($($int:ty)*) => { $(
        impl Position for $int {
            #[inline(always)]
            fn nearest(self) -> i64 {
                match i64::try_from(self) {
                    Ok(position) => position,
                    #[allow(unused_comparisons, reason = "the comparison is for signed types")]
                    Err(_) => if self < 0 { i64::MIN } else { i64::MAX },
                }
            }
        }
    )* };
}

positions! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }

impl OwnedList {
    /// Borrows the list.
    pub(crate) fn borrowed(&self) -> ListRef<'_> {
        match self {
            OwnedList::Positions(positions) => ListRef::I64(positions),
            OwnedList::Mask(mask) => ListRef::Mask(mask),
        }
    }
}
