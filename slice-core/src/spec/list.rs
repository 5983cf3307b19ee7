//! The lists of a slice: positions of any integer type, or a mask. A list can have several axes.

use alloc::vec::Vec;
#[cfg(feature = "ndarray")]
use core::ops::Range;
use core::panic::RefUnwindSafe;

use smallvec::SmallVec;

use crate::spec::kind;

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
    note = "the elements may have any primitive integer type, or the type `bool`; convert other values first, and split pairs into two \
            lists, as in `let (rows, columns): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();`"
)]
pub trait ListElement: sealed::Sealed {
    /// The kind of a list with `RANK` axes.
    #[doc(hidden)]
    type Kind<const RANK: usize>;

    /// The rank of a list of positions with `RANK` axes.
    #[doc(hidden)]
    type Rank<const RANK: usize>;
}

/// A list of positions, or a mask, that can be borrowed in a slice, as in `s![&rows]`.
///
/// Implemented for Rust slices and `Vec`, Rust arrays that are nested up to six levels deep, and ndarray arrays and views
/// with up to six axes or a dynamic rank, if the elements have a primitive integer type or the type `bool`. Also implemented
/// for [`Nonzero`](crate::Nonzero), and for references to these types.
///
/// # Example
///
/// ```
/// use slice_core::bound::List;
/// use slice_core::kind;
/// use slice_core::{SliceError, s};
///
/// /// Returns the rows at the positions in `rows`, of a buffer with rows of two elements.
/// fn rows<L: List<Kind = kind::List>>(data: &[i32], rows: &L) -> Result<Vec<i32>, SliceError> {
///     s![&rows].resolve(&[data.len() / 2, 2])?.gather(data)
/// }
/// assert_eq!(rows(&[1, 2, 3, 4, 5, 6], &[2, 0])?, [5, 6, 1, 2]);
/// assert_eq!(rows(&[1, 2, 3, 4, 5, 6], &vec![false, true, false])?, [3, 4]);
/// # Ok::<(), SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a list of integers nor a mask of `bool`s",
    note = "a list is a Rust slice, an array, a `Vec` or an ndarray array of integers or `bool`s",
    note = "for a single index, write `*n` if `n` is a reference, `n as i64` if it is a float or a `u128`, and no `&` in `s![]`; unwrap \
            an `Option`, and write a tuple as `t.0, t.1`",
    note = "for a slice, write a range with a colon, as in `r.start:r.end`, and parse text with `text.parse::<DynSliceSpec>()?`"
)]
pub trait List {
    /// The [kind](crate::kind) of the item.
    #[doc(hidden)]
    type Kind;

    /// The rank of a list of positions, as a type.
    #[doc(hidden)]
    type Rank;

    /// Borrows the list.
    #[doc(hidden)]
    fn borrowed(&self) -> ListArray<'_>;
}

/// The rank of a list of positions. A mask has none, because it cannot be one of the lists of points.
#[diagnostic::on_unimplemented(
    message = "the lists in `zip` must contain integers, but this one is a mask",
    label = "a mask",
    note = "write the mask as an item of its own, or the positions at which it is true; convert an array of dynamic rank with \
            `into_dimensionality`"
)]
pub trait IsRank {}

#[doc(hidden)]
impl<const N: usize> IsRank for kind::Rank<N> {}

/// Takes the place of the rank of a mask with `N` axes, or, if `N` is 0, of a list without a constant rank.
#[derive(Clone, Copy, Debug)]
pub enum NotPositions<const N: usize = 0> {}

/// A borrowed list and its shape. Public only because the hidden method [`List::borrowed`] returns it, and because `s![]`
/// expands to a struct literal.
#[derive(Clone, Copy)]
pub struct ListArray<'a> {
    /// The elements in C order.
    #[doc(hidden)]
    pub __elements: ListRef<'a>,
    /// The shape, or `None` if the list has one axis.
    #[doc(hidden)]
    pub __shape: Option<&'a [usize]>,
}

impl<'a> ListArray<'a> {
    /// Creates a list with one axis.
    pub(crate) const fn one_axis(elements: ListRef<'a>) -> Self {
        ListArray {
            __elements: elements,
            __shape: None,
        }
    }

    pub(crate) const fn elements(self) -> ListRef<'a> {
        self.__elements
    }

    /// Returns the number of axes.
    pub(crate) const fn rank(self) -> usize {
        match self.__shape {
            Some(shape) => shape.len(),
            None => 1,
        }
    }

    /// Returns the shape of a list with `len` elements.
    pub(crate) fn shape_of(self, len: usize) -> SmallVec<[usize; 2]> {
        SmallVec::from_slice(self.__shape.unwrap_or(&[len]))
    }

    /// Returns the number of input axes to which the list applies by itself.
    pub(crate) fn input_axes(self) -> usize {
        match self.__elements {
            ListRef::Columns(columns) => columns.len(),
            elements if elements.is_mask() => self.rank(),
            _ => 1,
        }
    }
}

