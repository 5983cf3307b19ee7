//! Represents a model, reduced to its slices and their context: nodes, their inputs and outputs, small constants, and
//! shapes.
//!
//! Each format has a reader that creates a [`Graph`]. The propagation of constants and shapes in [`fold`] and the
//! conversion of operations to slices in [`select`] are shared by all formats. The lengths and offsets in a file are
//! checked against its size. Everything that is kept is counted by a [`Budget`], and names and lists that are used several
//! times are shared, so the memory used is at most proportional to the size of the file.

pub mod arithmetic;
mod array;
mod budget;
mod element_type;
mod error;
mod evaluate;
mod flat;
pub mod flow;
pub mod fold;
mod format;
pub mod infer;
pub mod kind;
mod layers;
mod litert;
mod mlir;
pub mod number;
pub mod onnx;
pub mod openvino;
mod operators;
mod positions;
mod pt2;
pub mod read;
mod scope;
pub mod select;
mod stablehlo;
pub mod steps;
mod tensorflow;
pub mod wire;

use std::collections::VecDeque;
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

pub use array::Constant;
pub use budget::Budget;
use element_type::ElementType;
pub use error::{ModelError, ModelErrorKind};
pub use format::Format;

use crate::model::steps::HashSet;
use kind::Argument;
pub use kind::Kind;
pub use number::Dim;
use number::known_shape;
pub use scope::Scope;

/// A value of a graph, as an index into [`Graph::values`].
pub type ValueId = usize;

/// An input or output of a node.
#[derive(Clone, Debug, Default)]
pub struct Value {
    /// The name in the model.
    pub name: Arc<str>,
    /// The shape, if known: the inferred shape or, if there is none, the shape declared by the model.
    pub shape: Option<Arc<[Dim]>>,
    /// The shape declared by the model.
    pub declared: Option<Arc<[Dim]>>,
    /// The type of the elements, if the model declares it. A type whose elements are not kept is `Some(None)`.
    pub element_type: Option<Option<ElementType>>,
    /// The elements, if the value is a small integer constant.
    pub constant: Option<Constant>,
    /// Whether the value is independent of the model's inputs.
    pub is_constant: bool,
    /// Whether the value is an output of the model.
    pub is_output: bool,
}

impl Value {
    /// Returns whether the value is a small constant that may be an argument of an operation. Operations that compute
    /// such values are not reported.
    pub fn is_argument(&self) -> bool {
        self.constant.as_ref().is_some_and(Constant::is_argument)
    }
}

/// An operation of a model.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name in the model.
    pub name: Arc<str>,
    /// The format's name for the operation.
    pub operation: Arc<str>,
    /// The location of the node in the unit of the format: the byte offset or the line in the file, or the number of
    /// the node in its graph.
    pub at: usize,
    /// The path to the nested graph that contains the node; empty for the main graph.
    pub scope: Scope,
    /// The inputs, with `None` for each omitted input.
    pub inputs: Vec<Option<ValueId>>,
    /// The outputs, with `None` for each omitted output.
    pub outputs: Vec<Option<ValueId>>,
    /// The kind of operation.
    pub kind: Kind,
}

impl Node {
    /// Returns the input to which an argument refers, or `None` if the argument is not an input or is omitted.
    pub fn input_of(&self, argument: &Argument) -> Option<ValueId> {
        match argument {
            Argument::Input(at) => self.input(*at),
            _ => None,
        }
    }

    /// Returns the input with the index `at`, if it is not omitted.
    pub fn input(&self, at: usize) -> Option<ValueId> {
        self.inputs.get(at).copied().flatten()
    }

    /// Returns the output with the index `at`, if it is not omitted.
    pub fn output(&self, at: usize) -> Option<ValueId> {
        self.outputs.get(at).copied().flatten()
    }
}

/// The unit of node locations.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, Unit};
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// assert_eq!(report.unit, Unit::Byte);
/// assert_eq!(format!("at {} {}", report.unit, report.slices[0].at), "at byte 7");
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unit {
    /// A byte offset in the file.
    Byte,
    /// The number of a line in the file, counted from 1.
    Line,
    /// The number of a node in its graph, counted from 0.
    Node,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Byte => "byte",
            Unit::Line => "line",
            Unit::Node => "node",
        })
    }
}

/// A model.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The format and, if known, its version and the program that wrote the model, as text.
    pub about: String,
    /// The format.
    pub format: Format,
    /// All values.
    pub values: Vec<Value>,
    /// All nodes. After [`Graph::sort`], producers precede consumers, except in cycles.
    pub nodes: Vec<Node>,
    /// The outputs, in the order in which the model declares them. A graph of TensorFlow declares none.
    pub outputs: Vec<ValueId>,
    /// The number of nodes that are in cycles or depend on nodes in cycles. These nodes are at the end of `nodes`.
    pub nodes_in_cycles: usize,
    /// The memory that may still be used for the model.
    pub budget: Budget,
    /// The names in the model, which are shared.
    names: HashSet<Arc<str>>,
}

