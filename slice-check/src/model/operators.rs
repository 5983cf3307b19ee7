//! Lists the operations that compute elements, with their names in each format. The readers of the formats add the
//! operations whose meaning depends on attributes.

use super::arithmetic::{Arithmetic, Unary};
use super::array::Constant;
use super::kind::{Argument, Kind, Reduction};
use super::{Format, Graph, ModelError, ValueId};

/// Returns the column of a format in the tables.
fn column(format: Format) -> usize {
    match format {
        Format::Onnx => 0,
        Format::TensorFlow | Format::LiteRt => 1,
        Format::OpenVino => 2,
        Format::StableHlo => 3,
        Format::Torch => 4,
    }
}

/// The operators of ONNX whose first output has the shape of the first input.
const ELEMENTWISE: &str = "Acos Acosh Asin Asinh Atan Atanh BatchNormalization Bernoulli Celu Cos Cosh DequantizeLinear Dropout Elu Erf \
    Exp EyeLike Gelu GroupNormalization HardSigmoid HardSwish Hardmax InstanceNormalization IsInf IsNaN LRN \
    LayerNormalization LeakyRelu Log LogSoftmax LpNormalization MeanVarianceNormalization Mish PRelu \
    QuantizeLinear RMSNormalization RandomNormalLike RandomUniformLike Reciprocal Relu RotaryEmbedding Selu \
    Shrink Sigmoid Sin Sinh Softmax Softplus Softsign Swish Tan Tanh TensorScatter ThresholdedRelu";

/// The operations whose kinds have no arguments.
#[rustfmt::skip]
static PLAIN: [(Kind, [&str; 5]); 11] = [
    (Kind::Identity, ["Identity", "Const Identity", "", "", ""]),
    (Kind::CastLike, ["CastLike", "", "ConvertLike", "", ""]),
    (Kind::Reshaped, ["", "", "", "reshape", ""]),
    (Kind::Broadcast, ["", "", "Broadcast", "broadcast_in_dim", ""]),
    (Kind::Expand, ["Expand", "Fill BroadcastTo", "", "", ""]),
    (Kind::Choose, ["Where", "SelectV2", "Select", "select", ""]),
    (Kind::Tile, ["Tile", "Tile", "Tile", "", ""]),
    (Kind::Range, ["Range", "Range", "Range", "", ""]),
    (Kind::NonZero, ["NonZero", "", "", "", ""]),
    (Kind::Broadcasting, ["Sum Mean", "", "", "", ""]),
    (Kind::Elementwise, [ELEMENTWISE, "Relu Relu6 Sigmoid Tanh Softmax Exp Rsqrt", "", "", ""]),
];

#[rustfmt::skip]
const UNARY: [(Unary, [&str; 5]); 9] = [
    (Unary::Negate, ["Neg", "Neg", "Negative", "negate", "_operator.neg"]),
    (Unary::Absolute, ["Abs", "Abs", "Abs", "abs", ""]),
    (Unary::Sign, ["Sign", "Sign", "Sign", "sign", ""]),
    (Unary::Not, ["Not", "LogicalNot", "LogicalNot", "", ""]),
    (Unary::BitNot, ["BitwiseNot", "Invert", "BitwiseNot", "not", ""]),
    (Unary::Floor, ["Floor", "Floor", "Floor", "floor", ""]),
    (Unary::Ceil, ["Ceil", "Ceil", "Ceiling", "ceil", ""]),
    (Unary::Round, ["Round", "Round Rint", "", "round_nearest_even", ""]),
    (Unary::SquareRoot, ["Sqrt", "Sqrt", "Sqrt", "sqrt", ""]),
];

#[rustfmt::skip]
const ARITHMETIC: [(Arithmetic, [&str; 5]); 21] = [
    (Arithmetic::Add, ["Add", "Add AddV2", "Add", "add", "_operator.add"]),
    (Arithmetic::Subtract, ["Sub", "Sub", "Subtract", "subtract", "_operator.sub"]),
    (Arithmetic::Multiply, ["Mul", "Mul", "Multiply", "multiply", "_operator.mul"]),
    (Arithmetic::Divide, ["Div", "Div RealDiv TruncateDiv", "", "divide", ""]),
    (Arithmetic::FloorDivide, ["", "FloorDiv", "", "", "_operator.floordiv"]),
    (Arithmetic::Minimum, ["Min", "Minimum", "Minimum", "minimum", ""]),
    (Arithmetic::Maximum, ["Max", "Maximum", "Maximum", "maximum", ""]),
    (Arithmetic::Remainder, ["", "Mod TruncateMod", "Mod", "remainder", ""]),
    (Arithmetic::FloorRemainder, ["", "FloorMod", "FloorMod", "", "_operator.mod"]),
    (Arithmetic::Power, ["Pow", "Pow", "Power", "power", "_operator.pow"]),
    (Arithmetic::And, ["And BitwiseAnd", "LogicalAnd BitwiseAnd", "LogicalAnd BitwiseAnd", "and", ""]),
    (Arithmetic::Or, ["Or BitwiseOr", "LogicalOr BitwiseOr", "LogicalOr BitwiseOr", "or", ""]),
    (Arithmetic::ExclusiveOr, ["Xor BitwiseXor", "BitwiseXor", "LogicalXor BitwiseXor", "xor", ""]),
    (Arithmetic::ShiftLeft, ["", "LeftShift", "BitwiseLeftShift", "shift_left", ""]),
    (Arithmetic::ShiftRight, ["", "RightShift", "BitwiseRightShift", "shift_right_arithmetic", ""]),
    (Arithmetic::Equal, ["Equal", "Equal", "Equal", "compare EQ", "_operator.eq"]),
    (Arithmetic::NotEqual, ["", "NotEqual", "NotEqual", "compare NE", "_operator.ne"]),
    (Arithmetic::Less, ["Less", "Less", "Less", "compare LT", "_operator.lt"]),
    (Arithmetic::LessOrEqual, ["LessOrEqual", "LessEqual", "LessEqual", "compare LE", "_operator.le"]),
    (Arithmetic::Greater, ["Greater", "Greater", "Greater", "compare GT", "_operator.gt"]),
    (Arithmetic::GreaterOrEqual, ["GreaterOrEqual", "GreaterEqual", "GreaterEqual", "compare GE", "_operator.ge"]),
];

