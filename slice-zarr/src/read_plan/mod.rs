//! Plans for reading a slice of a chunked array. A plan can be printed, split, and sent to another machine to be run
//! there.
//!
//! A plan contains a description of the array, the selection, and the *parts* of the result that the plan fills. A part
//! is a block of the result: on each axis, an interval of positions that begins and ends at chunk boundaries. The size
//! of a plan therefore does not depend on the number of chunks, and plans whose parts do not overlap share no chunk.
//!
//! A list is first grouped by chunk, so that the positions in each chunk are consecutive. On an axis with a list, the
//! positions of a part are counted in this grouped list. A plan created by a split keeps, from each list, only the
//! positions in the chunks that the plan reads and in any chunks between them. The plan also contains the [`places`] of
//! these list positions: the positions in the whole result that they fill.

pub(crate) mod array;
mod axis;
mod bounds;
pub(crate) mod error;
mod part;
mod places;
#[cfg(feature = "serde")]
mod serde;
mod split;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub use array::ChunkedArray;
pub use error::PlanError;
pub use part::PlanPart;
pub use split::PlanSplit;

use slice_core::{DisplayShape as Shape, OutputAxis, Selection};

use crate::chunks::axes::Axes;
use crate::chunks::axis::TouchedChunks;
use crate::chunks::grouped::Check;
use crate::chunks::joined::JoinedAxes;
use crate::escaped::Escaped;
use axis::ResultAxis;
use bounds::PartBounds;
use error::{MAX_PARTS, MAX_RANK};

/// A planned read of a slice of a chunked array. It determines the chunks to read, the maximum number of bytes to read,
/// and the position of each element in the result.
///
/// A plan is plain data. With the `serde` feature, it can be serialized as readable JSON, or in a binary format such as
/// postcard, in which a plan without lists takes a few dozen bytes. Deserialization checks a plan, so serialized plans
/// from untrusted sources can be accepted. Running a plan checks that the array still matches its description in the
/// plan.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan};
///
/// let array = ChunkedArray {
///     address: "s3://bucket/volume.zarr".into(),
///     shape: vec![100, 100],
///     data_type: "uint16".into(),
///     item_size: 2,
///     chunk_shape: vec![10, 10],
///     ..ChunkedArray::default()
/// };
/// let plan = ReadPlan::new(array, s![::30, -1].resolve(&[100, 100])?)?;
/// assert_eq!(plan.shape(), [4]);
/// assert_eq!((plan.touched_chunks(), plan.all_chunks()), (4, 100));
/// assert_eq!((plan.output_bytes(), plan.max_bytes()), (8, 800));
/// // Without shards, each chunk is decoded as a whole, and takes one request.
/// assert_eq!((plan.inner_chunks(), plan.requests(), plan.is_empty()), (4, 4, false));
/// assert_eq!(plan.selection(), s![::30, -1].resolve(&[100, 100])?);
/// assert_eq!(plan.with_address("copy.zarr").array().address, "copy.zarr");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a plan reads nothing until it is run"]
pub struct ReadPlan {
    // INVARIANT: `array` has passed `ChunkedArray::check`. `axes` are those of a selection from this array. `output`
    // selects from the whole result. It has the same output shape as the selection of `axes`, and its positions on each axis
    // are in strictly ascending order. The parts lie in the output of this selection, are not empty, begin and end at chunk
    // boundaries, and do not overlap.
    array: ChunkedArray,
    /// If the plans of a split have the same selection, they share this data.
    axes: Arc<Axes>,
    /// The positions of the selected elements in the whole result.
    output: Arc<Selection>,
    parts: Vec<PartBounds>,
}

/// The units into which an axis of the result is divided.
#[derive(Clone, Copy)]
enum Division {
    Chunks,
    /// *Decoding units*: inner chunks if the array is sharded, otherwise chunks.
    DecodingUnits,
    Elements,
}