/// The estimated memory for an entry of a hash map or a hash set, in addition to the key and the value. A map has up to
/// twice as many places as entries.
const MAP_ENTRY_BYTES: usize = 32;

/// The methods that add to the graph return an error if the model exceeds its budget.
impl Graph {
    /// Creates an empty graph for a model in a file of `file_bytes` bytes.
    pub fn new(about: impl Into<String>, format: Format, file_bytes: usize) -> Self {
        Graph {
            about: about.into(),
            format,
            values: Vec::new(),
            nodes: Vec::new(),
            outputs: Vec::new(),
            nodes_in_cycles: 0,
            budget: Budget::new(file_bytes),
            names: HashSet::default(),
        }
    }

    /// Returns a name, which shares its text with all equal names of the model.
    pub fn name(&mut self, name: &str) -> Result<Arc<str>, ModelError> {
        if let Some(name) = self.names.get(name) {
            return Ok(name.clone());
        }
        self.budget
            .take(name.len() + size_of::<Arc<str>>() + MAP_ENTRY_BYTES)?;
        let name: Arc<str> = name.into();
        self.names.insert(name.clone());
        Ok(name)
    }

    /// Adds a value, and returns its ID.
    pub fn add_value(&mut self, name: &str) -> Result<ValueId, ModelError> {
        let name = self.name(name)?;
        self.add_value_with_shared_name(name)
    }

    /// Adds a value whose name was returned by [`name`](Self::name), and returns its ID.
    pub fn add_value_with_shared_name(&mut self, name: Arc<str>) -> Result<ValueId, ModelError> {
        // The readers find values by their names or numbers in a map.
        let map_entry_bytes = size_of::<(Arc<str>, ValueId)>() + MAP_ENTRY_BYTES;
        self.budget.take(2 * size_of::<Value>() + map_entry_bytes)?;
        self.values.push(Value {
            name,
            ..Value::default()
        });
        Ok(self.values.len() - 1)
    }

    /// Sets the shape of a value. Does nothing if `shape` is `None`.
    pub fn set_shape(
        &mut self,
        value: ValueId,
        shape: Option<impl Into<Arc<[Dim]>>>,
    ) -> Result<(), ModelError> {
        if let Some(shape) = shape {
            let shape = shape.into();
            self.budget.take(size_of_val(&shape[..]))?;
            self.values[value].shape = Some(shape);
        }
        Ok(())
    }

    /// Sets the shape of a value that the model declares.
    pub fn declare_shape(
        &mut self,
        value: ValueId,
        shape: Option<impl Into<Arc<[Dim]>>>,
    ) -> Result<(), ModelError> {
        self.set_shape(value, shape)?;
        let value = &mut self.values[value];
        value.declared = value.shape.clone();
        Ok(())
    }

    /// Sets the elements of a value that is a constant, and its shape, unless a shape is declared. Does nothing if
    /// `constant` is `None`, or if the constants of the model use up a large part of its budget.
    pub fn set_constant(&mut self, value: ValueId, constant: Option<Constant>) {
        let Some(constant) = constant else { return };
        let shape_bytes = constant.shape.len() * size_of::<(usize, Dim)>();
        let bytes = size_of_val(&constant.elements[..]) + shape_bytes;
        if self.budget.try_take(bytes) {
            let value = &mut self.values[value];
            value
                .shape
                .get_or_insert_with(|| known_shape(&constant.shape));
            value.constant = Some(constant);
        }
    }

    /// Returns the elements and the shape of a value, if the value is a small constant.
    pub fn constant(&self, value: Option<ValueId>) -> Option<&Constant> {
        self.values.get(value?)?.constant.as_ref()
    }

    /// Returns the shape of a value, if it is known.
    pub fn shape(&self, value: Option<ValueId>) -> Option<&[Dim]> {
        self.values.get(value?)?.shape.as_deref()
    }

    /// Returns the numbers of an argument: `None` if they are unknown, and `Some(None)` if the argument is omitted.
    pub fn numbers(&self, node: &Node, argument: &Argument) -> Option<Option<Vec<i64>>> {
        match argument {
            Argument::Absent => Some(None),
            Argument::Given(numbers) => Some(Some(numbers.to_vec())),
            Argument::Input(_) => match node.input_of(argument) {
                None => Some(None),
                value => Some(Some(self.constant(value)?.known()?)),
            },
        }
    }

