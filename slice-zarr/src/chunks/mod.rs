//! Determines the chunks of an array that a selection touches, and the elements selected from each chunk.
//!
//! ```text
//! rows [70, 3, 41, 3], chunks of 32 rows     chunk 0: its rows 3 and 3 fill output rows 1 and 3
//!                                            chunk 1: its row 9 fills output row 2
//!                                            chunk 2: its row 6 fills output row 0
//! ```
//!
//! On an axis with a range, the touched chunks and their selected positions are computed from the start, the step and
//! the length of the range. The positions of a list are grouped by chunk once per plan. A *part* of a plan combines one
//! of these chunks from each axis, so each touched chunk has exactly one part, whatever the order of the lists. Without
//! lists, the size of a plan does not depend on the number of chunks. Each part is computed independently of the others.

pub(crate) mod axes;
pub(crate) mod axis;
pub(crate) mod grouped;
pub(crate) mod joined;
#[cfg(test)]
pub(crate) mod list_tests;
pub(crate) mod part;
pub(crate) mod parts;
pub(crate) mod range;
pub(crate) mod runs;
#[cfg(test)]
mod tests;

use alloc::borrow::Cow;
use alloc::boxed::Box;

#[cfg(feature = "zarrs")]
use slice_core::ResolvedStep;
use slice_core::resolve::element_count;
use slice_core::{AxisPositions, Selection, SliceError};

use crate::read_plan::error::PlanError;
use axes::Axes;
use axis::{AxisPart, TouchedChunks};
use grouped::Check;
use joined::JoinedAxes;

/// The chunks of an array that are touched by a selection, and the selected elements of each chunk.
///
/// Python equivalent: the chunks read by `z[spec]`, for a Zarr, HDF5 or Dask array `z`; for a selection with lists, by
/// `z.oindex[spec]`.
///
/// The chunks form a regular grid. The last chunk on an axis extends beyond the array unless the length of a chunk
/// divides the length of the axis. A plan has one [part](crate::ChunkPart) for each chunk that holds at least one
/// selected element, even if the positions of a list are unordered or repeated. Together, the parts fill each element of
/// the output exactly once. They are created one at a time, in C order of the chunk grid, each in time proportional to
/// the rank.
///
/// In addition to the selection, a plan holds at most 8 bytes for each position of a list, or for each run of positions in
/// one chunk, and at most 16 bytes for each touched chunk of an axis with a list.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::ChunkPlan;
///
/// // Selects every 30th of 100 elements, which are stored in chunks of 10. The four elements are in four chunks.
/// let selection = s![::30].resolve(&[100])?;
/// let plan = ChunkPlan::new(&selection, &[10])?;
/// assert!(plan.grid_shape().eq([10]));
/// assert_eq!(plan.chunk_shape(), [10]);
/// assert_eq!((plan.len(), plan.is_empty()), (4, false));
/// let touched = plan.parts().map(|part| part.chunk().next().unwrap());
/// assert_eq!(touched.collect::<Vec<_>>(), [0, 3, 6, 9]);
///
/// // Two of these four elements are in the same chunk.
/// let plan = ChunkPlan::new(&s![[71, 3, 40, 4]].resolve(&[100])?, &[10])?;
/// let touched = plan.parts().map(|part| part.chunk().next().unwrap());
/// assert_eq!(touched.collect::<Vec<_>>(), [0, 4, 7]);
///
/// let part = plan.parts().next().unwrap();
/// assert_eq!(part.selection(), s![[3, 4]].resolve(&[10])?);
/// assert_eq!(part.output(), s![[1, 3]].resolve(&[4])?);
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a plan does nothing until its parts are iterated over"]
pub struct ChunkPlan {
    // INVARIANT: `len` and `units` are 0 if the selection is empty. Otherwise, `len` is the product, over all axes, of the
    // numbers of touched chunks, and `units` is the product of the numbers of touched units. `len` and `units` are at most
    // the number of selected elements.
    axes: Axes,
    /// The selection if it joins axes. `None` if the orthogonal selection of `axes` is the planned one.
    joined_selection: Option<Box<Selection>>,
    len: usize,
    units: usize,
}

