//! Operators with at least one array operand. They call ndarray's operators, but panic with NumPy's message if the
//! shapes cannot be broadcast together.

use core::ops;

use ndarray::{
    Array1, Array2, ArrayBase, ArrayRef, ArrayView, ArrayViewMut, CowRepr, Dimension, Ix0,
    LayoutRef, OwnedArcRepr, OwnedRepr, RawData, arr2,
};

use super::place::List;
use super::refused::Operator;
use super::shapes::{can_broadcast, panic_mismatch};
use super::target::Value;
use super::value::Moved;
use crate::choice::{FirstChoice, Is, SecondChoice};

/// One side of an operator.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an operand in an operation with a slice",
    label = "neither a number nor an array"
)]
pub trait Side {
    /// The type of the operand passed to ndarray's operator.
    type Operand;
    /// The type of the array's elements, or of the number.
    type Elem;

    /// Returns the shape of an array, or `None` for a number.
    fn shape(&self) -> Option<&[usize]>;

    /// Returns the operand.
    fn operand_in_py(self) -> Self::Operand;
}

macro_rules! sides {
    ($([$($generics:tt)*] $side:ty => $operand:ty, $elem:ty, $self:ident, $shape:expr, $value:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Side for $side {
            type Operand = $operand;
            type Elem = $elem;

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
    [S: RawData, D: Dimension] ArrayBase<S, D> => Self, S::Elem, self, Some(ArrayBase::shape(self)), self;
    [S: RawData, D: Dimension] &ArrayBase<S, D> => Self, S::Elem, self, Some(ArrayBase::shape(self)), self;
    [A, D: Dimension] &ArrayRef<A, D> => Self, A, self, Some(LayoutRef::shape(self)), self;
    [T: Clone] List<'_, T> => Array1<T>, T, self, Some(&self.len), self.elements.to_vec().into();
    [T] Value<T> => T, T, self, None, self.0;
}

/// Returns the operands on both sides of an operator. The macro calls this function if it does not know whether the
/// sides are arrays.
///
/// # Panics
///
/// Panics if the shapes cannot be broadcast together.
#[inline]
#[track_caller]
pub fn both<L: Side, R: Side>(left: L, right: R) -> (L::Operand, R::Operand) {
    let (left, right) = sides(left, right).into_inside();
    (left.operand_in_py(), right.operand_in_py())
}

/// Wraps both sides of an operator, at least one of which is an array.
///
/// # Panics
///
/// Panics if the shapes cannot be broadcast together.
#[inline]
#[track_caller]
pub fn sides<L: Side, R: Side>(left: L, right: R) -> FirstChoice<(L, R)> {
    if let (Some(left), Some(right)) = (left.shape(), right.shape())
        && !can_broadcast(left, right)
    {
        panic_mismatch(left, right);
    }
    FirstChoice::new((left, right))
}

/// Wraps a number as one side of an operator. The other side is an array.
#[inline]
pub const fn number<T>(number: T) -> Value<T> {
    Value(number)
}

macro_rules! operators {
    ($($operator:ident $function:ident $sign:literal;)*) => { $(
        impl<L, R> FirstChoice<(L, R)>
        where
            L: Side<Operand: ops::$operator<R::Operand>>,
            R: Side,
        {
            #[doc = concat!("Evaluates `left ", $sign, " right`.")]
            #[inline]
            #[track_caller]
            pub fn $function(self) -> <L::Operand as ops::$operator<R::Operand>>::Output {
                let (left, right) = self.into_inside();
                ops::$operator::$function(left.operand_in_py(), right.operand_in_py())
            }
        }

        impl<L: Side, R: Side> SecondChoice<(L, R)> {
            /// Never called, because the operator causes a compile error.
            pub fn $function<A: Operator<$sign, R::Elem, Out>, Out>(&self) -> A::Output
            where
                L::Elem: Is<A>,
            {
                unreachable!("no types implement this trait")
            }
        }
    )* };
}

operators! {
    Add add '+';
    Sub sub '-';
    Mul mul '*';
    Div div '/';
    Rem rem '%';
    BitAnd bitand '&';
    BitOr bitor '|';
    BitXor bitxor '^';
}

/// Returns a list of numbers as an operand.
pub fn list<T: Clone, const N: usize>(elements: [T; N]) -> Array1<T> {
    Array1::from_iter(elements)
}

/// Returns a list of lists of numbers as an operand.
pub fn rows<T: Clone, const N: usize, const M: usize>(elements: [[T; M]; N]) -> Array2<T> {
    arr2(&elements)
}

impl<A: Clone> FirstChoice<ArrayView<'_, A, Ix0>> {
    /// Returns the element as one side of an operator.
    #[inline]
    pub fn side_in_py(&self) -> Value<A> {
        Value(self.value_in_py())
    }
}

impl<T> SecondChoice<Moved<T>> {
    /// Returns a number as one side of an operator.
    #[inline]
    pub fn side_in_py(&mut self) -> Value<T> {
        Value(self.operand_in_py())
    }
}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty => $side:ty, $self:ident, $value:expr; $($method:ident)*;)*) => { $(
        impl<$($generics)*> FirstChoice<Moved<$array>> {
            methods! {
                "Borrows a view, or returns an array."
                $self: &mut Self => $side, $value; $($method)*
            }
        }
    )* };
}

arrays! {
    ['a, A, D: Dimension] ArrayView<'a, A, D> => &ArrayView<'a, A, D>, self, self.get(); operand_in_py side_in_py;
    ['a, A, D: Dimension] ArrayViewMut<'a, A, D> => &ArrayViewMut<'a, A, D>, self, self.get(); operand_in_py side_in_py;
    [S: RawData, D: Dimension] &ArrayBase<S, D> => &ArrayBase<S, D>, self, self.get(); operand_in_py side_in_py;
    [S: RawData, D: Dimension] &mut ArrayBase<S, D> => &ArrayBase<S, D>, self, self.get(); operand_in_py side_in_py;
    [A, D: Dimension] &ArrayRef<A, D> => &ArrayRef<A, D>, self, self.get(); operand_in_py side_in_py;
    [A, D: Dimension] &mut ArrayRef<A, D> => &ArrayRef<A, D>, self, self.get(); operand_in_py side_in_py;
    [A, D: Dimension] ArrayBase<OwnedRepr<A>, D> => ArrayBase<OwnedRepr<A>, D>, self, self.take(); side_in_py;
    [A, D: Dimension] ArrayBase<OwnedArcRepr<A>, D> => ArrayBase<OwnedArcRepr<A>, D>, self, self.take(); side_in_py;
    ['a, A, D: Dimension] ArrayBase<CowRepr<'a, A>, D> => ArrayBase<CowRepr<'a, A>, D>, self, self.take(); side_in_py;
}
