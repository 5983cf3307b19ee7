//! Creates, composes and normalizes slices.

use std::collections::BTreeSet;
use std::slice;

use slice_core::resolve::item_axes;
use slice_core::{AxisRange, DynSliceSpec, Item, ItemRole, Selection};
use slice_systems::Operation;
use slice_systems::translate::TranslateError;

use crate::model::number::{Dim, known};
use crate::model::steps;

/// The item `:`, which selects a whole axis.
pub const WHOLE: Item = Item::Range {
    begin: None,
    end: None,
    step: 1,
};

/// The item `::-1`, which reverses an axis.
pub(super) const REVERSED: Item = Item::Range {
    begin: None,
    end: None,
    step: -1,
};

/// Returns the slice with `item` on each axis in `axes`, and with `:` on the others. If the rank is unknown, the items
/// for negative axes, which are counted from the end, follow an ellipsis.
pub(super) fn spec_with_items(
    axes: &[i64],
    item: Item,
    rank: Option<usize>,
) -> Result<DynSliceSpec, TranslateError> {
    steps::count(axes.len());
    let rank = rank.and_then(|rank| i64::try_from(rank).ok());
    let limit = DynSliceSpec::MAX_ITEMS as i64;
    let axis = |&axis: &i64| match rank {
        Some(rank) if axis < 0 => axis.saturating_add(rank).clamp(-limit, limit),
        _ => axis.clamp(-limit, limit),
    };
    let axes: BTreeSet<i64> = axes.iter().map(axis).collect();
    let item_on = |axis: i64| match axes.contains(&axis) {
        true => item.clone(),
        false => WHOLE,
    };
    let first = axes.first().map_or(0, |&axis| axis.min(0));
    let last = axes.last().copied().unwrap_or(-1);
    let ellipsis = (first < 0).then_some(Item::Ellipsis);
    let from_front = (0..=last).map(item_on);
    let items = from_front.chain(ellipsis).chain((first..0).map(item_on));
    Ok(DynSliceSpec::from_items(items)?)
}

/// Returns the items of a slice, with an item `:` for each axis of an array of rank `rank` that the ellipsis stands for.
/// Returns `None` if there are more items than axes, or if one is a list.
fn explicit_items(spec: &DynSliceSpec, rank: usize) -> Option<Vec<Item>> {
    let roles: Option<Vec<ItemRole>> = spec.items().map(|item| item.role()).collect();
    // The axes after the last item need no items.
    let items = spec.items().zip(item_axes(roles?, rank).ok()?);
    let items = items.flat_map(|(item, (_, _, axes))| match item {
        Item::Ellipsis => vec![WHOLE; axes.len()],
        item => vec![item],
    });
    Some(items.collect())
}

/// Replaces the ellipsis with an item `:` for each axis that it stands for in arrays of rank `rank`. Returns `None` if
/// there are too many items, or if one is a list.
pub fn without_ellipsis(spec: &DynSliceSpec, rank: usize) -> Option<DynSliceSpec> {
    DynSliceSpec::from_items(explicit_items(spec, rank)?).ok()
}

/// Omits a `begin` of 0 and an end of INT64_MAX from each range with a positive step.
pub fn without_sentinels(spec: &DynSliceSpec) -> DynSliceSpec {
    let items = spec.items().map(|item| without_bounds(item, &[i64::MAX]));
    DynSliceSpec::from_items(items).unwrap_or_else(|_| spec.clone())
}

/// Omits a `begin` of 0 and an end that is one of `ends` from a range with a positive step.
fn without_bounds(item: Item, ends: &[i64]) -> Item {
    match item {
        Item::Range { begin, end, step } if step > 0 => Item::Range {
            begin: begin.filter(|&begin| begin != 0),
            end: end.filter(|end| !ends.contains(end)),
            step,
        },
        item => item,
    }
}

