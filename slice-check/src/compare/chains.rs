//! Finds the chains of slices of a model, and compares the chains of two models.

use std::sync::Arc;

use serde::Serialize;
use slice_core::{DynSliceSpec, Item};

use super::data_flow::label;
use crate::model::arithmetic::Arithmetic;
use crate::model::kind::{Argument, Kind, Select};
use crate::model::steps::{HashMap, HashSet};
use crate::model::{Consumers, Graph, Node, ValueId, infer, number, select, steps};
use crate::report::{Report, ReportedSlice};
use crate::{Model, ModelError, ModelErrorKind};

/// The maximum number of slices in a chain.
const MAX_SLICES_PER_CHAIN: usize = 64;

/// A chain of one or more consecutive slices, each of which slices the result of the previous one. The result of the
/// chain is an output of the model, is unused, or is used by an operation that is not a slice.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
/// use slice_check::compare::compare;
///
/// let text = "func.func @main(%x: tensor<8xf32>) -> tensor<2xf32> {
///   %0 = stablehlo.slice %x [2:8] : (tensor<8xf32>) -> tensor<6xf32>
///   %1 = stablehlo.slice %0 [0:6:3] : (tensor<6xf32>) -> tensor<2xf32>
///   return %1 : tensor<2xf32>
/// }";
/// let model = Model::from_bytes(text.into())?;
/// let [chains, _] = compare(&model, &model)?.slices;
/// assert_eq!(chains.len(), 1);
/// assert_eq!(chains[0].slice, "x[2::3]");
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Chain {
    /// The index of the chain's last slice among the operations of the report.
    pub operation: usize,
    /// The chain as one slice, or the individual slices in order if they cannot be combined into one.
    pub slice: String,
    /// The shape of the sliced array.
    pub input_shape: Option<Arc<[number::Dim]>>,
    /// The shape of the result.
    pub output_shape: Option<Arc<[number::Dim]>>,
    /// The operations that use the result, each with the position of the result among their inputs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// The slices, of which consecutive ones are combined if possible.
    #[serde(skip)]
    segments: Vec<Segment>,
}

impl Chain {
    /// Returns `true` if, as far as is known, both chains select the same elements. Axes of length 1 in the results are
    /// ignored, because one model may drop an axis with an index, and the other may drop it later.
    pub(super) fn matches(&self, other: &Chain, comparisons: &mut Comparisons) -> bool {
        let inputs = match (&self.input_shape, &other.input_shape) {
            (Some(one), Some(other)) => number::may_be_equal(one, other),
            _ => true,
        };
        let is_longer = |length: &&number::Dim| length.known() != Some(1);
        let outputs = match (&self.output_shape, &other.output_shape) {
            (Some(one), Some(other)) => {
                let (one, other) = [one, other]
                    .map(|shape| shape.iter().filter(is_longer))
                    .into();
                // Results with different numbers of axes may match, because an unknown length may be 1.
                one.clone().count() != other.clone().count()
                    || one.zip(other).all(|(one, other)| one.agrees(other))
            }
            _ => true,
        };
        let is_empty = |chain: &Chain| {
            let shape = chain.output_shape.iter().flat_map(|shape| &shape[..]);
            shape.into_iter().any(|length| length.known() == Some(0))
        };
        let select_nothing = is_empty(self) && is_empty(other);
        inputs
            && outputs
            && (self.slice == other.slice
                || select_nothing
                || self.selects_same_as(other, comparisons))
    }

    /// Returns `true` if both chains match and have the same uses.
    pub(super) fn matches_with_uses(&self, other: &Chain, comparisons: &mut Comparisons) -> bool {
        self.uses == other.uses && self.matches(other, comparisons)
    }