#[rustfmt::skip]
const REDUCTIONS: [(Reduction, [&str; 5]); 12] = [
    (Reduction::Combine(Arithmetic::Add), ["ReduceSum", "Sum", "ReduceSum", "", ""]),
    (Reduction::Combine(Arithmetic::Multiply), ["ReduceProd", "Prod", "ReduceProd", "", ""]),
    (Reduction::Combine(Arithmetic::Minimum), ["ReduceMin", "Min", "ReduceMin", "", ""]),
    (Reduction::Combine(Arithmetic::Maximum), ["ReduceMax", "Max", "ReduceMax", "", ""]),
    (Reduction::Combine(Arithmetic::And), ["", "All", "ReduceLogicalAnd", "", ""]),
    (Reduction::Combine(Arithmetic::Or), ["", "Any", "ReduceLogicalOr", "", ""]),
    (Reduction::SumOfAbsolutes, ["ReduceL1", "", "ReduceL1", "", ""]),
    (Reduction::SumOfSquares, ["ReduceSumSquare", "", "", "", ""]),
    (Reduction::Mean, ["ReduceMean", "Mean", "ReduceMean", "", ""]),
    (Reduction::Other, ["ReduceL2", "EuclideanNorm", "ReduceL2", "", ""]),
    (Reduction::Other, ["ReduceLogSum", "", "", "", ""]),
    (Reduction::Other, ["ReduceLogSumExp", "", "", "", ""]),
];

/// Returns the entry of a table with the name `name` in a format.
fn find<T: Clone>(table: &[(T, [&str; 5])], format: Format, name: &str) -> Option<T> {
    (!name.is_empty()).then_some(())?;
    let column = column(format);
    let has_name = |names: &[&str; 5]| names[column].split(' ').any(|other| other == name);
    let has_name = |names: &[&str; 5]| names[column] == name || has_name(names);
    table
        .iter()
        .find(|(_, names)| has_name(names))
        .map(|(entry, _)| entry.clone())
}

/// Returns the kind of an operation that has no attributes, or whose attributes have no effect on its kind.
pub fn computed(format: Format, name: &str) -> Option<Kind> {
    let unary = || find(&UNARY, format, name).map(Kind::Unary);
    let arithmetic = || find(&ARITHMETIC, format, name).map(Kind::Arithmetic);
    find(&PLAIN, format, name)
        .or_else(unary)
        .or_else(arithmetic)
}

/// Returns the reduction with the name `name`.
pub fn reduction(format: Format, name: &str) -> Option<Reduction> {
    find(&REDUCTIONS, format, name)
}

/// Returns the kind of an operation whose kind does not depend on attributes, or that reduces the axes in its second
/// input, or all axes if there are none. `keeps_axes` returns whether a reduction keeps the axes.
pub fn computed_or_reduction(
    format: Format,
    name: &str,
    keeps_axes: impl FnOnce() -> Result<bool, ModelError>,
) -> Result<Kind, ModelError> {
    Ok(match (computed(format, name), reduction(format, name)) {
        (Some(kind), _) => kind,
        (None, Some(reduction)) => Kind::Reduce {
            reduction,
            axes: Argument::Input(1),
            keeps_axes: keeps_axes()?,
            keeps_all_by_default: true,
        },
        (None, None) => Kind::Other,
    })
}

/// Returns the kind of a transposition whose second input is the order of the axes.
pub fn transposition(graph: &Graph, inputs: &[Option<ValueId>]) -> Kind {
    let order = graph
        .constant(inputs.get(1).copied().flatten())
        .and_then(Constant::known);
    order.map_or(Kind::Other, |order| Kind::Transpose(Some(order.into())))
}
