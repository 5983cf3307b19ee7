//! Functions that the expansion of `s![]` calls to check the type of a bound and to convert the bound to a number.

use core::ops::Neg;

use super::sealed::{Bound, Primitive};
use super::{IndexBound, IntegerBound, RangeBound};
use crate::choice::{FirstChoice, Is, LastChoice, SecondChoice};

/// Wraps a bound as written, before it is converted to a number. The expansion of [`s!`](crate::s!) calls this function.
///
/// The compiler first takes the methods for integers and for types that are not inferred yet, then those for `Option`s of integers,
/// the one for types that implement `Neg`, and last those for all other types, which include type parameters.
#[inline(always)]
pub const fn bound<T>(bound: T) -> FirstChoice<T> {
    FirstChoice::new(bound)
}

impl<T: Primitive> FirstChoice<T> {
    /// Returns an index.
    #[inline(always)]
    pub const fn index_in_s(self) -> T {
        *self.inside()
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn value_in_s(self) -> T {
        *self.inside()
    }

    /// Returns the operand of a minus sign, which the expansion negates.
    #[inline(always)]
    pub const fn negated_in_s(self) -> T {
        *self.inside()
    }

    /// Returns the number and no mask bit (0), because the bound is not omitted.
    #[inline(always)]
    pub const fn or_omitted_in_s(self, _bit: u64) -> (T, u64) {
        (*self.inside(), 0)
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn stride_in_s(self) -> T {
        *self.inside()
    }
}

impl<T: Primitive> FirstChoice<Option<T>> {
    /// Returns the number and no mask bit (0). If the bound is omitted, returns 0 and the mask bit `bit`.
    #[inline(always)]
    pub const fn or_omitted_in_s(&self, bit: u64) -> (T, u64) {
        match *self.inside() {
            Some(bound) => (bound, 0),
            None => (T::ZERO, bit),
        }
    }

    /// Returns the number, or 1 for an omitted step.
    #[inline(always)]
    pub const fn stride_in_s(&self) -> T {
        match *self.inside() {
            Some(step) => step,
            None => T::ONE,
        }
    }
}

macro_rules! references {
    ($($int:ty)*) => { $(
        /// References to signed integers also implement `Neg`, but the result may overflow.
        impl FirstChoice<&$int> {
            /// Returns the operand of a minus sign, which the expansion negates.
            #[inline(always)]
            pub const fn negated_in_s(self) -> $int {
                **self.inside()
            }
        }
    )* };
}

references!(i8 i16 i32 i64 i128 isize);

impl<T: Copy + Neg<Output: IntegerBound>> SecondChoice<T> {
    /// Returns the operand of a minus sign as a number, by negating the result of its `Neg` again.
    #[inline(always)]
    pub fn negated_in_s(&self) -> i128 {
        opposite((-*self.inside()).number().unwrap_or_default())
    }
}

/// The methods for all other types. For a type that is invalid in a bound, the type of the result does not exist, so the
/// compiler reports the trait of which it is a part.
impl<T: ?Sized> LastChoice<T> {
    /// Returns an index.
    #[inline(always)]
    pub fn index_in_s<'x, B: AnIndex + ?Sized + 'x>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        self.inside().itself().or(0)
    }

    /// Returns the number.
    #[inline(always)]
    pub fn value_in_s<'x, B: AnInteger + ?Sized + 'x>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        self.inside().itself().or(0)
    }

    /// Returns the operand of a minus sign, which the expansion negates.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::bound::IndexBound;
    /// use slice_core::{SliceError, s};
    ///
    /// /// Returns the position of the `n`-th element from the end. `-n` is the negation of a type parameter.
    /// fn from_end<T: IndexBound>(len: usize, n: T) -> Result<usize, SliceError> {
    ///     Ok(s![-n].resolve(&[len])?.indices().sum())
    /// }
    /// assert_eq!(from_end(5, 2_u8), Ok(3));
    /// ```
    #[inline(always)]
    pub fn negated_in_s<'x, B: AnInteger + ?Sized + 'x>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        self.inside().itself().or(0)
    }

    /// Returns the number and no mask bit (0). If the bound is omitted, returns 0 and the mask bit `bit`.
    #[inline(always)]
    pub fn or_omitted_in_s<'x, B: ABound + ?Sized + 'x>(&'x self, bit: u64) -> (B::Number, u64)
    where
        &'x T: Is<&'x B>,
    {
        let bound = self.inside().itself();
        (bound.or(0), if bound.is_omitted() { bit } else { 0 })
    }

    /// Returns the number, or 1 for an omitted step.
    #[inline(always)]
    pub fn stride_in_s<'x, B: ABound + ?Sized + 'x>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        self.inside().itself().or(1)
    }
}

macro_rules! valid {
    ($($valid:ident $bound:ident;)*) => { $(
        #[doc = concat!("Types that implement [`", stringify!($bound), "`].")]
        pub trait $valid {
            /// The type of the number.
            type Number;

            /// Returns the number, or `default` if the bound is omitted.
            fn or(&self, default: i128) -> Self::Number;

            /// Returns whether the bound is omitted.
            fn is_omitted(&self) -> bool;
        }

        impl<T: $bound> $valid for T {
            type Number = i128;

            #[inline(always)]
            fn or(&self, default: i128) -> i128 {
                self.number().unwrap_or(default)
            }

            #[inline(always)]
            fn is_omitted(&self) -> bool {
                self.number().is_none()
            }
        }
    )* };
}

valid! {
    AnIndex IndexBound;
    AnInteger IntegerBound;
    ABound RangeBound;
}

/// Returns the negative of a number, or `i128::MAX` if the negative is out of range.
#[inline(always)]
pub const fn opposite(number: i128) -> i128 {
    number.saturating_neg()
}

/// Converts each bound to the nearest `i64`. Called for bounds that are not literals.
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

/// Returns `step`, which must be evaluated at compile time. Compilation fails if the step is zero.
#[track_caller]
pub const fn nonzero_step(step: i128) -> i128 {
    assert!(step != 0, "slice step cannot be zero");
    step
}
