//! Reports on the operations of a model that select elements: slices, gathers, splits and similar operations.

use std::sync::Arc;

use serde::Serialize;
use slice_core::{DynSliceSpec, Item, Selection};
use slice_systems::translate::TranslateError;
use slice_systems::{AnyOperation, System, onnx};

use super::converters::{self, ConverterBug, Input};
use super::support::{self, SystemSupport};
use crate::model::kind::Select;
use crate::model::number::{Dim, known, known_shape, may_be_equal, shape_text};
use crate::model::select::{self, KnownOperation, Undetermined};
use crate::model::steps::HashMap;
use crate::model::{Budget, Consumers, Format, Graph, ModelError, Node, Scope, Unit, ValueId};
use crate::remark::{Remark, RemarkKind};

/// The ONNX opset used in translations if the model contains no ONNX `Slice`.
const DEFAULT_OPSET: u32 = 13;

/// The report on one output of an operation that selects elements.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// let columns = &report.slices[1];
/// assert_eq!((columns.name.as_ref(), columns.operation.as_ref()), ("columns", "Slice"));
/// assert_eq!(columns.slice.as_deref(), Some("x[:, :, :, ::2]"));
/// assert_eq!(columns.merged.as_deref(), Some("..., ::2, ::2")); // with the slice before it
/// assert!(columns.mistakes.is_empty());
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, Default, Serialize)]
pub struct ReportedSlice {
    /// The name of the node.
    pub name: Arc<str>,
    /// The format's name for the operation.
    pub operation: Arc<str>,
    /// The location of the node in the unit [`Report::unit`]: the byte offset or the line in the file, or the number of
    /// the node in its graph.
    pub at: usize,
    /// The path to the nested graph that contains the node.
    #[serde(skip_serializing_if = "Scope::is_empty")]
    pub scope: Scope,
    /// The name of the output.
    pub output: Arc<str>,
    /// If the node has several outputs: the 1-based number of this output, and the number of outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<(usize, usize)>,
    /// The slice in Python's notation.
    pub slice: Option<String>,
    /// The call in the notation of the model's system, if available.
    pub call: Option<String>,
    /// The shape of the input.
    pub input_shape: Option<Arc<[Dim]>>,
    /// The shape of the result.
    pub output_shape: Option<Arc<[Dim]>>,
    /// The names of the values that determine the slice but are known only at run time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at_run_time: Vec<Arc<str>>,
    /// The mistakes in the operation.
    #[serde(rename = "wrong", skip_serializing_if = "Vec::is_empty")]
    pub mistakes: Vec<Remark>,
    /// Notes on facts that are not mistakes, for example that the slice selects nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Remark>,
    /// Each system's support for the operation.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub systems: Arc<[SystemSupport]>,
    /// Known converter bugs that affect the operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub converters: Vec<ConverterBug>,
    /// The index of the node in the graph.
    #[serde(skip)]
    pub(crate) node: usize,
    /// The sliced value.
    #[serde(skip)]
    pub(crate) input_value: ValueId,
    /// The resulting value.
    #[serde(skip)]
    pub(crate) output_value: ValueId,
    /// A slice that is valid for every input shape, if there is one. It may have lists.
    #[serde(skip)]
    pub(crate) spec: Option<DynSliceSpec>,
    /// The selection for the shape of the input, if the shape is known and all lists of the slice are evenly spaced.
    #[serde(skip)]
    pub(crate) selection: Option<Selection>,
    /// Whether the sliced value does not depend on the model's inputs.
    #[serde(skip)]
    pub(crate) has_constant_input: bool,
    /// Whether the slice selects everything.
    pub does_nothing: bool,
    /// The slice and the slices before it, merged into one slice of the first slice's input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<String>,
}

