//! Slices tensors of any library through [DLPack](https://dmlc.github.io/dlpack/latest/), without copying elements.
//!
//! ```
//! use dlpark::{ffi::DLManagedTensorVersioned, allocation::dynamic, versioned::Dlpack};
//! use ndarray::array;
//! use slice_core::s;
//!
//! let array: dynamic::Initialized<DLManagedTensorVersioned> = Box::new(array![[1, 2, 3], [4, 5, 6]]).try_into()?;
//! let tensor: Dlpack = unsafe { array.finish() };
//! let view = slice_dlpack::at(tensor, s![1, ::-1])?;
//! let tensor = view.validate()?;
//! assert_eq!((tensor.shape(), tensor.strides()), (&[3][..], Some(&[-1][..])));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`at`] takes a managed tensor, of the legacy or the versioned kind, from any library and on any device, and returns a
//! managed tensor for any library, which shares the memory. The slices have the meaning and the errors of NumPy, as
//! [slice-core](slice_core) describes.

use dlpark::ffi::DLDataType;
use dlpark::metadata::Dynamic;
use dlpark::{Managed, ManagedTensorBase};
use slice_core::{Select, SelectError, SliceError};

/// The error of a slice of a DLPack tensor.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the tensor or has lists, or a string is not a slice.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// The tensor is invalid.
    #[error(transparent)]
    Tensor(#[from] dlpark::tensor::Error),
    /// The elements do not consist of whole bytes.
    #[error("elements of {bits} bits cannot be sliced, because they do not consist of whole bytes")]
    SubByte {
        /// The number of bits of an element.
        bits: usize,
    },
    /// The distance in bytes from the data to the first selected element is too large.
    #[error("the first selected element is too far from the beginning of the tensor")]
    TooFar,
    /// A stride is negative, which [`at_ascending`] refuses.
    #[error(
        "axis {axis} of the view has the stride {stride}, but the library that receives it rejects negative strides: \
         copy the slice, or omit the negative step"
    )]
    NegativeStride {
        /// The axis of the view.
        axis: usize,
        /// The stride, in elements.
        stride: isize,
    },
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Error::Select(error.into())
    }
}

/// Returns a view of the selected elements, which shares memory with `tensor` and owns it.
///
/// Python equivalent: `x[spec]`. The view has the flags of `tensor`. Its strides are negative where the step of a range
/// is.
///
/// # Errors
///
/// * [`Error::Select`] if the slice does not fit the shape of the tensor, if it has lists, or if a string is not a slice.
/// * [`Error::Tensor`] if the tensor is invalid, and [`Error::SubByte`] if an element has less than one byte.
/// * [`Error::TooFar`] if a distance does not fit in 64 bits.
pub fn at<M: ManagedTensorBase + 'static>(
    tensor: Managed<M>,
    spec: impl Select<Error = SelectError>,
) -> Result<Managed<M>, Error> {
    view(tensor, spec, true)
}

/// Returns a view of the selected elements, as [`at`] does, for a library that rejects negative strides, such as
/// PyTorch.
///
/// # Errors
///
/// Returns [`Error::NegativeStride`] if a stride of the view is negative, and the errors of [`at`].
pub fn at_ascending<M: ManagedTensorBase + 'static>(
    tensor: Managed<M>,
    spec: impl Select<Error = SelectError>,
) -> Result<Managed<M>, Error> {
    view(tensor, spec, false)
}

fn view<M: ManagedTensorBase + 'static>(
    tensor: Managed<M>,
    spec: impl Select<Error = SelectError>,
    allows_negative_strides: bool,
) -> Result<Managed<M>, Error> {
    let original = tensor.validate()?;
    let size = element_size(original.dtype())?;
    // The lengths and the strides of a valid tensor fit in `isize`.
    let shape: Vec<usize> = original.shape().iter().map(|&len| len as usize).collect();
    let strides = original.strides_or_compact()?;
    let strides: Vec<isize> = strides.iter().map(|&stride| stride as isize).collect();
    let selection = spec.select(&shape)?;
    // Any type can implement `Select`, so the selection may be one for another shape.
    selection.check_shape(&shape).map_err(SelectError::from)?;
    let layout = selection.layout(&strides)?;
    let mut negative = layout.strides().iter().enumerate();
    if let (false, Some((axis, &stride))) = (
        allows_negative_strides,
        negative.find(|&(axis, &stride)| stride < 0 && layout.shape()[axis] > 1),
    ) {
        return Err(Error::NegativeStride { axis, stride });
    }
    let distance = layout.offset() as i128 * size as i128 + i128::from(original.byte_offset());
    let mut data = original.data_ptr().cast_mut();
    let offset = match u64::try_from(distance) {
        Ok(offset) => offset,
        // The offset of a tensor cannot be negative, so the pointer is moved instead.
        Err(_) => {
            let distance = isize::try_from(distance).map_err(|_| Error::TooFar)?;
            data = data.wrapping_byte_offset(distance);
            0
        }
    };
    let (dtype, device) = (original.dtype(), original.device());
    let flags = tensor.flags();
    let metadata = Dynamic::new(layout.shape(), layout.strides());
    // The only possible error is a rank above `i32::MAX`.
    let view = metadata.initialize_as::<M>(Box::new(tensor));
    let mut view = view.expect("the shape and the strides should fit in memory");
    view.set_data(data)
        .set_byte_offset(offset)
        .set_dtype(dtype)
        .set_device(device);
    // SAFETY: The flags describe the memory, which is that of the original tensor.
    #[expect(unsafe_code)]
    unsafe {
        view.set_flags_unchecked(flags)
    };
    // SAFETY: `layout` returns only elements of the original tensor, which `validate` has checked, and which lives as long
    // as the view. The other fields are those of the original tensor.
    #[expect(unsafe_code)]
    Ok(unsafe { view.finish() })
}

/// Returns the number of bytes of an element.
fn element_size(dtype: DLDataType) -> Result<usize, Error> {
    let bits = usize::from(dtype.bits) * usize::from(dtype.lanes);
    match bits % 8 {
        0 => Ok(bits / 8),
        _ => Err(Error::SubByte { bits }),
    }
}

/// Compiles and runs the README's code as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
