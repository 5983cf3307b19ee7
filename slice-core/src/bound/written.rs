//! Functions that the expansion of `s![]` calls to check the type of a bound and to convert the bound to a number.

use core::ops::Neg;

use super::sealed::{Bound, Primitive};
use super::{IndexBound, IntegerBound, RangeBound};

/// Lets the first type of each pair dereference to the second, so that the compiler finds a method of the first type before a
/// method of the second type.
macro_rules! derefs {
    ($([$($generics:tt)*] $First:ty => $Second:ty;)*) => { $(
        #[doc(hidden)]
        impl<$($generics)*> core::ops::Deref for $First {
            type Target = $Second;

            #[inline(always)]
            fn deref(&self) -> &$Second {
                &self.0
            }
        }
    )* };
}
#[cfg(feature = "py")]
pub(crate) use derefs;

derefs! {
    [T: ?Sized] WrittenBound<T> => GenericBound<T>;
    [T: ?Sized] GenericBound<T> => InvalidType<T>;
    [T] Operand<T> => Negated<T>;
    [T] Negated<T> => AfterMinus<T>;
    [T] AfterMinus<T> => InvalidType<T>;
}

/// A bound as written, before it is converted to a number.
///
/// Each method has several implementations. The compiler chooses the first applicable one, in this order:
///
/// 1. the method with `self` by value, for integers and for types that are not inferred yet;
/// 2. the method with `self` by reference, for `Option`s;
/// 3. the method found after one `Deref`, for type parameters;
/// 4. the method found after two `Deref`s, for all types. The type of its result does not exist for an invalid type, so the
///    compiler reports the trait of which it is a part.
#[derive(Clone, Copy)]
pub struct WrittenBound<T: ?Sized>(GenericBound<T>);

/// A bound whose type is a parameter of the caller's generic function.
#[derive(Clone, Copy)]
pub struct GenericBound<T: ?Sized>(InvalidType<T>);

/// A bound of an invalid type, which the compiler reports.
#[derive(Clone, Copy)]
pub struct InvalidType<T: ?Sized>(T);

/// Wraps a bound. The expansion of [`s!`](crate::s!) calls this function.
#[inline(always)]
pub const fn bound<T>(bound: T) -> WrittenBound<T> {
    WrittenBound(GenericBound(InvalidType(bound)))
}

impl<T: Primitive> WrittenBound<T> {
    /// Returns an index.
    #[inline(always)]
    pub const fn index_in_s(self) -> T {
        self.0.0.0
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn value_in_s(self) -> T {
        self.0.0.0
    }

    /// Returns the number and no mask bit (0), because the bound is not omitted.
    #[inline(always)]
    pub const fn or_omitted_in_s(self, _bit: u64) -> (T, u64) {
        (self.0.0.0, 0)
    }

    /// Returns the number.
    #[inline(always)]
    pub const fn stride_in_s(self) -> T {
        self.0.0.0
    }
}

impl<T: Primitive> WrittenBound<Option<T>> {
    /// Returns the number and no mask bit (0). If the bound is omitted, returns 0 and the mask bit `bit`.
    #[inline(always)]
    pub const fn or_omitted_in_s(&self, bit: u64) -> (T, u64) {
        match self.0.0.0 {
            Some(bound) => (bound, 0),
            None => (T::ZERO, bit),
        }
    }

    /// Returns the number, or 1 for an omitted step.
    #[inline(always)]
    pub const fn stride_in_s(&self) -> T {
        match self.0.0.0 {
            Some(step) => step,
            None => T::ONE,
        }
    }
}

impl<T: IndexBound> GenericBound<T> {
    /// Returns an index.
    #[inline(always)]
    pub fn index_in_s(&self) -> i128 {
        self.value_in_s()
    }
}

impl<T: IntegerBound> GenericBound<T> {
    /// Returns the number. A number always exists, because only an `Option` can be `None`, and no `Option` is an
    /// `IntegerBound`.
    #[inline(always)]
    pub fn value_in_s(&self) -> i128 {
        self.0.0.number().unwrap_or_default()
    }
}

impl<T: RangeBound> GenericBound<T> {
    /// Returns the number and no mask bit (0). If the bound is omitted, returns 0 and the mask bit `bit`.
    #[inline(always)]
    pub fn or_omitted_in_s(&self, bit: u64) -> (i128, u64) {
        match self.0.0.number() {
            Some(bound) => (bound, 0),
            None => (0, bit),
        }
    }

