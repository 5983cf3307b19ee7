//! Turns operations of a model into selections, once their numbers are found.

mod arguments;
mod operation;
mod output;
mod parts;
mod spec;
mod strided;
mod taken;
mod window;

use slice_core::DynOuterSpec;

pub use operation::Operation;
pub use output::output;
pub use spec::{composed, is_whole, plain, ranges, without_ellipsis, without_sentinels};
pub use taken::taken;

/// The relation of an operation's output to its input.
#[derive(Clone, Debug)]
pub enum Taken {
    /// A slice.
    Strided(Operation),
    /// A slice with lists.
    Lists(DynOuterSpec),
    /// A slice with numbers that are known only when the model runs.
    AtRunTime(AtRunTime),
}

/// A slice with some numbers that are known only when the model runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtRunTime {
    /// The items in Python's notation, with names of lengths, and `?` for other unknown numbers; `None` if not even the
    /// axes are known.
    pub items: Option<String>,
    /// The names of the values that contain these numbers.
    pub values: Vec<String>,
    /// The steps of ONNX's slice, if they are known and no start and end is.
    pub steps: Option<Vec<i64>>,
}
