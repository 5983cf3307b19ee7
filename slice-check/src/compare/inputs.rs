//! Finds the common inputs of two models, and gives the axes of unknown length the same lengths in both.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::data_flow::{Evaluation, evaluate_model};
use super::element::{Mode, hash};
use crate::ModelError;
use crate::model::number::{self, Dim, Number};
use crate::model::steps::{HashMap, HashSet};
use crate::model::{Graph, Value, ValueId, fold, steps};

/// The least length that is given to an axis of unknown length. It exceeds most bounds in models.
const MIN_LENGTH: usize = 97;

/// The maximum number of inputs of another model among which the counterpart of an input is sought.
const MAX_CANDIDATES: usize = 1000;

/// Two models, and the hashes of their inputs, which are equal for inputs with the same name or position.
pub(super) struct Graphs<'a> {
    graphs: [Cow<'a, Graph>; 2],
    keys: [HashMap<ValueId, u64>; 2],
    /// Whether all lengths of the inputs are known.
    pub lengths_are_known: bool,
}

impl Graphs<'_> {
    pub(super) fn graph(&self, at: usize) -> &Graph {
        &self.graphs[at]
    }

    /// Evaluates both models. Returns `None` if a model is too large.
    pub(super) fn evaluate(&self, mode: Mode, is_same_format: bool) -> Option<[Evaluation; 2]> {
        let evaluation =
            |at: usize| evaluate_model(&self.graphs[at], mode, &self.keys[at], is_same_format);
        Some([evaluation(0)?, evaluation(1)?])
    }
}

/// Returns the inputs of a model and of its nested graphs.
fn inputs(graph: &Graph) -> Vec<ValueId> {
    let mut is_produced = vec![false; graph.values.len()];
    for node in &graph.nodes {
        // In two formats, the inputs of the model are nodes. Other nodes without inputs return constants.
        let is_input = ["Placeholder", "Parameter"].contains(&&node.operation[..]);
        for &output in node.outputs.iter().flatten() {
            is_produced[output] = !is_input;
        }
    }
    let is_input = |&value: &ValueId| {
        let described = &graph.values[value];
        !is_produced[value] && !described.is_constant && described.constant.is_none()
    };
    (0..graph.values.len()).filter(is_input).collect()
}

/// Returns the two models with the same lengths for the axes of their common inputs.
pub(super) fn with_equal_lengths<'a>(
    one: &'a Graph,
    other: &'a Graph,
) -> Result<Graphs<'a>, ModelError> {
    let graphs = [one, other];
    let inputs = graphs.map(inputs);
    let names = [0, 1].map(|at| -> HashSet<&str> {
        let names = inputs[at]
            .iter()
            .map(|&value| &graphs[at].values[value].name[..]);
        names.collect()
    });
    let keys = [0, 1].map(|at| {
        let mut counts: HashMap<Option<usize>, usize> = HashMap::default();
        let key = |&value: &ValueId| {
            let described = &graphs[at].values[value];
            let rank = described.shape.as_ref().map(|shape| shape.len());
            let key = match names[1 - at].contains(&described.name[..]) {
                true => hash(&described.name),
                false => {
                    let count = counts.entry(rank).or_default();
                    *count += 1;
                    hash(&(rank, *count))
                }
            };
            (value, key)
        };
        let keys: HashMap<ValueId, u64> = inputs[at].iter().map(key).collect();
        keys
    });
    let shapes = [0, 1].map(|at| {
        let shape =
            |(&value, &key): (&ValueId, &u64)| Some((key, graphs[at].values[value].shape.clone()?));
        let shapes: BTreeMap<u64, Arc<[Dim]>> = keys[at].iter().filter_map(shape).collect();
        shapes
    });
    let with_lengths =
        |at: usize| with_lengths_of(graphs[at], &inputs[at], &keys[at], &shapes[1 - at]);
    let lengths_are_known = (0..2).all(|at| {
        let mut inputs = inputs[at].iter();
        !inputs.any(|&value| is_unknown(&graphs[at].values[value]))
    });
    Ok(Graphs {
        graphs: [with_lengths(0)?, with_lengths(1)?],
        keys,
        lengths_are_known,
    })
}

/// Returns `true` if the model states the rank of a value, but not all lengths.
fn is_unknown(value: &Value) -> bool {
    value
        .shape
        .as_ref()
        .is_some_and(|shape| number::known(shape).is_none())
}

/// Gives each unknown length of an input the length in the other model, or a length that depends only on the input and
/// the axis.
fn with_lengths_of<'a>(
    graph: &'a Graph,
    inputs: &[ValueId],
    keys: &HashMap<ValueId, u64>,
    other_shapes: &BTreeMap<u64, Arc<[Dim]>>,
) -> Result<Cow<'a, Graph>, ModelError> {
    if !graph.values.iter().any(is_unknown) {
        return Ok(Cow::Borrowed(graph));
    }
    let mut graph = graph.clone();
    let mut named: HashMap<Arc<str>, usize> = HashMap::default();
    for input in inputs {
        let value = &mut graph.values[*input];
        let (Some(shape), key) = (&value.shape, keys[input]) else {
            continue;
        };
        let may_be_equal = |other: &&Arc<[Dim]>| {
            steps::count(1);
            number::may_be_equal(shape, other)
        };
        let other = other_shapes.get(&key);
        let mut candidates = other_shapes.values().take(MAX_CANDIDATES);
        let other = other.or_else(|| candidates.find(may_be_equal));
        let with_length = |(axis, length): (usize, &Dim)| {
            let other = other.and_then(|shape| shape.get(axis)?.known());
            let new = || other.unwrap_or(MIN_LENGTH + (hash(&(key, axis)) % 16) as usize);
            Dim::Known(match length {
                Dim::Known(length) => *length,
                Dim::Named(name) => *named.entry(Arc::clone(name)).or_insert_with(new),
                Dim::Unknown => new(),
            })
        };
        value.shape = Some(shape.iter().enumerate().map(with_length).collect());
    }
    // All other lengths are inferred again.
    for value in &mut graph.values {
        if is_unknown(value)
            && let Some(shape) = value.shape.take()
        {
            let length = |length: &Dim| match length {
                Dim::Known(length) => Some(*length),
                Dim::Named(name) => named.get(name).copied(),
                Dim::Unknown => None,
            };
            let lengths = shape.iter().map(|one| length(one).map(Dim::Known));
            value.shape = lengths.collect();
        }
        if let Some(mut constant) = value
            .constant
            .take_if(|constant| constant.known().is_none())
        {
            let number = |number: &Number| match number {
                Number::Length(name) => i64::try_from(*named.get(name)?).ok(),
                number => number.known(),
            };
            let numbers = constant
                .elements
                .iter()
                .map(|one| number(one).map(Number::Known));
            if let Some(elements) = numbers.collect() {
                constant.elements = elements;
                value.constant = Some(constant);
            }
        }
    }
    fold::fold(&mut graph)?;
    Ok(Cow::Owned(graph))
}
