//! What the expansion of `s![]` and slice-zarr call. Not part of the API.

use core::marker::PhantomData;
use core::ops::{Deref, Neg};

pub use crate::__expression as expression;
pub use crate::copy::new_memory::huge_pages;
#[cfg(feature = "ndarray")]
pub use crate::ndarray::py;
#[cfg(feature = "ndarray")]
pub use slice_macro::__py_in;
pub use slice_macro::{__named_in, __s_in};

/// An expression in a macro of its own, so that a syntax error in it stays there.
#[doc(hidden)]
#[macro_export]
macro_rules! __expression {
    ($expression:expr) => {
        $expression
    };
}

/// The integer types that a bound may have.
#[diagnostic::on_unimplemented(
    message = "slice bounds must be integers, but this one is `{Self}`",
    label = "not an integer",
    note = "a bound may have any primitive integer type but u128; convert other values first"
)]
pub trait Integer: Copy {
    /// Nothing.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The same number.
    fn widened(self) -> i128;
}

/// [`Integer`], where `Itself` is always the same type.
///
/// What [`integer`] returns is a parameter and not `Self`, so that for any other type it stays unknown, and the
/// compiler reports nothing about its conversion.
#[diagnostic::on_unimplemented(
    message = "slice bounds must be integers, but this one is `{Self}`",
    label = "not an integer",
    note = "a bound may have any primitive integer type but u128; convert other values first"
)]
pub trait IntegerItself<Itself>: Is<Type = Itself> {}

/// The same for an index.
#[diagnostic::on_unimplemented(
    message = "only integers, slices (`:`), ellipsis (`...`) and newaxis (`None`) are valid indices, but this one is `{Self}`",
    label = "not an integer",
    note = "an index may have any primitive integer type but u128; convert other values first",
    note = "for a list or a mask of positions there is ndarray's `select(Axis(n), &[..])`; an `Option` can be a bound of a range, `n:`, but not an index"
)]
pub trait Index<Itself>: Is<Type = Itself> {}

/// The types that a bound of a range may have.
#[diagnostic::on_unimplemented(
    message = "slice bounds must be integers, but this one is `{Self}`",
    label = "not an integer",
    note = "a bound may have any primitive integer type but u128, or be an `Option` of one, of which `None` leaves it out; convert other values first"
)]
pub trait RangeBound {}

/// Type equality.
pub trait Is {
    /// The implementing type.
    type Type;
}

impl<T> Is for T {
    type Type = T;
}

macro_rules! integers {
    ($($int:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Integer for $int {
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn widened(self) -> i128 {
                self as i128
            }
        }

        #[diagnostic::do_not_recommend]
        impl IntegerItself<$int> for $int {}

        #[diagnostic::do_not_recommend]
        impl Index<$int> for $int {}

        #[diagnostic::do_not_recommend]
        impl RangeBound for $int {}
    )* };
}

integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

#[diagnostic::do_not_recommend]
impl<T: Integer> RangeBound for Option<T> {}

const fn same<T>(bound: T) -> <T as Is>::Type {
    bound
}

/// The bound itself, checked to be an integer.
#[inline(always)]
pub const fn integer<T: IntegerItself<Itself>, Itself>(bound: T) -> Itself {
    same(bound)
}

/// The index itself, checked to be an integer.
#[inline(always)]
pub const fn index<T: Index<Itself>, Itself>(index: T) -> Itself {
    same(index)
}

/// A bound of a range.
///
/// Its methods exist more than once, and the compiler takes the first that fits, in this order: by value, on integers
/// and on types that it does not know yet; by reference, on `Option`s; after the first `Deref`, on whatever else the
/// macro accepts; after the second, on everything, so that the only message about a type is that it is wrong.
#[derive(Clone, Copy)]
pub struct WrittenBound<T>(T, Wrong);