pub(crate) mod sealed {
    use core::panic::RefUnwindSafe;

    use super::{ListRef, OwnedList};

    /// The primitive integer types.
    pub trait Integer: Copy + Sync + RefUnwindSafe + 'static {
        /// Borrows `elements` as a list.
        fn list(elements: &[Self]) -> ListRef<'_>;

        /// Returns the nearest `i64`. The rounding changes no result, because no axis has more than `i64::MAX` positions.
        fn nearest(self) -> i64;
    }

    /// A supertrait that other crates cannot implement, which seals [`ListElement`](super::ListElement).
    pub trait Sealed: Copy + Sync + RefUnwindSafe + 'static {
        /// Whether a list of such elements is a mask.
        const IS_MASK: bool;

        /// Borrows `elements` as a list.
        fn list(elements: &[Self]) -> ListRef<'_>;

        /// Copies `elements` to a list.
        fn owned(elements: impl Iterator<Item = Self>) -> OwnedList;
    }
}

#[diagnostic::do_not_recommend]
impl<T: ListElement> List for [T] {
    type Kind = T::Kind<1>;
    type Rank = T::Rank<1>;

    #[inline]
    fn borrowed(&self) -> ListArray<'_> {
        ListArray::one_axis(T::list(self))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ListElement> List for Vec<T> {
    type Kind = T::Kind<1>;
    type Rank = T::Rank<1>;

    #[inline]
    fn borrowed(&self) -> ListArray<'_> {
        ListArray::one_axis(T::list(self))
    }
}

/// Implements [`List`] for nested arrays of each depth. The arguments are the rank, the lengths (beginning with the
/// outermost array), the type, and the methods that flatten the array.
macro_rules! nested {
    ($($rank:literal [$($n:ident)*] $type:ty, $($flatten:ident)*;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<T: ListElement, $(const $n: usize),*> List for $type {
            type Kind = T::Kind<$rank>;
            type Rank = T::Rank<$rank>;

            #[inline]
            fn borrowed(&self) -> ListArray<'_> {
                ListArray {
                    __elements: T::list(self.as_slice()$(.$flatten())*),
                    __shape: Some(const { &[$($n),*] }),
                }
            }
        }
    )* };
}

nested! {
    1 [L] [T; L],;
    2 [L M] [[T; M]; L], as_flattened;
    3 [L M N] [[[T; N]; M]; L], as_flattened as_flattened;
    4 [L M N O] [[[[T; O]; N]; M]; L], as_flattened as_flattened as_flattened;
    5 [L M N O P] [[[[[T; P]; O]; N]; M]; L], as_flattened as_flattened as_flattened as_flattened;
    6 [L M N O P Q] [[[[[[T; Q]; P]; O]; N]; M]; L], as_flattened as_flattened as_flattened as_flattened as_flattened;
}

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> List for &L {
    type Kind = L::Kind;
    type Rank = L::Rank;

    #[inline]
    fn borrowed(&self) -> ListArray<'_> {
        L::borrowed(self)
    }
}

#[diagnostic::do_not_recommend]
impl<L: List + ?Sized> List for &mut L {
    type Kind = L::Kind;
    type Rank = L::Rank;

    #[inline]
    fn borrowed(&self) -> ListArray<'_> {
        L::borrowed(self)
    }
}

/// A list whose elements are not contiguous in memory.
pub trait Scattered: Sync + RefUnwindSafe {
    /// Returns `true` if the list is a mask.
    fn is_mask(&self) -> bool;

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
            /// Points, with a list of positions for each axis. The lists have the same length.
            Columns(&'a [Vec<usize>]),
        }

