//! The implementation of the command `slice` and of the page for trying slices.
//!
//! This is not a library for other crates: anything in it may change in any version. The JSON output, the options and
//! the exit codes of the command change with a major version only.

pub mod answer;
#[cfg(feature = "command")]
mod check;
#[cfg(feature = "command")]
pub mod command;
pub mod input;
#[cfg(feature = "command")]
mod model;
pub mod operation;
pub mod systems;
#[cfg(feature = "zarr")]
pub mod zarr;

#[cfg(feature = "command")]
pub use check::report_text;
