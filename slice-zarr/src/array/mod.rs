//! Reads and writes Zarr arrays with the `zarrs` crate. This module requires the `zarrs` feature.

#[cfg(feature = "async")]
pub(crate) mod asynchronous;
mod codecs;
pub(crate) mod element;
pub(crate) mod error;
mod metadata;
pub(crate) mod open;
pub(crate) mod options;
pub(crate) mod plan;
pub(crate) mod read;
pub(crate) mod run;
pub(crate) mod stats;
pub(crate) mod storage;
mod stored;
mod units;
mod workers;
pub(crate) mod write;
