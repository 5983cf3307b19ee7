//! Explains what a slice selects: the slice as written, its bounds after each stage of the computation, and notes on
//! surprising effects.
//!
//! # Example
//!
//! ```
//! use slice_core::s;
//! use slice_systems::Explain;
//!
//! let explanation = s![1:, ..., newaxis, 3:-1:-1].explain(&[4, 5, 6]);
//! assert_eq!(
//!     explanation.to_string(),
//!     "\
//! x[1:, ..., None, 3:-1:-1] on shape (4, 5, 6) gives shape (3, 5, 1, 0)
//!
//!                              axis 0  axis 1  new axis  axis 2
//!                 item         1       2       3         4
//!                 written      1:      ...     None      3:-1:-1
//! new_axis        axis size    4       5       1         6
//! ellipsis, fill  begin        1       0       -         3
//!                 end          -       5       -         -1
//!                 strides      1       1       -         -1
//! clamp           begin        1       0       -         3
//!                 end          -       5       -         -1->5
//! begin_mask      begin        1       0       -         3
//! end_mask        end          4       5       -         5
//! output_shape    output       3       5       1         0
//!                 output axis  0       1       2         3
//! pick            start        1       0       -         0
//!                 step         1       1       -         1
//!                 len          3       5       -         0
//!
//! note: nothing is selected on axis 2: the step is negative, and begin 3 is not after end 5
//! note: end -1 (item 4) means the last element; omit the end to reach element 0
//! "
//! );
//! ```
//!
//! The stages, in the left column, are named after the stages of TensorFlow's kernel:
//!
//! * `remove_conflict` resolves contradictory mask bits, and shows the equivalent Python items. This stage is shown
//!   only for operations with masks.
//! * `new_axis` inserts new axes, and shows the length of each axis.
//! * `ellipsis, fill` replaces the ellipsis with ranges that select whole axes, and fills in omitted steps.
//! * `wrap` counts the negative positions of a list from the front.
//! * `clamp` counts negative bounds from the front, and clamps all bounds to the axis.
//! * `begin_mask` and `end_mask` replace omitted and masked bounds.
//! * `shrink` drops the axis of each index.
//! * `output_shape` shows the length of each item's result, and the number of its axis in the output.
//! * `pick` shows the selected positions of each axis.

mod add_notes;
mod add_notes_on_lists;
mod build;
pub(crate) mod entry;
mod format;
mod list;
mod note;
mod picture;
mod sentence;
pub(crate) mod systems;
mod table;

use alloc::string::String;
use alloc::vec::Vec;

pub use entry::{Entry, ExplainedBound, ExplainedList};
pub use note::Note;
pub use picture::Picture;

use crate::error::OperationError;

/// An explanation of the elements that a slice selects from an array of a given shape.
///
/// An explanation is available as values, as text (`Display`), as [`sentences`](Self::sentences) and as a
/// [`picture`](Self::picture).
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![1, ...].explain(&[4, 5, 6]);
/// println!("{explanation}"); // a table with a column for each entry
/// assert_eq!((&explanation.subject[..], &explanation.input_shape[..]), ("x[1, ...]", &[4, 5, 6][..]));
/// assert_eq!(explanation.output_shape, Ok(vec![5, 6]));
/// let axes: Vec<_> = explanation.entries.iter().map(|entry| (entry.axis, entry.output_axis)).collect();
/// assert_eq!(axes, [(Some(0), None), (Some(1), Some(0)), (Some(2), Some(1))]);
/// assert!(explanation.notes.is_empty()); // nothing is surprising
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Explanation {
    /// The slice in Python's notation, or the name of the system and its operation.
    pub subject: String,
    #[cfg_attr(feature = "serde", serde(skip))]
    notation: Notation,
    /// The shape of the array.
    pub input_shape: Vec<usize>,
    /// The effect of each item and each axis, in the order of the result.
    ///
    /// An ellipsis has one entry for each axis that it covers, and only the first of these contains the item as
    /// written. An ellipsis that covers no axis has one entry without an axis.
    pub entries: Vec<Entry>,
    /// The shape of the result, or the error that occurred when the slice was resolved.
    #[cfg_attr(feature = "serde", serde(flatten, serialize_with = "as_map"))]
    pub output_shape: Result<Vec<usize>, OperationError>,
    /// The notes on surprising effects.
    pub notes: Vec<Note>,
}

/// The notation of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Notation {
    /// Python's notation.
    Python,
    /// Entries with `begin`, `end`, stride and mask bits, including numbers and bits that are ignored.
    Masks,
    /// Entries that name their axes, as in ONNX.
    NamedAxes,
}

#[cfg(feature = "serde")]
fn as_map<S: serde::Serializer>(
    output_shape: &Result<Vec<usize>, OperationError>,
    to: S,
) -> Result<S::Ok, S::Error> {
    match output_shape {
        Ok(shape) => to.collect_map([("output_shape", shape)]),
        Err(error) => to.collect_map([("error", alloc::format!("{error}"))]),
    }
}
