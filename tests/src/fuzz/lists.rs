//! Checks slices with lists, masks and points against simple loops over the positions selected by each item, and checks
//! that formatted slices can be parsed.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Result, Unstructured};
use slice_core::{AxisRange, DynSliceSpec, Item, NdList, Selection};

use super::input::{BoundOrStep, SmallShape, small_count};

/// The shape of a small array, a slice of the array with lists and masks, and a number that determines the element
/// type.
#[derive(Debug)]
pub struct Case {
    shape: Vec<usize>,
    items: Vec<Item>,
    element_type: u8,
}

impl<'a> Arbitrary<'a> for Case {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let element_type = u8::arbitrary(u)?;
        let shape = SmallShape::<600>::arbitrary(u)?.0;
        let (mut items, mut joined) = (Vec::new(), 0);
        let mut sizes = &shape[..small_count(u, 8)?.min(shape.len())];
        while let [size, others @ ..] = sizes {
            // The lists of joined items are not truncated, so there are only few of them.
            if joined < 2 && u8::arbitrary(u)? < 70 {
                let axes = u.int_in_range(1..=sizes.len().min(3))?;
                items.push(joined_item(u, &sizes[..axes])?);
                (joined, sizes) = (joined + 1, &sizes[axes..]);
            } else {
                items.push(item(u, *size)?);
                sizes = others;
            }
            if u8::arbitrary(u)? > 240 {
                items.push(Item::NewAxis);
            }
        }
        // Limits the number of elements selected by the lists.
        let mut remaining = 300;
        for item in &mut items {
            truncate(item, &mut remaining);
        }
        Ok(Case {
            shape,
            items,
            element_type,
        })
    }
}

/// Limits the length of a list to the number of elements that may still be selected, and reduces this number.
pub(super) fn truncate(item: &mut Item, remaining: &mut usize) {
    if let Item::List(list) = item
        && list.rank() == 1
    {
        let positions = &list.elements()[..list.elements().len().min(*remaining)];
        *remaining /= positions.len().max(1);
        *item = Item::List(positions.to_vec().into());
    }
}

/// Returns an item of any kind for an axis of length `size`, usually a valid one.
pub(super) fn item(u: &mut Unstructured<'_>, size: usize) -> Result<Item> {
    Ok(match u8::arbitrary(u)? {
        0..=30 => Item::Range {
            begin: Option::arbitrary(u)?.map(|BoundOrStep(begin)| begin),
            end: Option::arbitrary(u)?.map(|BoundOrStep(end)| end),
            step: BoundOrStep::arbitrary(u)?.0,
        },
        31..=45 => Item::Index(index(u, size)?),
        46..=110 => {
            let len = match u8::arbitrary(u)? {
                0..=250 => size,
                wrong_len => usize::from(wrong_len),
            };
            // The mask has either long stretches of one value or random values.
            let (mut mask, stretches) = (Vec::new(), bool::arbitrary(u)?);
            while mask.len() < len {
                let byte = u8::arbitrary(u)?;
                match stretches {
                    true => mask.extend(vec![byte & 1 == 1; usize::from(byte / 4) + 1]),
                    false => mask.extend((0..8).map(|bit| byte >> bit & 1 == 1)),
                }
            }
            mask.truncate(len);
            Item::Mask(mask.into())
        }
        _ => {
            let mut positions = Vec::new();
            for _ in 0..small_count(u, 30)? {
                let start = index(u, size)?;
                let (step, len) = match u8::arbitrary(u)? {
                    0..=99 => (0, 1),
                    tag => (i64::from(tag % 7) - 3, i64::from(tag % 24)),
                };
                let is_within_axis =
                    |position: &i64| -(size as i64) <= *position && *position < size as i64;
                let run = (0..len).map(|k| start.wrapping_add(k * step));
                match start {
                    _ if is_within_axis(&start) => positions.extend(run.take_while(is_within_axis)),
                    wrong_index => positions.push(wrong_index),
                }
            }
            Item::List(positions.into())
        }
    })
}

/// Returns a list with any number of axes, a mask, or points, for axes with the lengths `sizes`, usually a valid one.
fn joined_item(u: &mut Unstructured<'_>, sizes: &[usize]) -> Result<Item> {
    let shape: Vec<usize> = (0..u.int_in_range(0..=2)?)
        .map(|_| u.int_in_range(0..=3))
        .collect::<Result<_>>()?;
    let list = |u: &mut Unstructured<'_>, shape: Vec<usize>, size| {
        let positions = (0..shape.iter().product()).map(|_| index(u, size));
        let positions: Vec<i64> = positions.collect::<Result<_>>()?;
        Ok(NdList::new(shape, positions).expect("there should be a position for each element"))
    };
    if bool::arbitrary(u)? {
        let mut lens = sizes.to_vec();
        if u8::arbitrary(u)? > 245 {
            lens[0] += 1;
        }
        let mask = (0..lens.iter().product()).map(|_| bool::arbitrary(u));
        let mask: Vec<bool> = mask.collect::<Result<_>>()?;
        let mask = NdList::new(lens, mask).expect("there should be an element for each position");
        return Ok(Item::Mask(mask));
    }
    if let &[size] = sizes {
        return Ok(Item::List(list(u, shape, size)?));
    }
    let lists = sizes.iter().map(|&size| {
        let skipped = u.int_in_range(0..=shape.len())?;
        let mut lens = shape[skipped..].to_vec();
        for len in &mut lens {
            match u8::arbitrary(u)? {
                0..=60 => *len = 1,
                // Most lists with this length cannot be broadcast.
                251.. => *len = 4,
                _ => {}
            }
        }
        list(u, lens, size)
    });
    Ok(Item::Points(lists.collect::<Result<_>>()?))
}

