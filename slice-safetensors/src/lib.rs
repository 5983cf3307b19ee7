//! Reads slices of tensors in files in the format of [safetensors] 0.8, and only the bytes that a slice selects.
//!
//! ```
//! use safetensors::tensor::{Dtype, TensorView};
//! use slice_core::s;
//! use slice_safetensors::read_slice;
//!
//! let bytes: Vec<u8> = (0..24).collect();
//! let view = TensorView::new(Dtype::U8, vec![4, 6], &bytes)?;
//! let slice = read_slice(&view, s![1, newaxis, ::-2])?;
//! assert_eq!((slice.shape(), slice.data()), (&[1, 3][..], &[11, 9, 7][..]));
//! assert_eq!(read_slice(&view, "0:0:2")?.shape(), [0, 6]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The slices have the meaning and the errors of NumPy, as [slice-core](slice_core) describes.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use safetensors::tensor::{Dtype, TensorInfo, TensorView};
use slice_core::{
    AxisPositions, AxisRange, OutputAxis, ResolvedStep, Select, SelectError, Selection, SliceError,
};

/// The error of a slice of a tensor in a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the tensor, or a string is not a slice.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The elements do not consist of whole bytes.
    #[error("elements of type {0} cannot be sliced, because they do not consist of whole bytes")]
    SubByte(Dtype),
    /// The selected elements do not fit in memory.
    #[error("the selected elements do not fit in memory")]
    TooLarge,
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Error::Select(error.into())
    }
}

/// A stored tensor, whose bytes can be read in parts.
pub trait TensorSource {
    /// Returns the type of the elements.
    fn dtype(&self) -> Dtype;

    /// Returns the length of each axis.
    fn shape(&self) -> &[usize];

    /// Reads the bytes of the tensor that begin at `offset`.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes cannot be read.
    fn read(&self, offset: usize, bytes: &mut [u8]) -> std::io::Result<()>;
}

impl TensorSource for TensorView<'_> {
    fn dtype(&self) -> Dtype {
        self.dtype()
    }

    fn shape(&self) -> &[usize] {
        self.shape()
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> std::io::Result<()> {
        let end = offset.saturating_add(bytes.len());
        let source = self.data().get(offset..end);
        bytes.copy_from_slice(source.ok_or(std::io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// A tensor in a file that is not mapped into memory.
///
/// # Example
///
/// ```no_run
/// use std::fs::File;
///
/// use safetensors::tensor::Metadata;
/// use slice_core::s;
/// use slice_safetensors::{FileTensor, read_slice};
///
/// # fn read_header(_: &File) -> (u64, Metadata) { unimplemented!() }
/// let file = File::open("model.safetensors")?;
/// let (header_len, metadata) = read_header(&file); // the first 8 bytes, and the JSON text after them
/// let info = metadata.info("weights").expect("the file should have this tensor");
/// let rows = read_slice(&FileTensor::new(&file, 8 + header_len, info), s![:10])?;
/// # Ok::<(), slice_safetensors::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct FileTensor<'a> {
    file: &'a File,
    begin: u64,
    info: &'a TensorInfo,
}

impl<'a> FileTensor<'a> {
    /// Creates a tensor. `data_begin` is the offset in the file of the data of all tensors, which is 8 more than the
    /// length of the header.
    #[must_use]
    pub fn new(file: &'a File, data_begin: u64, info: &'a TensorInfo) -> Self {
        let begin = data_begin.saturating_add(info.data_offsets.0 as u64);
        FileTensor { file, begin, info }
    }
}

impl TensorSource for FileTensor<'_> {
    fn dtype(&self) -> Dtype {
        self.info.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.info.shape
    }

    fn read(&self, offset: usize, bytes: &mut [u8]) -> std::io::Result<()> {
        let mut file = self.file;
        file.seek(SeekFrom::Start(self.begin.saturating_add(offset as u64)))?;
        file.read_exact(bytes)
    }
}

/// The elements that a slice selects, in C order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SlicedTensor {
    dtype: Dtype,
    shape: Vec<usize>,
    data: Vec<u8>,
}

impl SlicedTensor {
    /// Returns the type of the elements.
    #[must_use]
    pub fn dtype(&self) -> Dtype {
        self.dtype
    }

    /// Returns the length of each axis.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Returns the bytes of the elements, which are little-endian.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Returns the bytes of the elements without copying them.
    #[must_use]
    pub fn into_data(self) -> Vec<u8> {
        self.data
    }

    /// Returns a view, which can be converted to a tensor of another crate, or serialized.
    ///
    /// # Errors
    ///
    /// Returns the error of [`TensorView::new`]. It does not occur, because the data has the length that the shape requires.
    pub fn view(&self) -> Result<TensorView<'_>, safetensors::SafeTensorError> {
        TensorView::new(self.dtype, self.shape.clone(), &self.data)
    }
}

