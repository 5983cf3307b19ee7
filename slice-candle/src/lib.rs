//! Python slicing for the tensors of [candle](candle_core) 0.11.
//!
//! ```
//! use candle_core::{Device, Tensor};
//! use slice_candle::TensorSliceExt;
//! use slice_core::s;
//!
//! let x = Tensor::arange(0_f32, 120., &Device::Cpu)?.reshape((4, 5, 6))?;
//! let y = x.at(s![1:, ..., newaxis, :-3:-1])?;
//! assert_eq!(y.dims(), [3, 5, 1, 2]);
//!
//! let y = x.at("[3, 0], 2, ::2")?; // text, with a list
//! assert_eq!(y.to_vec2::<f32>()?, [[102., 104., 106.], [12., 14., 16.]]);
//!
//! let y = x.fill_at(s![0], 7.)?; // a copy in which x[0] is 7
//! assert_eq!(y.at(s![0, 0, 0])?.to_scalar::<f32>()?, 7.);
//! # Ok::<(), candle_core::Error>(())
//! ```
//!
//! The slices have the meaning and the errors of NumPy, as [slice-core](slice_core) describes. They are performed with
//! candle's own operations, on the device of the tensor, and gradients flow through them. Elements are never copied to
//! the host.
//!
//! | slice | operations | memory |
//! |---|---|---|
//! | indices, ranges with step 1, `newaxis`, `...` | `narrow`, `squeeze`, `unsqueeze` | shared with the tensor |
//! | ranges with a step above 1 | `unfold`; `index_select` if gradients are recorded, because candle's `unfold` has none | shared; copied if gradients are recorded |
//! | ranges with a negative step, lists, masks | `index_select` | copied |
//! | [`set`](TensorSliceExt::set), [`fill_at`](TensorSliceExt::fill_at) | `index_select`, `where_cond` | copied, because candle's tensors are immutable |
//!
//! candle's `Tensor` already has a method `gather`, so this crate has none: [`at`](TensorSliceExt::at) also accepts
//! lists. `x.at(spec)?.contiguous()?` does not share memory with `x` if the result is not contiguous.

use std::borrow::Cow;

use candle_core::{D, DType, Result, Tensor, WithDType};
use slice_core::{AxisRange, Select, SelectError, SliceError};
use slice_systems::tensor::{self, AssignTensor, SliceTensor};

/// The error of a slice of a candle tensor. The operator `?` converts it to [`candle_core::Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the tensor, or a string is not a slice.
    #[error(transparent)]
    Select(#[from] SelectError),
    /// An operation of candle failed, for example because the types of the elements differ.
    #[error(transparent)]
    Candle(#[from] candle_core::Error),
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Error::Select(error.into())
    }
}

impl From<Error> for candle_core::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Select(error) => candle_core::Error::wrap(error),
            Error::Candle(error) => error,
        }
    }
}

/// Slicing of [`Tensor`]s with [`s!`](slice_core::s!), with slices known only at run time, and with text.
pub trait TensorSliceExt {
    /// Returns the selected elements. The result shares memory with the tensor if the [table](crate) says so.
    ///
    /// Python equivalent: `x[spec]`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Select`] if the slice does not fit the shape of the tensor, or if a string is not a slice.
    ///
    /// # Example
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use slice_candle::TensorSliceExt;
    /// use slice_core::s;
    ///
    /// let x = Tensor::new(&[[1_u8, 2, 3], [4, 5, 6]], &Device::Cpu)?;
    /// assert_eq!(x.at(s![::-1, 1:])?.to_vec2::<u8>()?, [[5, 6], [2, 3]]);
    /// assert_eq!(x.at(s![..., [2, 0, 0]])?.to_vec2::<u8>()?, [[3, 1, 1], [6, 4, 4]]);
    ///
    /// let error = x.at(s![0, 3]).unwrap_err();
    /// assert_eq!(error.to_string(), "index 3 is out of bounds for axis 1 with size 3 (item 2 of the slice)");
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn at(&self, spec: impl Select<Error = SelectError>) -> core::result::Result<Tensor, Error>;

    /// Returns a copy of the tensor in which the selected elements are replaced by those of `value`, which is broadcast.
    /// If a list repeats a position, the last value remains.
    ///
    /// Python equivalent: `y = x.copy(); y[spec] = value`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Select`] if the slice does not fit the tensor or if `value` cannot be broadcast to the selected
    /// elements, and [`Error::Candle`] if `value` has elements of a different type or is on a different device.
    ///
    /// # Example
    ///
    /// ```
    /// use candle_core::{Device, Tensor};
    /// use slice_candle::TensorSliceExt;
    /// use slice_core::s;
    ///
    /// let x = Tensor::new(&[[1_u8, 2, 3], [4, 5, 6]], &Device::Cpu)?;
    /// let y = x.set(s![:, ::-2], &Tensor::new(&[8_u8, 9], &Device::Cpu)?)?;
    /// assert_eq!(y.to_vec2::<u8>()?, [[9, 2, 8], [9, 5, 8]]);
    /// # Ok::<(), candle_core::Error>(())
    /// ```
    fn set(
        &self,
        spec: impl Select<Error = SelectError>,
        value: &Tensor,
    ) -> core::result::Result<Tensor, Error>;

    /// Returns a copy of the tensor in which the selected elements are `value`, converted to the type of the elements.
    ///
    /// Python equivalent: `y = x.copy(); y[spec] = value`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Select`] if the slice does not fit the tensor.
    fn fill_at(
        &self,
        spec: impl Select<Error = SelectError>,
        value: impl WithDType,
    ) -> core::result::Result<Tensor, Error>;
}

