//! Slices that consist only of indices. As in NumPy, the result is an element if the selected view has no axes, and
//! otherwise the view itself.

use ndarray::{Array, ArrayView, Dimension, Ix0};

use super::compare::Scalar;
use crate::ndarray::by_value::StridedSliceMove;
use crate::ndarray::rank::SliceFor;

/// A view selected by indices. The macro does not know its dimension.
#[derive(Debug)]
pub struct Indexed<T>(pub(super) OtherIndexed<T>);

/// A view that has at least one axis or a dynamic rank, or a view of a single element that cannot be cloned.
#[derive(Debug)]
pub struct OtherIndexed<T>(T);

/// Wraps a view selected by indices, so that method resolution in the expansion can depend on the dimension of the
/// view.
#[inline]
pub const fn element<T>(selected: T) -> Indexed<T> {
    Indexed(OtherIndexed(selected))
}

impl<'a, A> Indexed<ArrayView<'a, A, Ix0>> {
    /// Returns a reference to the element, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(&self) -> &'a A {
        self.0.0.into_scalar()
    }
}

impl<'a, A: Clone> Indexed<ArrayView<'a, A, Ix0>> {
    methods! {
        "Returns a clone of the element."
        self: &Self => A, self.0.0[()].clone(); value_in_py operand_in_py owned_in_py parts_in_py unpack_in_py
    }

    /// Returns the element for a comparison.
    #[inline]
    pub fn compared_in_py(&self) -> Scalar<'a, A> {
        Scalar(self.0.0.into_scalar())
    }
}

impl<'a, A, D: Dimension> OtherIndexed<ArrayView<'a, A, D>> {
    /// Slices the view. The result lives as long as the viewed array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: SliceFor<D>>(&self, spec: I) -> ArrayView<'a, A, I::OutDim> {
        self.0.clone().at_move(spec)
    }

    /// Returns the view in a wrapper, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(&self) -> Held<ArrayView<'a, A, D>> {
        Held(self.0.clone())
    }

    methods! {
        "Returns the view."
        self: &Self => ArrayView<'a, A, D>, self.0.clone(); value_in_py compared_in_py
    }

    /// Returns a copy of the elements, in a new array.
    pub fn owned_in_py(&self) -> Array<A, D>
    where
        A: Clone,
    {
        self.0.to_owned()
    }

    methods! {
        "Borrows the view."
        self: &Self => &ArrayView<'a, A, D>, &self.0; operand_in_py side_in_py
    }
}

impl<A, D: Dimension> Indexed<Array<A, D>> {
    /// Slices the new array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: SliceFor<D>>(self, spec: I) -> Array<A, I::OutDim> {
        self.0.0.at_move(spec)
    }

    /// Returns the new array in a wrapper, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(self) -> Held<Array<A, D>> {
        Held(self.0.0)
    }

    methods! {
        "Returns the new array."
        self: Self => Array<A, D>, self.0.0; value_in_py owned_in_py operand_in_py side_in_py
    }

    /// Borrows the new array for a comparison.
    #[inline]
    pub fn compared_in_py(&self) -> ArrayView<'_, A, D> {
        self.0.0.view()
    }
}

impl<'a, A, D: Dimension> Indexed<ArrayView<'a, A, D>> {
    /// Returns the view, even if it has no axes.
    #[inline]
    pub fn whole_in_py(self) -> OtherIndexed<ArrayView<'a, A, D>> {
        self.0
    }
}

impl<A, D: Dimension> Indexed<Array<A, D>> {
    /// Returns the new array.
    #[inline]
    pub const fn whole_in_py(self) -> Self {
        self
    }
}

/// A wrapper that dereferences to a view. It lets an expansion dereference a view in the same way as a reference to an
/// element.
#[derive(Debug)]
pub struct Held<T>(pub(super) T);
