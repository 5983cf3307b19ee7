//! Converts slices to and from text in Python's notation.
//!
//! `parse` reads the text between the brackets of `x[...]`, with the meaning that Python gives it. `display` writes a
//! slice in canonical form.

mod cursor;
mod display;
pub(crate) mod error;
mod marked_line;
mod number;
mod outer;
#[cfg(feature = "serde")]
mod outer_serde;
pub(crate) mod parse;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "serde")]
pub(crate) mod text_or_fields;
pub(crate) mod value;

pub use error::{ParseErrorKind, ParseSliceError};
pub use marked_line::MarkedLine;
