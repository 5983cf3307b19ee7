//! The pieces of a read. A piece is the part of a read that lies in one chunk or inner chunk: the bytes to fetch, and
//! the region of the output that they fill.

use std::borrow::Cow;
use std::iter;
use std::ops::Range;

use ndarray::{ArrayView, ArrayViewMut, IxDyn};
use slice_core::{
    AxisPositions, AxisRange, ResolvedStep, Selection, SliceError, StridedSliceExt, s,
};

use crate::Dims;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::{Unit, as_units};
use crate::array::error::ChunkError;
use crate::array::read::lists::Source;
use crate::array::read::lists::bands::Bands;
use crate::array::read::requests::Fetched;
use crate::array::read::runs::{Runs, selection_in_fetched};
use crate::array::read::tally::Held;
use crate::array::storage::merge::merge_ranges;
use crate::array::stored::StoredArray;
use crate::chunks::part::ChunkPart;

/// The maximum number of inner chunks of a shard that are processed at a time.
pub(crate) const MAX_INNER_CHUNKS_AT_ONCE: usize = 8192;

/// Returns a bound on the memory, in bytes, that a piece of an array of rank `rank` holds until it is read. The bound
/// does not include the elements.
pub(crate) fn piece_bytes(rank: usize) -> u64 {
    2304 + 128 * rank as u64
}

/// The part of a read that lies in one chunk, or in one inner chunk of a shard.
pub(crate) struct Piece<'a, U> {
    pub(crate) target: Target<'a, U>,
    pub(crate) needed: NeededBytes,
    /// The memory of the piece, apart from its elements.
    pub(crate) held: Held,
}

/// The part of a plan, or of a shard, that lies in a chunk or inner chunk, and the region of the output that it fills.
pub(crate) struct Target<'a, U> {
    pub(crate) selected: ChunkPart<'a>,
    pub(crate) region: Region<'a, U>,
}

/// The region of an output that a chunk or an inner chunk fills.
pub(crate) enum Region<'a, U> {
    Block(ArrayViewMut<'a, U, IxDyn>),
    /// Positions given by lists.
    Lists(&'a Bands<'a, U>),
}

/// The bytes that a piece needs from its stored object (a chunk or shard).
pub(crate) enum NeededBytes {
    /// All bytes.
    All,
    /// The bytes of an encoded inner chunk.
    Encoded(Range<u64>),
    /// The bytes that a selection needs from an uncompressed chunk.
    Runs(Box<Runs>),
}

impl NeededBytes {
    /// Returns the needed ranges of the object, in ascending order.
    pub(crate) fn runs(&self) -> Box<dyn Iterator<Item = Range<u64>> + '_> {
        match self {
            NeededBytes::Encoded(range) => Box::new(iter::once(range.clone())),
            NeededBytes::Runs(runs) => Box::new(runs.ranges()),
            NeededBytes::All => unreachable!("a whole object is requested without ranges"),
        }
    }

    /// Returns the byte ranges to request, merged if at most `gap` bytes lie between them.
    pub(crate) fn ranges(&self, gap: u64) -> impl Iterator<Item = Range<u64>> + '_ {
        merge_ranges(self.runs(), gap, u64::MAX)
    }

    /// Returns the number of bytes in all runs of an uncompressed chunk of elements of `item_size` bytes.
    pub(crate) fn run_bytes(&self, item_size: usize) -> usize {
        match self {
            NeededBytes::Runs(runs) => runs.shape.iter().product::<usize>() * item_size,
            NeededBytes::All | NeededBytes::Encoded(_) => 0,
        }
    }

    /// Returns the memory, in bytes, held by lists of positions.
    pub(crate) fn list_bytes(&self) -> u64 {
        match self {
            NeededBytes::Runs(runs) => runs.list_bytes(),
            _ => 0,
        }
    }
}

impl<U: Unit> Piece<'_, U> {
    /// Decodes the fetched bytes and copies the selected elements.
    ///
    /// Calls `report_bytes` with the number of bytes that decoding allocated, before these bytes are freed.
    pub(crate) fn finish(
        self,
        stored: &StoredArray,
        fetched: &Fetched,
        scratch: &mut Scratch,
        report_bytes: impl FnOnce(u64),
    ) -> Result<(), ChunkError> {
        let Piece {
            mut target,
            needed,
            held: _held,
        } = self;
        let codecs = stored.unit_codecs();
        if let NeededBytes::Runs(runs) = &needed {
            let shape = &runs.shape[..];
            let bytes = fetched.runs(runs.ranges(), codecs.bytes_of(shape), scratch)?;
            let bytes = codecs.decode_part(bytes, shape)?;
            report_bytes(owned_bytes(&bytes));
            let copied = target.fill_from(&bytes, shape, &runs.positions);
            scratch.keep_buffer(bytes);
            return copied;
        }
        let bytes = Cow::Borrowed(match &needed {
            NeededBytes::Encoded(range) => fetched.run(range)?,
            _ => fetched.run(&(0..fetched.end()))?,
        });
        let shape = &codecs.shape;
        let first_rows_shape = target.shape_of_first_rows(shape);
        let bytes = codecs.decode(bytes, &first_rows_shape, scratch)?;
        report_bytes(match (codecs.is_one_step(), &bytes) {
            (false, _) => codecs.max_decoding_bytes(),
            (true, Cow::Borrowed(_)) => 0,
            // The buffer has room for the whole chunk, even if only its first rows are decoded.
            (true, Cow::Owned(_)) => codecs.decoded_bytes(),
        });
        let shape = match (bytes.len() as u64) < codecs.decoded_bytes() {
            true => &first_rows_shape,
            false => shape,
        };
        let shape = target.selected.plan.merged(shape);
        let copied = target.fill_from(&bytes, &shape, &[]);
        scratch.keep_decoded(bytes);
        copied
    }
}

