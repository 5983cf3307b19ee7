//! Slices as operations of other systems: TensorFlow, OpenVINO, MindSpore, ONNX, TensorStore, LiteRT, PyTorch,
//! StableHLO and Core ML.
//!
//! ```
//! use slice_core::s;
//! use slice_ops::{Explain, tensorflow};
//!
//! let op = tensorflow::StridedSlice::from_spec(&s![1:, ..., newaxis].to_dyn())?.op;
//! assert_eq!(op.resolve(&[4, 5])?, s![1:, ..., newaxis].resolve(&[4, 5])?);
//! println!("{}", op.explain(&[4, 5])); // the effect of each entry, step by step
//! # Ok::<(), slice_ops::translate::TranslateError>(())
//! ```
//!
//! | | |
//! |---|---|
//! | the operations of each system | a module with its name |
//! | an operation of any system, the systems, and code for each of them | [`AnyOperation`], [`System`], [`for_each_system!`] |
//! | the trait of all operations | [`Operation`] |
//! | several operations for one slice | [`program`] |
//! | slices with lists | [`lists`] |
//! | write a slice for a system, and read it back | [`translate`] |
//! | explain the effect of each item, and draw it | [`Explain`], [`explain`] |
//! | errors | [`OperationError`] |
//!
//! Each module holds one system's operation, with the system's own field names, and reads like its specification. All
//! operations resolve to a [`Selection`](slice_core::Selection), print as a call in the system's notation, [translate]
//! to and from Python, and are [explained](explain), with pictures.
//!
//! With the feature `serde`, operations are serialized and deserialized, and explanations are serialized. Operations
//! may come from untrusted sources: no function of this crate panics on them. slice-core's guide on untrusted input
//! states the exact guarantees. The meaning of an operation and its errors change with a major version only, as
//! slice-core's front page says.
//!
//! # Where the systems differ
//!
//! LiteRT, PyTorch, StableHLO and Core ML have a [separate guide](guide::model_formats).
//!
//! The table shows the results of the running systems: NumPy 2.4.6, TensorFlow 2.21.0, OpenVINO 2026.4.1, MindSpore
//! 2.10.0 (CPU) and ONNX Runtime 1.31.1, and the specification of ONNX 1.23. The column Python describes NumPy, the
//! macro [`s!`](slice_core::s!) and TensorFlow; cells that name TensorFlow describe it alone. Each row has a test in
//! `tests/conformance/apart/`; `n` is the length of the axis.
//!
//! | | Python | OpenVINO | MindSpore | ONNX | test |
//! |---|---|---|---|---|---|
//! | begin below `-n`, stride < 0 | nothing | from the first element | nothing | from the first element | `reverse_from_before_the_first` |
//! | begin = end below `-n`, stride < 0 | nothing | the first element | nothing | the first element | `reverse_between_equal_bounds` |
//! | end = INT_MAX, stride < 0 | nothing | nothing | nothing | nothing; ONNX Runtime: down to the first | `int_max_as_the_end_backwards` |
//! | index with stride < 0 | TensorFlow: error | stride ignored | error | – | `index_with_a_negative_stride` |
//! | index with stride 0 | TensorFlow: error | stride ignored | error | – | `index_with_a_zero_stride` |
//! | index with a bit in `begin_mask` | TensorFlow: bit ignored | element ignored | index 0 | – | `index_with_a_masked_begin` |
//! | stride 0 of a new axis or an ellipsis | ignored | ignored | error | – | `only_mindspore_refuses_zero_strides_of_new_axes_and_ellipses` |
//! | more entries than axes, with new axes | fine | fine | error | – | `more_entries_than_axes` |
//! | stride 0 and an index out of range | the leftmost item | stride 0 | stride 0 | – | `systems_report_different_errors_first` |
//! | negative mask | TensorFlow: bits of an int32 | error | error | – | `negative_masks` |
//! | mask beyond an int32 | TensorFlow: error | – | fine | – | `masks_beyond_32_bits` |
//! | bits beyond the vectors | TensorFlow: ignored | ignored | ignored | – | `bits_beyond_the_vectors` |
//! | second ellipsis bit beyond the vectors | TensorFlow: error | error | error | – | `second_ellipsis_beyond_the_vectors` |
//! | masks of different lengths | – | padded with zeros, or truncated | – | – | `mask_lists_of_other_lengths` |
//! | more than 31 entries | TensorFlow: error | fine | fine | – | `more_than_31_entries` |
//! | no strides | – | all 1 | – | all 1 | `strides_left_out` |
//! | input without axes | fine | fine | error with masks | error | `scalars` |
//! | the same axis twice | – | – | – | error | `repeated_axes` |
//! | negative axes in opsets 1 and 10 | – | – | – | as in 11 and 13 | `negative_axes_in_every_opset` |
//! | steps in opset 1 | – | – | – | error | `steps_in_opset_1` |
//!
//! The next table adds LiteRT 2.3.0, PyTorch 2.15.0, StableHLO of jaxlib 0.10.2 and coremltools 9.0:
//!
//! | | Python | LiteRT | PyTorch | StableHLO | Core ML | test |
//! |---|---|---|---|---|---|---|
//! | `1:9` of an axis of 4 | clamped | clamped | clamped | error | clamped | `a_bound_beyond_the_axis` |
//! | `-3:-1` | from the end | from the end | from the end | error | from the end | `a_negative_bound` |
//! | `3:0:-1` | 3, 2, 1 | 3, 2, 1 | error; `flip` | error; `reverse` | 3, 2, 1 | `a_step_below_0` |
//! | `3:1` | nothing | nothing | nothing | error | error | `crossed_bounds` |
//! | `-1:-5:-1` of an axis of 4 | all | all | error | error | all but the first | `an_end_before_the_axis_backwards` |
//! | 2 elements from position 3 of 4 | – | SLICE: error | – | dynamic_slice: 2, 3 | slice_by_size: error | `a_window_that_does_not_fit` |
//! | an end relative to the begin | – | `offset` | – | – | – | `an_end_that_is_a_distance` |
//! | input without axes | fine | fine | error | fine | error | `arrays_without_axes` |
//! | a list `[-1]` | the last | error, as in TensorFlow | index_select: error | the first | the last, as in ONNX | `a_negative_index_in_a_list` |
//! | a list `[9]` of an axis of 4 | error | error | error | the last | error | `an_index_in_a_list_beyond_the_axis` |
//! | two lists in brackets | NumPy pairs them: error | – | paired: error | – | – | `two_lists_in_brackets` |
//!
//! # Errors in the documentation of the systems
//!
//! This crate follows the running system. Each row has a test in `tests/conformance/documents/`.
//!
//! | document | says | the system | test |
//! |---|---|---|---|
//! | OpenVINO StridedSlice-1 | `3:0:-1` of 4 has 4 elements | 3 | `example_1_strides` |
//! | | bounds beyond the end leave one element | none | `example_2_clamping` |
//! | | a masked end stops a reverse range before element 0 | element 0 is included | `example_4_begin_mask_and_end_mask` |
//! | | 12 sizes are called 10 dimensions | 12 | `example_7_ellipsis_mask` |
//! | | 12 input sizes with the output of 10 | 13 output sizes | `example_8_ellipsis_mask_with_other_masks_of_different_lengths` |
//! | | begin = end selects one element | none | `text_begin_equal_to_end` |
//! | | a reverse range continues while below its end | while above it | `text_reverse_slicing` |
//! | | an index needs begin = end | the end is ignored | `text_shrink_ignores_end_and_stride` |
//! | | begin_mask and end_mask are required | they may be empty | `text_masks_may_be_empty` |
//! | TensorFlow StridedSlice | `foo[:, ...]` of (3, 4) is (1, 3, 4) | (3, 4); `foo[newaxis, ...]` is | `a_leading_new_axis` |
//! | | `foo[-2::-1]` of [1, 2, 3, 4] is [4, 3] | [3, 2, 1] | `a_reverse_range_from_the_last_but_one` |
//! | | a range has `end - begin` values | divided by the stride, rounded up | `the_number_of_values` |
//! | | the implied ellipsis is bit m + 1 | bit m | `an_implied_ellipsis` |
//! | | bounds are clamped into [0, n) | [0, n] | `bounds_beyond_the_dimension` |
//! | | begin and end of an index imply one element | the end is ignored | `an_index_with_any_end` |
//! | | no stride is 0 | not checked where nothing is sliced | `idle_strides_of_zero` |
//! | TensorFlow article | the masked bounds of a reverse range are N and 0 | N - 1 and before 0 | `table_masked_bounds_of_a_reverse_range` |
//! | | no more entries than dimensions | no more than consume one | `text_more_entries_than_dimensions` |
//! | MindSpore strided_slice | an index ignores its begin | it selects the element | `text_shrink_axis_mask` |
//! | | begin ≥ 0, end > 0 | negative numbers are Python's | `text_negative_bounds` |
//! | | a masked begin is 0 | n - 1 for a negative stride | `text_masked_begin_of_a_reverse_range` |
//!
//! # Defects that are not reproduced
//!
//! If a system's implementation is broken (it reads memory outside the tensor, or disagrees with its own shape
//! inference), this crate returns the result that the system was meant to return. The golden vectors list these cases
//! by rule, with the reason, and the tests count them:
//!
//! - TensorFlow's limit of 8 axes.
//! - OpenVINO's evaluation and CPU plugin: shared ellipsis marks, too many new axes, reverse ranges of empty axes,
//!   scalars.
//! - MindSpore's CPU kernel: entries moved by new axes or an ellipsis, reverse ranges from beyond the end, and two or
//!   more sliced axes if only one of them changes its length.
//!
//! This crate also refuses slices that LiteRT does not check (indices, lengths, the number of entries), and slices for
//! which coremltools gives two answers.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod axes;
mod bit_masks;
pub mod coreml;
mod entries;
mod error;
pub mod explain;
#[cfg(any(doc, doctest))]
pub mod guide;
pub mod lists;
pub mod litert;
pub mod mindspore;
pub mod onnx;
pub mod openvino;
mod operation;
pub mod program;
pub mod python;
mod slice_and_gather;
pub mod stablehlo;
mod systems;
pub mod tensorflow;
pub mod tensorstore;
pub mod torch;
pub mod translate;

pub use error::OperationError;
pub use explain::systems::Explain;
pub use operation::{Operation, System};
pub use systems::AnyOperation;

/// One number for each axis; inline up to rank 6.
type Dims<T = usize> = smallvec::SmallVec<[T; 6]>;

/// Compiles the README's snippet with the documentation.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
