//! Writes a slice as the operation of each system, and reads any system's operation back as Python.
//!
//! Each operation has three functions:
//!
//! * `from_spec` needs no shape. It returns an operation that selects the same elements as the spec for *every* shape,
//!   or a [`TranslateError`] with the reason and an alternative.
//! * `from_selection` returns an operation that is right for the shape of the selection.
//! * `to_spec` returns the spec that selects the same elements for every shape that the operation
//!   accepts.
//!
//! Slices with lists are translated for one shape: [`from_outer_spec`](crate::Operation::from_outer_spec) writes them,
//! and [`Outer`](crate::lists::Outer) reads them back.
//!
//! TensorStore's [`IndexTransform`](crate::tensorstore::IndexTransform) has bounds, so it has no `from_spec`. StableHLO
//! and Core ML need a shape, too. PyTorch, StableHLO and Core ML may need several operations, which are a
//! [`Program`](crate::program::Program). ONNX has no index and no new axis; its translation is an
//! [`OnnxPlan`](crate::onnx::OnnxPlan) of up to three operators, for a given rank.
//!
//! | refused without a shape | TensorFlow | OpenVINO | MindSpore | ONNX | LiteRT | PyTorch |
//! |---|---|---|---|---|---|---|
//! | `-3::-1`: more than one element, from a begin below -1, with no end above -2 | | ✗ | | ✗ | | |
//! | `-9:2147483647:-1`: this end with a negative stride, unless the range is empty on every axis | | | | ✗ | | |
//! | an ellipsis with an item other than `:` after it | | | ✗ | | ✗ | |
//! | a new axis | | | ✗ | | | |
//! | a stride of 0 | ✗ | ✗ | ✗ | ✗ | ✗ | ✗ |
//! | a stride other than 1 before opset 10 | | | | ✗ | | |
//! | more than 31 items | ✗ | | | | ✗ | |
//!
//! # Defects
//!
//! Some systems compute correct operations wrongly. The translations choose an unaffected form: for OpenVINO, an
//! ellipsis after new axes, without which its CPU plugin drops axes; for MindSpore, no masks where it works without
//! them, which avoids its kernel; for ONNX Runtime, no INT_MAX that it would misread; and a positive step for ranges of
//! at most one element. If every form is affected, [`Translated::defects`] lists the defect, including defects for
//! shapes that Python refuses: with begin, end and strides as inputs of the model, OpenVINO's CPU plugin clamps an
//! index that is out of range.
//!
//! # Example
//!
//! ```
//! use slice_core::{DynSliceSpec, s};
//! use slice_ops::tensorflow;
//!
//! let op = tensorflow::StridedSlice::from_spec(&s![1, 2:4, None, ..., :-3:-1, :].to_dyn())?.op;
//! assert_eq!(
//!     op.to_string(),
//!     "tf.strided_slice(x, [1, 2, 0, 0, 0, 0], [2, 4, 0, 0, -3, 0], [1, 1, 1, 1, -1, 1], begin_mask=48, end_mask=32, \
//!      ellipsis_mask=8, new_axis_mask=4, shrink_axis_mask=1)"
//! );
//! let back: DynSliceSpec = op.to_spec()?;
//! assert_eq!(back.to_string(), "1, 2:4, None, ..., :-3:-1, :");
//! # Ok::<(), slice_ops::translate::TranslateError>(())
//! ```

pub(crate) mod defect;
pub(crate) mod error;
pub(crate) mod reverse;
pub(crate) mod spec;

pub use defect::{Defect, Translated};
pub use error::TranslateError;
