//! Turns operations of a model into selections, once their numbers are found.

use std::fmt;

use slice_core::resolve::{index, item_axes, range_at};
use slice_core::{AxisRange, DynOuterSpec, DynSliceSpec, Item, ItemRole, OuterItem, Selection};
use slice_ops::onnx::{Op, Squeeze, Unsqueeze};
use slice_ops::program::Step;
use slice_ops::translate::TranslateError;
use slice_ops::{AnyOperation, litert, onnx, openvino, stablehlo, tensorflow, torch};

use super::fold::{constant, input};
use super::kind::{Argument, Select, Strided};
use super::number::{Dim, Number, known};
use super::{Graph, Node};

/// The relation of an operation's output to its input.
#[derive(Clone, Debug)]
pub enum Taken {
    /// A slice.
    Strided(Operation),
    /// A slice with lists.
    Lists(DynOuterSpec),
    /// A slice with numbers that are known only when the model runs.
    AtRunTime(AtRunTime),
}

/// A slice with some numbers that are known only when the model runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtRunTime {
    /// The items in Python's notation, with names of lengths, and `?` for other unknown numbers; `None` if not even the
    /// axes are known.
    pub items: Option<String>,
    /// The names of the values that contain these numbers.
    pub values: Vec<String>,
}

/// An operation whose numbers are all known.
#[derive(Clone, Debug)]
pub enum Operation {
    /// An operation of a system.
    Any(AnyOperation),
    /// Drops or inserts axes of length 1.
    Axes(Op),
}

impl Operation {
    /// Resolves the operation for an array of this shape.
    ///
    /// # Errors
    ///
    /// An error of the system.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, String> {
        let selection = match self {
            Operation::Any(operation) => operation.resolve(shape),
            Operation::Axes(operation) => operation.resolve(shape),
        };
        selection.map_err(|error| error.to_string())
    }

    /// Returns the equivalent slice for arrays of this rank.
    ///
    /// # Errors
    ///
    /// [`TranslateError`] if there is no such slice.
    pub fn to_spec(&self, rank: Option<usize>) -> Result<DynSliceSpec, TranslateError> {
        match (self, rank) {
            (Operation::Any(AnyOperation::Onnx(slice)), Some(rank)) => slice.to_spec_for_rank(rank),
            (Operation::Any(operation), _) => operation.to_spec(),
            (Operation::Axes(operation), Some(rank)) => operation.to_spec_for_rank(rank),
            (Operation::Axes(Op::Squeeze(Squeeze { axes })), None) => {
                items_at(axes, Item::Index(0), None)
            }
            (Operation::Axes(Op::Unsqueeze(Unsqueeze { axes })), None) => {
                items_at(axes, Item::NewAxis, None)
            }
            (Operation::Axes(operation), None) => operation.to_spec_for_rank(0),
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Any(operation) => operation.fmt(f),
            Operation::Axes(operation) => f.write_str(&operation.call("x")),
        }
    }
}

impl<Op: Into<AnyOperation>> From<Op> for Operation {
    fn from(operation: Op) -> Self {
        Operation::Any(operation.into())
    }
}

const WHOLE: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

/// Places the item at each of these axes, and whole axes elsewhere. If the rank is unknown, axes counted from the end
/// come after an ellipsis.
fn items_at(axes: &[i64], item: Item, rank: Option<usize>) -> Result<DynSliceSpec, TranslateError> {
    let rank = rank.and_then(|rank| i64::try_from(rank).ok());
    let axis = |&axis: &i64| match rank {
        Some(rank) if axis < 0 => axis.saturating_add(rank),
        _ => axis,
    };
    let axes: Vec<i64> = axes.iter().map(axis).collect();
    let limit = DynSliceSpec::MAX_ITEMS as i64;
    let near = |axis: i64| axis.clamp(-limit, limit);
    let last = axes
        .iter()
        .copied()
        .filter(|&axis| axis >= 0)
        .max()
        .map(near);
    let first = axes
        .iter()
        .copied()
        .filter(|&axis| axis < 0)
        .min()
        .map(near);
    let at = |axis: i64| if axes.contains(&axis) { item } else { WHOLE };
    let mut spec = DynSliceSpec::default();
    for axis in 0..last.map_or(0, |last| last + 1) {
        spec.push(at(axis))?;
    }
    if let Some(first) = first {
        spec.push(Item::Ellipsis)?;
        for axis in first..0 {
            spec.push(at(axis))?;
        }
    }
    Ok(spec)
}

