//! Generates random shapes and slices.

use fastrand::Rng;
use slice_core::resolve::item_axes;
use slice_core::{DynSliceSpec, Item, ItemRole, NdList};

/// Returns a shape with up to five axes, each with a length from 0 to 7.
pub fn shape(rng: &mut Rng) -> Vec<usize> {
    (0..rng.usize(0..=5)).map(|_| rng.usize(0..=7)).collect()
}

/// Returns a spec that is valid for `shape`. The spec may contain ranges, indices, new axes and an ellipsis. Its ranges
/// have bounds within and beyond the axes, and positive and negative steps.
pub fn spec(rng: &mut Rng, shape: &[usize]) -> DynSliceSpec {
    let mut spec = DynSliceSpec::default();
    let mut push = |item| {
        spec.push(item)
            .expect("there should be at most 64 items and one ellipsis")
    };
    let (mut axis, mut has_ellipsis) = (0, false);
    while axis < shape.len() {
        let size = shape[axis] as i64;
        match rng.u32(0..10) {
            0 => push(Item::NewAxis),
            1 if !has_ellipsis => {
                push(Item::Ellipsis);
                has_ellipsis = true;
                axis += rng.usize(0..=shape.len() - axis);
            }
            2 | 3 if size > 0 => {
                push(Item::Index(rng.i64(-size..size)));
                axis += 1;
            }
            // Items after an ellipsis apply to the last axes. If the loop ended early after an ellipsis, they would
            // apply to axes other than those for which they were generated.
            4 if !has_ellipsis && rng.u32(0..4) == 0 => break,
            _ => {
                let mut bound = || rng.bool().then(|| rng.i64(-size - 2..=size + 2));
                let (begin, end) = (bound(), bound());
                let step = [1, 1, 2, 3, size + 1][rng.usize(0..5)];
                let step = if rng.bool() { step } else { -step };
                push(Item::Range { begin, end, step });
                axis += 1;
            }
        }
    }
    spec
}

/// Returns `spec` with some bounds and steps of its ranges replaced by extreme numbers, with which arithmetic may
/// overflow.
pub fn with_extremes(rng: &mut Rng, spec: &DynSliceSpec) -> DynSliceSpec {
    let mut extreme = |number: i64| match rng.u8(..3) {
        0 => [
            i64::MIN,
            i64::MIN + 1,
            i32::MIN.into(),
            i32::MAX.into(),
            i64::MAX - 1,
            i64::MAX,
        ][rng.usize(..6)],
        _ => number,
    };
    let items = spec.items().map(|item| match item {
        Item::Range { begin, end, step } => Item::Range {
            begin: begin.map(&mut extreme),
            end: end.map(&mut extreme),
            step: extreme(step),
        },
        other => other,
    });
    DynSliceSpec::from_items(items).expect("there should be at most 64 items")
}

/// Returns a spec like the specs of [`spec`], but with most of its ranges replaced by lists and masks.
pub fn list_spec(rng: &mut Rng, shape: &[usize]) -> DynSliceSpec {
    let spec = spec(rng, shape);
    let roles = spec
        .items()
        .filter_map(|item| item.role())
        .collect::<Vec<_>>();
    let axes = item_axes(roles, shape.len())
        .expect("the items should not consume more axes than the shape has");
    let items = spec.items().zip(axes).map(|(item, (_, role, axes))| {
        if role != ItemRole::Range || rng.u8(..3) == 0 {
            return item;
        }
        list(rng, shape[axes.start])
    });
    DynSliceSpec::from_items(items.collect::<Vec<_>>()).expect("there should be at most 64 items")
}

/// Returns a spec like the specs of [`spec`], but with most of its ranges replaced by lists with any number of axes, masks
/// of several axes, and points. Ranges that follow each other are replaced together.
pub fn joined_spec(rng: &mut Rng, shape: &[usize]) -> DynSliceSpec {
    let spec = spec(rng, shape);
    let roles: Vec<ItemRole> = spec.items().filter_map(|item| item.role()).collect();
    let axes = item_axes(roles, shape.len())
        .expect("the items should not consume more axes than the shape has");
    let mut items = Vec::new();
    let mut sizes = Vec::new();
    for (item, (_, role, axes)) in spec.items().zip(axes) {
        let is_range = role == ItemRole::Range;
        if !is_range || sizes.len() == 3 || rng.u8(..4) == 0 {
            push_joined(rng, &mut sizes, &mut items);
        }
        match is_range && (!sizes.is_empty() || rng.u8(..4) > 0) {
            true => sizes.push(shape[axes.start]),
            false => items.push(item),
        }
    }
    push_joined(rng, &mut sizes, &mut items);
    DynSliceSpec::from_items(items).expect("there should be at most 64 items")
}

/// Appends an item for axes with the lengths `sizes`, and clears `sizes`.
fn push_joined(rng: &mut Rng, sizes: &mut Vec<usize>, items: &mut Vec<Item>) {
    if sizes.is_empty() {
        return;
    }
    let lens: Vec<usize> = (0..rng.usize(0..=2)).map(|_| rng.usize(0..=3)).collect();
    let has_empty_axis = sizes.contains(&0);
    let positions = |rng: &mut Rng, lens: Vec<usize>, size: usize| {
        let len = size as i64;
        let count = lens.iter().product();
        let positions: Vec<i64> = (0..count).map(|_| rng.i64(-len..len)).collect();
        NdList::new(lens, positions).expect("there should be a position for each element")
    };
    items.push(match (&sizes[..], rng.bool()) {
        ([size], true) if !has_empty_axis => Item::List(positions(rng, lens, *size)),
        (_, true) if !has_empty_axis && sizes.len() > 1 => {
            let lists = sizes.iter().map(|&size| {
                let skipped = rng.usize(0..=lens.len().min(1));
                let mut broadcast = |&len: &usize| if rng.u8(..5) == 0 { 1 } else { len };
                let lens = lens[skipped..].iter().map(&mut broadcast).collect();
                positions(rng, lens, size)
            });
            Item::Points(lists.collect())
        }
        _ => {
            let share = rng.u8(..=4);
            let mask = (0..sizes.iter().product()).map(|_| rng.u8(..4) < share);
            let mask = NdList::new(&sizes[..], mask.collect::<Vec<_>>());
            Item::Mask(mask.expect("there should be an element for each position"))
        }
    });
    sizes.clear();
}

/// Returns a list or a mask that is valid for an axis of length `size`.
pub fn list(rng: &mut Rng, size: usize) -> Item {
    if rng.u8(..4) == 0 {
        let share = rng.u8(..=4);
        let mask: Vec<bool> = (0..size).map(|_| rng.u8(..4) < share).collect();
        return Item::Mask(mask.into());
    }
    if size == 0 {
        return Item::List(Vec::new().into());
    }
    let len = size as i64;
    let mut positions = Vec::new();
    for _ in 0..rng.usize(0..=3) {
        let (start, step) = (rng.i64(0..len), rng.i64(-2..=2));
        let run = (0..rng.i64(1..=6)).map(|k| start + k * step);
        positions.extend(run.take_while(|k| (0..len).contains(k)));
    }
    for position in &mut positions {
        *position -= if rng.u8(..4) == 0 { len } else { 0 };
    }
    Item::List(positions.into())
}
