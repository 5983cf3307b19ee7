//! Checks the ranks and the element types of the inputs that determine a selection.

use std::ops::RangeInclusive;

use crate::model::element_type::ElementType::{self, Bool, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::model::number::Dim;
use crate::model::{Format, Graph, Node, ValueId, number};
use crate::remark::Remark;

/// The form of an input: the ranks that it may have, whether it must have exactly one element, and a phrase that describes
/// it.
type Form = (RangeInclusive<usize>, bool, &'static str);

const SCALAR: Form = (0..=0, false, "a scalar");
const LIST: Form = (1..=1, false, "a list");
const SCALAR_OR_LIST: Form = (0..=1, false, "a scalar or a list");
const ARRAY: Form = (0..=usize::MAX, false, "an array");
const ARRAY_WITH_AXES: Form = (1..=usize::MAX, false, "an array with at least one axis");
const SCALAR_OR_ONE: Form = (0..=1, true, "one number");
const ONE_NUMBER: Form = (0..=usize::MAX, true, "one number");

use Format::{LiteRt, Onnx, OpenVino, TensorFlow};

/// An input that determines which elements an operation selects: the format, the operation, the index of the input, its
/// name, its form, and the types that its elements may have. An empty list stands for every type.
type Operand = (
    Format,
    &'static str,
    usize,
    &'static str,
    Form,
    &'static [ElementType],
);

#[rustfmt::skip]
const OPERANDS: [Operand; 55] = [
    (Onnx, "Slice", 1, "starts", LIST, &[I32, I64]),
    (Onnx, "Slice", 2, "ends", LIST, &[I32, I64]),
    (Onnx, "Slice", 3, "axes", LIST, &[I32, I64]),
    (Onnx, "Slice", 4, "steps", LIST, &[I32, I64]),
    (Onnx, "Split", 1, "split", LIST, &[I64]),
    (Onnx, "Gather", 1, "indices", ARRAY, &[I32, I64]),
    (Onnx, "GatherElements", 1, "indices", ARRAY, &[I32, I64]),
    (Onnx, "GatherND", 1, "indices", ARRAY_WITH_AXES, &[I64]),
    (Onnx, "Compress", 1, "condition", ARRAY, &[Bool]),
    (Onnx, "Squeeze", 1, "axes", LIST, &[I64]),
    (Onnx, "Unsqueeze", 1, "axes", SCALAR_OR_LIST, &[I64]),
    (Onnx, "ReverseSequence", 1, "sequence_lens", LIST, &[I64]),
    (LiteRt, "STRIDED_SLICE", 1, "begin", LIST, &[I32]),
    (LiteRt, "STRIDED_SLICE", 2, "end", LIST, &[I32]),
    (LiteRt, "STRIDED_SLICE", 3, "strides", LIST, &[I32]),
    (LiteRt, "SLICE", 1, "begin", LIST, &[I32, I64]),
    (LiteRt, "SLICE", 2, "size", LIST, &[I32, I64]),
    (LiteRt, "GATHER", 1, "positions", ARRAY, &[I16, I32, I64]),
    (LiteRt, "GATHER_ND", 1, "indices", ARRAY_WITH_AXES, &[I16, I32, I64]),
    (LiteRt, "SPLIT_V", 1, "size_splits", LIST, &[I32, I64]),
    (LiteRt, "REVERSE_V2", 1, "axes", LIST, &[I32]),
    (LiteRt, "REVERSE_SEQUENCE", 1, "seq_lengths", LIST, &[I32, I64]),
    (LiteRt, "EXPAND_DIMS", 1, "axis", ONE_NUMBER, &[I32, I64]),
    (TensorFlow, "StridedSlice", 1, "begin", LIST, &[I16, I32, I64]),
    (TensorFlow, "StridedSlice", 2, "end", LIST, &[I16, I32, I64]),
    (TensorFlow, "StridedSlice", 3, "strides", LIST, &[I16, I32, I64]),
    (TensorFlow, "Slice", 1, "begin", LIST, &[I32, I64]),
    (TensorFlow, "Slice", 2, "size", LIST, &[I32, I64]),
    (TensorFlow, "GatherV2", 1, "indices", ARRAY, &[I16, I32, I64]),
    (TensorFlow, "GatherV2", 2, "axis", SCALAR, &[I32, I64]),
    (TensorFlow, "Gather", 1, "indices", ARRAY, &[I32, I64]),
    (TensorFlow, "GatherNd", 1, "indices", ARRAY_WITH_AXES, &[I16, I32, I64]),
    (TensorFlow, "Split", 1, "axis", SCALAR, &[I32]),
    (TensorFlow, "SplitV", 1, "size_splits", LIST, &[I8, I32, I64]),
    (TensorFlow, "SplitV", 2, "axis", SCALAR, &[I32]),
    (TensorFlow, "ReverseV2", 1, "axis", LIST, &[I32, I64]),
    (TensorFlow, "ReverseSequence", 1, "seq_lengths", LIST, &[I32, I64]),
    (TensorFlow, "ExpandDims", 1, "axis", ONE_NUMBER, &[I32, I64]),
    (OpenVino, "StridedSlice", 1, "begin", LIST, &INTEGERS),
    (OpenVino, "StridedSlice", 2, "end", LIST, &INTEGERS),
    (OpenVino, "Slice", 1, "start", LIST, &INTEGERS),
    (OpenVino, "Slice", 2, "stop", LIST, &INTEGERS),
    (OpenVino, "Slice", 3, "step", LIST, &INTEGERS),
    (OpenVino, "Slice", 4, "axes", LIST, &INTEGERS),
    (OpenVino, "GatherND", 1, "indices", ARRAY_WITH_AXES, &INTEGERS),
    (OpenVino, "Gather", 1, "indices", ARRAY, &INTEGERS),
    (OpenVino, "Gather", 2, "axis", SCALAR_OR_ONE, &INTEGERS),
    (OpenVino, "GatherElements", 1, "indices", ARRAY, &[I32, I64]),
    (OpenVino, "Split", 1, "axis", SCALAR, &INTEGERS),
    (OpenVino, "VariadicSplit", 1, "axis", SCALAR_OR_ONE, &INTEGERS),
    (OpenVino, "VariadicSplit", 2, "split_lengths", LIST, &[]),
    (OpenVino, "Reverse", 1, "axes", LIST, &INTEGERS),
    (OpenVino, "ReverseSequence", 1, "seq_lengths", LIST, &INTEGERS),
    (OpenVino, "Squeeze", 1, "axes", SCALAR_OR_LIST, &INTEGERS),
    (OpenVino, "Unsqueeze", 1, "axes", SCALAR_OR_LIST, &INTEGERS),
];

/// The operations whose listed inputs must have the same type and the same length.
const UNIFORM: [&str; 4] = ["Slice", "SLICE", "StridedSlice", "STRIDED_SLICE"];

/// The types of integers.
const INTEGERS: [ElementType; 8] = [I8, I16, I32, I64, U8, U16, U32, U64];

/// Checks the inputs that determine which elements a node selects, as far as they are known. Returns an error if the
/// rank or the type of an input is invalid.
pub(super) fn check(graph: &Graph, node: &Node) -> Result<(), Remark> {
    let is_uniform = UNIFORM.contains(&&node.operation[..]);
    let mut first: Option<(&str, Known)> = None;
    let is_of_node = |operand: &&Operand| (operand.0, operand.1) == (graph.format, &node.operation);
    for (.., at, name, form, types) in OPERANDS.iter().filter(is_of_node) {
        let Some(value) = node.input(*at) else {
            continue;
        };
        let known = Known::of(graph, value);
        let (ranks, is_one, expected) = form;
        let has_rank = known.rank.is_none_or(|rank| ranks.contains(&rank));
        if !has_rank || *is_one && known.count.is_some_and(|count| count != 1) {
            return Err(Remark::invalid(match known.rank {
                Some(rank @ 2..) => format!("`{name}` has {rank} axes, but must be {expected}"),
                Some(1) => format!("`{name}` is a list, but must be {expected}"),
                Some(0) => format!("`{name}` is a scalar, but must be {expected}"),
                _ => format!("`{name}` must be {expected}"),
            }));
        }
        if let Some(element_type) = known.element_type
            && !types.is_empty()
            && !element_type.is_some_and(|element_type| types.contains(&element_type))
        {
            let types: Vec<String> = types.iter().map(ElementType::to_string).collect();
            let types = types.join(" or ");
            let element_type = element_type.map_or_else(String::new, |one| format!(", not {one}"));
            return Err(Remark::invalid(format!(
                "the elements of `{name}` must be {types}{element_type}"
            )));
        }
        let (first_name, first) = first.get_or_insert((name, known));
        // OpenVINO allows different types.
        if is_uniform
            && graph.format != OpenVino
            && let (Some(Some(one)), Some(Some(other))) = (first.element_type, known.element_type)
            && one != other
        {
            return Err(Remark::invalid(format!(
                "the elements of `{first_name}` are {one}, but the elements of `{name}` are {other}"
            )));
        }
        if is_uniform
            && let (Some(one), Some(other)) = (first.count, known.count)
            && one != other
        {
            return Err(Remark::invalid(format!(
                "`{first_name}` has {one} elements, but `{name}` has {other}"
            )));
        }
    }
    Ok(())
}

/// The known properties of an input.
#[derive(Clone, Copy)]
struct Known {
    rank: Option<usize>,
    /// The number of elements.
    count: Option<usize>,
    /// The type of the elements. A type whose elements are not kept is `Some(None)`.
    element_type: Option<Option<ElementType>>,
}

impl Known {
    fn of(graph: &Graph, value: ValueId) -> Self {
        let value = &graph.values[value];
        let constant = value.constant.as_ref();
        let shape = value.shape.as_deref();
        let lengths = shape.and_then(number::known);
        let count = lengths.and_then(|lengths| number::element_count(&lengths));
        Known {
            rank: constant
                .map(|one| one.shape.len())
                .or(shape.map(<[Dim]>::len)),
            count: constant.map(|one| one.elements.len()).or(count),
            element_type: constant
                .map(|one| Some(one.element_type))
                .or(value.element_type),
        }
    }
}
