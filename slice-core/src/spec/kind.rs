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

/// A list, a mask or points: applies to `AXES` neighboring axes, and replaces them with `RANK` axes. A list or a mask with
/// one axis keeps its axis, with only the selected positions.
#[derive(Clone, Copy, Debug)]
pub enum List<const AXES: usize = 1, const RANK: usize = 1> {}

/// Points, whose lists have the ranks `Ranks`, as nested pairs of [`Rank`]: applies to one axis for each list, and replaces
/// these axes with as many axes as the greatest of the ranks.
#[derive(Debug)]
pub struct Points<Ranks>(core::marker::PhantomData<Ranks>);

/// The rank of one of the lists of [`Points`].
#[derive(Clone, Copy, Debug)]
pub enum Rank<const N: usize> {}

/// Replaces the list of kinds in the type of a slice whose item kinds are not known at compile time. See
/// [`SliceSpec::erase`](crate::SliceSpec::erase).
#[derive(Clone, Copy, Debug)]
pub enum AnyKinds {}
