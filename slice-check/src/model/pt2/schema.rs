//! Declares the relevant fields of the JSON written by `torch.export.save`. Other fields are skipped.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::number::{Dim, MAX_NAME_BYTES, Number};

/// The maximum depth of nested expressions.
const MAX_DEPTH: usize = 16;

#[derive(Deserialize)]
pub struct Program {
    pub graph_module: GraphModule,
    pub schema_version: Version,
    #[serde(default)]
    pub torch_version: String,
}

#[derive(Deserialize)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

#[derive(Deserialize)]
pub struct GraphModule {
    pub graph: Graph,
    pub signature: Signature,
}

#[derive(Deserialize)]
pub struct Graph {
    pub outputs: Vec<Arg>,
    pub nodes: Vec<Node>,
    pub tensor_values: BTreeMap<String, TensorMeta>,
    #[serde(default)]
    pub sym_int_values: BTreeMap<String, Size>,
}

#[derive(Deserialize)]
pub struct Node {
    pub target: String,
    pub inputs: Vec<NamedArg>,
    pub outputs: Vec<Arg>,
    pub name: Option<String>,
}

#[derive(Deserialize)]
pub struct NamedArg {
    pub name: String,
    pub arg: Arg,
}

#[derive(Deserialize)]
pub struct NamedTensor {
    pub name: String,
}

#[derive(Deserialize)]
pub struct GraphArg {
    pub name: String,
    pub graph: Graph,
}

/// An argument. It is stored compactly, because a file may contain millions of arguments.
#[derive(Deserialize)]
#[serde(from = "ArgFields")]
pub enum Arg {
    Int(i64),
    Ints(Vec<i64>),
    Tensor(String),
    /// A list of tensors, with `None` for each omitted tensor.
    Tensors(Vec<Option<String>>),
    SymInt(SymInt),
    SymInts(Vec<SymInt>),
    Graph(Box<GraphArg>),
    /// An argument whose type is not relevant.
    Other,
}

/// The fields of an argument, of which one is present.
#[derive(Deserialize)]
struct ArgFields {
    as_int: Option<i64>,
    as_ints: Option<Vec<i64>>,
    as_tensor: Option<NamedTensor>,
    as_tensors: Option<Vec<NamedTensor>>,
    as_optional_tensors: Option<Vec<OptionalTensor>>,
    as_sym_int: Option<SymInt>,
    as_sym_ints: Option<Vec<SymInt>>,
    as_graph: Option<Box<GraphArg>>,
}

#[derive(Deserialize)]
struct OptionalTensor {
    as_tensor: Option<NamedTensor>,
}

impl From<ArgFields> for Arg {
    fn from(fields: ArgFields) -> Self {
        let name = |one: OptionalTensor| one.as_tensor.map(|tensor| tensor.name);
        let names = |all: Vec<OptionalTensor>| all.into_iter().map(name).collect();
        let all_names = |all: Vec<NamedTensor>| all.into_iter().map(|one| Some(one.name)).collect();
        let arg = (fields.as_int.map(Arg::Int))
            .or(fields.as_ints.map(Arg::Ints))
            .or(fields.as_tensor.map(|tensor| Arg::Tensor(tensor.name)))
            .or(fields.as_tensors.map(all_names).map(Arg::Tensors))
            .or(fields.as_optional_tensors.map(names).map(Arg::Tensors))
            .or(fields.as_sym_int.map(Arg::SymInt))
            .or(fields.as_sym_ints.map(Arg::SymInts))
            .or(fields.as_graph.map(Arg::Graph));
        arg.unwrap_or(Arg::Other)
    }
}

/// An integer that may be symbolic.
#[derive(Clone, Deserialize)]
#[serde(from = "SymIntFields")]
pub enum SymInt {
    Int(i64),
    Name(String),
    Unknown,
}

#[derive(Deserialize)]
struct SymIntFields {
    as_name: Option<String>,
    as_int: Option<i64>,
}

impl From<SymIntFields> for SymInt {
    fn from(fields: SymIntFields) -> Self {
        match (fields.as_int, fields.as_name) {
            (Some(int), _) => SymInt::Int(int),
            (None, Some(name)) => SymInt::Name(name),
            (None, None) => SymInt::Unknown,
        }
    }
}

impl SymInt {
    pub fn name(&self) -> Option<&str> {
        match self {
            SymInt::Name(name) => Some(name),
            _ => None,
        }
    }
}

impl Arg {
    pub fn int(&self) -> Option<i64> {
        match self {
            Arg::Int(int) | Arg::SymInt(SymInt::Int(int)) => Some(*int),
            _ => None,
        }
    }

    pub fn tensor(&self) -> Option<&str> {
        match self {
            Arg::Tensor(name) => Some(name),
            _ => None,
        }
    }

    /// Returns the names of all values in the argument.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Arg::Tensor(name) => vec![name],
            Arg::Tensors(tensors) => tensors.iter().flatten().map(String::as_str).collect(),
            Arg::SymInt(int) => int.name().into_iter().collect(),
            Arg::SymInts(ints) => ints.iter().filter_map(SymInt::name).collect(),
            Arg::Int(_) | Arg::Ints(_) | Arg::Graph(_) | Arg::Other => Vec::new(),
        }
    }
}

