//! Tests of the forms of positions, and of selections built from positions.

use alloc::string::String;

use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

use super::AxisPositions;
use super::form::{Form, are_narrow};
use crate::bits::Bits;
use crate::error::SliceError;
use crate::random::Random;
use crate::resolve::axis::AxisRange;
use crate::resolve::selection::Selection;
use crate::resolve::step::OutputAxis;
use crate::spec::dyn_spec::DynSliceSpec;
#[cfg(target_pointer_width = "64")]
use crate::spec::list::List;

fn runs(positions: &[usize]) -> Vec<(usize, isize, usize)> {
    let cut = AxisPositions::from_positions(positions.to_vec());
    assert_eq!(cut.len(), cut.runs().map(|run| run.len).sum::<usize>());
    cut.runs()
        .map(|run| (run.start, run.step, run.len))
        .collect()
}

#[test]
fn positions_are_cut_into_runs_and_singles() {
    assert_eq!(runs(&[]), []);
    assert_eq!(runs(&[7]), [(7, 1, 1)]);
    assert_eq!(runs(&[3, 4, 5]), [(3, 1, 3)]);
    assert_eq!(runs(&[9, 6, 3, 0]), [(9, -3, 4)]);
    assert_eq!(runs(&[5, 5, 5]), [(5, 0, 3)]);
    assert_eq!(runs(&[0, 2, 5]), [(0, 1, 1), (2, 1, 1), (5, 1, 1)]);
    let mut positions: Vec<usize> = (0..20).chain([50]).chain((100..108).rev()).collect();
    assert_eq!(runs(&positions), [(0, 1, 20), (50, 1, 1), (107, -1, 8)]);
    positions.extend([3, 3]);
    assert_eq!(runs(&positions).last(), Some(&(3, 0, 2)));
}

#[test]
fn runs_keep_the_positions_of_their_list() {
    let mut random = Random(5);
    for _ in 0..if cfg!(miri) { 20 } else { 3000 } {
        let mut positions = Vec::new();
        for _ in 0..random.below(6) {
            let (start, len) = (random.below(40), random.below(20));
            let step = random.below(4);
            positions.extend((0..len).map(|k| match random.0 & 1 {
                0 => start + 100 - step * k,
                _ => start + step * k,
            }));
        }
        let cut = AxisPositions::from_positions(positions.clone());
        assert!(cut.iter().eq(positions.iter().copied()));
        assert_eq!(cut.len(), positions.len());
        for (k, &position) in positions.iter().enumerate() {
            assert_eq!(cut.position(k), position);
        }
    }
}

#[cfg(target_pointer_width = "64")]
#[test]
fn extreme_steps_do_not_wrap() {
    let last = (1_usize << 31) - 1;
    // Steps of 2^31 - 1 and -(2^31 - 1), and the largest difference between two steps.
    let extremes = [0, last, 0, last, 0, 0, last, last];
    for (size, is_narrow) in [(1 << 31, true), (last + 2, false)] {
        assert_eq!(are_narrow(size), is_narrow);
        let list: Vec<i64> = extremes.iter().map(|&k| k as i64).collect();
        let singles = resolved(&list, size);
        match is_narrow {
            true => assert!(matches!(singles.0, Form::Narrow(_))),
            false => assert!(matches!(singles.0, Form::Wide(_))),
        }
        assert!(singles.iter().eq(extremes));
    }
    // In 32 bits, the step from 0 to 3 * 2^30 would equal the step from 3 * 2^30 to 2^31.
    let wrapping = [0, 3 << 30, 1 << 31];
    assert_eq!(
        runs(&wrapping),
        [(0, 1, 1), (3 << 30, 1, 1), (1 << 31, 1, 1)]
    );
    let wrapping_axis = AxisPositions::from_positions(wrapping);
    assert!(wrapping_axis.iter().eq(wrapping));
    let far_apart = [0, 1 << 33, 1, (1 << 33) - 1];
    let cut = resolved(&[0, -1, 1, -2], (1 << 33) + 1);
    assert!(cut.iter().eq(far_apart));
    assert_eq!(cut, AxisPositions::from_positions(far_apart));
}

#[cfg(target_pointer_width = "64")]
fn resolved(list: &[i64], size: usize) -> AxisPositions {
    match List::borrowed(list).elements().resolve(size) {
        Ok(axis) => axis,
        Err(_) => panic!("a position on the axis was rejected"),
    }
}

#[test]
fn narrow_and_wide_positions_form_equal_runs() {
    let mut random = Random(11);
    for _ in 0..if cfg!(miri) { 20 } else { 2000 } {
        let len = random.below(40);
        let limit = 1 + random.below(6);
        let positions: Vec<usize> = (0..len).map(|_| random.below(limit)).collect();
        let narrow: Vec<u32> = positions.iter().map(|&k| k as u32).collect();
        let (narrow, wide) = (
            AxisPositions::of_singles(narrow),
            AxisPositions::of_singles(positions),
        );
        assert_eq!(narrow, wide);
        assert_eq!(hash(&narrow), hash(&wide));
        assert!(narrow.runs().eq(wide.runs()));
    }
}

#[test]
fn a_mask_and_its_positions_are_equal_and_have_one_hash() {
    let mut random = Random(12);
    let mask: Vec<bool> = (0..300).map(|_| random.below(2) == 0).collect();
    let positions = (0..300).filter(|&i| mask[i]).collect();
    let (mask, positions) = (
        AxisPositions::of_mask(&mask),
        AxisPositions::of_singles::<usize>(positions),
    );
    assert_eq!(hash(&mask), hash(&positions));
    #[cfg(feature = "std")]
    assert!(
        matches!(&mask.0, Form::Mask(mask) if mask.cut.get().is_none()),
        "hashing should not list the positions"
    );
    assert_eq!(mask, positions);
}

