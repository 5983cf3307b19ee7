//! Place expressions, such as variables, fields and elements, which are borrowed.

use alloc::vec::Vec;

use ndarray::{Array, ArrayBase, ArrayRef, ArrayView, Dimension, RawData};

use super::refused::{CopyOperand, SlicedByRange};
use super::sliceable::{ArrayLike, NumPy, Sliceable};
use super::target::{KnownValues, Value};
use crate::choice::{FirstChoice, Is, LastChoice, SecondChoice};
use crate::ndarray::by_value::StridedSliceMove;
use crate::ndarray::ext::StridedSliceExt;
use crate::ndarray::rank::{SelectFor, SliceFor};

impl<'a, A, D: Dimension> FirstChoice<&ArrayView<'a, A, D>> {
    /// Slices a view. The result lives as long as the viewed array, and not only as long as the view.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: SliceFor<D>>(self, spec: I) -> ArrayView<'a, A, I::OutDim> {
        self.place_in_py().clone().at_move(spec)
    }
}

sliced! {
    ['y, T: ?Sized] FirstChoice<&&'y T>, self: Self, 'y => (*self.place_in_py());
    ['x, T: ?Sized] SecondChoice<&'x T>, self: &Self, 'x => self.place_in_py();
}

impl<'x, T: ArrayOperand<'x> + ?Sized> FirstChoice<&'x T> {
    /// Borrows an array as an operand.
    #[inline]
    pub fn operand_in_py(self) -> T::Borrowed {
        self.place_in_py().borrowed()
    }

    /// Borrows an array as one side of an operator.
    #[inline]
    pub fn side_in_py(self) -> T::Side {
        self.place_in_py().side_in_py()
    }
}

/// A type whose values are borrowed as operands: ndarray arrays and references to them, `Vec`, and Rust slices. The
/// trait is also implemented for references to numbers or `bool`, whose targets are copied. The compiler reports this trait
/// if it infers the type of an operand only from later code.
#[diagnostic::on_unimplemented(
    message = "the type of an operand, `{Self}`, is known only from the code after this operation",
    label = "declare the type before, as in `let mut v: Vec<{Self}> = Vec::new();`"
)]
pub trait ArrayOperand<'x> {
    /// The type of the borrowed operand: a reference to an array, or a copy of a number.
    type Borrowed;
    /// The type of the operand as one side of an operator.
    type Side;

    /// Returns the borrowed operand.
    fn borrowed(&'x self) -> Self::Borrowed;

    /// Returns the operand as one side of an operator.
    fn side_in_py(&'x self) -> Self::Side;
}

/// A borrowed `Vec` or Rust slice as an operand.
#[derive(Debug)]
pub struct List<'x, T> {
    pub(super) elements: &'x [T],
    pub(super) len: [usize; 1],
}

macro_rules! operands {
    ($([$($generics:tt)*] $operand:ty => $self:ident, $borrowed:ty, $borrow:expr, $side:ty, $make:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<'x, $($generics)*> ArrayOperand<'x> for $operand
        where
            Self: 'x,
        {
            type Borrowed = $borrowed;
            type Side = $side;

            #[inline]
            fn borrowed(&'x $self) -> Self::Borrowed {
                $borrow
            }

            #[inline]
            fn side_in_py(&'x $self) -> Self::Side {
                $make
            }
        }
    )* };
}

operands! {
    [S: RawData, D] ArrayBase<S, D> => self, &'x ArrayBase<S, D>, self, &'x ArrayBase<S, D>, self;
    [S: RawData, D] &ArrayBase<S, D> => self, &'x ArrayBase<S, D>, self, &'x ArrayBase<S, D>, self;
    [S: RawData, D] &mut ArrayBase<S, D> => self, &'x ArrayBase<S, D>, self, &'x ArrayBase<S, D>, self;
    [S: RawData, D] &&ArrayBase<S, D> => self, &'x ArrayBase<S, D>, self, &'x ArrayBase<S, D>, self;
    [A, D] ArrayRef<A, D> => self, &'x ArrayRef<A, D>, self, &'x ArrayRef<A, D>, self;
    [A, D] &mut ArrayRef<A, D> => self, &'x ArrayRef<A, D>, self, &'x ArrayRef<A, D>, self;
    [T] Vec<T> => self, &'x Vec<T>, self, List<'x, T>, List::new(self);
    [T] [T] => self, &'x [T], self, List<'x, T>, List::new(self);
}