        $(
            #[diagnostic::do_not_recommend]
            impl sealed::Integer for $int {
                #[inline]
                fn list(elements: &[Self]) -> ListRef<'_> {
                    ListRef::$Variant(elements)
                }

                #[inline(always)]
                fn nearest(self) -> i64 {
                    match i64::try_from(self) {
                        Ok(position) => position,
                        #[allow(unused_comparisons, reason = "the comparison is for signed types")]
                        Err(_) => if self < 0 { i64::MIN } else { i64::MAX },
                    }
                }
            }
        )*

        impl ListRef<'_> {
            /// Returns `true` if the list is a mask.
            pub(crate) fn is_mask(self) -> bool {
                match self {
                    ListRef::Mask(_) => true,
                    ListRef::Scattered(list) => list.is_mask(),
                    _ => false,
                }
            }

            /// Returns the number of elements.
            pub(crate) const fn len(self) -> usize {
                match self {
                    $( ListRef::$Variant(list) => list.len(), )*
                    ListRef::Mask(mask) => mask.len(),
                    ListRef::Scattered(_) | ListRef::Columns(_) => panic!("{}", NOT_CONSTANT),
                }
            }

            /// Returns the position at `place`, as written. A position above `i128::MAX` becomes `i128::MAX`.
            pub(crate) const fn number(self, place: usize) -> i128 {
                match self {
                    ListRef::U128(list) if list[place] > i128::MAX as u128 => i128::MAX,
                    $( ListRef::$Variant(list) => list[place] as i128, )*
                    ListRef::Mask(_) | ListRef::Scattered(_) | ListRef::Columns(_) => panic!("{}", NOT_CONSTANT),
                }
            }
        }
    };
}

lists! {
    I8 i8 I16 i16 I32 i32 I64 i64 I128 i128 Isize isize
    U8 u8 U16 u16 U32 u32 U64 u64 U128 u128 Usize usize
}

/// Evaluates `$result` with the positions of a list, which is compiled once for each integer type, or `$otherwise` with a
/// mask, or with a list that is not contiguous.
macro_rules! with_list {
    ($list:expr, $positions:ident => $result:expr, $otherwise:expr) => {
        with_list!(
            @ $list, $positions => $result, $otherwise, I8 I16 I32 I64 I128 Isize U8 U16 U32 U64 U128 Usize
        )
    };
    (@ $list:expr, $positions:ident => $result:expr, $otherwise:expr, $($Variant:ident)*) => {
        match $list {
            $( $crate::spec::list::ListRef::$Variant($positions) => $result, )*
            _ => $otherwise,
        }
    };
}
pub(crate) use with_list;

#[cfg(feature = "ndarray")]
impl ListArray<'_> {
    /// Returns a list of some of the positions, without their shape, or `None` for a mask or a list that is not contiguous.
    pub(crate) fn part(self, places: Range<usize>) -> Option<Self> {
        let part =
            with_list!(self.__elements, list => sealed::Integer::list(&list[places]), return None);
        Some(ListArray::one_axis(part))
    }
}

impl<'a> ListRef<'a> {
    /// Returns the list with contiguous elements. Elements that are not contiguous are copied to `copy`.
    pub(crate) fn contiguous<'c>(self, copy: &'c mut Option<OwnedList>) -> ListRef<'c>
    where
        'a: 'c,
    {
        match self {
            ListRef::Scattered(list) => copy.insert(list.to_owned()).borrowed(),
            list => list,
        }
    }

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
        let nearest = |place| sealed::Integer::nearest(self.number(place));
        (0..self.len()).map(nearest).collect()
    }
}

// One implementation for all integers lets the compiler compute the rank of a result before it has inferred the type of the
// integers.
#[diagnostic::do_not_recommend]
impl<T: sealed::Integer> sealed::Sealed for T {
    const IS_MASK: bool = false;

    fn list(elements: &[Self]) -> ListRef<'_> {
        sealed::Integer::list(elements)
    }

    fn owned(elements: impl Iterator<Item = Self>) -> OwnedList {
        OwnedList::Positions(elements.map(sealed::Integer::nearest).collect())
    }
}

#[diagnostic::do_not_recommend]
impl<T: sealed::Integer> ListElement for T {
    type Kind<const RANK: usize> = kind::List<1, RANK>;
    type Rank<const RANK: usize> = kind::Rank<RANK>;
}

#[diagnostic::do_not_recommend]
impl sealed::Sealed for bool {
    const IS_MASK: bool = true;

    fn list(elements: &[Self]) -> ListRef<'_> {
        ListRef::Mask(elements)
    }

    fn owned(elements: impl Iterator<Item = Self>) -> OwnedList {
        OwnedList::Mask(elements.collect())
    }
}

#[diagnostic::do_not_recommend]
impl ListElement for bool {
    type Kind<const RANK: usize> = kind::List<RANK, 1>;
    type Rank<const RANK: usize> = NotPositions<RANK>;
}

impl OwnedList {
    /// Borrows the list.
    pub(crate) fn borrowed(&self) -> ListRef<'_> {
        match self {
            OwnedList::Positions(positions) => ListRef::I64(positions),
            OwnedList::Mask(mask) => ListRef::Mask(mask),
        }
    }
}
