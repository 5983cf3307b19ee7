//! Traits for generic code in which the type of a slice bound is a type parameter. A *bound* is a `begin`, an `end`, a
//! step or an index.
//!
//! | trait | can be used as | types |
//! |---|---|---|
//! | [`RangeBound`] | `n` in `n:`, `:n` and `::n` | every primitive integer type except `u128`, and an `Option` of such a type (`None` omits the bound) |
//! | [`IntegerBound`] | also `n` in `-n:` and in arithmetic such as `n + 1:` | every primitive integer type except `u128` |
//! | [`IndexBound`] | also an index `n` | every primitive integer type except `u128` |
//! | [`ListElement`] | the elements of `rows` in `&rows` | every primitive integer type, and `bool` |
//! | [`List`] | `rows` in `&rows` | Rust slices, arrays and `Vec`s of [`ListElement`]s, nested arrays and ndarray arrays and views of them, [`Nonzero`](crate::Nonzero), and references to all of these |
//!
//! [`IndexBound`] requires [`IntegerBound`], which requires [`RangeBound`]. No other types implement these traits.
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

pub(crate) mod written;

use sealed::Primitive;

// Compiler messages contain these names, which are shorter than those of items in a hidden module.
#[doc(hidden)]
pub use self::written::{ABound, AnIndex, AnInteger};
#[doc(hidden)]
pub use crate::spec::borrowed_item::AList;
pub use crate::spec::list::{List, ListElement};

mod sealed {
    /// The integer types that a bound may have. For these types, the functions that the expansion of `s!` calls are
    /// `const`.
    pub trait Primitive: Copy {
        /// The number 0.
        const ZERO: Self;
        /// The number 1.
        const ONE: Self;
    }

    /// A supertrait that seals the bound traits, because other crates cannot implement it.
    pub trait Bound: Copy {
        /// Returns the number, or `None` if the bound is omitted.
        fn number(self) -> Option<i128>;
    }
}

/// The types that a bound of a range may have: integers, and `Option`s of integers.
///
/// Python equivalent: a bound in `x[begin:end:step]`, where `None` omits the bound.
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
    message = "slice bounds must be integers of a supported type, but this one has type `{Self}`",
    note = "a bound can have any primitive integer type except `u128`, or be an `Option` of such a type, where `None` omits the bound; convert other values first, as in `n as i64` or `*n`"
)]
pub trait RangeBound: sealed::Bound {}

/// The types that a bound may have if it must be an integer, such as the operand of a minus sign.
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
    message = "slice bounds must be integers of a supported type, but this one has type `{Self}`",
    note = "a bound can have any primitive integer type except `u128`; dereference a reference first, as in `-*n`, and convert other values, as in `n as i64`"
)]
pub trait IntegerBound: RangeBound {}

/// The types that an index may have.
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
    message = "indices must be integers of a supported type, but this one has type `{Self}`",
    label = "not an integer; before a list or a mask in a variable, write `&`, as in `&rows`",
    note = "an index can have any primitive integer type except `u128`: convert other values first, as in `n as i64` or `*n`; an `Option` \
            can only be a bound of a range (`n:`)",
    note = "write `&` before a list or a mask even if it is a reference, a range as `r.start:r.end`, and a tuple as `t.0, t.1`",
    note = "pass a slice in a variable without `s![]`, as in `x.at(spec)`; if the items are known only at run time, use \
            `DynSliceSpec::from_items`"
)]
pub trait IndexBound: IntegerBound {}

/// Returns the value of an index.
#[cfg(feature = "py")]
#[inline]
pub(crate) fn number<I: IndexBound>(index: I) -> i128 {
    // Only an `Option` can be `None`, and an `Option` cannot be an index, so the default is never used.
    sealed::Bound::number(index).unwrap_or_default()
}

// With one implementation for all integers, the compiler would report a reference without its own notes, and suggest a second
// reference. The implementations are hidden because the table above lists the types.
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

        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl RangeBound for $int {}

        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl IntegerBound for $int {}

        #[doc(hidden)]
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
