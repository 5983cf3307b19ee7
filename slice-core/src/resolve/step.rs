//! The resolved steps of a selection: one for each input axis and each new axis.

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::shape::element_count;

/// The origin of an axis of the result.
///
/// # Example
///
/// ```
/// use slice_core::{OutputAxis, s};
///
/// let selection = s![0, newaxis, ::2].resolve(&[4, 5])?;
/// assert_eq!(selection.output_axes(), [OutputAxis::New { len: 1 }, OutputAxis::Input(1)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputAxis {
    /// The input axis with this number. An axis of the result that comes from several input axes, or is one of several axes
    /// that come from the same list, names the first of these input axes.
    Input(usize),
    /// A new axis. In a strided [`Selection`](crate::Selection), its length is 1, or 0 if
    /// [composing](crate::Selection::compose) selections has emptied the axis. A list can repeat its position.
    New {
        /// The length of the axis.
        len: usize,
    },
}

/// The effect of a selection on one axis: the next input axis is kept or dropped, or a new axis is inserted before it. A
/// list is the step of the axes whose positions it contains.
///
/// A selection is equivalent to a sequence of steps, from left to right.
/// [`Selection::resolved_steps`](crate::Selection::resolved_steps) returns the steps of a selection, and
/// [`Selection::from_steps`](crate::Selection::from_steps) creates a selection from steps.
///
/// # Example
///
/// ```
/// use slice_core::{AxisRange, ResolvedStep, s};
///
/// let selection = s![-1, newaxis, ::2].resolve(&[4, 5])?;
/// let steps: Vec<_> = selection.resolved_steps().collect();
/// let range = AxisRange::new(0, 2, 3);
/// assert_eq!(steps, [ResolvedStep::Drop(3), ResolvedStep::Insert { len: 1 }, ResolvedStep::Keep(range)]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResolvedStep<'a> {
    /// Keeps the axis, but only the positions in this range.
    Keep(AxisRange),
    /// Selects this position and drops the axis.
    Drop(usize),
    /// Inserts an axis. In a [strided](crate::Selection::is_strided) selection, its length is 1, or 0 if
    /// [composing](crate::Selection::compose) selections has emptied the axis. If a list selects from a new axis, the axis
    /// repeats its position.
    Insert {
        /// The length of the axis.
        len: usize,
    },
    /// Keeps the positions in a list. A [strided](crate::Selection::is_strided) selection has no such step.
    List(&'a ListedAxes),
}

/// Neighboring input axes whose positions are listed together: flat positions in C order over these axes.
///
/// A list of positions applies to one axis, and a mask to as many axes as it has. In the result, these axes are replaced
/// with axes of the lengths in [`shape`](Self::shape), in C order.
///
/// # Example
///
/// ```
/// use slice_core::{ResolvedStep, s};
///
/// let selection = s![[5, 0, 7], 1].resolve(&[8, 2])?;
/// let Some(ResolvedStep::List(list)) = selection.resolved_steps().next() else { panic!("the list comes first") };
/// assert_eq!((list.axes(), list.shape()), (1, &[3][..]));
/// assert!(list.positions().iter().eq([5, 0, 7]));
///
/// let selection = s![[[true, false], [false, true]]].resolve(&[2, 2])?;
/// let Some(ResolvedStep::List(mask)) = selection.resolved_steps().next() else { panic!("the mask comes first") };
/// assert_eq!((mask.axes(), mask.shape()), (2, &[2][..]));
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ListedAxes {
    // INVARIANT: the product of `shape` is the number of `positions`. In a selection, `axes` is not 0, `shape` is not empty,
    // and the positions are not a range if both are 1.
    axes: usize,
    shape: SmallVec<[usize; 2]>,
    positions: AxisPositions,
}

