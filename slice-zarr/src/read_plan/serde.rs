//! Serializes and deserializes plans, as JSON and in binary formats. A deserialized plan has passed the same checks as
//! a new plan.

use alloc::borrow::Cow;
use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use slice_core::{AxisPositions, AxisRange, OutputAxis, ResolvedStep, Selection, SliceError};

use super::bounds::PartBounds;
use super::error::PlanError;
use super::{ChunkedArray, ReadPlan, planned_axes};
use crate::Dims;
use crate::chunks::joined::{JoinedAxes, listed, merged, replace_axes};

/// The version of the fields of a serialized plan.
const VERSION: u32 = 1;

/// Serializes the fields of a struct. In human-readable formats, a field with a condition is omitted if it is false.
macro_rules! serialize_fields {
    ($to:expr, $name:literal: $($field:literal: $value:expr $(, if $condition:expr)?;)*) => {{
        let (to, mut count) = ($to, 0);
        let all = !to.is_human_readable();
        $(count += usize::from(true $(&& (all || $condition))?);)*
        let mut to = to.serialize_struct($name, count)?;
        $(if true $(&& (all || $condition))? {
            to.serialize_field($field, $value)?;
        })*
        to.end()
    }};
}

impl Serialize for ChunkedArray {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_fields! { to, "ChunkedArray":
            "address": &self.address;
            "shape": &self.shape;
            "data_type": &self.data_type;
            "item_size": &self.item_size;
            "chunk_shape": &self.chunk_shape;
            "inner_chunk_shape": &self.inner_chunk_shape, if self.inner_chunk_shape.is_some();
            "index_bytes": &self.index_bytes, if self.index_bytes != 0;
            "uncompressed": &self.uncompressed, if self.uncompressed;
            "chunk_memory": &self.chunk_memory, if self.chunk_memory != 0;
        }
    }
}

/// The start, the step and the length of the selection on an axis.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    start: usize,
    step: isize,
    len: usize,
}

/// The start, the step and the length of a run.
type Run = (usize, isize, usize);

/// The list on an axis: either single positions, or runs, each with a start, a step and a length.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    axis: usize,
    #[serde(default = "one")]
    axes: usize,
    #[serde(default)]
    positions: Vec<usize>,
    #[serde(default)]
    runs: Vec<Run>,
}

fn one() -> usize {
    1
}

/// The lengths of the axes of the result that an item gives, if there are several. They count as one `axis`.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
struct ItemShape {
    axis: usize,
    shape: Vec<usize>,
}

impl Serialize for List {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_fields! { to, "List":
            "axis": &self.axis;
            "axes": &self.axes, if self.axes != 1;
            "positions": &self.positions, if !self.positions.is_empty();
            "runs": &self.runs, if !self.runs.is_empty();
        }
    }
}

/// Converts positions to single positions or to runs.
fn singles_or_runs(positions: &AxisPositions) -> (Vec<usize>, Vec<Run>) {
    let runs = positions.runs();
    match runs.len() == positions.len() {
        true => (positions.iter().collect(), Vec::new()),
        false => {
            let runs = runs.map(|run| (run.start(), run.step(), run.len()));
            (Vec::new(), runs.collect())
        }
    }
}

/// Returns the positions for `axis`, or an error unless `positions` or `runs` is empty.
fn positions_of<E: Error>(
    axis: usize,
    positions: Vec<usize>,
    runs: Vec<Run>,
) -> Result<AxisPositions, E> {
    match (positions.is_empty(), runs.is_empty()) {
        (_, true) => Ok(AxisPositions::from_positions(positions)),
        (true, false) => {
            let runs = runs.into_iter();
            let runs = runs.map(|(start, step, len)| AxisRange::new(start, step, len));
            Ok(AxisPositions::from_runs(runs))
        }
        (false, false) => Err(either(axis)),
    }
}

fn either<E: Error>(axis: usize) -> E {
    E::custom(format!(
        "the list for axis {axis} must have either `positions` or `runs`"
    ))
}

/// The [places](super::places) on an axis of the result, as single positions or as runs. `size` is the length of the
/// axis.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Places {
    axis: usize,
    size: usize,
    #[serde(default)]
    positions: Vec<usize>,
    #[serde(default)]
    runs: Vec<Run>,
}

