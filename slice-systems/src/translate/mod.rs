//! Translates slices to the operations of each system, and the operations back to Python slices.
//!
//! The trait [`Operation`](crate::Operation) has three functions that translate slices without lists:
//!
//! * `from_spec` needs no shape. It returns an operation that selects the same elements as the spec for *every* shape,
//!   or a [`TranslateError`] that states why there is none and, where possible, suggests an alternative.
//! * `from_selection` returns an operation that selects the same elements as the selection, for arrays of its input
//!   shape.
//! * `to_spec` returns the spec that selects the same elements as the operation for all shapes that the operation
//!   accepts.
//!
//! Slices with lists are translated for one shape: [`from_spec_for_shape`](crate::Operation::from_spec_for_shape) translates
//! them to a system's operations, and [`to_spec_for_shape`](crate::lists::Operations::to_spec_for_shape) translates the operations
//! back to a slice with lists.
//!
//! A translation to TensorStore, StableHLO or Core ML contains bounds that depend on the shape. For these systems,
//! `from_spec` therefore always returns [`TranslateError::NeedsShape`]. PyTorch, StableHLO and Core ML may need several
//! operations, which form a [`Program`](crate::program::Program). ONNX's `Slice` has neither indices nor new axes, so a
//! slice is translated to an [`OnnxPlan`](crate::onnx::OnnxPlan) with up to three operators. Such a translation depends
//! on the rank even if no shape is given, so the rank is an argument of
//! [`OnnxPlan::from_spec`](crate::onnx::OnnxPlan::from_spec).
//!
//! The following table shows which slices `from_spec` (for ONNX, `OnnxPlan::from_spec`) rejects (✗):
//!
//! | slice | TensorFlow | OpenVINO | MindSpore | ONNX | LiteRT | PyTorch |
//! |---|---|---|---|---|---|---|
//! | `-3::-1`: a `begin` below -1 with a negative stride, without an end or with an end below -1, unless the range selects at most one element of every axis | | ✗ | | ✗ | | |
//! | `-9:2147483647:-1`: an end of `i32::MAX` with a negative stride, unless the range is empty on every axis | | | | ✗ | | |
//! | an ellipsis that is followed by an item other than `:` | | | ✗ | | ✗ | |
//! | a new axis | | | ✗ | | | |
//! | a stride of 0 | ✗ | ✗ | ✗ | ✗ | ✗ | ✗ |
//! | a stride other than 1 before opset 10 | | | | ✗ | | |
//! | more than 31 items | ✗ | | | | ✗ | |
//!
//! # Defects
//!
//! Some systems return incorrect results for correct operations. The translations choose a form that is not affected,
//! if there is one:
//!
//! * for OpenVINO, an ellipsis is written after new axes, because the CPU plugin drops axes if the ellipsis is implied;
//! * for MindSpore, masks are used only if the slice needs them, because an operation with masks always runs in a
//!   defective kernel;
//! * for ONNX Runtime, INT_MAX is not used as an end where ONNX Runtime would misinterpret it;
//! * for OpenVINO, MindSpore and ONNX, ranges with at most one element are written with a positive step, because some
//!   ranges with a negative step have a different meaning than in Python, or are affected by defects.
//!
//! If every form is affected, [`Translated::defects`] lists the defect, even if Python raises an error for all affected
//! shapes. For example, if begin, end and strides are inputs of the model, OpenVINO's CPU plugin clamps an index that
//! is out of range.
//!
//! # Example
//!
//! ```
//! use slice_core::{DynSliceSpec, s};
//! use slice_systems::Operation;
//! use slice_systems::tensorflow;
//!
//! let op = tensorflow::StridedSlice::from_spec(&s![1, 2:4, None, ..., :-3:-1, :].to_dyn())?.op;
//! assert_eq!(
//!     op.to_string(),
//!     "tf.strided_slice(x, [1, 2, 0, 0, 0, 0], [2, 4, 0, 0, -3, 0], [1, 1, 1, 1, -1, 1], begin_mask=48, end_mask=32, \
//!      ellipsis_mask=8, new_axis_mask=4, shrink_axis_mask=1)"
//! );
//! let back: DynSliceSpec = op.to_spec()?;
//! assert_eq!(back.to_string(), "1, 2:4, None, ..., :-3:-1, :");
//! # Ok::<(), slice_systems::translate::TranslateError>(())
//! ```

pub(crate) mod defect;
pub(crate) mod entries;
pub(crate) mod error;
pub(crate) mod reverse;
pub(crate) mod spec;

pub use defect::{Defect, Translated};
pub use error::TranslateError;
