//! Rewrites the slices of an ONNX model: resolves their bounds, removes slices that select everything, and merges
//! nested slices.
//!
//! Only the main graph is changed, not its nested graphs; all other bytes are copied.

mod edits;

use std::sync::Arc;

use serde::Serialize;
use slice_core::{AxisRange, DynSliceSpec, Item};
use slice_systems::onnx::{self, OnnxPlan};

use edits::Edits;

use super::report::{Report, ReportedSlice};
use crate::model::infer::{infer, is_contradictory};
use crate::model::kind::{Kind, Select};
use crate::model::number::{Dim, may_be_equal, shape_text};
use crate::model::select::{self, Undetermined};
use crate::model::steps::{HashMap, HashSet};
use crate::model::{Graph, ModelError, ModelErrorKind, ValueId};

/// A change to a slice, with the new slice.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
/// use slice_check::fix::ChangeKind;
///
/// let model = Model::read("tests/models/sentinels.onnx".as_ref())?;
/// let (_, changes) = model.fix(&model.check(&[])?)?;
/// assert_eq!(changes[0].name, "columns");
/// let merged = "Slice-13(x, starts=[0, 0], ends=[8, 8], axes=[2, 3], steps=[2, 2])";
/// assert_eq!(changes[0].call.as_deref(), Some(merged));
/// let kinds: Vec<ChangeKind> = changes.iter().map(|change| change.done).collect();
/// assert_eq!(kinds, [ChangeKind::Merged, ChangeKind::Removed, ChangeKind::Resolved]);
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// The name of the node.
    pub name: String,
    /// The kind of change.
    pub done: ChangeKind,
    /// The new slice in ONNX's notation, unless the slice was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// The kind of change to a slice. The example of [`Change`] shows three kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// The bounds were resolved for the shape of the input.
    Resolved,
    /// The slice was merged with the one before it.
    Merged,
    /// The slice selected everything, by itself or with the slices before it, and was removed. If its result is an output
    /// of the model, the result is copied by an `Identity`.
    Removed,
}

/// The message of the error for a rewritten model whose slices differ from those of the model.
pub(crate) const SELECTS_DIFFERENTLY: &str = "the fixed model would select different elements";

/// A slice of the model, with the changes so far.
struct RewrittenSlice {
    node: usize,
    input: ValueId,
    spec: DynSliceSpec,
    shape: Arc<[Dim]>,
    change: Option<ChangeKind>,
    /// Whether the node is no longer needed.
    is_unneeded: bool,
}

/// Returns the rewritten model, and the changes to its slices. Returns an error if the model is not a valid ONNX model, or if
/// there is no operator for a slice into which two slices were merged.
pub(crate) fn rewrite(
    bytes: &[u8],
    graph: &Graph,
    report: &Report,
) -> Result<(Vec<u8>, Vec<Change>), ModelError> {
    let mut rewrites = SliceRewrites::new(graph);
    for reported in &report.slices {
        rewrites.add(reported);
    }
    let mut edits = Edits::new(graph, &rewrites.replaced);
    let mut changes = Vec::new();
    for slice in &rewrites.slices {
        let node = &graph.nodes[slice.node];
        let mut change = Change {
            name: match &node.name {
                name if name.is_empty() => format!("the {} at byte {}", node.operation, node.at),
                name => name.to_string(),
            },
            done: slice.change.unwrap_or(ChangeKind::Resolved),
            call: None,
        };
        let source = rewrites.source(slice.input);
        if slice.is_unneeded {
            edits.omitted_nodes.insert(slice.node);
        } else if slice.change == Some(ChangeKind::Removed) {
            edits.slices.insert(slice.node, (source, None));
        } else if let Some(operator) = rewrites.new_operator(slice) {
            change.call = Some(operator.to_string());
            edits.slices.insert(slice.node, (source, Some(operator)));
        } else if slice.change == Some(ChangeKind::Merged) {
            // The node would still read the output of the first slice, whose node is omitted.
            return Err(ModelErrorKind::Unsupported.error(SELECTS_DIFFERENTLY));
        }
        let is_changed = change.call.is_some() || slice.change == Some(ChangeKind::Removed);
        if is_changed {
            changes.push(change);
        }
    }
    edits.omit_unused_constants();
    Ok((edits.write(bytes)?, changes))
}

