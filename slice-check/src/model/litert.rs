//! Reads LiteRT models, which are `.tflite` files. The field and operator numbers are those in `schema.fbs`.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::array::Constant;
use super::element_type::ElementType;
use super::flat::Table;
use super::kind::{Argument, Kind, Select, Strided};
use super::number::{Dim, MAX_AXES, MAX_ELEMENTS, Number, element_count};
use super::{Budget, Format, Graph, ModelError, Node, Scope, ValueId, operators, tensorflow};
use crate::model::steps::HashMap;

/// The maximum number of inputs, and of outputs, read from an operator; any others are ignored.
const MAX_OPERANDS: usize = 100_000;

/// The maximum number of signatures among which the one of the main graph is searched.
const MAX_SIGNATURES: usize = 1000;

/// The maximum length of a tensor's name in bytes. Longer names are shortened, because many tensors may share a name in
/// the file.
const MAX_NAME_BYTES: usize = 200;

/// The names of the relevant operators, by their numbers in `BuiltinOperator`.
const OPERATOR_NAMES: [(i64, &str); 77] = [
    (0, "ADD"),
    (2, "CONCATENATION"),
    (3, "CONV_2D"),
    (4, "DEPTHWISE_CONV_2D"),
    (6, "DEQUANTIZE"),
    (7, "EMBEDDING_LOOKUP"),
    (8, "FLOOR"),
    (9, "FULLY_CONNECTED"),
    (14, "LOGISTIC"),
    (18, "MUL"),
    (19, "RELU"),
    (21, "RELU6"),
    (22, "RESHAPE"),
    (25, "SOFTMAX"),
    (28, "TANH"),
    (36, "GATHER"),
    (39, "TRANSPOSE"),
    (40, "MEAN"),
    (41, "SUB"),
    (42, "DIV"),
    (43, "SQUEEZE"),
    (45, "STRIDED_SLICE"),
    (47, "EXP"),
    (49, "SPLIT"),
    (53, "CAST"),
    (55, "MAXIMUM"),
    (57, "MINIMUM"),
    (58, "LESS"),
    (59, "NEG"),
    (61, "GREATER"),
    (62, "GREATER_EQUAL"),
    (63, "LESS_EQUAL"),
    (64, "SELECT"),
    (65, "SLICE"),
    (69, "TILE"),
    (70, "EXPAND_DIMS"),
    (71, "EQUAL"),
    (72, "NOT_EQUAL"),
    (74, "SUM"),
    (75, "SQRT"),
    (76, "RSQRT"),
    (77, "SHAPE"),
    (78, "POW"),
    (81, "REDUCE_PROD"),
    (82, "REDUCE_MAX"),
    (83, "PACK"),
    (84, "LOGICAL_OR"),
    (86, "LOGICAL_AND"),
    (87, "LOGICAL_NOT"),
    (88, "UNPACK"),
    (89, "REDUCE_MIN"),
    (90, "FLOOR_DIV"),
    (91, "REDUCE_ANY"),
    (94, "FILL"),
    (95, "FLOOR_MOD"),
    (96, "RANGE"),
    (98, "LEAKY_RELU"),
    (101, "ABS"),
    (102, "SPLIT_V"),
    (104, "CEIL"),
    (105, "REVERSE_V2"),
    (107, "GATHER_ND"),
    (110, "RANK"),
    (112, "REVERSE_SEQUENCE"),
    (114, "QUANTIZE"),
    (116, "ROUND"),
    (123, "SELECT_V2"),
    (126, "BATCH_MATMUL"),
    (128, "CUMSUM"),
    (130, "BROADCAST_TO"),
    (140, "REDUCE_ALL"),
    (158, "SIGN"),
    (160, "BITWISE_XOR"),
    (161, "RIGHT_SHIFT"),
    (172, "STABLEHLO_SLICE"),
    (193, "STABLEHLO_DYNAMIC_SLICE"),
    (201, "STABLEHLO_GATHER"),
];

