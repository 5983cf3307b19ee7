//! Writes slices. Only the touched chunks are written, and chunks that are written as a whole are not read.

use std::sync::Arc;

use ndarray::{ArrayRef, ArrayViewD, ArrayViewMut, Axis, Dimension, IxDyn};
use slice_core::{
    AxisPositions, AxisRange, OuterSelection, OutputAxis, SliceError, StridedSliceExt,
};
use zarrs::array::{Array, ArrayBytes, ArrayError, CodecOptions};
use zarrs::storage::ReadableWritableStorageTraits;

use crate::array::codecs::bounded::filled;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::Element;
use crate::array::element::Unit;
use crate::array::error::{ChunkError, Error};
use crate::array::options::ReadOptions;
use crate::array::plan::{Chunks, Part, PlanSlice, Planned};
use crate::array::read::check_element;
use crate::array::read::piece::with_axis;
use crate::array::select::Select;
use crate::array::storage::checked::Checked;
use crate::array::storage::keys::chunk_key;
use crate::array::storage::wanted::{Wanted, check_size};
use crate::array::stored::Stored;
use crate::array::workers::{Work, work};

/// Writes to slices of an array.
///
/// # Example
///
/// ```
/// use ndarray::{ArrayD, arr1};
/// use slice_core::s;
/// use slice_zarr::{ReadSlice, WriteSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![3, 4], data_type::int16(), 0_i16).build(store, "/")?;
///
/// array.write_slice(s![1:3, ::-2], &arr1(&[1_i16, 2, 3]))?;
/// let row: ArrayD<i16> = array.read_slice(s![2])?;
/// assert_eq!(row, arr1(&[0, 3, 0, 2, 0, 1]).into_dyn());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WriteSlice: PlanSlice {
    /// Writes values, which broadcast as in NumPy, to the slice.
    ///
    /// Python equivalent: `z[spec] = values`.
    ///
    /// Each touched chunk is read, changed and written. A chunk whose elements in the array are all written is not
    /// read. Two concurrent writes to one chunk may undo each other. Each chunk is written by itself. Whether it is
    /// replaced atomically depends on the store: object stores do so, and files do so with zarrs'
    /// [`AtomicWriteStorageAdapter`]. A process that is killed while this adapter writes leaves an object whose key
    /// ends in `.tmp`. The adapter then refuses to write that chunk ("temporary key c/0/0.tmp already exists"), since
    /// another process may be writing it. Erase the object when no process is writing it.
    ///
    /// [`AtomicWriteStorageAdapter`]: zarrs::storage::storage_adapter::atomic_write::AtomicWriteStorageAdapter
    ///
    /// # Errors
    ///
    /// [`Error::Broadcast`] if the values do not fit the slice. Nothing is written then. For other errors see
    /// [`Error`]; some chunks may have been written then.
    fn write_slice<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        values: &ArrayRef<T, D>,
    ) -> Result<(), Error> {
        self.write_slice_with(spec, values, &ReadOptions::new())
    }

    /// Writes values to the slice with these options: workers, progress and cancellation.
    ///
    /// # Errors
    ///
    /// The errors of [`write_slice`](Self::write_slice).
    fn write_slice_with<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        values: &ArrayRef<T, D>,
        options: &ReadOptions<'_>,
    ) -> Result<(), Error>;
}

impl<S: ?Sized + ReadableWritableStorageTraits + 'static> WriteSlice for Array<S> {
    fn write_slice_with<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        values: &ArrayRef<T, D>,
        options: &ReadOptions<'_>,
    ) -> Result<(), Error> {
        let plan = Planned::new(self, spec)?;
        check_element::<T>(self.data_type())?;
        let values_shape = values.shape().to_vec();
        let values = trimmed(values, plan.shape().len());
        let values = values.broadcast(IxDyn(plan.shape()));
        let values = values.ok_or_else(|| Error::Broadcast {
            value: values_shape,
            slice: plan.shape().to_vec(),
        })?;
        write(self, &plan, &values, options)
    }
}

/// Writes values of the shape of a slice. An additional last axis of the values holds the units of an element.
pub(crate) fn write<U: Unit, S: ?Sized + ReadableWritableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    values: &ArrayViewD<'_, U>,
    options: &ReadOptions<'_>,
) -> Result<(), Error> {
    let stored = plan.stored();
    options.check_chunk(plan, stored.codecs.bytes())?;
    let array = &array.with_storage(Arc::new(Checked::new(array)));
    let of = plan.chunks().len();
    let parts = Parts(plan.chunks(), 0);
    let workers = options.workers.min(of);
    work(parts, workers, of, options, |part, scratch| {
        write_part(
            array,
            stored,
            (&part, plan.shape().len()),
            values,
            options,
            scratch,
        )
    })
}

/// The chunks of a write, and the number of chunks already taken.
struct Parts<'p>(&'p Chunks, usize);

