//! Checks that copying a selection with lists gives the same result as plain loops over the positions of each axis, for
//! elements of several types. The arrays are small enough for Miri.

use crate::random::Random;
use crate::resolve::selection::Selection;
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::Item;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

/// Returns a random selection with lists, masks, ranges and indices, for an array with up to three axes. Single
/// positions in its lists are stored as `u32` or, in half of the selections, as `usize`.
pub(super) fn any_selection(random: &mut Random) -> Selection {
    let (axes, longest) = if cfg!(miri) { (2, 24) } else { (3, 200) };
    let shape: Vec<usize> = (0..=random.below(axes))
        .map(|_| [1, 2, 3, 7, 40, longest][random.below(6)].min(longest))
        .collect();
    let items = shape.iter().map(|&size| any_item(random, size));
    let spec = DynSliceSpec::from_items(items).expect("the spec should have at most 64 items");
    let selection = spec
        .resolve(&shape)
        .expect("the positions should be in bounds");
    match random.below(2) {
        0 => selection,
        _ => selection.widened(),
    }
}

/// Returns a random item for an axis of length `size`: a mask, a range, an index, or a list. A list consists of runs
/// (consecutive positions with a constant step) and single positions, in any order and with repetitions.
fn any_item(random: &mut Random, size: usize) -> Item {
    match random.below(6) {
        0 => {
            let share = [1, 8, 16, 24, 31][random.below(5)];
            let mask = (0..size).map(|_| random.below(32) < share);
            Item::Mask(mask.collect::<Vec<bool>>().into())
        }
        1 => Item::Range {
            begin: None,
            end: None,
            step: [1, 2, -1][random.below(3)],
        },
        2 => Item::Index(random.below(size) as i64),
        n => {
            let mut positions = Vec::new();
            for _ in 0..=random.below(4) {
                let (start, step) = (random.below(size), random.below(4));
                let run = (0..=random.below(if cfg!(miri) { 9 } else { 9 * n }))
                    .map(|k| (start + k * step) % size);
                positions.extend(run.map(|position| position as i64));
            }
            Item::List(positions.into())
        }
    }
}

/// Returns the selection of a random mask on an array with one axis of length `len`.
pub(super) fn masked(random: &mut Random, len: usize) -> Selection {
    let share = [2, 8, 16, 24, 31, 32][random.below(6)];
    let mask: Vec<bool> = (0..len).map(|_| random.below(32) < share).collect();
    let spec =
        DynSliceSpec::from_items([Item::Mask(mask.into())]).expect("the spec should have one item");
    spec.resolve(&[len])
        .expect("the mask should be as long as the axis")
}

/// Returns a selection of nine single rows, some of them twice, from an array with `columns` columns and slightly more
/// than `total` elements. Rows that follow each other in the list are not adjacent in a large array, so they do not
/// form runs.
pub(super) fn single_rows(columns: usize, total: usize) -> Selection {
    let rows = total / columns + 5;
    let list = [rows - 1, 0, rows / 2, 3, rows / 2, 1, rows - 2, 0, rows - 1];
    let list = list.map(|row| row as i64).to_vec();
    let spec =
        DynSliceSpec::from_items([Item::List(list.into())]).expect("the spec should have one item");
    spec.resolve(&[rows, columns])
        .expect("the listed rows should be in bounds")
}

/// Element counts for [`single_rows`]. The sizes of the arrays are near or between the two cache sizes that the kernels
/// assume in tests, 1 KiB and 8 KiB.
pub(super) const ELEMENT_COUNTS: [usize; 3] = [1 << 10, 3 << 10, 9 << 10];

/// Returns the offsets of the selected elements, computed by loops over the positions of each axis.
pub(super) fn naive_offsets(selection: &Selection) -> Vec<usize> {
    let mut offsets = vec![0];
    for (axis, &size) in selection.input_shape().iter().enumerate() {
        let positions: Vec<usize> = selection.axis(axis).iter().collect();
        let next = |&offset: &usize| {
            let positions = positions.iter();
            positions.map(move |position| offset * size + position)
        };
        offsets = offsets.iter().flat_map(next).collect();
    }
    offsets
}