/// A bound of a range: an integer, or an `Option` of one.
#[inline(always)]
pub const fn bound<T: RangeBound>(bound: T) -> WrittenBound<T> {
    WrittenBound(bound, Wrong)
}

impl<T: Integer> WrittenBound<T> {
    /// The number, and no bit.
    #[inline(always)]
    pub const fn or_omitted(self, _bit: u64) -> (T, u64) {
        (self.0, 0)
    }

    /// The number.
    #[inline(always)]
    pub const fn stride(self) -> T {
        self.0
    }
}

impl<T: Integer> WrittenBound<Option<T>> {
    /// The number and no bit, or 0 and the bit of the mask that says that it is left out.
    #[inline(always)]
    pub const fn or_omitted(&self, bit: u64) -> (T, u64) {
        match self.0 {
            Some(bound) => (bound, 0),
            None => (T::ZERO, bit),
        }
    }

    /// The number, or 1.
    #[inline(always)]
    pub const fn stride(&self) -> T {
        match self.0 {
            Some(stride) => stride,
            None => T::ONE,
        }
    }
}

impl<T> Deref for WrittenBound<T> {
    type Target = Wrong;

    fn deref(&self) -> &Wrong {
        &self.1
    }
}

/// Replaces a bound whose type is wrong and has been reported.
#[derive(Clone, Copy)]
pub struct Wrong;

impl Wrong {
    /// Some number.
    pub const fn or_omitted(&self, _bit: u64) -> (i128, u64) {
        (0, 0)
    }

    /// Some stride.
    pub const fn stride(&self) -> i128 {
        1
    }
}

/// What follows the minus before a whole bound. For its methods see [`WrittenBound`].
#[derive(Clone, Copy)]
pub struct Operand<T>(Negated<T>);

/// The same, of a type that has a minus of its own, such as a reference.
#[derive(Clone, Copy)]
pub struct Negated<T>(T, Unknown<T>);

/// The same, of a type that has none.
#[derive(Clone, Copy)]
pub struct Unknown<T>(PhantomData<T>);

/// What follows a minus: an integer of any type, or what Rust itself makes an integer of with it.
#[inline(always)]
pub const fn operand<T>(operand: T) -> Operand<T> {
    Operand(Negated(operand, Unknown(PhantomData)))
}

impl<T: Integer> Operand<T> {
    /// The number.
    #[inline(always)]
    pub const fn value(self) -> T {
        self.0.0
    }
}

impl<T> Deref for Operand<T> {
    type Target = Negated<T>;

    #[inline(always)]
    fn deref(&self) -> &Negated<T> {
        &self.0
    }
}

impl<T: Copy + Neg<Output: Integer>> Negated<T> {
    /// The number whose opposite the minus makes.
    #[inline(always)]
    pub fn value(&self) -> i128 {
        opposite((-self.0).widened())
    }
}

impl<T> Deref for Negated<T> {
    type Target = Unknown<T>;

    fn deref(&self) -> &Unknown<T> {
        &self.1
    }
}

impl<T> Unknown<T> {
    /// Some number, after an error about the type.
    pub const fn value(&self) -> i128
    where
        T: Integer,
    {
        0
    }
}

/// The negative of a number; of the one that has none, the nearest.
#[inline(always)]
pub const fn opposite(number: i128) -> i128 {
    number.saturating_neg()
}

/// The nearest `i64` of every bound of a slice that is not a literal.
#[inline(always)]
pub const fn saturate_all<const N: usize>(bounds: [i128; N]) -> [i64; N] {
    let mut saturated = [0; N];
    let mut i = 0;
    while i < N {
        saturated[i] = crate::spec::item::saturate(bounds[i]);
        i += 1;
    }
    saturated
}

/// A stride that is known to the compiler, which stops where it is zero.
#[track_caller]
pub const fn nonzero(stride: i128) -> i128 {
    assert!(stride != 0, "slice step cannot be zero");
    stride
}
