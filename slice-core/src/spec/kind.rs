//! The kinds of items, as types. See [`kind`](crate::kind).

/// A range item, `begin:end:step`: keeps its axis.
///
/// # Example
///
/// ```
/// use slice_core::kind::Range;
/// use slice_core::{SliceSpec, s};
///
/// const EVERY_SECOND: SliceSpec<1, (Range, ())> = s![::2];
/// assert_eq!(EVERY_SECOND.output_shape([5, 4]), [3, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Range {}

/// An integer item: selects one element and drops its axis.
///
/// # Example
///
/// ```
/// use slice_core::kind::Index;
/// use slice_core::{SliceSpec, s};
///
/// const LAST: SliceSpec<1, (Index, ())> = s![-1];
/// assert_eq!(LAST.output_shape([5, 4]), [4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Index {}

/// A `newaxis` item: inserts an axis of length 1.
///
/// # Example
///
/// ```
/// use slice_core::kind::NewAxis;
/// use slice_core::{SliceSpec, s};
///
/// const AS_BATCH: SliceSpec<1, (NewAxis, ())> = s![newaxis];
/// assert_eq!(AS_BATCH.output_shape([5, 4]), [1, 5, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum NewAxis {}

/// A `...` item: keeps all axes to which no other item applies.
///
/// # Example
///
/// ```
/// use slice_core::kind::{Ellipsis, Index};
/// use slice_core::{SliceSpec, s};
///
/// const FIRST_CHANNEL: SliceSpec<2, (Ellipsis, (Index, ()))> = s![..., 0];
/// assert_eq!(FIRST_CHANNEL.output_shape([5, 4, 3]), [5, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Ellipsis {}

/// A list, a mask or points: applies to `AXES` neighboring axes, and replaces them with `RANK` axes. A list or a mask with
/// one axis keeps its axis, with only the selected positions.
///
/// # Example
///
/// ```
/// use slice_core::kind::{Index, List};
/// use slice_core::{ListSpec, s};
///
/// let rows = [2, 0];
/// let spec: ListSpec<2, (List, (Index, ()))> = s![&rows, 0];
/// assert_eq!(spec.resolve(&[3, 4])?.output_shape(), [2]);
/// let mask = [[true, false], [true, true]];
/// let spec: ListSpec<1, (List<2>, ())> = s![&mask];
/// assert_eq!(spec.resolve(&[2, 2])?.output_shape(), [3]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum List<const AXES: usize = 1, const RANK: usize = 1> {}

/// Points, whose lists have the ranks `Ranks`, as nested pairs of [`Rank`]: applies to one axis for each list, and replaces
/// these axes with as many axes as the greatest of the ranks.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let diagonal = s![zip([0, 1], [0, 1])]; // a `ListSpec` with the kind `Points`
/// assert_eq!(diagonal.resolve(&[2, 2])?.gather(&[1, 2, 3, 4])?, [1, 4]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Debug)]
pub struct Points<Ranks>(core::marker::PhantomData<Ranks>);

/// The rank of one of the lists of [`Points`].
#[derive(Clone, Copy, Debug)]
pub enum Rank<const N: usize> {}

/// Replaces the list of kinds in the type of a slice whose item kinds are not known at compile time (see
/// [`SliceSpec::erase`](crate::SliceSpec::erase)), and the kind of a list or a mask of dynamic rank.
///
/// # Example
///
/// ```
/// use slice_core::kind::Erased;
/// use slice_core::{SliceSpec, s};
///
/// let corners: [SliceSpec<2, Erased>; 2] = [s![0, :2].erase(), s![-1:, ...].erase()];
/// assert_eq!(corners[1].output_shape([3, 4]), [1, 4]);
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Erased {}