/// Copies the selected elements to `dense`, copies other values back to `strided`, fills the elements with a value, and
/// compares the results with the results of plain loops.
pub(super) fn check_in_place<T: Copy + PartialEq + Debug>(
    selection: &Selection,
    element: impl Fn(usize) -> T,
    strided: &mut [T],
    dense: &mut [T],
) {
    let write = |to: &mut [T], first| {
        let numbers = (first..).zip(to);
        numbers.for_each(|(i, slot)| *slot = element(i));
    };
    let offsets = naive_offsets(selection);
    assert!(selection.indices().eq(offsets.iter().copied()));
    write(strided, 0);
    write(dense, strided.len());
    let mut expected = strided.to_vec();
    selection.gather_into(strided, dense).unwrap();
    let gathered = offsets.iter().map(|&offset| expected[offset]);
    assert!(dense.iter().copied().eq(gathered), "gather {selection:?}");
    write(dense, 1);
    selection.scatter(dense, strided).unwrap();
    for (&offset, &value) in offsets.iter().zip(&*dense) {
        expected[offset] = value;
    }
    assert!(strided == expected, "scatter {selection:?}");
    selection.fill(element(5), strided).unwrap();
    offsets
        .iter()
        .for_each(|&offset| expected[offset] = element(5));
    assert!(strided == expected, "fill {selection:?}");
}

/// Checks all methods that copy the selected elements.
fn check<T: Copy + PartialEq + Debug>(selection: &Selection, element: impl Fn(usize) -> T) {
    let data: Vec<T> = (0..selection.input_len()).map(&element).collect();
    let mut out = vec![element(0); selection.len()];
    selection.gather_into(&data, &mut out).unwrap();
    assert_eq!(selection.gather(&data).unwrap(), out);
    assert_eq!(selection.gather_cloned(&data).unwrap(), out);

    let values: Vec<T> = (0..out.len()).map(|k| element(k + 1)).collect();
    let (mut copied, mut cloned) = (data.clone(), data.clone());
    selection.scatter(&values, &mut copied).unwrap();
    selection.scatter_cloned(&values, &mut cloned).unwrap();
    assert_eq!(copied, cloned);
    check_in_place(selection, element, &mut copied, &mut out);
}

#[test]
fn copies_of_selections_with_lists_match_plain_loops() {
    static NUMBERS: [u16; 5] = [7, 8, 9, 10, 11];

    let mut random = Random(340);
    for _ in 0..if cfg!(miri) { 12 } else { 400 } {
        let selection = any_selection(&mut random);
        match random.below(6) {
            0 => check(&selection, |i| i as u8),
            1 => check(&selection, |i| i as f32),
            2 => check(&selection, |i| [i as u8, (i >> 8) as u8, 3]),
            // Elements with padding.
            3 => check(&selection, |i| (i as u8, i as u32)),
            // Elements with pointers.
            4 => check(&selection, |i| (&NUMBERS[i % 5], i)),
            _ => check(&selection, |i| [i as u64; 5]),
        }
    }
}

#[test]
fn copies_with_masks_match_plain_loops() {
    let mut random = Random(342);
    let lengths = if cfg!(miri) { 60..200 } else { 0..700 };
    for len in lengths.step_by(if cfg!(miri) { 67 } else { 1 }) {
        let selection = masked(&mut random, len);
        check(&selection, |i| (i * 7) as u8 ^ (i >> 8) as u8);
        check(&selection, |i| i as i16);
        check(&selection, |i| i as f32);
        check(&selection, |i| [i as u8, (i >> 8) as u8, 3, 4]);
        check(&selection, |i| i as f64);
        check(&selection, |i| [i as u64, 7]);
        // Elements with pointers are not copied with vector instructions.
        check(&selection, |i| Some(&DIGITS[i % 10]));
    }
}

