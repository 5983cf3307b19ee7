//! Reads LiteRT models, which are `.tflite` files. The field and operator numbers are those in `schema.fbs`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::flat::Table;
use super::kind::{Argument, Arithmetic, Kind, Select, Strided, WITH_BATCH_AXES};
use super::number::{Constant, Dim, MAX_AXES, MAX_ELEMENTS, Number};
use super::{Graph, ModelError, Node, Scope, Unit, ValueId};

/// The maximum number of inputs, and of outputs, read from an operator; any others are ignored.
const MAX_OPERANDS: usize = 100_000;

/// The maximum length of a tensor's name in bytes. Longer names are shortened, because many tensors may share a name in
/// the file.
const MAX_NAME_BYTES: usize = 200;

/// The code of 32-bit integers in `TensorType`.
const INT32: i64 = 2;
/// The code of 64-bit integers in `TensorType`.
const INT64: i64 = 4;

/// The names of the relevant operators, by their numbers in `BuiltinOperator`.
const OPERATOR_NAMES: [(i64, &str); 42] = [
    (0, "ADD"),
    (2, "CONCATENATION"),
    (6, "DEQUANTIZE"),
    (7, "EMBEDDING_LOOKUP"),
    (14, "LOGISTIC"),
    (18, "MUL"),
    (19, "RELU"),
    (21, "RELU6"),
    (22, "RESHAPE"),
    (25, "SOFTMAX"),
    (28, "TANH"),
    (36, "GATHER"),
    (39, "TRANSPOSE"),
    (41, "SUB"),
    (42, "DIV"),
    (43, "SQUEEZE"),
    (45, "STRIDED_SLICE"),
    (47, "EXP"),
    (49, "SPLIT"),
    (53, "CAST"),
    (55, "MAXIMUM"),
    (57, "MINIMUM"),
    (59, "NEG"),
    (65, "SLICE"),
    (70, "EXPAND_DIMS"),
    (75, "SQRT"),
    (76, "RSQRT"),
    (77, "SHAPE"),
    (83, "PACK"),
    (88, "UNPACK"),
    (90, "FLOOR_DIV"),
    (98, "LEAKY_RELU"),
    (101, "ABS"),
    (102, "SPLIT_V"),
    (95, "FLOOR_MOD"),
    (105, "REVERSE_V2"),
    (107, "GATHER_ND"),
    (112, "REVERSE_SEQUENCE"),
    (114, "QUANTIZE"),
    (172, "STABLEHLO_SLICE"),
    (193, "STABLEHLO_DYNAMIC_SLICE"),
    (201, "STABLEHLO_GATHER"),
];

/// Returns whether the bytes contain the file identifier of LiteRT models.
pub fn recognizes(bytes: &[u8]) -> bool {
    bytes.get(4..8) == Some(b"TFL3")
}

/// Reads a model.
///
/// # Errors
///
/// Returns an error if the bytes are not a model, or the model exceeds a limit.
pub fn read(bytes: &[u8]) -> Result<Graph, ModelError> {
    let model = Table::root(bytes)?;
    let about = format!("LiteRT, format version {}", model.int(0)?);
    let mut graph = Graph::new(about, "litert", Unit::Byte, bytes.len());
    let codes = model.vector(1, 4)?;
    let graphs = model.vector(2, 4)?;
    let mut constants = Constants::new();
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
            for output in subgraph.ints(2, MAX_OPERANDS)? {
                if let Some(value) = tensor_value(&values, output) {
                    graph.values[value].is_output = true;
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
            let (kind, inputs) = kind(&graph, &name, operator, inputs)?;
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
            graph.set_shape(value, Some(dims.iter().map(dim).collect::<Arc<[Dim]>>()))?;
            graph.values[value].is_declared = true;
        }
        let buffers = model.vector(4, 4)?;
        let buffer = usize::try_from(tensor.int(2)?).unwrap_or(usize::MAX);
        if buffer == 0 || buffer >= buffers.len {
            continue;
        }
        let data = buffers.table(buffer)?.vector(0, 1)?.bytes(1)?;
        if data.is_empty() {
            continue;
        }
        graph.values[value].is_constant = true;
        let element_type = tensor.byte(1)?;
        let size = match element_type {
            INT32 => 4,
            INT64 => 8,
            _ => continue,
        };
        let len = lengths
            .iter()
            .try_fold(1_i64, |len, &length| len.checked_mul(length));
        let fits = len.and_then(|len| usize::try_from(len).ok()) == Some(data.len() / size);
        if !fits || lengths.len() > 1 || data.len() > size * MAX_ELEMENTS {
            continue;
        }
        let elements = match constants.entry((buffer, element_type)) {
            Entry::Occupied(entry) => entry.get().clone(),
            Entry::Vacant(entry) => {
                graph.budget.take_elements::<Number>(data.len() / size)?;
                let number = |bytes: &[u8]| match bytes.try_into() {
                    Ok(bytes) => i64::from_le_bytes(bytes),
                    Err(_) => bytes.try_into().map_or(0, i32::from_le_bytes).into(),
                };
                let numbers = data.chunks_exact(size).map(number);
                entry.insert(numbers.map(Number::Known).collect()).clone()
            }
        };
        let rank = lengths.len();
        graph.values[value].constant = Some(Constant { elements, rank });
    }
    Ok(values)
}

