//! Declares the relevant fields of the JSON written by `torch.export.save`. Other fields are skipped.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::number::{Dim, Number};

/// The maximum length of an expression in bytes; longer expressions are treated as unknown numbers.
const MAX_EXPRESSION_BYTES: usize = 500;
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

/// An argument. All fields are `None` if its type is not relevant.
#[derive(Deserialize)]
pub struct Arg {
    pub as_int: Option<i64>,
    pub as_ints: Option<Vec<i64>>,
    pub as_tensor: Option<NamedTensor>,
    pub as_tensors: Option<Vec<NamedTensor>>,
    pub as_optional_tensors: Option<Vec<OptionalTensor>>,
    pub as_sym_int: Option<SymInt>,
    pub as_sym_ints: Option<Vec<SymInt>>,
    pub as_graph: Option<Box<GraphArg>>,
}

#[derive(Deserialize)]
pub struct OptionalTensor {
    as_tensor: Option<NamedTensor>,
}

impl OptionalTensor {
    pub fn name(&self) -> Option<&str> {
        Some(&self.as_tensor.as_ref()?.name)
    }
}

#[derive(Clone, Deserialize)]
pub struct SymInt {
    pub as_name: Option<String>,
    pub as_int: Option<i64>,
}

impl Arg {
    pub fn int(&self) -> Option<i64> {
        let symbol = self.as_sym_int.as_ref();
        self.as_int
            .or_else(|| symbol.and_then(|symbol| symbol.as_int))
    }

    /// Returns the names of all values in the argument.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let optional = self.as_optional_tensors.iter().flatten();
        let symbols = self
            .as_sym_int
            .iter()
            .chain(self.as_sym_ints.iter().flatten());
        let tensors = self
            .as_tensor
            .iter()
            .chain(self.as_tensors.iter().flatten());
        tensors
            .map(|tensor| &tensor.name[..])
            .chain(optional.filter_map(OptionalTensor::name))
            .chain(symbols.filter_map(|symbol| symbol.as_name.as_deref()))
    }
}

#[derive(Deserialize)]
pub struct TensorMeta {
    #[serde(default)]
    pub dtype: i64,
    pub sizes: Vec<Size>,
    pub storage_offset: Option<Size>,
}

/// A length or another integer, given as a number or a SymPy expression.
#[derive(Deserialize)]
pub struct Size {
    as_int: Option<i64>,
    as_expr: Option<Expression>,
}

#[derive(Deserialize)]
struct Expression {
    expr_str: String,
}

impl Size {
    pub fn known(&self) -> Option<i64> {
        self.as_int
    }

    pub fn length(&self) -> Option<usize> {
        usize::try_from(self.as_int?).ok()
    }

    pub fn number(&self) -> Number {
        match (self.as_int, &self.as_expr) {
            (Some(int), _) => Number::Known(int),
            (None, Some(expression)) => {
                let text =
                    Some(&expression.expr_str).filter(|text| text.len() <= MAX_EXPRESSION_BYTES);
                let text = text.and_then(|text| to_python(text));
                text.map_or(Number::Unknown, |text| Number::Length(text.into()))
            }
            (None, None) => Number::Unknown,
        }
    }

    pub fn dim(&self) -> Dim {
        match self.number() {
            Number::Known(length) => usize::try_from(length).map_or(Dim::Unknown, Dim::Known),
            Number::Length(name) => Dim::Named(name),
            Number::Unknown => Dim::Unknown,
        }
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
