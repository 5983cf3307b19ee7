//! Defines slices that can be converted to operations of TensorFlow, OpenVINO, MindSpore and ONNX, so that the results
//! can be compared.

use slice_systems::{OperationError, mindspore, onnx, openvino, tensorflow};
use slice_tests::operation::as_mindspore;

/// The offsets of the selected elements in the input, or `None` if there is an error.
pub type Offsets = Option<Vec<usize>>;

/// A strided slice that can be converted to operations of TensorFlow, OpenVINO and MindSpore. Bit `i` of a mask applies
/// to entry `i`.
#[derive(Clone, Copy, Default)]
pub struct StridedSliceCase<'a> {
    pub shape: &'a [usize],
    pub begin: &'a [i64],
    pub end: &'a [i64],
    pub strides: &'a [i64],
    pub begin_mask: i64,
    pub ellipsis_mask: i64,
    pub new_axis_mask: i64,
    pub shrink_axis_mask: i64,
}

/// Converts a bit mask to a list that contains a 0 or a 1 for each entry. If bits beyond the last entry are set, the
/// list continues up to the highest set bit.
fn mask_list(mask: i64, entries: usize) -> Vec<i64> {
    let bits = entries.max(mask.checked_ilog2().map_or(0, |bit| bit as usize + 1));
    (0..bits).map(|i| mask >> i & 1).collect()
}

impl StridedSliceCase<'_> {
    pub fn tensorflow(&self) -> tensorflow::StridedSlice {
        tensorflow::StridedSlice {
            begin: self.begin.to_vec(),
            end: self.end.to_vec(),
            strides: self.strides.to_vec(),
            begin_mask: self.begin_mask,
            end_mask: 0,
            ellipsis_mask: self.ellipsis_mask,
            new_axis_mask: self.new_axis_mask,
            shrink_axis_mask: self.shrink_axis_mask,
        }
    }

    pub fn mindspore(&self) -> mindspore::StridedSlice {
        as_mindspore(self.tensorflow())
    }

    pub fn openvino(&self) -> openvino::StridedSlice {
        let entries = self.begin.len();
        openvino::StridedSlice {
            begin: self.begin.to_vec(),
            end: self.end.to_vec(),
            strides: Some(self.strides.to_vec()),
            begin_mask: mask_list(self.begin_mask, entries),
            end_mask: mask_list(0, entries),
            new_axis_mask: mask_list(self.new_axis_mask, entries),
            shrink_axis_mask: mask_list(self.shrink_axis_mask, entries),
            ellipsis_mask: mask_list(self.ellipsis_mask, entries),
        }
    }

    /// Returns the errors of TensorFlow, OpenVINO and MindSpore, or `None` for a system without an error.
    pub fn errors(&self) -> [Option<OperationError>; 3] {
        [
            self.tensorflow().resolve(self.shape).err(),
            self.openvino().resolve(self.shape).err(),
            self.mindspore().resolve(self.shape).err(),
        ]
    }

    /// Returns the results of TensorFlow, OpenVINO and MindSpore.
    pub fn results(&self) -> [Offsets; 3] {
        [
            self.tensorflow().resolve(self.shape),
            self.openvino().resolve(self.shape),
            self.mindspore().resolve(self.shape),
        ]
        .map(|result| result.ok().map(|selection| selection.indices().collect()))
    }
}

/// Returns a slice with the `begin`, `end` and stride in `bounds`, for an array with one axis of length 4.
pub fn slice_on_length_4<'a>(bounds: &'a [i64; 3]) -> StridedSliceCase<'a> {
    let [begin, end, stride] = bounds;
    StridedSliceCase {
        shape: &[4],
        begin: std::slice::from_ref(begin),
        end: std::slice::from_ref(end),
        strides: std::slice::from_ref(stride),
        ..StridedSliceCase::default()
    }
}

pub fn onnx_slice([start, end, step]: [i64; 3]) -> onnx::Slice {
    onnx::Slice {
        opset: 13,
        starts: vec![start],
        ends: vec![end],
        axes: None,
        steps: Some(vec![step]),
    }
}

/// Returns the results of `onnx_slice(bounds)` for one axis of length 4: first the result required by ONNX's
/// specification, then ONNX Runtime's result.
pub fn onnx_results_on_length_4(bounds: [i64; 3]) -> [Offsets; 2] {
    let op = onnx_slice(bounds);
    [op.resolve(&[4]), op.resolve_onnxruntime(&[4])]
        .map(|result| result.ok().map(|selection| selection.indices().collect()))
}

pub fn some(offsets: &[usize]) -> Offsets {
    Some(offsets.to_vec())
}