/// Reads the elements of `tensor` that `spec` selects, and no other bytes of it.
///
/// Each selected position is read once, in the order of the file. Neighboring elements are read together. If the slice
/// reverses an axis, or has lists that repeat or reorder positions, the elements are reordered in memory. The elements of
/// a mask, of points or of a list with several axes are read in the order of the result.
///
/// Python equivalent: `safe_open(path, "np").get_slice(name)[spec]`, which supports neither negative steps nor lists.
///
/// # Errors
///
/// * [`Error::Select`] if the slice does not fit the shape of the tensor, or if a string is not a slice.
/// * [`Error::SubByte`] if an element has less than one byte.
/// * [`Error::TooLarge`] if the selected elements do not fit in memory.
/// * [`Error::Io`] if the file cannot be read.
pub fn read_slice(
    tensor: &impl TensorSource,
    spec: impl Select<Error = SelectError>,
) -> Result<SlicedTensor, Error> {
    let dtype = tensor.dtype();
    if !dtype.bitsize().is_multiple_of(8) {
        return Err(Error::SubByte(dtype));
    }
    let size = dtype.bitsize() / 8;
    let selection = spec.select(tensor.shape())?;
    // Any type can implement `Select`, so the selection may be one for another shape.
    let checked = selection.check_shape(tensor.shape());
    checked.map_err(SelectError::from)?;
    let shape = selection.output_shape().to_vec();
    let data = match ascending(&selection)? {
        // The axes of an empty slice may be too long to visit their positions.
        _ if selection.is_empty() => Vec::new(),
        Some((read, None)) => read_runs(tensor, &read, size)?,
        Some((read, Some(reorder))) => reordered(&read_runs(tensor, &read, size)?, &reorder, size)?,
        None => read_runs(tensor, &selection, size)?,
    };
    Ok(SlicedTensor { dtype, shape, data })
}

/// Divides a selection into one with the same positions in ascending order and without repetitions, which keeps all
/// axes, and one that selects from the result of the first. The second is `None` if it would change only the shape.
///
/// Returns `None` for masks, points and lists with several axes.
fn ascending(selection: &Selection) -> Result<Option<(Selection, Option<Selection>)>, Error> {
    let joins_axes = |step| match step {
        ResolvedStep::List(list) => list.axes() > 1 || list.shape().len() > 1,
        _ => false,
    };
    if selection.resolved_steps().any(joins_axes) {
        return Ok(None);
    }
    let (mut first, mut second, mut shape) = (Vec::new(), Vec::new(), Vec::new());
    let mut is_reordered = false;
    for axis in 0..selection.input_shape().len() {
        let (positions, order, is_ordered) = match selection.range(axis) {
            Some(range) => {
                let (len, step) = (range.len(), range.step().signum());
                let start = if step < 0 { len - 1 } else { 0 };
                let order = AxisRange::new(start, step, len).into();
                (AxisPositions::from(range.ascending()), order, step > 0)
            }
            None => {
                let list: Vec<usize> = selection.axis(axis).iter().collect();
                let mut sorted = list.clone();
                sorted.sort_unstable();
                sorted.dedup();
                let is_ordered = list == sorted;
                let order = list
                    .iter()
                    .map(|position| sorted.partition_point(|x| x < position));
                let order = AxisPositions::from_positions(order);
                (AxisPositions::from_positions(sorted), order, is_ordered)
            }
        };
        shape.push(positions.len());
        is_reordered |= !is_ordered;
        first.push(positions);
        second.push(order);
    }
    let all_axes: Vec<OutputAxis> = (0..shape.len()).map(OutputAxis::Input).collect();
    let read = Selection::from_axes(selection.input_shape(), first, &all_axes)?;
    let reorder = Selection::from_axes(&shape, second, selection.output_axes())?;
    is_reordered |= reorder.len() != read.len();
    Ok(Some((read, is_reordered.then_some(reorder))))
}

/// Reads the selected elements, each of `size` bytes, in the order of the selection. Elements that follow each other in
/// the file are read together.
fn read_runs(
    tensor: &impl TensorSource,
    selection: &Selection,
    size: usize,
) -> Result<Vec<u8>, Error> {
    if selection.is_empty() {
        return Ok(Vec::new());
    }
    // The trailing axes of which all positions are selected, in order, are read as one element.
    let (mut shape, mut ranges) = (selection.input_shape(), Vec::new());
    let mut block = size;
    if let Ok(axes) = selection.axes() {
        ranges = axes.to_vec();
        while let (Some(&range), [outer @ .., len]) = (ranges.last(), shape)
            && range == AxisRange::whole(*len)
        {
            (shape, block) = (outer, block.checked_mul(*len).ok_or(Error::TooLarge)?);
            ranges.pop();
        }
    }
    let outer: Vec<OutputAxis> = (0..ranges.len()).map(OutputAxis::Input).collect();
    let blocks = match selection.is_strided() {
        true => &Selection::from_axes(shape, ranges, &outer)?,
        false => selection,
    };
    let len = selection.len().checked_mul(size).ok_or(Error::TooLarge)?;
    let mut data = Vec::new();
    data.try_reserve_exact(len).map_err(|_| Error::TooLarge)?;
    data.resize(len, 0);
    let mut remaining = &mut data[..];
    let mut run = 0..0;
    for index in blocks.indices() {
        let begin = index * block;
        if begin != run.end {
            read_next(tensor, run, &mut remaining)?;
            run = begin..begin;
        }
        run.end += block;
    }
    read_next(tensor, run, &mut remaining)?;
    Ok(data)
}

/// Reads the bytes in `run` to the beginning of `remaining`, and removes them from it.
fn read_next(
    tensor: &impl TensorSource,
    run: std::ops::Range<usize>,
    remaining: &mut &mut [u8],
) -> Result<(), Error> {
    if run.is_empty() {
        return Ok(());
    }
    let (bytes, rest) = std::mem::take(remaining).split_at_mut(run.len());
    *remaining = rest;
    Ok(tensor.read(run.start, bytes)?)
}

/// Selects elements of `size` bytes.
fn reordered(data: &[u8], selection: &Selection, size: usize) -> Result<Vec<u8>, Error> {
    fn gather<const SIZE: usize>(data: &[u8], selection: &Selection) -> Result<Vec<u8>, Error> {
        Ok(selection
            .gather(data.as_chunks::<SIZE>().0)?
            .into_flattened())
    }
    match size {
        1 => gather::<1>(data, selection),
        2 => gather::<2>(data, selection),
        4 => gather::<4>(data, selection),
        // The only other size.
        _ => gather::<8>(data, selection),
    }
}

/// Compiles and runs the README's code as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
