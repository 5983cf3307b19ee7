//! Comparisons of the elements of arrays. As in NumPy, the result is an array of `bool`.

use ndarray::{Array, ArrayBase, ArrayRef, ArrayView, Data, DimMax, Dimension, Ix0, Zip};

use super::element::{Indexed, OtherIndexed};
use super::place::{OtherPlace, PlaceOperand};
use super::scalar::Scalar;
use super::shapes::common_shape;
use super::sliceable::{IndexableArray, Is};
use super::value::{OtherValue, ValueOperand};

/// Element types that can be on the left of `==` or `!=` if a `T` is on the right.
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` cannot be compared with values of type `{T}`",
    label = "the types do not match",
    note = "both sides must have elements of the same type: for floats, write a number as `2.0`, convert a variable with \
            `n as f64`, or convert an array with `.mapv(|v| v as f64)`"
)]
pub trait Equatable<T: ?Sized> {
    /// Returns `true` if the elements are equal.
    #[doc(hidden)]
    fn equals_in_py(&self, other: &T) -> bool;
}

#[diagnostic::do_not_recommend]
impl<A: PartialEq<T>, T: ?Sized> Equatable<T> for A {
    #[inline]
    fn equals_in_py(&self, other: &T) -> bool {
        self == other
    }
}

/// Element types that can be on the left of `<`, `<=`, `>` or `>=` if a `T` is on the right.
#[diagnostic::on_unimplemented(
    message = "elements of type `{Self}` cannot be compared with values of type `{T}`",
    label = "the types do not match",
    note = "both sides must have elements of the same type: for floats, write a number as `2.0`, convert a variable with \
            `n as f64`, or convert an array with `.mapv(|v| v as f64)`"
)]
pub trait Comparable<T: ?Sized> {
    /// Returns `true` if this element is less than `other`.
    #[doc(hidden)]
    fn lt_in_py(&self, other: &T) -> bool;
    /// Returns `true` if this element is less than or equal to `other`.
    #[doc(hidden)]
    fn le_in_py(&self, other: &T) -> bool;
    /// Returns `true` if this element is greater than `other`.
    #[doc(hidden)]
    fn gt_in_py(&self, other: &T) -> bool;
    /// Returns `true` if this element is greater than or equal to `other`.
    #[doc(hidden)]
    fn ge_in_py(&self, other: &T) -> bool;
}

#[diagnostic::do_not_recommend]
impl<A: PartialOrd<T>, T: ?Sized> Comparable<T> for A {
    #[inline]
    fn lt_in_py(&self, other: &T) -> bool {
        PartialOrd::lt(self, other)
    }

    #[inline]
    fn le_in_py(&self, other: &T) -> bool {
        PartialOrd::le(self, other)
    }

    #[inline]
    fn gt_in_py(&self, other: &T) -> bool {
        PartialOrd::gt(self, other)
    }

    #[inline]
    fn ge_in_py(&self, other: &T) -> bool {
        PartialOrd::ge(self, other)
    }
}

/// The other operand of a comparison with an array of dimension `D`.
pub trait Comparand<D: Dimension> {
    /// The type of an element.
    #[doc(hidden)]
    type Elem;
    /// The dimension type of the result.
    #[doc(hidden)]
    type Dim: Dimension;

    /// Calls `predicate` with each element of `array` and the element of `self` to compare with it, and returns the
    /// results.
    #[doc(hidden)]
    fn compare_in_py<A>(
        self,
        array: ArrayView<'_, A, D>,
        predicate: impl Fn(&A, &Self::Elem) -> bool,
    ) -> Array<bool, Self::Dim>;
}

impl<T, D: Dimension> Comparand<D> for Scalar<'_, T> {
    type Elem = T;
    type Dim = D;

    fn compare_in_py<A>(
        self,
        array: ArrayView<'_, A, D>,
        predicate: impl Fn(&A, &T) -> bool,
    ) -> Array<bool, D> {
        array.map(|element| predicate(element, self.0))
    }
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        impl<B, $($generics)* D: Dimension + DimMax<E>, E: Dimension> Comparand<D> for &$array {
            type Elem = B;
            type Dim = <D as DimMax<E>>::Output;

            #[track_caller]
            fn compare_in_py<A>(
                self,
                array: ArrayView<'_, A, D>,
                predicate: impl Fn(&A, &B) -> bool,
            ) -> Array<bool, <D as DimMax<E>>::Output> {
                let shape: Self::Dim = common_shape(array.shape(), self.shape());
                let (Some(left), Some(right)) =
                    (array.broadcast(shape.clone()), self.broadcast(shape))
                else {
                    unreachable!("both sides broadcast to their common shape")
                };
                Zip::from(left).and(right).map_collect(predicate)
            }
        }
    )* };
}

arrays! {
    [S: Data<Elem = B>,] ArrayBase<S, E>;
    [] ArrayRef<B, E>;
}

/// A value that can be compared with an array that has the dimension `D` and elements of type `A`. `B` is the type
/// of the value's elements. The compiler reports this trait if `A` cannot be compared with `B`.
#[diagnostic::on_unimplemented(
    message = "elements of type `{A}` cannot be compared with values of type `{B}`",
    label = "the types do not match",
    note = "both sides must have elements of the same type: for floats, write a number as `2.0`, convert a variable with \
            `n as f64`, or convert an array with `.mapv(|v| v as f64)`"
)]
pub trait ComparedWith<D: Dimension, A, B> {
    /// The dimension type of the result.
    #[doc(hidden)]
    type Dim: Dimension;

    /// Applies the operator `sign`, with each element of `array` on the left, and returns the results.
    #[doc(hidden)]
    fn results_in_py(self, array: ArrayView<'_, A, D>, sign: Sign) -> Array<bool, Self::Dim>;
}

/// A comparison operator other than `==` and `!=`.
#[derive(Clone, Copy, Debug)]
pub enum Sign {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}

#[diagnostic::do_not_recommend]
impl<D, A, B, R> ComparedWith<D, A, B> for R
where
    D: Dimension,
    R: Comparand<D, Elem = B>,
    A: Comparable<B>,
{
    type Dim = R::Dim;

    #[track_caller]
    fn results_in_py(self, array: ArrayView<'_, A, D>, sign: Sign) -> Array<bool, R::Dim> {
        match sign {
            Sign::Lt => self.compare_in_py(array, Comparable::lt_in_py),
            Sign::Le => self.compare_in_py(array, Comparable::le_in_py),
            Sign::Gt => self.compare_in_py(array, Comparable::gt_in_py),
            Sign::Ge => self.compare_in_py(array, Comparable::ge_in_py),
        }
    }
}

/// Both sides of a comparison whose left side is an array.
#[derive(Debug)]
pub struct Comparison<L, R>(L, R);

/// Wraps both sides of a comparison.
#[inline]
pub const fn compared<S: Data, D, R>(
    left: &ArrayBase<S, D>,
    right: R,
) -> Comparison<&ArrayBase<S, D>, R> {
    Comparison(left, right)
}

/// Evaluates `left == right` for each element.
#[inline]
#[must_use]
#[track_caller]
pub fn eq<S: Data<Elem: Equatable<R::Elem>>, D: Dimension, R: Comparand<D>>(
    left: &ArrayBase<S, D>,
    right: R,
) -> Array<bool, R::Dim> {
    right.compare_in_py(left.view(), Equatable::equals_in_py)
}

/// Evaluates `left != right` for each element.
#[inline]
#[must_use]
#[track_caller]
pub fn ne<S: Data<Elem: Equatable<R::Elem>>, D: Dimension, R: Comparand<D>>(
    left: &ArrayBase<S, D>,
    right: R,
) -> Array<bool, R::Dim> {
    !eq(left, right)
}

/// The right side of a comparison whose left side is a single value of type `T`. `O` is the operator.
#[diagnostic::on_unimplemented(
    message = "values of type `{T}` cannot be compared with this",
    label = "the types do not match",
    note = "both sides must have elements of the same type: for floats, write a number as `2.0`, convert a variable with \
            `n as f64`, or convert an array with `.mapv(|v| v as f64)`; compare a `Vec` or a Rust array as `aview1(&v)`"
)]
pub trait ScalarComparand<O, T: ?Sized> {
    /// The type of the result: a single `bool`, or an array of `bool`.
    #[doc(hidden)]
    type Output;

    /// Returns the result.
    #[doc(hidden)]
    fn compared_with_in_py(self, left: &T) -> Self::Output;
}

/// The result of a comparison of two values.
pub trait Compare<T: ?Sized, R: ?Sized> {
    /// Returns the result.
    fn compare(left: &T, right: &R) -> bool;
}

#[diagnostic::do_not_recommend]
impl<O: Compare<T, R>, T: ?Sized, R: ?Sized> ScalarComparand<O, T> for Scalar<'_, R> {
    type Output = bool;

    #[inline]
    fn compared_with_in_py(self, left: &T) -> bool {
        O::compare(left, self.0)
    }
}

macro_rules! arrays_on_the_right {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<O: Compare<T, A>, T, A, $($generics)* D: Dimension> ScalarComparand<O, T> for &$array {
            type Output = Array<bool, D>;

            fn compared_with_in_py(self, left: &T) -> Array<bool, D> {
                self.map(|right| O::compare(left, right))
            }
        }
    )* };
}

arrays_on_the_right! {
    [S: Data<Elem = A>,] ArrayBase<S, D>;
    [] ArrayRef<A, D>;
}

macro_rules! scalar_on_the_left {
    ($($name:ident $bound:ident $method:ident $function:ident;)*) => { $(
        #[doc = concat!("The operator of `", stringify!($function), "`.")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl<T: $bound<R> + ?Sized, R: ?Sized> Compare<T, R> for $name {
            #[inline]
            fn compare(left: &T, right: &R) -> bool {
                left.$function(right)
            }
        }

        #[doc(hidden)]
        impl<T: ?Sized> OtherPlace<&T> {
            /// Compares a single value with a value or an array.
            #[inline]
            #[must_use]
            pub fn $method<R: ScalarComparand<$name, T>>(&self, right: R) -> R::Output {
                right.compared_with_in_py(self.get())
            }
        }

        #[doc(hidden)]
        impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
            /// Compares a single element with a value or an array.
            #[inline]
            #[must_use]
            pub fn $method<R: ScalarComparand<$name, A>>(&self, right: R) -> R::Output {
                right.compared_with_in_py(self.compared_in_py().0)
            }
        }
    )* };
}

scalar_on_the_left! {
    Lt PartialOrd lt_in_py lt;
    Le PartialOrd le_in_py le;
    Gt PartialOrd gt_in_py gt;
    Ge PartialOrd ge_in_py ge;
    Eq PartialEq eq_in_py eq;
    Ne PartialEq ne_in_py ne;
}

macro_rules! equality {
    ($($function:ident $method:ident $operator:tt)*) => { $(
        impl<T: IndexableArray + ?Sized> PlaceOperand<&T> {
            #[doc = concat!("Evaluates `left ", stringify!($operator), " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $method<R: Comparand<T::Dim>>(self, right: R) -> Array<bool, R::Dim>
            where
                T::Elem: Equatable<R::Elem>,
            {
                $function(&self.get().array().view(), right)
            }
        }

        impl<A, D: Dimension> OtherIndexed<ArrayView<'_, A, D>> {
            #[doc = concat!("Evaluates `left ", stringify!($operator), " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $method<R: Comparand<D>>(&self, right: R) -> Array<bool, R::Dim>
            where
                A: Equatable<R::Elem>,
            {
                $function(self.operand_in_py(), right)
            }
        }

        #[doc(hidden)]
        impl<A, D: Dimension> Indexed<Array<A, D>> {
            #[doc = concat!("Evaluates `left ", stringify!($operator), " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $method<R: Comparand<D>>(&self, right: R) -> Array<bool, R::Dim>
            where
                A: Equatable<R::Elem>,
            {
                $function(self.compared_in_py(), right)
            }
        }
    )* };
}

