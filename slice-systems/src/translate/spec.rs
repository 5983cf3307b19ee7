//! Contains functions shared by the translations between Python slices and the operations of TensorFlow, ONNX and the
//! other systems. They convert selections to items and items to vectors, and reject items that are invalid in every
//! system.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::array;

use slice_core::resolve::element_count;
use slice_core::{
    AxisRange, DynSliceSpec, Item, ItemMasks, NdList, OutputAxis, ResolvedStep, Selection,
    SliceError,
};

use super::TranslateError;
use crate::error::OperationError;
use crate::masked_slice::mask_bits;

/// The item `:`, which selects a whole axis.
pub(crate) const WHOLE: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

/// Returns an error if `spec`, which is that of `operation`, has a list, a mask or points.
pub(crate) fn without_lists<'a>(
    spec: &'a DynSliceSpec,
    operation: &'static str,
) -> Result<&'a DynSliceSpec, TranslateError> {
    match spec.has_lists() {
        true => Err(TranslateError::List { operation }),
        false => Ok(spec),
    }
}

/// Returns the items of `spec`, which are ranges, indices, new axes and ellipses.
///
/// # Errors
///
/// Returns [`TranslateError::NeedsShape`] if the spec has a list, a mask or points, which systems express only for known
/// shapes, and [`TranslateError::Operation`] if a range has a step of 0.
pub(crate) fn strided_items(
    spec: &DynSliceSpec,
    system: &'static str,
) -> Result<Vec<Item>, TranslateError> {
    if spec.has_lists() {
        return Err(TranslateError::NeedsShape { system });
    }
    let items: Vec<Item> = spec.items().collect();
    for (i, item) in items.iter().enumerate() {
        check_stride(i, item)?;
    }
    Ok(items)
}

/// The name of ONNX in errors.
pub(crate) const ONNX: &str = "ONNX";

/// Returns one item for each input axis, in order, with items for the new axes between them. A new axis comes after any
/// dropped axes, directly before the next kept axis or at the end. `map_range` is applied to the range of each kept
/// axis before the range is converted to an item.
///
/// # Errors
///
/// Returns [`SliceError::NotStrided`] if the selection has lists, and [`TranslateError::EmptyNewAxis`] if a new axis has
/// length 0.
pub(crate) fn items(
    selection: &Selection,
    map_range: impl Fn(AxisRange) -> AxisRange,
) -> Result<Vec<Item>, TranslateError> {
    selection.axes()?;
    let (items, repeated) = items_and_repeated_axes(selection, map_range);
    match repeated.first() {
        Some(repeated) => Err(repeated.error()),
        None => Ok(items),
    }
}

/// Neighboring new axes whose length is not 1. No item has this effect by itself.
struct RepeatedAxes {
    /// The index of the first `newaxis` among the items.
    item: usize,
    /// The number of the first axis in the result.
    axis: usize,
    lens: Vec<usize>,
}

impl RepeatedAxes {
    fn error(&self) -> TranslateError {
        let axis = self.axis;
        match self.lens[0] {
            0 => TranslateError::EmptyNewAxis { axis },
            len => TranslateError::RepeatedNewAxis { axis, len },
        }
    }
}

/// Returns the items of a selection, as [`items`] does, with `newaxis` for each new axis of any length.
fn items_and_repeated_axes(
    selection: &Selection,
    map_range: impl Fn(AxisRange) -> AxisRange,
) -> (Vec<Item>, Vec<RepeatedAxes>) {
    let (mut items, mut repeated) = (Vec::new(), Vec::<RepeatedAxes>::new());
    let (mut sizes, mut axis) = (selection.input_shape(), 0);
    for step in selection.resolved_steps() {
        let (inputs, outputs) = match step {
            ResolvedStep::Keep(_) => (1, 1),
            ResolvedStep::Drop(_) => (1, 0),
            ResolvedStep::Insert { .. } => (0, 1),
            ResolvedStep::List(list) => (list.axes(), list.shape().len()),
        };
        items.push(match step {
            ResolvedStep::Keep(range) => item(map_range(range), sizes[0]),
            ResolvedStep::Drop(position) => Item::Index(position as i64),
            ResolvedStep::Insert { len: 1 } => Item::NewAxis,
            ResolvedStep::Insert { len } => push_repeated(&mut repeated, items.len(), axis, len),
            ResolvedStep::List(list) => {
                let positions: Vec<usize> = list.positions().iter().collect();
                item_of_lists(lists_by_axis(&positions, list.shape(), &sizes[..inputs]))
            }
        });
        sizes = &sizes[inputs..];
        axis += outputs;
    }
    (items, repeated)
}