impl ReadPlan {
    /// Creates a plan that reads all elements of `selection` from `array`.
    ///
    /// # Errors
    ///
    /// - [`PlanError::Slice`] if the array is too large; if a chunk or an inner chunk differs from the array in rank; or
    ///   if the selection was made for a different shape.
    /// - [`PlanError::TooManyCuts`] if, by an estimate, the runs of a list would be cut at the boundaries of chunks (for a
    ///   sharded array, of inner chunks) more than 2^22 times.
    /// - [`PlanError::EmptyChunk`] and [`PlanError::ChunkTooLarge`] if a chunk or an inner chunk is empty or too large.
    /// - [`PlanError::InnerChunks`] if the shape of a shard is not a multiple of the shape of an inner chunk.
    /// - [`PlanError::TooManyAxes`] if the array or the result has more than 64 axes.
    pub fn new(array: ChunkedArray, selection: impl Into<Selection>) -> Result<Self, PlanError> {
        ReadPlan::new_unless_stopped(array, selection.into(), &|| Ok(()))
    }

    /// Creates a plan, as [`new`](Self::new) does. Calls `check` repeatedly while lists are grouped, and returns its first
    /// error.
    pub(crate) fn new_unless_stopped<E: From<PlanError>>(
        array: ChunkedArray,
        selection: Selection,
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        let axes = planned_axes(&array, selection, check)?;
        let parts = match axes.selection.is_empty() {
            true => Vec::new(),
            false => Vec::from([PartBounds::whole(axes.selection.output_shape())]),
        };
        Ok(ReadPlan::with_axes(array, axes, None, parts)?)
    }

    /// Creates a plan after checking the type's invariant, except that `array` is valid and has the shape of the
    /// selection.
    fn with_axes(
        array: ChunkedArray,
        axes: Axes,
        output: Option<Selection>,
        parts: Vec<PartBounds>,
    ) -> Result<Self, PlanError> {
        if parts.len() > MAX_PARTS {
            let parts = parts.len();
            return Err(PlanError::TooManyParts { parts });
        }
        let output = match output {
            Some(output) => places::check_places(output, &axes.selection)?,
            None => places::whole_output(&axes.selection),
        };
        let plan = ReadPlan {
            array,
            axes: Arc::new(axes),
            output: Arc::new(output),
            parts,
        };
        let rank = plan.shape().len();
        if rank > MAX_RANK {
            return Err(PlanError::TooManyAxes { rank });
        }
        for (part, bounds) in plan.parts.iter().enumerate() {
            plan.check_part(part, bounds)?;
            let mut before = plan.parts[..part].iter();
            if let Some(other) = before.position(|before| before.overlaps(bounds)) {
                return Err(PlanError::Overlap { part, other });
            }
        }
        Ok(plan)
    }

    /// Returns the joined axes of the array, or `None` if the planned selection joins no axes.
    fn joined_axes(&self) -> Option<&JoinedAxes> {
        self.axes.joined.as_deref()
    }

    /// Returns the orthogonal selection that is planned.
    fn orthogonal(&self) -> &Selection {
        &self.axes.selection
    }

    /// Returns the touched chunks of an axis of the result, or `None` for a new axis.
    fn touched(&self, axis: usize) -> Option<&TouchedChunks> {
        match self.orthogonal().output_axes()[axis] {
            OutputAxis::Input(input) => Some(&self.axes.touched[input]),
            OutputAxis::New { .. } => None,
        }
    }

    /// Returns the shape of the whole result, in which axes that are listed together are one axis.
    fn merged_shape(&self) -> &[usize] {
        self.output.input_shape()
    }

    fn check_part(&self, part: usize, bounds: &PartBounds) -> Result<(), PlanError> {
        let shape = self.orthogonal().output_shape();
        for actual in [bounds.begin.len(), bounds.end.len()] {
            if actual != shape.len() {
                let expected = shape.len();
                return Err(PlanError::PartRank {
                    part,
                    expected,
                    actual,
                });
            }
        }
        for (axis, &size) in shape.iter().enumerate() {
            let (begin, end) = (bounds.begin[axis], bounds.end[axis]);
            if begin >= end || end > size {
                return Err(PlanError::PartRange {
                    part,
                    axis,
                    begin,
                    end,
                    size,
                });
            }
            let result = self.result_axis(axis, Division::Chunks);
            let mut ends = [begin, end].into_iter();
            if let Some(position) = ends.find(|&at| !result.is_chunk_boundary(at)) {
                return Err(PlanError::PartInsideChunk {
                    part,
                    axis,
                    position,
                });
            }
        }
        Ok(())
    }