/// Returns the range on each axis. Returns `None` if the slice has items other than ranges and an ellipsis, or more
/// items than axes.
pub fn ranges(spec: &DynSliceSpec, rank: usize) -> Option<Vec<Item>> {
    let mut items = explicit_items(spec, rank)?;
    let are_ranges = items.iter().all(|item| matches!(item, Item::Range { .. }));
    items.resize(rank, WHOLE);
    are_ranges.then_some(items)
}

/// Applies an item to an axis of length `size`, if it is valid.
pub fn resolved(item: &Item, size: usize) -> Option<Selection> {
    let spec = DynSliceSpec::from_items([item.clone()]).ok()?;
    spec.resolve(&[size]).ok()
}

/// Returns the slice that selects the same elements as a selection without lists.
pub fn spec_of(selection: &Selection) -> Option<DynSliceSpec> {
    let spec = <DynSliceSpec as Operation>::from_selection(selection);
    spec.ok().map(|spec| spec.op)
}

/// Returns the item that selects the same positions of an axis as a selection without lists.
fn item_of(selection: &Selection) -> Option<Item> {
    let item = spec_of(selection)?.items().next();
    Some(item.filter(|item| *item != Item::Ellipsis).unwrap_or(WHOLE))
}

/// Composes two consecutive slices into one slice of an input of shape `shape`. Returns `None` if no equivalent slice
/// can be determined.
pub fn compose(first: &DynSliceSpec, second: &DynSliceSpec, shape: &[Dim]) -> Option<DynSliceSpec> {
    if let Some(shape) = known(shape) {
        let first = first.resolve(&shape).ok()?;
        let composed = first
            .compose(&second.resolve(first.output_shape()).ok()?)
            .ok()?;
        return spec_of(&composed);
    }
    let (first, second) = (ranges(first, shape.len())?, ranges(second, shape.len())?);
    let items = first
        .into_iter()
        .zip(second)
        .zip(shape)
        .map(|((first, second), length)| match (first, second) {
            (first, WHOLE) => Some(first),
            (WHOLE, second) => Some(second),
            (first, second) => {
                let size = length.known()?;
                let first = resolved(&first, size)?;
                let second = resolved(&second, *first.output_shape().first()?)?;
                item_of(&first.compose(&second).ok()?)
            }
        });
    DynSliceSpec::from_items(items.collect::<Option<Vec<Item>>>()?).ok()
}

/// Ends that exporters write for ranges that extend to the end of an axis. tf2onnx writes the second one.
const SENTINEL_ENDS: [i64; 3] = [i32::MAX as i64, 1_000_000_000, i64::MAX];

/// Returns a slice of ranges in a normal form, in which equivalent slices are usually identical. On an axis of known
/// length, a range is rewritten from the positions that it selects. On other axes, a `begin` of 0 and an end in
/// `SENTINEL_ENDS` are omitted from a range with a positive step. Items `:` at the end are omitted. A slice with items
/// other than ranges and an ellipsis is returned unchanged.
pub fn normalized(spec: &DynSliceSpec, shape: &[Dim]) -> DynSliceSpec {
    let Some(ranges) = ranges(spec, shape.len()) else {
        return spec.clone();
    };
    let normalize = |(item, length): (Item, &Dim)| {
        let Some(size) = length.known() else {
            return without_bounds(item, &SENTINEL_ENDS);
        };
        let normalized = resolved(&item, size).and_then(|selection| item_of(&selection));
        normalized.unwrap_or(item)
    };
    let mut items: Vec<Item> = ranges.into_iter().zip(shape).map(normalize).collect();
    while items.last() == Some(&WHOLE) {
        items.pop();
    }
    DynSliceSpec::from_items(items).unwrap_or_else(|_| spec.clone())
}