impl ListedAxes {
    /// Lists the positions of `axes` input axes. `shape` has one element for each position.
    pub(crate) fn new(axes: usize, shape: &[usize], positions: AxisPositions) -> Self {
        // The product of the lengths before a length of 0 could overflow.
        let len = match shape.contains(&0) {
            true => 0,
            false => shape.iter().product(),
        };
        assert_eq!(
            positions.len(),
            len,
            "a list should have one element for each element of its shape"
        );
        let shape = SmallVec::from_slice(shape);
        ListedAxes {
            axes,
            shape,
            positions,
        }
    }

    /// Lists the positions of `axes` input axes, in C order over these axes. There is one position for each element of the
    /// axes of the result, whose lengths are in `shape`. Without input axes, the axes of the result are new, and each position
    /// is 0. Without axes of the result, the one position drops the input axes.
    /// [`Selection::from_steps`](crate::Selection::from_steps) checks that the positions lie on the axes.
    ///
    /// # Errors
    ///
    /// * [`SliceError::BufferLength`] unless there is one position for each element of `shape`.
    /// * [`SliceError::TooLarge`] if no array can have the shape `shape`.
    /// * [`SliceError::InvalidRange`] if a position is larger than `isize::MAX`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{AxisPositions, ListedAxes, ResolvedStep, Selection, s};
    ///
    /// let diagonal = ListedAxes::from_positions(2, &[3], AxisPositions::from_positions([0, 4, 8]))?;
    /// let selection = Selection::from_steps(&[3, 3], [ResolvedStep::List(&diagonal)])?;
    /// assert_eq!(selection, s![zip([0, 1, 2], [0, 1, 2])].resolve(&[3, 3])?);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn from_positions(
        axes: usize,
        shape: &[usize],
        positions: AxisPositions,
    ) -> Result<Self, SliceError> {
        let (expected, actual) = (element_count(shape)?, positions.len());
        if expected != actual {
            return Err(SliceError::BufferLength { expected, actual });
        }
        let size = isize::MAX as usize;
        match positions.outside(size) {
            None => Ok(ListedAxes::new(axes, shape, positions)),
            Some(range) => Err(invalid_range(0, range, size)),
        }
    }

    /// Returns `true` if the positions belong to one axis, and give one axis of the result.
    pub(crate) fn is_orthogonal(&self) -> bool {
        self.axes == 1 && self.shape.len() == 1
    }

    /// Returns the number of input axes.
    #[must_use]
    pub fn axes(&self) -> usize {
        self.axes
    }

    /// Returns the lengths of the axes of the result that take the place of the input axes.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the positions.
    #[must_use]
    pub fn positions(&self) -> &AxisPositions {
        &self.positions
    }

    /// Stores single positions as `usize`, as is done for axes that are too long for four-byte positions.
    #[cfg(test)]
    pub(crate) fn widen(&mut self) {
        use crate::resolve::positions::form::{Cut, Form};

        if let Cut::Narrow(_) = self.positions.cut() {
            self.positions = AxisPositions(Form::Wide(self.positions.iter().collect()));
        }
    }
}

