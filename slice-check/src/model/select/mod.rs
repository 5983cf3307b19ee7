//! Converts the operations of a model that select elements to slices, after determining the values of their arguments.

mod arguments;
mod gather;
mod operands;
mod operation;
mod output;
mod parts;
mod selected;
mod spec;
mod strided;
mod window;

use std::sync::Arc;

pub use arguments::Undetermined;
pub use operation::KnownOperation;
pub use output::output;
pub use selected::{litert_reversal_mistake, selected};
pub use spec::{
    WHOLE, are_equivalent, compose, is_whole, normalized, ranges, resolved, spec_of,
    without_ellipsis, without_sentinels,
};
pub use strided::{axis_of_entry, entries};

/// A slice with some numbers that are known only at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtRunTime {
    /// The items in Python's notation, or `None` if they cannot be written, for example because the axes are unknown.
    /// An unknown number is written as its name, or as `?` if it has none.
    pub items: Option<String>,
    /// The names of the values that contain the unknown numbers.
    pub values: Vec<Arc<str>>,
    /// The steps of ONNX's `Slice`, if they are known and all starts and ends are unknown. Some converter bugs depend
    /// only on the steps.
    pub steps: Option<Vec<i64>>,
}