    /// Adds a node.
    pub fn add_node(&mut self, node: Node) -> Result<(), ModelError> {
        // Sorting needs a second list of nodes.
        self.budget
            .take(3 * size_of::<Node>() + node.kind.heap_bytes())?;
        self.budget
            .take_elements::<[Option<ValueId>; 2]>(node.inputs.len() + node.outputs.len())?;
        self.nodes.push(node);
        Ok(())
    }

    /// Marks a value as an output of the model.
    pub fn add_output(&mut self, value: ValueId) {
        if !std::mem::replace(&mut self.values[value].is_output, true) {
            self.outputs.push(value);
        }
    }

    /// Returns, for each value, the indices of the nodes that consume it.
    pub fn consumers(&self) -> Consumers {
        let mut starts = vec![0; self.values.len() + 1];
        for &input in self.nodes.iter().flat_map(|node| &node.inputs).flatten() {
            starts[input + 1] += 1;
        }
        for value in 1..starts.len() {
            starts[value] += starts[value - 1];
        }
        let mut nodes = vec![0; *starts.last().unwrap_or(&0)];
        let mut next = starts.clone();
        for (at, node) in self.nodes.iter().enumerate() {
            for &input in node.inputs.iter().flatten() {
                nodes[next[input]] = at;
                next[input] += 1;
            }
        }
        Consumers { starts, nodes }
    }

    /// Returns, for each node, whether an output is not a known constant. A node that computes only constants, such as a
    /// shape, does not depend on the elements of its inputs.
    pub fn nodes_with_unknown_output(&self) -> Vec<bool> {
        let is_unknown = |&output: &ValueId| self.values[output].constant.is_none();
        let has_unknown_output = |node: &Node| {
            steps::count(node.outputs.len());
            node.outputs.iter().flatten().any(is_unknown)
        };
        self.nodes.iter().map(has_unknown_output).collect()
    }

    /// Returns, for each value, the index of the node that produces it, if there is one. Returns an error if two nodes
    /// produce the same value.
    pub fn producers(&self) -> Result<Vec<Option<usize>>, ModelError> {
        let mut producers = vec![None; self.values.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for &output in node.outputs.iter().flatten() {
                if let Some(first) = producers[output].replace(at) {
                    let (name, first) = (&self.values[output].name, &self.nodes[first].name);
                    return Err(ModelError::invalid(format!(
                        "nodes {first:?} and {:?} both produce the value {name:?}",
                        node.name
                    )));
                }
            }
        }
        Ok(producers)
    }

    /// Sorts the nodes topologically, unless they are sorted already. Nodes in cycles, and nodes that depend on nodes
    /// in cycles, come last. Returns an error if two nodes produce the same value.
    pub fn sort(&mut self) -> Result<(), ModelError> {
        let producers = self.producers()?;
        let consumers = self.consumers();
        let is_produced = |input: &&ValueId| producers[**input].is_some();
        let input_count = |node: &Node| node.inputs.iter().flatten().filter(is_produced).count();
        let mut pending_inputs: Vec<usize> = self.nodes.iter().map(input_count).collect();
        let is_sorted = self.nodes.iter().enumerate().all(|(at, node)| {
            let mut inputs = node.inputs.iter().flatten();
            inputs.all(|&input| producers[input].is_none_or(|producer| producer < at))
        });
        if is_sorted {
            return Ok(());
        }
        let mut ready_nodes: VecDeque<usize> = (0..self.nodes.len())
            .filter(|&at| pending_inputs[at] == 0)
            .collect();
        let mut order = Vec::new();
        while let Some(at) = ready_nodes.pop_front() {
            order.push(at);
            for &output in self.nodes[at].outputs.iter().flatten() {
                for &consumer in &consumers[output] {
                    pending_inputs[consumer] -= 1;
                    if pending_inputs[consumer] == 0 {
                        ready_nodes.push_back(consumer);
                    }
                }
            }
        }
        self.nodes_in_cycles = self.nodes.len() - order.len();
        order.extend((0..self.nodes.len()).filter(|&at| pending_inputs[at] > 0));
        let mut nodes: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        self.nodes = order
            .into_iter()
            .filter_map(|at| nodes[at].take())
            .collect();
        Ok(())
    }
}

/// The nodes that consume each value.
#[derive(Clone, Debug)]
pub struct Consumers {
    /// For each value, the index of its first consumer in `nodes`; at the end, the length of `nodes`.
    starts: Vec<usize>,
    nodes: Vec<usize>,
}

impl Index<ValueId> for Consumers {
    type Output = [usize];

    fn index(&self, value: ValueId) -> &[usize] {
        &self.nodes[self.starts[value]..self.starts[value + 1]]
    }
}