/// The numbers of an argument, if they are known.
enum Found {
    Absent,
    Numbers(Vec<Number>),
    Later,
}

/// Finds the numbers of a node's arguments.
struct Finder<'a> {
    graph: &'a Graph,
    node: &'a Node,
    /// The names of the values with unknown numbers.
    values: Vec<String>,
}

impl Finder<'_> {
    fn found(&mut self, argument: &Argument) -> Found {
        if let Argument::Given(given) = argument {
            return Found::Numbers(given.iter().map(|&number| Number::Known(number)).collect());
        }
        let Some(value) = input(self.node, argument) else {
            return Found::Absent;
        };
        let name = &self.graph.values[value].name;
        match constant(self.graph, Some(value)) {
            Some(constant) => {
                if constant.known().is_none() {
                    self.values.push(name.clone());
                }
                Found::Numbers(constant.elements.clone())
            }
            None => {
                self.values.push(name.clone());
                Found::Later
            }
        }
    }

    /// Returns the numbers, or `None` if the argument is left out; fails if some are known only when the model runs.
    fn numbers(&mut self, argument: &Argument) -> Result<Option<Vec<i64>>, AtRunTime> {
        let found = match self.found(argument) {
            Found::Absent => return Ok(None),
            Found::Numbers(numbers) => numbers
                .iter()
                .map(Number::known)
                .collect::<Option<Vec<i64>>>(),
            Found::Later => None,
        };
        match found {
            Some(numbers) => Ok(Some(numbers)),
            None => Err(self.at_run_time(None)),
        }
    }

    fn at_run_time(&self, items: Option<String>) -> AtRunTime {
        let mut values = self.values.clone();
        values.dedup();
        AtRunTime { items, values }
    }
}

