//! The implementation of the `slice` command and of the playground, a web page for trying slices.
//!
//! This library is not meant for other crates: any part of it may change in any version. The JSON output, the options
//! and the exit statuses of the command change only in major versions.

#[cfg(feature = "command")]
pub mod command;
pub mod input;
pub mod operation;
pub mod playground;
pub mod systems;
#[cfg(feature = "zarr")]
pub mod zarr;
