//! Errors of reading and writing, with the chunk.

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
    /// The operation of another system is not valid, or not for this array.
    Operation(OperationError),
    /// The values to be written do not broadcast to the slice.
    Broadcast {
        /// The shape of the values.
        value: Vec<usize>,
        /// The shape of the slice.
        slice: Vec<usize>,
    },
    /// The text is not a slice.
    ParseSlice(ParseSliceError),
    /// The data type of the array has no fixed size.
    DataType {
        /// Its name.
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
        /// Its value in the plan.
        plan: String,
        /// Its value in the array.
        array: String,
    },
    /// The plan fills only a part of some chunk of the output.
    SharedChunks {
        /// The shape of the output's chunks.
        chunk_shape: Vec<usize>,
    },
    /// The array has something that is not supported.
    Unsupported(String),
    /// The array's metadata contradicts itself.
    Metadata(String),
    /// There is not enough memory for the output, or it would take more than allowed.
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
        /// How many it needs.
        needed: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// A chunk could not be read or written.
    Chunk {
        /// Its position in the grid of chunks.
        chunk: Vec<u64>,
        /// Its key in the store.
        key: String,
        /// The cause.
        source: Box<ChunkError>,
    },
    /// The record of a split's plans that have run cannot be read or written.
    Progress {
        /// The key in the output's store, or the beginning of the keys.
        key: String,
        /// The cause.
        source: StorageError,
    },
    /// No thread could be started, not even one.
    Thread(std::io::Error),
    /// The caller cancelled.
    Cancelled,
    /// The time until which the caller waits has come.
    TimedOut,
}

/// The failure of a chunk.
#[derive(Debug)]
#[non_exhaustive]
pub enum ChunkError {
    /// The store failed.
    Storage(StorageError),
    /// The bytes are not what the codecs wrote.
    Codec(CodecError),
    /// The index of a shard has a range that cannot be right, or the store returned fewer bytes than were requested.
    Broken(String),
    /// The object was replaced between two requests for it: its parts are not of one version.
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
                "the plan fills only a part of some chunk of the output, which has chunks {}; split it with split_for, so \
                 that no two plans write to one chunk",
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
                "which plans of the split have run ({key:?}): the store failed: {source}"
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
    /// The failure of this chunk.
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

/// Does what may panic because of data of others: a codec, a store.
pub(crate) fn guarded<T, E>(
    work: impl FnOnce() -> Result<T, E>,
    panicked: impl FnOnce() -> E,
) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()))
}

/// A shape as Python shows it: `()`, `(3,)`, `(2,3)`.
fn python(shape: &[usize]) -> String {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    format!("({}{comma})", lengths.join(","))
}

/// The first cause of an error that its own message does not say. Other crates print some causes and leave out others.
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