/// Determines how the output at `place` is selected from an input of this shape.
///
/// # Errors
///
/// If the operation is wrong; the message names the mistake.
pub fn taken(
    graph: &Graph,
    node: &Node,
    select: &Select,
    place: usize,
    shape: Option<&[Dim]>,
) -> Result<Taken, String> {
    let mut finder = Finder {
        graph,
        node,
        values: Vec::new(),
    };
    let rank = shape.map(<[Dim]>::len);
    let missing = |what: &str| format!("it has no {what}");
    // A number that is known only when the model runs is not a mistake.
    macro_rules! numbers {
        ($argument:expr) => {
            match finder.numbers($argument) {
                Ok(numbers) => numbers,
                Err(later) => return Ok(Taken::AtRunTime(later)),
            }
        };
    }
    let spec = |spec: Result<DynSliceSpec, TranslateError>| {
        let spec = spec.map_err(|error| error.to_string())?;
        Ok(Taken::Strided(AnyOperation::Python(spec).into_operation()))
    };
    match select {
        Select::Each { axis } => {
            let axis = numbers!(axis)
                .and_then(|axis| axis.first().copied())
                .unwrap_or(0);
            check_axes(&[axis], rank)?;
            let index = i64::try_from(place).unwrap_or(i64::MAX);
            spec(items_at(&[axis], Item::Index(index), rank))
        }
        Select::Slice {
            opset,
            starts,
            ends,
            axes,
            steps,
        } => {
            let found = [starts, ends, axes, steps].map(|argument| finder.found(argument));
            Ok(match slice(*opset, &found)? {
                Some(slice) => Taken::Strided(slice.into()),
                None => Taken::AtRunTime(finder.at_run_time(entries_text(&found, rank))),
            })
        }
        Select::Strided {
            system,
            begin,
            end,
            strides,
        } => {
            let begin = numbers!(begin).ok_or_else(|| missing("begin"))?;
            let end = numbers!(end).ok_or_else(|| missing("end"))?;
            let strides = numbers!(strides);
            Ok(Taken::Strided(strided(system, begin, end, strides)))
        }
        Select::Along {
            dim,
            start,
            end,
            step,
        } => {
            let found = [start, end, step].map(|argument| finder.found(argument));
            Ok(match along(*dim, &found) {
                Some(slice) => Taken::Strided(slice.into()),
                None => {
                    let [start, end, step] = found;
                    let end = match end {
                        Found::Absent => Found::Numbers(vec![Number::Known(i64::MAX)]),
                        end => end,
                    };
                    let start = match start {
                        Found::Absent => Found::Numbers(vec![Number::Known(0)]),
                        start => start,
                    };
                    let axis = Found::Numbers(vec![Number::Known(*dim)]);
                    let items = entries_text(&[start, end, axis, step], rank);
                    Taken::AtRunTime(finder.at_run_time(items))
                }
            })
        }
        Select::Static([starts, limits, strides]) => Ok(Taken::Strided(
            stablehlo::Slice {
                start_indices: starts.clone(),
                limit_indices: limits.clone(),
                strides: strides.clone(),
            }
            .into(),
        )),
        Select::Window { sizes } => window(&mut finder, sizes, shape),
        Select::Sizes { begin, size } => {
            let begin = numbers!(begin).ok_or_else(|| missing("begin"))?;
            let size = numbers!(size).ok_or_else(|| missing("size"))?;
            spec(litert::Slice { begin, size }.to_spec())
        }
        Select::Reverse { axes } => {
            let axes = numbers!(axes).ok_or_else(|| missing("axes"))?;
            let backwards = Item::Range {
                begin: None,
                end: None,
                step: -1,
            };
            check_axes(&axes, rank)?;
            spec(items_at(&axes, backwards, rank))
        }
        Select::ReverseFirst { axis, lengths } => {
            check_axes(&[*axis], rank)?;
            let lengths = numbers!(lengths).ok_or_else(|| missing("lengths"))?;
            let length = rank.and_then(|rank| index(*axis, rank));
            let length = length.and_then(|axis| shape?.get(axis)?.known());
            let is_all = |&len: &i64| usize::try_from(len).ok() == length;
            match lengths.iter().all(is_all) && length.is_some() {
                true => {
                    let (begin, end, step) = (None, None, -1);
                    spec(items_at(&[*axis], Item::Range { begin, end, step }, rank))
                }
                false => Ok(Taken::AtRunTime(AtRunTime {
                    items: None,
                    values: Vec::new(),
                })),
            }
        }
        Select::Squeeze { axes } => {
            let axes = match (numbers!(axes), shape) {
                (Some(axes), _) => axes,
                (None, Some(shape)) if known(shape).is_some() => {
                    let ones = shape
                        .iter()
                        .enumerate()
                        .filter(|(_, length)| length.known() == Some(1));
                    ones.filter_map(|(axis, _)| i64::try_from(axis).ok())
                        .collect()
                }
                (None, _) => {
                    return Ok(Taken::AtRunTime(AtRunTime {
                        items: None,
                        values: Vec::new(),
                    }));
                }
            };
            Ok(Taken::Strided(Operation::Axes(Op::Squeeze(Squeeze {
                axes,
            }))))
        }
        Select::Unsqueeze { axes } => {
            let axes = numbers!(axes).ok_or_else(|| missing("axes"))?;
            Ok(Taken::Strided(Operation::Axes(Op::Unsqueeze(Unsqueeze {
                axes,
            }))))
        }
        Select::Gather { axis, indices } => {
            let axis = numbers!(axis)
                .and_then(|axis| axis.first().copied())
                .unwrap_or(0);
            check_axes(&[axis], rank)?;
            let is_scalar = match indices {
                Argument::Given(given) => given.len() == 1,
                argument => {
                    constant(graph, input(node, argument)).is_some_and(|list| list.rank == 0)
                }
            };
            let list = numbers!(indices).ok_or_else(|| missing("indices"))?;
            match (is_scalar, &list[..]) {
                (true, &[index]) => spec(items_at(&[axis], Item::Index(index), rank)),
                _ => lists(axis, list, rank),
            }
        }
        Select::Split { axis, lengths } => {
            let axis = numbers!(axis)
                .and_then(|axis| axis.first().copied())
                .unwrap_or(0);
            check_axes(&[axis], rank)?;
            let length = rank.and_then(|rank| index(axis, rank));
            let length = length.and_then(|axis| shape?.get(axis)?.known());
            let lengths = match (numbers!(lengths), length) {
                (Some(lengths), _) => with_rest(lengths, length),
                (None, Some(length)) => equal_parts(length, node.outputs.len()),
                (None, None) => {
                    return Ok(Taken::AtRunTime(AtRunTime {
                        items: None,
                        values: Vec::new(),
                    }));
                }
            };
            let wrong = || {
                format!(
                    "there is no part {place}: {} lengths are given",
                    lengths.len()
                )
            };
            let before = lengths.get(..place).ok_or_else(wrong)?;
            let len = *lengths.get(place).ok_or_else(wrong)?;
            let begin = before
                .iter()
                .try_fold(0_i64, |sum, &len| sum.checked_add(len));
            let end = begin.and_then(|begin| begin.checked_add(len));
            let (Some(begin @ 0..), Some(end)) = (begin, end) else {
                return Err(format!(
                    "the lengths {lengths:?} of the parts are not lengths"
                ));
            };
            if let (Some(length), Ok(end)) = (length, usize::try_from(end))
                && end > length
            {
                return Err(format!(
                    "the parts of lengths {lengths:?} are longer than axis {axis}, which has length {length}"
                ));
            }
            let (begin, end) = ((begin > 0).then_some(begin), Some(end));
            let step = 1;
            spec(items_at(&[axis], Item::Range { begin, end, step }, rank))
        }
    }
}

