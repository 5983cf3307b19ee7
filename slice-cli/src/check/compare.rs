//! Compares two models of the same network, and finds the first slice that differs.

use std::collections::HashMap;

use serde::Serialize;
use slice_core::DynSliceSpec;

use super::report::{Entry, Report};
use crate::model::kind::{Kind, Select};
use crate::model::{Graph, ValueId, number, select};

/// The maximum number of consecutive slices that are combined into one.
const MAX_IN_CHAIN: usize = 64;

/// A chain of one or more slices whose result is not used only by further slices.
#[derive(Clone, Debug, Serialize)]
pub struct Path {
    /// The index of the chain's last slice among the operations of the report.
    pub operation: usize,
    /// The chain as one slice, or the individual slices in order if they cannot be combined into one.
    pub slice: String,
    /// The shape of the sliced array.
    pub input_shape: Option<super::report::Shape>,
    /// The shape of the result.
    pub output_shape: Option<super::report::Shape>,
    /// If a concatenation is the only user of the result: the position of the result among the inputs, counted from 1,
    /// and the number of inputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joined: Option<(usize, usize)>,
    /// The chain as one slice, if its slices can be combined.
    #[serde(skip)]
    spec: Option<DynSliceSpec>,
}

impl Path {
    /// Returns `true` if, as far as is known, both paths select the same elements. Axes of length 1 in the results are
    /// ignored, because one model may drop an axis with an index while the other drops it later.
    fn is(&self, other: &Path) -> bool {
        let inputs = match (&self.input_shape, &other.input_shape) {
            (Some(one), Some(other)) => agree(&one.0, &other.0),
            _ => true,
        };
        let longer = |shape: &super::report::Shape| -> Vec<number::Dim> {
            let is_longer = |length: &&number::Dim| length.known() != Some(1);
            shape.0.iter().filter(is_longer).cloned().collect()
        };
        let outputs = match (&self.output_shape, &other.output_shape) {
            (Some(one), Some(other)) => {
                let (one, other) = (longer(one), longer(other));
                // A different number of axes is not a difference, because an unknown length may be 1.
                one.len() != other.len() || agree(&one, &other)
            }
            _ => true,
        };
        inputs && outputs && (self.slice == other.slice || self.selects_as(other))
    }

    /// Returns `true` if, as far as is known, both paths select the same elements, and their results are not at
    /// different positions of concatenations with the same number of inputs.
    fn is_joined_as(&self, other: &Path) -> bool {
        let is_elsewhere = match (self.joined, other.joined) {
            (Some((one, of)), Some((other, same))) => of == same && one != other,
            _ => false,
        };
        !is_elsewhere && self.is(other)
    }

    /// Returns `true` if an input shape of the two paths is known, and both paths select the same elements for each
    /// known input shape.
    fn selects_as(&self, other: &Path) -> bool {
        let (Some(one), Some(two)) = (&self.spec, &other.spec) else {
            return false;
        };
        let shapes = [&self.input_shape, &other.input_shape]
            .into_iter()
            .flatten();
        let mut known = shapes
            .filter_map(|shape| number::known(&shape.0))
            .peekable();
        let mut same = |shape: Vec<usize>| {
            let (one, two) = (one.resolve(&shape), two.resolve(&shape));
            one.is_ok_and(|one| two.is_ok_and(|two| one.axes() == two.axes()))
        };
        known.peek().is_some() && known.all(&mut same)
    }
}

/// Returns `true` if the two shapes may be equal.
fn agree(one: &[number::Dim], other: &[number::Dim]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.agrees(other))
}

/// Returns the chains of slices whose results are not used only by further slices. Omits chains that select everything.
/// Also omits slices of constants, because the other model may contain their results as constants.
pub fn paths(graph: &Graph, report: &Report) -> Vec<Path> {
    let consumers = graph.consumers();
    let entries = &report.operations;
    let by_value: HashMap<ValueId, usize> = entries
        .iter()
        .enumerate()
        .map(|(at, entry)| (entry.made, at))
        .collect();
    let mut slicing: HashMap<ValueId, usize> = HashMap::new();
    for entry in entries {
        *slicing.entry(entry.of).or_default() +=
            usize::from(entry.part.is_none_or(|(part, _)| part == 1));
    }
    let mut paths = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let takers = consumers[entry.made].len();
        let others = takers - slicing.get(&entry.made).copied().unwrap_or(0).min(takers);
        let is_end = graph.values[entry.made].is_output || others > 0 || takers == 0;
        if is_end
            && !entry.of_a_constant
            && let Some(path) = path(graph, entries, &by_value, at)
        {
            let joined = joined(graph, &consumers, entry.made);
            paths.push(Path { joined, ..path });
        }
    }
    paths
}

/// Returns the position of a value among the inputs of a concatenation, counted from 1, and the number of inputs, if
/// the concatenation is the only user of the value.
fn joined(graph: &Graph, consumers: &[Vec<usize>], value: ValueId) -> Option<(usize, usize)> {
    let [only] = consumers[value][..] else {
        return None;
    };
    let node = &graph.nodes[only];
    let place = node.inputs.iter().position(|&input| input == Some(value))?;
    let is_join = matches!(node.kind, Kind::Concat { .. }) && node.inputs.len() > 1;
    is_join.then_some((place + 1, node.inputs.len()))
}

/// A part of a chain: consecutive slices, merged into one slice if possible.
struct Part<'a> {
    spec: Option<DynSliceSpec>,
    shape: Option<&'a [number::Dim]>,
    /// The first slice.
    entry: &'a Entry,
}

