//! Checks slices with lists against simple loops over the positions selected by each item, and checks that formatted
//! slices can be parsed.

use std::fmt::Debug;

use arbitrary::{Arbitrary, Result, Unstructured};
use slice_core::{AxisPositions, DynSliceSpec, Item, Selection};

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
        let mut items = Vec::new();
        for &size in shape.iter().take(small_count(u, 8)?) {
            items.push(item(u, size)?);
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
    if let Item::List(list) = item {
        let positions = &list.elements()[..list.elements().len().min(*remaining)];
        *remaining /= positions.len().max(1);
        *item = positions.to_vec().into();
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
            mask.into()
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
            positions.into()
        }
    })
}

/// Returns an index for an axis of length `size`. The index is rarely out of bounds.
fn index(u: &mut Unstructured<'_>, size: usize) -> Result<i64> {
    let BoundOrStep(number) = BoundOrStep::arbitrary(u)?;
    Ok(match u8::arbitrary(u)? {
        0..=250 if size > 0 => number % size as i64,
        _ => number,
    })
}

/// Returns the positions selected by an item on an axis of length `size`, or `None` if the item is invalid for the
/// axis.
fn positions(item: &Item, size: usize) -> Option<Vec<usize>> {
    let wrap = |&index: &i64| {
        let position = index as i128 + if index < 0 { size as i128 } else { 0 };
        usize::try_from(position)
            .ok()
            .filter(|&position| position < size)
    };
    match item {
        Item::List(list) => list.elements().iter().map(wrap).collect(),
        Item::Mask(mask) if mask.shape() == [size] => {
            let mask = mask.elements();
            Some((0..size).filter(|&position| mask[position]).collect())
        }
        Item::Mask(_) | Item::Points(_) => None,
        Item::Index(index) => Some(vec![wrap(index)?]),
        item => {
            let spec = DynSliceSpec::from_items([item.clone()]).ok()?;
            Some(spec.resolve(&[size]).ok()?.indices().collect())
        }
    }
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
    let consuming = || items.iter().filter(|item| **item != Item::NewAxis);
    let whole = Item::Range {
        begin: None,
        end: None,
        step: 1,
    };
    let items_and_sizes = consuming().chain(std::iter::repeat(&whole)).zip(shape);
    let expected: Option<Vec<Vec<usize>>> = items_and_sizes
        .map(|(item, &size)| positions(item, size))
        .collect();
    let (expected, selection) = match (expected, spec.resolve(shape)) {
        (Some(expected), Ok(selection)) => (expected, selection),
        (expected, resolved) => {
            assert!(
                expected.is_none() && resolved.is_err(),
                "{text} for shape {shape:?}: unexpected result {resolved:?}"
            );
            return false;
        }
    };
    for (axis, expected) in expected.iter().enumerate() {
        assert_eq!(
            &selection.positions(axis),
            expected,
            "{text} for shape {shape:?}, axis {axis}"
        );
        let run_positions: Vec<usize> = match selection.axis(axis) {
            AxisPositions::Range(range) => range.positions().collect(),
            AxisPositions::Runs(runs) => {
                let position = |start: usize, step: isize, k: usize| {
                    (start as isize + step * k as isize) as usize
                };
                let runs = runs.iter();
                runs.flat_map(|run| (0..run.len).map(|k| position(run.start, run.step, k)))
                    .collect()
            }
            _ => selection.positions(axis),
        };
        assert_eq!(&run_positions, expected);
    }
    let mut offsets = vec![0];
    for (positions, size) in expected.iter().zip(shape) {
        let next = offsets
            .iter()
            .flat_map(|offset| positions.iter().map(move |k| offset * size + k));
        offsets = next.collect();
    }
    assert!(selection.indices().eq(offsets.iter().copied()));
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