trait IntoOperation {
    fn into_operation(self) -> Operation;
}

impl IntoOperation for AnyOperation {
    fn into_operation(self) -> Operation {
        Operation::Any(self)
    }
}

/// Replaces a length of -1 by the remaining length of the axis, if that is known.
fn with_rest(mut lengths: Vec<i64>, length: Option<usize>) -> Vec<i64> {
    let others = lengths.iter().filter(|&&len| len != -1);
    let sum = others
        .clone()
        .try_fold(0_i64, |sum, &len| sum.checked_add(len));
    let length = length.and_then(|length| i64::try_from(length).ok());
    if others.count() + 1 == lengths.len()
        && let (Some(sum), Some(length)) = (sum, length)
        && let Some(rest) = lengths.iter_mut().find(|len| **len == -1)
        && length >= sum
    {
        *rest = length - sum;
    }
    lengths
}

/// Divides an axis into equal parts, as ONNX does: if its length is not a multiple, the last part is shorter.
fn equal_parts(length: usize, parts: usize) -> Vec<i64> {
    let len = length.div_ceil(parts.max(1));
    let part = |at: usize| {
        let begin = at.saturating_mul(len).min(length);
        i64::try_from((length - begin).min(len)).unwrap_or(i64::MAX)
    };
    (0..parts).map(part).collect()
}

/// Checks that all axes exist, and that none is repeated.
fn check_axes(axes: &[i64], rank: Option<usize>) -> Result<(), String> {
    let Some(rank) = rank else { return Ok(()) };
    let mut seen = vec![false; rank];
    for &axis in axes {
        let at = index(axis, rank);
        let at =
            at.ok_or_else(|| format!("axis {axis} does not exist: the input has {rank} axes"))?;
        if std::mem::replace(&mut seen[at], true) {
            return Err(format!("axis {at} is named twice"));
        }
    }
    Ok(())
}

fn lists(axis: i64, list: Vec<i64>, rank: Option<usize>) -> Result<Taken, String> {
    let all = items_at(&[axis], Item::Index(0), rank).map_err(|error| error.to_string())?;
    let items = all.items().map(|item| match item {
        Item::Index(_) => OuterItem::from(list.clone()),
        item => OuterItem::from(item),
    });
    let spec = DynOuterSpec::from_items(items).map_err(|error| error.to_string())?;
    Ok(Taken::Lists(spec))
}

