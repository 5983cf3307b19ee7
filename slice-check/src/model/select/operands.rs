//! Checks the ranks and the element types of the inputs that determine a selection.

use crate::model::element_type::ElementType::{self, Bool, I8, I16, I32, I64, U8, U16, U32, U64};
use crate::model::number::Dim;
use crate::model::{Graph, Node, ValueId, number};

/// The form of an input.
#[derive(Clone, Copy)]
enum Form {
    Scalar,
    List,
    ScalarOrList,
    /// An array with any number of axes.
    Array,
    /// An array with at least one axis.
    ArrayWithAxes,
    /// An array with one element.
    OneNumber,
    /// A scalar, or a list with one element.
    ScalarOrOne,
}

use Form::{Array, ArrayWithAxes, List, OneNumber, Scalar, ScalarOrList, ScalarOrOne};

impl Form {
    /// Returns whether an input has this form, and a phrase that describes the form.
    fn check(self, known: &Known) -> (bool, &'static str) {
        let has_rank = |is_valid: fn(usize) -> bool| known.rank.is_none_or(is_valid);
        match self {
            Scalar => (has_rank(|rank| rank == 0), "a scalar"),
            List => (has_rank(|rank| rank == 1), "a list"),
            ScalarOrList => (has_rank(|rank| rank <= 1), "a scalar or a list"),
            Array => (true, "an array"),
            ArrayWithAxes => (has_rank(|rank| rank > 0), "an array with at least one axis"),
            ScalarOrOne => (
                has_rank(|rank| rank <= 1) && known.count.is_none_or(|count| count == 1),
                "one number",
            ),
            OneNumber => (known.count.is_none_or(|count| count == 1), "one number"),
        }
    }
}

/// An input of an operation: its index, its name, its form, and the types that its elements may have. An empty list
/// stands for every type.
type Operand = (usize, &'static str, Form, &'static [ElementType]);

/// Returns the inputs of an operation that determine which elements it selects. Returns `true` if all of them must have
/// the same type and the same length.
fn operands(system: &str, operation: &str) -> (bool, &'static [Operand]) {
    match (system, operation) {
        ("onnx", "Slice") => (
            true,
            &[
                (1, "starts", List, &[I32, I64]),
                (2, "ends", List, &[I32, I64]),
                (3, "axes", List, &[I32, I64]),
                (4, "steps", List, &[I32, I64]),
            ],
        ),
        ("onnx", "Split") => (false, &[(1, "split", List, &[I64])]),
        ("onnx", "Gather" | "GatherElements") => (false, &[(1, "indices", Array, &[I32, I64])]),
        ("onnx", "GatherND") => (false, &[(1, "indices", ArrayWithAxes, &[I64])]),
        ("onnx", "Compress") => (false, &[(1, "condition", Array, &[Bool])]),
        ("onnx", "Squeeze") => (false, &[(1, "axes", List, &[I64])]),
        ("onnx", "Unsqueeze") => (false, &[(1, "axes", ScalarOrList, &[I64])]),
        ("onnx", "ReverseSequence") => (false, &[(1, "sequence_lens", List, &[I64])]),
        ("litert", "STRIDED_SLICE") => (
            true,
            &[
                (1, "begin", List, &[I32]),
                (2, "end", List, &[I32]),
                (3, "strides", List, &[I32]),
            ],
        ),
        ("litert", "SLICE") => (
            true,
            &[
                (1, "begin", List, &[I32, I64]),
                (2, "size", List, &[I32, I64]),
            ],
        ),
        ("litert", "GATHER") => (false, &[(1, "positions", Array, &[I16, I32, I64])]),
        ("litert", "GATHER_ND") => (false, &[(1, "indices", ArrayWithAxes, &[I16, I32, I64])]),
        ("litert", "SPLIT_V") => (false, &[(1, "size_splits", List, &[I32, I64])]),
        ("litert", "REVERSE_V2") => (false, &[(1, "axes", List, &[I32])]),
        ("litert", "REVERSE_SEQUENCE") => (false, &[(1, "seq_lengths", List, &[I32, I64])]),
        ("litert", "EXPAND_DIMS") => (false, &[(1, "axis", OneNumber, &[I32, I64])]),
        ("tensorflow", "StridedSlice") => (
            true,
            &[
                (1, "begin", List, &[I16, I32, I64]),
                (2, "end", List, &[I16, I32, I64]),
                (3, "strides", List, &[I16, I32, I64]),
            ],
        ),
        ("tensorflow", "Slice") => (
            true,
            &[
                (1, "begin", List, &[I32, I64]),
                (2, "size", List, &[I32, I64]),
            ],
        ),
        ("tensorflow", "GatherV2") => (
            false,
            &[
                (1, "indices", Array, &[I16, I32, I64]),
                (2, "axis", Scalar, &[I32, I64]),
            ],
        ),
        ("tensorflow", "Gather") => (false, &[(1, "indices", Array, &[I32, I64])]),
        ("tensorflow", "GatherNd") => (false, &[(1, "indices", ArrayWithAxes, &[I16, I32, I64])]),
        ("tensorflow", "Split") => (false, &[(1, "axis", Scalar, &[I32])]),
        ("tensorflow", "SplitV") => (
            false,
            &[
                (1, "size_splits", List, &[I8, I32, I64]),
                (2, "axis", Scalar, &[I32]),
            ],
        ),
        ("tensorflow", "ReverseV2") => (false, &[(1, "axis", List, &[I32, I64])]),
        ("tensorflow", "ReverseSequence") => (false, &[(1, "seq_lengths", List, &[I32, I64])]),
        ("tensorflow", "ExpandDims") => (false, &[(1, "axis", OneNumber, &[I32, I64])]),
        ("openvino", "StridedSlice") => (
            true,
            &[(1, "begin", List, &INTEGERS), (2, "end", List, &INTEGERS)],
        ),
        ("openvino", "Slice") => (
            true,
            &[
                (1, "start", List, &INTEGERS),
                (2, "stop", List, &INTEGERS),
                (3, "step", List, &INTEGERS),
                (4, "axes", List, &INTEGERS),
            ],
        ),
        ("openvino", "GatherND") => (false, &[(1, "indices", ArrayWithAxes, &INTEGERS)]),
        ("openvino", "Gather") => (
            false,
            &[
                (1, "indices", Array, &INTEGERS),
                (2, "axis", ScalarOrOne, &INTEGERS),
            ],
        ),
        ("openvino", "GatherElements") => (false, &[(1, "indices", Array, &[I32, I64])]),
        ("openvino", "Split") => (false, &[(1, "axis", Scalar, &INTEGERS)]),
        ("openvino", "VariadicSplit") => (
            false,
            &[
                (1, "axis", ScalarOrOne, &INTEGERS),
                (2, "split_lengths", List, &[]),
            ],
        ),
        ("openvino", "Reverse") => (false, &[(1, "axes", List, &INTEGERS)]),
        ("openvino", "ReverseSequence") => (false, &[(1, "seq_lengths", List, &INTEGERS)]),
        ("openvino", "Squeeze" | "Unsqueeze") => (false, &[(1, "axes", ScalarOrList, &INTEGERS)]),
        _ => (false, &[]),
    }
}