/// Returns the item with the given list for each of its axes: a list, or points.
pub(crate) fn item_of_lists(mut lists: Vec<NdList<i64>>) -> Item {
    match lists.len() {
        1 => Item::List(lists.remove(0)),
        _ => Item::Points(lists),
    }
}

/// Adds a new axis of length `len` to the last of `repeated` if it follows them directly, and otherwise to a new entry.
/// Returns the item for the axis.
fn push_repeated(repeated: &mut Vec<RepeatedAxes>, item: usize, axis: usize, len: usize) -> Item {
    match repeated.last_mut() {
        Some(last) if last.item + last.lens.len() == item => last.lens.push(len),
        _ => {
            let lens = Vec::from([len]);
            repeated.push(RepeatedAxes { item, axis, lens });
        }
    }
    Item::NewAxis
}

/// Returns the list of positions for each of several axes with the lengths `sizes`, from flat positions in C order over
/// these axes. `shape` is the shape of each list.
pub(crate) fn lists_by_axis(
    positions: &[usize],
    shape: &[usize],
    sizes: &[usize],
) -> Vec<NdList<i64>> {
    let axes = sizes.iter().enumerate().map(|(axis, &size)| {
        let inner = sizes[axis + 1..].iter();
        // The product can overflow only if there are no positions.
        let after = inner.fold(1, |after: usize, &size| after.saturating_mul(size));
        // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
        let list: Vec<i64> = positions
            .iter()
            .map(|flat| (flat / after % size) as i64)
            .collect();
        NdList::new(shape, list).expect("there should be a position for each element of the shape")
    });
    axes.collect()
}

/// Returns the spec, possibly with lists, that selects the same elements as `selection` for its input shape.
///
/// # Errors
///
/// Returns [`TranslateError::EmptyNewAxis`] if a new axis has length 0, and [`TranslateError::RepeatedNewAxis`] if it has
/// a length above 1 and no neighboring axis has exactly one selected position.
pub(crate) fn spec_of_selection(selection: &Selection) -> Result<DynSliceSpec, TranslateError> {
    let (mut items, repeated) = items_and_repeated_axes(selection, |range| range);
    // Replaced items can change the indices of later items, so the last axes come first.
    for axes in repeated.iter().rev() {
        repeat_neighbor(selection, &mut items, axes)?;
    }
    Ok(DynSliceSpec::from_items(items)?)
}