    /// Returns `true` if all segments of both chains select the same elements.
    fn selects_same_as(&self, other: &Chain, comparisons: &mut Comparisons) -> bool {
        // Slices of ranges are compared together, because a range may be part of either of two consecutive slices.
        fn parts(chain: &Chain) -> Vec<&[Segment]> {
            let are_ranges = |one: &Segment, next: &Segment| one.is_of_ranges && next.is_of_ranges;
            chain.segments.chunk_by(are_ranges).collect()
        }
        let (one, other) = (parts(self), parts(other));
        let mut pairs = one.iter().zip(&other);
        one.len() == other.len()
            && pairs.all(|(one, other)| select_the_same(one, other, comparisons))
    }
}

/// Returns `true` if both parts of chains consist of the same slices. Also returns `true` if the input shape of at least
/// one of the two is known, and both select the same elements for each input shape that agrees with the known lengths.
fn select_the_same(one: &[Segment], other: &[Segment], comparisons: &mut Comparisons) -> bool {
    let texts = one.iter().map(|segment| &segment.text);
    if texts.eq(other.iter().map(|segment| &segment.text)) {
        return true;
    }
    fn specs(part: &[Segment]) -> Option<Vec<&DynSliceSpec>> {
        part.iter().map(|segment| segment.spec.as_ref()).collect()
    }
    let (Some(one_specs), Some(other_specs)) = (specs(one), specs(other)) else {
        return false;
    };
    // A length that is known in one of the models is believed.
    let shape: Vec<number::Dim> = match (&one[0].shape, &other[0].shape) {
        (Some(one), Some(two)) if one.len() == two.len() => {
            let lengths = one.iter().zip(two.iter());
            let known = lengths.map(|(one, two)| if one.known().is_some() { one } else { two });
            known.cloned().collect()
        }
        (Some(shape), None) | (None, Some(shape)) => shape.to_vec(),
        _ => return false,
    };
    match (&one_specs[..], &other_specs[..], number::known(&shape)) {
        ([one], [other], Some(lengths)) => {
            let (one, two) = (one.resolve(&lengths), other.resolve(&lengths));
            one.is_ok_and(|one| {
                two.is_ok_and(|two| one.axes().is_ok_and(|axes| two.axes() == Ok(axes)))
            })
        }
        _ => select::are_equivalent(&one_specs, &other_specs, &shape, || comparisons.add()),
    }
}

/// Returns the chains of slices in a model. Omits chains that select everything, and chains that only add or remove
/// axes of length 1. Also omits slices of constants, because the other model may contain their results as constants.
/// Returns an error if the chains exceed the budget of the model. Many chains may repeat the text of the same slices.
pub(crate) fn chains(model: &Model, report: &Report) -> Result<Vec<Chain>, ModelError> {
    let mut budget = report.budget.clone();
    let graph = &model.graph;
    let consumers = graph.consumers();
    let reported_slices = &report.slices;
    let are_in_chains = are_in_chains(graph, reported_slices);
    let compared = || {
        let reported_slices = reported_slices.iter().enumerate();
        reported_slices.filter(|(at, _)| are_in_chains[*at])
    };
    let by_value: HashMap<ValueId, usize> = compared()
        .map(|(at, reported)| (reported.output_value, at))
        .collect();
    let mut slice_counts: HashMap<ValueId, usize> = HashMap::default();
    for (_, reported) in compared() {
        *slice_counts.entry(reported.input_value).or_default() +=
            usize::from(reported.part.is_none_or(|(part, _)| part == 1));
    }
    let has_unknown_output = graph.nodes_with_unknown_output();
    let mut chains = Vec::new();
    for (at, reported) in compared() {
        let consumer_count = consumers[reported.output_value]
            .iter()
            .filter(|&&consumer| has_unknown_output[consumer])
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
            let uses = uses(graph, &consumers, reported.output_value);
            let use_bytes = uses.iter().map(|text| size_of::<String>() + text.len());
            let text_bytes = 2 * chain.slice.len() + use_bytes.sum::<usize>();
            let segment_bytes: usize = chain.segments.iter().map(Segment::bytes).sum();
            budget.take(2 * size_of::<Chain>() + text_bytes + segment_bytes)?;
            chains.push(Chain { uses, ..chain });
        }
    }
    Ok(chains)
}