    /// Returns the number, or 1 for an omitted step.
    #[inline(always)]
    pub fn stride_in_s(&self) -> i128 {
        self.0.0.number().unwrap_or(1)
    }
}

/// A program that calls these methods does not compile, because the compiler reports the invalid type of the bound.
impl<T: ?Sized> InvalidType<T> {
    /// Never called.
    pub fn index_in_s<'x, B: AnIndex<Out> + ?Sized + 'x, Out>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        unreachable!("a bound of an invalid type does not compile")
    }

    /// Never called.
    pub fn value_in_s<'x, B: AnInteger<Out> + ?Sized + 'x, Out>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        unreachable!("a bound of an invalid type does not compile")
    }

    /// Never called.
    pub fn or_omitted_in_s<'x, B: ABound<Out> + ?Sized + 'x, Out>(
        &'x self,
        _bit: u64,
    ) -> (B::Number, u64)
    where
        &'x T: Is<&'x B>,
    {
        unreachable!("a bound of an invalid type does not compile")
    }

    /// Never called.
    pub fn stride_in_s<'x, B: ABound<Out> + ?Sized + 'x, Out>(&'x self) -> B::Number
    where
        &'x T: Is<&'x B>,
    {
        unreachable!("a bound of an invalid type does not compile")
    }
}

macro_rules! valid {
    ($($valid:ident $bound:ident;)*) => { $(
        #[doc = concat!("Types that implement [`", stringify!($bound), "`]. The parameter `Out` stays unknown.")]
        pub trait $valid<Out> {
            /// The type of the number.
            type Number;
        }

        impl<T: $bound, Out> $valid<Out> for T {
            type Number = Out;
        }
    )* };
}

valid! {
    AnIndex IndexBound;
    AnInteger IntegerBound;
    ABound RangeBound;
}

/// The equality of two types: each type `T` implements only `Is<T>`. If a method has the bounds `T: Is<S>` and
/// `S: RangeBound`, the compiler finds the method for every `T`, and checks [`RangeBound`] only afterwards. If that trait is
/// not implemented, the compiler prints the trait's message instead of reporting a missing method.
pub trait Is<T> {
    /// Returns the value itself.
    fn itself(self) -> T;
}

impl<T> Is<T> for T {
    #[inline]
    fn itself(self) -> T {
        self
    }
}

/// The operand of a minus sign that applies to a whole bound, such as `n` in `-n:`. The compiler chooses its methods in
/// the same order as for [`WrittenBound`].
#[derive(Clone, Copy)]
pub struct Operand<T>(Negated<T>);

/// An operand of a type that implements `Neg`, such as a reference to an integer.
#[derive(Clone, Copy)]
pub struct Negated<T>(AfterMinus<T>);

/// An operand whose type is a parameter of the caller's generic function.
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
#[derive(Clone, Copy)]
pub struct AfterMinus<T>(InvalidType<T>);

/// Wraps the operand of a minus sign: an integer of any type, or a value whose `Neg` returns an integer.
#[inline(always)]
pub const fn operand<T>(operand: T) -> Operand<T> {
    Operand(Negated(AfterMinus(InvalidType(operand))))
}

impl<T: Primitive> Operand<T> {
    /// Returns the number.
    #[inline(always)]
    pub const fn value_in_s(self) -> T {
        self.0.0.0.0
    }
}

impl<T: Copy + Neg<Output: IntegerBound>> Negated<T> {
    /// Returns the operand as a number, by negating the result of its `Neg` again.
    #[inline(always)]
    pub fn value_in_s(&self) -> i128 {
        opposite((-self.0.0.0).number().unwrap_or_default())
    }
}

impl<T: IntegerBound> AfterMinus<T> {
    /// Returns the operand as a number.
    #[inline(always)]
    pub fn value_in_s(&self) -> i128 {
        self.0.0.number().unwrap_or_default()
    }
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