/// Gathers the elements that `mask` selects to places that begin at various offsets within a cache line.
fn check_unaligned<T: Copy + PartialEq + Debug>(mask: &[bool], element: impl Fn(usize) -> T) {
    let spec = DynSliceSpec::from_items([Item::Mask(mask.to_vec().into())]).unwrap();
    let selection = spec.resolve(&[mask.len()]).unwrap();
    let data: Vec<T> = (0..mask.len()).map(&element).collect();
    let kept = data.iter().zip(mask).filter(|(_, kept)| **kept);
    let kept: Vec<T> = kept.map(|(&value, _)| value).collect();
    for first in [0, 1, 3, 7] {
        let mut out = vec![element(5); kept.len() + 9];
        let mut expected = out.clone();
        expected[first..][..kept.len()].copy_from_slice(&kept);
        let place = &mut out[first..][..kept.len()];
        selection.gather_into(&data, place).unwrap();
        assert!(out == expected, "{} elements from {first}", kept.len());
    }
    check(&selection, element);
}

#[test]
fn copies_with_masks_larger_than_the_caches_match_plain_loops() {
    // In tests, outputs of at least 512 KiB are streamed, which Miri does not support.
    let len = if cfg!(miri) { 400 } else { 600_011 };
    let mut random = Random(343);
    let masks: [Vec<bool>; 4] = [
        (0..len).map(|i| i / 200 % 2 == 0).collect(),
        (0..len).map(|_| random.below(2) == 0).collect(),
        (0..len).map(|i| i % 1021 != 7).collect(),
        (0..len).map(|i| i > 3).collect(),
    ];
    for mask in masks {
        check_unaligned(&mask, |i| (i * 7) as u8 ^ (i >> 8) as u8);
        check_unaligned(&mask, |i| (i * 7) as u16);
        check_unaligned(&mask, |i| i as f32);
        check_unaligned(&mask, |i| i as f64);
    }
}

#[test]
fn copies_of_listed_rows_match_plain_loops() {
    let lengths = if cfg!(miri) { 120..260 } else { 1..300 };
    for columns in lengths.step_by(if cfg!(miri) { 29 } else { 1 }) {
        for total in ELEMENT_COUNTS {
            let selection = single_rows(columns, total);
            check(&selection, |i| (i * 7) as u8 ^ (i >> 8) as u8);
            check(&single_rows(columns / 4 + 1, total / 4), |i| i as f32);
            // Elements with pointers are not copied with vector instructions.
            if columns % 8 == 0 {
                let rows = single_rows(columns / 8, total / 8);
                check(&rows, |i| Some(&DIGITS[i % 10]));
            }
        }
    }
}

static DIGITS: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

#[test]
fn scatter_add_fill_and_clones_match_plain_loops() {
    let mut random = Random(341);
    for _ in 0..if cfg!(miri) { 6 } else { 200 } {
        let selection = match random.below(3) {
            0 => masked(&mut random, 150),
            _ => any_selection(&mut random),
        };
        let offsets = naive_offsets(&selection);
        let words: Vec<String> = (0..selection.input_len()).map(|i| i.to_string()).collect();
        let expected: Vec<String> = offsets
            .iter()
            .map(|&offset| words[offset].clone())
            .collect();
        assert_eq!(selection.gather_cloned(&words).unwrap(), expected);

        let values: Vec<u64> = (0..offsets.len()).map(|k| k as u64 + 1).collect();
        let mut sums = vec![100; selection.input_len()];
        let mut expected = sums.clone();
        for (&offset, value) in offsets.iter().zip(&values) {
            expected[offset] += value;
        }
        selection.scatter_add(&values, &mut sums).unwrap();
        assert_eq!(sums, expected);

        selection.fill(7, &mut sums).unwrap();
        offsets.iter().for_each(|&offset| expected[offset] = 7);
        assert_eq!(sums, expected);
    }
}