/// Returns whether an operation only adds or removes axes of length 1.
fn changes_axes(graph: &Graph, reported: &ReportedSlice) -> bool {
    let select = graph.nodes[reported.node].kind.as_select();
    select.is_some_and(Select::changes_only_axes)
}

/// Returns, for each operation, whether it may be part of a chain. An operation that adds or removes axes may be so if it
/// is directly before or after a slice. Slices that select everything are passed over, because the other model may not
/// contain them.
fn are_in_chains(graph: &Graph, reported_slices: &[ReportedSlice]) -> Vec<bool> {
    // The inputs of slices that select everything, by their results.
    let mut origins: HashMap<ValueId, ValueId> = HashMap::default();
    let origin = |origins: &HashMap<ValueId, ValueId>, value: ValueId| {
        origins.get(&value).copied().unwrap_or(value)
    };
    // The inputs and results of the other slices.
    let mut sliced: HashSet<ValueId> = HashSet::default();
    for reported in reported_slices {
        let input = origin(&origins, reported.input_value);
        if reported.does_nothing {
            origins.insert(reported.output_value, input);
        } else if !changes_axes(graph, reported) {
            sliced.extend([input, reported.output_value]);
        }
    }
    let is_beside_slice = |reported: &ReportedSlice| {
        let input = origin(&origins, reported.input_value);
        sliced.contains(&input) || sliced.contains(&reported.output_value)
    };
    reported_slices
        .iter()
        .map(|reported| !changes_axes(graph, reported) || is_beside_slice(reported))
        .collect()
}

/// The maximum number of consecutive operations that are passed over to find the uses of a value.
const MAX_PASSED_OPERATIONS: usize = 8;
/// The maximum number of operations that are passed over in total to find the uses of a value.
const MAX_VISITED_VALUES: usize = 64;
/// The maximum number of uses of a value that are described.
const MAX_USES: usize = 16;

/// Describes the operations that use a value, in alphabetical order. Passes over operations that keep all elements in
/// their order.
fn uses(graph: &Graph, consumers: &Consumers, value: ValueId) -> Vec<String> {
    let mut uses = Vec::new();
    let mut pending = vec![(value, 0)];
    let mut visited_values = 0;
    while let Some((value, passed)) = pending.pop() {
        visited_values += 1;
        if visited_values > MAX_VISITED_VALUES {
            break;
        }
        for &consumer in consumers[value].iter().take(MAX_USES) {
            steps::count(1);
            let node = &graph.nodes[consumer];
            match (&node.kind, node.outputs.first()) {
                (
                    Kind::Identity | Kind::Reshape { .. } | Kind::Reshaped | Kind::Flatten { .. },
                    Some(&Some(output)),
                ) if passed < MAX_PASSED_OPERATIONS => {
                    pending.push((output, passed + 1));
                }
                _ if uses.len() < MAX_USES => uses.push(describe_use(graph, node, value)),
                _ => {}
            }
        }
    }
    uses.sort();
    uses
}

/// The maximum number of inputs of an operation among which the position of a value is determined.
const MAX_INPUTS: usize = 1000;

