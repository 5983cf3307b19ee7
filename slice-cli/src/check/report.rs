//! Reports on the operations of a model that select elements: slices, gathers, splits and similar operations.

use std::collections::HashMap;

use serde::{Serialize, Serializer};
use slice_core::{DynOuterSpec, DynSliceSpec, Selection};
use slice_ops::translate::TranslateError;
use slice_ops::{AnyOperation, System, onnx};

use super::carried::{self, Carried};
use super::converters::{self, Input, Mistake};
use crate::model::kind::Select;
use crate::model::number::{Dim, known, shape_text};
use crate::model::select::{self, Operation, Taken};
use crate::model::{Graph, ModelError, Node, Unit, ValueId, fold};

/// The ONNX opset of translations if the model has no ONNX `Slice`.
const OPSET: u32 = 13;

/// A shape, which is serialized as a list of lengths and names of lengths, with `null` for each unknown length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape(pub Vec<Dim>);

impl Serialize for Shape {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|length| match length {
            Dim::Known(length) => serde_json::Value::from(*length),
            Dim::Named(name) => serde_json::Value::from(name.as_str()),
            Dim::Unknown => serde_json::Value::Null,
        }))
    }
}

/// One output of a selecting operation.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The name of the node.
    pub name: String,
    /// The name of the operation in the format.
    pub operation: String,
    /// The location of the node in the unit of [`Report::unit`]: the byte offset or the line in the file, or the number
    /// of the node.
    pub at: usize,
    /// The path to the nested graph that contains the node.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub scope: String,
    /// The name of the output.
    pub output: String,
    /// The number of this output, counted from 1, and the number of outputs, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<(usize, usize)>,
    /// The slice in Python's notation.
    pub slice: Option<String>,
    /// The call in the notation of the model's system, if it has one.
    pub call: Option<String>,
    /// The shape of the input.
    pub input_shape: Option<Shape>,
    /// The shape of the result.
    pub output_shape: Option<Shape>,
    /// The names of the values that determine the slice but are known only at run time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub at_run_time: Vec<String>,
    /// The mistakes in the operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub wrong: Vec<String>,
    /// Further notes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How each system expresses the operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub systems: Vec<Carried>,
    /// Known converter bugs that affect the operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub converters: Vec<Mistake>,
    /// The index of the node in the graph.
    #[serde(skip)]
    pub node: usize,
    /// The sliced value.
    #[serde(skip)]
    pub of: ValueId,
    /// The resulting value.
    #[serde(skip)]
    pub made: ValueId,
    /// The slice for every shape, if there is one.
    #[serde(skip)]
    pub spec: Option<DynSliceSpec>,
    /// The selection for the shape of the input, if the shape is known.
    #[serde(skip)]
    pub selection: Option<Selection>,
    /// The slice, if it has lists.
    #[serde(skip)]
    pub lists: Option<DynOuterSpec>,
    /// Whether the sliced value does not depend on the model's inputs.
    #[serde(skip)]
    pub of_a_constant: bool,
    /// Whether the slice selects everything.
    pub does_nothing: bool,
    /// The slice and the slices before it, merged into one slice of the first slice's input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub merged: Option<String>,
}

impl Entry {
    /// Returns the slice for every shape, or else for the shape of the input.
    pub fn every_or_this(&self) -> Option<DynSliceSpec> {
        let this = || {
            let spec =
                <DynSliceSpec as slice_ops::Operation>::from_selection(self.selection.as_ref()?);
            spec.ok().map(|spec| spec.op)
        };
        self.spec.clone().or_else(this)
    }
}

/// The report on a model.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The format, its version, and the program that wrote the model.
    pub about: String,
    /// The unit of the locations of operations.
    #[serde(skip)]
    pub unit: Unit,
    /// The number of nodes.
    pub nodes: usize,
    /// The selecting operations.
    pub operations: Vec<Entry>,
}

impl Report {
    /// Returns the number of operations with mistakes.
    pub fn wrong(&self) -> usize {
        self.operations
            .iter()
            .filter(|entry| !entry.wrong.is_empty())
            .count()
    }
}