/// Checks that the shapes in a rewritten model do not contradict each other. ONNX Runtime overlooks a contradiction if
/// it cannot infer the shapes, but may infer them in the rewritten model, and would then refuse it. `report` is the
/// report on the original model; its mistakes are not reported again. Returns an error if there is a contradiction.
pub(crate) fn check_shapes(graph: &Graph, report: &Report) -> Result<(), ModelError> {
    let wrong = report
        .slices
        .iter()
        .filter(|reported| !reported.mistakes.is_empty());
    let wrong: HashSet<&str> = wrong.map(|reported| &reported.output[..]).collect();
    let is_reported = |value: ValueId| wrong.contains(&graph.values[value].name[..]);
    for node in &graph.nodes {
        if node
            .outputs
            .iter()
            .flatten()
            .any(|&output| is_reported(output))
        {
            continue;
        }
        let shape = graph.shape(node.input(0));
        let is_invalid = |select: &Select| {
            let mut outputs = 0..node.outputs.len();
            outputs.any(|at| {
                let selected = select::selected(graph, node, select, at, shape);
                matches!(selected, Err(Undetermined::Mistake(_)))
            })
        };
        if is_contradictory(graph, node) || node.kind.as_select().is_some_and(is_invalid) {
            let location = format!("the {} at byte {}", node.operation, node.at);
            return Err(ModelError::invalid(match node.kind {
                Kind::Branches { .. } => {
                    format!("the branches of {location} may return arrays of different shapes")
                }
                _ => format!("the shapes of the inputs of {location} contradict each other"),
            }));
        }
        for (at, &output) in node.outputs.iter().enumerate() {
            let value = output.map(|output| &graph.values[output]);
            // The shape of a constant is known, and ONNX Runtime allocates each output of the model by itself.
            let value = value.filter(|value| value.constant.is_none() && !value.is_output);
            let declared = value.and_then(|value| value.declared.as_deref());
            let inferred = infer(graph, node, at);
            if let (Some(inferred), Some(declared)) = (inferred, declared)
                && becomes_complete(&inferred, declared)
            {
                let declared = shape_text(declared);
                return Err(ModelError::invalid(format!(
                    "output {at} of the {} at byte {} is declared with the shape {declared}, which cannot be checked",
                    node.operation, node.at
                )));
            }
        }
    }
    let values = graph.values.iter().enumerate();
    for (_, value) in values.filter(|(at, _)| !is_reported(*at)) {
        let (Some(shape), Some(declared)) = (&value.shape, &value.declared) else {
            continue;
        };
        if !may_be_equal(shape, declared) {
            let (declared, shape) = (shape_text(declared), shape_text(shape));
            let name = &value.name;
            return Err(ModelError::invalid(format!(
                "the model declares the shape {declared} for {name:?}, but the shape is {shape}"
            )));
        }
    }
    Ok(())
}

/// Returns whether a declared shape has the lengths that cannot be inferred. ONNX Runtime allocates memory for these
/// lengths without checking them, and refuses to run a node that uses this memory if a declared length is wrong. The
/// rewritten model may use memory in another order than the original model.
fn becomes_complete(inferred: &[Dim], declared: &[Dim]) -> bool {
    let is_known = |length: &Dim| length.known().is_some();
    let mut lengths = inferred.iter().zip(declared);
    inferred.len() == declared.len()
        && lengths.all(|(one, other)| is_known(one) || is_known(other))
        && !inferred.iter().all(is_known)
}

struct SliceRewrites<'a> {
    graph: &'a Graph,
    slices: Vec<RewrittenSlice>,
    /// The slice that produces each value.
    by_value: HashMap<ValueId, usize>,
    /// The replacements of removed values.
    replaced: HashMap<ValueId, ValueId>,
    /// The number of consumers of each value.
    consumer_counts: Vec<usize>,
    /// The values whose elements are used.
    used: HashSet<ValueId>,
    /// The values used by nested graphs.
    used_by_nested_graphs: HashSet<ValueId>,
    /// The results of slices with mistakes, such as a slice whose shape differs from the declared shape, and the
    /// results of later slices that depend on these results.
    with_mistakes: HashSet<ValueId>,
}

impl<'a> SliceRewrites<'a> {
    fn new(graph: &'a Graph) -> Self {
        let consumers = graph.consumers();
        let has_unknown_output = graph.nodes_with_unknown_output();
        let used = (0..graph.values.len())
            .filter(|&value| consumers[value].iter().any(|&at| has_unknown_output[at]));
        let is_inside = |&at: &usize| !graph.nodes[at].scope.is_empty();
        let used_by_nested_graphs =
            (0..graph.values.len()).filter(|&value| consumers[value].iter().any(is_inside));
        SliceRewrites {
            graph,
            slices: Vec::new(),
            by_value: HashMap::default(),
            replaced: HashMap::default(),
            used: used.collect(),
            used_by_nested_graphs: used_by_nested_graphs.collect(),
            with_mistakes: HashSet::default(),
            consumer_counts: (0..graph.values.len())
                .map(|value| consumers[value].len())
                .collect(),
        }
    }