equality! {
    eq eq_in_py ==
    ne ne_in_py !=
}

macro_rules! order {
    ($($name:ident $function:ident $method:ident $sign:literal)*) => { $(
        #[doc(hidden)]
        impl<A, S: Data<Elem = A>, D: Dimension, R> Comparison<&ArrayBase<S, D>, R> {
            #[doc = concat!("Evaluates `left ", $sign, " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $function<C: ComparedWith<D, A, B>, B>(self) -> Array<bool, C::Dim>
            where
                R: Is<C>,
            {
                self.1.itself().results_in_py(self.0.view(), Sign::$name)
            }
        }

        impl<T: IndexableArray + ?Sized> PlaceOperand<&T> {
            #[doc = concat!("Evaluates `left ", $sign, " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $method<C, B, R>(self, right: R) -> Array<bool, C::Dim>
            where
                C: ComparedWith<T::Dim, T::Elem, B>,
                R: Is<C>,
            {
                right.itself().results_in_py(self.get().array().view(), Sign::$name)
            }
        }

        impl<A, D: Dimension> OtherIndexed<ArrayView<'_, A, D>> {
            #[doc = concat!("Evaluates `left ", $sign, " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $method<C, B, R>(&self, right: R) -> Array<bool, C::Dim>
            where
                C: ComparedWith<D, A, B>,
                R: Is<C>,
            {
                compared(self.operand_in_py(), right).$function()
            }
        }

        #[doc(hidden)]
        impl<A, D: Dimension> Indexed<Array<A, D>> {
            #[doc = concat!("Evaluates `left ", $sign, " right` for each element.")]
            #[inline]
            #[must_use]
            #[track_caller]
            pub fn $method<C, B, R>(&self, right: R) -> Array<bool, C::Dim>
            where
                C: ComparedWith<D, A, B>,
                R: Is<C>,
            {
                compared(self.compared_in_py(), right).$function()
            }
        }
    )* };
}