/// Examines all selecting operations of a model.
///
/// # Errors
///
/// Returns an error if two nodes produce the same value.
pub fn report(graph: &Graph, systems: &[System]) -> Result<Report, ModelError> {
    let producers = graph.producers()?;
    let consumers = graph.consumers();
    let mut entries = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let Some(select) = node.kind.selects() else {
            continue;
        };
        let Some(of) = node.inputs.first().copied().flatten() else {
            continue;
        };
        let beside = matches!(select, Select::Squeeze { .. } | Select::Unsqueeze { .. });
        let neighbour = |other: usize| is_slice(graph, &graph.nodes[other]);
        let after = producers[of].is_some_and(neighbour);
        for (place, made) in node.outputs.iter().enumerate() {
            let Some(made) = *made else { continue };
            let is_plumbing = graph.values[made].constant.is_some();
            let before = consumers[made].iter().any(|&other| neighbour(other));
            if is_plumbing {
                continue;
            }
            let shape = fold::shape(graph, Some(of));
            let taken = select::taken(graph, node, select, place, shape);
            if matches!(
                (select, &taken),
                (
                    Select::Gather { .. } | Select::ReverseFirst { .. },
                    Ok(Taken::AtRunTime(_))
                )
            ) {
                continue;
            }
            let mut entry = entry(graph, at, (of, made));
            if node.outputs.len() > 1 {
                entry.part = Some((place + 1, node.outputs.len()));
            }
            let is_said = graph.values[made].is_said;
            describe(&mut entry, taken, shape, is_said, graph.system);
            // Operations that only add or drop axes of length 1 are reported only if they are next to a slice or have a
            // mistake.
            if !beside || after || before || !entry.wrong.is_empty() {
                entries.push(entry);
            }
        }
    }
    merge(graph, &consumers, &mut entries);
    let opset = entries
        .iter()
        .find_map(|entry| opset(&graph.nodes[entry.node]));
    for entry in &mut entries {
        entry.converters.retain(|mistake| mistake.is_of(systems));
        let lengths = entry.input_shape.as_ref().and_then(|shape| known(&shape.0));
        let rank = entry.input_shape.as_ref().map(|shape| shape.0.len());
        let every = entry.spec.as_ref().zip(rank);
        let every = every.and_then(|(spec, rank)| select::without_ellipsis(spec, rank));
        let slice = carried::Slice {
            lists: entry.lists.as_ref(),
            shape: lengths.as_deref(),
            spec: every.as_ref().or(entry.spec.as_ref()),
            rank,
            selection: entry.selection.as_ref(),
            opset: opset.unwrap_or(OPSET),
        };
        let is_wrong = !entry.wrong.is_empty();
        let is_known = slice.spec.is_some() || slice.selection.is_some() || slice.lists.is_some();
        if !is_wrong && is_known {
            entry.systems = carried::by(&slice, systems);
        }
    }
    Ok(Report {
        about: graph.about.clone(),
        unit: graph.unit,
        nodes: graph.nodes.len(),
        operations: entries,
    })
}

fn opset(node: &Node) -> Option<u32> {
    match node.kind.selects() {
        Some(Select::Slice { opset, .. }) => Some(*opset),
        _ => None,
    }
}

/// Returns whether a node selects elements rather than only inserting or dropping axes, and none of its outputs is a
/// small constant.
fn is_slice(graph: &Graph, node: &Node) -> bool {
    let is_plumbing = node
        .outputs
        .iter()
        .flatten()
        .any(|&made| graph.values[made].constant.is_some());
    match node.kind.selects() {
        None | Some(Select::Squeeze { .. } | Select::Unsqueeze { .. }) => false,
        Some(_) => !is_plumbing,
    }
}

fn entry(graph: &Graph, at: usize, (of, made): (ValueId, ValueId)) -> Entry {
    let node = &graph.nodes[at];
    Entry {
        name: node.name.clone(),
        operation: node.operation.clone(),
        at: node.at,
        scope: node.scope.clone(),
        output: graph.values[made].name.clone(),
        part: None,
        slice: None,
        call: None,
        input_shape: graph.values[of].shape.clone().map(Shape),
        output_shape: graph.values[made].shape.clone().map(Shape),
        at_run_time: Vec::new(),
        wrong: Vec::new(),
        notes: Vec::new(),
        systems: Vec::new(),
        converters: Vec::new(),
        node: at,
        of,
        made,
        spec: None,
        selection: None,
        lists: None,
        of_a_constant: graph.values[of].is_constant,
        does_nothing: false,
        merged: None,
    }
}