/// Replaces repeated axes, and the nearest kept axis before or after them, provided that exactly one position of that axis
/// is selected, by a list that repeats this position, and a new axis.
fn repeat_neighbor(
    selection: &Selection,
    items: &mut Vec<Item>,
    repeated: &RepeatedAxes,
) -> Result<(), TranslateError> {
    let first = repeated.item;
    let end = first + repeated.lens.len();
    let is_kept = |&i: &usize| !matches!(items[i], Item::NewAxis | Item::Index(_));
    let before = (0..first).rev().find(is_kept);
    let after = (end..items.len()).find(is_kept);
    let single = |i: usize| {
        let consumed = items[..i]
            .iter()
            .filter_map(Item::input_axes)
            .sum::<usize>();
        let spans_one_axis = items[i].input_axes() == Some(1) && items[i].output_axes() == Some(1);
        let positions = spans_one_axis.then(|| selection.axis(consumed))?;
        let position = (positions.len() == 1).then(|| positions.run_from(0).start());
        position.map(|position| (i, position as i64))
    };
    let neighbor = before.and_then(single).or_else(|| after.and_then(single));
    let (neighbor, position) = neighbor.ok_or_else(|| repeated.error())?;
    let len = element_count(&repeated.lens).map_err(|_| repeated.error())?;
    let mut list = Vec::new();
    list.try_reserve_exact(len).map_err(|_| repeated.error())?;
    list.resize(len, position);
    let list = NdList::new(&repeated.lens[..], list);
    let list = Item::List(list.expect("there should be a position for each element of the shape"));
    let replaced = first.min(neighbor)..end.max(neighbor + 1);
    let is_index = |item: &&Item| matches!(item, Item::Index(_));
    let indices: Vec<Item> = items[replaced.clone()]
        .iter()
        .filter(is_index)
        .cloned()
        .collect();
    // The neighbor becomes a new axis.
    let new_axes = replaced.len() - repeated.lens.len() - indices.len();
    let new_axes = vec![Item::NewAxis; new_axes];
    // The axes of the array stay in order.
    let reordered = match neighbor < first {
        true => [&new_axes[..], &[list], &indices[..]],
        false => [&indices[..], &[list], &new_axes[..]],
    };
    items.splice(replaced, reordered.concat());
    Ok(())
}

/// Returns the output axes that are sliced with a negative step.
pub(crate) fn reversed_output_axes(selection: &Selection) -> impl Iterator<Item = usize> {
    let outputs = selection.output_axes().iter().enumerate();
    outputs.filter_map(|(output, origin)| match *origin {
        OutputAxis::Input(axis) => selection
            .range(axis)
            .is_some_and(|range| range.step() < 0)
            .then_some(output),
        OutputAxis::New { .. } => None,
    })
}

/// Returns the spec that applies each item to its axis and selects all other axes in full. Negative axes count from the
/// end, and follow an ellipsis.
///
/// # Errors
///
/// Returns [`SliceError::TooManyItems`] if the spec needs more than 64 items.
pub(crate) fn spec_on_axes(items: &BTreeMap<i64, Item>) -> Result<DynSliceSpec, SliceError> {
    let item = |axis: i64| items.get(&axis).cloned().unwrap_or(WHOLE);
    let first = items.first_key_value().map_or(0, |(&axis, _)| axis);
    let last = items.last_key_value().map_or(-1, |(&axis, _)| axis);
    let ellipsis = (first < 0).then_some(Item::Ellipsis);
    let from_front = (0..=last).map(item);
    DynSliceSpec::from_items(from_front.chain(ellipsis).chain((first..0).map(item)))
}

/// Shortens the items: omits the `:` at the end, where they are implied, or replaces the longest run of `:` with an
/// ellipsis if that omits more items.
pub(crate) fn shortest(mut items: Vec<Item>) -> Vec<Item> {
    let (mut run, mut longest) = (0..0, 0..0);
    for (i, item) in items.iter().enumerate() {
        run = if *item == WHOLE {
            run.start..i + 1
        } else {
            i + 1..i + 1
        };
        if run.len() > longest.len() {
            longest = run.clone();
        }
    }
    // `run` is now the run at the end of the items, which may be empty.
    if longest.len() > run.len() + 1 {
        items.splice(longest, [Item::Ellipsis]);
    } else {
        items.truncate(run.start);
    }
    items
}

/// Returns the shortest spec that selects the same elements as `selection`, which has no lists, for its input shape.
pub(crate) fn shortest_spec(selection: &Selection) -> Result<DynSliceSpec, TranslateError> {
    let items = shortest(items(selection, |range| range)?);
    Ok(DynSliceSpec::from_items(items)?)
}

