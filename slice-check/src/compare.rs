//! Compares two models of the same network, and finds the first slice that differs.

use std::collections::HashMap;

use serde::Serialize;
use slice_core::DynSliceSpec;

use super::report::{Report, ReportedSlice};
use crate::model::kind::{Kind, Select};
use crate::model::{Consumers, Graph, ValueId, number, select};
use crate::{Model, ModelError};

/// The maximum number of slices in a chain.
const MAX_SLICES_PER_CHAIN: usize = 64;

/// A chain of one or more consecutive slices, each of which slices the result of the previous one. The result of the
/// chain is an output of the model, is unused, or is used by an operation that is not a slice.
#[derive(Clone, Debug, Serialize)]
pub struct Chain {
    /// The index of the chain's last slice among the operations of the report.
    pub operation: usize,
    /// The chain as one slice, or the individual slices in order if they cannot be combined into one.
    pub slice: String,
    /// The shape of the sliced array.
    pub input_shape: Option<super::report::Shape>,
    /// The shape of the result.
    pub output_shape: Option<super::report::Shape>,
    /// If a concatenation is the only user of the result: the 1-based position of the result among the inputs of the
    /// concatenation, and the number of these inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<(usize, usize)>,
    /// The chain as one slice, if its slices can be combined.
    #[serde(skip)]
    spec: Option<DynSliceSpec>,
}

impl Chain {
    /// Returns `true` if, as far as is known, both chains select the same elements. Axes of length 1 in the results are
    /// ignored, because one model may drop an axis with an index, and the other may drop it later.
    fn matches(&self, other: &Chain) -> bool {
        let inputs = match (&self.input_shape, &other.input_shape) {
            (Some(one), Some(other)) => may_be_equal(&one.0, &other.0),
            _ => true,
        };
        let longer_axes = |shape: &super::report::Shape| -> Vec<number::Dim> {
            let is_longer = |length: &&number::Dim| length.known() != Some(1);
            shape.0.iter().filter(is_longer).cloned().collect()
        };
        let outputs = match (&self.output_shape, &other.output_shape) {
            (Some(one), Some(other)) => {
                let (one, other) = (longer_axes(one), longer_axes(other));
                // Results with different numbers of axes may match, because an unknown length may be 1.
                one.len() != other.len() || may_be_equal(&one, &other)
            }
            _ => true,
        };
        inputs && outputs && (self.slice == other.slice || self.selects_same_as(other))
    }

    /// Returns `true` if, as far as is known, both chains select the same elements, and their results are not at
    /// different positions of concatenations with the same number of inputs.
    fn matches_where_joined(&self, other: &Chain) -> bool {
        let is_elsewhere = match (self.joined, other.joined) {
            (Some((one, count)), Some((other, other_count))) => {
                count == other_count && one != other
            }
            _ => false,
        };
        !is_elsewhere && self.matches(other)
    }

    /// Returns `true` if the input shape of at least one of the two chains is known, and both chains select the same
    /// elements for each input shape that agrees with the known lengths.
    fn selects_same_as(&self, other: &Chain) -> bool {
        let (Some(one), Some(two)) = (&self.spec, &other.spec) else {
            return false;
        };
        // A length that is known in one of the models is believed.
        let shape: Vec<number::Dim> = match (&self.input_shape, &other.input_shape) {
            (Some(one), Some(two)) if one.0.len() == two.0.len() => {
                let lengths = one.0.iter().zip(two.0.iter());
                let known = lengths.map(|(one, two)| if one.known().is_some() { one } else { two });
                known.cloned().collect()
            }
            (Some(shape), None) | (None, Some(shape)) => shape.0.to_vec(),
            _ => return false,
        };
        match number::known(&shape) {
            Some(lengths) => {
                let (one, two) = (one.resolve(&lengths), two.resolve(&lengths));
                one.is_ok_and(|one| {
                    two.is_ok_and(|two| one.axes().is_ok_and(|axes| two.axes() == Ok(axes)))
                })
            }
            None => select::are_equivalent(one, two, &shape),
        }
    }
}

/// Returns `true` if the two shapes may be equal.
fn may_be_equal(one: &[number::Dim], other: &[number::Dim]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.agrees(other))
}