impl ReportedSlice {
    /// Returns the size of the memory to which this report refers and that it shares with no other, in bytes.
    fn heap_bytes(&self) -> usize {
        let strings = [&self.slice, &self.call, &self.merged]
            .into_iter()
            .flatten();
        let remarks = self.mistakes.iter().chain(&self.notes);
        let text_bytes = strings.map(String::capacity).sum::<usize>()
            + remarks.map(|remark| remark.text.capacity()).sum::<usize>();
        let vec_bytes = size_of_val(&self.at_run_time[..])
            + size_of_val(&self.converters[..])
            + (self.mistakes.capacity() + self.notes.capacity()) * size_of::<Remark>();
        let item_bytes = |item: Item| match item {
            Item::List(list) => size_of::<Item>() + size_of_val(list.elements()),
            Item::Points(lists) => lists.iter().map(|list| size_of_val(list.elements())).sum(),
            _ => size_of::<Item>(),
        };
        let with_lists = self.spec.iter().filter(|spec| spec.has_lists());
        let items = with_lists.flat_map(DynSliceSpec::items);
        let shape = self.output_shape.iter().flat_map(|shape| &shape[..]);
        text_bytes
            + vec_bytes
            + items.map(item_bytes).sum::<usize>()
            + shape.count() * size_of::<Dim>()
    }

    /// Returns a slice without lists that is valid for every input shape or, if there is none, one for the input shape in
    /// the model.
    pub(crate) fn spec_for_every_or_this_shape(&self) -> Option<DynSliceSpec> {
        let this = || select::spec_of(self.selection.as_ref()?);
        let spec = self.spec.as_ref().filter(|spec| !spec.has_lists());
        spec.cloned().or_else(this)
    }
}

/// The report on a model.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// assert_eq!(report.about, "ONNX, opset 13, IR version 8");
/// assert_eq!((report.nodes, report.slices.len()), (7, 5));
/// assert!(report.not_examined.is_empty());
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format and, if known, its version and the program that wrote the model.
    pub about: String,
    /// The unit of the locations of operations.
    #[serde(skip)]
    pub unit: Unit,
    /// The number of nodes.
    pub nodes: usize,
    /// The reports on the outputs of the operations that select elements.
    #[serde(rename = "operations")]
    pub slices: Vec<ReportedSlice>,
    /// The operations that select elements but were not examined, each with a note on the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_examined: Vec<ReportedSlice>,
    /// The memory that may still be used for the model.
    #[serde(skip)]
    pub(crate) budget: Budget,
}

impl Report {
    /// Returns the number of operations with mistakes.
    ///
    /// # Examples
    ///
    /// ```
    /// use slice_check::Model;
    ///
    /// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
    /// assert_eq!(report.count_with_mistakes(), 1);
    /// # Ok::<(), slice_check::ModelError>(())
    /// ```
    pub fn count_with_mistakes(&self) -> usize {
        self.slices
            .iter()
            .filter(|reported| !reported.mistakes.is_empty())
            .count()
    }
}

