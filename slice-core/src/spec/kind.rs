//! The kinds of item a slice is made of, as types.
//!
//! `s![1:, ..., newaxis, 0]` has the type `SliceSpec<4, (Range, (Ellipsis, (NewAxis, (Index, ()))))>`: the kind list
//! lets the compiler compute the rank of the result.

/// A range item, `begin:end:stride`: keeps its axis.
#[derive(Clone, Copy, Debug)]
pub enum Range {}

/// An integer item: selects one element and drops its axis.
#[derive(Clone, Copy, Debug)]
pub enum Index {}

/// A `newaxis` item: inserts an axis of length 1.
#[derive(Clone, Copy, Debug)]
pub enum NewAxis {}

/// An `...` item: covers all axes that no other item names.
#[derive(Clone, Copy, Debug)]
pub enum Ellipsis {}

/// In place of a list: items of kinds that are not known to the compiler; made by
/// [`SliceSpec::erase`](crate::SliceSpec::erase).
#[derive(Clone, Copy, Debug)]
pub enum AnyKinds {}

/// How many axes a slice indexes, and which arrays have so many: what the compiler names where a dimension is generic.
#[cfg(feature = "ndarray")]
pub use crate::ndarray::{Axes, FitsIn, NoAxis};
