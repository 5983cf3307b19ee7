//! Resolves slices of any supported type for the shape of an array.

use slice_core::{DynSliceSpec, ListSpec, Selection, SliceError, SliceSpec};

use crate::array::error::Error;

/// A slice of a Zarr array: [`s!`](slice_core::s!) with or without lists and masks, a string in Python notation, or a
/// selection; with the feature `systems`, also an operation of TensorFlow, ONNX or another system.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::Select;
///
/// let shape = [4, 5];
/// assert_eq!(s![1:, ::-1].select(&shape)?, "1:, ::-1".select(&shape)?);
///
/// let column = s![:, 1].select(&shape)?;
/// assert_eq!(column.select(&shape)?, column);
///
/// let rows = vec![3_usize, 0, 3];
/// assert_eq!(s![&rows, 1:].select(&shape)?, "[3, 0, -1], 1:".select(&shape)?);
/// # Ok::<(), slice_zarr::Error>(())
/// ```
pub trait Select {
    /// Resolves the slice for an array of shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns [`Error::Slice`] if the slice does not fit the shape, [`Error::ParseSlice`] if a string cannot be parsed,
    /// and `Error::Operation` if an operation is invalid in its system.
    fn select(&self, shape: &[usize]) -> Result<Selection, Error>;
}

impl<const M: usize, K> Select for SliceSpec<M, K> {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        Ok(self.resolve(shape)?)
    }
}

impl<const M: usize, K> Select for ListSpec<'_, M, K> {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        Ok(self.resolve(shape)?)
    }
}

impl Select for DynSliceSpec {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        Ok(self.resolve(shape)?)
    }
}

impl Select for str {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        self.parse::<DynSliceSpec>()?.select(shape)
    }
}

impl Select for String {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        self.as_str().select(shape)
    }
}

impl Select for Selection {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        if self.input_shape() == shape {
            return Ok(self.clone());
        }
        let (expected, actual) = (shape.len(), self.input_shape().len());
        if expected != actual {
            return Err(SliceError::RankMismatch { expected, actual }.into());
        }
        if self.check_orthogonal().is_err() {
            // Positions on several axes are counted in C order, so they depend on the shape.
            self.check_shape(shape)?;
        }
        let axes = (0..actual).map(|axis| self.axis(axis));
        Ok(Selection::from_axes(shape, axes, self.output_axes())?)
    }
}

impl<T: Select + ?Sized> Select for &T {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        T::select(self, shape)
    }
}
