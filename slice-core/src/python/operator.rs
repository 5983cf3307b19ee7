//! Operators between arrays. They are ndarray's operators, but panic with NumPy's message if the shapes do not fit.

use core::ops;

use ndarray::{
    Array1, Array2, ArrayBase, ArrayRef, ArrayView, ArrayViewMut, CowRepr, Dimension, Ix0,
    LayoutRef, OwnedArcRepr, OwnedRepr, RawData, arr2,
};

use super::element::{Indexed, OtherIndexed};
use super::place::{ArrayOperand, List, OtherPlace, PlaceOperand};
use super::shapes::{check_assigned, fit, mismatch};
use super::sliceable::Is;
use super::target::Value;
use super::value::{OtherValue, ValueOperand};

/// One side of an operator.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an operand beside a slice",
    label = "neither a number nor an array"
)]
pub trait Side {
    /// The operand that ndarray's operator takes.
    type Operand;

    /// Returns the shape of an array, or `None` for a number.
    fn shape(&self) -> Option<&[usize]>;

    /// Returns the operand.
    fn operand_in_py(self) -> Self::Operand;
}

macro_rules! sides {
    ($([$($generics:tt)*] $side:ty => $operand:ty, $self:ident, $shape:expr, $value:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Side for $side {
            type Operand = $operand;

            #[inline]
            fn shape(&$self) -> Option<&[usize]> {
                $shape
            }

            #[inline]
            fn operand_in_py($self) -> $operand {
                $value
            }
        }
    )* };
}

sides! {
    [S: RawData, D: Dimension] ArrayBase<S, D> => Self, self, Some(ArrayBase::shape(self)), self;
    [S: RawData, D: Dimension] &ArrayBase<S, D> => Self, self, Some(ArrayBase::shape(self)), self;
    [A, D: Dimension] &ArrayRef<A, D> => Self, self, Some(LayoutRef::shape(self)), self;
    [T: Clone] List<'_, T> => Array1<T>, self, Some(&self.len), self.elements.to_vec().into();
    [T] Value<T> => T, self, None, self.0;
}

/// Returns both sides of an operator, if the macro does not know whether they are arrays.
///
/// # Panics
///
/// If the shapes do not fit.
#[inline]
#[track_caller]
pub fn both<L: Side, R: Side>(left: L, right: R) -> (L::Operand, R::Operand) {
    if let (Some(left), Some(right)) = (left.shape(), right.shape())
        && !fit(left, right)
    {
        mismatch(left, right);
    }
    (left.operand_in_py(), right.operand_in_py())
}

/// Both sides of an operator, of which at least one is an array.
#[derive(Debug)]
pub struct Sides<L, R>(L, R);

/// Wraps both sides of an operator.
///
/// # Panics
///
/// If the shapes do not fit.
#[inline]
#[track_caller]
pub fn sides<L: Side, R: Side>(left: L, right: R) -> Sides<L::Operand, R::Operand> {
    let (left, right) = both(left, right);
    Sides(left, right)
}

/// The operators of `py!` between `Self` and `Right`, of which at least one is an array.
macro_rules! operators {
    ($($name:ident $operator:ident $function:ident $sign:literal $message:literal;)*) => { $(
        #[doc = concat!("Operands of `", $sign, "`.")]
        #[diagnostic::on_unimplemented(
            message = $message,
            label = "the types do not fit",
            note = "an array and a number, or two arrays, need elements of one type: beside floats a number is written `2.0`, and an \
                    array is converted with `.mapv(f64::from)` or `.mapv(|v| v as f64)`"
        )]
        pub trait $name<Right> {
            /// The result.
            type Output;

            /// Returns the result.
            fn result_in_py(self, right: Right) -> Self::Output;
        }

        #[diagnostic::do_not_recommend]
        impl<Left: ops::$operator<Right>, Right> $name<Right> for Left {
            type Output = <Left as ops::$operator<Right>>::Output;

            #[inline]
            #[track_caller]
            fn result_in_py(self, right: Right) -> Self::Output {
                ops::$operator::$function(self, right)
            }
        }

        impl<L, R> Sides<L, R> {
            #[doc = concat!("`left ", $sign, " right`")]
            #[inline]
            #[track_caller]
            pub fn $function<T: $name<R>>(self) -> T::Output
            where
                L: Is<T>,
            {
                self.0.itself().result_in_py(self.1)
            }
        }
    )* };
}

