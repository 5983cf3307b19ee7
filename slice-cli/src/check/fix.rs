//! Writes an ONNX model again whose slices have bounds without sentinels, do something, and are one where one is enough.
//!
//! Only nodes of the model's own graph are changed. All other bytes are copied as they are.

use std::collections::{HashMap, HashSet};

use serde::Serialize;
use slice_core::{DynSliceSpec, Item};
use slice_ops::onnx::{self, OnnxPlan};

use super::report::{Entry, Report};
use crate::model::kind::Select;
use crate::model::number::Dim;
use crate::model::wire::{Message, Writer};
use crate::model::{Graph, ModelError, ValueId, select};

/// The first opset in which bounds are inputs.
const WITH_INPUTS: u32 = 10;

/// Outcome for a slice.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The name of the node.
    pub name: String,
    /// The change.
    pub done: Done,
    /// The slice as it is written now, in ONNX's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

/// Change to a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Done {
    /// Its bounds are written as they are for the shape.
    Resolved,
    /// It slices what the one before it sliced.
    Merged,
    /// It is gone: it selected everything.
    Removed,
}

/// A slice of the model while it is changed.
struct Slice {
    node: usize,
    of: ValueId,
    spec: DynSliceSpec,
    shape: Vec<Dim>,
    done: Option<Done>,
    /// Whether its node is no longer needed.
    is_gone: bool,
}

/// The model with changed slices, and what was changed.
///
/// # Errors
///
/// If the model is not one of ONNX.
pub fn fixed(
    bytes: &[u8],
    graph: &Graph,
    report: &Report,
) -> Result<(Vec<u8>, Vec<Change>), ModelError> {
    if graph.system != "onnx" {
        return Err("only ONNX models can be written again".into());
    }
    let mut plan = Plan::new(graph);
    for entry in &report.operations {
        plan.add(entry);
    }
    let mut edits = Edits::new(graph, &plan.replaced);
    let mut changes = Vec::new();
    for slice in &plan.slices {
        let node = &graph.nodes[slice.node];
        let mut change = Change {
            name: match &node.name {
                name if name.is_empty() => format!("the {} at byte {}", node.operation, node.at),
                name => name.clone(),
            },
            done: slice.done.unwrap_or(Done::Resolved),
            call: None,
        };
        if slice.is_gone {
            edits.gone.insert(slice.node);
        } else if let Some(written) = plan.written(slice) {
            change.call = Some(written.to_string());
            edits
                .slices
                .insert(slice.node, (plan.source(slice.of), written));
        }
        let is_changed = change.call.is_some() || slice.done == Some(Done::Removed);
        if is_changed {
            changes.push(change);
        }
    }
    edits.sweep();
    Ok((edits.write(bytes)?, changes))
}

struct Plan<'a> {
    graph: &'a Graph,
    slices: Vec<Slice>,
    /// The slice that makes a value.
    by_value: HashMap<ValueId, usize>,
    /// Replacements of values that were removed.
    replaced: HashMap<ValueId, ValueId>,
    /// How many nodes take a value.
    takers: Vec<usize>,
    /// The values that graphs inside the graph take.
    inside: HashSet<ValueId>,
    /// The values of slices that are wrong: the model says another shape of them than they have, or none is right.
    wrong: HashSet<ValueId>,
}

impl<'a> Plan<'a> {
    fn new(graph: &'a Graph) -> Self {
        let consumers = graph.consumers();
        let is_inside = |&at: &usize| !graph.nodes[at].scope.is_empty();
        let inside =
            (0..graph.values.len()).filter(|&value| consumers[value].iter().any(is_inside));
        Plan {
            graph,
            slices: Vec::new(),
            by_value: HashMap::new(),
            replaced: HashMap::new(),
            inside: inside.collect(),
            wrong: HashSet::new(),
            takers: consumers.iter().map(Vec::len).collect(),
        }
    }

    /// The value that is taken instead of this one.
    fn source(&self, value: ValueId) -> ValueId {
        // A replacement is never replaced itself.
        self.replaced.get(&value).copied().unwrap_or(value)
    }