    /// Returns an axis of the result, divided as `division` specifies. A new axis is never divided.
    fn result_axis(&self, axis: usize, division: Division) -> ResultAxis<'_> {
        let len = self.orthogonal().output_shape()[axis];
        match self.touched(axis) {
            Some(touched) => ResultAxis::new(touched, len, division),
            None => ResultAxis::in_blocks(len, len.max(1)),
        }
    }

    /// Returns the description of the array.
    #[must_use]
    pub fn array(&self) -> &ChunkedArray {
        &self.array
    }

    /// Returns the plan with `address` as the address of its array.
    pub fn with_address(mut self, address: impl Into<String>) -> Self {
        self.array.address = address.into();
        self
    }

    /// Returns the selection of the plan. If this plan was created by splitting another plan, this is the other plan's
    /// selection, except that each list contains only the positions that lie, along the list's axis, in the chunks that
    /// this plan reads or in chunks between them.
    pub fn selection(&self) -> Selection {
        match self.joined_axes() {
            None => self.orthogonal().clone(),
            Some(joined_axes) => {
                let is_whole = |axis| self.is_whole_axis(axis);
                joined_axes.separated(self.orthogonal(), &self.array.shape, is_whole)
            }
        }
    }

    /// Returns the shape of the whole result.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        let joined_axes = self.joined_axes();
        joined_axes.map_or(self.merged_shape(), |joined_axes| &joined_axes.result_shape)
    }

    /// Returns `true` if the plan reads nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns the number of elements that the plan reads.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.parts.iter().map(PartBounds::len).sum()
    }

    /// Returns the number of chunks (for a sharded array, of shards) that hold elements read by this plan.
    #[must_use]
    pub fn touched_chunks(&self) -> usize {
        self.count(Division::Chunks)
    }

    /// Returns the number of chunks (for a sharded array, of shards) in the array.
    #[must_use]
    pub fn all_chunks(&self) -> u128 {
        let axes = self.array.shape.iter().zip(&self.array.chunk_shape);
        // If one axis has length 0, the product of the other counts may overflow, so it saturates.
        let chunks = axes.map(|(&size, &len)| size.div_ceil(len) as u128);
        chunks.fold(1, u128::saturating_mul)
    }

    /// Returns the number of chunks (for a sharded array, of inner chunks) to decode if none of them is missing from
    /// the store.
    #[must_use]
    pub fn inner_chunks(&self) -> usize {
        self.count(Division::DecodingUnits)
    }

    /// Returns the number of bytes of the result that this plan fills.
    #[must_use]
    pub fn output_bytes(&self) -> u64 {
        (self.elements() as u64).saturating_mul(self.array.item_size as u64)
    }

    /// Returns an upper bound on the number of requested bytes: the decoded size of the touched chunks (for a sharded
    /// array, of the touched inner chunks), plus the size of the shard indices.
    ///
    /// The bound assumes that no chunk is larger encoded than decoded. It does not include the gaps between inner
    /// chunks, which are also fetched if one request covers several inner chunks.
    #[must_use]
    pub fn max_bytes(&self) -> u64 {
        let decoded = (self.inner_chunks() as u64).saturating_mul(self.array.decoded_bytes());
        let indices = (self.touched_chunks() as u64).saturating_mul(self.array.index_bytes);
        decoded.saturating_add(indices)
    }

    /// Returns `true` unless each part of the plan is a block of the array and of the result.
    #[cfg(feature = "zarrs")]
    pub(crate) fn has_lists(&self) -> bool {
        self.joined_axes().is_some() || !self.orthogonal().is_strided() || !self.output.is_strided()
    }

    /// Returns the number of requests: one for each touched chunk or, for a sharded array, two for each touched shard,
    /// one of which is for the index of the shard.
    ///
    /// Uncompressed chunks and shards are read in byte ranges. Ranges are merged if the gap between them is at most the
    /// read option `merge_gap`. Larger gaps lead to more requests than this method returns. There are also more
    /// requests if more than 8192 inner chunks of a shard are read, or if their bytes exceed the read option `batch`.
    #[must_use]
    pub fn requests(&self) -> usize {
        let requests_per_chunk = 1 + usize::from(self.array.inner_chunk_shape.is_some());
        self.touched_chunks().saturating_mul(requests_per_chunk)
    }

    /// Returns the number of chunks, decoding units or elements that this plan reads, depending on `division`.
    fn count(&self, division: Division) -> usize {
        let axes: Vec<_> = (0..self.merged_shape().len())
            .map(|axis| self.result_axis(axis, division))
            .collect();
        let count_in_part = |bounds: &PartBounds| -> usize {
            let axes = axes.iter().enumerate().map(|(axis, result)| {
                result.chunks_before(bounds.end[axis]) - result.chunks_before(bounds.begin[axis])
            });
            // The product does not overflow, because it is at most the number of elements.
            axes.product()
        };
        self.parts.iter().map(count_in_part).sum()
    }
}

