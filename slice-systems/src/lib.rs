//! The slice operations of TensorFlow, OpenVINO, MindSpore, ONNX, TensorStore, LiteRT, PyTorch, StableHLO and Core ML.
//!
//! ```
//! use slice_core::s;
//! use slice_systems::Operation;
//! use slice_systems::{Explain, tensorflow};
//!
//! let op = tensorflow::StridedSlice::from_spec(&s![1:, ..., newaxis].to_dyn())?.op;
//! assert_eq!(op.resolve(&[4, 5])?, s![1:, ..., newaxis].resolve(&[4, 5])?);
//! println!("{}", op.explain(&[4, 5])); // the effect of each item, step by step
//! # Ok::<(), slice_systems::translate::TranslateError>(())
//! ```
//!
//! | topic | see |
//! |---|---|
//! | the operations of one system | the module named after the system |
//! | operations of any system, and code generated for all systems | [`AnyOperation`], [`System`], [`for_each_system!`] |
//! | the trait that all operations implement | [`Operation`] |
//! | sequences of operations that together perform one slice | [`program`] |
//! | slices with lists of positions | [`lists`] |
//! | translations of slices to a system's operations, and back | [`translate`] |
//! | slices of the tensors of other crates, such as candle and burn | [`tensor`], [guide](guide::your_tensors) |
//! | explanations and pictures of a slice | [`Explain`], [`explain`] |
//! | errors | [`OperationError`], [`SystemError`], [`TranslateError`](translate::TranslateError) |
//!
//! A *system* is a library or format with its own definition of slices, such as NumPy or ONNX. Each module named after
//! a system defines the operations of that system, with the field names from the system's specification. Every
//! [`Operation`] resolves to a [`Selection`](slice_core::Selection), is displayed as a call in the system's notation,
//! can be [translated](translate) to and from Python, and can be [explained](explain) in words and pictures.
//!
//! With the feature `serde`, operations can be serialized and deserialized, and explanations can be serialized.
//! Operations may come from untrusted sources: no function of this crate panics on an invalid operation. slice-core's
//! guide on untrusted input states the exact guarantees. The meaning of an operation, and the errors that it causes,
//! change only in major versions, as slice-core's front page describes.
//!
//! # Where the systems differ
//!
//! Two guides describe the differences in detail: [one](guide::strided_slices) for NumPy, TensorFlow, OpenVINO, MindSpore
//! and ONNX, and [one](guide::model_formats) for LiteRT, PyTorch, StableHLO and Core ML.
//!
//! The first table shows the results obtained by running NumPy 2.4.6, TensorFlow 2.21.0, OpenVINO 2026.4.1, MindSpore
//! 2.10.0 (CPU) and ONNX Runtime 1.31.1, and the results required by the specification of ONNX 1.23. The column Python
//! describes NumPy, the macro [`s!`](slice_core::s!) and TensorFlow; a cell that names TensorFlow describes only
//! TensorFlow. A cell states which elements the system selects, or how it treats the case. Each row is checked by the
//! test in its last column, which is in `tests/conformance/differences/`. `n` is the length of the axis. A dash means
//! that the case cannot occur in the system. An *entry* consists of the numbers at one index of an operation's lists,
//! such as `begin[2]`, `end[2]` and `strides[2]`.
//!
//! | | Python | OpenVINO | MindSpore | ONNX | test |
//! |---|---|---|---|---|---|
//! | begin below `-n`, stride < 0 | nothing | from the first element | nothing | from the first element | `openvino_and_onnx_clamp_a_reverse_range_that_begins_before_the_axis` |
//! | begin = end below `-n`, stride < 0 | nothing | the first element | nothing | the first element | `openvino_and_onnx_select_element_0_between_equal_bounds_before_the_axis` |
//! | end = INT_MAX, stride < 0 | nothing | nothing | nothing | nothing; ONNX Runtime: down to the first element | `only_onnx_runtime_treats_int_max_as_an_omitted_end_of_a_reverse_range` |
//! | index with stride < 0 | TensorFlow: error | stride ignored | error | – | `only_openvino_ignores_a_negative_stride_of_an_index` |
//! | index with stride 0 | TensorFlow: error | stride ignored | error | – | `only_openvino_ignores_a_zero_stride_of_an_index` |
//! | index with a bit in `begin_mask` | TensorFlow: bit ignored | mask element ignored | index 0 | – | `only_mindspore_applies_begin_mask_to_an_index` |
//! | stride 0 of a new axis or an ellipsis | ignored | ignored | error | – | `only_mindspore_rejects_zero_strides_of_new_axes_and_ellipses` |
//! | more entries than axes, because some are new axes | valid | valid | error | – | `only_mindspore_rejects_more_entries_than_axes` |
//! | error reported if one stride is 0 and one index is out of range | the error of the leftmost item | the error of the stride | the error of the stride | – | `systems_differ_in_which_of_two_errors_they_report` |
//! | negative mask | TensorFlow: bits of an int32 | error | error | – | `only_tensorflow_accepts_negative_masks` |
//! | mask that does not fit in an int32 | TensorFlow: error | – | valid | – | `only_tensorflow_rejects_masks_beyond_32_bits` |
//! | mask bits beyond the last entry | TensorFlow: ignored | ignored | ignored | – | `mask_bits_beyond_the_last_entry_are_ignored` |
//! | second ellipsis bit, beyond the last entry | TensorFlow: error | error | error | – | `a_second_ellipsis_bit_beyond_the_last_entry_is_rejected` |
//! | masks shorter or longer than `begin` | – | padded with zeros, or truncated | – | – | `openvino_masks_are_padded_or_truncated_to_the_number_of_entries` |
//! | more than 31 entries | TensorFlow: error | valid | valid | – | `only_tensorflow_rejects_more_than_31_entries` |
//! | strides omitted | – | all 1 | – | all 1 | `omitted_strides_are_1` |
//! | input without axes | valid | valid | error with masks | error | `onnx_rejects_scalars_and_mindspore_rejects_scalars_with_masks` |
//! | the same axis twice | – | – | – | error | `onnx_rejects_repeated_axes` |
//! | negative axes in opsets 1 and 10 | – | – | – | as in 11 and 13 | `negative_axes_are_valid_in_every_opset` |
//! | steps in opset 1 | – | – | – | error | `steps_are_rejected_in_opset_1` |
//!
//! The next table adds the results of LiteRT 2.3.0, PyTorch 2.15.0, StableHLO of jaxlib 0.10.2 and coremltools 9.0. A
//! list of numbers in a cell contains the selected positions:
//!
//! | | Python | LiteRT | PyTorch | StableHLO | Core ML | test |
//! |---|---|---|---|---|---|---|
//! | `1:9` of an axis of length 4 | clamped | clamped | clamped | error | clamped | `only_stablehlo_rejects_a_bound_beyond_the_axis` |
//! | `-3:-1` | counted from the end | counted from the end | counted from the end | error | counted from the end | `only_stablehlo_rejects_negative_bounds` |
//! | `3:0:-1` | 3, 2, 1 | 3, 2, 1 | error; `flip` | error; `reverse` | 3, 2, 1 | `pytorch_and_stablehlo_reject_negative_steps` |
//! | `3:1` | nothing | nothing | nothing | error | error | `stablehlo_and_core_ml_reject_a_begin_after_the_end` |
//! | `-1:-5:-1` of an axis of length 4 | all | all | error | error | all but the first | `core_ml_omits_element_0_if_a_reverse_range_ends_before_the_axis` |
//! | 2 elements from position 3 of an axis of length 4 | – | SLICE: error | – | dynamic_slice: 2, 3 | slice_by_size: error | `only_dynamic_slice_shifts_a_slice_that_exceeds_the_axis` |
//! | an end that is relative to the `begin` | – | `offset` | – | – | – | `litert_offset_makes_the_end_relative_to_the_begin` |
//! | input without axes | valid | valid | error | valid | error | `pytorch_and_core_ml_reject_arrays_without_axes` |
//! | a list `[-1]` | the last element | error, as in TensorFlow | index_select: error | the first element | the last element, as in ONNX | `onnx_and_core_ml_count_negative_indices_in_lists_from_the_end` |
//! | a list `[9]` for an axis of length 4 | error | error | error | the last element | error | `only_stablehlo_clamps_an_index_in_a_list_beyond_the_axis` |
//! | two lists in brackets | points | – | error in this crate, because PyTorch pairs the lists | – | – | `two_lists_in_brackets_are_points_in_numpy_and_rejected_for_pytorch` |
//!
//! # Errors in the documentation of the systems
//!
//! Where a system differs from its documentation, this crate follows the system. Each row is checked by the test in its
//! last column, which is in `tests/conformance/documents/`.
//!
//! | document | incorrect statement | actual behavior | test |
//! |---|---|---|---|
//! | OpenVINO StridedSlice-1 | `3:0:-1` of an axis of length 4 has 4 elements | 3 elements | `example_1_a_reverse_range_excludes_its_end` |
//! | | bounds beyond the end leave one element | no element | `example_2_clamped_bounds_select_no_element` |
//! | | a masked end stops a reverse range before element 0 | element 0 is included | `example_4_a_masked_end_of_a_reverse_range_includes_element_0` |
//! | | an input whose shape is listed with 12 lengths has 10 dimensions | 12 dimensions | `example_7_an_ellipsis_covers_all_other_axes` |
//! | | an input with 12 dimensions gives the output shape of one with 10 dimensions | an output with 13 dimensions | `example_8_the_output_has_one_axis_more_than_the_input` |
//! | | begin = end selects one element | no element | `equal_bounds_select_no_element` |
//! | | a reverse range continues while below its end | while above it | `a_reverse_range_continues_while_above_its_end` |
//! | | an index needs begin = end | the end is ignored | `an_index_ignores_its_end_and_stride` |
//! | | begin_mask and end_mask are required | they may be empty | `masks_may_be_empty` |
//! | TensorFlow StridedSlice | for `foo` of shape (3, 4), `foo[:, ...]` has shape (1, 3, 4) | shape (3, 4); `foo[newaxis, ...]` has shape (1, 3, 4) | `a_leading_new_axis_is_inserted_by_newaxis` |
//! | | `foo[-2::-1]` of [1, 2, 3, 4] is [4, 3] | [3, 2, 1] | `a_reverse_range_from_minus_2_ends_at_element_0` |
//! | | a range has `end - begin` values | `end - begin` divided by the stride, rounded up | `the_number_of_values_is_divided_by_the_stride` |
//! | | after m entries, the implied ellipsis has bit m + 1 | bit m | `an_implied_ellipsis_covers_the_remaining_axes` |
//! | | bounds are clamped into [0, n) | [0, n] | `bounds_beyond_the_axis_are_clamped` |
//! | | begin and end of an index imply one element | the end is ignored | `the_end_of_an_index_is_ignored` |
//! | | no stride is 0 | the strides of new axes and of the ellipsis are ignored | `zero_strides_of_new_axes_and_ellipses_are_ignored` |
//! | TensorFlow article | the masked bounds of a reverse range are N and 0 | N - 1, and the position before 0 | `masked_bounds_of_a_reverse_range_select_every_element` |
//! | | no more entries than dimensions | only entries that consume a dimension are counted | `there_may_be_more_entries_than_dimensions` |
//! | MindSpore strided_slice | the `begin` of an index is ignored | the element at begin is selected | `an_index_selects_the_element_at_its_begin` |
//! | | begin ≥ 0, end > 0 | a negative bound counts from the end, as in Python | `negative_bounds_count_from_the_end` |
//! | | a masked `begin` is 0 | n - 1 for a negative stride | `a_masked_begin_of_a_reverse_range_is_the_last_position` |
//!
//! # Defects that are not reproduced
//!
//! Some implementations have defects: they read memory outside the tensor, or disagree with the shape inference of the
//! same system. In such cases, this crate returns the intended result. The tests compare this crate with golden
//! vectors, which are the recorded results of the systems. The vectors mark each affected case with a rule, which
//! states the reason, and the tests count these cases instead of comparing them. The rules concern, among others:
//!
//! - TensorFlow's CPU kernel, which copies at most 8 axes.
//! - OpenVINO's reference implementation (`evaluate`) and CPU plugin: entries with an ellipsis bit and a second bit,
//!   too many new axes, reverse ranges of empty axes, and scalars.
//! - MindSpore's CPU kernel: entries after a new axis or an ellipsis, reverse ranges that begin beyond the end of the
//!   axis, and slices of several axes that change the length of only one axis.
//!
//! This crate also rejects slices with invalid indices, lengths or entry counts, which LiteRT does not check, and
//! slices for which the type inference and the constant folding of coremltools give different results.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

extern crate alloc;

mod axes;
pub mod coreml;
mod error;
pub mod explain;
#[cfg(any(doc, doctest))]
pub mod guide;
pub mod lists;
pub mod litert;
mod masked_slice;
pub mod mindspore;
pub mod onnx;
pub mod openvino;
mod operation;
pub mod program;
pub mod python;
mod slice_and_gather;
pub mod stablehlo;
mod systems;
pub mod tensor;
pub mod tensorflow;
pub mod tensorstore;
pub mod torch;
pub mod translate;

pub use error::{OperationError, SystemError};
pub use explain::systems::Explain;
pub use operation::{Operation, System};
pub use systems::AnyOperation;

/// The errors in a [`SystemError`], which tests classify.
#[doc(hidden)]
pub mod reasons {
    pub use crate::coreml::error::MilError;
    pub use crate::error::Reason;
    pub use crate::litert::error::KernelError;
    pub use crate::stablehlo::error::VerifyError;
    pub use crate::tensorstore::error::TransformError;
    pub use crate::torch::error::AtenError;
}

/// One value for each axis, stored inline up to rank 6.
type Dims<T = usize> = smallvec::SmallVec<[T; 6]>;

/// Compiles and runs the README's code as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