/// Completes the entry of an operation that selects `taken` from an input of this shape. `is_said` tells whether the
/// model declares the shape of the output.
fn describe(
    entry: &mut Entry,
    taken: Result<Taken, String>,
    shape: Option<&[Dim]>,
    is_said: bool,
    system: &str,
) {
    let taken = match taken {
        Ok(taken) => taken,
        Err(error) => return entry.wrong.push(error),
    };
    let result = shape.map(|shape| select::output(&taken, shape)).transpose();
    match result {
        Err(error) => entry.wrong.push(error),
        Ok(result) => {
            let result = result.flatten();
            let said = entry.output_shape.as_ref().filter(|_| is_said);
            if let (Some(result), Some(said)) = (&result, said) {
                let agrees = said.0.len() == result.len()
                    && said
                        .0
                        .iter()
                        .zip(result)
                        .all(|(one, other)| one.agrees(other));
                if !agrees {
                    let (said, result) = (shape_text(&said.0), shape_text(result));
                    let message = format!(
                        "the model declares the output shape {said}, but the slice has the shape {result}"
                    );
                    entry.wrong.push(message);
                }
            }
            entry.output_shape = result.map(Shape).or(entry.output_shape.take());
        }
    }
    let lengths = shape.and_then(known);
    match taken {
        Taken::AtRunTime(later) => {
            entry.slice = later.items.map(|items| format!("x[{items}]"));
            entry.at_run_time = later.values;
            if let (Some(steps), "onnx") = (later.steps, system) {
                let rank = shape.map(<[Dim]>::len);
                let lengths = lengths.as_deref();
                entry.converters = converters::mistakes_later(&steps, Input { rank, lengths });
            }
        }
        Taken::Lists(spec) => {
            entry.slice = Some(format!("x[{spec}]"));
            let selection = lengths.and_then(|lengths| spec.resolve(&lengths).ok());
            entry.selection = selection.and_then(|selection| selection.to_selection());
            entry.spec = spec.to_slice();
            entry.lists = Some(spec);
            if let Some(selection) = &entry.selection
                && let Ok(one) = <DynSliceSpec as slice_ops::Operation>::from_selection(selection)
            {
                let note = format!(
                    "the list is evenly spaced: x[{}] selects the same elements",
                    one.op
                );
                entry.notes.push(note);
            }
        }
        Taken::Strided(operation) => strided(entry, &operation, shape, lengths.as_deref(), system),
    }
}

fn strided(
    entry: &mut Entry,
    operation: &Operation,
    shape: Option<&[Dim]>,
    lengths: Option<&[usize]>,
    system: &str,
) {
    let rank = shape.map(<[Dim]>::len);
    entry.call = match operation {
        Operation::Any(AnyOperation::Python(_)) => None,
        // The readers of other formats use ONNX's operations for equivalent operators, which have a different notation.
        Operation::Any(AnyOperation::Onnx(_)) | Operation::Axes(_) if system != "onnx" => None,
        operation => Some(operation.to_string()),
    };
    entry.selection = lengths.and_then(|lengths| operation.resolve(lengths).ok());
    entry.converters = converters::mistakes(system, operation, Input { rank, lengths });
    match operation.to_spec(rank) {
        // PyTorch's exporters always write 0 and INT64_MAX for omitted bounds.
        Ok(spec) if system == "torch" => entry.spec = Some(select::without_sentinels(&spec)),
        Ok(spec) => entry.spec = Some(spec),
        Err(error @ TranslateError::Operation(_)) if entry.wrong.is_empty() => {
            entry.wrong.push(error.to_string())
        }
        Err(_) => {}
    }
    let for_this_shape = || {
        let spec =
            <DynSliceSpec as slice_ops::Operation>::from_selection(entry.selection.as_ref()?);
        spec.ok().map(|spec| spec.op)
    };
    let spec = entry.spec.clone().or_else(for_this_shape);
    entry.slice = spec.as_ref().map(|spec| format!("x[{spec}]"));
    if let (Operation::Any(AnyOperation::Onnx(slice)), "onnx") = (operation, system) {
        runtime(entry, slice, lengths);
    }
    let has_other_axes = match (&entry.input_shape, &entry.output_shape) {
        (Some(one), Some(other)) => one.0.len() != other.0.len(),
        _ => false,
    };
    if entry.wrong.is_empty()
        && !has_other_axes
        && spec.is_some_and(|spec| select::is_whole(&spec, shape))
    {
        entry.does_nothing = true;
        entry
            .notes
            .push("the slice selects everything and can be removed".into());
    }
    if entry.of_a_constant {
        let note = "the input is a constant: the output could be stored instead";
        entry.notes.push(note.into());
    }
    if entry
        .selection
        .as_ref()
        .is_some_and(|selection| selection.is_empty() && selection.input_len() > 0)
    {
        entry.notes.push("the slice selects nothing".into());
    }
}