/// Describes the use of a value by a node.
fn describe_use(graph: &Graph, node: &Node, value: ValueId) -> String {
    let axis_text = |axis: Option<i64>| {
        let output = node.output(0);
        let rank = graph.shape(output).map(<[number::Dim]>::len);
        let index = axis.zip(rank);
        let index = index.and_then(|(axis, rank)| slice_core::resolve::index(axis, rank));
        index.map_or(String::new(), |axis| format!(" along axis {axis}"))
    };
    let (name, axis, axis_input) = match &node.kind {
        Kind::Concat { axis } => {
            let axis_name = axis_text(infer::concat_axis(graph, node, axis));
            ("a concatenation".to_owned(), axis_name, axis)
        }
        Kind::Pack { axis } => (
            "a stack".to_owned(),
            axis_text(Some(*axis)),
            &Argument::Absent,
        ),
        _ => (label(&node.operation), String::new(), &Argument::Absent),
    };
    let mut inputs = infer::parts(node, axis_input);
    let count = node.inputs.len() - usize::from(node.input_of(axis_input).is_some());
    let is_exchangeable = matches!(
        node.kind,
        Kind::Arithmetic(
            Arithmetic::Add | Arithmetic::Multiply | Arithmetic::Minimum | Arithmetic::Maximum
        )
    );
    let has_position = (2..=MAX_INPUTS).contains(&count) && !is_exchangeable;
    let position = has_position.then(|| inputs.position(|input| input == Some(value)));
    match position.flatten() {
        Some(position) => format!("input {} of {count} of {name}{axis}", position + 1),
        None => format!("input of {name}{axis}"),
    }
}

/// A segment of a chain: one slice, or several consecutive slices merged into one slice.
#[derive(Clone, Debug)]
struct Segment {
    spec: Option<DynSliceSpec>,
    /// Whether all items are ranges.
    is_of_ranges: bool,
    /// The shape of the sliced array.
    shape: Option<Arc<[number::Dim]>>,
    /// The slice, including its brackets. If the shape is known, equal selections have the same text.
    text: String,
}

impl Segment {
    fn new(reported: &ReportedSlice) -> Self {
        let slice = reported.slice.as_deref();
        let slice = slice.and_then(|slice| slice.strip_prefix('x'));
        Segment {
            spec: reported.spec_for_every_or_this_shape(),
            is_of_ranges: false,
            shape: reported.input_shape.clone(),
            text: slice.unwrap_or("[?]").to_owned(),
        }
    }

    /// Appends a slice. Returns `false` if the slices cannot be combined into one slice.
    fn merge(&mut self, next: &Segment) -> bool {
        let (Some(spec), Some(next), Some(shape)) = (&self.spec, &next.spec, &self.shape) else {
            return false;
        };
        let merged = select::compose(spec, next, shape);
        let is_merged = merged.is_some();
        self.spec = merged.or(self.spec.take());
        is_merged
    }

    /// Sets the properties that depend on the merged slice.
    fn finish(&mut self) {
        let ranges = |shape: &[number::Dim]| select::ranges(self.spec.as_ref()?, shape.len());
        self.is_of_ranges = self.shape.as_deref().and_then(ranges).is_some();
        let lengths = self.shape.as_deref().and_then(number::known);
        let selection = lengths.and_then(|lengths| self.spec.as_ref()?.resolve(&lengths).ok());
        let python_slice = selection.as_ref().and_then(select::spec_of);
        match (python_slice, &self.spec, &self.shape) {
            (Some(python_slice), ..) => self.text = format!("[{python_slice}]"),
            (_, Some(spec), Some(shape)) => {
                self.text = format!("[{}]", select::normalized(spec, shape));
            }
            (_, Some(spec), None) => self.text = format!("[{spec}]"),
            (_, None, _) => {}
        }
    }

