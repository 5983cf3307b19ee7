//! Slices that consist only of indices. As in NumPy, the result is an element if the selected view has no axes, and
//! otherwise the view itself.

use core::ops::{Deref, DerefMut};

use ndarray::{Array, ArrayView, Dimension, Ix0};

use super::target::Value;
use crate::choice::{FirstChoice, SecondChoice};
use crate::ndarray::by_value::StridedSliceMove;
use crate::ndarray::rank::SliceFor;

impl<'a, A> FirstChoice<ArrayView<'a, A, Ix0>> {
    /// Returns a reference to the element, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(&self) -> &'a A {
        self.inside().into_scalar()
    }
}

impl<'a, A: Clone> FirstChoice<ArrayView<'a, A, Ix0>> {
    methods! {
        "Returns a clone of the element."
        self: &Self => A, self.inside()[()].clone(); value_in_py operand_in_py owned_in_py parts_in_py unpack_in_py
    }

    /// Returns the element for a comparison.
    #[inline]
    pub fn compared_in_py(&self) -> Value<&'a A> {
        Value(self.inside().into_scalar())
    }
}

impl<'a, A, D: Dimension> SecondChoice<ArrayView<'a, A, D>> {
    /// Slices the view. The result lives as long as the viewed array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: SliceFor<D>>(&self, spec: I) -> ArrayView<'a, A, I::OutDim> {
        self.inside().clone().at_move(spec)
    }

    /// Returns the view in a wrapper, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(&self) -> Held<ArrayView<'a, A, D>> {
        Held(self.inside().clone())
    }

    methods! {
        "Returns the view."
        self: &Self => ArrayView<'a, A, D>, self.inside().clone(); value_in_py compared_in_py
    }

    /// Returns a copy of the elements, in a new array.
    pub fn owned_in_py(&self) -> Array<A, D>
    where
        A: Clone,
    {
        self.inside().to_owned()
    }

    methods! {
        "Borrows the view."
        self: &Self => &ArrayView<'a, A, D>, self.inside(); operand_in_py side_in_py
    }
}

impl<A, D: Dimension> FirstChoice<Array<A, D>> {
    /// Slices the new array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: SliceFor<D>>(self, spec: I) -> Array<A, I::OutDim> {
        self.into_inside().at_move(spec)
    }

    /// Returns the new array in a wrapper, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(self) -> Held<Array<A, D>> {
        Held(self.into_inside())
    }

    methods! {
        "Returns the new array."
        self: Self => Array<A, D>, self.into_inside(); value_in_py owned_in_py operand_in_py side_in_py
    }

    /// Returns the new array.
    #[inline]
    pub const fn whole_in_py(self) -> Self {
        self
    }

    /// Borrows the new array for a comparison.
    #[inline]
    pub fn compared_in_py(&self) -> ArrayView<'_, A, D> {
        self.inside().view()
    }
}

impl<'a, A, D: Dimension> FirstChoice<ArrayView<'a, A, D>> {
    /// Returns the view, even if it has no axes.
    #[inline]
    pub fn whole_in_py(self) -> SecondChoice<ArrayView<'a, A, D>> {
        self.into_second()
    }
}

/// A wrapper that dereferences to a view. It lets an expansion dereference a view in the same way as a reference to an
/// element.
#[derive(Debug)]
pub struct Held<T>(pub(super) T);

impl<T> Deref for Held<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Held<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
