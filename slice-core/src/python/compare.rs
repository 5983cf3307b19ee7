//! Comparisons of the elements of arrays. As in NumPy, the result is an array of `bool`. However, outside of masks,
//! `==` and `!=` compare two arrays as a whole, as in Rust.

use ndarray::{Array, ArrayBase, ArrayRef, ArrayView, Data, DimMax, Dimension, Ix0, Zip};

use super::element::{Indexed, OtherIndexed};
use super::indexable::IndexableArray;
use super::place::{OtherPlace, PlaceOperand};
use super::scalar::Scalar;
use super::shapes::common_shape;
use super::sliceable::Is;
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

        impl<A: Equatable<B>, B, $($generics)* E: Dimension> Equal<A, E> for &$array {
            type Output = bool;

            fn equal_in_py(self, array: ArrayView<'_, A, E>) -> bool {
                array.shape() == self.shape()
                    && Zip::from(array).and(self).all(Equatable::equals_in_py)
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

/// The right side of `==` or `!=`. A number is compared with each element. An array is compared as a whole, as in Rust.
pub trait Equal<A, D: Dimension> {
    /// The type of the result: an array of `bool`, or a single `bool`.
    #[doc(hidden)]
    type Output: core::ops::Not<Output = Self::Output>;

    /// Returns the result of `==`.
    #[doc(hidden)]
    fn equal_in_py(self, array: ArrayView<'_, A, D>) -> Self::Output;
}

impl<A: Equatable<T>, T, D: Dimension> Equal<A, D> for Scalar<'_, T> {
    type Output = Array<bool, D>;

    fn equal_in_py(self, array: ArrayView<'_, A, D>) -> Array<bool, D> {
        self.compare_in_py(array, Equatable::equals_in_py)
    }
}

/// Evaluates `left == right`.
#[inline]
#[must_use]
pub fn eq<A, S: Data<Elem = A>, D: Dimension, R: Equal<A, D>>(
    left: &ArrayBase<S, D>,
    right: R,
) -> R::Output {
    right.equal_in_py(left.view())
}

/// Evaluates `left == right`. The macro calls this function if the right side is visibly a number, such as a literal.
#[inline]
#[must_use]
pub fn eq_number<A: Equatable<T>, S: Data<Elem = A>, D: Dimension, T>(
    left: &ArrayBase<S, D>,
    right: Scalar<'_, T>,
) -> Array<bool, D> {
    right.compare_in_py(left.view(), Equatable::equals_in_py)
}

/// Evaluates `left != right`. The macro calls this function if the right side is visibly a number, such as a literal.
#[inline]
#[must_use]
pub fn ne_number<A: Equatable<T>, S: Data<Elem = A>, D: Dimension, T>(
    left: &ArrayBase<S, D>,
    right: Scalar<'_, T>,
) -> Array<bool, D> {
    !eq_number(left, right)
}

/// Evaluates `left != right`.
#[inline]
#[must_use]
pub fn ne<A, S: Data<Elem = A>, D: Dimension, R: Equal<A, D>>(
    left: &ArrayBase<S, D>,
    right: R,
) -> R::Output {
    !right.equal_in_py(left.view())
}

impl<T: IndexableArray + ?Sized> PlaceOperand<&T> {
    /// Returns `left == right` for each element. The macro calls this method for a mask.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn eq_each_in_py<R: Comparand<T::Dim>>(self, right: R) -> Array<bool, R::Dim>
    where
        T::Elem: Equatable<R::Elem>,
    {
        right.compare_in_py(self.get().array().view(), Equatable::equals_in_py)
    }

    /// Returns `left != right` for each element. The macro calls this method for a mask.
    #[inline]
    #[must_use]
    #[track_caller]
    pub fn ne_each_in_py<R: Comparand<T::Dim>>(self, right: R) -> Array<bool, R::Dim>
    where
        T::Elem: Equatable<R::Elem>,
    {
        !self.eq_each_in_py(right)
    }

    /// Compares each element with a number, or two arrays as a whole.
    #[inline]
    #[must_use]
    pub fn eq_in_py<R: Equal<T::Elem, T::Dim>>(self, right: R) -> R::Output {
        right.equal_in_py(self.get().array().view())
    }

    /// Returns the negated result of `eq_in_py`.
    #[inline]
    #[must_use]
    pub fn ne_in_py<R: Equal<T::Elem, T::Dim>>(self, right: R) -> R::Output {
        !right.equal_in_py(self.get().array().view())
    }
}

#[doc(hidden)]
impl<T: ?Sized> OtherPlace<&T> {
    /// Returns the result of Rust's `left == right`. The macro calls this method for a mask.
    #[inline]
    #[must_use]
    pub fn eq_each_in_py<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        T: PartialEq<R>,
    {
        *self.get() == *right.0
    }

    /// Returns the result of Rust's `left != right`. The macro calls this method for a mask.
    #[inline]
    #[must_use]
    pub fn ne_each_in_py<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        T: PartialEq<R>,
    {
        *self.get() != *right.0
    }

    /// Returns the result of Rust's `left == right`.
    #[inline]
    #[must_use]
    pub fn eq_in_py<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        T: PartialEq<R>,
    {
        *self.get() == *right.0
    }

    /// Returns the result of Rust's `left != right`.
    #[inline]
    #[must_use]
    pub fn ne_in_py<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        T: PartialEq<R>,
    {
        *self.get() != *right.0
    }
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

        #[doc(hidden)]
        impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
            #[doc = concat!("Evaluates `left ", $sign, " right` for a single element.")]
            #[inline]
            #[must_use]
            pub fn $method<R: Clone>(&self, right: Scalar<'_, R>) -> bool
            where
                A: Comparable<R>,
            {
                Comparable::$method(self.compared_in_py().0, right.0)
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
        impl<T: ?Sized> OtherPlace<&T> {
            /// Returns the result of Rust's operator.
            #[inline]
            #[must_use]
            pub fn $method<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
            where
                T: PartialOrd<R>,
            {
                self.get().$function(right.0)
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
impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
    /// Returns `left == right` for a single element.
    #[inline]
    #[must_use]
    pub fn eq_in_py<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        A: Equatable<R>,
    {
        self.compared_in_py().0.equals_in_py(right.0)
    }

    /// Returns `left != right` for a single element.
    #[inline]
    #[must_use]
    pub fn ne_in_py<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        A: Equatable<R>,
    {
        !self.compared_in_py().0.equals_in_py(right.0)
    }
}

impl<A, D: Dimension> OtherIndexed<ArrayView<'_, A, D>> {
    /// Compares each element with a number, or two arrays as a whole.
    #[inline]
    #[must_use]
    pub fn eq_in_py<R: Equal<A, D>>(&self, right: R) -> R::Output {
        eq(self.operand_in_py(), right)
    }

    /// Returns the negated result of `eq_in_py`.
    #[inline]
    #[must_use]
    pub fn ne_in_py<R: Equal<A, D>>(&self, right: R) -> R::Output {
        ne(self.operand_in_py(), right)
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