impl Serialize for Places {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_fields! { to, "Places":
            "axis": &self.axis;
            "size": &self.size;
            "positions": &self.positions, if !self.positions.is_empty();
            "runs": &self.runs, if !self.runs.is_empty();
        }
    }
}

/// The origin of an axis of the result, such as `{"input": 0}` or `{"new": 1}`.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum Origin {
    /// An axis of the array.
    Input(usize),
    /// A new axis of this length.
    New(usize),
}

/// A part of the result.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
struct Part {
    begin: Vec<usize>,
    end: Vec<usize>,
}

/// The version of a serialized plan, which is checked during deserialization.
struct Version;

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        match u32::deserialize(from)? {
            VERSION => Ok(Version),
            other => Err(D::Error::custom(format_args!(
                "the plan has version {other}, but only version {VERSION} is supported; use the version of slice-zarr that created \
                 the plan"
            ))),
        }
    }
}

/// The fields of a serialized plan.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    version: Version,
    array: ChunkedArray,
    axes: Vec<Range>,
    output_axes: Vec<Origin>,
    parts: Vec<Part>,
    #[serde(default)]
    lists: Vec<List>,
    #[serde(default)]
    places: Vec<Places>,
    #[serde(default)]
    item_shapes: Vec<ItemShape>,
}

/// A plan is serialized as a struct with these fields:
///
/// - `version`: 1.
/// - `array`: the description of the array.
/// - `axes`: the start, the step and the length of the selection on each axis of the array.
/// - `output_axes`: the origin of each axis of the result: an axis of the array, or a new axis and its length.
/// - `parts`: `begin` and `end` of each part on each axis of the result.
/// - `lists`, if the selection has lists: for each list, its `axis`, and either its `positions` or its `runs`. Each run
///   has a start, a step and a length. For the axis of a list, `axes` contains a range with start 0, step 1 and the
///   length of the list. A mask or points on several axes are a list with their number of `axes`, from `axis` on, whose
///   positions are in C order over these axes.
/// - `places`, if the plan was created by a split and contains only some positions of a list: for each of these lists,
///   the `axis` of the result, the `size` of this axis, and the `positions` or `runs` that the plan fills.
/// - `item_shapes`, if an item gives several axes of the result: the lengths of these axes. In all fields, they count as one
///   `axis`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{ChunkedArray, ReadPlan};
///
/// let array = ChunkedArray {
///     address: "volume.zarr".into(),
///     shape: vec![10, 7],
///     data_type: "int16".into(),
///     item_size: 2,
///     chunk_shape: vec![4, 4],
///     ..ChunkedArray::default()
/// };
/// let plan = ReadPlan::new(array, s![::-1, newaxis, 2].resolve(&[10, 7])?)?;
/// let json = serde_json::json!({
///     "version": 1,
///     "array": {
///         "address": "volume.zarr", "shape": [10, 7], "data_type": "int16", "item_size": 2, "chunk_shape": [4, 4],
///     },
///     "axes": [{ "start": 9, "step": -1, "len": 10 }, { "start": 2, "step": 1, "len": 1 }],
///     "output_axes": [{ "input": 0 }, { "new": 1 }],
///     "parts": [{ "begin": [0, 0], "end": [10, 1] }],
/// });
/// assert_eq!(serde_json::to_value(&plan)?, json);
/// assert_eq!(serde_json::from_value::<ReadPlan>(json)?, plan);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Serialize for ReadPlan {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let selection = match self.joined_axes() {
            None => Cow::Borrowed(self.orthogonal()),
            Some(joined_axes) => {
                let shape = &self.array.shape;
                Cow::Owned(joined_axes.separated(self.orthogonal(), shape, |_| false))
            }
        };
        let (mut axes, mut lists, mut firsts) = (Vec::new(), Vec::new(), Vec::new());
        for step in selection.resolved_steps() {
            let axis = axes.len();
            let (count, range) = match step {
                ResolvedStep::Keep(range) => (1, range),
                ResolvedStep::Drop(position) => (1, AxisRange::single(position)),
                ResolvedStep::Insert { .. } => continue,
                ResolvedStep::List(list) => {
                    let range = AxisRange::whole(list.positions().len());
                    let (positions, runs) = singles_or_runs(list.positions());
                    lists.push(List {
                        axis,
                        axes: list.axes(),
                        positions,
                        runs,
                    });
                    (list.axes(), range)
                }
            };
            axes.extend((0..count).map(|_| range));
            firsts.push(axis);
        }
        let origins = self.orthogonal().output_axes().iter();
        let origins = origins.map(|&origin| match origin {
            OutputAxis::Input(axis) => Origin::Input(firsts[axis]),
            OutputAxis::New { len } => Origin::New(len),
        });
        let item_shapes: Vec<ItemShape> = match self.joined_axes() {
            None => Vec::new(),
            Some(joined_axes) => {
                let axes = (0..self.merged_shape().len()).map(|axis| {
                    let shape = joined_axes.result_lens(axis).to_vec();
                    ItemShape { axis, shape }
                });
                axes.filter(|item| item.shape.len() > 1).collect()
            }
        };
        let parts = self.parts.iter().map(|bounds| Part {
            begin: bounds.begin.to_vec(),
            end: bounds.end.to_vec(),
        });
        let shape = self.merged_shape();
        let partial_axes = (0..shape.len()).filter(|&axis| !self.is_whole_axis(axis));
        let places = partial_axes.map(|axis| {
            let (positions, runs) = singles_or_runs(&self.output.axis(axis));
            Places {
                axis,
                size: shape[axis],
                positions,
                runs,
            }
        });
        let places: Vec<Places> = places.collect();
        serialize_fields! { to, "ReadPlan":
            "version": &VERSION;
            "array": &self.array;
            "axes": &axes;
            "output_axes": &Vec::from_iter(origins);
            "parts": &Vec::from_iter(parts);
            "lists": &lists, if !lists.is_empty();
            "places": &places, if !places.is_empty();
            "item_shapes": &item_shapes, if !item_shapes.is_empty();
        }
    }
}

