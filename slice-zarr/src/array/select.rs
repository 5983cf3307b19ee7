//! Resolves slices of any supported type for the shape of an array.

use slice_core::{DynOuterSpec, ListSpec, Selection, SliceError, SliceSpec};
use slice_systems::{AnyOperation, OperationError};

use crate::array::error::Error;

/// A slice of a Zarr array: [`s!`](slice_core::s!) with or without lists and masks, a string in Python notation, an
/// operation of TensorFlow, ONNX or another system, or a selection.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::tensorstore::IndexTransform;
/// use slice_zarr::Select;
///
/// let shape = [4, 5];
/// assert_eq!(s![1:, ::-1].select(&shape)?, "1:, ::-1".select(&shape)?);
///
/// let column = s![:, 1].select(&shape)?;
/// let transform = IndexTransform::from_selection(&column).expect("TensorStore should support this slice").op;
/// assert_eq!(transform.select(&shape)?, column);
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
    /// Returns [`Error::Slice`] if the slice does not fit the shape, [`Error::Operation`] if an operation is invalid in
    /// its system, and [`Error::ParseSlice`] if a string cannot be parsed.
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

impl Select for DynOuterSpec {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        Ok(self.resolve(shape)?)
    }
}

macro_rules! operations {
    ($($Name:ident: $Operation:ty = $folder:literal,)*) => { $(
        impl Select for $Operation {
            fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
                Ok(self.resolve(shape).map_err(OperationError::from)?)
            }
        }
    )* };
}

slice_systems::for_each_system!(operations);

impl Select for AnyOperation {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        Ok(self.resolve(shape)?)
    }
}

impl Select for str {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        self.parse::<DynOuterSpec>()?.select(shape)
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
        let axes = (0..actual).map(|axis| self.axis(axis));
        Ok(Selection::from_axes(shape, axes, self.output_axes())?)
    }
}

impl<T: Select + ?Sized> Select for &T {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        T::select(self, shape)
    }
}