#[derive(Deserialize)]
pub struct TensorMeta {
    #[serde(default)]
    pub dtype: i64,
    pub sizes: Vec<Size>,
    #[serde(default)]
    pub strides: Vec<Size>,
    pub storage_offset: Option<Size>,
}

/// A length or another integer.
#[derive(Deserialize)]
#[serde(from = "SizeFields")]
pub struct Size(pub Number);

/// A length or another integer, given as a number or a SymPy expression.
#[derive(Deserialize)]
struct SizeFields {
    as_int: Option<i64>,
    as_expr: Option<Expression>,
}

#[derive(Deserialize)]
struct Expression {
    expr_str: String,
}

impl From<SizeFields> for Size {
    fn from(fields: SizeFields) -> Self {
        let expression = fields.as_expr.map(|expression| expression.expr_str);
        let expression = expression.filter(|text| text.len() <= MAX_NAME_BYTES);
        let python = || to_python(&expression?);
        Size(match fields.as_int {
            Some(int) => Number::Known(int),
            None => python().map_or(Number::Unknown, |text| Number::Length(text.into())),
        })
    }
}

impl Size {
    pub fn known(&self) -> Option<i64> {
        self.0.known()
    }

    pub fn length(&self) -> Option<usize> {
        usize::try_from(self.known()?).ok()
    }

    pub fn dim(&self) -> Dim {
        self.0.to_dim()
    }
}

#[derive(Deserialize)]
pub struct Signature {
    input_specs: Vec<InputSpec>,
}

/// An input. All fields are `None` if no elements are stored for it.
#[derive(Deserialize)]
struct InputSpec {
    parameter: Option<StoredTensor>,
    buffer: Option<StoredTensor>,
    tensor_constant: Option<StoredTensor>,
}

#[derive(Deserialize)]
struct StoredTensor {
    arg: NamedTensor,
    #[serde(
        alias = "parameter_name",
        alias = "buffer_name",
        alias = "tensor_constant_name"
    )]
    stored_name: String,
}

impl Signature {
    /// Returns, for each value with stored elements, its name in the graph and the name under which its elements are
    /// stored.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &str)> {
        let specs = self.input_specs.iter();
        let stored = specs.flat_map(|spec| [&spec.parameter, &spec.buffer, &spec.tensor_constant]);
        stored
            .flatten()
            .map(|one| (&one.arg.name[..], &one.stored_name[..]))
    }
}

#[derive(Deserialize)]
pub struct Configs {
    pub config: BTreeMap<String, Config>,
}

#[derive(Deserialize)]
pub struct Config {
    pub path_name: String,
    #[serde(default)]
    pub use_pickle: bool,
    pub tensor_meta: Option<TensorMeta>,
}

/// Converts an expression in the notation of SymPy's `srepr` to Python's notation. Returns `None` if it contains an
/// unknown function, is nested too deeply, or is malformed.
fn to_python(text: &str) -> Option<String> {
    let (python, rest) = operand(text, MAX_DEPTH)?;
    // The outer parentheses are redundant.
    let without_parentheses = python
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'));
    rest.is_empty()
        .then(|| without_parentheses.unwrap_or(&python).to_owned())
}

/// Parses the operand at the beginning of `text`. Returns the operand in Python's notation, and the rest of `text`.
fn operand(text: &str, depth: usize) -> Option<(String, &str)> {
    let depth = depth.checked_sub(1)?;
    let (name, rest) = text.trim_start().split_once('(')?;
    let operator = match name {
        "Symbol" | "Integer" => {
            let (inside, rest) = rest.split_once(')')?;
            let first = inside.split(',').next()?.trim().trim_matches('\'');
            return Some((first.to_owned(), rest));
        }
        "Add" => " + ",
        "Mul" => "*",
        "FloorDiv" => "//",
        _ => return None,
    };
    let (mut operands, mut rest) = (Vec::new(), rest);
    loop {
        let (operand, after) = operand(rest, depth)?;
        operands.push(operand);
        let after = after.trim_start();
        match (after.strip_prefix(','), after.strip_prefix(')')) {
            (Some(more), _) => rest = more,
            (None, Some(after)) => {
                if operator == "*" && operands.first().is_some_and(|first| first == "-1") {
                    return Some((format!("-{}", operands[1..].join(operator)), after));
                }
                let python = operands.join(operator).replace(" + -", " - ");
                return Some((format!("({python})"), after));
            }
            (None, None) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::to_python;

    #[test]
    fn sympy_expressions_are_converted_to_python() {
        let s = "Symbol('s77', positive=True, integer=True)";
        for (text, python) in [
            (s.to_owned(), Some("s77")),
            (format!("Add({s}, Integer(-1))"), Some("s77 - 1")),
            (format!("FloorDiv({s}, Integer(2))"), Some("s77//2")),
            (
                format!("FloorDiv(Add({s}, Integer(1)), Integer(2))"),
                Some("(s77 + 1)//2"),
            ),
            (
                format!("Add(Integer(8), Mul(Integer(-1), {s}))"),
                Some("8 - s77"),
            ),
            (format!("Max({s}, Integer(2))"), None),
            (format!("Add({s}"), None),
            ("Add(".repeat(1000), None),
        ] {
            assert_eq!(to_python(&text).as_deref(), python, "{text}");
        }
    }
}
