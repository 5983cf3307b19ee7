//! Reads StableHLO text, in MLIR's pretty or generic form. Functions are inlined where they are called.

use std::cell::LazyCell;
use std::sync::Arc;

use super::element_type::ElementType;
use super::kind::{Argument, Kind, Select};
use super::mlir::{self, Function, Op};
use super::number::Dim;
use super::{Format, Graph, ModelError, ModelErrorKind, Node, Scope, ValueId, operators};
use crate::model::steps::{HashMap, HashSet};

/// The maximum depth of nested calls.
const MAX_DEPTH: usize = 32;

/// Returns whether the bytes look like the beginning of MLIR text or bytecode.
pub fn recognizes(bytes: &[u8]) -> bool {
    let start = bytes[..bytes.len().min(4096)].trim_ascii_start();
    let prefixes = [
        "module",
        "\"builtin.module\"",
        "func.func",
        "#loc",
        "//",
        "ML\u{ef}",
    ];
    prefixes
        .iter()
        .any(|text| start.starts_with(text.as_bytes()))
        || start.starts_with(b"ML\xefR")
}

/// Reads a module. Returns an error if the bytes are not a module, or the module exceeds a limit.
pub fn read(bytes: &[u8]) -> Result<Graph, ModelError> {
    let text = str::from_utf8(bytes).map_err(|_| {
        ModelErrorKind::Unsupported.error("not StableHLO text: bytecode is not supported; print the module as text (`lowered.as_text()` in JAX)")
    })?;
    let mut graph = Graph::new("StableHLO, as text", Format::StableHlo, bytes.len());
    let functions = mlir::functions(text, &mut graph.budget)?;
    if functions.is_empty() {
        return Err(ModelError::invalid(
            "not a StableHLO module: the file has no func.func",
        ));
    }
    let by_name = functions.iter().map(|function| (function.name, function));
    let mut reader = Reader {
        graph,
        functions: by_name.collect(),
        called_functions: HashSet::default(),
        depth: 0,
    };
    let main = functions.iter().find(|function| function.name == "main");
    let main = main
        .or(functions.iter().find(|function| function.is_public))
        .unwrap_or(&functions[0]);
    for output in reader
        .function(main, &[], &Scope::default())?
        .into_iter()
        .flatten()
    {
        reader.graph.add_output(output);
    }
    // Functions that are not called by any function read so far are read separately.
    for function in &functions {
        if !reader.called_functions.contains(function.name) && !std::ptr::eq(function, main) {
            let name = reader.graph.name(&format!("@{}", function.name))?;
            let scope = Scope::default().nested(name);
            let _ = reader.function(function, &[], &scope)?;
        }
    }
    Ok(reader.graph)
}

struct Reader<'a> {
    graph: Graph,
    functions: HashMap<&'a str, &'a Function<'a>>,
    called_functions: HashSet<&'a str>,
    depth: usize,
}

/// Returns the lengths of a tensor type.
fn dims(kind: &str) -> Option<Vec<Dim>> {
    mlir::tensor(kind).map(|(dims, _)| dims)
}

/// Values by name.
type Names<'a> = HashMap<&'a str, ValueId>;

impl<'a> Reader<'a> {
    fn add_typed_value(&mut self, name: &str, dims: Option<&[Dim]>) -> Result<ValueId, ModelError> {
        let value = self.graph.add_value(&format!("%{name}"))?;
        self.graph.declare_shape(value, dims)?;
        Ok(value)
    }

    /// Reads a function called with the values `inputs`, and returns its results.
    fn function(
        &mut self,
        function: &'a Function<'a>,
        inputs: &[Option<ValueId>],
        scope: &Scope,
    ) -> Result<Vec<Option<ValueId>>, ModelError> {
        // A function is read again for each call, so the number of operations may grow exponentially with the size of the
        // file. Each reading is counted, even if nothing is kept.
        let budget = &mut self.graph.budget;
        budget.take(size_of::<Names<'_>>() + size_of::<Function<'_>>() + function.name.len())?;
        budget.take_elements::<[(&str, ValueId); 2]>(function.arguments.len())?;
        budget.take_elements::<Option<ValueId>>(function.returns.len())?;
        let mut names = Names::default();
        for (at, &(name, kind)) in function.arguments.iter().enumerate() {
            let value = match inputs.get(at).copied().flatten() {
                Some(value) => value,
                None => self.add_typed_value(name, dims(kind).as_deref())?,
            };
            names.insert(name, value);
        }
        for op in &function.ops {
            self.op(op, &mut names, scope)?;
        }
        Ok(function
            .returns
            .iter()
            .map(|&name| names.get(name).copied())
            .collect())
    }

