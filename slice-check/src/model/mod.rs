//! Represents a model, reduced to its slices and their context: nodes, their inputs and outputs, small constants, and
//! shapes.
//!
//! Each format has a reader that creates a [`Graph`]. The propagation of constants and shapes in [`fold`] and the
//! conversion of operations to slices in [`select`] are shared by all formats. The lengths and offsets in a file are
//! checked against its size, and the numbers of nodes, values and other kept data are limited, so the memory used is
//! bounded by the size of the file and these limits.

mod flat;
pub mod fold;
pub mod kind;
mod layers;
mod litert;
mod mlir;
pub mod number;
pub mod onnx;
pub mod openvino;
mod pt2;
pub mod read;
mod scope;
pub mod select;
mod stablehlo;
mod tensorflow;
pub mod wire;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

pub use kind::Kind;
pub use number::{Constant, Dim};
pub use scope::Scope;

/// The maximum number of nodes of a model.
const MAX_NODES: usize = 500_000;
/// The maximum number of values in a model, and the maximum total number of inputs and outputs of its nodes.
const MAX_VALUES: usize = 2_000_000;

/// The maximum total number of constant elements and axis lengths kept for a model. Constants and shapes that would
/// exceed this limit are treated as unknown.
const MAX_KEPT_NUMBERS: usize = 8_000_000;

/// The reason why a model cannot be read or rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelError(pub String);

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Into<String>> From<E> for ModelError {
    fn from(message: E) -> Self {
        ModelError(message.into())
    }
}

/// A value of a graph, as an index into [`Graph::values`].
pub type ValueId = usize;

/// An input or output of a node.
#[derive(Clone, Debug, Default)]
pub struct Value {
    /// The name in the model.
    pub name: Arc<str>,
    /// The shape declared by the model, or else the inferred shape, if known.
    pub shape: Option<Arc<[Dim]>>,
    /// Whether the model declares the shape.
    pub is_declared: bool,
    /// The elements, if the value is a small integer constant.
    pub constant: Option<Constant>,
    /// Whether the value is independent of the model's inputs.
    pub is_constant: bool,
    /// Whether the value is an output of the model.
    pub is_output: bool,
}

/// An operation of a model.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name in the model.
    pub name: Arc<str>,
    /// The format's name for the operation.
    pub operation: Arc<str>,
    /// The location of the node in the unit [`Graph::unit`]: the byte offset or the line in the file, or the number of
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

/// The unit of node locations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// A byte offset in the file.
    #[default]
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
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The format and, if known, its version and the program that wrote the model.
    pub about: String,
    /// The name of the slice-systems module for the system that defines the operations.
    pub system: &'static str,
    /// The unit of [`Node::at`].
    pub unit: Unit,
    /// All values.
    pub values: Vec<Value>,
    /// All nodes. After [`Graph::sort`], producers precede consumers, except in cycles.
    pub nodes: Vec<Node>,
    /// The number of nodes that are in cycles or depend on nodes in cycles. These nodes are at the end of `nodes`.
    pub nodes_in_cycles: usize,
    operand_count: usize,
    kept_count: usize,
}

impl Graph {
    /// Adds a value, and returns its ID.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many values.
    pub fn add_value(&mut self, name: impl Into<Arc<str>>) -> Result<ValueId, ModelError> {
        if self.values.len() >= MAX_VALUES {
            return Err(format!("the model has more than {MAX_VALUES} values").into());
        }
        self.values.push(Value {
            name: name.into(),
            ..Value::default()
        });
        Ok(self.values.len() - 1)
    }

    /// Adds `count` to the number of kept elements and lengths, and returns whether the sum is within the limit.
    pub fn try_keep(&mut self, count: usize) -> bool {
        self.kept_count = self.kept_count.saturating_add(count);
        self.kept_count <= MAX_KEPT_NUMBERS
    }

    /// Adds a node.
    ///
    /// # Errors
    ///
    /// Returns an error if there are too many nodes, or if the nodes have too many inputs and outputs in total.
    pub fn add_node(&mut self, node: Node) -> Result<(), ModelError> {
        self.operand_count = self
            .operand_count
            .saturating_add(node.inputs.len())
            .saturating_add(node.outputs.len());
        if self.nodes.len() >= MAX_NODES || self.operand_count > MAX_VALUES {
            let limits = format!(
                "more than {MAX_NODES} nodes, or more than {MAX_VALUES} inputs and outputs"
            );
            return Err(format!("the model has {limits}").into());
        }
        self.nodes.push(node);
        Ok(())
    }

    /// Returns, for each value, the indices of the nodes that consume it.
    pub fn consumers(&self) -> Vec<Vec<usize>> {
        let mut consumers = vec![Vec::new(); self.values.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for &input in node.inputs.iter().flatten() {
                consumers[input].push(at);
            }
        }
        consumers
    }

    /// Returns, for each value, the index of the node that produces it, if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if two nodes produce the same value.
    pub fn producers(&self) -> Result<Vec<Option<usize>>, ModelError> {
        let mut producers = vec![None; self.values.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for &output in node.outputs.iter().flatten() {
                if let Some(first) = producers[output].replace(at) {
                    let (name, first) = (&self.values[output].name, &self.nodes[first].name);
                    return Err(format!(
                        "nodes {first:?} and {:?} both produce the value {name:?}",
                        node.name
                    )
                    .into());
                }
            }
        }
        Ok(producers)
    }

    /// Sorts the nodes topologically, unless they are sorted already. Nodes in cycles, and nodes that depend on nodes
    /// in cycles, come last.
    ///
    /// # Errors
    ///
    /// Returns an error if two nodes produce the same value.
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
