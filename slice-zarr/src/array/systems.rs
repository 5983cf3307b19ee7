//! Accepts the operations of TensorFlow, ONNX and other systems as slices of Zarr arrays.

use slice_core::Selection;
use slice_systems::{AnyOperation, OperationError};

use crate::array::error::Error;
use crate::array::select::Select;

macro_rules! operations {
    ($Python:ident: $Spec:ty = $python:literal, $($Name:ident: $Operation:ty = $folder:literal,)*) => { $(
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

impl From<OperationError> for Error {
    fn from(error: OperationError) -> Self {
        match error {
            OperationError::Slice(error) => Error::Slice(error),
            error => Error::Operation(error),
        }
    }
}
