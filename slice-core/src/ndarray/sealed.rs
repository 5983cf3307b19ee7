//! Keeps the traits of this module from being implemented elsewhere: so that their methods may grow in number, and
//! because views rely on what a slice says of itself.

use ndarray::{ArrayRef, ArrayView, ArrayViewMut, Dimension};

use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::slice_spec::SliceSpec;

/// A slice.
pub trait Slice {}

impl<const M: usize, K> Slice for SliceSpec<M, K> {}
impl Slice for DynSliceSpec {}
impl<T: Slice + ?Sized> Slice for &T {}

/// Several slices.
pub trait Slices {}

impl<I: Slice> Slices for &[I] {}
impl<I: Slice, const COUNT: usize> Slices for [I; COUNT] {}

/// An array or a view.
pub trait Array {}

impl<A, D: Dimension> Array for ArrayRef<A, D> {}
impl<A, D: Dimension> Array for ArrayView<'_, A, D> {}
impl<A, D: Dimension> Array for ArrayViewMut<'_, A, D> {}