/// Reports on the operations of a model that select elements, and on whether each system in `systems` supports them. An
/// empty `systems` stands for all systems, and `None` for no system. Returns an error if two nodes produce the same
/// value, or if the report exceeds the budget of the model.
pub(crate) fn report(graph: &Graph, systems: Option<&[System]>) -> Result<Report, ModelError> {
    let producers = graph.producers()?;
    let consumers = graph.consumers();
    let is_slice_node: Vec<bool> = graph
        .nodes
        .iter()
        .map(|node| is_slice(graph, node))
        .collect();
    let mut budget = graph.budget.clone();
    let selects = |node: &&Node| node.kind.as_select().is_some();
    let selecting_nodes = graph.nodes.iter().filter(selects);
    let max_count = selecting_nodes.map(|node| node.outputs.len()).sum();
    budget.take_elements::<ReportedSlice>(max_count)?;
    let mut reported_slices = Vec::with_capacity(max_count);
    let mut not_examined = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let Some(select) = node.kind.as_select() else {
            continue;
        };
        let Some(input) = node.input(0) else {
            continue;
        };
        let follows_slice = producers[input].is_some_and(|producer| is_slice_node[producer]);
        for (output_index, output) in node.outputs.iter().enumerate() {
            let Some(output) = *output else { continue };
            let is_small_constant = graph.values[output].is_argument();
            let precedes_slice = consumers[output].iter().any(|&other| is_slice_node[other]);
            if is_small_constant {
                continue;
            }
            let shape = graph.shape(Some(input));
            let selected = select::selected(graph, node, select, output_index, shape);
            let mut reported = new_reported_slice(graph, at, (input, output));
            if let Err(Undetermined::NotExamined(why)) = selected {
                reported.notes.push(why);
                // A growing list is copied to one of twice the length.
                budget.take_elements::<[ReportedSlice; 3]>(1)?;
                budget.take(reported.heap_bytes())?;
                not_examined.push(reported);
                break;
            }
            if node.outputs.len() > 1 {
                reported.part = Some((output_index + 1, node.outputs.len()));
            }
            if let Select::Split {
                rounded_count: Some(count),
                ..
            } = select
                && graph.format == Format::Onnx
                && usize::try_from(*count) != Ok(node.outputs.len())
            {
                let outputs = node.outputs.len();
                reported.notes.push(RemarkKind::Runtime.remark(format!(
                    "`num_outputs` is {count}, but the number of outputs is {outputs}; ONNX Runtime ignores `num_outputs`, and divides the axis into one part for each output"
                )));
            }
            let declared = graph.values[output].declared.as_deref();
            describe_selected(&mut reported, selected, shape, declared, graph.format);
            if graph.format == Format::LiteRt && reported.mistakes.is_empty() {
                let mistake = select::litert_reversal_mistake(graph, node, shape);
                reported.mistakes.extend(mistake);
            }
            // Operations that only add or drop axes of length 1 are reported only if they are next to a slice or have a
            // mistake.
            if !select.changes_only_axes()
                || follows_slice
                || precedes_slice
                || !reported.mistakes.is_empty()
            {
                budget.take(reported.heap_bytes())?;
                reported_slices.push(reported);
            }
        }
    }
    note_merged_slices(graph, &consumers, &mut reported_slices, &mut budget)?;
    if let Some(systems) = systems {
        let mut nodes = reported_slices.iter().map(|slice| &graph.nodes[slice.node]);
        let opset = nodes.find_map(opset).unwrap_or(DEFAULT_OPSET);
        add_support(&mut reported_slices, systems, opset, &mut budget)?;
    }
    Ok(Report {
        about: graph.about.clone(),
        unit: graph.format.unit(),
        nodes: graph.nodes.len(),
        slices: reported_slices,
        not_examined,
        budget,
    })
}

/// Adds the support of each system. Equal slices of arrays of the same shape share it.
fn add_support(
    reported_slices: &mut [ReportedSlice],
    systems: &[System],
    opset: u32,
    budget: &mut Budget,
) -> Result<(), ModelError> {
    let mut known_support: HashMap<SliceKey, Arc<[SystemSupport]>> = HashMap::default();
    for reported in reported_slices {
        reported.converters.retain(|bug| bug.has_target_in(systems));
        let lengths = reported.input_shape.as_deref().and_then(known);
        let rank = reported.input_shape.as_deref().map(<[Dim]>::len);
        let explicit_spec = reported.spec.as_ref().zip(rank);
        let explicit_spec =
            explicit_spec.and_then(|(spec, rank)| select::without_ellipsis(spec, rank));
        let slice = support::ModelSlice {
            shape: lengths.as_deref(),
            spec: explicit_spec.as_ref().or(reported.spec.as_ref()),
            rank,
            selection: reported.selection.as_ref(),
            opset,
        };
        let is_wrong = !reported.mistakes.is_empty();
        let is_known = slice.spec.is_some() || slice.selection.is_some();
        if !is_wrong && is_known {
            let key = SliceKey {
                slice: reported.slice.clone(),
                shape: reported.input_shape.clone(),
                is_known: [reported.spec.is_some(), reported.selection.is_some()],
            };
            reported.systems = match known_support.get(&key) {
                Some(support) => support.clone(),
                None => {
                    let support = support::of_systems(&slice, systems);
                    let bytes = support.iter().map(SystemSupport::bytes).sum::<usize>();
                    let text_bytes = key.slice.as_ref().map_or(0, String::len);
                    budget.take(2 * size_of::<(SliceKey, usize)>() + text_bytes + bytes)?;
                    known_support.entry(key).or_insert(support.into()).clone()
                }
            };
        }
    }
    Ok(())
}