/// The types of integers.
const INTEGERS: [ElementType; 8] = [I8, I16, I32, I64, U8, U16, U32, U64];

/// Checks the inputs that determine which elements a node selects, as far as they are known.
///
/// # Errors
///
/// Returns an error if the rank or the type of an input is invalid.
pub(super) fn check(graph: &Graph, node: &Node) -> Result<(), String> {
    let (is_uniform, operands) = operands(graph.system, &node.operation);
    let mut first: Option<(&str, Known)> = None;
    for (at, name, form, types) in operands {
        let Some(value) = node.inputs.get(*at).copied().flatten() else {
            continue;
        };
        let known = Known::of(graph, value);
        if let (false, expected) = form.check(&known) {
            return Err(match known.rank {
                Some(rank @ 2..) => format!("`{name}` has {rank} axes, but must be {expected}"),
                Some(1) => format!("`{name}` is a list, but must be {expected}"),
                Some(0) => format!("`{name}` is a scalar, but must be {expected}"),
                _ => format!("`{name}` must be {expected}"),
            });
        }
        if let Some(element_type) = known.element_type
            && !types.is_empty()
            && !element_type.is_some_and(|element_type| types.contains(&element_type))
        {
            let types: Vec<String> = types.iter().map(ElementType::to_string).collect();
            let types = types.join(" or ");
            let element_type = element_type.map_or_else(String::new, |one| format!(", not {one}"));
            return Err(format!(
                "the elements of `{name}` must be {types}{element_type}"
            ));
        }
        let (first_name, first) = first.get_or_insert((name, known));
        // OpenVINO allows different types.
        if is_uniform
            && graph.system != "openvino"
            && let (Some(Some(one)), Some(Some(other))) = (first.element_type, known.element_type)
            && one != other
        {
            return Err(format!(
                "the elements of `{first_name}` are {one}, but the elements of `{name}` are {other}"
            ));
        }
        if is_uniform
            && let (Some(one), Some(other)) = (first.count, known.count)
            && one != other
        {
            return Err(format!(
                "`{first_name}` has {one} elements, but `{name}` has {other}"
            ));
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
