//! Slices as Python text.
//!
//! `parse` reads what Python allows between the brackets of `x[...]` and means what Python's evaluation of it means;
//! `display` writes the canonical form of it.

mod cursor;
mod display;
pub(crate) mod error;
mod number;
pub(crate) mod parse;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod value;

pub use error::{ParseErrorKind, ParseSliceError};