/// The properties of a slice that determine which systems support it.
#[derive(PartialEq, Eq, Hash)]
struct SliceKey {
    slice: Option<String>,
    shape: Option<Arc<[Dim]>>,
    /// Whether the spec and the selection are known.
    is_known: [bool; 2],
}

fn opset(node: &Node) -> Option<u32> {
    match node.kind.as_select() {
        Some(Select::Slice { opset, .. }) => Some(*opset),
        _ => None,
    }
}

/// Returns `true` if a node selects elements, and none of its outputs is a small constant. Returns `false` if the node
/// only inserts or drops axes.
fn is_slice(graph: &Graph, node: &Node) -> bool {
    let is_small_constant = node
        .outputs
        .iter()
        .flatten()
        .any(|&output| graph.values[output].is_argument());
    let select = node.kind.as_select();
    select.is_some_and(|select| !select.changes_only_axes()) && !is_small_constant
}

fn new_reported_slice(
    graph: &Graph,
    at: usize,
    (input, output): (ValueId, ValueId),
) -> ReportedSlice {
    let node = &graph.nodes[at];
    ReportedSlice {
        name: node.name.clone(),
        operation: node.operation.clone(),
        at: node.at,
        scope: node.scope.clone(),
        output: graph.values[output].name.clone(),
        input_shape: graph.values[input].shape.clone(),
        output_shape: graph.values[output].shape.clone(),
        node: at,
        input_value: input,
        output_value: output,
        has_constant_input: graph.values[input].is_constant,
        ..ReportedSlice::default()
    }
}

/// Completes the report on an operation that selects `selected` from an input of shape `shape`. The model declares
/// the shape `declared` for the output.
fn describe_selected(
    reported: &mut ReportedSlice,
    selected: Result<KnownOperation, Undetermined>,
    shape: Option<&[Dim]>,
    declared: Option<&[Dim]>,
    format: Format,
) {
    let lengths = shape.and_then(known);
    let lengths = lengths.as_deref();
    match selected {
        Ok(operation) => {
            describe_output(reported, &operation, shape, declared);
            describe_slice(reported, &operation, shape, lengths, format);
        }
        Err(Undetermined::Mistake(message)) => reported.mistakes.push(message),
        Err(Undetermined::NotExamined(why)) => reported.notes.push(why),
        Err(Undetermined::AtRunTime(slice)) => {
            reported.slice = slice.items.map(|items| format!("x[{items}]"));
            reported.at_run_time = slice.values;
            if let (Some(steps), Format::Onnx) = (slice.steps, format) {
                let rank = shape.map(<[Dim]>::len);
                reported.converters =
                    converters::bugs_with_unknown_bounds(&steps, Input { rank, lengths });
            }
        }
    }
}