    fn add(&mut self, entry: &Entry) {
        let node = &self.graph.nodes[entry.node];
        let is_slice = matches!(node.kind.selects(), Some(Select::Slice { .. }));
        if !entry.wrong.is_empty() || self.wrong.contains(&entry.of) {
            self.wrong.insert(entry.made);
            return;
        }
        let known = entry.at_run_time.is_empty() && node.scope.is_empty();
        let (Some(spec), Some(shape)) = (entry.every_or_this(), &entry.input_shape) else {
            return;
        };
        if !is_slice || !known || select::ranges(&spec, shape.0.len()).is_none() {
            return;
        }
        let mut slice = Slice {
            node: entry.node,
            of: self.source(entry.of),
            spec,
            shape: shape.0.clone(),
            done: None,
            is_gone: false,
        };
        let before = self.by_value.get(&slice.of).copied();
        let is_free = |value: ValueId| {
            let is_output = self.graph.values[value].is_output;
            !is_output && !self.inside.contains(&value)
        };
        let is_whole = |slice: &Slice| select::is_whole(&slice.spec, Some(&slice.shape));
        let alone = is_free(slice.of) && self.takers[slice.of] == 1;
        if let Some(before) = before.filter(|_| alone && !is_whole(&slice)) {
            let first = &self.slices[before];
            let merged = select::composed(&first.spec, &slice.spec, &first.shape);
            let rank = first.shape.len();
            if let Some(merged) = merged.filter(|merged| select::ranges(merged, rank).is_some()) {
                (slice.of, slice.spec, slice.shape) = (first.of, merged, first.shape.clone());
                slice.done = Some(Done::Merged);
                self.slices[before].is_gone = true;
            }
        }
        if is_free(entry.made) && is_whole(&slice) {
            slice.done = Some(Done::Removed);
            slice.is_gone = true;
            self.replaced.insert(entry.made, slice.of);
            let others = self.takers[slice.of].saturating_sub(1);
            self.takers[slice.of] = others + self.takers[entry.made];
        } else {
            self.by_value.insert(entry.made, self.slices.len());
        }
        self.slices.push(slice);
    }

    /// The operator with bounds as they are for the shape, if that is not how it is written already.
    fn written(&self, slice: &Slice) -> Option<onnx::Slice> {
        let Some(select @ Select::Slice { opset, .. }) =
            self.graph.nodes[slice.node].kind.selects()
        else {
            return None;
        };
        let ranges = select::ranges(&slice.spec, slice.shape.len())?;
        let items =
            ranges
                .into_iter()
                .zip(&slice.shape)
                .map(|(item, length)| match length.known() {
                    Some(length) => resolved(item, length),
                    None => Some(item),
                });
        let spec = DynSliceSpec::from_items(items.collect::<Option<Vec<_>>>()?).ok()?;
        let plan = OnnxPlan::from_spec(&spec, slice.shape.len(), *opset)
            .ok()?
            .op;
        // All of everything: an operator that has to stay, because its result is one of the model's.
        let written = plan.slice?;
        let node = &self.graph.nodes[slice.node];
        let old = match select::taken(self.graph, node, select, 0, None) {
            Ok(select::Taken::Strided(select::Operation::Any(slice_ops::AnyOperation::Onnx(
                old,
            )))) => old,
            _ => return None,
        };
        let is_same = slice.done.is_none()
            && plain(&old, slice.shape.len()) == plain(&written, slice.shape.len());
        (!is_same).then_some(written)
    }
}

/// The entries of a slice by their axes.
fn plain(slice: &onnx::Slice, rank: usize) -> Vec<(Option<usize>, i64, i64, i64)> {
    let axis = |at: usize| match &slice.axes {
        Some(axes) => slice_core::resolve::index(*axes.get(at)?, rank),
        None => Some(at),
    };
    let step = |at: usize| {
        slice
            .steps
            .as_ref()
            .and_then(|steps| steps.get(at))
            .copied()
            .unwrap_or(1)
    };
    let bounds = slice.starts.iter().zip(&slice.ends).enumerate();
    let mut entries: Vec<_> = bounds
        .map(|(at, (&start, &end))| (axis(at), start, end, step(at)))
        .collect();
    entries.sort_unstable();
    entries
}

