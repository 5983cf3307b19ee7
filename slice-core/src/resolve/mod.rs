//! Functions that resolve bounds and indices, for code that adds another notation for slices. They give a bound the
//! same meaning in the new notation as in every other one. [`Selection::from_steps`](crate::Selection::from_steps)
//! creates a [`Selection`](crate::Selection) from the results.
//!
//! # Example
//!
//! ```
//! use slice_core::resolve::{element_count, range_at};
//! use slice_core::{ResolvedStep, Selection, s};
//!
//! /// Resolves MATLAB's `x(first:last)`, which counts from 1 and includes the last element.
//! fn inclusive(first: i64, last: i64, shape: [usize; 1]) -> Result<Selection, slice_core::SliceError> {
//!     element_count(&shape)?;
//!     let range = range_at(0, 0, Some(first - 1), Some(last), 1, shape[0])?;
//!     Selection::from_steps(&shape, [ResolvedStep::Keep(range)])
//! }
//!
//! assert_eq!(inclusive(2, 4, [6])?, s![1:4].resolve(&[6])?);
//! # Ok::<(), slice_core::SliceError>(())
//! ```

pub(crate) mod axis;
pub(crate) mod brackets;
mod build;
mod compose;
pub(crate) mod indices;
pub(crate) mod layout;
pub(crate) mod list;
mod overlap;
pub(crate) mod positions;
mod public;
pub(crate) mod select;
pub(crate) mod selection;
pub(crate) mod shape;
pub(crate) mod step;
pub(crate) mod strided;
#[cfg(test)]
mod tests;
pub(crate) mod walk;

pub use public::{
    element_count, index, index_at, item_axes, open_begin, open_end, range_at, wrap, wrap_and_clamp,
};
pub use shape::check_shape;