    fn op(
        &mut self,
        op: &'a Op<'a>,
        names: &mut Names<'a>,
        scope: &Scope,
    ) -> Result<(), ModelError> {
        self.graph.budget.take(op.len)?;
        // Many operands may share the last type.
        let last_dims = LazyCell::new(|| dims(op.operand_types.last()?));
        let mut inputs = Vec::new();
        for (at, &name) in op.operands.iter().enumerate() {
            let value = match names.get(name) {
                Some(&value) => value,
                // The operand is an argument of a nested block.
                None => {
                    let value = match op.operand_types.get(at) {
                        Some(kind) => self.add_typed_value(name, dims(kind).as_deref())?,
                        None => self.add_typed_value(name, last_dims.as_deref())?,
                    };
                    names.insert(name, value);
                    value
                }
            };
            inputs.push(Some(value));
        }
        if let ("call" | "func.call", Some(function)) = (op.name, self.callee(op)) {
            self.called_functions.insert(function.name);
            if self.depth < MAX_DEPTH {
                let name = self.graph.name(&format!("@{}", function.name))?;
                let scope = scope.nested(name);
                self.depth += 1;
                let results = self.function(function, &inputs, &scope);
                self.depth -= 1;
                let results = results?;
                for (at, name) in op.results.iter().enumerate() {
                    if let Some(value) = results.get(at).copied().flatten() {
                        names.insert(name, value);
                    }
                }
                return Ok(());
            }
            let message = format!("the module has calls nested more than {MAX_DEPTH} levels deep");
            return Err(ModelErrorKind::TooLarge.error(message));
        }
        let mut outputs = Vec::new();
        for (at, name) in op.results.iter().enumerate() {
            let dims = op.result_types.get(at).and_then(|kind| dims(kind));
            let value = self.add_typed_value(name, dims.as_deref())?;
            names.insert(name, value);
            outputs.push(Some(value));
        }
        if let ("stablehlo.constant", Some(&Some(value))) = (op.name, outputs.first()) {
            self.graph.values[value].is_constant = true;
            let kind = op.result_types.first().copied().unwrap_or_default();
            self.graph.set_constant(value, mlir::dense(op.body, kind));
        }
        let kind = self.kind(op, &mut inputs);
        let (name, operation) = (self.graph.name("")?, self.graph.name(op.name)?);
        self.graph.add_node(Node {
            name,
            operation,
            at: op.line,
            scope: scope.clone(),
            inputs,
            outputs,
            kind,
        })
    }

    fn callee(&self, op: &Op<'_>) -> Option<&'a Function<'a>> {
        let name = op.body.split_once('@')?.1;
        let end = name.find(|c: char| !c.is_ascii_alphanumeric() && !"_$.-".contains(c));
        self.functions
            .get(&name[..end.unwrap_or(name.len())])
            .copied()
    }

