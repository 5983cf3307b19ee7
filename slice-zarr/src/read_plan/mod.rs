//! The read of a slice of an array in chunks, as data that can be printed, split, sent, and run elsewhere.
//!
//! A plan says which array it is for, what is selected of it, and which *parts* of the result it fills. A part is a block of
//! the result: an interval on each of its axes that begins and ends where chunks do. So a plan is as small as a slice however
//! many chunks there are, and plans whose parts do not overlap share no chunk.
//!
//! On an axis with a list, places are counted as the list is grouped by chunk: a chunk's are next to each other then, too. A plan
//! that was split off has only its own positions of a list, and where in the result [each of them goes](places).

pub(crate) mod array;
mod axis;
mod block;
pub(crate) mod error;
mod lists;
mod part;
mod picture;
mod places;
pub(crate) mod progress;
#[cfg(feature = "serde")]
mod serde;
mod split;
pub(crate) mod split_id;
#[cfg(test)]
mod tests;

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

pub use array::ChunkedArray;
pub use error::PlanError;
pub use part::{PlanPart, PlanParts};
pub use progress::SplitProgress;
pub use split::PlanSplit;
pub use split_id::{SplitId, SplitPlace};

use slice_core::{AxisPositions, DisplayShape as Shape, OuterSelection, OutputAxis};

use axis::ResultAxis;
use block::Block;
use lists::Derived;

/// The most axes of an array, and of a result: those of NumPy.
const MAX_RANK: usize = 64;

/// The most parts of a plan that is read; those that [`ReadPlan::split`] makes have a few for each axis.
const MAX_PARTS: usize = 1024;

/// The read of a slice of an array in chunks: the chunks, the number of bytes, and their places in the result.
///
/// It is plain data. With the feature `serde` it is written as JSON for people, and in formats such as postcard in a few
/// dozen bytes; a plan is checked when it is read, so that it may come from an untrusted source. Whether the array is still
/// the one that it was made for is checked when the plan is run.
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
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a plan reads nothing"]
pub struct ReadPlan {
    // INVARIANT: `array` has passed its `check`, and `selection` is of its shape; `output` takes as many positions of each axis
    // of the whole result as `selection` has, in strictly ascending order; the blocks of `parts` are in the result of
    // `selection`, are not empty, end where chunks do, and do not overlap.
    array: ChunkedArray,
    selection: Arc<OuterSelection>,
    /// The places of the selected elements in the whole result.
    output: Arc<OuterSelection>,
    derived: Derived,
    parts: Vec<Block>,
    /// The place of the plan in its split, if it was split off.
    split: Option<SplitPlace>,
}

/// The parts of an axis of the result.
#[derive(Clone, Copy)]
enum By {
    Chunks,
    /// The part that is decoded at a time.
    Decoded,
    Elements,
}

impl ReadPlan {
    /// The plan to read all of a selection.
    ///
    /// # Errors
    ///
    /// [`PlanError::Slice`] unless the selection is of the array's shape and the chunks have as many axes, none of them
    /// empty; [`PlanError::InnerChunks`], [`PlanError::TooManyAxes`].
    pub fn new(
        array: ChunkedArray,
        selection: impl Into<OuterSelection>,
    ) -> Result<Self, PlanError> {
        let selection = selection.into();
        let parts = match selection.is_empty() {
            true => Vec::new(),
            false => Vec::from([Block::whole(selection.output_shape())]),
        };
        ReadPlan::from_parts(array, selection, None, parts, None)
    }

    /// Checks the whole invariant of the type.
    fn from_parts(
        array: ChunkedArray,
        selection: OuterSelection,
        output: Option<OuterSelection>,
        parts: Vec<Block>,
        split: Option<SplitPlace>,
    ) -> Result<Self, PlanError> {
        array.check()?;
        selection.check_shape(&array.shape)?;
        let rank = selection.output_shape().len();
        if rank > MAX_RANK {
            return Err(PlanError::TooManyAxes { rank });
        }
        if parts.len() > MAX_PARTS {
            let parts = parts.len();
            return Err(PlanError::TooManyParts { parts });
        }
        let output = match output {
            Some(output) => places::checked(output, &selection)?,
            None => places::whole(&selection),
        };
        let plan = ReadPlan {
            derived: Derived::new(&array, &selection)?,
            array,
            selection: Arc::new(selection),
            output: Arc::new(output),
            parts,
            split,
        };
        for (part, block) in plan.parts.iter().enumerate() {
            plan.check_block(part, block)?;
            let mut before = plan.parts[..part].iter();
            if let Some(other) = before.position(|before| before.overlaps(block)) {
                return Err(PlanError::Overlap { part, other });
            }
        }
        Ok(plan)
    }

    fn check_block(&self, part: usize, block: &Block) -> Result<(), PlanError> {
        let shape = self.selection.output_shape();
        for actual in [block.begin.len(), block.end.len()] {
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
            let (begin, end) = (block.begin[axis], block.end[axis]);
            if begin >= end || end > size {
                return Err(PlanError::PartRange {
                    part,
                    axis,
                    begin,
                    end,
                    size,
                });
            }
            if let Some(result) = self.result_axis(axis, By::Chunks)
                && let Some(&position) = [begin, end].iter().find(|&&at| !result.is_border(at))
            {
                return Err(PlanError::PartInsideChunk {
                    part,
                    axis,
                    position,
                });
            }
        }
        Ok(())
    }

