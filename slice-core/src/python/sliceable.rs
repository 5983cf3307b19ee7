//! The types that `py!` can slice.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{Ref, RefMut};

use ndarray::{ArrayBase, ArrayRef, ArrayView, Data, Dimension, Ix1};

use crate::error::SliceError;
use crate::ndarray::flat;

/// A type that `py!` can slice: ndarray arrays and views, Rust arrays and slices, `Vec`, and pointers to these types.
pub trait Sliceable {
    /// The type of an element.
    type Elem;
    /// The dimension type of the array.
    type Dim: Dimension;
    /// [`NumPy`] for an ndarray array, or a pointer to one, and otherwise [`Rust`].
    type Meaning;

    /// Returns a view of all elements.
    fn view_in_py(&self) -> Result<ArrayView<'_, Self::Elem, Self::Dim>, SliceError>;
}

/// Brackets and operators mean what they mean in NumPy.
#[derive(Clone, Copy, Debug)]
pub enum NumPy {}

/// Brackets and operators mean what they mean in Rust.
#[derive(Clone, Copy, Debug)]
pub enum Rust {}

macro_rules! arrays {
    ($([$($generics:tt)*] $array:ty, $elem:ty, $dim:ty, $meaning:ty, $self:ident => $view:expr;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Sliceable for $array {
            type Elem = $elem;
            type Dim = $dim;
            type Meaning = $meaning;

            #[inline]
            fn view_in_py(&$self) -> Result<ArrayView<'_, $elem, $dim>, SliceError> {
                $view
            }
        }
    )* };
}

arrays! {
    [A, S: Data<Elem = A>, D: Dimension] ArrayBase<S, D>, A, D, NumPy, self => Ok(self.view());
    [A, D: Dimension] ArrayRef<A, D>, A, D, NumPy, self => Ok(self.view());
    [A] [A], A, Ix1, Rust, self => flat::view(self);
    [A, const N: usize] [A; N], A, Ix1, Rust, self => flat::view(self);
    [A] Vec<A>, A, Ix1, Rust, self => flat::view(self);
}

macro_rules! pointers {
    ($([$($generics:tt)*] $pointer:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Sliceable for $pointer
        where
            T: Sliceable,
        {
            type Elem = T::Elem;
            type Dim = T::Dim;
            type Meaning = T::Meaning;

            #[inline]
            fn view_in_py(&self) -> Result<ArrayView<'_, T::Elem, T::Dim>, SliceError> {
                T::view_in_py(self)
            }
        }
    )* };
}

pointers! {
    [T: ?Sized] &T;
    [T: ?Sized] &mut T;
    [T: ?Sized] Box<T>;
    [T: ?Sized] Rc<T>;
    [T: ?Sized] Arc<T>;
    [T: ?Sized] Ref<'_, T>;
    [T: ?Sized] RefMut<'_, T>;
}

#[cfg(feature = "std")]
pointers! {
    [T: ?Sized] std::sync::MutexGuard<'_, T>;
    [T: ?Sized] std::sync::RwLockReadGuard<'_, T>;
    [T: ?Sized] std::sync::RwLockWriteGuard<'_, T>;
    [T, F: FnOnce() -> T] std::sync::LazyLock<T, F>;
}

/// Types that can be sliced into a view that can outlive the statement. `A` is the type of the elements, and `D` is the
/// dimension. They are parameters only to improve error messages: if the operand is not an array, the compiler knows
/// neither of them, and therefore does not suggest adding a trait bound (which would not help).
#[diagnostic::on_unimplemented(
    message = "`py!` can slice ndarray arrays and views, Rust arrays, Rust slices and `Vec`, but this is `{Self}`",
    label = "not an array",
    note = "if it contains an array, access the array first: `(*x)[1:]` for a pointer, `x.as_ref().unwrap()[1:]` for an \
            `Option`; declare a generic array as `x: &ArrayBase<S, Ix1>` with `S: Data`",
    note = "arrays of another version of ndarray are of other types: slice-core needs ndarray 0.17"
)]
pub trait ArrayLike<A, D> {
    /// The type of an element.
    type Elem;
    /// The dimension type of the array.
    type Dim: Dimension;

    /// Returns a view of all elements.
    fn all_in_py(&self) -> ArrayView<'_, Self::Elem, Self::Dim>;
}

#[diagnostic::do_not_recommend]
impl<T: Sliceable<Elem = A, Dim = D> + ?Sized, A, D: Dimension> ArrayLike<A, D> for T {
    type Elem = A;
    type Dim = D;

    #[inline]
    #[track_caller]
    fn all_in_py(&self) -> ArrayView<'_, A, D> {
        match self.view_in_py() {
            Ok(view) => view,
            Err(error) => error.panic(),
        }
    }
}