/// Returns the chains of slices in a model. Omits chains that select everything, and chains that only add or remove
/// axes of length 1. Also omits slices of constants, because the other model may contain their results as constants.
///
/// # Errors
///
/// Returns an error if the chains exceed the budget of the model. Many chains may repeat the text of the same slices.
pub fn chains(model: &Model, report: &Report) -> Result<Vec<Chain>, ModelError> {
    let mut budget = report.budget.clone();
    let graph = &model.graph;
    let consumers = graph.consumers();
    let reported_slices = &report.operations;
    let by_value: HashMap<ValueId, usize> = reported_slices
        .iter()
        .enumerate()
        .map(|(at, reported)| (reported.output_value, at))
        .collect();
    let mut slice_counts: HashMap<ValueId, usize> = HashMap::new();
    for reported in reported_slices {
        *slice_counts.entry(reported.input_value).or_default() +=
            usize::from(reported.part.is_none_or(|(part, _)| part == 1));
    }
    let mut chains = Vec::new();
    for (at, reported) in reported_slices.iter().enumerate() {
        // An operation that computes a constant, such as a shape, does not depend on the selected elements.
        let depends = |&&consumer: &&usize| {
            let mut outputs = graph.nodes[consumer].outputs.iter().flatten();
            outputs.any(|&output| graph.values[output].constant.is_none())
        };
        let consumer_count = consumers[reported.output_value]
            .iter()
            .filter(depends)
            .count();
        let other_consumers = consumer_count
            - slice_counts
                .get(&reported.output_value)
                .copied()
                .unwrap_or(0)
                .min(consumer_count);
        let is_end = graph.values[reported.output_value].is_output
            || other_consumers > 0
            || consumer_count == 0;
        if is_end
            && !reported.has_constant_input
            && let Some(chain) = chain_ending_with(graph, reported_slices, &by_value, at)
        {
            let joined = concat_position(graph, &consumers, reported.output_value);
            budget.take(2 * size_of::<Chain>() + chain.slice.len())?;
            chains.push(Chain { joined, ..chain });
        }
    }
    Ok(chains)
}

/// If a concatenation is the only user of a value, returns the 1-based position of the value among the inputs of the
/// concatenation, and the number of these inputs.
fn concat_position(graph: &Graph, consumers: &Consumers, value: ValueId) -> Option<(usize, usize)> {
    let [consumer] = consumers[value][..] else {
        return None;
    };
    let node = &graph.nodes[consumer];
    let position = node.inputs.iter().position(|&input| input == Some(value))?;
    let is_join = matches!(node.kind, Kind::Concat { .. }) && node.inputs.len() > 1;
    is_join.then_some((position + 1, node.inputs.len()))
}

/// A segment of a chain: one slice, or several consecutive slices merged into one slice.
struct Segment<'a> {
    spec: Option<DynSliceSpec>,
    shape: Option<&'a [number::Dim]>,
    /// The first slice of the segment.
    first: &'a ReportedSlice,
}

impl Segment<'_> {
    /// Formats the slice, including its brackets. If the shape is known, equal selections are formatted identically.
    fn to_text(&self) -> String {
        let lengths = self.shape.and_then(number::known);
        let selection = match (&self.spec, lengths) {
            (Some(spec), Some(lengths)) => spec.resolve(&lengths).ok(),
            (None, _) => self.first.selection.clone(),
            _ => None,
        };
        let python_slice = selection
            .as_ref()
            .map(<DynSliceSpec as slice_systems::Operation>::from_selection);
        match (python_slice, &self.spec) {
            (Some(Ok(python_slice)), _) => format!("[{}]", python_slice.op),
            (_, Some(spec)) => match self.shape {
                Some(shape) => format!("[{}]", select::normalized(spec, shape)),
                None => format!("[{spec}]"),
            },
            _ => {
                let slice = self.first.slice.as_deref();
                let slice = slice.and_then(|slice| slice.strip_prefix('x'));
                slice.unwrap_or("[?]").to_owned()
            }
        }
    }
}

