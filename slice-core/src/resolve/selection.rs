//! `Selection`: a spec applied to a shape. A selection contains no masks, and all its positions are counted from 0.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::shape::check_shape;
use crate::resolve::step::{ListedAxes, OutputAxis, ResolvedStep, ResolvedSteps};
use crate::spec::slice_spec::SliceSpec;

/// A shape, or another list with one value per axis. Up to six values are stored inline.
pub(crate) type PerAxis<T = usize> = SmallVec<[T; 6]>;

/// The elements selected from an array of a known shape, and the shape of the result.
///
/// Python equivalent: none. NumPy computes a selection internally from `x.shape` and the slice.
///
/// A range, and a list or mask with one axis, select positions on one axis, independently of the other axes. Points, and masks
/// with several axes, [list](ListedAxes) the positions of several axes together. A selection without lists is [strided](Self::is_strided): each
/// input axis has a start, a step and a length ([`axes`](Self::axes)), so the selected elements have a
/// [`layout`](Self::layout). A list with one axis whose positions have a constant step counts as a range. An input axis that
/// is not among the [output axes](Self::output_axes) was dropped by an index.
///
/// # Example
///
/// ```
/// use slice_core::s;
///
/// let selection = s![1, ::-1].resolve(&[2, 3])?;
/// assert_eq!(selection.output_shape(), [3]);
/// assert_eq!(selection.indices().collect::<Vec<_>>(), [5, 4, 3]);
/// assert_eq!(selection.gather(&[10, 11, 12, 13, 14, 15])?, [15, 14, 13]);
///
/// let selection = s![[1, 0, 1], 1:].resolve(&[2, 3])?;
/// assert_eq!(selection.output_shape(), [3, 2]);
/// assert!(!selection.is_strided());
/// assert_eq!(selection.gather(&[10, 11, 12, 13, 14, 15])?, [14, 15, 11, 12, 14, 15]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a selection does nothing until it is used to copy or view elements"]
pub struct Selection {
    // INVARIANT: `axes` has one range for each axis of `input_shape`, whose positions lie on that axis. If the axis is
    // among the axes of a list, the range has the length of the list, and its positions have no meaning. The input axes in
    // `output` are in ascending order, and only the first axis of a list is repeated. An input axis that is not in `output`
    // has exactly one position, unless it is another axis of a list. `input_len` is the product of `input_shape`, and `len`
    // is the product of `output_shape`. The two products are at most `isize::MAX`.
    pub(super) input_shape: PerAxis,
    pub(super) axes: PerAxis<AxisRange>,
    pub(super) output: PerAxis<OutputAxis>,
    pub(super) output_shape: PerAxis,
    pub(super) input_len: usize,
    pub(super) len: usize,
    /// The listed axes, each with the number of the first of them, in the order of `output`.
    pub(super) lists: Vec<(usize, ListedAxes)>,
    /// `true` unless `lists` is not empty, or `output` has a new axis that is longer than 1.
    pub(super) is_strided: bool,
}

impl<const M: usize, K> SliceSpec<M, K> {
    /// Determines the elements that the spec selects from an array with the shape `shape`.
    ///
    /// Python equivalent: `x[spec]` for an array `x` with `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// * [`SliceError::TooManyIndices`] if the shape has too few axes. As in NumPy, this error is reported before all
    ///   others.
    /// * [`SliceError::IndexOutOfBounds`] if an index is out of bounds, and [`SliceError::ZeroStep`] if a step is zero.
    ///   If several items are invalid, the error describes the leftmost of them.
    /// * [`SliceError::TooLarge`] if `shape` is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1:, ..., newaxis, :-3:-1].resolve(&[4, 5, 6])?;
    /// assert_eq!(selection.output_shape(), [3, 5, 1, 2]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        Selection::new(self.encoded(), shape)
    }
}