    /// Returns the size of this segment, without its text, in bytes.
    fn bytes(&self) -> usize {
        let items = self.spec.iter().flat_map(DynSliceSpec::items).count();
        size_of::<Self>() + items * size_of::<Item>()
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
    chain
        .iter()
        .find(|reported| !changes_axes(graph, reported))?;
    let mut segments: Vec<Segment> = Vec::new();
    for reported in &chain {
        let segment = Segment::new(reported);
        if !segments.last_mut().is_some_and(|last| last.merge(&segment)) {
            segments.push(segment);
        }
    }
    segments.iter_mut().for_each(Segment::finish);
    if let [all] = &segments[..]
        && let Some(spec) = &all.spec
        && select::is_whole(spec, all.shape.as_deref())
    {
        return None;
    }
    let texts: Vec<&str> = segments.iter().map(|segment| &segment.text[..]).collect();
    let slice = format!("x{}", texts.concat());
    Some(Chain {
        operation: last,
        slice,
        segments,
        input_shape: first.input_shape.clone(),
        output_shape: reported_slices[last].output_shape.clone(),
        uses: Vec::new(),
    })
}

/// Returns whether the chains of the two models match in order. Returns an error if there are too many chains to compare.
pub(super) fn match_in_order(one: &[Chain], other: &[Chain]) -> Result<bool, ModelError> {
    let mut comparisons = Comparisons::default();
    let mut pairs = one.iter().zip(other);
    let all_match = pairs.all(|(one, other)| one.matches(other, &mut comparisons));
    comparisons.check()?;
    Ok(all_match && one.len() == other.len())
}

/// The number of pairs of chains that have been compared, plus the number of axis lengths for which they have been
/// compared.
#[derive(Default)]
pub(super) struct Comparisons(usize);

impl Comparisons {
    const MAX: usize = 10_000_000;

    /// Counts one more comparison. Returns whether the limit permits it.
    fn add(&mut self) -> bool {
        self.0 += 1;
        self.0 <= Self::MAX
    }

    fn check(&self) -> Result<(), ModelError> {
        match self.0 <= Self::MAX {
            true => Ok(()),
            false => {
                let message = "the models have too many different slices to compare";
                Err(ModelErrorKind::TooLarge.error(message))
            }
        }
    }
}

/// Returns the index of the first chain of each model that matches no chain of the other model. Order and repetitions
/// are ignored, because models may order their operations differently. Returns an error if there are too many chains to
/// compare.
pub(super) fn first_missing(
    one: &[Chain],
    other: &[Chain],
    matches: fn(&Chain, &Chain, &mut Comparisons) -> bool,
) -> Result<[Option<usize>; 2], ModelError> {
    let mut comparisons = Comparisons::default();
    let mut missing = |these: &[Chain], others: &[Chain]| -> Result<Option<usize>, ModelError> {
        let distinct = distinct_chains(others);
        let mut by_slice: HashMap<&str, Vec<&Chain>> = HashMap::default();
        for &chain in &distinct {
            by_slice.entry(&chain.slice).or_default().push(chain);
        }
        let first_indices = distinct_chains(these);
        for chain in first_indices {
            let written_equally = by_slice.get(&chain.slice[..]).into_iter().flatten();
            let mut candidates = written_equally.chain(&distinct);
            let is_found = candidates
                .any(|candidate| comparisons.add() && matches(chain, candidate, &mut comparisons));
            comparisons.check()?;
            if !is_found {
                return Ok(these.iter().position(|other| std::ptr::eq(other, chain)));
            }
        }
        Ok(None)
    };
    Ok([missing(one, other)?, missing(other, one)?])
}

/// Returns the first of each group of chains with equal slices, shapes and uses.
fn distinct_chains(chains: &[Chain]) -> Vec<&Chain> {
    let shape = |shape: &Option<Arc<[number::Dim]>>| shape.as_deref().map(number::shape_text);
    let mut known = HashSet::default();
    let mut distinct = Vec::new();
    for chain in chains {
        let shapes = (shape(&chain.input_shape), shape(&chain.output_shape));
        if known.insert((&chain.slice, shapes, &chain.uses)) {
            distinct.push(chain);
        }
    }
    distinct
}

/// Returns `true` if both models have the same chains, ignoring order and repetitions.
pub(crate) fn same_in_any_order(one: &[Chain], other: &[Chain]) -> bool {
    first_missing(one, other, Chain::matches).is_ok_and(|missing| missing == [None, None])
}