fn describe_output(
    reported: &mut ReportedSlice,
    operation: &KnownOperation,
    shape: Option<&[Dim]>,
    declared: Option<&[Dim]>,
) {
    let result = shape.map(|shape| select::output(operation, shape));
    match result.transpose() {
        Err(error) => reported.mistakes.push(error),
        Ok(result) => {
            let result = result.flatten();
            if let (Some(result), Some(declared)) = (&result, declared)
                && !may_be_equal(declared, result)
            {
                let (declared, result) = (shape_text(declared), shape_text(result));
                let message = format!(
                    "the model declares the output shape {declared}, but the slice has the shape {result}"
                );
                reported
                    .mistakes
                    .push(RemarkKind::DeclaredShape.remark(message));
            }
            let result = result.map(Arc::from);
            reported.output_shape = result.or(reported.output_shape.take());
        }
    }
}

fn describe_slice(
    reported: &mut ReportedSlice,
    operation: &KnownOperation,
    shape: Option<&[Dim]>,
    lengths: Option<&[usize]>,
    format: Format,
) {
    let selection = lengths.and_then(|lengths| operation.resolve(lengths).ok());
    reported.selection = selection.filter(Selection::is_strided);
    if let KnownOperation::Any(AnyOperation::Python(spec)) = operation
        && spec.has_lists()
    {
        reported.slice = Some(format!("x[{spec}]"));
        reported.spec = Some(spec.clone());
        if let Some(one) = reported.selection.as_ref().and_then(select::spec_of) {
            let note = format!("the list is evenly spaced: x[{one}] selects the same elements");
            reported.notes.push(RemarkKind::EvenlySpaced.remark(note));
        }
        return;
    }
    let rank = shape.map(<[Dim]>::len);
    reported.call = match operation {
        KnownOperation::Any(AnyOperation::Python(_)) => None,
        // ONNX's operations also represent equivalent operations of other formats, which have a different notation.
        KnownOperation::Any(AnyOperation::Onnx(_)) | KnownOperation::Axes(_)
            if format != Format::Onnx =>
        {
            None
        }
        operation => Some(operation.to_string()),
    };
    reported.converters = converters::bugs(format, operation, Input { rank, lengths });
    match operation.to_spec(rank) {
        // PyTorch's exporters always write 0 and INT64_MAX for omitted bounds.
        Ok(spec) if format == Format::Torch => {
            reported.spec = Some(select::without_sentinels(&spec))
        }
        Ok(spec) => reported.spec = Some(spec),
        Err(error @ TranslateError::Operation(_)) if reported.mistakes.is_empty() => {
            reported.mistakes.push(Remark::invalid(error))
        }
        Err(_) => {}
    }
    let spec = reported.spec_for_every_or_this_shape();
    reported.slice = spec.as_ref().map(|spec| format!("x[{spec}]"));
    if let (KnownOperation::Any(AnyOperation::Onnx(slice)), Format::Onnx) = (operation, format) {
        add_onnxruntime_mistake(reported, slice, lengths);
    }
    let changes_rank = match (&reported.input_shape, &reported.output_shape) {
        (Some(one), Some(other)) => one.len() != other.len(),
        _ => false,
    };
    if reported.mistakes.is_empty()
        && !changes_rank
        && spec.is_some_and(|spec| select::is_whole(&spec, shape))
    {
        reported.does_nothing = true;
        let note = "the slice selects everything and can be removed";
        reported.notes.push(RemarkKind::Whole.remark(note));
    }
    if reported.has_constant_input {
        let note = "the input is a constant, so the output could be stored as a constant instead";
        reported.notes.push(RemarkKind::ConstantInput.remark(note));
    }
    if reported
        .selection
        .as_ref()
        .is_some_and(|selection| selection.is_empty() && selection.input_len() > 0)
    {
        reported
            .notes
            .push(RemarkKind::Empty.remark("the slice selects nothing"));
    }
}