    /// An axis of the result, unless it is a new one.
    fn result_axis(&self, axis: usize, by: By) -> Option<ResultAxis<'_>> {
        let OutputAxis::Input(input) = self.derived.origins()[axis] else {
            return None;
        };
        let array = &self.array;
        Some(
            match (self.selection.axis(input), self.derived.list(input)) {
                (AxisPositions::Range(range), _) => {
                    let len = match by {
                        By::Chunks => array.chunk_shape[input],
                        By::Decoded => array.decoded_shape()[input],
                        By::Elements => 1,
                    };
                    ResultAxis::of_range(range, len)
                }
                (_, Some(list)) => match by {
                    By::Chunks => ResultAxis::Listed(list.chunks()),
                    By::Decoded => ResultAxis::Listed(list.units()),
                    By::Elements => ResultAxis::Singles,
                },
                (_, None) => unreachable!("all lists are grouped"),
            },
        )
    }

    /// The array that the plan is for.
    #[must_use]
    pub fn array(&self) -> &ChunkedArray {
        &self.array
    }

    /// Returns the plan for an array at this address.
    pub fn with_address(mut self, address: impl Into<String>) -> Self {
        self.array.address = address.into();
        self
    }

    /// Returns the place of the plan in its split; `None` if it was not split off.
    #[must_use]
    pub fn split_place(&self) -> Option<SplitPlace> {
        self.split
    }

    /// Returns the selection of the whole plan that this one was split from; of each of its lists, only those positions from the
    /// first to the last chunk that this plan reads along the axis.
    pub fn selection(&self) -> &OuterSelection {
        &self.selection
    }

    /// The shape of the whole result.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.output.input_shape()
    }

    /// Whether the plan reads nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The number of elements that the plan reads.
    #[must_use]
    pub fn elements(&self) -> usize {
        self.parts.iter().map(Block::len).sum()
    }

    /// The number of chunks (of a sharded array: shards) that hold elements of this plan.
    #[must_use]
    pub fn touched_chunks(&self) -> usize {
        self.count(By::Chunks)
    }

    /// The number of chunks (of a sharded array: shards) of the array.
    #[must_use]
    pub fn all_chunks(&self) -> u128 {
        let axes = self.array.shape.iter().zip(&self.array.chunk_shape);
        // An array without elements can have more chunks than fit the type.
        let chunks = axes.map(|(&size, &len)| size.div_ceil(len) as u128);
        chunks.fold(1, u128::saturating_mul)
    }

    /// The number of chunks that are decoded if none is missing: of a sharded array, its inner chunks.
    #[must_use]
    pub fn inner_chunks(&self) -> usize {
        self.count(By::Decoded)
    }

    /// The bytes of the result that this plan fills.
    #[must_use]
    pub fn output_bytes(&self) -> u64 {
        (self.elements() as u64).saturating_mul(self.array.item_size as u64)
    }

    /// The most bytes that are requested, indices of shards included, if compression does not make them fewer. Where inner
    /// chunks of a shard are read with one request, the bytes between them come in addition.
    #[must_use]
    pub fn max_bytes(&self) -> u64 {
        let decoded = (self.inner_chunks() as u64).saturating_mul(self.array.decoded_bytes());
        let indices = (self.touched_chunks() as u64).saturating_mul(self.array.index_bytes);
        decoded.saturating_add(indices)
    }

    /// The bytes that lists take while they are read: at most 24 for each position, and 8 for each chunk that is touched along
    /// an axis.
    #[cfg(feature = "zarrs")]
    pub(crate) fn list_bytes(&self) -> u64 {
        self.derived.held_bytes(&self.selection)
    }

    /// The number of requests: one for each chunk; two for each shard, one of them for its index.
    ///
    /// Of an uncompressed chunk and of a shard only ranges are read. Ranges that are closer to each other than the reader allows
    /// are merged. If they are further apart, there are more requests than this; and one more for every 8192 inner chunks of a
    /// shard.
    #[must_use]
    pub fn requests(&self) -> usize {
        let each = 1 + usize::from(self.array.inner_chunk_shape.is_some());
        self.touched_chunks().saturating_mul(each)
    }

    /// Returns the number of chunks, or parts of them, that hold elements of this plan.
    fn count(&self, by: By) -> usize {
        let axes: Vec<_> = (0..self.shape().len())
            .map(|axis| self.result_axis(axis, by))
            .collect();
        let of_block = |block: &Block| -> usize {
            let axes = axes.iter().enumerate().map(|(axis, result)| match result {
                None => 1,
                Some(result) => result.before(block.end[axis]) - result.before(block.begin[axis]),
            });
            // There are at most as many as elements.
            axes.product()
        };
        self.parts.iter().map(of_block).sum()
    }
}

impl fmt::Display for ReadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let array = &self.array;
        let between = if array.address.is_empty() { "" } else { ", " };
        let (address, data_type) = (&array.address, &array.data_type);
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
                let of = Shape(self.shape());
                writeln!(f, "result  {parts} part{s} of {of}, {bytes} bytes")?;
            }
        }
        if let Some(place) = self.split {
            writeln!(f, "        {place}")?;
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
            let between = ", and those between ranges that are merged,\n       ";
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
                ", or more if ranges of a {more} are too far apart to be merged"
            ),
        }
    }
}