fn hash(positions: &AxisPositions) -> u64 {
    /// A simple polynomial hasher.
    struct Sum(u64);

    impl Hasher for Sum {
        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = self.0.wrapping_mul(31).wrapping_add(u64::from(*byte));
            }
        }

        fn finish(&self) -> u64 {
            self.0
        }
    }
    let mut sum = Sum(7);
    positions.hash(&mut sum);
    sum.finish()
}

#[test]
fn a_mask_equals_the_list_of_its_true_positions() {
    let mut random = Random(7);
    for len in [0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1100] {
        for share in [0, 1, 30, 500, 970, 999, 1000] {
            if cfg!(miri) && len > 65 {
                continue;
            }
            let mask: Vec<bool> = (0..len).map(|_| random.below(1000) < share).collect();
            let expected: Vec<usize> = (0..len).filter(|&i| mask[i]).collect();
            let bits = Bits::pack(&mask);
            let counts = bits.counts();
            assert!(bits.each_position().eq(expected.iter().copied()));
            assert_eq!(counts.trues, expected.len());
            let cut = AxisPositions::of_mask(&mask);
            assert!(cut.iter().eq(expected.iter().copied()), "{len} {share}");
            assert_eq!(cut, AxisPositions::from_positions(expected));
        }
    }
}

#[test]
fn a_mask_is_stored_as_a_mask_unless_singles_or_long_runs_are_few() {
    let form = |mask: &[bool]| match AxisPositions::of_mask(mask).0 {
        Form::Range(_) => "range",
        Form::Narrow(_) | Form::Wide(_) => "singles",
        Form::Runs(_) => "runs",
        Form::Mask(_) => "mask",
    };
    let mask = |is_true: &dyn Fn(usize) -> bool| -> Vec<bool> { (0..9600).map(is_true).collect() };
    for step in 1..40 {
        assert_eq!(form(&mask(&|i| i % step == 0)), "range", "{step}");
    }
    // The mask takes 1200 bytes, a single 4 bytes and a run 32 bytes.
    assert_eq!(form(&mask(&|i| (i * i) % 31 == 1)), "mask");
    assert_eq!(form(&mask(&|i| i.is_power_of_two())), "singles");
    assert_eq!(form(&mask(&|i| i % 5000 < 2500)), "runs");
    assert_eq!(form(&mask(&|i| i % 3000 < 2500)), "mask");
    // In these masks, only the position before the last one is not at the same distance as the others.
    for step in 2..20 {
        let last = 9599 / step * step;
        let differs = |i| (i % step == 0) != (i == last - step || i == last - step + 1);
        assert_eq!(form(&mask(&differs)), "mask", "{step}");
    }
    assert_eq!(form(&mask(&|_| true)), "range");
    assert_eq!(form(&mask(&|_| false)), "range");
}

#[test]
fn from_axes_inverts_axis_and_output_axes() {
    let texts = [
        "[0, 2], ::-1, 3",
        "newaxis, [3, 3, 3, 3, 3], newaxis, 1, [0, 1, 2, 3, 4, 5, 6, 2, 3, 4, 5, 6], newaxis",
        "0, [True, False, True, True], [-1]",
        "[], :, 1:3",
        "...",
    ];
    for text in texts {
        let spec: DynSliceSpec = text.parse().unwrap();
        let selection = spec.resolve(&[5, 4, 9]).unwrap();
        let output: Vec<OutputAxis> = selection.output_axes().to_vec();
        let axes = (0..3).map(|axis| selection.axis(axis).into_owned());
        let rebuilt = Selection::from_axes(&[5, 4, 9], axes, &output).unwrap();
        assert_eq!(rebuilt, selection, "{text}");
        for axis in 0..3 {
            let positions = selection.axis(axis);
            assert_eq!(positions.len(), positions.iter().count());
        }
    }
}

#[test]
fn from_axes_merges_continuing_runs_and_rejects_invalid_runs() {
    let run = AxisRange::new;
    let selection_of = |runs: &[AxisRange]| {
        let axes = [AxisPositions::from_runs(runs.iter().copied())];
        Selection::from_axes(&[10], axes, &[OutputAxis::Input(0)])
    };
    let whole = selection_of(&[run(0, 1, 4), run(4, 7, 1), run(5, 1, 5)]).unwrap();
    assert_eq!(whole.range(0), Some(AxisRange::whole(10)));
    let repeated = selection_of(&[run(0, 1, 4), run(3, 0, 2)]).unwrap();
    assert!(repeated.axis(0).iter().eq([0, 1, 2, 3, 3, 3]));
    let max = isize::MAX as usize;
    for invalid in [
        run(0, 1, 0),
        run(0, 1, 11),
        run(10, 0, 1),
        run(9, 2, 2),
        run(0, -1, 2),
        run(0, 0, usize::MAX),
        run(usize::MAX, 1, 1),
    ] {
        let error = selection_of(&[run(3, 1, 2), invalid]).unwrap_err();
        let expected = SliceError::InvalidRange {
            axis: 0,
            start: invalid.start,
            step: invalid.step,
            len: invalid.len,
            size: 10,
        };
        assert_eq!(error, expected);
    }
    let error = selection_of(&[run(3, 0, max), run(4, 0, max)]).unwrap_err();
    let message: String = alloc::format!("{error}");
    assert!(matches!(error, SliceError::TooLarge { .. }), "{message}");
}