/// Returns whether the bytes contain the file identifier of LiteRT models.
pub fn recognizes(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(b"TFL3")
}

/// Reads a model. Returns an error if the bytes are not a model, or the model exceeds a limit.
pub fn read(bytes: &[u8]) -> Result<Graph, ModelError> {
    let model = Table::root(bytes)?;
    let about = format!("LiteRT, format version {}", model.int(0)?);
    let mut graph = Graph::new(about, Format::LiteRt, bytes.len());
    let codes = model.vector(1, 4)?;
    let graphs = model.vector(2, 4)?;
    let mut constants = Constants::default();
    // The first graph is the main graph. The others are called by operators, which refer to them by their numbers.
    for number in 0..graphs.len {
        let scope = if number == 0 {
            Scope::default()
        } else {
            Scope::default().nested(graph.name(&format!("graph {number}"))?)
        };
        let subgraph = graphs.table(number)?;
        let values = tensors(&mut graph, &model, &subgraph, &mut constants)?;
        if number == 0 {
            let mut outputs = subgraph.ints(2, MAX_OPERANDS)?;
            let positions = signature_outputs(&mut graph.budget, &model)?;
            outputs.sort_by(|one, other| positions.get(one).cmp(&positions.get(other)));
            for output in outputs {
                if let Some(value) = tensor_value(&values, output) {
                    graph.add_output(value);
                }
            }
        }
        let operators = subgraph.vector(3, 4)?;
        for operator in 0..operators.len {
            let operator = operators.table(operator)?;
            let code = codes.table(usize::try_from(operator.int(0)?).unwrap_or(usize::MAX))?;
            // Field 3 extends field 0, which has only one byte. Old files contain only field 0, so the greater of the
            // two numbers applies.
            let builtin = code.byte(0)?.max(code.int(3)?);
            let mut operands = |field| -> Result<Vec<Option<ValueId>>, ModelError> {
                let operands = operator.ints(field, MAX_OPERANDS)?;
                graph.budget.take_elements::<i64>(operands.len())?;
                Ok(operands
                    .into_iter()
                    .map(|operand| tensor_value(&values, operand))
                    .collect())
            };
            let (inputs, outputs) = (operands(1)?, operands(2)?);
            let name = OPERATOR_NAMES.iter().find(|(number, _)| *number == builtin);
            let name = name.map_or_else(
                || format!("operator {builtin}"),
                |(_, name)| (*name).to_owned(),
            );
            let output_type = match operator.ints(2, 1)?.first() {
                Some(&tensor) => tensor_type(subgraph, tensor)?,
                None => None,
            };
            let output_type = (output_type, outputs.len());
            let (kind, inputs) = kind(&graph, &name, operator, inputs, output_type)?;
            let (name, operation) = (graph.name("")?, graph.name(&name)?);
            graph.add_node(Node {
                name,
                operation,
                at: operator.at,
                scope: scope.clone(),
                inputs,
                outputs,
                kind,
            })?;
        }
    }
    Ok(graph)
}

/// Returns the position of each output of the first signature of the main graph. The converters name the outputs of a
/// function by their positions, but the main graph contains them in another order.
fn signature_outputs(
    budget: &mut Budget,
    model: &Table<'_>,
) -> Result<HashMap<i64, (String, u64)>, ModelError> {
    let signatures = model.vector(7, 4)?;
    let mut positions = HashMap::default();
    for signature in 0..signatures.len.min(MAX_SIGNATURES) {
        let signature = signatures.table(signature)?;
        if signature.int(4)? != 0 || !positions.is_empty() {
            continue;
        }
        let tensors = signature.vector(1, 4)?;
        for tensor in 0..tensors.len.min(MAX_OPERANDS) {
            let tensor = tensors.table(tensor)?;
            let name = tensor.text(0, MAX_NAME_BYTES)?;
            let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let number = name[prefix.len()..].parse().unwrap_or(0);
            budget.take(2 * size_of::<(i64, (String, u64))>() + prefix.len())?;
            positions.insert(tensor.int(1)?, (prefix.to_owned(), number));
        }
    }
    Ok(positions)
}

