//! Errors of reading and writing, with the chunk that they concern.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{fmt, iter};

use slice_core::{ParseSliceError, SliceError};
use slice_ops::OperationError;
use zarrs::array::CodecError;
use zarrs::storage::StorageError;

use crate::read_plan::error::PlanError;

/// The reason why a slice of a Zarr array cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the array, or the values do not fit the slice.
    Slice(SliceError),
    /// The operation of another system is not valid, or does not fit this array.
    Operation(OperationError),
    /// The values to be written do not broadcast to the slice.
    Broadcast {
        /// The shape of the values.
        value: Vec<usize>,
        /// The shape of the slice.
        slice: Vec<usize>,
    },
    /// The text cannot be parsed as a slice.
    ParseSlice(ParseSliceError),
    /// The data type of the array has no fixed size.
    DataType {
        /// The name of the data type.
        data_type: String,
    },
    /// The elements of the array are of another type.
    Element {
        /// The data type of the array.
        data_type: String,
        /// The Rust type.
        element: &'static str,
    },
    /// The plan is not valid.
    Plan(PlanError),
    /// The plan is for another array.
    OtherArray {
        /// The property that differs.
        what: &'static str,
        /// The value of the property in the plan.
        plan: String,
        /// The value of the property in the array.
        array: String,
    },
    /// The plan fills a chunk of the output only in part.
    SharedChunks {
        /// The shape of the output's chunks.
        chunk_shape: Vec<usize>,
    },
    /// The array uses a feature that is not supported.
    Unsupported(String),
    /// The array's metadata contradicts itself.
    Metadata(String),
    /// There is not enough memory for the output or for a chunk, or a chunk is larger than
    /// [`ReadOptions::max_chunk`](crate::ReadOptions::max_chunk) allows.
    Memory {
        /// The use of the memory.
        what: &'static str,
        /// The number of bytes.
        bytes: u64,
    },
    /// The slice needs more than the caller allows.
    Limit {
        /// The limited quantity: chunks, requests, bytes, or bytes of memory.
        what: &'static str,
        /// The amount that the slice needs.
        needed: u64,
        /// The amount that is allowed.
        limit: u64,
    },
    /// A chunk could not be read or written.
    Chunk {
        /// The position of the chunk in the grid.
        chunk: Vec<u64>,
        /// The key of the chunk in the store.
        key: String,
        /// The cause.
        source: Box<ChunkError>,
    },
    /// The record of completed plans of a split cannot be read or written.
    Progress {
        /// The key in the output's store, or the prefix of the keys.
        key: String,
        /// The cause.
        source: StorageError,
    },
    /// Not a single thread could be started.
    Thread(std::io::Error),
    /// The caller cancelled.
    Cancelled,
    /// The caller's deadline has passed.
    TimedOut,
}