/// Returns the chain of slices that ends with the operation `last`. Returns `None` if the chain selects everything,
/// only adds or removes axes of length 1, or slices a constant and has no bounds that are known only at run time.
fn chain_ending_with(
    graph: &Graph,
    reported_slices: &[ReportedSlice],
    by_value: &HashMap<ValueId, usize>,
    last: usize,
) -> Option<Chain> {
    let mut chain = vec![last];
    // The length is limited because many chains may share their first slices, and because a graph may contain a cycle.
    while chain.len() < MAX_SLICES_PER_CHAIN
        && let Some(&previous) = chain
            .last()
            .and_then(|&at| by_value.get(&reported_slices[at].input_value))
    {
        chain.push(previous);
    }
    chain.reverse();
    let first = &reported_slices[*chain.first()?];
    let mut chain: Vec<&ReportedSlice> = chain.into_iter().map(|at| &reported_slices[at]).collect();
    // The result of the first slice is not marked as a constant if the bounds of the slice are computed from the shape
    // of an input. But if these bounds are known, the other model may still contain the result as a constant.
    if first.has_constant_input && chain.iter().all(|reported| reported.at_run_time.is_empty()) {
        return None;
    }
    chain.retain(|reported| !reported.does_nothing);
    // A chain that only adds or removes axes of length 1 is not a slice.
    let is_slice = |reported: &&&ReportedSlice| {
        let selects = graph.nodes[reported.node].kind.as_select();
        !matches!(
            selects,
            None | Some(Select::Squeeze { .. } | Select::Unsqueeze { .. })
        )
    };
    chain.iter().find(is_slice)?;
    let mut segments: Vec<Segment<'_>> = Vec::new();
    for reported in &chain {
        let shape = reported.input_shape.as_ref().map(|shape| &shape.0[..]);
        let spec = reported.spec_for_every_or_this_shape();
        let merged = segments.last().and_then(|segment| {
            let merged = select::compose(segment.spec.as_ref()?, spec.as_ref()?, segment.shape?)?;
            Some(Segment {
                spec: Some(merged),
                ..*segment
            })
        });
        match (merged, segments.last_mut()) {
            (Some(merged), Some(segment)) => *segment = merged,
            _ => segments.push(Segment {
                spec,
                shape,
                first: reported,
            }),
        }
    }
    let texts: Vec<String> = segments.iter().map(Segment::to_text).collect();
    let slice = format!("x{}", texts.concat());
    let merged_spec = match &segments[..] {
        [one] => one.spec.clone(),
        _ => None,
    };
    Some(Chain {
        operation: last,
        slice,
        spec: merged_spec,
        input_shape: first.input_shape.clone(),
        output_shape: reported_slices[last].output_shape.clone(),
        joined: None,
    })
}

/// Returns the index of the first chain that differs between the two models.
pub fn first_difference(one: &[Chain], other: &[Chain]) -> Option<usize> {
    let differ = |at: &usize| match (one.get(*at), other.get(*at)) {
        (Some(one), Some(other)) => !one.matches(other),
        _ => true,
    };
    (0..one.len().max(other.len())).find(differ)
}

/// Returns the index of the first chain of each model that the other model lacks. Order and repetitions are ignored,
/// because models of different formats may order their operations differently, but positions in concatenations are
/// compared. Returns `None` if a model has more than `MAX_SEARCHED_CHAINS` chains.
pub fn first_missing(one: &[Chain], other: &[Chain]) -> Option<[Option<usize>; 2]> {
    let are_few = one.len().max(other.len()) <= MAX_SEARCHED_CHAINS;
    let missing = |these: &[Chain], others: &[Chain]| {
        let mut these = these.iter();
        these.position(|chain| !others.iter().any(|other| chain.matches_where_joined(other)))
    };
    are_few.then(|| [missing(one, other), missing(other, one)])
}

/// The maximum number of chains of a model that are compared with all chains of the other model, to find a match at a
/// different index.
const MAX_SEARCHED_CHAINS: usize = 2000;

/// Returns `true` if both models have the same chains, ignoring order and repetitions. Returns `false` if more than
/// `MAX_SEARCHED_CHAINS` chains of a model differ from the chain at the same index in the other model.
pub fn same_in_any_order(one: &[Chain], other: &[Chain]) -> bool {
    let unmatched = |these: &[Chain], others: &[Chain]| {
        let matches_at_same_index = |(at, chain): &(usize, &Chain)| {
            others.get(*at).is_some_and(|other| chain.matches(other))
        };
        let unmatched: Vec<Chain> = these
            .iter()
            .enumerate()
            .filter(|one| !matches_at_same_index(one))
            .map(|(_, chain)| chain.clone())
            .collect();
        unmatched
    };
    let all_found = |unmatched: &[Chain], others: &[Chain]| {
        unmatched.len() <= MAX_SEARCHED_CHAINS
            && unmatched
                .iter()
                .all(|chain| others.iter().any(|other| chain.matches(other)))
    };
    all_found(&unmatched(one, other), other) && all_found(&unmatched(other, one), one)
}
