//! A model as far as its slices need it: nodes, which values they take and make, small constants, shapes.
//!
//! A reader for each format makes a [`Graph`] of it; nothing after that knows the format. What a file claims is compared with
//! what it has, and there is a limit on everything that is kept, so that memory is bounded by the file's length and these
//! limits.

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
pub mod select;
mod stablehlo;
mod tensorflow;
pub mod wire;

use std::collections::VecDeque;
use std::fmt;

pub use kind::Kind;
pub use number::{Constant, Dim};

/// The most nodes that are kept.
const MOST_NODES: usize = 500_000;
/// The most values, and the most names of values that nodes take and make.
const MOST_VALUES: usize = 2_000_000;

/// The most elements of constants and lengths of axes that are kept.
const MOST_KEPT: usize = 8_000_000;

/// Why a model cannot be read.
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

/// A value of a graph, by its place in [`Graph::values`].
pub type ValueId = usize;

/// Input or output of a node.
#[derive(Clone, Debug, Default)]
pub struct Value {
    /// The name that the model gives it.
    pub name: String,
    /// The shape that the model says, or that follows.
    pub shape: Option<Vec<Dim>>,
    /// Whether the model says the shape.
    pub is_said: bool,
    /// Its elements, if it is a small constant of integers.
    pub constant: Option<Constant>,
    /// Whether it is the same whatever the model is given.
    pub is_constant: bool,
    /// Whether the model returns it.
    pub is_output: bool,
}

/// An operation of a model.
#[derive(Clone, Debug)]
pub struct Node {
    /// The name that the model gives it.
    pub name: String,
    /// The format's name of the operation.
    pub operation: String,
    /// The byte of the file where it begins, its line, or its number.
    pub at: usize,
    /// The graph inside others, empty for that of the model.
    pub scope: String,
    /// The values it takes; an input that is left out is none.
    pub inputs: Vec<Option<ValueId>>,
    /// The values it makes.
    pub outputs: Vec<Option<ValueId>>,
    /// Its kind.
    pub kind: Kind,
}

/// A way to say where a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unit {
    /// By the byte of the file.
    #[default]
    Byte,
    /// By the line of the file, counted from 1.
    Line,
    /// By the number of the node in the file, counted from 0.
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
    /// The format, its version, and who wrote it.
    pub about: String,
    /// The folder of the system whose operations these are.
    pub system: &'static str,
    /// Counted by [`Node::at`].
    pub unit: Unit,
    /// All values.
    pub values: Vec<Value>,
    /// All nodes; after [`Graph::sort`] each comes after those whose values it takes.
    pub nodes: Vec<Node>,
    /// How many of the nodes, the last ones, take values of each other in a circle.
    pub in_circles: usize,
    names: usize,
    kept: usize,
}

impl Graph {
    /// Adds a value.
    ///
    /// # Errors
    ///
    /// If there are too many.
    pub fn add_value(&mut self, name: &str) -> Result<ValueId, ModelError> {
        if self.values.len() >= MOST_VALUES {
            return Err(format!("the model has more than {MOST_VALUES} values").into());
        }
        self.values.push(Value {
            name: name.into(),
            ..Value::default()
        });
        Ok(self.values.len() - 1)
    }

    /// Whether so many more elements or lengths are kept; they count from now on.
    pub fn keeps(&mut self, count: usize) -> bool {
        self.kept = self.kept.saturating_add(count);
        self.kept <= MOST_KEPT
    }

    /// Adds a node.
    ///
    /// # Errors
    ///
    /// If there are too many nodes, or too many inputs and outputs of nodes.
    pub fn add_node(&mut self, node: Node) -> Result<(), ModelError> {
        self.names = self
            .names
            .saturating_add(node.inputs.len())
            .saturating_add(node.outputs.len());
        if self.nodes.len() >= MOST_NODES || self.names > MOST_VALUES {
            let limits = format!(
                "more than {MOST_NODES} nodes, or {MOST_VALUES} inputs and outputs of nodes"
            );
            return Err(format!("the model has {limits}").into());
        }
        self.nodes.push(node);
        Ok(())
    }

    /// For each value, the nodes that take it.
    pub fn consumers(&self) -> Vec<Vec<usize>> {
        let mut consumers = vec![Vec::new(); self.values.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for &input in node.inputs.iter().flatten() {
                consumers[input].push(at);
            }
        }
        consumers
    }

    /// For each value, the node that makes it.
    ///
    /// # Errors
    ///
    /// If two nodes make the same value.
    pub fn producers(&self) -> Result<Vec<Option<usize>>, ModelError> {
        let mut producers = vec![None; self.values.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            for &output in node.outputs.iter().flatten() {
                if let Some(first) = producers[output].replace(at) {
                    let (name, first) = (&self.values[output].name, &self.nodes[first].name);
                    return Err(format!(
                        "two nodes, {first:?} and {:?}, make the value {name:?}",
                        node.name
                    )
                    .into());
                }
            }
        }
        Ok(producers)
    }

    /// Sorts the nodes: each comes after those whose values it takes, and otherwise they stay in their order. Those in circles,
    /// and those behind them, are the last ones.
    ///
    /// # Errors
    ///
    /// If two nodes make the same value.
    pub fn sort(&mut self) -> Result<(), ModelError> {
        let producers = self.producers()?;
        let consumers = self.consumers();
        let made = |input: &&ValueId| producers[**input].is_some();
        let waits = |node: &Node| node.inputs.iter().flatten().filter(made).count();
        let mut waiting: Vec<usize> = self.nodes.iter().map(waits).collect();
        let is_sorted = self.nodes.iter().enumerate().all(|(at, node)| {
            let mut inputs = node.inputs.iter().flatten();
            inputs.all(|&input| producers[input].is_none_or(|producer| producer < at))
        });
        if is_sorted {
            return Ok(());
        }
        let mut ready: VecDeque<usize> = (0..self.nodes.len())
            .filter(|&at| waiting[at] == 0)
            .collect();
        let mut order = Vec::new();
        while let Some(at) = ready.pop_front() {
            order.push(at);
            for &output in self.nodes[at].outputs.iter().flatten() {
                for &consumer in &consumers[output] {
                    waiting[consumer] -= 1;
                    if waiting[consumer] == 0 {
                        ready.push_back(consumer);
                    }
                }
            }
        }
        self.in_circles = self.nodes.len() - order.len();
        order.extend((0..self.nodes.len()).filter(|&at| waiting[at] > 0));
        let mut nodes: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        self.nodes = order
            .into_iter()
            .filter_map(|at| nodes[at].take())
            .collect();
        Ok(())
    }
}
