//! The parts of a [`ChunkPlan`], one for each touched chunk.

use alloc::vec::Vec;

use slice_core::resolve::element_count;
use slice_core::{AxisPositions, AxisRange, OutputAxis, Selection, SliceError};

use super::ChunkPlan;
use super::axis::AxisPart;
use super::range::Segment;
use super::runs::ByteRuns;
use crate::Dims;

/// The selected region of one chunk, and the region of the output that it fills.
///
/// [`ChunkPlan::parts`] returns an iterator over these parts.
///
/// Python equivalent: one iteration of `for part in touched: out[part.output()] = chunk[part.selection()]`; for a
/// selection with lists, with `out.oindex` and `chunk.oindex`.
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
///
/// // The last chunk holds two elements of the array, and both are selected.
/// let plan = ChunkPlan::new(&selection, &[3])?;
/// let last = plan.parts().last().unwrap();
/// assert_eq!((last.number(), last.len(), last.is_whole()), (1, 2, true));
/// assert!(last.cut_off_shape().eq([2]));
/// assert_eq!(last.selection_cut_off().gather(&[13, 14])?, [14, 13]); // a chunk without padding
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChunkPart<'a> {
    pub(crate) plan: &'a ChunkPlan,
    number: usize,
    /// The selected positions on each axis of the plan.
    pub(crate) axes: Dims<AxisPart<'a>>,
}

impl<'a> ChunkPart<'a> {
    #[inline]
    pub(super) fn new(plan: &'a ChunkPlan, number: usize, axes: Dims<AxisPart<'a>>) -> Self {
        ChunkPart { plan, number, axes }
    }

    /// Returns the number of parts that precede this one in the plan.
    #[must_use]
    pub fn number(&self) -> usize {
        self.number
    }

    /// Returns the position of the chunk along each axis of the chunk grid.
    pub fn chunk(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        let on_axis = |axis: usize| self.axes[axis].chunk();
        let joined_axes = self.plan.joined_axes();
        (0..self.plan.chunk_shape().len()).map(move |axis| match joined_axes {
            None => on_axis(axis),
            Some(joined_axes) => joined_axes.chunk_on(axis, on_axis),
        })
    }

    /// Returns the number of elements of the output that the chunk fills.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a part is never empty")]
    pub fn len(&self) -> usize {
        let axes = self.plan.orthogonal().output_axes().iter();
        let inserted = axes.map(|&origin| match origin {
            OutputAxis::New { len } => len,
            OutputAxis::Input(_) => 1,
        });
        let axes = self.axes.iter();
        // The product does not overflow, because it is at most the number of elements of the output.
        inserted.product::<usize>() * axes.map(|part| part.position_count()).product::<usize>()
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
        let shape: Dims = self.cut_off_shape().collect();
        let shape = self.plan.merged(&shape);
        let mut axes = self.axes.iter().zip(shape.iter().copied());
        axes.all(|(part, len)| match part {
            AxisPart::Range(segment) => segment.positions.len() == len,
            AxisPart::Listed { .. } => part.position_count() >= len && distinct(part).len() == len,
        })
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
        let axes = self.axes.iter().map(|part| match part {
            AxisPart::Range(segment) => segment.positions.into(),
            AxisPart::Listed { .. } => {
                AxisPositions::from_runs(part.moves().map(|list_move| list_move.positions()))
            }
        });
        let output_axes = self.plan.orthogonal().output_axes();
        let select = |shape: &[usize]| {
            let selection = Selection::from_axes(shape, axes, output_axes);
            selection.expect(
                "the positions should lie within the chunk, and the part should have no more elements than the output",
            )
        };
        let Some(joined_axes) = self.plan.joined_axes() else {
            return select(shape);
        };
        // On a joined axis, positions are counted in chunks with padding.
        let mut joined_shape = joined_axes.merged(shape);
        for (axis, &count) in joined_axes.input.iter().enumerate() {
            if count > 1 {
                joined_shape[axis] = self.plan.axes.chunk_shape[axis];
            }
        }
        joined_axes.separated(&select(&joined_shape), shape, |_| false)
    }