/// Adds a mistake if ONNX Runtime interprets a slice differently from the ONNX specification.
fn runtime(entry: &mut Entry, slice: &onnx::Slice, lengths: Option<&[usize]>) {
    let ends = [i64::from(i32::MAX), i64::MAX];
    let mut backwards = slice.steps.iter().flatten().zip(&slice.ends);
    if !backwards.any(|(&step, end)| step < 0 && ends.contains(end)) {
        return;
    }
    let text = lengths.map(|lengths| slice.resolve(lengths));
    let runtime = lengths.map(|lengths| slice.resolve_onnxruntime(lengths));
    match (text, runtime) {
        (Some(Ok(text)), Some(Ok(runtime))) if text != runtime => {
            let spec = <DynSliceSpec as slice_ops::Operation>::from_selection(&runtime);
            let spec = spec.map(|spec| format!(": x[{}]", spec.op)).unwrap_or_default();
            let (text, runtime) = (shape_of(&text), shape_of(&runtime));
            entry.wrong.push(format!(
                "with a negative step, ONNX Runtime treats this end as omitted{spec}, with the output shape {runtime}; by the ONNX \
                 specification, the shape is {text}"
            ));
        }
        (None, None) => entry.wrong.push(
            "with a negative step, ONNX Runtime treats this end as omitted, contrary to the ONNX specification".into(),
        ),
        _ => {}
    }
}

fn shape_of(selection: &Selection) -> String {
    let dims: Vec<Dim> = selection
        .output_shape()
        .iter()
        .map(|&length| Dim::Known(length))
        .collect();
    shape_text(&dims)
}

/// Finds consecutive slices that are equivalent to one slice and whose intermediate results are not used elsewhere.
/// Notes the merged slice in the entry of the last slice.
fn merge(graph: &Graph, consumers: &[Vec<usize>], entries: &mut [Entry]) {
    let by_value: HashMap<ValueId, usize> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| (entry.made, at))
        .collect();
    // For each entry, the index of the first entry of its chain, and the chain up to this entry as one slice.
    let mut so_far: Vec<Option<(usize, DynSliceSpec)>> = vec![None; entries.len()];
    for at in 0..entries.len() {
        let entry = &entries[at];
        let Some(spec) = &entry.every_or_this() else {
            continue;
        };
        let alone = !graph.values[entry.of].is_output && consumers[entry.of].len() == 1;
        let before = by_value
            .get(&entry.of)
            .filter(|_| alone && entry.wrong.is_empty());
        let merged = before.and_then(|&before| {
            let (first, slice) = so_far[before].clone()?;
            let shape = &entries[first].input_shape.as_ref()?.0;
            Some((first, select::composed(&slice, spec, shape)?))
        });
        if let Some((first, merged)) = &merged
            && !entries[*first].does_nothing
            && !entry.does_nothing
        {
            let named = match &entries[*first].name {
                name if name.is_empty() => &entries[*first].output,
                name => name,
            };
            let is_slice = |at: usize| {
                let node = &graph.nodes[entries[at].node];
                matches!(node.kind.selects(), Some(Select::Slice { .. }))
            };
            let note = match is_slice(*first) && is_slice(at) {
                true => {
                    format!("{named} and the slices up to this one can be one slice: x[{merged}]")
                }
                false => format!("relative to the input of {named}, this selects x[{merged}]"),
            };
            entries[at].notes.push(note);
            entries[at].merged = Some(merged.to_string());
        }
        let alone = entries[at].wrong.is_empty().then(|| (at, spec.clone()));
        so_far[at] = merged.or(alone);
    }
}
