//! The kinds of items, as types. See [`kind`](crate::kind).

/// A range item, `begin:end:step`: keeps its axis.
#[derive(Clone, Copy, Debug)]
pub enum Range {}

/// An integer item: selects one element and drops its axis.
#[derive(Clone, Copy, Debug)]
pub enum Index {}

/// A `newaxis` item: inserts an axis of length 1.
#[derive(Clone, Copy, Debug)]
pub enum NewAxis {}

/// A `...` item: covers all axes that no other item names.
#[derive(Clone, Copy, Debug)]
pub enum Ellipsis {}

/// A list or a mask: keeps its axis, with only the listed positions.
#[derive(Clone, Copy, Debug)]
pub enum List {}

/// A placeholder for the list of kinds where the compiler does not know the kinds of the items. See
/// [`SliceSpec::erase`](crate::SliceSpec::erase).
#[derive(Clone, Copy, Debug)]
pub enum AnyKinds {}
