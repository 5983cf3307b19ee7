//! Converts slices to and from text in Python's notation.
//!
//! `parse` reads the text between the brackets of `x[...]`, with the meaning that Python gives it. `display` writes a
//! slice in canonical form. `item` reads and writes items that contain other values.

mod cursor;
mod display;
pub(crate) mod error;
mod item;
mod marked_line;
mod number;
pub(crate) mod parse;
#[cfg(feature = "serde")]
mod serde;
pub(crate) mod value;

pub use error::{ParseErrorKind, ParseSliceError};
pub use marked_line::MarkedLine;