/// Returns the value of the tensor with the number `tensor`, or `None` for -1, which represents an omitted tensor.
fn tensor_value(values: &[ValueId], tensor: i64) -> Option<ValueId> {
    values.get(usize::try_from(tensor).ok()?).copied()
}

/// The elements of constants, by the number of their buffer and the code of their type. Tensors may share a buffer.
type Constants = HashMap<(usize, i64), Arc<[Number]>>;

fn tensors(
    graph: &mut Graph,
    model: &Table<'_>,
    subgraph: &Table<'_>,
    constants: &mut Constants,
) -> Result<Vec<ValueId>, ModelError> {
    let tensors = subgraph.vector(0, 4)?;
    let mut values = Vec::new();
    for tensor in 0..tensors.len {
        let tensor = tensors.table(tensor)?;
        let value = graph.add_value(tensor.text(3, MAX_NAME_BYTES)?)?;
        values.push(value);
        // A length of -1 in the shape signature represents a length that is known only at run time.
        let lengths = tensor.ints(0, MAX_AXES + 1)?;
        let signature = tensor.ints(7, MAX_AXES + 1)?;
        let dims = match signature.len() == lengths.len() {
            true => &signature,
            false => &lengths,
        };
        // An empty shape belongs to a scalar, or to a tensor of unknown shape.
        let is_known = !lengths.is_empty() || tensor.byte(8)? != 0 || tensor.has_field(0)?;
        let dim = |&length: &i64| usize::try_from(length).map_or(Dim::Unknown, Dim::Known);
        if is_known && dims.len() <= MAX_AXES {
            graph.declare_shape(value, Some(dims.iter().map(dim).collect::<Arc<[Dim]>>()))?;
        }
        graph.values[value].element_type =
            Some(ElementType::with_code(Format::LiteRt, tensor.byte(1)?));
        let buffers = model.vector(4, 4)?;
        let buffer = usize::try_from(tensor.int(2)?).unwrap_or(usize::MAX);
        let data: &[u8] = match buffer {
            1.. if buffer < buffers.len => buffers.table(buffer)?.vector(0, 1)?.bytes(),
            _ => &[],
        };
        // An array without elements has no data. Without data, any other array is known only at run time.
        if data.is_empty() && (lengths != [0] || signature == [-1]) {
            continue;
        }
        graph.values[value].is_constant = true;
        let code = tensor.byte(1)?;
        let shape = lengths.iter().map(|&length| usize::try_from(length).ok());
        let shape: Option<Vec<usize>> = shape.collect();
        let (Some(shape), Some(element_type)) = (shape, element_type(code)) else {
            continue;
        };
        let size = element_type.size();
        let fits = element_count(&shape) == Some(data.len() / size);
        if !fits || data.len() > size * MAX_ELEMENTS {
            continue;
        }
        let elements = match constants.entry((buffer, code)) {
            Entry::Occupied(entry) => entry.get().clone(),
            Entry::Vacant(entry) => {
                graph.budget.take_elements::<Number>(data.len() / size)?;
                let Some(elements) = element_type.decode(data) else {
                    continue;
                };
                entry.insert(elements.into()).clone()
            }
        };
        graph.values[value].constant = Constant::new(element_type, shape, elements);
    }
    Ok(values)
}

/// Returns the type of the tensor with the number `tensor`, if its elements are kept.
fn tensor_type(subgraph: Table<'_>, tensor: i64) -> Result<Option<ElementType>, ModelError> {
    let tensors = subgraph.vector(0, 4)?;
    match usize::try_from(tensor) {
        Ok(tensor) if tensor < tensors.len => Ok(element_type(tensors.table(tensor)?.byte(1)?)),
        _ => Ok(None),
    }
}