/// Returns ONNX's slice, if all of its numbers are known.
fn slice(opset: u32, found: &[Found; 4]) -> Result<Option<onnx::Slice>, String> {
    let all = |found: &Found| match found {
        Found::Numbers(numbers) => numbers.iter().map(Number::known).collect(),
        _ => None::<Vec<i64>>,
    };
    let [starts, ends, axes, steps] = found;
    for (name, bounds) in [("starts", starts), ("ends", ends)] {
        if let Found::Absent = bounds {
            return Err(format!("it has no {name}"));
        }
    }
    let unknown = |found: &Found| !matches!(found, Found::Absent) && all(found).is_none();
    if found.iter().any(unknown) {
        return Ok(None);
    }
    Ok(all(starts)
        .zip(all(ends))
        .map(|(starts, ends)| onnx::Slice {
            opset,
            starts,
            ends,
            axes: all(axes),
            steps: all(steps),
        }))
}

/// Returns PyTorch's slice, if all of its numbers are known.
fn along(dim: i64, found: &[Found; 3]) -> Option<torch::Slice> {
    let one = |found: &Found| match found {
        Found::Absent => Some(None),
        Found::Numbers(numbers) => numbers.first()?.known().map(Some),
        Found::Later => None,
    };
    let [start, end, step] = found;
    Some(torch::Slice {
        dim,
        start: one(start)?,
        end: one(end)?,
        step: one(step)?.unwrap_or(1),
    })
}

/// Returns a window of these sizes; its starts are clamped to keep it within the shape.
fn window(finder: &mut Finder<'_>, sizes: &[i64], shape: Option<&[Dim]>) -> Result<Taken, String> {
    if let Some(shape) = shape
        && shape.len() != sizes.len()
    {
        let (sizes, axes) = (sizes.len(), shape.len());
        return Err(format!("it has {sizes} sizes for an input of {axes} axes"));
    }
    let (mut starts, mut limits, mut items) = (Some(Vec::new()), Some(Vec::new()), Vec::new());
    for (axis, &size) in sizes.iter().enumerate() {
        let length = shape.and_then(|shape| shape.get(axis)?.known());
        let length = length.and_then(|length| i64::try_from(length).ok());
        if size < 0 || length.is_some_and(|length| length < size) {
            return Err(format!("{size} elements of axis {axis} are not there"));
        }
        let value = finder.node.inputs.get(axis + 1).copied().flatten();
        let number = constant(finder.graph, value).and_then(|one| one.elements.first()?.known());
        let start = match (number, length) {
            // A window as long as the axis can only start at 0.
            (_, Some(length)) if length == size => Some(0),
            (Some(number), Some(length)) => Some(number.clamp(0, length - size)),
            _ => None,
        };
        let end = start.and_then(|start| start.checked_add(size));
        items.push(match (start, end, value) {
            (Some(0), _, _) if length == Some(size) => ":".to_owned(),
            (Some(start), Some(end), _) => format!("{start}:{end}"),
            (_, _, Some(value)) if shape.is_some() => {
                let name = finder.graph.values[value].name.clone();
                let item = format!("{name}:{name}+{size}");
                finder.values.push(name);
                item
            }
            _ => "?:?".to_owned(),
        });
        starts = starts.zip(start).map(|(mut starts, start)| {
            starts.push(start);
            starts
        });
        limits = limits.zip(end).map(|(mut limits, end)| {
            limits.push(end);
            limits
        });
    }
    let strides = vec![1; sizes.len()];
    Ok(match starts.zip(limits) {
        Some((start_indices, limit_indices)) => Taken::Strided(
            stablehlo::Slice {
                start_indices,
                limit_indices,
                strides,
            }
            .into(),
        ),
        None => Taken::AtRunTime(finder.at_run_time(Some(items.join(", ")))),
    })
}