/// Returns whether two sequences of consecutive slices of ranges select the same elements for every shape with the known
/// lengths of `shape`. May return `false` for equivalent slices with large steps or of different numbers. Calls
/// `may_compare` before the slices are compared for a length, and returns `false` if it does.
pub fn are_equivalent(
    one: &[&DynSliceSpec],
    other: &[&DynSliceSpec],
    shape: &[Dim],
    mut may_compare: impl FnMut() -> bool,
) -> bool {
    let ranges_of = |slices: &[&DynSliceSpec]| -> Option<Vec<Vec<Item>>> {
        let slices = slices.iter();
        slices.map(|spec| ranges(spec, shape.len())).collect()
    };
    let [Some(one), Some(other)] = [one, other].map(ranges_of) else {
        return false;
    };
    (0..shape.len()).all(|axis| {
        let [one, other] = [&one, &other].map(|slices| -> Vec<Item> {
            let items = slices.iter().map(|items| &items[axis]);
            items.filter(|item| **item != WHOLE).cloned().collect()
        });
        let mut pairs = one.iter().zip(&other);
        match shape[axis].known() {
            Some(length) => may_compare() && select_same_positions(&one, &other, length),
            None => {
                one.len() == other.len()
                    && pairs.all(|(one, other)| are_equivalent_ranges(one, other, &mut may_compare))
            }
        }
    })
}

/// Returns whether two sequences of ranges select the same positions on an axis of length `length`.
fn select_same_positions(one: &[Item], other: &[Item], length: usize) -> bool {
    let select = |items: &[Item]| {
        let mut items = items.iter();
        items.try_fold(AxisRange::whole(length), |range, item| {
            let item = resolved(item, range.len())?.range(0)?;
            let start = range.position(item.start());
            Some(AxisRange::new(
                start,
                range.step() * item.step(),
                item.len(),
            ))
        })
    };
    let selected = select(one);
    selected.is_some() && selected == select(other)
}

/// Returns whether two ranges select the same positions on an axis of every length.
fn are_equivalent_ranges(one: &Item, other: &Item, mut may_compare: impl FnMut() -> bool) -> bool {
    let [Some(bounds), Some(other_bounds)] = [one, other].map(|item| match *item {
        Item::Range { begin, end, step } => {
            let [begin, end] = [begin, end].map(|bound| bound.unwrap_or(0).unsigned_abs());
            Some((begin, end, step.unsigned_abs()))
        }
        _ => None,
    }) else {
        return one == other;
    };
    let step = usize::try_from(bounds.2.max(other_bounds.2)).unwrap_or(usize::MAX);
    if one == other || step > MAX_COMPARED_STEP {
        return one == other;
    }
    // A bound begins or ends to be clamped at these lengths, and the bounds of a range meet at their sum. After such a
    // length, the selection depends on the length in the same way until the next one, and repeats with the step.
    let lengths =
        [bounds, other_bounds].map(|(begin, end, _)| [0, begin, end, begin.saturating_add(end)]);
    let lengths = lengths.into_iter().flatten();
    let lengths = lengths.filter_map(|length| {
        usize::try_from(length)
            .ok()
            .filter(|&length| length < MAX_COMPARED_LENGTH)
    });
    let near = |length: usize| length.saturating_sub(1)..length + 2 * step + 3;
    let mut lengths = lengths.flat_map(near);
    let (one, other) = (slice::from_ref(one), slice::from_ref(other));
    lengths.all(|length| may_compare() && select_same_positions(one, other, length))
}

/// The length up to which ranges are compared. No axis is as long as the ends in [`SENTINEL_ENDS`].
const MAX_COMPARED_LENGTH: usize = 900_000_000;

/// The maximum step of ranges that are compared for every length of an axis.
const MAX_COMPARED_STEP: usize = 256;

/// Returns whether a slice is known to return an input of shape `shape` unchanged.
pub fn is_whole(spec: &DynSliceSpec, shape: Option<&[Dim]>) -> bool {
    let Some(shape) = shape else {
        return spec
            .items()
            .all(|item| item == WHOLE || item == Item::Ellipsis);
    };
    let is_whole_axis = |(item, length): (Item, &Dim)| {
        let is_whole_range = |size: usize| {
            resolved(&item, size).is_some_and(|one| one.range(0) == Some(AxisRange::whole(size)))
        };
        item == WHOLE || length.known().is_some_and(is_whole_range)
    };
    ranges(spec, shape.len()).is_some_and(|ranges| ranges.into_iter().zip(shape).all(is_whole_axis))
}