/// Returns the type with a code in `TensorType`. Returns `None` if elements of the type are not kept. Types of less than
/// 32 bits are quantized.
fn element_type(code: i64) -> Option<ElementType> {
    let is_quantized = |one: &ElementType| matches!(one, ElementType::I8 | ElementType::I16);
    ElementType::with_code(Format::LiteRt, code).filter(|one| !is_quantized(one))
}

type KindAndInputs = (Kind, Vec<Option<ValueId>>);

/// Returns the kind of an operator, and its inputs with the sliced array first.
fn kind(
    graph: &Graph,
    name: &str,
    operator: Table<'_>,
    mut inputs: Vec<Option<ValueId>>,
    (output_type, outputs): (Option<ElementType>, usize),
) -> Result<KindAndInputs, ModelError> {
    let options = operator.table(4)?;
    let int = |field: usize| options.map_or(Ok(0), |options| options.int(field));
    let byte = |field: usize| options.map_or(Ok(0), |options| options.byte(field));
    let given = |axis: i64| Argument::Given([axis].into());
    // The first input of `SPLIT` is the axis, and the first input of `FILL` is the shape.
    if ["SPLIT", "FILL"].contains(&name) && inputs.len() > 1 {
        inputs.swap(0, 1);
    }
    let kind = match name {
        "STRIDED_SLICE" => Kind::strided(Strided::LiteRt {
            masks: [int(0)?, int(1)?, int(2)?, int(3)?, int(4)?],
            offset: byte(5)? != 0,
        }),
        "GATHER" => Kind::gather(given(int(0)?), int(1)?),
        "EMBEDDING_LOOKUP" => Kind::not_examined("it is not a slice along one axis"),
        "STABLEHLO_SLICE" | "STABLEHLO_DYNAMIC_SLICE" | "STABLEHLO_GATHER" => {
            Kind::not_examined("operators of StableHLO are not examined")
        }
        "SPLIT" | "SPLIT_V" | "UNPACK" if usize::try_from(int(0)?) != Ok(outputs) => {
            let declared = int(0)?;
            let message = format!("the operation declares {declared} outputs, but has {outputs}");
            Kind::select(Select::Invalid(message))
        }
        "SQUEEZE" => {
            let axes = options.map_or(Ok(Vec::new()), |options| options.ints(0, MAX_AXES))?;
            let axes = (!axes.is_empty()).then_some(axes);
            Kind::select(Select::Squeeze { axes: axes.into() })
        }
        "CONCATENATION" => Kind::Concat {
            axis: given(int(0)?),
        },
        "TRANSPOSE" => operators::transposition(graph, &inputs),
        // The elements are changed by the activation function.
        "ADD" | "SUB" | "MUL" | "DIV" if byte(0)? != 0 => Kind::Broadcasting,
        "DEQUANTIZE" | "LEAKY_RELU" | "LOGISTIC" | "QUANTIZE" => Kind::Elementwise,
        name => {
            let attribute = |attribute: &str| match attribute {
                "exclusive" | "keep_dims" => byte(0),
                "reverse" => byte(1),
                "seq_dim" => int(0),
                "axis" | "batch_dim" => int(1),
                _ => Ok(0),
            };
            tensorflow::kind_of_name(&tensorflow_name(name), output_type, attribute)?
        }
    };
    Ok((kind, inputs))
}

/// Returns TensorFlow's name of an operator, such as `SplitV` for `SPLIT_V`, and `Max` for `REDUCE_MAX`.
fn tensorflow_name(name: &str) -> String {
    let words = name.split('_').filter(|&word| word != "REDUCE");
    let capitalized = words.map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_owned() + &rest.to_ascii_lowercase()
    });
    capitalized.collect()
}
