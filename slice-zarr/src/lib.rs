//! Reads and writes NumPy slices of Zarr arrays, which need not fit in memory.
//!
//! ```
//! use ndarray::ArrayD;
//! use slice_core::s;
//! use slice_zarr::{PlanSlice, ReadSlice, WriteSlice};
//! # use std::sync::Arc;
//! # use zarrs::array::{ArrayBuilder, data_type};
//! # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
//! # let array = ArrayBuilder::new(vec![8, 6], vec![3, 2], data_type::float32(), 0.0_f32).build(store, "/")?;
//! # array.store_metadata()?;
//!
//! array.write_slice(s![1:, ::-2], &ndarray::arr2(&[[1.0_f32, 2.0, 3.0]]))?;
//! let out: ArrayD<f32> = array.read_slice(s![-1, ..., newaxis, :])?;
//! assert_eq!(out, ndarray::arr2(&[[0.0, 3.0, 0.0, 2.0, 0.0, 1.0]]).into_dyn());
//!
//! let plan = array.plan_slice(s![-1])?;
//! assert_eq!((plan.touched_chunks(), plan.all_chunks()), (3, 9));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Slices have the same meaning as in NumPy, and may contain steps of any sign, `...`, `newaxis`, and indices that drop
//! an axis. Lists and masks select on each axis independently, as in zarr-python's `oindex`; masks and points on several
//! axes select on them together, as in `vindex`. A read fetches only the
//! chunks that hold selected elements. From an uncompressed chunk, it fetches only the bytes of the selected elements
//! and the small gaps between them. From a shard, it fetches the index and the inner chunks that hold selected
//! elements.
//!
//! | | |
//! |---|---|
//! | open an untrusted array | [`open`] |
//! | plan the read of a slice | [`PlanSlice`], [`ReadPlan`], [`ChunkedArray`] |
//! | split a plan, and list its parts | [`PlanSplit`], [`PlanPart`] |
//! | run plans, on one machine or on several | [`ReadPlan::run_into`], [`ReadPlan::run_to`] |
//! | find the touched chunks of an array in any format, and the selected elements of each chunk | [`ChunkPlan`], [`ChunkParts`], [`ChunkPart`], [`ByteRuns`] |
//! | read a slice | [`ReadSlice`], [`AccessOptions`], [`Progress`], [`Stats`] |
//! | read elements as a Rust type, or as bytes | [`Element`], [`RawArray`] |
//! | write to a slice | [`WriteSlice`] |
//! | types accepted as a slice | [`Select`](slice_core::Select) |
//! | open an untrusted directory | [`FileStorage`] |
#![cfg_attr(
    feature = "object_store",
    doc = "| read and write arrays in asynchronous storage, such as S3 and HTTP | [`open_async`], [`AsyncReadSlice`], [`AsyncWriteSlice`], [`ObjectStorage`] |"
)]
#![cfg_attr(
    not(feature = "object_store"),
    doc = "| read and write arrays in asynchronous storage, such as S3 and HTTP | the features `async` and `object_store` |"
)]
//! | errors | [`Error`], [`ChunkError`], [`PlanError`] |
//! | hints about the expected responses, for authors of stores | [`Wanted`] |
//!
//! # Memory
//!
//! A read holds the output and, for each worker, one chunk (for a sharded array, one inner chunk), both encoded and
//! decoded, because a codec needs the encoded bytes until the last element is decoded. An uncompressed chunk that is
//! read as a whole is held only once. A worker may hold several encoded inner chunks of a shard, with at most
//! [`AccessOptions::batch`] bytes in total. [`Stats::peak_bytes`] counts all of this memory, and [`ReadPlan::peak_bytes`]
//! returns an upper bound on it before the read. Neither includes the internal memory of codecs. For example, zstd
//! needs about 220 KiB for each worker. [`AccessOptions`] sets the number of workers, and the maximum number of bytes
//! requested from a shard at a time.
//!
//! To write part of a chunk, a worker holds the chunk both encoded and decoded. A write to part of a shard holds the
//! old shard, the newly encoded inner chunks, the new shard and, for each worker, one decoded inner chunk.
//!
//! If encoded bytes claim a larger decoded size than the chunk can have, no memory of that size is allocated, and the
//! read returns an error that names the chunk. This holds for the codecs that this crate enables. Reads and writes of
//! chunks larger than [`AccessOptions::max_chunk`] return an error.
//!
//! # Features
//!
//! The `zarrs` feature, which is on by default, adds reading and writing. It also enables the `serde` feature, which
//! adds the serialization of plans. Without `zarrs`, the crate only plans reads, and does not depend on zarrs.
//! Three features are off by default: `async` supports arrays in asynchronous storage, and `object_store` supports the
//! stores of the [object_store](https://docs.rs/object_store) crate, which has its own features for S3 (`aws`), HTTP
//! (`http`) and others; and `systems` accepts the operations of TensorFlow, ONNX and other systems as slices.
//!
//! The codecs come from [zarrs](https://docs.rs/zarrs). This crate enables `gzip`, `zlib`, `zstd`, `blosc`, `crc32c`,
//! `sharding` and `transpose`. To add another codec, add one line to your program's `Cargo.toml`:
//! `zarrs = { version = "=0.23.14", default-features = false, features = ["bz2"] }`.

#![cfg_attr(not(feature = "zarrs"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

/// Writes the message of an error as its `Debug`, so that `unwrap` and `expect` print the message.
macro_rules! debug_is_message {
    ($Error:ty) => {
        impl core::fmt::Debug for $Error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}

#[cfg(feature = "zarrs")]
mod array;
mod chunks;
mod escaped;
#[cfg(any(doc, doctest))]
pub mod guide;
#[cfg(test)]
#[path = "../tests/zarr/random.rs"]
mod random;
mod read_plan;

#[cfg(feature = "object_store")]
pub use array::storage::object_storage::ObjectStorage;
#[cfg(feature = "async")]
pub use array::{
    asynchronous::{AsyncReadSlice, AsyncWriteSlice},
    open::open_async,
};
#[cfg(feature = "zarrs")]
pub use array::{
    element::Element,
    error::{ChunkError, Error},
    open::open,
    options::{AccessOptions, Progress},
    plan::PlanSlice,
    read::{RawArray, ReadSlice},
    stats::Stats,
    storage::{file_storage::FileStorage, wanted::Wanted},
    write::WriteSlice,
};
pub use chunks::ChunkPlan;
pub use chunks::part::ChunkPart;
pub use chunks::parts::ChunkParts;
pub use chunks::runs::ByteRuns;
pub use read_plan::{ChunkedArray, PlanError, PlanPart, PlanSplit, ReadPlan};

/// One value for each axis, stored inline up to rank 6.
type Dims<T = usize> = smallvec::SmallVec<[T; 6]>;

/// The README, whose snippet is compiled and run as a doc test.
#[cfg(all(doctest, feature = "zarrs"))]
#[doc = include_str!("../README.md")]
struct Readme;
