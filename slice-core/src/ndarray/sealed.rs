//! Supertraits that other crates cannot implement. They seal the public traits of the `ndarray` module, so that methods
//! can be added later, and unsafe code can rely on the implementations.

use ndarray::{ArrayBase, RawData};

use crate::resolve::selection::Selection;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;

/// A slice, with or without lists.
pub trait Slice {}

impl<const M: usize, K> Slice for SliceSpec<M, K> {}
impl Slice for DynSliceSpec {}
impl<T: Slice + ?Sized> Slice for &T {}
impl<const M: usize, K> Slice for ListSpec<'_, M, K> {}
impl Slice for Selection {}

/// Several slices: a tuple, an array or a Rust slice of slices.
pub trait Slices {}

impl<I: Slice> Slices for &[I] {}
impl<I: Slice, const COUNT: usize> Slices for [I; COUNT] {}

/// An array or a view.
pub trait Array {}

impl<S: RawData, D> Array for ArrayBase<S, D> {}
