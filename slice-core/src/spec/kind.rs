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

/// A `...` item: keeps all axes to which no other item applies.
#[derive(Clone, Copy, Debug)]
pub enum Ellipsis {}

/// A list or a mask: keeps its axis, with only the selected positions.
#[derive(Clone, Copy, Debug)]
pub enum List {}

/// Replaces the list of kinds in the type of a slice whose item kinds are not known at compile time. See
/// [`SliceSpec::erase`](crate::SliceSpec::erase).
#[derive(Clone, Copy, Debug)]
pub enum AnyKinds {}