impl ResolvedStep<'_> {
    /// Returns the number of input axes to which the step applies.
    #[inline]
    pub(crate) const fn input_axes(self) -> usize {
        match self {
            ResolvedStep::Keep(_) | ResolvedStep::Drop(_) => 1,
            ResolvedStep::Insert { .. } => 0,
            ResolvedStep::List(listed) => listed.axes,
        }
    }

    /// Returns the number of axes of the result that come from the step.
    #[inline]
    pub(crate) fn output_axes(self) -> usize {
        match self {
            ResolvedStep::Drop(_) => 0,
            ResolvedStep::Keep(_) | ResolvedStep::Insert { .. } => 1,
            ResolvedStep::List(listed) => listed.shape().len(),
        }
    }

    /// Returns the positions that the step selects on its input axis, or `None` if it inserts an axis or has a list.
    #[inline]
    pub(crate) const fn input_range(self) -> Option<AxisRange> {
        match self {
            ResolvedStep::Keep(range) => Some(range),
            ResolvedStep::Drop(position) => Some(AxisRange::single(position)),
            ResolvedStep::Insert { .. } | ResolvedStep::List(_) => None,
        }
    }

    /// Checks that the positions of the step lie on the axes of `shape` from `axis` on.
    pub(crate) fn check(self, axis: usize, shape: &[usize]) -> Result<(), SliceError> {
        let (range, size) = match self {
            ResolvedStep::Keep(range) => (range, shape[axis]),
            ResolvedStep::Drop(position) => (AxisRange::single(position), shape[axis]),
            ResolvedStep::Insert { .. } => return Ok(()),
            ResolvedStep::List(list) => {
                let sizes = shape[axis..].iter().take(list.axes);
                let size = sizes.fold(1, |all: usize, &size| all.saturating_mul(size));
                let outside = list.positions.outside(size);
                return outside.map_or(Ok(()), |run| Err(invalid_range(axis, run, size)));
            }
        };
        match range.lies_within(size) {
            true => Ok(()),
            false => Err(invalid_range(axis, range, size)),
        }
    }
}

/// Returns the error for a range that is invalid on its axis.
pub(super) fn invalid_range(
    axis: usize,
    AxisRange { start, step, len }: AxisRange,
    size: usize,
) -> SliceError {
    SliceError::InvalidRange {
        axis,
        start,
        step,
        len,
        size,
    }
}

/// An iterator over the steps of a selection. A new axis comes directly before the next kept axis, or at the end.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedSteps<'a> {
    axes: &'a [AxisRange],
    /// The remaining axes of the result. The input axes among them are in ascending order.
    output: &'a [OutputAxis],
    /// The remaining lists, each with its first axis.
    lists: &'a [(usize, ListedAxes)],
    /// The next input axis.
    axis: usize,
}

impl<'a> ResolvedSteps<'a> {
    /// Creates the iterator. The input axes in `output` must be in ascending order.
    #[inline]
    pub(crate) fn new(
        axes: &'a [AxisRange],
        output: &'a [OutputAxis],
        lists: &'a [(usize, ListedAxes)],
    ) -> Self {
        ResolvedSteps {
            axes,
            output,
            lists,
            axis: 0,
        }
    }

    /// Returns the next list if it applies to the next input axis.
    #[inline]
    fn next_list(&mut self) -> Option<&'a ListedAxes> {
        let (&(first, ref list), rest) = self.lists.split_first()?;
        if first != self.axis {
            return None;
        }
        self.lists = rest;
        Some(list)
    }

    /// Returns the next kept input axis, or the rank of the input if no further axis is kept.
    #[inline]
    fn next_kept_axis(&self) -> usize {
        let mut kept_axes = self.output.iter().filter_map(|origin| match *origin {
            OutputAxis::Input(axis) => Some(axis),
            OutputAxis::New { .. } => None,
        });
        kept_axes.next().unwrap_or(self.axes.len())
    }
}

impl<'a> Iterator for ResolvedSteps<'a> {
    type Item = ResolvedStep<'a>;

    #[inline]
    fn next(&mut self) -> Option<ResolvedStep<'a>> {
        let axis = self.axis;
        let (step, outputs) = match self.output.first() {
            Some(&OutputAxis::Input(kept)) if axis == kept => match self.next_list() {
                Some(list) => {
                    self.axis += list.axes;
                    (ResolvedStep::List(list), list.shape.len())
                }
                None => {
                    self.axis += 1;
                    (ResolvedStep::Keep(self.axes[axis]), 1)
                }
            },
            Some(&OutputAxis::New { len }) if axis == self.next_kept_axis() => {
                (ResolvedStep::Insert { len }, 1)
            }
            _ => {
                let dropped = self.axes.get(axis)?;
                self.axis += 1;
                return Some(ResolvedStep::Drop(dropped.start));
            }
        };
        self.output = &self.output[outputs..];
        Some(step)
    }
}