type KindAndInputs = (Kind, Vec<Option<ValueId>>);

/// Returns the kind of an operator, and its inputs with the sliced array first.
fn kind(
    graph: &Graph,
    name: &str,
    operator: Table<'_>,
    mut inputs: Vec<Option<ValueId>>,
) -> Result<KindAndInputs, ModelError> {
    let options = operator.table(4)?;
    let int = |field: usize| options.map_or(Ok(0), |options| options.int(field));
    let given = |axis: i64| Argument::Given([axis].into());
    let kind = match name {
        "STRIDED_SLICE" => {
            let offset = options.map_or(Ok(0), |options| options.byte(5))? != 0;
            Kind::select(Select::Strided {
                begin: Argument::Input(1),
                end: Argument::Input(2),
                strides: Argument::Input(3),
                system: Strided::LiteRt {
                    masks: [int(0)?, int(1)?, int(2)?, int(3)?, int(4)?],
                    offset,
                },
            })
        }
        "SLICE" => Kind::select(Select::Sizes {
            begin: Argument::Input(1),
            size: Argument::Input(2),
        }),
        "GATHER" if int(1)? == 0 => Kind::select(Select::Gather {
            axis: given(int(0)?),
            indices: Argument::Input(1),
        }),
        "GATHER" => Kind::not_examined(WITH_BATCH_AXES),
        "GATHER_ND" | "EMBEDDING_LOOKUP" => Kind::not_examined("it is not a slice along one axis"),
        "STABLEHLO_SLICE" | "STABLEHLO_DYNAMIC_SLICE" | "STABLEHLO_GATHER" => {
            Kind::not_examined("operators of StableHLO are not examined")
        }
        "SPLIT" => {
            if inputs.len() > 1 {
                inputs.swap(0, 1);
            }
            Kind::select(Select::Split {
                axis: Argument::Input(1),
                lengths: Argument::Absent,
            })
        }
        "SPLIT_V" => Kind::select(Select::Split {
            axis: Argument::Input(2),
            lengths: Argument::Input(1),
        }),
        "UNPACK" => Kind::select(Select::Unpack {
            axis: given(int(1)?),
        }),
        "REVERSE_V2" => Kind::select(Select::Reverse {
            axes: Argument::Input(1),
        }),
        "SQUEEZE" => {
            let axes = options.map_or(Ok(Vec::new()), |options| options.ints(0, MAX_AXES))?;
            let axes = (!axes.is_empty()).then_some(axes);
            Kind::select(Select::Squeeze { axes: axes.into() })
        }
        "EXPAND_DIMS" => Kind::select(Select::Unsqueeze {
            axes: Argument::Input(1),
        }),
        "SHAPE" => Kind::Shape {
            start: 0,
            end: None,
        },
        "CONCATENATION" => Kind::Concat { axis: int(0)? },
        "PACK" => Kind::Pack { axis: int(1)? },
        "CAST" => Kind::Identity,
        "RESHAPE" => Kind::Reshape,
        "TRANSPOSE" => {
            let order = inputs
                .get(1)
                .copied()
                .flatten()
                .and_then(|value| graph.values[value].constant.as_ref());
            order
                .and_then(Constant::known)
                .map_or(Kind::Other, |order| Kind::Transpose(Some(order.into())))
        }
        "ADD" => Kind::Arithmetic(Arithmetic::Add),
        "SUB" => Kind::Arithmetic(Arithmetic::Subtract),
        "MUL" => Kind::Arithmetic(Arithmetic::Multiply),
        "DIV" => Kind::Arithmetic(Arithmetic::Divide),
        "FLOOR_DIV" => Kind::Arithmetic(Arithmetic::FloorDivide),
        "FLOOR_MOD" => Kind::Arithmetic(Arithmetic::FloorRemainder),
        "REVERSE_SEQUENCE" => Kind::select(Select::ReverseFirst {
            axis: int(0)?,
            lengths: Argument::Input(1),
        }),
        "MAXIMUM" => Kind::Arithmetic(Arithmetic::Maximum),
        "MINIMUM" => Kind::Arithmetic(Arithmetic::Minimum),
        name if name.starts_with("operator") => Kind::Other,
        _ => Kind::Elementwise,
    };
    Ok((kind, inputs))
}