impl<'x, T> List<'x, T> {
    const fn new(elements: &'x [T]) -> Self {
        let len = [elements.len()];
        List { elements, len }
    }
}

impl<'x, A> KnownValues<A> for List<'x, A> {
    type Values = &'x [A];

    #[inline]
    fn values_in_py(self) -> &'x [A] {
        self.elements
    }
}

/// Implements [`ArrayOperand`] for references to numbers and `bool`. These values are copied, because ndarray's
/// operators take scalars by value.
macro_rules! numbers {
    ($($number:ty)*) => {
        operands! { $(
            [] &$number => self, $number, **self, Value<$number>, Value(**self);
            [] &mut $number => self, $number, **self, Value<$number>, Value(**self);
        )* }
    };
}

numbers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool }

impl<'x, T: ?Sized> LastChoice<&'x T> {
    /// Returns a reference to the value at the place, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(&self) -> &'x T {
        self.inside()
    }
}

impl<T: Copy> SecondChoice<&T> {
    methods! {
        "Copies a number, a reference or a Rust array."
        self: &Self => T, *self.place_in_py(); operand_in_py owned_in_py parts_in_py unpack_in_py value_in_py
    }

    /// Copies a number as one side of an operator, or as the value to assign.
    #[inline]
    pub fn side_in_py(&self) -> Value<T> {
        Value(*self.place_in_py())
    }
}

impl<'x, T: Sliceable<Meaning = NumPy> + ?Sized> FirstChoice<&'x T> {
    /// Returns the array as a side of a comparison.
    #[inline]
    pub fn compared_in_py(self) -> ArrayView<'x, T::Elem, T::Dim> {
        self.place_in_py().all_in_py()
    }

    /// Never called, because a range causes a compile error.
    pub fn ranged_in_py<S: SlicedByRange<Out> + ?Sized + 'x, Out>(self) -> S::Output
    where
        &'x T: Is<&'x S>,
    {
        unreachable!("no types implement this trait")
    }
}

impl<'x, T: ?Sized> SecondChoice<&'x T> {
    /// Returns a copy of the elements selected by a slice with a list.
    #[inline]
    #[track_caller]
    pub fn copied_in_py<S, A, D, I>(&self, spec: I) -> Array<S::Elem, I::OutDim>
    where
        S: ArrayLike<A, D, Elem: Clone> + ?Sized + 'x,
        I: SelectFor<S::Dim>,
        &'x T: Is<&'x S>,
    {
        self.place_in_py().itself().all_in_py().gather(spec)
    }

    /// Returns the value as a side of a comparison.
    #[inline]
    pub fn compared_in_py(&self) -> Value<&'x T> {
        Value(self.place_in_py())
    }

    /// Returns a reference to the value at the place, to which one of Rust's ranges is applied.
    #[inline]
    pub fn ranged_in_py(&self) -> &'x T {
        self.place_in_py()
    }
}

macro_rules! not_copyable {
    ($($method:ident)*) => {
        impl<'x, T> LastChoice<&'x T> {
            $(
                /// Never called, because an operand that cannot be copied causes a compile error.
                #[inline]
                pub fn $method<C: CopyOperand<Out> + 'x, Out>(&self) -> C::Output
                where
                    &'x T: Is<&'x C>,
                {
                    unreachable!("no types implement this trait")
                }
            )*
        }
    };
}

not_copyable! { operand_in_py owned_in_py parts_in_py side_in_py unpack_in_py value_in_py }