/// The range with bounds that are positions of an axis of this length.
fn resolved(item: Item, length: usize) -> Option<Item> {
    let selection = DynSliceSpec::from_items([item])
        .ok()?
        .resolve(&[length])
        .ok()?;
    let range = *selection.axes().first()?;
    let (start, len) = (
        i64::try_from(range.start()).ok()?,
        i64::try_from(range.len()).ok()?,
    );
    let (step, length) = (
        i64::try_from(range.step()).ok()?,
        i64::try_from(length).ok()?,
    );
    if len == 0 {
        return Some(range_item(0, 0, 1));
    }
    if len == length && step == 1 {
        return Some(Item::Range {
            begin: None,
            end: None,
            step: 1,
        });
    }
    let last = start.checked_add(step.checked_mul(len - 1)?)?;
    let next = last.checked_add(step)?;
    let end = match step {
        // To the end.
        1.. if next >= length => length,
        1.. => last + 1,
        // A position before the first element cannot be counted from the front.
        _ if last == 0 => -length - 1,
        _ => last - 1,
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

/// The model to write.
struct Edits<'a> {
    graph: &'a Graph,
    replaced: &'a HashMap<ValueId, ValueId>,
    /// Nodes that are left out.
    gone: HashSet<usize>,
    /// Slices with other bounds, and what they slice.
    slices: HashMap<usize, (ValueId, onnx::Slice)>,
    /// Values that are no longer there.
    unused: HashSet<ValueId>,
}

impl<'a> Edits<'a> {
    fn new(graph: &'a Graph, replaced: &'a HashMap<ValueId, ValueId>) -> Self {
        Edits {
            graph,
            replaced,
            gone: HashSet::new(),
            slices: HashMap::new(),
            unused: HashSet::new(),
        }
    }

    /// The values that a node takes when it is written.
    fn inputs(&self, at: usize) -> Vec<ValueId> {
        if self.gone.contains(&at) {
            return Vec::new();
        }
        let node = &self.graph.nodes[at];
        match self.slices.get(&at) {
            Some((of, _)) => vec![*of],
            None => node
                .inputs
                .iter()
                .flatten()
                .map(|input| self.replaced.get(input).copied().unwrap_or(*input))
                .collect(),
        }
    }

    /// Finds the constants, and the nodes that made them, that nothing takes any more.
    fn sweep(&mut self) {
        let before: Vec<usize> = self.graph.consumers().iter().map(Vec::len).collect();
        let mut takers = vec![0_usize; self.graph.values.len()];
        for at in 0..self.graph.nodes.len() {
            for input in self.inputs(at) {
                takers[input] += 1;
            }
        }
        let is_left = |takers: &[usize], value: ValueId| {
            let value_is = &self.graph.values[value];
            takers[value] == 0 && before[value] > 0 && !value_is.is_output
        };
        for at in (0..self.graph.nodes.len()).rev() {
            let node = &self.graph.nodes[at];
            let made: Vec<ValueId> = node.outputs.iter().copied().flatten().collect();
            let only_constants = made.iter().all(|&value| {
                self.graph.values[value].constant.is_some() && is_left(&takers, value)
            });
            let is_gone = self.gone.contains(&at);
            if !is_gone && only_constants && !made.is_empty() && node.scope.is_empty() {
                for input in self.inputs(at) {
                    takers[input] -= 1;
                }
                self.gone.insert(at);
            }
            if self.gone.contains(&at) {
                self.unused.extend(made);
            }
        }
        let constants = (0..takers.len())
            .filter(|&value| self.graph.values[value].is_constant && is_left(&takers, value));
        self.unused.extend(constants);
    }

    /// Copies the model with the changes.
    fn write(&self, bytes: &[u8]) -> Result<Vec<u8>, ModelError> {
        let mut model = Writer::default();
        for field in (Message { bytes, at: 0 }).fields() {
            let field = field?;
            match field.number {
                7 => {
                    let graph = self.graph(bytes, field.value.message())?;
                    model.put(7, &graph);
                }
                _ => model.bytes.extend_from_slice(&bytes[field.range]),
            }
        }
        Ok(model.bytes)
    }

    fn graph(&self, bytes: &[u8], message: Message<'_>) -> Result<Vec<u8>, ModelError> {
        let by_place: HashMap<usize, usize> = self
            .graph
            .nodes
            .iter()
            .enumerate()
            .map(|(at, node)| (node.at, at))
            .collect();
        // Names of the model's own graph; those of graphs inside may be the same.
        let unused: HashSet<&str> = self
            .unused
            .iter()
            .map(|&value| self.graph.values[value].name.as_str())
            .collect();
        let mut names: HashSet<String> = self
            .graph
            .values
            .iter()
            .map(|value| value.name.clone())
            .collect();
        let mut inputs = HashSet::new();
        for field in message.fields() {
            let field = field?;
            if field.number == 11 {
                inputs.insert(named(field.value.message(), 1)?);
            }
        }
        let mut graph = Writer::default();
        let mut constants = Constants::default();
        for field in message.fields() {
            let field = field?;
            let inside = field.value.message();
            let is_unused = |number| -> Result<bool, ModelError> {
                let name = named(inside, number)?;
                Ok(unused.contains(name) && !inputs.contains(name))
            };
            match field.number {
                1 => {
                    let at = by_place
                        .get(&inside.at)
                        .copied()
                        .ok_or("a node was not read")?;
                    if !self.gone.contains(&at) {
                        graph.put(
                            1,
                            &self.node(bytes, inside, at, &mut names, &mut constants)?,
                        );
                    }
                }
                5 if is_unused(8)? => {}
                13 if is_unused(1)? => {}
                _ => graph.bytes.extend_from_slice(&bytes[field.range]),
            }
        }
        graph.bytes.extend_from_slice(&constants.writer.bytes);
        Ok(graph.bytes)
    }

    fn node(
        &self,
        bytes: &[u8],
        message: Message<'_>,
        at: usize,
        names: &mut HashSet<String>,
        constants: &mut Constants,
    ) -> Result<Vec<u8>, ModelError> {
        let slice = self.slices.get(&at);
        let mut node = Writer::default();
        let name = |value: ValueId| self.graph.values[value].name.as_bytes();
        if let Some((of, slice)) = slice {
            node.put(1, name(*of));
            self.bounds(at, slice, names, &mut node, constants);
        }
        let mut inputs = self.graph.nodes[at].inputs.iter();
        for field in message.fields() {
            let field = field?;
            match (field.number, slice) {
                (1, Some(_)) => {}
                (1, None) => match inputs.next().copied().flatten() {
                    Some(input) => {
                        node.put(1, name(self.replaced.get(&input).copied().unwrap_or(input)))
                    }
                    None => node.put(1, &[]),
                },
                (5, Some(_))
                    if ["starts", "ends", "axes"].contains(&named(field.value.message(), 1)?) => {}
                _ => node.bytes.extend_from_slice(&bytes[field.range]),
            }
        }
        Ok(node.bytes)
    }

    /// Writes the bounds of a slice: as inputs and constants, or as attributes.
    fn bounds(
        &self,
        at: usize,
        slice: &onnx::Slice,
        names: &mut HashSet<String>,
        node: &mut Writer,
        constants: &mut Constants,
    ) {
        let axes = slice.axes.as_deref().unwrap_or_default();
        let mut bounds = vec![
            ("starts", &slice.starts[..]),
            ("ends", &slice.ends),
            ("axes", axes),
        ];
        bounds.extend(slice.steps.as_deref().map(|steps| ("steps", steps)));
        let of = &self.graph.nodes[at];
        let base = match &of.name {
            name if name.is_empty() => of
                .outputs
                .first()
                .copied()
                .flatten()
                .map_or("", |made| &self.graph.values[made].name),
            name => name,
        };
        for (what, numbers) in bounds {
            if slice.opset < WITH_INPUTS {
                node.put(5, &ints_attribute(what, numbers));
                continue;
            }
            let name = constants.named(numbers, &format!("{base}_{what}"), names);
            node.put(1, name.as_bytes());
        }
    }
}

/// The constants that are added, each once.
#[derive(Default)]
struct Constants {
    names: HashMap<Vec<i64>, String>,
    writer: Writer,
}

impl Constants {
    /// The name of a vector; one that begins so if it is new.
    fn named(&mut self, numbers: &[i64], begin: &str, names: &mut HashSet<String>) -> &str {
        self.names.entry(numbers.to_vec()).or_insert_with(|| {
            let mut name = begin.to_owned();
            let mut more = 0_usize;
            while !names.insert(name.clone()) {
                more += 1;
                name = format!("{begin}_{more}");
            }
            self.writer.put(5, &tensor(&name, numbers));
            name
        })
    }
}

/// The text in a field of a message.
fn named(message: Message<'_>, number: u32) -> Result<&str, ModelError> {
    let mut name = "";
    for field in message.fields() {
        let field = field?;
        if field.number == number {
            name = field.value.text();
        }
    }
    Ok(name)
}

/// A vector of 64-bit integers, as a `TensorProto`.
fn tensor(name: &str, numbers: &[i64]) -> Vec<u8> {
    let mut tensor = Writer::default();
    tensor.int(1, i64::try_from(numbers.len()).unwrap_or(i64::MAX));
    tensor.int(2, 7);
    tensor.put(8, name.as_bytes());
    let raw: Vec<u8> = numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    tensor.put(9, &raw);
    tensor.bytes
}

/// A list of integers, as an `AttributeProto`.
fn ints_attribute(name: &str, numbers: &[i64]) -> Vec<u8> {
    let mut attribute = Writer::default();
    attribute.put(1, name.as_bytes());
    for &number in numbers {
        attribute.int(8, number);
    }
    attribute.int(20, 7);
    attribute.bytes
}
