//! Writes a slice as the operation of each system, and reads any system's operation back as Python.
//!
//! Each operation has three functions:
//!
//! * `from_spec` needs no shape. What it gives selects, for *every* shape, what the spec selects; where there is no such
//!   operation it is a [`TranslateError`] with the reason and what to do instead.
//! * `from_selection` is for one shape, and right for that one.
//! * `to_spec` goes back: the spec that selects the same for every shape that the operation accepts.
//!
//! Slices with lists are for one shape, too: [`from_outer_spec`](crate::Operation::from_outer_spec) writes them, and
//! [`Outer`](crate::lists::Outer) reads them back.
//!
//! TensorStore's [`IndexTransform`](crate::tensorstore::IndexTransform) has bounds, so there is no `from_spec` for it.
//! StableHLO and Core ML need a shape, too.
//! PyTorch, StableHLO and Core ML may need several operations, which are a [`Program`](crate::program::Program).
//! ONNX has no index and no new axis; there it is an [`OnnxPlan`](crate::onnx::OnnxPlan) of up to three operators, for a given rank.
//!
//! | refused without a shape | TensorFlow | OpenVINO | MindSpore | ONNX | LiteRT | PyTorch |
//! |---|---|---|---|---|---|---|
//! | `-3::-1`: more than one element from a begin below -1 down to no end above -2 | | ✗ | | ✗ | | |
//! | `-9:2147483647:-1`: that very end with a negative stride, unless nothing is selected of any axis | | | | ✗ | | |
//! | an ellipsis with more than `:` after it | | | ✗ | | ✗ | |
//! | a new axis | | | ✗ | | | |
//! | a stride of 0 | ✗ | ✗ | ✗ | ✗ | ✗ | ✗ |
//! | a stride other than 1 before opset 10 | | | | ✗ | | |
//! | more than 31 items | ✗ | | | | ✗ | |
//!
//! # Defects
//!
//! Some systems compute correct operations wrongly. The translations choose a form that is not affected: OpenVINO gets
//! an ellipsis after new axes, without which its CPU plugin loses axes; MindSpore gets no masks where it works without
//! them, which avoids its kernel; ONNX Runtime gets no INT_MAX where it would mean something else; and ranges of at
//! most one element walk forwards. Where every form is affected, [`Translated::defects`] says so, also for shapes that
//! Python refuses: OpenVINO's CPU plugin, with begin, end and strides as inputs of the model, moves an index out of
//! range into it.
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