/// Writes the entries of ONNX's slice as Python's items if only some of the bounds are known.
fn entries_text(found: &[Found; 4], rank: Option<usize>) -> Option<String> {
    let [starts, ends, axes, steps] = found;
    let numbers = |found: &Found| match found {
        Found::Numbers(numbers) => Some(numbers.clone()),
        _ => None,
    };
    let entries = [starts, ends, axes, steps]
        .into_iter()
        .filter_map(numbers)
        .map(|numbers| numbers.len())
        .max();
    let entries = entries.filter(|&entries| entries <= DynSliceSpec::MAX_ITEMS)?;
    let axes: Vec<i64> = match axes {
        Found::Absent => (0..entries)
            .filter_map(|axis| i64::try_from(axis).ok())
            .collect(),
        Found::Numbers(axes) => axes.iter().map(Number::known).collect::<Option<_>>()?,
        Found::Later => return None,
    };
    let at = |found: &Found, entry: usize| match found {
        Found::Absent => Some(Number::Known(1)),
        Found::Numbers(numbers) => numbers.get(entry).cloned(),
        Found::Later => Some(Number::Unknown),
    };
    let mut items = Vec::new();
    for (entry, &axis) in axes.iter().enumerate() {
        let axis = match rank {
            Some(rank) => index(axis, rank)?,
            None => usize::try_from(axis).ok()?,
        };
        let (start, end, step) = (at(starts, entry)?, at(ends, entry)?, at(steps, entry)?);
        let forwards = step.known().is_some_and(|step| step > 0);
        let open = [i64::from(i32::MAX), i64::MAX];
        let start = if forwards && start == Number::Known(0) {
            String::new()
        } else {
            start.to_string()
        };
        let to_the_end = forwards && end.known().is_some_and(|end| open.contains(&end));
        let end = if to_the_end {
            String::new()
        } else {
            end.to_string()
        };
        let step = if step == Number::Known(1) {
            String::new()
        } else {
            format!(":{step}")
        };
        if axis >= DynSliceSpec::MAX_ITEMS {
            return None;
        }
        if items.len() <= axis {
            items.resize(axis + 1, ":".to_owned());
        }
        items[axis] = format!("{start}:{end}{step}");
    }
    Some(items.join(", "))
}

/// Creates a slice in TensorFlow's encoding.
fn strided(
    system: &Strided,
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Option<Vec<i64>>,
) -> Operation {
    let ones = vec![1; begin.len()];
    macro_rules! with_masks {
        ($Slice:path, $masks:expr, $strides:expr $(, $offset:ident: $is:expr)?) => {{
            let [begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask] =
                $masks.clone();
            $Slice {
                begin,
                end,
                strides: $strides,
                begin_mask,
                end_mask,
                ellipsis_mask,
                new_axis_mask,
                shrink_axis_mask,
                $($offset: $is,)?
            }
            .into()
        }};
    }
    match system {
        Strided::TensorFlow(masks) => {
            with_masks!(tensorflow::StridedSlice, masks, strides.unwrap_or(ones))
        }
        Strided::LiteRt { masks, offset } => {
            with_masks!(litert::StridedSlice, masks, strides.unwrap_or(ones), offset: *offset)
        }
        Strided::OpenVino(masks) => with_masks!(openvino::StridedSlice, masks, strides),
    }
}

/// Returns the shape of the selected elements for an input of this shape, as far as it is known.
///
/// # Errors
///
/// The reason why the operation does not fit the shape.
pub fn output(taken: &Taken, shape: &[Dim]) -> Result<Option<Vec<Dim>>, String> {
    let dims = |lengths: &[usize]| lengths.iter().map(|&length| Dim::Known(length)).collect();
    if let Taken::Strided(Operation::Axes(Op::Squeeze(Squeeze { axes }))) = taken {
        for &axis in axes {
            let length = index(axis, shape.len()).and_then(|axis| shape.get(axis)?.known());
            if let Some(length) = length.filter(|&length| length != 1) {
                return Err(format!(
                    "axis {axis} cannot be dropped: it has length {length}"
                ));
            }
        }
    }
    match (taken, known(shape)) {
        (Taken::AtRunTime(_), _) => Ok(None),
        (Taken::Strided(operation), Some(shape)) => {
            Ok(Some(dims(operation.resolve(&shape)?.output_shape())))
        }
        (Taken::Lists(spec), Some(shape)) => {
            let selection = spec.resolve(&shape).map_err(|error| error.to_string())?;
            Ok(Some(dims(selection.output_shape())))
        }
        (Taken::Strided(operation), None) => match operation.to_spec(Some(shape.len())) {
            Ok(spec) => of_some(&spec.items().map(Part::Item).collect::<Vec<_>>(), shape).map(Some),
            Err(error @ TranslateError::Operation(_)) => Err(error.to_string()),
            Err(_) => Ok(None),
        },
        (Taken::Lists(spec), None) => {
            let items = spec.items().iter().map(|item| match item {
                OuterItem::Item(item) => Part::Item(*item),
                OuterItem::Positions(list) => Part::List(list),
                _ => Part::Unknown,
            });
            of_some(&items.collect::<Vec<_>>(), shape).map(Some)
        }
    }
}