/// Returns an index for an axis of length `size`. The index is rarely out of bounds.
fn index(u: &mut Unstructured<'_>, size: usize) -> Result<i64> {
    let BoundOrStep(number) = BoundOrStep::arbitrary(u)?;
    Ok(match u8::arbitrary(u)? {
        0..=250 if size > 0 => number % size as i64,
        _ => number,
    })
}

/// The axes to which an item applies.
struct Selected {
    /// The flat positions in C order over the axes.
    positions: Vec<usize>,
    /// The number of positions on the axes together.
    size: usize,
    /// The lengths of the axes in the result.
    shape: Vec<usize>,
}

/// Returns the position of an index on an axis of length `size`.
fn wrap(index: i64, size: usize) -> Option<usize> {
    let position = index as i128 + if index < 0 { size as i128 } else { 0 };
    let position = usize::try_from(position).ok();
    position.filter(|&position| position < size)
}

/// Returns the positions selected by an item on axes with the lengths `sizes`, or `None` if the item is invalid for the
/// axes.
fn selected(item: &Item, sizes: &[usize]) -> Option<Selected> {
    let size = sizes.iter().product();
    let (positions, shape): (Option<Vec<usize>>, Vec<usize>) = match item {
        Item::List(list) => {
            let positions = list.elements().iter().map(|&index| wrap(index, size));
            (positions.collect(), list.shape().to_vec())
        }
        Item::Mask(mask) => {
            let positions = (0..size).filter(|&position| mask.elements()[position]);
            let positions = (mask.shape() == sizes).then(|| positions.collect::<Vec<_>>())?;
            let count = positions.len();
            (Some(positions), vec![count])
        }
        Item::Points(lists) => return points(lists, sizes),
        Item::Index(index) => (Some(vec![wrap(*index, size)?]), vec![]),
        item => {
            let spec = DynSliceSpec::from_items([item.clone()]).ok()?;
            let positions: Vec<usize> = spec.resolve(&[size]).ok()?.indices().collect();
            let count = positions.len();
            (Some(positions), vec![count])
        }
    };
    let positions = positions?;
    Some(Selected {
        positions,
        size,
        shape,
    })
}

/// Returns the positions of points, or `None` if the lists cannot be broadcast or if a position is outside its axis.
fn points(lists: &[NdList<i64>], sizes: &[usize]) -> Option<Selected> {
    let rank = lists.iter().map(NdList::rank).max().unwrap_or(0);
    let mut shape = vec![1; rank];
    for list in lists {
        for (len, &other) in shape[rank - list.rank()..].iter_mut().zip(list.shape()) {
            match (*len, other) {
                (1, other) => *len = other,
                (len, other) if len == other || other == 1 => {}
                _ => return None,
            }
        }
    }
    let mut positions = Vec::new();
    for place in 0..shape.iter().product() {
        let mut flat = 0;
        for (list, &size) in lists.iter().zip(sizes) {
            // The place in the list, whose axes of length 1 are repeated.
            let (mut rest, mut stride, mut at) = (place, 1, 0);
            let mut lens = list.shape().iter().rev();
            for len in shape.iter().rev() {
                let own = lens.next().copied().unwrap_or(1);
                at += if own == 1 { 0 } else { rest % len * stride };
                (rest, stride) = (rest / len, stride * own);
            }
            flat = flat * size + wrap(list.elements()[at], size)?;
        }
        positions.push(flat);
    }
    let size = sizes.iter().product();
    Some(Selected {
        positions,
        size,
        shape,
    })
}

/// Returns `true` if a list in points has a position outside its axis although no point exists. NumPy's check of such
/// positions depends on the kinds of the other items.
fn has_unused_position(item: &Item, sizes: &[usize]) -> bool {
    let Item::Points(lists) = item else {
        return false;
    };
    let is_outside = |(list, &size): (&NdList<i64>, &usize)| {
        let mut elements = list.elements().iter();
        elements.any(|&index| wrap(index, size).is_none())
    };
    lists.iter().any(|list| list.elements().is_empty()) && lists.iter().zip(sizes).any(is_outside)
}

