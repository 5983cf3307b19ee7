//! The kinds of item a slice is made of, as types; see [`kind`](crate::kind).

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

/// A list or a mask: keeps its axis, with the positions that it names.
#[derive(Clone, Copy, Debug)]
pub enum List {}

/// In place of a list of kinds: items of kinds that are not known to the compiler; made by
/// [`SliceSpec::erase`](crate::SliceSpec::erase).
#[derive(Clone, Copy, Debug)]
pub enum AnyKinds {}
