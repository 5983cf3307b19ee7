//! Errors that occur when slices are planned, read or written.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{fmt, iter};

use slice_core::{DisplayShape, ParseSliceError, SelectError, SliceError};
#[cfg(feature = "systems")]
use slice_systems::OperationError;
use zarrs::array::CodecError;
use zarrs::storage::StorageError;

use crate::escaped::Escaped;
use crate::read_plan::error::PlanError;

/// The reason why a slice of a Zarr array cannot be read or written.
///
/// # Example
///
/// ```
/// use slice_core::{SliceError, s};
/// use slice_zarr::{Error, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// let error = array.read_slice::<u8>(s![4]).unwrap_err();
/// assert!(matches!(error, Error::Slice(SliceError::IndexOutOfBounds { .. })));
/// assert_eq!(error.to_string(), "index 4 is out of bounds for axis 0 with size 4 (item 1 of the slice)");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub enum Error {
    /// The slice does not fit the array, the shape of an existing output differs from the shape of the slice, or the values
    /// to be written do not broadcast to the slice.
    Slice(SliceError),
    /// An operation of TensorFlow, ONNX or another system is invalid in that system.
    #[cfg(feature = "systems")]
    Operation(OperationError),
    /// The slice is invalid for a reason other than the shape of the array. For example, a string cannot be parsed.
    Select(SelectError),
    /// The data type of the array has no fixed size.
    DataType {
        /// The name of the data type.
        data_type: String,
    },
    /// The data type of the array does not match the Rust type.
    Element {
        /// The data type of the array.
        data_type: String,
        /// The Rust type.
        element: &'static str,
    },
    /// The array does not have the rank of the dimension type that was named.
    Rank {
        /// The number of axes of the array.
        array: usize,
        /// The number of axes of the type.
        named: usize,
    },
    /// The plan is invalid.
    Plan(PlanError),
    /// The array or the output does not match the plan.
    OtherArray {
        /// The property that differs.
        what: &'static str,
        /// The value of the property in the plan.
        plan: String,
        /// The value of the property in the array or in the output.
        array: String,
    },
    /// The plan fills only part of a chunk of the output.
    SharedChunks {
        /// The shape of the output's chunks.
        chunk_shape: Vec<usize>,
    },
    /// The array uses a feature that is not supported.
    Unsupported(String),
    /// The array's metadata is invalid.
    Metadata(String),
    /// There is not enough memory for the output or for a chunk, or a chunk or shard index is larger than
    /// [`AccessOptions::max_chunk`](crate::AccessOptions::max_chunk) allows.
    Memory {
        /// The purpose of the memory: the output or a chunk.
        what: &'static str,
        /// The number of bytes.
        bytes: u64,
    },
    /// The slice needs more chunks, requests, bytes or memory than the options allow.
    Limit {
        /// The limited quantity: chunks, requests, bytes, or bytes of memory.
        what: &'static str,
        /// The amount that the slice needs.
        needed: u64,
        /// The allowed amount.
        limit: u64,
    },
    /// A chunk could not be read or written.
    Chunk {
        /// The position of the chunk along each axis of the chunk grid.
        chunk: Vec<u64>,
        /// The key of the chunk in the store.
        key: String,
        /// The cause.
        source: Box<ChunkError>,
    },
    /// The thread that performs an asynchronous read or write could not be started.
    Thread(std::io::Error),
    /// The caller cancelled the read or write.
    Cancelled,
    /// The caller's deadline has passed.
    TimedOut,
}

