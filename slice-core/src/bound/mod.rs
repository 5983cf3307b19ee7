//! The types of the bounds of a slice, for generic code.
//!
//! | trait | `T` in | types |
//! |---|---|---|
//! | [`RangeBound`] | `n:`, `:n`, `::n` | every primitive integer type but `u128`, and an `Option` of such a type (`None` omits the bound) |
//! | [`IntegerBound`] | also `-n:`, and arithmetic such as `n + 1:` | every primitive integer type but `u128` |
//! | [`IndexBound`] | also `n` | every primitive integer type but `u128` |
//! | [`ListElement`] | the elements of `&rows` | every primitive integer type, and `bool` |
//! | [`List`] | `&rows` itself | Rust slices, arrays and `Vec`s of these elements, and ndarray arrays and views with one axis |
//!
//! [`IndexBound`] requires [`IntegerBound`], which requires [`RangeBound`]. No other type implements these traits.
//! The expansion of `s!` passes each bound to [`range`], [`integer`] or [`index`]. These functions are public because
//! compiler messages name them.
//!
//! ```
//! use slice_core::bound::IndexBound;
//! use slice_core::{SliceError, s};
//!
//! /// Returns the position of `x[row, column]` in a buffer.
//! fn position<T: IndexBound>(shape: [usize; 2], row: T, column: T) -> Result<usize, SliceError> {
//!     let selection = s![row, column].resolve(&shape)?;
//!     Ok(selection.indices().sum())
//! }
//!
//! assert_eq!(position([4, 5], 1_u8, 2)?, 7);
//! assert_eq!(position([4, 5], 3, -1)?, 19);
//! # Ok::<(), SliceError>(())
//! ```

mod written;

use sealed::Primitive;

pub use crate::outer::list::{List, ListElement};
#[doc(hidden)]
pub use crate::outer::list::{ListRef, OwnedList, Scattered};
#[doc(hidden)]
pub use crate::outer::part::OuterPart;
// Compiler messages name these functions and `AfterMinus`.
pub use written::{AfterMinus, index, integer, range};
#[doc(hidden)]
pub use written::{
    Generic, Negated, Operand, WrittenBound, Wrong, list, nonzero, operand, opposite, saturate_all,
};

mod sealed {
    /// The integer types of bounds. For these types, the functions of the expansion are `const`.
    pub trait Primitive: Copy {
        /// The number 0.
        const ZERO: Self;
        /// The number 1.
        const ONE: Self;
    }

    /// A supertrait that other crates cannot implement, which seals the traits of bounds.
    pub trait Bound: Copy {
        /// Returns the number, or `None` if the bound is omitted.
        fn number(self) -> Option<i128>;
    }
}

/// The types of a bound of a range: integers, and `Option`s of integers.
///
/// Python equivalent: a bound in `x[begin:end:step]`, where `None` leaves the bound out.
///
/// ```
/// use slice_core::bound::RangeBound;
/// use slice_core::{SliceError, s};
///
/// /// Returns the number of elements of `x[:n]`.
/// fn head<T: RangeBound>(len: usize, n: T) -> Result<usize, SliceError> {
///     Ok(s![:n].resolve(&[len])?.len())
/// }
///
/// assert_eq!(head(5, 3_u8)?, 3);
/// assert_eq!(head(5, -1)?, 4);
/// assert_eq!(head(5, None::<i64>)?, 5);
/// # Ok::<(), SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "slice bounds must be integers, but this one is `{Self}`",
    label = "not an integer",
    note = "a bound may have any primitive integer type but u128, or be an `Option` of one, whose `None` omits the bound; convert other values first, `n as i64`"
)]
pub trait RangeBound: sealed::Bound {}

/// The types of a bound that is always an integer, such as a bound with a minus before it.
///
/// Python equivalent: `n` in `x[-n:]`.
///
/// ```
/// use slice_core::bound::IntegerBound;
/// use slice_core::{SliceError, s};
///
/// /// Returns the first of the last `n` positions.
/// fn tail<T: IntegerBound>(len: usize, n: T) -> Result<Option<usize>, SliceError> {
///     Ok(s![-n:].resolve(&[len])?.indices().next())
/// }
///
/// assert_eq!(tail(5, 2_usize)?, Some(3));
/// # Ok::<(), SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "slice bounds must be integers, but this one is `{Self}`",
    label = "not an integer",
    note = "a bound may have any primitive integer type but u128; convert other values first, `n as i64`"
)]
pub trait IntegerBound: RangeBound {}

/// The types of an index.
///
/// Python equivalent: `i` and `j` in `x[i, j]`.
///
/// ```
/// use slice_core::bound::IndexBound;
/// use slice_core::{SliceError, s};
///
/// /// Returns the positions of column `n`.
/// fn column<T: IndexBound>(shape: [usize; 2], n: T) -> Result<Vec<usize>, SliceError> {
///     Ok(s![:, n].resolve(&shape)?.indices().collect())
/// }
///
/// assert_eq!(column([2, 3], -1)?, [2, 5]);
/// # Ok::<(), SliceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "only integers, slices (`:`), ellipsis (`...`) and newaxis (`None`) are valid indices, but this one is `{Self}`",
    label = "not an integer",
    note = "an index may have any primitive integer type but u128; convert other values first, `n as i64`",
    note = "for a list or a mask write a reference, `&rows`, for a range `r.start:r.end`, for a tuple `t.0, t.1`; an `Option` can be a bound of a range, `n:`, but not an index",
    note = "a slice in a variable is an argument by itself, `x.at(spec)`; for items that are not known now write `DynSliceSpec::from_items`"
)]
pub trait IndexBound: IntegerBound {}

/// Returns the number of an index.
#[cfg(feature = "py")]
#[inline]
pub(crate) fn number<I: IndexBound>(index: I) -> i128 {
    // Only an `Option` can be `None`, and an `Option` cannot be an index.
    sealed::Bound::number(index).unwrap_or_default()
}

macro_rules! integers {
    ($($int:ty)*) => { $(
        impl Primitive for $int {
            const ZERO: Self = 0;
            const ONE: Self = 1;
        }

        impl sealed::Bound for $int {
            #[inline(always)]
            fn number(self) -> Option<i128> {
                Some(self as i128)
            }
        }

        #[diagnostic::do_not_recommend]
        impl RangeBound for $int {}

        #[diagnostic::do_not_recommend]
        impl IntegerBound for $int {}

        #[diagnostic::do_not_recommend]
        impl IndexBound for $int {}
    )* };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

impl<T: IntegerBound> sealed::Bound for Option<T> {
    #[inline(always)]
    fn number(self) -> Option<i128> {
        self.and_then(sealed::Bound::number)
    }
}

#[diagnostic::do_not_recommend]
impl<T: IntegerBound> RangeBound for Option<T> {}