/// Checks that the library selects the same positions as the loops, copies the selected elements in both directions,
/// and parses the formatted slice. Returns `true` if any element is selected.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let Case {
        shape,
        items,
        element_type,
    } = case;
    let spec =
        DynSliceSpec::from_items(items.iter().cloned()).expect("there should be at most 64 items");
    let text = spec.to_string();
    // The parser rejects a step of 0.
    let has_zero_step = |item: &Item| matches!(item, Item::Range { step: 0, .. });
    match items.iter().any(has_zero_step) {
        true => assert!(
            text.parse::<DynSliceSpec>().is_err(),
            "the parser accepts a step of 0: {text}"
        ),
        false => assert_eq!(text.parse().as_ref(), Ok(&spec), "{text}"),
    }
    let mut sizes = &shape[..];
    let mut expected = Some(Vec::new());
    for item in items {
        let axes = item.input_axes().expect("no item should be an ellipsis");
        let (own, others) = sizes.split_at(axes);
        if has_unused_position(item, own) {
            return false;
        }
        sizes = others;
        let new_axis = || Selected {
            positions: vec![0],
            size: 1,
            shape: vec![1],
        };
        let selected = match item {
            Item::NewAxis => Some(new_axis()),
            item => selected(item, own),
        };
        expected = expected.zip(selected).map(|(mut expected, selected)| {
            expected.push(selected);
            expected
        });
    }
    let (mut expected, selection) = match (expected, spec.resolve(shape)) {
        (Some(expected), Ok(selection)) => (expected, selection),
        (expected, resolved) => {
            assert!(
                expected.is_none() && resolved.is_err(),
                "{text} for shape {shape:?}: unexpected result {resolved:?}"
            );
            return false;
        }
    };
    expected.extend(sizes.iter().map(|&size| Selected {
        positions: (0..size).collect(),
        size,
        shape: vec![size],
    }));
    let output_shape: Vec<usize> = expected.iter().flat_map(|one| one.shape.clone()).collect();
    assert_eq!(
        selection.output_shape(),
        output_shape,
        "{text} for shape {shape:?}"
    );
    if items
        .iter()
        .all(|item| (item.input_axes(), item.output_axes()) != (Some(0), Some(1)))
        && selection.check_orthogonal().is_ok()
        && expected.len() == shape.len()
    {
        for (axis, expected) in expected.iter().enumerate() {
            check_axis(&selection, axis, &expected.positions);
        }
    }
    let mut offsets = vec![0];
    for Selected {
        positions, size, ..
    } in &expected
    {
        let next = offsets
            .iter()
            .flat_map(|offset| positions.iter().map(move |k| offset * size + k));
        offsets = next.collect();
    }
    assert!(
        selection.indices().eq(offsets.iter().copied()),
        "{text} for shape {shape:?}"
    );
    match element_type % 7 {
        0 => check_copies(&selection, &offsets, |i| i as u8 ^ (i >> 8) as u8),
        1 => check_copies(&selection, &offsets, |i| i as u16),
        2 => check_copies(&selection, &offsets, |i| [i as u8, (i >> 8) as u8, 0xa5]),
        3 => check_copies(&selection, &offsets, |i| i as u32),
        4 => check_copies(&selection, &offsets, |i| i as u64),
        5 => check_copies(&selection, &offsets, |i| [i as u64; 9]),
        // This element has padding between its fields.
        _ => check_copies(&selection, &offsets, |i| (i as u8, i as u64)),
    }
    !offsets.is_empty()
}

/// Checks the positions that a selection lists for an axis.
fn check_axis(selection: &Selection, axis: usize, expected: &[usize]) {
    let positions = selection.axis(axis);
    assert!(positions.iter().eq(expected.iter().copied()), "axis {axis}");
    assert_eq!(positions.len(), expected.len());
    let position =
        |run: AxisRange, k: usize| (run.start() as isize + run.step() * k as isize) as usize;
    let runs = positions.runs();
    let run_positions = runs.flat_map(|run| (0..run.len()).map(move |k| position(run, k)));
    assert!(run_positions.eq(expected.iter().copied()), "axis {axis}");
    for (k, &position) in expected.iter().enumerate() {
        assert_eq!(positions.run_from(k).start(), position, "axis {axis}");
    }
}

/// Checks copies with one element type. The buffers have exactly the required length, so that a sanitizer detects every
/// out-of-bounds access.
fn check_copies<T: Copy + PartialEq + Debug>(
    selection: &Selection,
    offsets: &[usize],
    element: impl Fn(usize) -> T,
) {
    let data: Box<[T]> = (0..selection.input_len()).map(&element).collect();
    let gathered: Box<[T]> = offsets.iter().map(|&offset| data[offset]).collect();
    assert_eq!(selection.gather(&data).as_deref(), Ok(&*gathered));
    let mut out = vec![element(usize::MAX); offsets.len()].into_boxed_slice();
    assert_eq!(selection.gather_into(&data, &mut out), Ok(()));
    assert_eq!(out, gathered);
    assert_eq!(selection.gather_cloned(&data).as_deref(), Ok(&*gathered));

    // If a scatter writes several values to the same element, the last value remains.
    let values: Box<[T]> = (0..offsets.len()).map(|k| element(k + 7)).collect();
    let (mut expected_data, mut actual_data) = (data.clone(), data);
    for (&offset, &value) in offsets.iter().zip(&values) {
        expected_data[offset] = value;
    }
    assert_eq!(selection.scatter(&values, &mut actual_data), Ok(()));
    assert_eq!(actual_data, expected_data);
}