impl<'p> Work for Parts<'p> {
    type Job = Part<'p>;
    type Done = ();

    fn next(&mut self) -> Option<Self::Job> {
        let part = self.0.part(self.1)?;
        self.1 += 1;
        Some(part)
    }

    fn take(&mut self, (): ()) -> usize {
        1
    }
}

/// Returns the values without leading axes of length 1 that the slice lacks.
fn trimmed<'v, T, D: Dimension>(values: &'v ArrayRef<T, D>, rank: usize) -> ArrayViewD<'v, T> {
    let mut view = values.view().into_dyn();
    while view.ndim() > rank && view.shape()[0] == 1 {
        view = view.index_axis_move(Axis(0), 0);
    }
    view
}

/// Returns the selection with an additional last axis of this length, selected in full.
fn with_listed_axis(selection: &OuterSelection, len: usize) -> Result<OuterSelection, SliceError> {
    let rank = selection.input_shape().len();
    let shape = [selection.input_shape(), &[len]].concat();
    let axes = (0..rank).map(|axis| selection.axis(axis));
    let output: Vec<OutputAxis> = selection.output_axes().collect();
    OuterSelection::from_axes(
        &shape,
        axes.chain([AxisPositions::Range(AxisRange::whole(len))]),
        &[output, vec![OutputAxis::Input(rank)]].concat(),
    )
}

fn write_part<U: Unit, S: ?Sized + ReadableWritableStorageTraits + 'static>(
    array: &Array<S>,
    stored: &Stored,
    (part, rank): (&Part<'_>, usize),
    values: &ArrayViewD<'_, U>,
    read_options: &ReadOptions<'_>,
    scratch: &mut Scratch,
) -> Result<(), Error> {
    let indices = part.indices();
    let key = chunk_key(array, &indices)?;
    let failed = |source: ChunkError| source.of_chunk(indices.clone(), key.as_str());
    let store_failed = |error: ArrayError| {
        failed(match error {
            ArrayError::StorageError(error) => ChunkError::Storage(error),
            ArrayError::CodecError(error) => ChunkError::Codec(error),
            error => ChunkError::Broken(error.to_string()),
        })
    };
    let options = CodecOptions::default().with_concurrent_target(1);
    let most = stored.codecs.most_encoded();
    let wanted = Wanted::new(most, read_options.deadline, Arc::default());
    let old = if part.is_whole() {
        None
    } else {
        let read = wanted.clone().during(|| {
            if read_options.sized
                && let Some(size) = array.storage().size_key(&key)?
            {
                check_size(size, &(1..=most)).map_err(ChunkError::Broken)?;
            }
            Ok(array.retrieve_encoded_chunk(&indices)?)
        });
        read.map_err(failed)?
    };
    let broken = |what: &str| failed(ChunkError::Broken(what.into()));
    let mut units: Vec<U> = match old {
        Some(bytes) => {
            let codecs = &stored.codecs;
            let bytes = codecs.decode(bytes.into(), &codecs.shape, scratch);
            let bytes = bytes.map_err(failed)?;
            let units = U::from_bytes(&bytes);
            let units = units
                .ok_or_else(|| broken("has bytes that are not valid elements of its data type"))?
                .into_owned();
            scratch.keep(bytes);
            units
        }
        None => {
            let fill = U::from_bytes(stored.fill_value.as_ne_bytes());
            let fill = fill
                .ok_or_else(|| broken("the fill value is not a valid element of the data type"))?;
            let count = stored.chunk_shape.iter().product::<usize>() * fill.len();
            filled(&fill, count).map_err(|_| Error::Memory {
                what: "a chunk",
                bytes: stored.codecs.bytes(),
            })?
        }
    };
    let per_item = (values.ndim() > rank).then(|| values.len_of(Axis(rank)));
    let mut shape = stored.chunk_shape.clone();
    shape.extend(per_item);
    let chunk = ArrayViewMut::from_shape(IxDyn(&shape), &mut units);
    let mut chunk = chunk.map_err(|error| broken(&error.to_string()))?;
    match part {
        Part::Block(part) => {
            let (mut inside, mut output) = (part.selection(), part.output());
            if let Some(units) = per_item {
                (inside, output) = (with_axis(&inside, units)?, with_axis(&output, units)?);
            }
            chunk.try_set(inside, &values.try_at(output)?)?;
        }
        Part::Lists(part) => {
            let (mut inside, mut output) = (part.selection(), part.output());
            if let Some(units) = per_item {
                inside = with_listed_axis(&inside, units)?;
                output = with_listed_axis(&output, units)?;
            }
            // Values are written in the order of the list, so an element that gets several values keeps the last value.
            chunk.try_set(inside, &values.try_gather(output)?)?;
        }
    }
    let bytes = ArrayBytes::new_flen(U::to_bytes(&units));
    wanted
        .during(|| array.store_chunk_opt(&indices, bytes, &options))
        .map_err(store_failed)
}
