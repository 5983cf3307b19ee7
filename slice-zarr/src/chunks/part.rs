//! The parts of a [`ChunkPlan`], one for each touched chunk.

use slice_core::resolve::element_count;
use slice_core::{AxisRange, ResolvedStep, Selection, SliceError};

use super::ChunkPlan;
use super::axis::Segment;
use super::runs::ByteRuns;
use crate::Dims;

/// The selected region of one chunk, and the region of the output that it fills.
///
/// [`ChunkPlan::parts`] returns an iterator over these parts.
///
/// Python equivalent: one iteration of `for part in touched: out[part.output()] = chunk[part.selection()]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::ChunkPlan;
///
/// // Two chunks of three elements hold an array of five elements; the sixth element is padding.
/// let chunks = [[10, 11, 12], [13, 14, 99]];
/// let selection = s![::-1].resolve(&[5])?;
/// let mut out = [0; 5];
/// for part in ChunkPlan::new(&selection, &[3])?.parts() {
///     let chunk = &chunks[part.chunk().next().unwrap()];
///     let values = part.selection().gather(chunk)?;
///     part.output().scatter(&values, &mut out)?;
/// }
/// assert_eq!(out, [14, 13, 12, 11, 10]);
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChunkPart<'a> {
    plan: &'a ChunkPlan,
    number: usize,
    /// On each axis, the position of the chunk in the chunk grid, and the selected positions.
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

    /// Returns the number of parts that precede this one in the plan.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the position of the chunk along each axis of the chunk grid.
    pub fn chunk(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.segments.iter().map(|segment| segment.chunk)
    }

    /// Returns the selected positions on each axis of the chunk, counted from the start of the chunk.
    pub fn axes(&self) -> impl DoubleEndedIterator<Item = AxisRange> + ExactSizeIterator + '_ {
        self.segments.iter().map(|segment| segment.positions)
    }

    /// Returns, for each input axis, the first position that this chunk fills on the corresponding output axis. This is
    /// the number of selected positions on the axis that precede the positions of the chunk in the output. For a
    /// dropped axis, it is 0.
    pub fn begin(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.segments.iter().map(|segment| segment.begin)
    }

    /// Returns the number of selected elements in the chunk.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        self.axes().map(|range| range.len()).product()
    }

    /// Returns the shape of the chunk without padding: a chunk that extends beyond the end of an axis is cut off there.
    pub fn cut_off_shape(&self) -> impl ExactSizeIterator<Item = usize> + '_ {
        let shape = self.plan.selection().input_shape();
        let axes = shape.iter().zip(self.plan.chunk_shape()).zip(self.chunk());
        axes.map(|((&size, &len), chunk)| len.min(size - chunk * len))
    }

    /// Returns `true` if all elements of the array in this chunk are selected. In this case, a write need not read the
    /// chunk first.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let mut axes = self.axes().zip(self.cut_off_shape());
        axes.all(|(range, len)| range.len() == len)
    }

    /// Returns the selection from a chunk that is stored with padding beyond the end of the array, as in Zarr and HDF5.
    pub fn selection(&self) -> Selection {
        self.select_in(self.plan.chunk_shape())
    }

    /// Returns the selection from a chunk that is stored without padding, [cut off](Self::cut_off_shape) at the end of
    /// the array, as in Dask and N5.
    pub fn selection_cut_off(&self) -> Selection {
        self.select_in(&self.cut_off_shape().collect::<Dims>())
    }

    fn select_in(&self, shape: &[usize]) -> Selection {
        let axes: Dims<_> = self.axes().collect();
        let selection = Selection::from_axes(shape, &axes, self.plan.selection().output_axes());
        selection.expect("the shape of the chunk should be valid")
    }

    /// Returns the region of the output that this chunk fills.
    pub fn output(&self) -> Selection {
        let whole = self.plan.selection();
        let mut segments = self.segments.iter();
        let mut next = || segments.next().expect("each axis should have a segment");
        let steps = whole.resolved_steps().filter_map(|step| match step {
            ResolvedStep::Keep(_) => {
                let Segment {
                    begin, positions, ..
                } = next();
                Some(AxisRange::new(*begin, 1, positions.len()))
            }
            ResolvedStep::Drop(_) => {
                next();
                None
            }
            ResolvedStep::Insert { len } => Some(AxisRange::whole(len)),
            // The selection of a plan is strided.
            ResolvedStep::Joined(_) => None,
        });
        let selection = Selection::from_steps(whole.output_shape(), steps.map(ResolvedStep::Keep));
        selection.expect("the region should lie within the output")
    }

    /// Returns the byte ranges of the selected elements. The chunk must be stored uncompressed, in C order and with
    /// padding. `item_size` is the size of an element in bytes.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if the chunk has more than `isize::MAX` bytes. In the error, the bytes of an
    /// element form an additional last axis.
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
    /// # Ok::<(), slice_zarr::PlanError>(())
    /// ```
    pub fn byte_runs(&self, item_size: usize) -> Result<ByteRuns, SliceError> {
        let shape = self.plan.chunk_shape();
        let mut bytes = Dims::from_slice(shape);
        bytes.push(item_size);
        element_count(&bytes)?;
        Ok(ByteRuns::new(self.axes(), shape, item_size))
    }
}
