//! What stands at a place in memory and has a name: variables, fields, elements. It is borrowed.

use alloc::vec::Vec;
use core::ops::Deref;

use ndarray::{ArrayBase, ArrayRef, ArrayView, Dimension, RawData};

use super::source::{Is, Source};
use crate::ndarray::{SliceFor, StridedSliceMove};

/// A reference to a place of a type that the macro does not know.
#[derive(Clone, Copy, Debug)]
pub struct Place<T>(Other<T>);

/// The same, when it is no array.
#[derive(Clone, Copy, Debug)]
pub struct Other<T>(T);

/// Where expansions begin.
#[inline(always)]
pub const fn place<T: ?Sized>(place: &T) -> Place<&T> {
    Place(Other(place))
}

impl<T> Deref for Place<T> {
    type Target = Other<T>;

    #[inline(always)]
    fn deref(&self) -> &Other<T> {
        &self.0
    }
}

impl<'a, A, D: Dimension> Place<&ArrayView<'a, A, D>> {
    /// A slice of a view lives as long as the array, and not only as long as the view.
    #[inline(always)]
    #[track_caller]
    pub fn at<I: SliceFor<D>>(self, spec: I) -> ArrayView<'a, A, I::OutDim> {
        self.0.0.clone().at_move(spec)
    }
}

impl<'x, T: ?Sized> Other<&'x T> {
    /// A slice of an array, or of what points to one.
    #[inline(always)]
    #[track_caller]
    pub fn at<S: Source, I: SliceFor<S::Dim>>(&self, spec: I) -> S::View<I::OutDim>
    where
        &'x T: Is<S>,
    {
        match self.0.itself().select(spec) {
            Ok(view) => view,
            Err(error) => error.panic(),
        }
    }
}

/// An array as an operand is borrowed.
impl<'x, S: RawData, D> Place<&'x ArrayBase<S, D>> {
    #[allow(missing_docs)]
    #[inline(always)]
    pub fn operand(self) -> &'x ArrayBase<S, D> {
        self.0.0
    }
}

impl<'x, S: RawData, D> Place<&'x &mut ArrayBase<S, D>> {
    #[allow(missing_docs)]
    #[inline(always)]
    pub fn operand(self) -> &'x ArrayBase<S, D> {
        self.0.0
    }
}

impl<'x, S: RawData, D> Place<&&'x &ArrayBase<S, D>> {
    #[allow(missing_docs)]
    #[inline(always)]
    pub fn operand(self) -> &'x ArrayBase<S, D> {
        self.0.0
    }
}

impl<'x, A, D> Place<&'x ArrayRef<A, D>> {
    #[allow(missing_docs)]
    #[inline(always)]
    pub fn operand(self) -> &'x ArrayRef<A, D> {
        self.0.0
    }
}

impl<'x, A, D> Place<&'x &mut ArrayRef<A, D>> {
    #[allow(missing_docs)]
    #[inline(always)]
    pub fn operand(self) -> &'x ArrayRef<A, D> {
        self.0.0
    }
}

/// So is a list, as a value.
impl<'x, T> Place<&'x Vec<T>> {
    #[allow(missing_docs)]
    #[inline(always)]
    pub fn operand(self) -> &'x Vec<T> {
        self.0.0
    }
}

impl<T> Other<&T> {
    /// A number as an operand is copied, and so is a reference.
    #[inline(always)]
    pub fn operand(&self) -> T
    where
        T: Number,
    {
        self.0.copied()
    }
}

/// What can be an operand by name without being used up.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an array nor `Copy`, and `py!` uses up no operand that has a name",
    label = "would be used up here",
    note = "write `x.clone()`, or `{{ x }}` to use it up"
)]
pub trait Number: Sized {
    /// The same value.
    fn copied(&self) -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Copy> Number for T {
    #[inline(always)]
    fn copied(&self) -> T {
        *self
    }
}