/// The reason why a chunk cannot be read or written.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkError, Error, ReadSlice};
/// use zarrs::storage::{StoreKey, WritableStorageTraits};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4], vec![2], data_type::uint8(), 7_u8).build(store.clone(), "/")?;
///
/// store.set(&StoreKey::new("c/1")?, vec![1, 2, 3].into())?; // one byte too many
/// let Err(Error::Chunk { key, source, .. }) = array.read_slice::<u8>(s![:]) else { panic!() };
/// let source: ChunkError = *source;
/// println!("{key}: {source}");
/// assert_eq!(format!("{source:?}"), source.to_string());
/// assert_eq!(key, "c/1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[non_exhaustive]
pub enum ChunkError {
    /// The store returned an error.
    Storage(StorageError),
    /// A codec failed to decode or encode the chunk.
    Codec(CodecError),
    /// The key or the stored bytes are invalid. For example, the index of a shard contains an invalid range, or the
    /// store returned fewer bytes than were requested.
    Broken(String),
    /// The object changed while it was being read, so the fetched bytes may belong to different versions.
    Changed,
    /// The caller's deadline has passed. Reads and writes return [`Error::TimedOut`] instead.
    TimedOut,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Slice(error) => error.fmt(f),
            #[cfg(feature = "systems")]
            Error::Operation(error) => error.fmt(f),
            Error::Select(error) => error.fmt(f),
            Error::DataType { data_type } => write!(
                f,
                "data type {} has no fixed size; only arrays of fixed-size elements can be sliced",
                Escaped(data_type)
            ),
            Error::Element { data_type, element } => write!(
                f,
                "the array has data type {}, which does not match the Rust type {element}; use the matching type",
                Escaped(data_type)
            ),
            Error::Rank { array, named } => write!(
                f,
                "the array has {array} axes, but the named dimension type has {named}; name `Ix{array}`, or `IxDyn` for any rank"
            ),
            Error::Plan(error) => error.fmt(f),
            Error::OtherArray { what, plan, array } => write!(
                f,
                "the plan requires {what} {}, but the array has {}; plan the slice again, or use a matching array",
                Escaped(plan),
                Escaped(array)
            ),
            Error::SharedChunks { chunk_shape } => write!(
                f,
                "the plan fills only part of a chunk of the output, whose chunks have the shape {}; split the plan with \
                 split_for, so that no two plans write to the same chunk",
                DisplayShape(chunk_shape)
            ),
            Error::Unsupported(what) => write!(f, "{} is not supported", Escaped(what)),
            Error::Metadata(what) => write!(f, "invalid array metadata: {}", Escaped(what)),
            Error::Memory { what, bytes } => write!(
                f,
                "unable to allocate {bytes} bytes for {what}: not enough memory, or more than the limit for chunks; select less, \
                 or raise the limit"
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
            Error::Thread(error) => write!(
                f,
                "unable to start a thread: {error}; allow more threads, or more memory for them"
            ),
            Error::Cancelled => f.write_str("cancelled"),
            Error::TimedOut => {
                f.write_str("timed out: the deadline has passed; allow more time, or select less")
            }
        }
    }
}

impl ChunkError {
    /// Adds the position and the key of the chunk to the error.
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
            ChunkError::Storage(error) => write!(f, "the store failed: {}", Escaped(error)),
            ChunkError::Codec(error) => write!(f, "a codec failed: {}", Escaped(error)),
            ChunkError::Broken(what) => Escaped(what).fmt(f),
            ChunkError::Changed => f.write_str("the object changed while it was read; read again"),
            ChunkError::TimedOut => f.write_str("the deadline has passed"),
        }
    }
}

/// Calls `work`. If `work` panics, returns the error created by `panicked`. Codecs and stores may panic on untrusted
/// data.
pub(crate) fn catch_panic<T, E>(
    work: impl FnOnce() -> Result<T, E>,
    panicked: impl FnOnce() -> E,
) -> Result<T, E> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(panicked()))
}

/// Returns the first cause whose message is not contained in the message of `error`. Other crates include the messages
/// of some causes in their own messages, and omit others.
fn unmentioned_cause<'a>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a (dyn std::error::Error + 'static)> {
    let message = error.to_string();
    let causes = iter::successors(error.source(), |cause| cause.source());
    { causes }.find(|cause| !message.contains(&cause.to_string()))
}

debug_is_message! { Error }
debug_is_message! { ChunkError }

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Slice(error) => error.source(),
            #[cfg(feature = "systems")]
            Error::Operation(error) => error.source(),
            Error::Select(error) => error.source(),
            Error::Plan(error) => error.source(),
            Error::Thread(error) => unmentioned_cause(error),
            Error::Chunk { source, .. } => source.source(),
            _ => None,
        }
    }
}

impl std::error::Error for ChunkError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ChunkError::Storage(error) => unmentioned_cause(error),
            ChunkError::Codec(error) => unmentioned_cause(error),
            ChunkError::Broken(_) | ChunkError::Changed | ChunkError::TimedOut => None,
        }
    }
}

impl From<SliceError> for Error {
    fn from(error: SliceError) -> Self {
        Error::Slice(error)
    }
}

impl From<SelectError> for Error {
    fn from(error: SelectError) -> Self {
        match error {
            SelectError::Slice(error) => Error::Slice(error),
            error => Error::Select(error),
        }
    }
}

#[cfg(feature = "systems")]
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
        Error::Select(SelectError::ParseSlice(error))
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