impl TensorSliceExt for Tensor {
    #[inline(always)]
    fn at(&self, spec: impl Select<Error = SelectError>) -> core::result::Result<Tensor, Error> {
        let selected = tensor::select(Sliced(Cow::Borrowed(self)), spec)?;
        Ok(selected.0.into_owned())
    }

    fn set(
        &self,
        spec: impl Select<Error = SelectError>,
        value: &Tensor,
    ) -> core::result::Result<Tensor, Error> {
        let [tensor, value] = [self, value].map(|tensor| Sliced(Cow::Borrowed(tensor)));
        Ok(tensor::assign(tensor, spec, value)?.0.into_owned())
    }

    fn fill_at(
        &self,
        spec: impl Select<Error = SelectError>,
        value: impl WithDType,
    ) -> core::result::Result<Tensor, Error> {
        let value = Tensor::full(value, (), self.device())?.to_dtype(self.dtype())?;
        self.set(spec, &value)
    }
}

/// A tensor that implements the operations of slices.
struct Sliced<'a>(Cow<'a, Tensor>);

impl From<Tensor> for Sliced<'_> {
    fn from(tensor: Tensor) -> Self {
        Sliced(Cow::Owned(tensor))
    }
}

/// The length from which candle's `unfold` may return a wrong shape, because it computes lengths as `f32`.
const UNFOLD_LIMIT: usize = 1 << 23;

impl Sliced<'_> {
    /// Returns an empty tensor that has the shape of this tensor, but the length `len` on `axis`. Most operations of candle
    /// panic on an empty tensor whose offset is not 0, as `narrow` returns.
    #[cold]
    fn empty(&self, axis: usize, len: usize) -> core::result::Result<Self, Error> {
        let mut shape = self.0.dims().to_vec();
        shape[axis] = len;
        Ok(Tensor::zeros(shape, self.0.dtype(), self.0.device())?.into())
    }

    /// Selects a range with a step other than 1, of a tensor that is not empty.
    fn step(self, axis: usize, range: AxisRange) -> core::result::Result<Self, Error> {
        let step = range.step().unsigned_abs();
        let len = (range.len() - 1) * step + 1;
        if range.step() < 0 || self.0.track_op() || len >= UNFOLD_LIMIT {
            return self.index_select(axis, &range.positions().collect::<Vec<_>>());
        }
        let narrowed = self.0.narrow(axis, range.start(), len)?;
        Ok(narrowed.unfold(axis, 1, step)?.squeeze(D::Minus1)?.into())
    }
}

impl SliceTensor for Sliced<'_> {
    type Error = Error;

    #[inline]
    fn shape(&self) -> &[usize] {
        self.0.dims()
    }

    fn range(self, axis: usize, range: AxisRange) -> core::result::Result<Self, Error> {
        if range.is_empty() || self.0.dims().contains(&0) {
            return self.empty(axis, range.len());
        }
        match range.step() {
            1 => Ok(self.0.narrow(axis, range.start(), range.len())?.into()),
            _ => self.step(axis, range),
        }
    }

    fn index_select(self, axis: usize, positions: &[usize]) -> core::result::Result<Self, Error> {
        if positions.is_empty() || self.0.elem_count() == 0 {
            return self.empty(axis, positions.len());
        }
        let positions = positions.iter().map(|&position| position as i64);
        let positions = Tensor::from_iter(positions, self.0.device())?;
        // `index_select` rejects tensors that are not contiguous.
        let selected = self.0.contiguous()?.index_select(&positions, axis)?;
        Ok(selected.into())
    }

    fn reshape(self, shape: &[usize]) -> core::result::Result<Self, Error> {
        match self.0.dims() == shape {
            true => Ok(self),
            false => Ok(self.0.reshape(shape)?.into()),
        }
    }

    #[inline]
    fn squeeze(self, axis: usize) -> core::result::Result<Self, Error> {
        Ok(self.0.squeeze(axis)?.into())
    }

    fn unsqueeze(self, axis: usize) -> core::result::Result<Self, Error> {
        Ok(self.0.unsqueeze(axis)?.into())
    }
}

impl AssignTensor for Sliced<'_> {
    fn expand(self, shape: &[usize]) -> core::result::Result<Self, Error> {
        Ok(self.0.broadcast_as(shape)?.into())
    }

    fn replace(self, marks: &[Vec<bool>], values: Self) -> core::result::Result<Self, Error> {
        let mask = mask(marks, &self.0)?.broadcast_as(self.0.shape())?;
        Ok(mask.where_cond(&values.0, &self.0)?.into())
    }
}

/// Returns a mask that broadcasts to the shape of `tensor`, and is 1 at the positions that are marked on every axis.
fn mask(marks: &[Vec<bool>], tensor: &Tensor) -> Result<Tensor> {
    let mut mask = Tensor::ones((), DType::U8, tensor.device())?;
    for (axis, marks) in marks.iter().enumerate() {
        if marks.contains(&false) {
            let mut shape = vec![1; tensor.rank()];
            shape[axis] = marks.len();
            let marks: Vec<u8> = marks.iter().map(|&mark| mark.into()).collect();
            mask = mask.broadcast_mul(&Tensor::from_vec(marks, shape, tensor.device())?)?;
        }
    }
    Ok(mask)
}

/// Compiles and runs the README's code as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
