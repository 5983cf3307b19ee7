//! Everything that makes a selection of an array of a known shape.

use slice_core::{DynSliceSpec, Selection, SliceSpec};
use slice_ops::{AnyOperation, Operation};

use crate::array::error::Error;

/// What slices a Zarr array: [`s!`](slice_core::s!), Python text, an operation of any system, or a selection.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_ops::tensorstore::IndexTransform;
/// use slice_zarr::Select;
///
/// let shape = [4, 5];
/// assert_eq!(s![1:, ::-1].select(&shape)?, "1:, ::-1".select(&shape)?);
///
/// let column = s![:, 1].select(&shape)?;
/// let transform = IndexTransform::from_selection(&column).expect("TensorStore has it").op;
/// assert_eq!(transform.select(&shape)?, column);
/// # Ok::<(), slice_zarr::Error>(())
/// ```
pub trait Select {
    /// The selection of an array of this shape.
    ///
    /// # Errors
    ///
    /// [`Error::Slice`] if the slice cannot be applied, [`Error::Operation`] if the operation cannot, [`Error::ParseSlice`] if the
    /// text cannot be read.
    fn select(&self, shape: &[usize]) -> Result<Selection, Error>;
}

impl<const M: usize, K> Select for SliceSpec<M, K> {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        Ok(self.resolve(shape)?)
    }
}

macro_rules! operations {
    ($($Name:ident: $Operation:ty = $folder:literal,)*) => { $(
        impl Select for $Operation {
            fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
                Ok(Operation::resolve(self, shape)?)
            }
        }
    )* };
}

slice_ops::for_each_system!(operations);

impl Select for AnyOperation {
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
        Ok(Selection::from_axes(
            shape,
            self.axes(),
            self.output_axes(),
        )?)
    }
}

impl<T: Select + ?Sized> Select for &T {
    fn select(&self, shape: &[usize]) -> Result<Selection, Error> {
        T::select(self, shape)
    }
}
