//! Reads slices of an array, as elements of a Rust type or as bytes.

mod counts;
mod element;
mod fetch;
pub(crate) mod limits;
pub(crate) mod lists;
mod opened;
mod output;
pub(crate) mod piece;
pub(crate) mod queue;
pub(crate) mod reader;
mod requests;
pub(crate) mod runs;
mod tally;

use ndarray::{Array as NdArray, ArrayD, ArrayViewMut, Dimension};
use slice_core::resolve::check_shape;
use slice_core::{Select, SelectFor};
use zarrs::array::{Array, DataType};
use zarrs::storage::{Bytes, ReadableStorageTraits};

use crate::array::element::{Element, OwnedElements, Unit};
use crate::array::error::Error;
use crate::array::options::AccessOptions;
use crate::array::plan::{PlanSlice, PlannedSlice};
use crate::array::read::element::read_element;
use crate::array::read::limits::check_slice;
use crate::array::read::queue::read;
use crate::array::stats::Stats;
use crate::array::stored::{StoredArray, name_of};
use crate::array::units::in_units;

/// The elements of a slice as bytes, for arrays whose data type is known only at run time.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// let (raw, _) = array.read_slice_raw(s![0, :2], &AccessOptions::new())?;
/// assert_eq!(raw.data_type(), &data_type::uint8());
/// assert_eq!((raw.shape(), raw.bytes()), (&[2][..], &[7, 7][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RawArray {
    data_type: DataType,
    shape: Vec<usize>,
    bytes: Bytes,
}

impl RawArray {
    /// Returns the data type of the elements.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// Returns the shape of the slice.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the elements in C order, each in the byte order of this machine.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reads slices of an array.
///
/// # Example
///
/// ```
/// use ndarray::{ArrayD, Ix2, Ix3};
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// let out: ArrayD<u8> = array.read_slice(s![1:, ..., ::-2])?;
/// assert_eq!(out.shape(), [3, 3]);
///
/// // If the rank of the array is given as a type, the rank of the result is static too.
/// let row: ndarray::Array1<u8> = array.read_slice_of::<Ix2, _, _>(s![0])?;
/// assert_eq!(row.len(), 6);
/// let error = array.read_slice_of::<Ix3, u8, _>(s![0]).unwrap_err();
/// let message = "the array has 2 axes, but the named dimension type has 3; name `Ix2`, or `IxDyn` for any rank";
/// assert_eq!(error.to_string(), message);
///
/// // Strings, operations of TensorFlow, ONNX and other systems, and selections are also accepted.
/// let out: ArrayD<u8> = array.read_slice("::3, newaxis")?;
/// assert_eq!(out.shape(), [2, 1, 6]);
///
/// // With options: statistics, an existing array, and bytes of any data type.
/// let options = AccessOptions::new().workers(2);
/// let (out, stats) = array.read_slice_with::<u8>(s![0], &options)?;
/// let mut rows = ndarray::Array2::<u8>::zeros((2, 6));
/// array.read_slice_into(s![::2], rows.view_mut(), &options)?;
/// assert_eq!((out[0], rows[[1, 5]], stats.chunks), (7, 7, 0)); // the fill value
/// assert_eq!(array.read_slice_raw(s![0], &options)?.0.bytes(), [7; 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ReadSlice: PlanSlice<Storage: ReadableStorageTraits + 'static> {
    /// Reads the slice into a new array.
    ///
    /// Python equivalent: `z[spec]`.
    ///
    /// # Errors
    ///
    /// See [`Error`]. After an error, the elements read so far are discarded.
    fn read_slice<T: Element>(
        &self,
        spec: impl Select<Error: Into<Error>>,
    ) -> Result<ArrayD<T>, Error> {
        Ok(self.read_slice_with(spec, &AccessOptions::new())?.0)
    }

