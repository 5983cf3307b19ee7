//! Comparisons of elements, whose result is an array of `bool`, as in NumPy.

use ndarray::{Array, ArrayBase, ArrayRef, ArrayView, Data, DimMax, Dimension, Ix0, Zip};

use super::element::{Indexed, OtherIndexed};
use super::items::IndexableArray;
use super::place::{OtherPlace, PlaceOperand};
use super::scalar::Scalar;
use super::shapes::common_shape;
use super::value::{OtherValue, ValueOperand};

/// What an array of dimension `D` is compared with.
pub trait Comparand<D: Dimension> {
    /// The type of an element.
    type Elem;
    /// The dimension of the result.
    type Dim: Dimension;

    /// The result for each element.
    fn compare<A>(
        self,
        array: ArrayView<'_, A, D>,
        by: impl Fn(&A, &Self::Elem) -> bool,
    ) -> Array<bool, Self::Dim>;
}

impl<T, D: Dimension> Comparand<D> for Scalar<'_, T> {
    type Elem = T;
    type Dim = D;

    fn compare<A>(self, array: ArrayView<'_, A, D>, by: impl Fn(&A, &T) -> bool) -> Array<bool, D> {
        array.map(|element| by(element, self.0))
    }
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty;)*) => { $(
        impl<B, $($generics)* D: Dimension + DimMax<E>, E: Dimension> Comparand<D> for &$array {
            type Elem = B;
            type Dim = <D as DimMax<E>>::Output;

            #[track_caller]
            fn compare<A>(
                self,
                array: ArrayView<'_, A, D>,
                by: impl Fn(&A, &B) -> bool,
            ) -> Array<bool, <D as DimMax<E>>::Output> {
                let shape: Self::Dim = common_shape(array.shape(), self.shape());
                let (Some(left), Some(right)) =
                    (array.broadcast(shape.clone()), self.broadcast(shape))
                else {
                    unreachable!("both have been broadcast to this shape")
                };
                Zip::from(left).and(right).map_collect(by)
            }
        }

        impl<A: PartialEq<B>, B, $($generics)* E: Dimension> Equal<A, E> for &$array {
            type Output = bool;

            fn equal(self, array: ArrayView<'_, A, E>) -> bool {
                array == self.view()
            }
        }
    )* };
}

arrays! {
    [S: Data<Elem = B>,] ArrayBase<S, E>;
    [] ArrayRef<B, E>;
}

/// What is asked by `==` and `!=`: of a number about each element, of an array, as in Rust, whether all are equal.
pub trait Equal<A, D: Dimension> {
    /// An array of `bool`, or `bool`.
    type Output: core::ops::Not<Output = Self::Output>;

    /// The result of `==`.
    fn equal(self, array: ArrayView<'_, A, D>) -> Self::Output;
}

impl<A: PartialEq<T>, T, D: Dimension> Equal<A, D> for Scalar<'_, T> {
    type Output = Array<bool, D>;

    fn equal(self, array: ArrayView<'_, A, D>) -> Array<bool, D> {
        self.compare(array, PartialEq::eq)
    }
}

/// `left == right`.
#[inline]
pub fn eq<A, S: Data<Elem = A>, D: Dimension, R: Equal<A, D>>(
    left: &ArrayBase<S, D>,
    right: R,
) -> R::Output {
    right.equal(left.view())
}

/// `left != right`.
#[inline]
pub fn ne<A, S: Data<Elem = A>, D: Dimension, R: Equal<A, D>>(
    left: &ArrayBase<S, D>,
    right: R,
) -> R::Output {
    !right.equal(left.view())
}

impl<T: IndexableArray + ?Sized> PlaceOperand<&T> {
    /// Whether each element equals a number, or whether two arrays are equal.
    #[inline]
    pub fn eq<R: Equal<T::Elem, T::Dim>>(self, right: R) -> R::Output {
        right.equal(self.get().array().view())
    }

    /// The opposite.
    #[inline]
    pub fn ne<R: Equal<T::Elem, T::Dim>>(self, right: R) -> R::Output {
        !right.equal(self.get().array().view())
    }
}

impl<T: ?Sized> OtherPlace<&T> {
    /// As in Rust.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "the expansion calls it by this name"
    )]
    pub fn eq<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        T: PartialEq<R>,
    {
        *self.get() == *right.0
    }

    /// As in Rust.
    #[inline]
    pub fn ne<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        T: PartialEq<R>,
    {
        *self.get() != *right.0
    }
}

