//! PyTorch's operator `slice.Tensor`, and short programs of several operators that together express a slice.
//!
//! PyTorch runs `x[...]` as a sequence of ATen operators, each for one axis: [`Slice`], [`Select`] and
//! [`unsqueeze`](Op::Unsqueeze). `x[...]` rejects negative steps, which need [`flip`](Op::Flip) instead. The axis of an
//! operator refers to the result of the operators before it, and may be negative.
//!
//! PyTorch applies these rules to `slice.Tensor` in order:
//!
//! 1. The array has at least one axis, `dim` is in `-rank..rank`, and `step` is positive.
//! 2. An omitted start is 0, and an omitted end is the end of the axis. A negative start or end counts from the end.
//!    Then both are clamped to the axis.
//!
//! Source: PyTorch 2.15.0 in eager mode, on the CPU.

mod brackets;
mod defects;
pub(crate) mod error;
mod export;
mod index;
mod op;
mod operation;
mod scatter;

pub use export::Export;
pub use index::{Index, index_put};
pub use op::{Op, Program, Select};
pub use scatter::{select_scatter, slice_scatter};

use slice_core::{Item, Selection};

use crate::axes::ItemOnAxes;
use crate::error::OperationError;
use crate::torch::error::AtenError;

/// PyTorch's `slice.Tensor`, which slices one axis.
///
/// Python equivalent: `torch.ops.aten.slice.Tensor(x, dim, start, end, step)`.
///
/// # Example
///
/// ```
/// use slice_systems::torch::Slice;
/// use slice_core::s;
///
/// let op = Slice { dim: -1, start: Some(1), end: None, step: 2 };
/// assert_eq!(op.resolve(&[4, 5])?, s![:, 1::2].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Slice {
    /// The axis. A negative number counts from the end.
    pub dim: i64,
    /// The first position; `None` means 0.
    pub start: Option<i64>,
    /// One past the last position; `None` means the end of the axis.
    pub end: Option<i64>,
    /// The distance between neighboring positions, which must be positive.
    pub step: i64,
}

/// By default, the operator selects the whole first axis.
impl Default for Slice {
    fn default() -> Self {
        let (start, end) = (None, None);
        Slice {
            dim: 0,
            start,
            end,
            step: 1,
        }
    }
}

impl Slice {
    /// Applies the operator to an array with the shape `shape`.
    ///
    /// Python equivalent: `torch.ops.aten.slice.Tensor(x, dim, start, end, step)`, where `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In PyTorch's order:
    ///
    /// * [`OperationError::System`] if the array has no axes.
    /// * [`OperationError::AxisOutOfRange`] if the axis does not exist.
    /// * [`OperationError::System`] if the step is not positive.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::torch::Slice;
    ///
    /// let op = Slice { dim: 0, start: Some(-2), end: None, step: 1 };
    /// assert_eq!(op.resolve(&[4, 5])?.output_shape(), [2, 5]);
    /// let error = Slice { step: -1, ..op }.resolve(&[4, 5]).unwrap_err();
    /// assert!(error.to_string().starts_with("slice step must be positive, but is -1 for dim 0"));
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.on_axis(shape.len())?.select(shape)
    }

    /// Performs the checks that do not depend on the lengths of the axes, and returns the range on its axis.
    fn on_axis(&self, rank: usize) -> Result<ItemOnAxes, OperationError> {
        let on_axis = on_axis("slice", self.range(), self.dim, rank)?;
        check_step(self.dim, self.step)?;
        Ok(on_axis)
    }

    fn range(&self) -> Item {
        Item::Range {
            begin: self.start,
            end: self.end,
            step: self.step,
        }
    }
}

/// Returns an error if the step in dimension `dim` is not positive.
fn check_step(dim: i64, step: i64) -> Result<(), OperationError> {
    match step > 0 {
        true => Ok(()),
        false => Err(AtenError::Step { dim, step }.into()),
    }
}

/// Returns the item that an operator applies to the axis `dim`, or an error if the array does not have this axis.
fn on_axis(
    operator: &'static str,
    item: Item,
    dim: i64,
    rank: usize,
) -> Result<ItemOnAxes, OperationError> {
    match rank {
        0 => Err(AtenError::Scalar { operator }.into()),
        _ => ItemOnAxes::new(item, &[dim], rank),
    }
}