impl Selection {
    /// Returns the shape of the arrays to which the selection applies.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1].resolve(&[2, 3])?;
    /// assert_eq!((selection.input_shape(), selection.output_shape()), (&[2, 3][..], &[3][..]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn input_shape(&self) -> &[usize] {
        &self.input_shape
    }

    /// Returns the number of elements in an array with the input shape.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1].resolve(&[2, 3])?;
    /// assert_eq!((selection.input_len(), selection.len()), (6, 3));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.input_len
    }

    /// Returns the shape of the result.
    #[inline]
    #[must_use]
    pub fn output_shape(&self) -> &[usize] {
        &self.output_shape
    }

    /// Returns the number of elements in the result.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if nothing is selected.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![2:].resolve(&[2, 3])?.is_empty());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Checks that the selection applies to arrays with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::ShapeMismatch`](SliceError::ShapeMismatch) if the selection was resolved
    /// for a different shape.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![1].resolve(&[2, 3])?;
    /// assert!(selection.check_shape(&[2, 3]).is_ok());
    /// assert!(selection.check_shape(&[3, 3]).is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn check_shape(&self, shape: &[usize]) -> Result<(), SliceError> {
        check_shape(&self.input_shape, shape)
    }

    /// Returns `true` if the selected elements have a [`layout`](Self::layout). A selection with lists is strided if each
    /// list, or mask, has one axis, and its positions have a constant step other than 0, or there is at most one position.
    /// A selection with points, or with lists or masks of several axes, is not strided.
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[1, 2, 3], 0].resolve(&[6, 2])?.is_strided());
    /// assert!(!s![[1, 2, 5], 0].resolve(&[6, 2])?.is_strided());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    #[must_use]
    pub fn is_strided(&self) -> bool {
        self.is_strided
    }

    /// Checks that the positions on each axis do not depend on the other axes, and that each input axis gives at most one axis
    /// of the result. The lists of such a selection select as NumPy's `np.ix_` does, which zarr and xarray call orthogonal
    /// indexing. A mask or points on several axes, and a list with several axes, are not orthogonal.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::JoinedAxes`] for the first item that joins axes, or gives other than one axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert!(s![[1, 2, 5], [0, 3]].resolve(&[6, 4])?.check_orthogonal().is_ok());
    /// assert!(s![[[1, 2], [5, 0]]].resolve(&[6, 4])?.check_orthogonal().is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn check_orthogonal(&self) -> Result<(), SliceError> {
        match self.lists.iter().find(|(_, list)| !list.is_orthogonal()) {
            None => Ok(()),
            Some((axis, list)) => Err(SliceError::JoinedAxes {
                axis: *axis,
                axes: list.axes(),
                rank: list.shape().len(),
            }),
        }
    }

    /// Returns an error if the selection is not strided.
    #[inline]
    pub(crate) fn check_strided(&self) -> Result<(), SliceError> {
        match self.is_strided() {
            true => Ok(()),
            false => Err(SliceError::NotStrided),
        }
    }

    /// Returns the range on each input axis. A dropped axis has one position.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::NotStrided`] unless the selection [is strided](Self::is_strided). [`axis`](Self::axis) also
    /// returns the positions in a list.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, s};
    ///
    /// let selection = s![1, ::-2].resolve(&[2, 5])?;
    /// assert_eq!(selection.axes()?, [AxisRange::single(1), AxisRange::new(4, -2, 3)]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn axes(&self) -> Result<&[AxisRange], SliceError> {
        self.check_strided()?;
        Ok(&self.axes)
    }

    /// Returns the range on each input axis of a strided selection.
    #[inline(always)]
    pub(crate) fn ranges(&self) -> &[AxisRange] {
        debug_assert!(self.is_strided());
        &self.axes
    }

    /// Returns the selected positions on an input axis. A dropped axis has one position. If the positions of several axes are
    /// [listed together](ListedAxes), the positions on each of them have the same order, as in the arrays that `np.nonzero`
    /// returns.
    ///
    /// # Panics
    ///
    /// Panics if the input has no such axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![[2, 0], ::2].resolve(&[3, 5])?;
    /// assert!(selection.axis(0).iter().eq([2, 0]));
    /// assert!(selection.axis(1).iter().eq([0, 2, 4]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn axis(&self, axis: usize) -> Cow<'_, AxisPositions> {
        let Some((first, list)) = self.list_on(axis) else {
            return Cow::Owned(self.axes[axis].into());
        };
        if list.axes() == 1 {
            return Cow::Borrowed(list.positions());
        }
        let size = self.input_shape[axis];
        let inner = &self.input_shape[axis + 1..first + list.axes()];
        // If the product wraps, the input is empty, so nothing is selected.
        let inner: usize = inner.iter().fold(1, |all, &size| all.wrapping_mul(size));
        let positions = list.positions().iter();
        let on_axis = positions.map(|k| k.checked_div(inner).unwrap_or(0) % size.max(1));
        Cow::Owned(AxisPositions::from_positions(on_axis))
    }

    /// Returns the list whose positions are on an input axis, among others, and its first axis. Panics if the input has no
    /// such axis.
    fn list_on(&self, axis: usize) -> Option<&(usize, ListedAxes)> {
        assert!(
            axis < self.axes.len(),
            "axis {axis} does not exist, because the input has {} axes",
            self.axes.len()
        );
        let mut lists = self.lists.iter();
        lists.find(|(first, list)| (*first..first + list.axes()).contains(&axis))
    }

    /// Returns the selected positions on an input axis as a range, or `None` if the step between the positions is not
    /// constant, or is 0, or if points, or a list or mask of several axes, select them.
    ///
    /// # Panics
    ///
    /// Panics if the input has no such axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, s};
    ///
    /// let selection = s![[2, 1, 0], [0, 2, 3]].resolve(&[3, 4])?;
    /// assert_eq!((selection.range(0), selection.range(1)), (Some(AxisRange::new(2, -1, 3)), None));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn range(&self, axis: usize) -> Option<AxisRange> {
        match self.list_on(axis) {
            None => Some(self.axes[axis]),
            Some(_) => None,
        }
    }

    /// Returns the origin of each axis of the result.
    ///
    /// ```
    /// use slice_core::{OutputAxis, s};
    ///
    /// let selection = s![1, newaxis, :].resolve(&[2, 5])?;
    /// assert_eq!(selection.output_axes(), [OutputAxis::New { len: 1 }, OutputAxis::Input(1)]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[must_use]
    pub fn output_axes(&self) -> &[OutputAxis] {
        &self.output
    }

    /// Returns the effect of the selection on each axis, from left to right. A new axis comes after any dropped axes,
    /// directly before the next kept axis or at the end.
    ///
    /// Dropped axes also have steps, so callers need not search for the input axes that are missing from the output
    /// axes.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisRange, ResolvedStep, s};
    ///
    /// let selection = s![1:, newaxis, -1].resolve(&[4, 5])?;
    /// assert!(selection.resolved_steps().eq([
    ///     ResolvedStep::Keep(AxisRange::new(1, 1, 3)),
    ///     ResolvedStep::Drop(4),
    ///     ResolvedStep::Insert { len: 1 },
    /// ]));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn resolved_steps(&self) -> impl Iterator<Item = ResolvedStep<'_>> + Clone + '_ {
        ResolvedSteps::new(&self.axes, &self.output, &self.lists)
    }
}

#[cfg(test)]
impl Selection {
    /// Stores single positions as `usize`, as is done for axes that are too long for four-byte positions.
    pub(crate) fn widened(mut self) -> Self {
        { self.lists.iter_mut() }.for_each(|(_, list)| list.widen());
        self
    }
}
