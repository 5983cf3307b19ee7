//! Lists the operations that compute elements, with their names in each format. The readers of the formats add the
//! operations whose meaning depends on attributes.

use super::arithmetic::{Arithmetic, Unary};
use super::kind::{Kind, Reduction};

/// The formats, in the order of the columns of the tables.
const SYSTEMS: [&str; 6] = [
    "onnx",
    "tensorflow",
    "litert",
    "openvino",
    "stablehlo",
    "torch",
];

#[rustfmt::skip]
const UNARY: [(Unary, [&str; 6]); 9] = [
    (Unary::Negate, ["Neg", "Neg", "NEG", "Negative", "negate", "_operator.neg"]),
    (Unary::Absolute, ["Abs", "Abs", "ABS", "Abs", "abs", ""]),
    (Unary::Sign, ["Sign", "Sign", "SIGN", "Sign", "sign", ""]),
    (Unary::Not, ["Not", "LogicalNot", "LOGICAL_NOT", "LogicalNot", "", ""]),
    (Unary::BitNot, ["BitwiseNot", "Invert", "", "BitwiseNot", "not", ""]),
    (Unary::Floor, ["Floor", "Floor", "FLOOR", "Floor", "floor", ""]),
    (Unary::Ceil, ["Ceil", "Ceil", "CEIL", "Ceiling", "ceil", ""]),
    (Unary::Round, ["Round", "Round Rint", "ROUND", "", "round_nearest_even", ""]),
    (Unary::SquareRoot, ["Sqrt", "Sqrt", "SQRT", "Sqrt", "sqrt", ""]),
];

#[rustfmt::skip]
const ARITHMETIC: [(Arithmetic, [&str; 6]); 21] = [
    (Arithmetic::Add, ["Add", "Add AddV2", "ADD", "Add", "add", "_operator.add"]),
    (Arithmetic::Subtract, ["Sub", "Sub", "SUB", "Subtract", "subtract", "_operator.sub"]),
    (Arithmetic::Multiply, ["Mul", "Mul", "MUL", "Multiply", "multiply", "_operator.mul"]),
    (Arithmetic::Divide, ["Div", "Div RealDiv TruncateDiv", "DIV", "", "divide", ""]),
    (Arithmetic::FloorDivide, ["", "FloorDiv", "FLOOR_DIV", "", "", "_operator.floordiv"]),
    (Arithmetic::Minimum, ["Min", "Minimum", "MINIMUM", "Minimum", "minimum", ""]),
    (Arithmetic::Maximum, ["Max", "Maximum", "MAXIMUM", "Maximum", "maximum", ""]),
    (Arithmetic::Remainder, ["", "Mod TruncateMod", "", "Mod", "remainder", ""]),
    (Arithmetic::FloorRemainder, ["", "FloorMod", "FLOOR_MOD", "FloorMod", "", "_operator.mod"]),
    (Arithmetic::Power, ["Pow", "Pow", "POW", "Power", "power", "_operator.pow"]),
    (Arithmetic::And, ["And BitwiseAnd", "LogicalAnd BitwiseAnd", "LOGICAL_AND", "LogicalAnd BitwiseAnd", "and", ""]),
    (Arithmetic::Or, ["Or BitwiseOr", "LogicalOr BitwiseOr", "LOGICAL_OR", "LogicalOr BitwiseOr", "or", ""]),
    (Arithmetic::ExclusiveOr, ["Xor BitwiseXor", "BitwiseXor", "BITWISE_XOR", "LogicalXor BitwiseXor", "xor", ""]),
    (Arithmetic::ShiftLeft, ["", "LeftShift", "", "BitwiseLeftShift", "shift_left", ""]),
    (Arithmetic::ShiftRight, ["", "RightShift", "RIGHT_SHIFT", "BitwiseRightShift", "shift_right_arithmetic", ""]),
    (Arithmetic::Equal, ["Equal", "Equal", "EQUAL", "Equal", "compare EQ", "_operator.eq"]),
    (Arithmetic::NotEqual, ["", "NotEqual", "NOT_EQUAL", "NotEqual", "compare NE", "_operator.ne"]),
    (Arithmetic::Less, ["Less", "Less", "LESS", "Less", "compare LT", "_operator.lt"]),
    (Arithmetic::LessOrEqual, ["LessOrEqual", "LessEqual", "LESS_EQUAL", "LessEqual", "compare LE", "_operator.le"]),
    (Arithmetic::Greater, ["Greater", "Greater", "GREATER", "Greater", "compare GT", "_operator.gt"]),
    (Arithmetic::GreaterOrEqual,
        ["GreaterOrEqual", "GreaterEqual", "GREATER_EQUAL", "GreaterEqual", "compare GE", "_operator.ge"]),
];

#[rustfmt::skip]
const REDUCTIONS: [(Reduction, [&str; 6]); 12] = [
    (Reduction::Combine(Arithmetic::Add), ["ReduceSum", "Sum", "SUM", "ReduceSum", "", ""]),
    (Reduction::Combine(Arithmetic::Multiply), ["ReduceProd", "Prod", "REDUCE_PROD", "ReduceProd", "", ""]),
    (Reduction::Combine(Arithmetic::Minimum), ["ReduceMin", "Min", "REDUCE_MIN", "ReduceMin", "", ""]),
    (Reduction::Combine(Arithmetic::Maximum), ["ReduceMax", "Max", "REDUCE_MAX", "ReduceMax", "", ""]),
    (Reduction::Combine(Arithmetic::And), ["", "All", "REDUCE_ALL", "ReduceLogicalAnd", "", ""]),
    (Reduction::Combine(Arithmetic::Or), ["", "Any", "REDUCE_ANY", "ReduceLogicalOr", "", ""]),
    (Reduction::SumOfAbsolutes, ["ReduceL1", "", "", "ReduceL1", "", ""]),
    (Reduction::SumOfSquares, ["ReduceSumSquare", "", "", "", "", ""]),
    (Reduction::Mean, ["ReduceMean", "Mean", "MEAN", "ReduceMean", "", ""]),
    (Reduction::Other, ["ReduceL2", "EuclideanNorm", "", "ReduceL2", "", ""]),
    (Reduction::Other, ["ReduceLogSum", "", "", "", "", ""]),
    (Reduction::Other, ["ReduceLogSumExp", "", "", "", "", ""]),
];

/// Returns the entry of a table with the name `name` in a format.
fn find<T: Copy>(table: &[(T, [&str; 6])], system: &str, name: &str) -> Option<T> {
    let column = SYSTEMS.iter().position(|other| *other == system)?;
    let has_name = |names: &[&str; 6]| names[column].split(' ').any(|other| other == name);
    let has_name = |names: &[&str; 6]| names[column] == name || has_name(names);
    table
        .iter()
        .find(|(_, names)| has_name(names))
        .map(|(entry, _)| *entry)
}

/// Returns the kind of an operation that computes each element from one element of each input.
pub fn elementwise(system: &str, name: &str) -> Option<Kind> {
    let unary = find(&UNARY, system, name).map(Kind::Unary);
    unary.or_else(|| find(&ARITHMETIC, system, name).map(Kind::Arithmetic))
}

/// Returns the reduction with the name `name`.
pub fn reduction(system: &str, name: &str) -> Option<Reduction> {
    find(&REDUCTIONS, system, name)
}
