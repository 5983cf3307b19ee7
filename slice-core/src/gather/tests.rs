//! The engine against a naive element loop.

use super::GatherPlan;
use alloc::vec;
use alloc::vec::Vec;

/// What a plan means, with nothing clever.
pub(super) fn naive(offset: usize, axes: &[(usize, isize)]) -> Vec<usize> {
    let mut offsets = vec![offset];
    for &(len, stride) in axes {
        offsets = offsets
            .iter()
            .flat_map(|&o| (0..len).map(move |i| o.wrapping_add_signed(stride * i as isize)))
            .collect();
    }
    offsets
}

fn agrees(offset: usize, axes: &[(usize, isize)], input_len: usize) {
    let plan = GatherPlan::new(offset, axes.iter().copied(), input_len).expect("in bounds");
    let expected = naive(offset, axes);
    let input: Vec<u32> = (0..input_len as u32).map(|i| i * 7 + 1).collect();
    let gathered: Vec<u32> = expected.iter().map(|&o| input[o]).collect();
    assert_eq!(plan.gather(&input), Ok(gathered.clone()));
    let mut out = vec![0; input_len];
    let mut naive_out = out.clone();
    plan.scatter(&gathered, &mut out).expect("lengths fit");
    expected
        .iter()
        .zip(&gathered)
        .for_each(|(&o, &x)| naive_out[o] = x);
    assert_eq!(out, naive_out);
}

#[test]
fn small_layouts() {
    agrees(0, &[], 1);
    agrees(3, &[(1, 7)], 4);
    agrees(0, &[(4, 4), (4, 1)], 16);
    agrees(15, &[(4, -4), (4, -1)], 16);
    agrees(1, &[(3, 4), (2, 2)], 16);
    agrees(0, &[(5, 0), (2, 3)], 4);
    agrees(0, &[(0, 1)], 0);
    agrees(21, &[(2, 16), (2, 4), (2, 1)], 64);
}

#[test]
fn outside_the_input() {
    for (offset, axes, input_len) in [
        (0, &[(2, 1)][..], 1),
        (0, &[(2, -1)], 5),
        (0, &[], 0),
        (usize::MAX, &[], usize::MAX),
        (
            0,
            &[(usize::MAX, isize::MAX), (usize::MAX, isize::MAX)],
            usize::MAX,
        ),
        (0, &[(usize::MAX, 0), (2, 0)], 1),
        (5, &[(usize::MAX, isize::MIN)], usize::MAX),
    ] {
        assert!(
            GatherPlan::new(offset, axes.iter().copied(), input_len).is_none(),
            "{offset} {axes:?} {input_len}"
        );
    }
    let huge = GatherPlan::new(0, [(usize::MAX, 1), (0, isize::MIN)], 0).expect("empty");
    assert_eq!(huge.gather::<u8>(&[]), Ok(vec![]));
}

#[test]
fn elements_without_size() {
    let plan = GatherPlan::new(0, [(usize::MAX, 1)], usize::MAX).expect("in bounds");
    assert_eq!(
        plan.gather(&[(); usize::MAX]).map(|out| out.len()),
        Ok(usize::MAX)
    );
}
