//! The selection from one chunk, and its place in the output.

use slice_core::resolve::element_count;
use slice_core::{AxisRange, ResolvedStep, Selection, SliceError};

use super::ChunkPlan;
use super::axis::Segment;
use super::runs::ByteRuns;
use crate::Dims;

/// The selection from one chunk, and its place in the output, returned by [`ChunkPlan::parts`].
///
/// Python equivalent: one step of `for part in touched: out[part.output()] = chunk[part.selection()]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::ChunkPlan;
///
/// // Two chunks of three elements hold an array of five; the sixth element is padding.
/// let chunks = [[10, 11, 12], [13, 14, 99]];
/// let selection = s![::-1].resolve(&[5])?;
/// let mut out = [0; 5];
/// for part in ChunkPlan::new(&selection, &[3])?.parts() {
///     let chunk = &chunks[part.chunk().next().unwrap()];
///     let values = part.selection().gather(chunk)?;
///     part.output().scatter(&values, &mut out)?;
/// }
/// assert_eq!(out, [14, 13, 12, 11, 10]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChunkPart<'a> {
    plan: &'a ChunkPlan,
    number: usize,
    /// The number of the chunk on each axis, and its selected positions.
    segments: Dims<Segment>,
}

impl<'a> ChunkPart<'a> {
    #[inline]
    pub(super) fn new(plan: &'a ChunkPlan, number: usize, segments: &[Segment]) -> Self {
        ChunkPart {
            plan,
            number,
            segments: Dims::from_slice(segments),
        }
    }

    /// Returns the number of parts of the plan before this part.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the position of the chunk in the grid, along each axis.
    pub fn chunk(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.segments.iter().map(|segment| segment.chunk)
    }

    /// Returns the selected positions on each axis of the chunk, counted from the chunk's first element.
    pub fn axes(&self) -> impl DoubleEndedIterator<Item = AxisRange> + ExactSizeIterator + '_ {
        self.segments.iter().map(|segment| segment.inside)
    }

    /// Returns, for each input axis, the first position of this chunk's elements on the output axis. This is the number
    /// of selected positions before them.
    pub fn begin(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.segments.iter().map(|segment| segment.begin)
    }

    /// Returns the number of selected elements in the chunk.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        self.axes().map(|range| range.len()).product()
    }

    /// Returns the shape of the chunk without padding: a chunk at the end of an axis is cut off there.
    pub fn cut_off_shape(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let shape = self.plan.selection().input_shape();
        let axes = shape.iter().zip(self.plan.chunk_shape()).zip(self.chunk());
        axes.map(|((&size, &len), chunk)| len.min(size - chunk * len))
    }

    /// Returns `true` if every element of the array in this chunk is selected. A write then need not read the chunk
    /// first.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let mut axes = self.axes().zip(self.cut_off_shape());
        axes.all(|(range, len)| range.len() == len)
    }

    /// Returns the selection relative to a chunk that is stored whole, with padding beyond the end of the array, as in
    /// Zarr and HDF5.
    pub fn selection(&self) -> Selection {
        self.select_in(self.plan.chunk_shape())
    }

    /// Returns the selection relative to a chunk that is stored [cut off](Self::cut_off_shape) at the end of the array,
    /// as in Dask and N5.
    pub fn selection_cut_off(&self) -> Selection {
        self.select_in(&self.cut_off_shape().collect::<Dims>())
    }

    fn select_in(&self, shape: &[usize]) -> Selection {
        let axes: Dims<_> = self.axes().collect();
        let selection = Selection::from_axes(shape, &axes, self.plan.selection().output_axes());
        selection.expect("plan has checked the shape of the chunk")
    }

    /// Returns the region of the output that this chunk fills.
    pub fn output(&self) -> Selection {
        let whole = self.plan.selection();
        let mut segments = self.segments.iter();
        let mut next = || segments.next().expect("each axis has a segment");
        let steps = whole.resolved_steps().filter_map(|step| match step {
            ResolvedStep::Keep(_) => {
                let Segment { begin, inside, .. } = next();
                Some(AxisRange::new(*begin, 1, inside.len()))
            }
            ResolvedStep::Drop(_) => {
                next();
                None
            }
            ResolvedStep::Insert { len } => Some(AxisRange::whole(len)),
        });
        let selection = Selection::from_steps(whole.output_shape(), steps.map(ResolvedStep::Keep));
        selection.expect("output is no larger than its input")
    }

    /// Returns the bytes that hold the selected elements, if the chunk is stored uncompressed in C order, including
    /// padding.
    ///
    /// # Errors
    ///
    /// [`SliceError::TooLarge`] if the chunk has more than `isize::MAX` bytes. In this error, the bytes of an
    /// element are an additional last axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::ChunkPlan;
    ///
    /// let plan = ChunkPlan::new(&s![1:, :2].resolve(&[3, 4])?, &[3, 4])?;
    /// let part = plan.parts().next().unwrap();
    /// assert_eq!(part.byte_runs(8)?.collect::<Vec<_>>(), [32..48, 64..80]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn byte_runs(&self, item_size: usize) -> Result<ByteRuns, SliceError> {
        let shape = self.plan.chunk_shape();
        let mut bytes = Dims::from_slice(shape);
        bytes.push(item_size);
        element_count(&bytes)?;
        Ok(ByteRuns::new(self.axes(), shape, item_size))
    }
}