    /// Returns the region of the output that the chunk fills. Its elements are in the same order as in
    /// [`selection`](Self::selection).
    pub fn output(&self) -> Selection {
        let whole = self.plan.orthogonal();
        let axes = whole.output_axes().iter().map(|&origin| match origin {
            OutputAxis::New { len } => AxisRange::whole(len).into(),
            OutputAxis::Input(axis) => match &self.axes[axis] {
                AxisPart::Range(Segment {
                    begin, positions, ..
                }) => AxisRange::new(*begin, 1, positions.len()).into(),
                part => AxisPositions::from_runs(part.moves().map(|list_move| list_move.output())),
            },
        });
        let kept: Dims<_> = (0..whole.output_shape().len())
            .map(OutputAxis::Input)
            .collect();
        let selection = Selection::from_axes(whole.output_shape(), axes, &kept);
        let selection = selection.expect("the positions should lie within the output");
        match self.plan.joined_axes() {
            None => selection,
            Some(joined_axes) => {
                joined_axes.separated_output(&selection, &joined_axes.result_shape, false)
            }
        }
    }

    /// Returns the selected positions in the chunk on each axis, or an error if the selection has lists.
    pub(crate) fn segments(&self) -> Result<Dims<Segment>, SliceError> {
        let segments = self.axes.iter().map(|part| match part {
            AxisPart::Range(segment) => Ok(*segment),
            AxisPart::Listed { .. } => Err(SliceError::NotStrided),
        });
        segments.collect()
    }

    /// Returns the byte ranges of the selected elements. The chunk must be stored uncompressed, in C order and with
    /// padding. `item_size` is the size of an element in bytes.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooLarge`] if the chunk has more than `isize::MAX` bytes. In the error, the bytes of an
    /// element form an additional last axis. Returns [`SliceError::NotStrided`] if the selection has lists.
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
        let segments = self.segments()?;
        let ranges = segments.iter().map(|segment| segment.positions);
        Ok(ByteRuns::new(ranges, shape, item_size))
    }

    /// Returns the number of touched units of the chunk.
    #[cfg(feature = "zarrs")]
    pub(crate) fn units(&self) -> usize {
        let axes = self.plan.axes.touched.iter().zip(&self.axes);
        axes.map(|(axis, chunk)| axis.units_of(chunk).len())
            .product()
    }

    /// Returns the `number`-th touched unit of the chunk in C order: its position along each axis of the chunk, counted
    /// in units, and the positions selected from it, as a part that has the unit in place of the chunk.
    #[cfg(feature = "zarrs")]
    pub(crate) fn unit(&self, number: usize) -> (Dims, ChunkPart<'a>) {
        let (plan, mut rest) = (self.plan, number);
        let (mut indices, mut axes) = (Dims::new(), Dims::new());
        for (axis, (chunks, chunk)) in plan.axes.touched.iter().zip(&self.axes).enumerate().rev() {
            let list = || super::list(plan.orthogonal(), axis);
            let units = chunks.units_of(chunk);
            let part = chunks.unit(list, units.start + rest % units.len());
            rest /= units.len();
            indices.push(part.chunk() % (plan.axes.chunk_shape[axis] / plan.axes.unit_shape[axis]));
            axes.push(part);
        }
        indices.reverse();
        axes.reverse();
        (indices, ChunkPart::new(plan, number, axes))
    }
}

/// Returns the positions of a part in ascending order, without repetitions.
pub(crate) fn distinct(part: &AxisPart<'_>) -> AxisPositions {
    let runs = part.moves().map(|list_move| {
        let run = list_move.positions().ascending();
        match run.step() {
            0 => AxisRange::single(run.start()),
            _ => run,
        }
    });
    let listed = || {
        let mut positions: Vec<usize> = runs.clone().flat_map(AxisRange::positions).collect();
        positions.sort_unstable();
        positions.dedup();
        AxisPositions::from_positions(positions)
    };
    // Short runs take more memory than their positions.
    if part.position_count() < 4 * part.move_count() {
        return listed();
    }
    let mut ascending: Vec<AxisRange> = runs.clone().collect();
    ascending.sort_unstable_by_key(|run| (run.start(), run.step(), run.len()));
    ascending.dedup();
    let last = |run: &AxisRange| run.position(run.len() - 1);
    match ascending.is_sorted_by(|run, next| last(run) < next.start()) {
        true => AxisPositions::from_runs(ascending),
        // The runs overlap.
        false => listed(),
    }
}