/// Checks the array and the shape of the selection, and groups the lists of the selection. Calls `check` repeatedly, and
/// returns its first error.
fn planned_axes<E: From<PlanError>>(
    array: &ChunkedArray,
    selection: Selection,
    check: Check<'_, E>,
) -> Result<Axes, E> {
    array.check()?;
    selection
        .check_shape(&array.shape)
        .map_err(PlanError::from)?;
    let (chunk_shape, unit_shape) = (&array.chunk_shape, array.decoded_shape());
    Ok(Axes::new(selection, chunk_shape, unit_shape, check)?.0)
}

impl fmt::Display for ReadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let array = &self.array;
        let between = if array.address.is_empty() { "" } else { ", " };
        // An address and a data type may be chosen by someone else.
        let (address, data_type) = (Escaped(&array.address), Escaped(&array.data_type));
        let (shape, chunk_shape) = (Shape(&array.shape), Shape(&array.chunk_shape));
        writeln!(
            f,
            "array   {address}{between}{shape} of {data_type} in chunks {chunk_shape}"
        )?;
        if let Some(inner) = &array.inner_chunk_shape {
            writeln!(f, "        each a shard of inner chunks {}", Shape(inner))?;
        }
        let bytes = self.output_bytes();
        match self.elements() == self.output.input_len() {
            true => writeln!(f, "result  {}, {bytes} bytes", Shape(self.shape()))?,
            false => {
                let parts = self.parts.len();
                let s = if parts == 1 { "" } else { "s" };
                let whole = Shape(self.shape());
                writeln!(f, "result  {parts} part{s} of {whole}, {bytes} bytes")?;
            }
        }
        let (touched, all) = (self.touched_chunks(), self.all_chunks());
        writeln!(f, "chunks  {touched} of {all}")?;
        if array.inner_chunk_shape.is_some() {
            let inner = self.inner_chunks();
            let s = if inner == 1 { "" } else { "s" };
            writeln!(f, "        {inner} inner chunk{s}")?;
        }
        let (bytes, requests) = (self.max_bytes(), self.requests());
        let s = if requests == 1 { "" } else { "s" };
        let (between, more) = if array.inner_chunk_shape.is_some() {
            let between = ", plus the bytes between merged ranges,\n       ";
            (between, "shard")
        } else if array.uncompressed {
            ("", "chunk")
        } else {
            ("", "")
        };
        write!(
            f,
            "reads   at most {bytes} bytes{between} in {requests} request{s}"
        )?;
        match more {
            "" => Ok(()),
            _ => write!(
                f,
                " (more if ranges of a {more} are too far apart to be merged)"
            ),
        }
    }
}
