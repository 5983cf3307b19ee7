//! Slices as Python text.
//!
//! `parse` reads what Python allows between the brackets of `x[...]` and means what Python's evaluation of it means;
//! `display` writes the canonical form of it.

mod cursor;
mod display;
mod error;
mod number;
mod parse;
#[cfg(feature = "serde")]
mod serde;
mod value;

pub(crate) use error::Fault;
pub use error::{ParseErrorKind, ParseSliceError};
pub(crate) use parse::{Items, parse};
pub(crate) use value::{Spanned, Value, item, too_many};
