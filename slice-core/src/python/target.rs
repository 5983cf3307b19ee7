//! The targets and the values of assignments to slices in `py!`.

use ndarray::{ArrayBase, ArrayRef, ArrayViewMut, Data, DataMut, Dimension, Ix1, RawData};

use crate::ndarray::flat;
use crate::ndarray::values::ValuesFor;

/// Arrays and Rust slices whose elements can be modified.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is read-only",
    label = "the elements cannot be modified",
    note = "take an `ArrayViewMut` instead of an `ArrayView`, and a storage `S: DataMut` instead of `S: Data`"
)]
pub trait Writable {
    /// The type of an element.
    type Elem;
    /// The dimension type of the array.
    type Dim: Dimension;

    /// Returns a mutable view of all elements.
    fn all_mut(&mut self) -> ArrayViewMut<'_, Self::Elem, Self::Dim>;
}

macro_rules! writable {
    ($([$($generics:tt)*] $array:ty, $Elem:ty, $Dim:ty, $self:ident => $view:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Writable for $array {
            type Elem = $Elem;
            type Dim = $Dim;

            #[inline]
            #[track_caller]
            fn all_mut(&mut $self) -> ArrayViewMut<'_, $Elem, $Dim> {
                $view
            }
        }
    )* };
}

writable! {
    [S: DataMut, D: Dimension] ArrayBase<S, D>, S::Elem, D, self => self.view_mut();
    [A, D: Dimension] ArrayRef<A, D>, A, D, self => self.view_mut();
    [A] [A], A, Ix1, self => match flat::view_mut(self) {
        Ok(view) => view,
        Err(error) => error.panic(),
    };
}

/// Arrays and Rust slices, which may be read-only. `Vec` and Rust's arrays dereference or coerce to Rust slices, so the
/// compiler finds `view_mut_in_py` for them as well.
pub trait ViewMut {
    /// Returns a mutable view of all elements.
    #[inline]
    #[track_caller]
    fn view_mut_in_py(&mut self) -> ArrayViewMut<'_, Self::Elem, Self::Dim>
    where
        Self: Writable,
    {
        self.all_mut()
    }
}

impl<S: RawData, D> ViewMut for ArrayBase<S, D> {}
impl<A, D> ViewMut for ArrayRef<A, D> {}
impl<A> ViewMut for [A] {}

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