macro_rules! order {
    ($($function:ident $sign:literal)*) => { $(
        #[doc = concat!("`left ", $sign, " right`, for each element.")]
        #[inline]
        #[track_caller]
        pub fn $function<A, S: Data<Elem = A>, D: Dimension, R: Comparand<D>>(
            left: &ArrayBase<S, D>,
            right: R,
        ) -> Array<bool, R::Dim>
        where
            A: PartialOrd<R::Elem>,
        {
            right.compare(left.view(), PartialOrd::$function)
        }

        impl<T: IndexableArray + ?Sized> PlaceOperand<&T> {
            #[doc = concat!("`left ", $sign, " right`, for each element.")]
            #[inline]
            #[track_caller]
            pub fn $function<R: Comparand<T::Dim>>(self, right: R) -> Array<bool, R::Dim>
            where
                T::Elem: PartialOrd<R::Elem>,
            {
                right.compare(self.get().array().view(), PartialOrd::$function)
            }
        }

        impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
            #[doc = concat!("`left ", $sign, " right` of an element.")]
            #[inline]
            pub fn $function<R: Clone>(&self, right: Scalar<'_, R>) -> bool
            where
                A: PartialOrd<R>,
            {
                self.compared().0.$function(right.0)
            }
        }

        impl<A, D: Dimension> OtherIndexed<ArrayView<'_, A, D>> {
            #[doc = concat!("`left ", $sign, " right`, for each element.")]
            #[inline]
            #[track_caller]
            pub fn $function<R: Comparand<D>>(&self, right: R) -> Array<bool, R::Dim>
            where
                A: PartialOrd<R::Elem>,
            {
                $function(self.operand(), right)
            }
        }

        impl<T: ?Sized> OtherPlace<&T> {
            /// As in Rust.
            #[inline]
            pub fn $function<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
            where
                T: PartialOrd<R>,
            {
                self.get().$function(right.0)
            }
        }
    )* };
}

order! {
    lt "<"
    le "<="
    gt ">"
    ge ">="
}

impl<'x, T: IndexableArray + ?Sized> PlaceOperand<&'x T> {
    /// An array, compared element by element.
    #[inline]
    pub fn compared(self) -> &'x ArrayRef<T::Elem, T::Dim> {
        self.get().array()
    }
}

impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
    /// `left == right` of an element.
    #[inline]
    #[expect(
        clippy::should_implement_trait,
        reason = "the expansion calls it by this name"
    )]
    pub fn eq<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        A: PartialEq<R>,
    {
        self.compared().0 == right.0
    }

    /// `left != right` of an element.
    #[inline]
    pub fn ne<R: ?Sized>(&self, right: Scalar<'_, R>) -> bool
    where
        A: PartialEq<R>,
    {
        self.compared().0 != right.0
    }
}

impl<A, D: Dimension> OtherIndexed<ArrayView<'_, A, D>> {
    /// Whether each element equals a number, or whether two arrays are equal.
    #[inline]
    pub fn eq<R: Equal<A, D>>(&self, right: R) -> R::Output {
        eq(self.operand(), right)
    }

    /// The opposite.
    #[inline]
    pub fn ne<R: Equal<A, D>>(&self, right: R) -> R::Output {
        ne(self.operand(), right)
    }
}

impl<'x, T: ?Sized> OtherPlace<&'x T> {
    /// A value, compared with each element.
    #[inline]
    pub fn compared(&self) -> Scalar<'x, T> {
        Scalar(self.get())
    }
}

impl<S: Data, D> ValueOperand<ArrayBase<S, D>> {
    /// An array, compared element by element.
    #[inline]
    pub fn compared(&self) -> &ArrayBase<S, D> {
        self.get()
    }
}

impl<S: Data, D> ValueOperand<&ArrayBase<S, D>> {
    /// An array, compared element by element.
    #[inline]
    pub fn compared(&self) -> &ArrayBase<S, D> {
        self.get()
    }
}

impl<T> OtherValue<T> {
    /// A value, compared with each element.
    #[inline]
    pub fn compared(&self) -> Scalar<'_, T> {
        Scalar(self.get())
    }
}