operators! {
    PyAdd Add add "+" "cannot add `{Right}` to `{Self}`";
    PySub Sub sub "-" "cannot subtract `{Right}` from `{Self}`";
    PyMul Mul mul "*" "cannot multiply `{Self}` by `{Right}`";
    PyDiv Div div "/" "cannot divide `{Self}` by `{Right}`";
    PyRem Rem rem "%" "cannot take the remainder of `{Self}` by `{Right}`";
    PyBitAnd BitAnd bitand "&" "no `{Self} & {Right}`";
    PyBitOr BitOr bitor "|" "no `{Self} | {Right}`";
    PyBitXor BitXor bitxor "^" "no `{Self} ^ {Right}`; a power is written `.mapv(|v| v.powi(n))`";
    PyShl Shl shl "<<" "no `{Self} << {Right}`";
    PyShr Shr shr ">>" "no `{Self} >> {Right}`";
}

/// Returns a list of numbers as an operand.
pub fn list<T: Clone, const N: usize>(elements: [T; N]) -> Array1<T> {
    Array1::from_iter(elements)
}

/// Returns a list of lists of numbers as an operand.
pub fn rows<T: Clone, const N: usize, const M: usize>(elements: [[T; M]; N]) -> Array2<T> {
    arr2(&elements)
}

impl<'x, T: ArrayOperand + ?Sized> PlaceOperand<&'x T> {
    /// Borrows an array as one side of an operator.
    #[inline]
    pub fn side_in_py(self) -> T::Side<'x> {
        self.get().side_in_py()
    }
}

impl<'x, T: ArrayOperand<Side<'x>: Side> + ?Sized> PlaceOperand<&'x T> {
    /// Returns an array that an operator assigns to an array, after a check of the shapes.
    #[inline]
    #[track_caller]
    pub fn assigned_in_py<S: RawData, D: Dimension>(
        self,
        value: &ArrayBase<S, D>,
    ) -> &ArrayBase<S, D> {
        if let Some(target) = self.get().side_in_py().shape() {
            check_assigned(target, value.shape());
        }
        value
    }
}

impl<T: ?Sized> OtherPlace<&T> {
    /// Returns the value that an operator assigns to any other place.
    #[inline]
    pub fn assigned_in_py<V>(&self, value: V) -> V {
        value
    }
}

impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
    /// Returns the element as one side of an operator.
    #[inline]
    pub fn side_in_py(&self) -> Value<A> {
        Value(self.value_in_py())
    }
}

impl<'a, A, D: Dimension> OtherIndexed<ArrayView<'a, A, D>> {
    /// Returns the view as one side of an operator.
    #[inline]
    pub fn side_in_py(&self) -> &ArrayView<'a, A, D> {
        self.operand_in_py()
    }
}

impl<T> OtherValue<T> {
    /// Returns a number as one side of an operator.
    #[inline]
    pub fn side_in_py(&mut self) -> Value<T> {
        Value(self.operand_in_py())
    }
}

macro_rules! views {
    ($([$($generics:tt)*] $value:ty => $array:ty;)*) => { $(
        impl<$($generics)*> ValueOperand<$value> {
            /// Borrows an array as one side of an operator.
            #[inline]
            pub fn side_in_py(&mut self) -> &$array {
                self.get()
            }
        }
    )* };
}

views! {
    ['a, A, D: Dimension] ArrayView<'a, A, D> => ArrayView<'a, A, D>;
    ['a, A, D: Dimension] ArrayViewMut<'a, A, D> => ArrayViewMut<'a, A, D>;
    [S: RawData, D: Dimension] &ArrayBase<S, D> => ArrayBase<S, D>;
    [S: RawData, D: Dimension] &mut ArrayBase<S, D> => ArrayBase<S, D>;
    [A, D: Dimension] &ArrayRef<A, D> => ArrayRef<A, D>;
    [A, D: Dimension] &mut ArrayRef<A, D> => ArrayRef<A, D>;
}

macro_rules! owned {
    ($([$($generics:tt)*] $repr:ty;)*) => { $(
        impl<$($generics)* A, D: Dimension> ValueOperand<ArrayBase<$repr, D>> {
            /// Returns an array as one side of an operator.
            #[inline]
            pub fn side_in_py(&mut self) -> ArrayBase<$repr, D> {
                (**self).operand_in_py()
            }
        }
    )* };
}

owned! {
    [] OwnedRepr<A>;
    [] OwnedArcRepr<A>;
    ['a,] CowRepr<'a, A>;
}
