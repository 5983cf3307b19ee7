//! Determines the chunks of an array that a selection touches, and the elements selected from each chunk.
//!
//! On each axis, the touched chunks and their selected positions are computed from the start, the step and the length
//! of the selection. A *part* of a plan combines one of these chunks from each axis. The size of a plan therefore does
//! not depend on the number of chunks, and each part is computed independently of the others.

pub(crate) mod axis;
pub(crate) mod lists;
pub(crate) mod part;
pub(crate) mod parts;
pub(crate) mod runs;
#[cfg(test)]
mod tests;

use slice_core::resolve::element_count;
use slice_core::{Selection, SliceError};

use crate::Dims;
use crate::read_plan::error::PlanError;
use axis::AxisChunks;

/// Implements the methods that `ChunkPlan` and `OuterChunkPlan` have in common.
macro_rules! plan_of_chunks {
    ($Plan:ident, $Selection:ident) => {
        impl $Plan {
            /// Returns the planned selection.
            pub fn selection(&self) -> &$Selection {
                &self.selection
            }

            /// Returns the shape of a chunk.
            #[must_use]
            pub fn chunk_shape(&self) -> &[usize] {
                &self.chunk_shape
            }

            /// Returns the number of chunks along each axis of the array.
            #[must_use]
            pub fn grid_shape(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
                let axes = self.selection.input_shape().iter().zip(&self.chunk_shape);
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
        }
    };
}
pub(crate) use plan_of_chunks;

/// The chunks of an array that are touched by a selection, and the selected elements of each chunk.
///
/// Python equivalent: the chunks read by `z[spec]`, for a Zarr, HDF5 or Dask array `z`.
///
/// The chunks form a regular grid. The last chunk on an axis extends beyond the array unless the length of a chunk
/// divides the length of the axis. A plan has one [part](crate::ChunkPart) for each chunk that holds at least one
/// selected element. Together, the parts fill each element of the output exactly once. They are created one at a time,
/// in C order of the chunk grid, each in time proportional to the rank.
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
/// let touched = plan.parts().map(|part| part.chunk().next().unwrap());
/// assert_eq!(touched.collect::<Vec<_>>(), [0, 3, 6, 9]);
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a plan does nothing until its parts are iterated over"]
pub struct ChunkPlan {
    // INVARIANT: `axes` and `chunk_shape` have one entry for each input axis of the selection. A chunk has at least one
    // and at most `isize::MAX` elements. `len` is 0 if the selection is empty. Otherwise, it is the product, over all
    // axes, of the numbers of touched chunks, which is at most the number of selected elements.
    selection: Selection,
    chunk_shape: Dims,
    axes: Dims<AxisChunks>,
    len: usize,
}

plan_of_chunks!(ChunkPlan, Selection);

impl ChunkPlan {
    /// Creates a plan for a selection from an array whose chunks have the shape `chunk_shape`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::RankMismatch`] if the number of lengths in `chunk_shape` differs from the number of input
    /// axes, [`SliceError::NotStrided`] if the selection has lists, [`PlanError::EmptyChunk`] if one of the lengths is
    /// zero, and [`PlanError::ChunkTooLarge`] if a chunk has more than `isize::MAX` elements.
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
        let axes = selection.axes()?;
        check_chunk_shape(axes.len(), chunk_shape)?;
        let axes = axes.iter().zip(chunk_shape);
        let axes: Dims<_> = axes
            .map(|(&range, &len)| AxisChunks::new(range, len))
            .collect();
        let len = if selection.is_empty() {
            0
        } else {
            axes.iter().map(AxisChunks::touched).product()
        };
        Ok(ChunkPlan {
            selection: selection.clone(),
            chunk_shape: Dims::from_slice(chunk_shape),
            axes,
            len,
        })
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