    fn kind(&self, op: &Op<'_>, inputs: &mut [Option<ValueId>]) -> Kind {
        let body = op.body;
        let select = |select: Option<Select>| {
            select.map_or(
                Kind::not_examined("its attributes cannot be read"),
                Kind::select,
            )
        };
        let either =
            |one: &str, other: &str| mlir::ints(body, one).or_else(|| mlir::ints(body, other));
        let has_direction = |direction: &str| {
            let rest_of_body = body.trim_start().strip_prefix(direction);
            rest_of_body.is_some_and(|rest| rest.starts_with(','))
                || body.contains(&format!("comparison_direction {direction}>"))
        };
        let Some(operation) = op.name.strip_prefix("stablehlo.") else {
            return Kind::Other;
        };
        match operation {
            "slice" => select(bounds(body).map(|bounds| Select::Static(bounds.map(Arc::from)))),
            "dynamic_slice" => select(either("sizes", "slice_sizes").map(|sizes| Select::Window {
                sizes: sizes.into(),
            })),
            "reverse" => select(either("dims", "dimensions").map(|axes| Select::Reverse {
                axes: Argument::Given(axes.into()),
            })),
            "gather" => match self.gathered_axis(op, inputs) {
                Some(axis) => Kind::gather(Argument::Given([axis].into()), 0),
                None => Kind::not_examined("it is not a slice along one axis"),
            },
            "dynamic_gather" | "real_dynamic_slice" | "torch_index_select" => {
                Kind::not_examined("its bounds are known only at run time")
            }
            "concatenate" => either("dim", "dimension").map_or(Kind::Other, |axis| Kind::Concat {
                axis: Argument::Given(axis.into()),
            }),
            "convert" => {
                let result = op.result_types.first().copied().and_then(mlir::tensor);
                Kind::Cast(result.and_then(|(_, element)| ElementType::named(element)))
            }
            "compare" => {
                let direction = ["EQ", "NE", "LT", "LE", "GT", "GE"]
                    .into_iter()
                    .find(|name| has_direction(name));
                let name = direction.map(|direction| format!("compare {direction}"));
                let kind = name.and_then(|name| operators::computed(Format::StableHlo, &name));
                kind.unwrap_or(Kind::Other)
            }
            name => operators::computed(Format::StableHlo, name).unwrap_or(Kind::Other),
        }
    }

    /// Returns the gathered axis, if the gather is equivalent to a list or an index on one axis and preserves the order
    /// of the axes.
    fn gathered_axis(&self, op: &Op<'_>, inputs: &[Option<ValueId>]) -> Option<i64> {
        let shape = |at: usize| self.graph.values[(*inputs.get(at)?)?].shape.as_deref();
        let (array_shape, indices_shape) = (shape(0)?, shape(1)?);
        let body = op.body;
        let [axis] = mlir::ints(body, "start_index_map")?[..] else {
            return None;
        };
        if mlir::ints(body, "collapsed_slice_dims")? != [axis] || body.contains("batching_dims") {
            return None;
        }
        let offset = mlir::ints(body, "offset_dims").unwrap_or_default();
        let sizes = mlir::ints(body, "slice_sizes")?;
        let vector_dim =
            mlir::ints(body, "index_vector_dim").and_then(|dims| dims.first().copied());
        let vector_dim = usize::try_from(vector_dim.unwrap_or(0)).ok()?;
        // The indices are a list or a column of positions, or a single index, which drops the axis.
        let list_rank = match indices_shape {
            [] => 0,
            [Dim::Known(1)] if vector_dim == 0 => 0,
            [_] if vector_dim == 1 => 1,
            [_, Dim::Known(1)] if vector_dim == 1 => 1,
            _ => return None,
        };
        let axis_index = usize::try_from(axis).ok()?;
        let other_axes = (0..i64::try_from(array_shape.len()).ok()?).filter(|&other| other != axis);
        let expected: Vec<i64> = match list_rank {
            0 => (0..).take(array_shape.len().checked_sub(1)?).collect(),
            _ => other_axes.collect(),
        };
        let is_whole = |(at, (length, &size)): (usize, (&Dim, &i64))| match at == axis_index {
            true => size == 1,
            false => length.known().and_then(|length| i64::try_from(length).ok()) == Some(size),
        };
        let are_whole = array_shape.iter().zip(&sizes).enumerate().all(is_whole);
        (are_whole && offset == expected && sizes.len() == array_shape.len()).then_some(axis)
    }
}

/// Returns the starts, limits and strides of a slice.
fn bounds(body: &str) -> Option<[Vec<i64>; 3]> {
    let named = ["start_indices", "limit_indices", "strides"].map(|key| mlir::ints(body, key));
    if let [Some(starts), Some(limits), Some(strides)] = named {
        return Some([starts, limits, strides]);
    }
    let inside = body.split_once('[')?.1.split(']').next()?;
    let mut all = [const { Vec::new() }; 3];
    for part in mlir::split_at_commas(inside) {
        let numbers: Vec<i64> = part
            .split(':')
            .map(|one| one.trim().parse().ok())
            .collect::<Option<_>>()?;
        let (start, limit, stride) = match numbers[..] {
            [start, limit] => (start, limit, 1),
            [start, limit, stride] => (start, limit, stride),
            _ => return None,
        };
        for (list, number) in all.iter_mut().zip([start, limit, stride]) {
            list.push(number);
        }
    }
    Some(all)
}