impl ChunkPlan {
    /// Creates a plan for a selection from an array whose chunks have the shape `chunk_shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::RankMismatch`] if the number of lengths in `chunk_shape` differs from the number of input
    /// axes, [`PlanError::EmptyChunk`] if one of the lengths is zero, [`PlanError::ChunkTooLarge`] if a chunk has more
    /// than `isize::MAX` elements, and [`PlanError::TooManyCuts`] if, by an estimate, the runs of a list would be cut at
    /// chunk boundaries more than 2^22 times.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::ChunkPlan;
    ///
    /// let plan = ChunkPlan::new(&s![1, ::-2].resolve(&[4, 6])?, &[2, 4])?;
    /// let parts: Vec<_> = plan.parts().collect();
    /// assert_eq!(parts.len(), 2);
    /// assert!(parts[0].chunk().eq([0, 0]) && parts[1].chunk().eq([0, 1]));
    ///
    /// // x[1, ::-2] selects columns 5, 3 and 1. The first chunk holds columns 0 to 3, so it fills the second and the third
    /// // element of the output.
    /// assert_eq!(parts[0].selection(), s![1, ::-2].resolve(&[2, 4])?);
    /// assert_eq!(parts[0].output(), s![1:].resolve(&[3])?);
    /// # Ok::<(), slice_zarr::PlanError>(())
    /// ```
    pub fn new(selection: &Selection, chunk_shape: &[usize]) -> Result<Self, PlanError> {
        Self::in_units(selection.clone(), chunk_shape, chunk_shape, &|| Ok(()))
    }

    /// Creates a plan for a selection from an array whose chunks consist of units of shape `unit_shape`, which are
    /// decoded one by one. Calls `check` repeatedly while lists are grouped, and returns its first error.
    pub(crate) fn in_units<E: From<PlanError>>(
        selection: Selection,
        chunk_shape: &[usize],
        unit_shape: &[usize],
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        let rank = selection.input_shape().len();
        check_chunk_shape(rank, chunk_shape)?;
        check_chunk_shape(rank, unit_shape)?;
        let (axes, joined_selection) = Axes::new(selection, chunk_shape, unit_shape, check)?;
        let product = |count: fn(&TouchedChunks) -> usize| match axes.selection.is_empty() {
            true => 0,
            false => axes.touched.iter().map(count).product(),
        };
        Ok(ChunkPlan {
            len: product(TouchedChunks::len),
            units: product(TouchedChunks::units),
            axes,
            joined_selection: joined_selection.map(Box::new),
        })
    }

    /// Returns the planned selection.
    pub fn selection(&self) -> &Selection {
        let joined = self.joined_selection.as_deref();
        joined.unwrap_or(&self.axes.selection)
    }

    /// Returns the shape of a chunk.
    #[must_use]
    pub fn chunk_shape(&self) -> &[usize] {
        self.joined_axes()
            .map_or(&self.axes.chunk_shape, |joined_axes| {
                &joined_axes.chunk_shape
            })
    }

    /// Returns the joined axes, or `None` if the selection joins no axes.
    pub(crate) fn joined_axes(&self) -> Option<&JoinedAxes> {
        self.axes.joined.as_deref()
    }

    /// Returns the orthogonal selection that is planned: from the array with joined axes if the selection joins axes, and otherwise the
    /// selection itself. The axes of the plan are its input axes.
    #[inline]
    pub(crate) fn orthogonal(&self) -> &Selection {
        &self.axes.selection
    }