/// Deserialization returns an error if any property of the plan is invalid. For example, the slice must lie in the
/// array, and the parts must lie in the result, begin and end at chunk boundaries, and not overlap.
impl<'de> Deserialize<'de> for ReadPlan {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Fields {
            version: Version,
            array,
            axes,
            output_axes,
            parts,
            lists,
            places,
            item_shapes,
        } = Fields::deserialize(from)?;
        let zero = axes.iter().position(|range| range.step == 0);
        if let Some(axis) = zero {
            return Err(D::Error::custom(format!("the step on axis {axis} is zero")));
        }
        let axes = axes.iter();
        let axes: Dims<_> = axes
            .map(|range| AxisRange::new(range.start, range.step, range.len))
            .collect();
        let output_axes = output_axes.iter().map(|origin| match *origin {
            Origin::Input(axis) => OutputAxis::Input(axis),
            Origin::New(len) => OutputAxis::New { len },
        });
        let output_axes: Dims<_> = output_axes.collect();
        let selection = with_lists(&array.shape, &axes, lists, &output_axes)?;
        let parts = parts.iter().map(|part| PartBounds {
            begin: Dims::from_slice(&part.begin),
            end: Dims::from_slice(&part.end),
        });
        let mut axes =
            planned_axes::<PlanError>(&array, selection, &|| Ok(())).map_err(D::Error::custom)?;
        let output = match places.is_empty() {
            true => None,
            false => Some(with_places(&axes.selection, places)?),
        };
        if axes.joined.is_some() || !item_shapes.is_empty() {
            let shape = match &output {
                Some(output) => output.input_shape(),
                None => axes.selection.output_shape(),
            };
            let joined_axes = axes.joined.get_or_insert_with(|| {
                let (chunk_shape, unit_shape) = (&array.chunk_shape, array.decoded_shape());
                Arc::new(JoinedAxes::without_joined_axes(
                    &array.shape,
                    chunk_shape,
                    unit_shape,
                ))
            });
            let mut lens: Vec<Dims> = shape.iter().map(|&len| Dims::from_elem(len, 1)).collect();
            for ItemShape { axis, shape } in item_shapes {
                match lens.get_mut(axis) {
                    Some(lens) if !shape.is_empty() => *lens = Dims::from_vec(shape),
                    _ => return Err(D::Error::custom(PlanError::Places { axis })),
                }
            }
            let set = Arc::make_mut(joined_axes).set_result(shape, &lens);
            set.map_err(|axis| D::Error::custom(PlanError::Places { axis }))?;
        }
        ReadPlan::with_axes(array, axes, output, parts.collect()).map_err(D::Error::custom)
    }
}

