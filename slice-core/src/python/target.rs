//! The targets and the values of assignments to slices in `py!`.

use ndarray::{ArrayBase, ArrayRef, ArrayViewMut, Data, Dimension, Ix1};

use crate::ndarray::flat;
use crate::ndarray::values::ValuesFor;

/// Writable arrays and Rust slices. `Vec` and Rust's arrays dereference or coerce to Rust slices, so the compiler finds
/// `view_mut_in_py` for them as well.
pub trait ViewMut {
    /// The type of an element.
    type Elem;
    /// The dimension type of the array.
    type Dim: Dimension;

    /// Returns a mutable view of all elements.
    fn view_mut_in_py(&mut self) -> ArrayViewMut<'_, Self::Elem, Self::Dim>;
}

impl<A, D: Dimension> ViewMut for ArrayRef<A, D> {
    type Elem = A;
    type Dim = D;

    #[inline]
    fn view_mut_in_py(&mut self) -> ArrayViewMut<'_, A, D> {
        self.view_mut()
    }
}

impl<A> ViewMut for [A] {
    type Elem = A;
    type Dim = Ix1;

    #[inline]
    #[track_caller]
    fn view_mut_in_py(&mut self) -> ArrayViewMut<'_, A, Ix1> {
        match flat::view_mut(self) {
            Ok(view) => view,
            Err(error) => error.panic(),
        }
    }
}

/// Returns `&mut x[spec]` unchanged. The expansion passes an argument of a call through this function, so that compile
/// errors underline the argument.
#[inline]
pub const fn argument<T: ?Sized>(slice: &mut T) -> &mut T {
    slice
}

/// Types of values that the compiler can identify as arrays or single values. From such a value, the compiler can infer
/// the type of the target's elements.
pub trait KnownValues<A> {
    /// The type of the values to assign.
    type Values: ValuesFor<A>;

    /// Returns the values.
    fn values_in_py(self) -> Self::Values;
}

macro_rules! known {
    ($([$($generics:tt)*] $values:ty;)*) => { $(
        impl<A, $($generics)*> KnownValues<A> for $values {
            type Values = Self;

            #[inline]
            fn values_in_py(self) -> Self {
                self
            }
        }
    )* };
}

known! {
    [S: Data<Elem = A>, D: Dimension] ArrayBase<S, D>;
    [S: Data<Elem = A>, D: Dimension] &ArrayBase<S, D>;
    [D: Dimension] &ArrayRef<A, D>;
}

/// A value that is not an array.
#[derive(Debug)]
pub struct Value<T>(pub(super) T);

impl<A, T: ValuesFor<A>> KnownValues<A> for Value<T> {
    type Values = T;

    #[inline]
    fn values_in_py(self) -> T {
        self.0
    }
}
