//! Converts errors to Python's exceptions.

use pyo3::PyErr;
use pyo3::exceptions::{
    PyFileNotFoundError, PyIndexError, PyKeyboardInterrupt, PyMemoryError, PyNotImplementedError,
    PyOSError, PyRuntimeError, PyTimeoutError, PyTypeError, PyValueError,
};
use slice_core::SliceError;
use slice_zarr::{Error, PlanError};
use zarrs::array::ArrayCreateError;

/// Converts an error of a read, a write or a plan.
pub fn from_zarr(error: Error) -> PyErr {
    let message = message_of(&error);
    match error {
        Error::Slice(error) => from_slice(error),
        Error::Memory { .. } => PyMemoryError::new_err(message),
        Error::Limit { what, .. } if what.contains("memory") => PyMemoryError::new_err(message),
        Error::DataType { .. } | Error::Element { .. } => PyTypeError::new_err(message),
        Error::Unsupported(_) => PyNotImplementedError::new_err(message),
        Error::Chunk { .. } => PyOSError::new_err(message),
        Error::Thread(_) => PyRuntimeError::new_err(message),
        Error::Cancelled => PyKeyboardInterrupt::new_err(message),
        Error::TimedOut => PyTimeoutError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// Converts an error of a slice.
pub fn from_slice(error: SliceError) -> PyErr {
    let message = message_of(&error);
    match error {
        SliceError::IndexOutOfBounds { .. }
        | SliceError::TooManyIndices { .. }
        | SliceError::TooManyItems { .. }
        | SliceError::MultipleEllipses { .. } => PyIndexError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// Converts an error of a plan.
pub fn from_plan(error: PlanError) -> PyErr {
    from_zarr(error.into())
}

/// Converts the error of an array that cannot be opened.
pub fn from_open(error: ArrayCreateError, address: &str) -> PyErr {
    let message = format!("{address}: {}", message_of(&error));
    match error {
        ArrayCreateError::MissingMetadata => PyFileNotFoundError::new_err(format!(
            "{address}: there is no Zarr array: neither zarr.json nor .zarray exists"
        )),
        ArrayCreateError::StorageError(zarrs::storage::StorageError::InvalidMetadata(..)) => {
            PyValueError::new_err(message)
        }
        ArrayCreateError::StorageError(_) => PyOSError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// Returns the message of an error, followed by the messages of its causes.
fn message_of(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}
