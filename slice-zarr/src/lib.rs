//! NumPy slices of Zarr arrays that do not fit in memory.
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
//! Slices mean exactly what they mean in NumPy: steps of any sign, `...`, `newaxis`, indices that drop an axis. Only the
//! chunks that hold selected elements are read, of uncompressed chunks only their bytes, of a shard only the inner chunks.
//!
//! | | |
//! |---|---|
//! | open an array of anybody | [`open`] |
//! | see what a slice would read | [`PlanSlice`], [`ReadPlan`] of a [`ChunkedArray`] |
//! | split it, part by part | [`PlanSplit`], [`PlanParts`], [`PlanPart`] |
//! | read on many machines, and know when all is read | [`RunPlan`], [`SplitOutput`], [`SplitId`], [`SplitPlace`], [`SplitProgress`] |
//! | chunks of any format: which are touched, what is taken of each | [`ChunkPlan`], [`ChunkParts`], [`ChunkPart`], [`ByteRuns`]; for lists [`OuterChunkPlan`], [`OuterChunkParts`], [`OuterChunkPart`] |
//! | read | [`ReadSlice`], [`ReadOptions`], [`Progress`], [`Stats`] |
//! | elements of a known type, and of any | [`Element`], [`RawArray`] |
//! | write | [`WriteSlice`] |
//! | anything that makes a selection | [`Select`] |
//! | arrays in directories that anybody may have made | [`FileStorage`] |
#![cfg_attr(
    feature = "object_store",
    doc = "| arrays of asynchronous storage, S3 and HTTP | [`open_async`], [`AsyncReadSlice`], [`AsyncWriteSlice`], [`ObjectStorage`] |"
)]
#![cfg_attr(
    not(feature = "object_store"),
    doc = "| arrays of asynchronous storage, S3 and HTTP | the features `async` and `object_store` |"
)]
//! | what can go wrong | [`Error`], with a chunk [`ChunkError`], with a plan [`PlanError`] |
//! | a store of one's own | [`Wanted`] |
//!
//! # Memory
//!
//! A read holds the output and, for each worker, one chunk (of a sharded array: one inner chunk) encoded and decoded: a codec
//! needs the encoded bytes until the last element is decoded. An uncompressed chunk that is read as a whole is held once.
//! Of a shard, a worker may hold more encoded inner chunks, up to [`ReadOptions::batch`]. [`Stats::peak_bytes`] counts all of
//! this, and [`RunPlan::peak_bytes`] says beforehand how much it can be. zstd's own memory is
//! not counted: about 160 KiB for a worker, and where only the first rows of a chunk are decoded, the window of its frame, at most
//! 128 MiB; nor is what blosc and others need. [`ReadOptions`] sets how many workers there are, and how much of a
//! shard is requested at a time. To write a part of a chunk, a worker holds it encoded and decoded; of a sharded array, this
//! is the shard.
//!
//! Bytes that a chunk claims to have decoded are not allocated if they are more than the chunk has; that is an error of
//! the chunk. This holds for the codecs that are enabled here. Chunks larger than [`ReadOptions::max_chunk`] are
//! refused.
//!
//! # Features
//!
//! `zarrs`, on by default, reads and writes; without it the crate only plans, and does not depend on zarrs. Others are off by
//! default: `async` for arrays of asynchronous storage, `object_store` for stores of the crate
//! [object_store](https://docs.rs/object_store), which has features of its own for S3 (`aws`), HTTP (`http`) and others.
//!
//! Codecs are those of [zarrs](https://docs.rs/zarrs): this crate enables `gzip`, `zlib`, `zstd`, `blosc`, `crc32c`, `sharding`
//! and `transpose`. Others need one line in the program's `Cargo.toml`: `zarrs = { version = "=0.23.14",
//! default-features = false, features = ["bz2"] }`.

#![cfg_attr(not(feature = "zarrs"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

#[cfg(feature = "zarrs")]
mod array;
mod chunks;
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
    options::{Progress, ReadOptions},
    plan::PlanSlice,
    read::{RawArray, ReadSlice},
    run::RunPlan,
    select::Select,
    split::SplitOutput,
    stats::Stats,
    storage::{file_storage::FileStorage, wanted::Wanted},
    write::WriteSlice,
};
pub use chunks::ChunkPlan;
pub use chunks::lists::part::OuterChunkPart;
pub use chunks::lists::{OuterChunkParts, OuterChunkPlan};
pub use chunks::part::ChunkPart;
pub use chunks::parts::ChunkParts;
pub use chunks::runs::ByteRuns;
pub use read_plan::{
    ChunkedArray, PlanError, PlanPart, PlanParts, PlanSplit, ReadPlan, SplitId, SplitPlace,
    SplitProgress,
};

/// One number for each axis; inline up to rank 6.
type Dims<T = usize> = smallvec::SmallVec<[T; 6]>;

/// The README's snippet is compiled with the documentation.
#[cfg(all(doctest, feature = "zarrs"))]
#[doc = include_str!("../README.md")]
struct Readme;