order! {
    Lt lt lt_in_py "<"
    Le le le_in_py "<="
    Gt gt gt_in_py ">"
    Ge ge ge_in_py ">="
}

impl<'x, T: IndexableArray + ?Sized> PlaceOperand<&'x T> {
    /// Returns the array, for a comparison of its elements.
    #[inline]
    pub fn compared_in_py(self) -> &'x ArrayRef<T::Elem, T::Dim> {
        self.get().array()
    }
}

#[doc(hidden)]
impl<'x, T: ?Sized> OtherPlace<&'x T> {
    /// Returns the value, for a comparison with each element.
    #[inline]
    pub fn compared_in_py(&self) -> Scalar<'x, T> {
        Scalar(self.get())
    }
}

impl<S: Data, D> ValueOperand<ArrayBase<S, D>> {
    /// Returns the array, for a comparison of its elements.
    #[inline]
    pub fn compared_in_py(&self) -> &ArrayBase<S, D> {
        self.get()
    }
}

impl<S: Data, D> ValueOperand<&ArrayBase<S, D>> {
    /// Returns the array, for a comparison of its elements.
    #[inline]
    pub fn compared_in_py(&self) -> &ArrayBase<S, D> {
        self.get()
    }
}

impl<T> OtherValue<T> {
    /// Returns the value, for a comparison with each element.
    #[inline]
    pub fn compared_in_py(&self) -> Scalar<'_, T> {
        Scalar(self.get())
    }
}