/// An item of a slice, as far as it determines the shape of the output.
#[derive(Clone)]
enum Part<'a> {
    Item(Item),
    List(&'a [i64]),
    Unknown,
}

/// Computes the shape of the result item by item, if some lengths are unknown.
fn of_some(parts: &[Part<'_>], shape: &[Dim]) -> Result<Vec<Dim>, String> {
    let role = |part: &Part<'_>| match part {
        Part::Item(item) => item.role(),
        Part::List(_) | Part::Unknown => ItemRole::Range,
    };
    let axes = item_axes(parts.iter().map(role), shape.len()).map_err(|error| error.to_string())?;
    let parts = parts.iter().chain([&Part::Item(Item::Ellipsis)]);
    let mut made = Vec::new();
    for (part, (at, _, taken)) in parts.zip(axes) {
        let axis = taken.start;
        match *part {
            Part::Item(Item::NewAxis) => made.push(Dim::Known(1)),
            Part::Item(Item::Ellipsis) => made.extend_from_slice(&shape[taken]),
            Part::Item(WHOLE) => made.push(shape[axis].clone()),
            Part::Item(Item::Index(index)) => {
                if let Dim::Known(size) = shape[axis] {
                    let position = slice_core::resolve::index_at(at, axis, index, size);
                    position.map_err(|error| error.to_string())?;
                }
            }
            Part::Item(Item::Range { begin, end, step }) => made.push(match shape[axis] {
                Dim::Known(size) => {
                    let range = range_at(at, axis, begin, end, step, size);
                    Dim::Known(range.map_err(|error| error.to_string())?.len())
                }
                _ => Dim::Unknown,
            }),
            Part::List(list) => {
                if let Dim::Known(size) = shape[axis] {
                    for &index in list {
                        let position = slice_core::resolve::index_at(at, axis, index, size);
                        position.map_err(|error| error.to_string())?;
                    }
                }
                made.push(Dim::Known(list.len()));
            }
            Part::Unknown => made.push(Dim::Unknown),
        }
    }
    Ok(made)
}

/// Composes two consecutive slices of an input of this shape into one. Returns `None` if no equal slice is known.
pub fn composed(first: &DynSliceSpec, then: &DynSliceSpec, shape: &[Dim]) -> Option<DynSliceSpec> {
    if let Some(shape) = known(shape) {
        let first = first.resolve(&shape).ok()?;
        let both = first
            .compose(&then.resolve(first.output_shape()).ok()?)
            .ok()?;
        let spec = <DynSliceSpec as slice_ops::Operation>::from_selection(&both);
        return spec.ok().map(|spec| spec.op);
    }
    let (first, then) = (ranges(first, shape.len())?, ranges(then, shape.len())?);
    let items = first
        .into_iter()
        .zip(then)
        .zip(shape)
        .map(|((first, then), length)| match (first, then) {
            (first, WHOLE) => Some(first),
            (WHOLE, then) => Some(then),
            (first, then) => {
                let size = length.known()?;
                let item = |item: Item, size: usize| {
                    DynSliceSpec::from_items([item]).ok()?.resolve(&[size]).ok()
                };
                let first = item(first, size)?;
                let both = first
                    .compose(&item(then, first.output_shape().first().copied()?)?)
                    .ok()?;
                let spec = <DynSliceSpec as slice_ops::Operation>::from_selection(&both);
                spec.ok()?.op.items().next().or(Some(WHOLE))
            }
        });
    DynSliceSpec::from_items(items.collect::<Option<Vec<Item>>>()?).ok()
}