/// Returns a selection from the whole result. It selects the positions in `places`, and all positions on axes without
/// places.
fn with_places<E: Error>(selection: &Selection, places: Vec<Places>) -> Result<Selection, E> {
    let mut shape = Dims::from_slice(selection.output_shape());
    let ranges = shape.iter().map(|&len| AxisRange::whole(len).into());
    let mut axes: Vec<AxisPositions> = ranges.collect();
    for Places {
        axis,
        size,
        positions,
        runs,
    } in places
    {
        if positions.is_empty() && runs.is_empty() {
            return Err(either(axis));
        }
        match axes.get_mut(axis) {
            Some(place) => *place = positions_of(axis, positions, runs)?,
            None => {
                return Err(E::custom(format!(
                    "there are places for axis {axis}, but the result has {} axes",
                    axes.len()
                )));
            }
        }
        shape[axis] = size;
    }
    let kept: Dims<_> = (0..shape.len()).map(OutputAxis::Input).collect();
    Selection::from_axes(&shape, axes, &kept).map_err(E::custom)
}

/// Returns the selection from an array of shape `shape`. On each axis, it selects the list for the axis if there is one, and
/// otherwise the range in `axes`. If an axis has a list, its range must be `0:len`, where `len` is the length of the list.
fn with_lists<E: Error>(
    shape: &[usize],
    axes: &[AxisRange],
    lists: Vec<List>,
    output_axes: &[OutputAxis],
) -> Result<Selection, E> {
    let rank = axes.len();
    let ranges = axes.iter().copied();
    let mut positions: Vec<_> = ranges.map(AxisPositions::from).map(Some).collect();
    // The number of axes of the list that begins on an axis, 0 for the other axes of a list, and otherwise 1.
    let mut counts = Dims::from_elem(1, rank);
    for list in lists {
        let (axis, count) = (list.axis, list.axes);
        let list = positions_of(axis, list.positions, list.runs)?;
        let end = axis
            .checked_add(count)
            .filter(|&end| end <= rank && count > 0);
        let Some(end) = end else {
            return Err(E::custom(format!(
                "there is a list for axis {axis}, but the array has {rank} axes"
            )));
        };
        let whole = Some(AxisRange::whole(list.len()).into());
        if let Some(place) = positions[axis..end]
            .iter()
            .position(|place| *place != whole)
        {
            return Err(E::custom(format!(
                "axis {} has a list of {len} positions, so its range in `axes` must be 0:{len}",
                axis + place,
                len = list.len()
            )));
        }
        positions[axis..end].fill(None);
        counts[axis..end].fill(0);
        positions[axis] = Some(list);
        counts[axis] = count;
    }
    if counts.iter().all(|&count| count == 1) {
        let positions = positions.into_iter().flatten();
        return Selection::from_axes(shape, positions, output_axes).map_err(E::custom);
    }
    let number_of = |axis: usize| counts[..axis].iter().filter(|&&count| count > 0).count();
    let output_axes = output_axes.iter().map(|&origin| match origin {
        OutputAxis::Input(axis) if counts.get(axis).is_none_or(|&count| count == 0) => {
            Err(E::custom(SliceError::InvalidOutputAxis { axis }))
        }
        OutputAxis::Input(axis) => Ok(OutputAxis::Input(number_of(axis))),
        new => Ok(new),
    });
    let output_axes = output_axes.collect::<Result<Vec<_>, E>>()?;
    if shape.len() != rank {
        let (expected, actual) = (shape.len(), rank);
        return Err(E::custom(SliceError::RankMismatch { expected, actual }));
    }
    let groups: Dims = counts.iter().copied().filter(|&count| count > 0).collect();
    let merged = Selection::from_axes(
        &merged(&groups, shape),
        positions.into_iter().flatten(),
        &output_axes,
    );
    let merged = merged.map_err(E::custom)?;
    Ok(replace_axes(&merged, shape, |axis, _, positions| {
        let count = axis.map_or(0, |axis| groups[axis]);
        (count > 1).then(|| listed(count, &[positions.len()], positions.clone()))
    }))
}