    /// Reads the slice with `options`, and also returns statistics.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_slice`](Self::read_slice).
    fn read_slice_with<T: Element>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        options: &AccessOptions<'_>,
    ) -> Result<(ArrayD<T>, Stats), Error> {
        let array = self.array();
        let plan = PlannedSlice::new(array, spec, options)?;
        check_element::<T>(array.data_type())?;
        check_slice(&plan, options)?;
        let mut out = zeros::<T>(plan.shape(), 1)?;
        let stats = read(array, &plan, out.view_mut(), None, options)?;
        Ok((out, stats))
    }

    /// Reads the slice into a new array with static rank. `D` is ndarray's dimension type for the stored array, such as
    /// `Ix3`. Together with the slice, `D` determines the rank of the result.
    ///
    /// # Errors
    /// Returns the same errors as [`read_slice`](Self::read_slice), and [`Error::Rank`] if the array does not have
    /// the rank of `D`.
    fn read_slice_of<D, T, I>(&self, spec: I) -> Result<NdArray<T, I::OutDim>, Error>
    where
        D: Dimension,
        T: Element,
        I: SelectFor<D> + Select<Error: Into<Error>>,
    {
        read_slice_of::<_, D, T, I>(self.array(), spec, &AccessOptions::new())
    }

    /// Reads the slice into an existing array or view, without an intermediate copy.
    ///
    /// Python equivalent: `out[...] = z[spec]`, without broadcasting.
    ///
    /// # Errors
    /// Returns the same errors as [`read_slice`](Self::read_slice), and
    /// [`SliceError::ShapeMismatch`](slice_core::SliceError::ShapeMismatch) if the shape of
    /// `out` differs from the shape of the slice. After any other error, some elements of `out` may have been
    /// overwritten.
    fn read_slice_into<T: Element, D: Dimension>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        out: ArrayViewMut<'_, T, D>,
        options: &AccessOptions<'_>,
    ) -> Result<Stats, Error> {
        check_element::<T>(self.array().data_type())?;
        self.read_slice_raw_into(spec, out, options)
    }

    /// Reads the slice as bytes, for any fixed-size data type.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_slice`](Self::read_slice).
    fn read_slice_raw(
        &self,
        spec: impl Select<Error: Into<Error>>,
        options: &AccessOptions<'_>,
    ) -> Result<(RawArray, Stats), Error> {
        let array = self.array();
        let plan = PlannedSlice::new(array, spec, options)?;
        check_slice(&plan, options)?;
        let (bytes, stats) = in_units!(plan.stored.item_size, |U, units| {
            let mut out = zeros::<U>(plan.shape(), units)?;
            let stats = read(array, &plan, out.view_mut(), None, options)?;
            let elements = OwnedElements(out.into_raw_vec_and_offset().0);
            (Bytes::from_owner(elements), stats)
        });
        let raw = RawArray {
            data_type: array.data_type().clone(),
            shape: plan.shape().to_vec(),
            bytes,
        };
        Ok((raw, stats))
    }

    /// Reads the slice into an existing array of integers, for any fixed-size data type. If an element is larger than
    /// the integer type, `out` has an additional last axis for the integers of each element.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`read_slice_into`](Self::read_slice_into), and [`Error::Element`] if the
    /// size of an element is not a multiple of the size of `T`.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::Array2;
    /// use slice_core::s;
    /// use slice_zarr::{AccessOptions, ReadSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::float32(), 1.0_f32).build(store, "/")?;
    ///
    /// let mut out = Array2::<u32>::zeros((2, 6));
    /// array.read_slice_raw_into(s![::2], out.view_mut(), &AccessOptions::new())?;
    /// assert_eq!(f32::from_bits(out[[1, 5]]), 1.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn read_slice_raw_into<T: Element, D: Dimension>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        out: ArrayViewMut<'_, T, D>,
        options: &AccessOptions<'_>,
    ) -> Result<Stats, Error> {
        let array = self.array();
        let stored = StoredArray::of(array)?;
        let selection = spec.select(&stored.shape).map_err(Into::into)?;
        let shape = selection.output_shape();
        let shape = raw_shape::<T>(array.data_type(), shape, stored.item_size)?;
        check_shape(&shape, out.shape())?;
        let mut out = out.into_dyn();
        if let Some(stats) = read_element(array, &stored, &selection, &mut out, options)? {
            return Ok(stats);
        }
        let plan = PlannedSlice::of_selection(stored, selection, options)?;
        check_slice(&plan, options)?;
        read(array, &plan, out, None, options)
    }
}

impl<S: ?Sized + ReadableStorageTraits + 'static> ReadSlice for Array<S> {}

/// Implements [`ReadSlice::read_slice_of`], with options.
pub(crate) fn read_slice_of<S, D, T, I>(
    array: &Array<S>,
    spec: I,
    options: &AccessOptions<'_>,
) -> Result<NdArray<T, I::OutDim>, Error>
where
    S: ?Sized + ReadableStorageTraits + 'static,
    D: Dimension,
    T: Element,
    I: SelectFor<D> + Select<Error: Into<Error>>,
{
    let rank = array.shape().len();
    if let Some(named) = D::NDIM.filter(|&named| named != rank) {
        return Err(Error::Rank { array: rank, named });
    }
    let (out, _) = array.read_slice_with::<T>(spec, options)?;
    let out = out.into_dimensionality();
    Ok(out.expect("the output should have the rank of `I::OutDim`"))
}

pub(crate) fn check_element<T: Element>(data_type: &DataType) -> Result<(), Error> {
    T::validate_data_type(data_type).map_err(|_| wrong_element::<T>(data_type))
}

fn wrong_element<T>(data_type: &DataType) -> Error {
    Error::Element {
        data_type: name_of(data_type),
        element: std::any::type_name::<T>(),
    }
}

/// Returns the shape of an array of integers that holds the elements of a slice with shape `shape`: if an element
/// consists of several integers, there is an additional last axis for them.
pub(crate) fn raw_shape<T: Element>(
    data_type: &DataType,
    shape: &[usize],
    item_size: usize,
) -> Result<Vec<usize>, Error> {
    if !item_size.is_multiple_of(size_of::<T>()) {
        return Err(wrong_element::<T>(data_type));
    }
    let mut shape = shape.to_vec();
    if item_size != size_of::<T>() {
        shape.push(item_size / size_of::<T>());
    }
    Ok(shape)
}

/// Allocates an output filled with zeros. If an element consists of several units, the output has an additional last
/// axis for them. Returns an error if there is not enough memory.
pub(crate) fn zeros<U: Unit>(
    shape: &[usize],
    units_per_element: usize,
) -> Result<ArrayD<U>, Error> {
    let mut shape = shape.to_vec();
    if units_per_element != 1 {
        shape.push(units_per_element);
    }
    let lengths = shape.iter().map(|&len| len as u128);
    let elements = lengths.fold(1, u128::saturating_mul);
    let bytes = elements.saturating_mul(size_of::<U>() as u128);
    let out_of_memory = || Error::Memory {
        what: "the output",
        bytes: bytes.try_into().unwrap_or(u64::MAX),
    };
    let zeros = usize::try_from(elements).ok();
    let zeros = zeros.and_then(|elements| bytemuck::try_zeroed_vec(elements).ok());
    let mut zeros = zeros.ok_or_else(out_of_memory)?;
    slice_core::request_huge_pages(&mut zeros);
    ArrayD::from_shape_vec(shape, zeros).map_err(|_| out_of_memory())
}