/// Returns an item that selects the positions of `range` on an axis of length `size`, without the bounds that can be
/// omitted.
pub(crate) fn item(range: AxisRange, size: usize) -> Item {
    if range == AxisRange::whole(size) {
        return WHOLE;
    }
    let (start, step, len) = (range.start(), range.step() as i64, range.len());
    let distance = range.step().unsigned_abs();
    let Some(last) = len.checked_sub(1).map(|k| range.position(k)) else {
        let (begin, end) = (Some(0), Some(0));
        return Item::Range { begin, end, step };
    };
    // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
    let omits_begin = start == if step > 0 { 0 } else { size - 1 };
    let end = if step > 0 {
        (size - last > distance).then(|| last as i64 + 1)
    } else {
        (last >= distance).then(|| last as i64 - 1)
    };
    Item::Range {
        begin: (!omits_begin).then_some(start as i64),
        end,
        step,
    }
}

/// Returns the `begin`, `end` and step of a range with a positive step. No bound is omitted.
pub(crate) fn begin_end_step(range: AxisRange) -> (i64, i64, i64) {
    // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
    let last = range.positions().next_back();
    let end = last.map_or(range.start(), |last| last + 1);
    (range.start() as i64, end as i64, range.step() as i64)
}

/// Returns an error for a stride of zero, which is invalid in every system.
pub(crate) fn check_stride(index: usize, item: &Item) -> Result<(), TranslateError> {
    match item {
        Item::Range { step: 0, .. } => Err(OperationError::ZeroInStrides { item: index }.into()),
        _ => Ok(()),
    }
}

/// Returns `item` without the bounds that have the same meaning on every axis as an omitted bound.
pub(crate) fn without_redundant_bounds(item: Item) -> Item {
    match item {
        Item::Range { begin, end, step } => {
            let first = if step > 0 {
                [0, i64::MIN]
            } else {
                [-1, i64::MAX]
            };
            let last = if step > 0 { i64::MAX } else { i64::MIN };
            Item::Range {
                begin: begin.filter(|begin| !first.contains(begin)),
                end: end.filter(|&end| end != last),
                step,
            }
        }
        _ => item,
    }
}

/// The `begin`, `end` and strides of a strided slice, and the mask bits of each entry.
#[derive(Default)]
pub(crate) struct EncodedItems {
    pub(crate) begin: Vec<i64>,
    pub(crate) end: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    pub(crate) item_masks: Vec<ItemMasks>,
}

impl EncodedItems {
    /// Encodes `items` as entries.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::NotStrided`] if an item is a list, a mask or points.
    pub(crate) fn new(items: &[Item]) -> Result<Self, SliceError> {
        let mut vectors = EncodedItems::default();
        for item in items {
            let ((begin, end, stride), item_masks) = item.encode().ok_or(SliceError::NotStrided)?;
            vectors.begin.push(begin);
            vectors.end.push(end);
            vectors.strides.push(stride);
            vectors.item_masks.push(item_masks);
        }
        Ok(vectors)
    }

    /// Returns the `begin`, `end` and stride vectors, and the bit masks for begin, end, ellipsis, new axis and shrink
    /// axis.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyItems`] if an entry beyond the 63rd needs a bit, because the 64th bit of an `i64`
    /// is the sign.
    pub(crate) fn into_bit_masked(self) -> Result<([Vec<i64>; 3], [i64; 5]), TranslateError> {
        let (items, limit) = (self.item_masks.len(), i64::BITS as usize - 1);
        let mut bits = [0; 5];
        for (i, item_masks) in self.item_masks.iter().enumerate() {
            let item_masks = mask_bits(*item_masks).map(|(_, is_set)| is_set);
            if i >= limit && item_masks.contains(&true) {
                return Err(SliceError::TooManyItems { items, limit }.into());
            }
            for (bits, is_set) in bits.iter_mut().zip(item_masks) {
                if is_set {
                    *bits |= 1 << i;
                }
            }
        }
        Ok(([self.begin, self.end, self.strides], bits))
    }

    /// Returns the masks for begin, end, ellipsis, new axis and shrink axis as lists of zeros and ones.
    pub(crate) fn masks_as_lists(&self) -> [Vec<i64>; 5] {
        let masks = self.item_masks.iter().map(|&masks| mask_bits(masks));
        array::from_fn(|mask| masks.clone().map(|bits| bits[mask].1.into()).collect())
    }
}