    /// Returns the replacement of a value, or the value itself.
    fn source(&self, value: ValueId) -> ValueId {
        // Replacements are never replaced themselves.
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    fn add(&mut self, reported: &ReportedSlice) {
        let node = &self.graph.nodes[reported.node];
        let is_slice = matches!(node.kind.as_select(), Some(Select::Slice { .. }));
        if !reported.mistakes.is_empty() || self.with_mistakes.contains(&reported.input_value) {
            self.with_mistakes.insert(reported.output_value);
            return;
        }
        let is_known = reported.at_run_time.is_empty() && node.scope.is_empty();
        let (Some(spec), Some(shape)) = (
            reported.spec_for_every_or_this_shape(),
            &reported.input_shape,
        ) else {
            return;
        };
        if !is_slice || !is_known || select::ranges(&spec, shape.len()).is_none() {
            return;
        }
        let mut slice = RewrittenSlice {
            node: reported.node,
            input: self.source(reported.input_value),
            spec,
            shape: shape.clone(),
            change: None,
            is_unneeded: false,
        };
        let previous = self.by_value.get(&slice.input).copied();
        let is_free = |value: ValueId| {
            let is_output = self.graph.values[value].is_output;
            !is_output && !self.used_by_nested_graphs.contains(&value)
        };
        let is_whole = |slice: &RewrittenSlice| select::is_whole(&slice.spec, Some(&slice.shape));
        let has_one_consumer = is_free(slice.input) && self.consumer_counts[slice.input] == 1;
        if let Some(previous) = previous.filter(|_| has_one_consumer && !is_whole(&slice)) {
            let first = &self.slices[previous];
            let merged = select::compose(&first.spec, &slice.spec, &first.shape);
            let rank = first.shape.len();
            if let Some(merged) = merged.filter(|merged| select::ranges(merged, rank).is_some()) {
                (slice.input, slice.spec, slice.shape) = (first.input, merged, first.shape.clone());
                slice.change = Some(ChangeKind::Merged);
                self.slices[previous].is_unneeded = true;
            }
        }
        // A slice whose result is unused is kept, so that a comparison of the model with the rewritten model finds the
        // slice in both models.
        let is_used = self.used.contains(&reported.output_value);
        if is_used && is_free(reported.output_value) && is_whole(&slice) {
            slice.change = Some(ChangeKind::Removed);
            slice.is_unneeded = true;
            self.replaced.insert(reported.output_value, slice.input);
            let others = self.consumer_counts[slice.input].saturating_sub(1);
            self.consumer_counts[slice.input] =
                others + self.consumer_counts[reported.output_value];
        } else {
            if slice.change == Some(ChangeKind::Merged) && is_whole(&slice) {
                // The result keeps its name, as the output of an `Identity`.
                slice.change = Some(ChangeKind::Removed);
            }
            self.by_value
                .insert(reported.output_value, self.slices.len());
        }
        self.slices.push(slice);
    }

    /// Returns the operator with resolved bounds, if it differs from the current operator.
    fn new_operator(&self, slice: &RewrittenSlice) -> Option<onnx::Slice> {
        let Some(select @ Select::Slice { opset, .. }) =
            self.graph.nodes[slice.node].kind.as_select()
        else {
            return None;
        };
        let ranges = select::ranges(&slice.spec, slice.shape.len())?;
        let items = ranges
            .into_iter()
            .zip(&slice.shape[..])
            .map(|(item, length)| match length.known() {
                Some(length) => with_resolved_bounds(item, length),
                None => Some(item),
            });
        let spec = DynSliceSpec::from_items(items.collect::<Option<Vec<_>>>()?).ok()?;
        let plan = OnnxPlan::from_spec(&spec, slice.shape.len(), *opset)
            .ok()?
            .op;
        // If the slice selects everything, the plan contains no operator, and the slice is left unchanged. Such a slice
        // remains in the model if, for example, its result is an output of the model.
        let operator = plan.slice?;
        let node = &self.graph.nodes[slice.node];
        let old = match select::selected(self.graph, node, select, 0, None) {
            Ok(select::KnownOperation::Any(slice_systems::AnyOperation::Onnx(old))) => old,
            _ => return None,
        };
        let is_same = slice.change.is_none()
            && sorted_entries(&old, slice.shape.len())
                == sorted_entries(&operator, slice.shape.len());
        (!is_same).then_some(operator)
    }
}

/// Returns the axis, start, end and step of each entry of a slice, sorted by axis.
fn sorted_entries(slice: &onnx::Slice, rank: usize) -> Vec<(Option<usize>, i64, i64, i64)> {
    let mut entries: Vec<_> = select::entries(slice)
        .map(|(at, start, end, step)| (select::axis_of_entry(slice, at, rank), start, end, step))
        .collect();
    entries.sort_unstable();
    entries
}

const INT_MAX: i64 = i32::MAX as i64;

/// Returns the range with its bounds resolved for an axis of length `length`.
fn with_resolved_bounds(item: Item, length: usize) -> Option<Item> {
    let range = select::resolved(&item, length)?.range(0)?;
    let Some(last) = range.positions().next_back() else {
        return Some(range_item(0, 0, 1));
    };
    if range == AxisRange::whole(length) {
        return Some(select::WHOLE);
    }
    let [start, last, length] = [range.start(), last, length].map(|number| number as i64);
    let step = range.step() as i64;
    let next = last.checked_add(step)?;
    let end = match step {
        // The range extends to the end of the axis.
        1.. if next >= length => length,
        1.. => last + 1,
        // An end before the first position can be written only as a negative number, which is counted from the end.
        _ if last == 0 => -length - 1,
        _ => last - 1,
    };
    let end = match end {
        // ONNX Runtime would treat this end as omitted.
        INT_MAX if length > INT_MAX => end - length,
        _ => end,
    };
    Some(range_item(start, end, step))
}

fn range_item(begin: i64, end: i64, step: i64) -> Item {
    Item::Range {
        begin: Some(begin),
        end: Some(end),
        step,
    }
}