/// Adds a mistake if ONNX Runtime interprets a slice differently from the ONNX specification.
fn add_onnxruntime_mistake(
    reported: &mut ReportedSlice,
    slice: &onnx::Slice,
    lengths: Option<&[usize]>,
) {
    let ends = [i64::from(i32::MAX), i64::MAX];
    let mut entries = slice.steps.iter().flatten().zip(&slice.ends);
    if !entries.any(|(&step, end)| step < 0 && ends.contains(end)) {
        return;
    }
    let expected = lengths.map(|lengths| slice.resolve(lengths));
    let runtime = lengths.map(|lengths| slice.resolve_onnxruntime(lengths));
    match (expected, runtime) {
        (Some(Ok(expected)), Some(Ok(runtime))) if expected != runtime => {
            let spec = select::spec_of(&runtime);
            let spec = spec.map(|spec| format!(", and computes x[{spec}]")).unwrap_or_default();
            let [expected, runtime] = [&expected, &runtime]
                .map(|one| shape_text(&known_shape::<Vec<Dim>>(one.output_shape())));
            reported.mistakes.push(RemarkKind::Runtime.remark(format!(
                "ONNX Runtime treats an end of INT_MAX with a negative step as omitted{spec}, so the output has shape {runtime}; the ONNX \
                 specification requires shape {expected}"
            )));
        }
        (None, None) => reported.mistakes.push(RemarkKind::Runtime.remark(
            "ONNX Runtime treats an end of INT_MAX with a negative step as omitted, contrary to the ONNX specification",
        )),
        _ => {}
    }
}

/// Adds a note to the report on each slice that can be merged with the slices before it. Slices can be merged if they
/// are equivalent to one slice, and if the intermediate results are not used elsewhere.
fn note_merged_slices(
    graph: &Graph,
    consumers: &Consumers,
    reported_slices: &mut [ReportedSlice],
    budget: &mut Budget,
) -> Result<(), ModelError> {
    // The slices by their outputs, and the merged slices.
    budget.take_elements::<[(usize, DynSliceSpec); 2]>(reported_slices.len())?;
    let by_value: HashMap<ValueId, usize> = reported_slices
        .iter()
        .enumerate()
        .map(|(at, reported)| (reported.output_value, at))
        .collect();
    // For each slice, the index of the first of the consecutive slices that are merged with it, and the merged slice.
    let mut merged_up_to: Vec<Option<(usize, DynSliceSpec)>> = vec![None; reported_slices.len()];
    for at in 0..reported_slices.len() {
        let reported = &reported_slices[at];
        let Some(spec) = &reported.spec_for_every_or_this_shape() else {
            continue;
        };
        let has_one_consumer = !graph.values[reported.input_value].is_output
            && consumers[reported.input_value].len() == 1;
        let previous = by_value
            .get(&reported.input_value)
            .filter(|_| has_one_consumer && reported.mistakes.is_empty());
        let merged = previous.and_then(|&previous| {
            let (first, slice) = merged_up_to[previous].clone()?;
            let shape = reported_slices[first].input_shape.as_ref()?;
            Some((first, select::compose(&slice, spec, shape)?))
        });
        if let Some((first, merged)) = &merged
            && !reported_slices[*first].does_nothing
            && !reported.does_nothing
        {
            let name = match &reported_slices[*first].name {
                name if name.is_empty() => &reported_slices[*first].output,
                name => name,
            };
            let is_slice = |at: usize| {
                let node = &graph.nodes[reported_slices[at].node];
                matches!(node.kind.as_select(), Some(Select::Slice { .. }))
            };
            let note = match is_slice(*first) && is_slice(at) {
                true => {
                    format!(
                        "{name} and the slices up to this one can be merged into one slice: x[{merged}]"
                    )
                }
                false => format!("relative to the input of {name}, this selects x[{merged}]"),
            };
            let merged = merged.to_string();
            budget.take(note.len() + merged.len())?;
            let note = RemarkKind::Merged.remark(note);
            reported_slices[at].notes.push(note);
            reported_slices[at].merged = Some(merged);
        }
        let unmerged = reported_slices[at]
            .mistakes
            .is_empty()
            .then(|| (at, spec.clone()));
        merged_up_to[at] = merged.or(unmerged);
    }
    Ok(())
}