/// The reason why a chunk cannot be read or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChunkError {
    /// The store failed.
    Storage(StorageError),
    /// The codecs cannot decode the bytes.
    Codec(CodecError),
    /// The index of a shard has an invalid range, or the store returned fewer bytes than were requested.
    Broken(String),
    /// The object was replaced between two requests, so the fetched parts are of different versions.
    Changed,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(error) => error.fmt(f),
            Error::Operation(error) => error.fmt(f),
            Error::ParseSlice(error) => error.fmt(f),
            Error::Broadcast { value, slice } => write!(
                f,
                "could not broadcast input array from shape {} into shape {}",
                python(value),
                python(slice)
            ),
            Error::DataType { data_type } => write!(
                f,
                "data type {data_type} has no fixed size; only arrays of fixed-size elements can be sliced"
            ),
            Error::Element { data_type, element } => write!(
                f,
                "array has data type {data_type}, which is not {element}; read it as the matching type"
            ),
            Error::Plan(error) => error.fmt(f),
            Error::OtherArray { what, plan, array } => write!(
                f,
                "the plan is for an array with {what} {plan}, but this one has {array}; plan the slice again"
            ),
            Error::SharedChunks { chunk_shape } => write!(
                f,
                "the plan fills only a part of some chunk of the output, whose chunks have the shape {}; split it with \
                 split_for, so that no two plans write to one chunk",
                python(chunk_shape)
            ),
            Error::Unsupported(what) => write!(f, "{what} is not supported"),
            Error::Metadata(what) => write!(f, "array metadata contradicts itself: {what}"),
            Error::Memory { what, bytes } => write!(
                f,
                "unable to allocate {bytes} bytes for {what}; select less, or allow more memory"
            ),
            Error::Limit {
                what,
                needed,
                limit,
            } => write!(
                f,
                "the slice needs {needed} {what}, more than the limit of {limit}; select less, or allow more"
            ),
            Error::Chunk { chunk, key, source } => {
                write!(f, "chunk {chunk:?} ({key:?}): {source}")
            }
            Error::Progress { key, source } => write!(
                f,
                "cannot read or write the record of completed plans ({key:?}): the store failed: \
                 {source}"
            ),
            Error::Thread(error) => write!(
                f,
                "unable to start a thread: {error}; allow more threads, or more memory for them"
            ),
            Error::Cancelled => f.write_str("cancelled"),
            Error::TimedOut => {
                f.write_str("timed out: not done at the deadline; allow more time, or read less")
            }
        }
    }
}

impl ChunkError {
    /// Returns the error of this chunk with its position and key.
    pub(crate) fn of_chunk(self, chunk: Vec<u64>, key: &str) -> Error {
        Error::Chunk {
            chunk,
            key: key.into(),
            source: Box::new(self),
        }
    }
}

impl fmt::Display for ChunkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChunkError::Storage(error) => write!(f, "the store failed: {error}"),
            ChunkError::Codec(error) => write!(f, "cannot be decoded: {error}"),
            ChunkError::Broken(what) => f.write_str(what),
            ChunkError::Changed => f.write_str("changed while it was read; read it again"),
        }
    }
}

/// Calls code of a codec or a store, which may panic on untrusted data, and turns a panic into an error.
pub(crate) fn guarded<T, E>(
    work: impl FnOnce() -> Result<T, E>,
    panicked: impl FnOnce() -> E,
) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()))
}

/// Formats a shape as Python does: `()`, `(3,)`, `(2,3)`.
fn python(shape: &[usize]) -> String {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("({}{comma})", lengths.join(","))
}

/// Returns the first cause of an error that is not part of its message. Other crates include some causes in their
/// messages and leave out others.
fn unsaid<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a (dyn std::error::Error + 'static)> {
    let said = error.to_string();
    let causes = iter::successors(error.source(), |cause| cause.source());
    { causes }.find(|cause| !said.contains(&cause.to_string()))
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Slice(error) => error.source(),
            Error::Operation(error) => error.source(),
            Error::ParseSlice(error) => error.source(),
            Error::Plan(error) => error.source(),
            Error::Thread(error) => unsaid(error),
            Error::Chunk { source, .. } => source.source(),
            Error::Progress { source, .. } => unsaid(source),
            _ => None,
        }
    }
}

impl std::error::Error for ChunkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ChunkError::Storage(error) => unsaid(error),
            ChunkError::Codec(error) => unsaid(error),
            ChunkError::Broken(_) | ChunkError::Changed => None,
        }
    }
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Error::Slice(error)
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

impl From<PlanError> for Error {
    fn from(error: PlanError) -> Self {
        match error {
            PlanError::Slice(error) => Error::Slice(error),
            error => Error::Plan(error),
        }
    }
}

impl From<ParseSliceError> for Error {
    fn from(error: ParseSliceError) -> Self {
        Error::ParseSlice(error)
    }
}

impl From<StorageError> for ChunkError {
    fn from(error: StorageError) -> Self {
        ChunkError::Storage(error)
    }
}

impl From<CodecError> for ChunkError {
    fn from(error: CodecError) -> Self {
        ChunkError::Codec(error)
    }
}