    /// Returns the product of `lens` on the axes of the array for each axis of the plan.
    pub(crate) fn merged<'l>(&self, lens: &'l [usize]) -> Cow<'l, [usize]> {
        match self.joined_axes() {
            None => Cow::Borrowed(lens),
            Some(joined_axes) => Cow::Owned(joined_axes.merged(lens).to_vec()),
        }
    }

    /// Returns the number of chunks along each axis of the array.
    #[must_use]
    pub fn grid_shape(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let axes = self.selection().input_shape().iter();
        let axes = axes.zip(self.chunk_shape());
        axes.map(|(&size, &chunk)| size.div_ceil(chunk))
    }

    /// Returns the number of chunks that hold at least one selected element.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if no chunk is touched.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the axis of the plan to which an axis of the array belongs, and the number of elements that a chunk or unit
    /// of shape `shape` has on later axes of the array that belong to it.
    #[cfg(feature = "zarrs")]
    pub(crate) fn axis_of(&self, axis: usize, shape: &[usize]) -> (usize, usize) {
        match self.joined_axes() {
            None => (axis, 1),
            Some(joined_axes) => {
                let (plan_axis, axes) = joined_axes.axes_of(axis);
                (plan_axis, shape[axis + 1..axes.end].iter().product())
            }
        }
    }

    /// Returns the positions selected on an axis of its `k`-th touched chunk.
    #[inline]
    fn axis_chunk(&self, axis: usize, k: usize) -> AxisPart<'_> {
        self.axes.touched[axis].chunk(|| list(self.orthogonal(), axis), k)
    }

    /// Returns the positions selected on an axis of touched chunks, as [`TouchedChunks::distinct_chunks`] does.
    #[cfg(feature = "zarrs")]
    pub(crate) fn distinct_chunks(
        &self,
        axis: usize,
    ) -> impl Iterator<Item = (AxisPart<'_>, usize)> {
        self.axes.touched[axis].distinct_chunks(move || list(self.orthogonal(), axis))
    }

    /// Returns the number of units that hold at least one selected element.
    #[cfg(feature = "zarrs")]
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    /// Returns the memory, in bytes, held by the lists of the selection and by the groups of their positions.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> u64 {
        let joined = self.joined_selection.as_deref().map_or(0, list_bytes);
        joined + self.axes.held_bytes()
    }
}

/// Checks that an array of rank `rank` can have chunks of shape `chunk_shape`.
pub(crate) fn check_chunk_shape(rank: usize, chunk_shape: &[usize]) -> Result<(), PlanError> {
    check_lengths(rank, chunk_shape)?;
    match element_count(chunk_shape) {
        Err(SliceError::TooLarge { axis, size: len }) => {
            Err(PlanError::ChunkTooLarge { axis, len })
        }
        result => Ok(result.map(drop)?),
    }
}

/// Checks that `chunk_shape` has `rank` lengths, and that none of them is zero.
pub(crate) fn check_lengths(rank: usize, chunk_shape: &[usize]) -> Result<(), PlanError> {
    let (expected, actual) = (rank, chunk_shape.len());
    if expected != actual {
        return Err(SliceError::RankMismatch { expected, actual }.into());
    }
    match chunk_shape.iter().position(|&len| len == 0) {
        Some(axis) => Err(PlanError::EmptyChunk { axis }),
        None => Ok(()),
    }
}

/// Returns the list on an axis of an orthogonal selection.
pub(crate) fn list(selection: &Selection, axis: usize) -> &AxisPositions {
    match selection.axis(axis) {
        Cow::Borrowed(list) => list,
        Cow::Owned(_) => unreachable!("the axis should have a list"),
    }
}

/// Returns a bound on the size, in bytes, of the lists of a selection: 8 bytes for a single position, and 32 for a run.
#[cfg(feature = "zarrs")]
pub(crate) fn list_bytes(selection: &Selection) -> u64 {
    let bytes = selection.resolved_steps().map(|step| match step {
        ResolvedStep::List(list) => {
            let (positions, runs) = (list.positions().len(), list.positions().runs().len());
            runs * if runs == positions { 8 } else { 32 }
        }
        _ => 0,
    });
    bytes.sum::<usize>() as u64
}