impl Part<'_> {
    /// Writes the slice in brackets. If the shape is known, equal selections are written identically.
    fn written(&self) -> String {
        let lengths = self.shape.and_then(number::known);
        let selection = match (&self.spec, lengths) {
            (Some(spec), Some(lengths)) => spec.resolve(&lengths).ok(),
            (None, _) => self.entry.selection.clone(),
            _ => None,
        };
        let this = selection
            .as_ref()
            .map(<DynSliceSpec as slice_ops::Operation>::from_selection);
        match (this, &self.spec) {
            (Some(Ok(this)), _) => format!("[{}]", this.op),
            (_, Some(spec)) => match self.shape {
                Some(shape) => format!("[{}]", select::plain(spec, shape)),
                None => format!("[{spec}]"),
            },
            _ => {
                let slice = self.entry.slice.as_deref();
                let slice = slice.and_then(|slice| slice.strip_prefix('x'));
                slice.unwrap_or("[?]").to_owned()
            }
        }
    }
}

/// Returns the chain of slices that ends with the operation `last`. Returns `None` if the chain selects everything,
/// only adds or removes axes of length 1, or slices a constant with known bounds.
fn path(
    graph: &Graph,
    entries: &[Entry],
    by_value: &HashMap<ValueId, usize>,
    last: usize,
) -> Option<Path> {
    let mut chain = vec![last];
    // The length is limited, because a graph may have many chains with different ends, or a cycle.
    while chain.len() < MAX_IN_CHAIN
        && let Some(&before) = chain.last().and_then(|&at| by_value.get(&entries[at].of))
    {
        chain.push(before);
    }
    chain.reverse();
    let first = &entries[*chain.first()?];
    let mut chain: Vec<&Entry> = chain.into_iter().map(|at| &entries[at]).collect();
    // The result of the first slice is not marked as a constant if its bounds are computed from the shape of an input.
    // But if the bounds are known, the other model may still contain the result as a constant.
    if first.of_a_constant && chain.iter().all(|entry| entry.at_run_time.is_empty()) {
        return None;
    }
    chain.retain(|entry| !entry.does_nothing);
    // A chain that only adds or removes axes of length 1 is not a slice.
    let is_slice = |entry: &&&Entry| {
        let selects = graph.nodes[entry.node].kind.selects();
        !matches!(
            selects,
            None | Some(Select::Squeeze { .. } | Select::Unsqueeze { .. })
        )
    };
    chain.iter().find(is_slice)?;
    let mut parts: Vec<Part<'_>> = Vec::new();
    for entry in &chain {
        let shape = entry.input_shape.as_ref().map(|shape| &shape.0[..]);
        let spec = entry.every_or_this();
        let both = parts.last().and_then(|part| {
            let both = select::composed(part.spec.as_ref()?, spec.as_ref()?, part.shape?)?;
            Some(Part {
                spec: Some(both),
                ..*part
            })
        });
        match (both, parts.last_mut()) {
            (Some(both), Some(part)) => *part = both,
            _ => parts.push(Part { spec, shape, entry }),
        }
    }
    let written: Vec<String> = parts.iter().map(Part::written).collect();
    let slice = format!("x{}", written.concat());
    let every = match &parts[..] {
        [one] => one.spec.clone(),
        _ => None,
    };
    Some(Path {
        operation: last,
        slice,
        spec: every,
        input_shape: first.input_shape.clone(),
        output_shape: entries[last].output_shape.clone(),
        joined: None,
    })
}

/// Returns the index of the first path that differs between the two models.
pub fn first_difference(one: &[Path], other: &[Path]) -> Option<usize> {
    let differ = |at: &usize| match (one.get(*at), other.get(*at)) {
        (Some(one), Some(other)) => !one.is(other),
        _ => true,
    };
    (0..one.len().max(other.len())).find(differ)
}

/// Returns the index of the first path of each model that the other model lacks. Order and repetitions are ignored,
/// because models of different formats may order their operations differently, but positions in concatenations are
/// compared. Returns `None` if a model has more than `MAX_MOVED` paths.
pub fn first_missing(one: &[Path], other: &[Path]) -> Option<[Option<usize>; 2]> {
    let is_few = one.len().max(other.len()) <= MAX_MOVED;
    let missing = |these: &[Path], others: &[Path]| {
        let mut these = these.iter();
        these.position(|path| !others.iter().any(|other| path.is_joined_as(other)))
    };
    is_few.then(|| [missing(one, other), missing(other, one)])
}

/// The maximum number of paths for which a counterpart is searched at a different index.
const MAX_MOVED: usize = 2000;

/// Returns `true` if both models have the same paths, ignoring order and repetitions. Returns `false` if more than
/// `MAX_MOVED` paths of a model differ from the path at the same index in the other model.
pub fn same_in_any_order(one: &[Path], other: &[Path]) -> bool {
    let moved = |these: &[Path], others: &[Path]| {
        let is_there =
            |(at, path): &(usize, &Path)| others.get(*at).is_some_and(|other| path.is(other));
        let moved: Vec<Path> = these
            .iter()
            .enumerate()
            .filter(|one| !is_there(one))
            .map(|(_, path)| path.clone())
            .collect();
        moved
    };
    let all = |moved: &[Path], others: &[Path]| {
        moved.len() <= MAX_MOVED
            && moved
                .iter()
                .all(|path| others.iter().any(|other| path.is(other)))
    };
    all(&moved(one, other), other) && all(&moved(other, one), one)
}