impl<U: Unit> Target<'_, U> {
    /// Copies the selected elements from the fetched array, which has the shape `shape`. It contains the positions
    /// `fetched` of the chunk on its first axes, and all positions on later axes.
    fn fill_from(
        &mut self,
        bytes: &[u8],
        shape: &[usize],
        fetched: &[AxisPositions],
    ) -> Result<(), ChunkError> {
        match &mut self.region {
            Region::Block(view) => {
                let selection = selection_in_fetched(&self.selected, shape, fetched);
                copy_to_view(bytes, shape, &selection.map_err(broken)?, view)
            }
            Region::Lists(output) => put_listed(bytes, shape, &self.selected, fetched, output),
        }
    }

    /// Returns the shape of the first rows of a chunk, up to the last row with a selected element.
    ///
    /// A *row* consists of the elements at one position on the first axis that is longer than 1. Rows are consecutive
    /// in memory, so decoding can stop after the last of these rows.
    fn shape_of_first_rows(&self, shape: &[usize]) -> Vec<usize> {
        let mut first = shape.to_vec();
        if let Some(axis) = shape.iter().position(|&len| len > 1) {
            // The axis may be the first of several axes that the plan treats as one.
            let (plan_axis, inner) = self.selected.plan.axis_of(axis, shape);
            let last_positions = self.selected.axes[plan_axis].moves().map(|list_move| {
                let range = list_move.positions();
                range.start().max(range.position(range.len() - 1))
            });
            first[axis] = last_positions.max().unwrap_or(0) / inner + 1;
        }
        first
    }

    /// Fills the target of a missing chunk with the fill value.
    pub(crate) fn fill(&mut self, stored: &StoredArray) -> Result<(), ChunkError> {
        let units = stored.fill_units()?;
        match &mut self.region {
            Region::Block(view) => fill_view(view, &units),
            Region::Lists(output) => {
                let strides = Dims::from_elem(0, self.selected.axes.len());
                let (selected, per_element) = (&self.selected, output.units_per_element);
                output.put(&Source::new(&units, &strides, selected, &[], per_element));
            }
        }
        Ok(())
    }
}

/// Copies the elements selected by lists from decoded bytes to the output.
fn put_listed<U: Unit>(
    bytes: &[u8],
    shape: &[usize],
    selected: &ChunkPart<'_>,
    fetched: &[AxisPositions],
    output: &Bands<'_, U>,
) -> Result<(), ChunkError> {
    let units = as_units::<U>(bytes)?;
    let per_element = output.units_per_element;
    let elements = shape.iter().product::<usize>();
    if units.len() != elements * per_element.unwrap_or(1) {
        let (bytes, shape) = (bytes.len(), shape.to_vec());
        return Err(ChunkError::Broken(format!(
            "the number of decoded bytes, {bytes}, does not match the shape {shape:?}"
        )));
    }
    let mut strides = Dims::from_elem(per_element.unwrap_or(1), shape.len());
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    output.put(&Source::new(
        &units,
        &strides,
        selected,
        fetched,
        per_element,
    ));
    Ok(())
}

/// Sets each element of a view to the element that consists of `units`.
pub(crate) fn fill_view<U: Unit>(view: &mut ArrayViewMut<'_, U, IxDyn>, units: &[U]) {
    match units {
        [unit] => view.fill(*unit),
        units => view.assign(&ndarray::aview1(units)),
    }
}

/// Returns the number of bytes held in addition to the encoded bytes.
#[expect(
    clippy::ptr_arg,
    reason = "the variant tells whether the bytes are borrowed or owned"
)]
fn owned_bytes(bytes: &Cow<'_, [u8]>) -> u64 {
    match bytes {
        Cow::Borrowed(_) => 0,
        Cow::Owned(bytes) => bytes.len() as u64,
    }
}

fn broken(error: impl ToString) -> ChunkError {
    ChunkError::Broken(error.to_string())
}

/// Copies the selected elements from decoded bytes to a view of the output.
///
/// If the view has one axis more than the output of the selection, the last axis of the view holds the units of each
/// element.
fn copy_to_view<U: Unit>(
    bytes: &[u8],
    shape: &[usize],
    selection: &Selection,
    view: &mut ArrayViewMut<'_, U, IxDyn>,
) -> Result<(), ChunkError> {
    let units = as_units::<U>(bytes)?;
    let extended;
    let (shape, selection) = if view.ndim() == selection.output_shape().len() {
        (Cow::Borrowed(shape), selection)
    } else {
        let units = *view.shape().last().unwrap_or(&1);
        extended = with_last_axis(selection, units).map_err(broken)?;
        (Cow::Owned([shape, &[units]].concat()), &extended)
    };
    let chunk = ArrayView::from_shape(IxDyn(&shape), &units);
    let chunk = chunk.map_err(broken)?;
    let copied = chunk
        .try_at(selection)
        .and_then(|slice| view.try_set(s![...], &slice));
    copied.map_err(broken)
}

/// Returns the selection with an additional last axis of length `len`, which is selected in full.
pub(crate) fn with_last_axis(selection: &Selection, len: usize) -> Result<Selection, SliceError> {
    let shape = [selection.input_shape(), &[len]].concat();
    let whole = ResolvedStep::Keep(AxisRange::whole(len));
    Selection::from_steps(&shape, selection.resolved_steps().chain([whole]))
}