/// Replaces the ellipsis by whole axes, for arrays of this rank. Returns `None` if the items are too many.
pub fn without_ellipsis(spec: &DynSliceSpec, rank: usize) -> Option<DynSliceSpec> {
    let items: Vec<Item> = spec.items().collect();
    let mut written = Vec::new();
    for (at, role, axes) in item_axes(items.iter().map(|item| item.role()), rank).ok()? {
        match (role, items.get(at)) {
            (ItemRole::Ellipsis, Some(_)) => written.extend(axes.map(|_| WHOLE)),
            (_, Some(&item)) => written.push(item),
            // Axes after the last item are selected as a whole.
            (_, None) => {}
        }
    }
    DynSliceSpec::from_items(written).ok()
}

/// Omits begins of 0, and ends that are the maximum integer.
pub fn without_sentinels(spec: &DynSliceSpec) -> DynSliceSpec {
    let written = |item| match item {
        Item::Range { begin, end, step } if step > 0 => Item::Range {
            begin: begin.filter(|&begin| begin != 0),
            end: end.filter(|&end| end != i64::MAX),
            step,
        },
        item => item,
    };
    DynSliceSpec::from_items(spec.items().map(written)).unwrap_or_else(|_| spec.clone())
}

/// Returns a range for each axis; `None` if there are other items.
pub fn ranges(spec: &DynSliceSpec, rank: usize) -> Option<Vec<Item>> {
    let mut ranges = vec![WHOLE; rank];
    let items: Vec<Item> = spec.items().collect();
    for (at, role, axes) in item_axes(items.iter().map(|item| item.role()), rank).ok()? {
        match (role, items.get(at)) {
            (ItemRole::Ellipsis, _) => {}
            (ItemRole::Range, Some(&item)) => *ranges.get_mut(axes.start)? = item,
            _ => return None,
        }
    }
    Some(ranges)
}

/// Numbers that exporters write for the end of an axis; the second one is written by tf2onnx.
const OPEN_ENDS: [i64; 3] = [i32::MAX as i64, 1_000_000_000, i64::MAX];

/// Writes a slice in a unique form. Equal ranges of a known axis get the same text, other ranges have no sentinels, and
/// whole axes at the end are omitted.
pub fn plain(spec: &DynSliceSpec, shape: &[Dim]) -> DynSliceSpec {
    let Some(ranges) = ranges(spec, shape.len()) else {
        return spec.clone();
    };
    let written = |(item, length): (Item, &Dim)| {
        let Some(size) = length.known() else {
            return match item {
                Item::Range { begin, end, step } if step > 0 => Item::Range {
                    begin: begin.filter(|&begin| begin != 0),
                    end: end.filter(|end| !OPEN_ENDS.contains(end)),
                    step,
                },
                item => item,
            };
        };
        let this = DynSliceSpec::from_items([item])
            .ok()
            .and_then(|one| one.resolve(&[size]).ok());
        let this =
            this.and_then(|one| <DynSliceSpec as slice_ops::Operation>::from_selection(&one).ok());
        this.map_or(item, |this| {
            this.op
                .items()
                .next()
                .filter(|item| *item != Item::Ellipsis)
                .unwrap_or(WHOLE)
        })
    };
    let mut items: Vec<Item> = ranges.into_iter().zip(shape).map(written).collect();
    while items.last() == Some(&WHOLE) {
        items.pop();
    }
    DynSliceSpec::from_items(items).unwrap_or_else(|_| spec.clone())
}

/// Returns whether a slice selects all of an input of this shape.
pub fn is_whole(spec: &DynSliceSpec, shape: Option<&[Dim]>) -> bool {
    let Some(shape) = shape else {
        return spec
            .items()
            .all(|item| item == WHOLE || item == Item::Ellipsis);
    };
    let whole = |(item, length): (Item, &Dim)| {
        let of = |size: usize| DynSliceSpec::from_items([item]).ok()?.resolve(&[size]).ok();
        let is = |size: usize| of(size).is_some_and(|one| one.axes() == [AxisRange::whole(size)]);
        item == WHOLE || length.known().is_some_and(is)
    };
    ranges(spec, shape.len()).is_some_and(|ranges| ranges.into_iter().zip(shape).all(whole))
}
