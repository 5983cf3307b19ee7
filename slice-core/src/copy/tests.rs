//! Compares the results of copies with the results of naive loops over the elements, for every instruction set that the
//! processor supports.

#[cfg(all(target_os = "linux", not(miri)))]
mod guarded;
mod lists;
mod not_plain;

use super::CopyPlan;
use super::job::{Byte, Job};
use super::kernels::{self, Output};
use super::plain::bytes;
use crate::processor::instruction_set;
use crate::processor::isa::InstructionSet;
use crate::random::Random;
use crate::resolve::strided::StridedAxis;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

/// The lengths and strides of output axes, the offset of the first selected element, and the length of the input.
#[derive(Clone, Debug)]
struct OutputAxes {
    offset: usize,
    axes: Vec<(usize, isize)>,
    input_len: usize,
}

impl OutputAxes {
    /// Returns the output axes of a slice of a C-order array. The slice is given as `(size, start, step, len)` for each
    /// axis.
    fn of_slice(slice: &[(usize, usize, isize, usize)]) -> Self {
        let (mut offset, mut axes, mut stride) = (0, Vec::new(), 1);
        for &(size, start, step, len) in slice.iter().rev() {
            offset += start * stride;
            axes.push((len, step * stride as isize));
            stride *= size;
        }
        axes.reverse();
        Self {
            offset,
            axes,
            input_len: stride,
        }
    }

    fn plan(&self) -> Option<CopyPlan> {
        let axes = self
            .axes
            .iter()
            .map(|&(len, stride)| StridedAxis { len, stride });
        CopyPlan::new(self.offset, axes, self.input_len)
    }

    /// Returns the offset of each selected element, computed by plain loops.
    fn naive_offsets(&self) -> Vec<usize> {
        let mut offsets = vec![self.offset];
        for &(len, stride) in &self.axes {
            let mut next = vec![0; offsets.len() * len];
            for (row, mut offset) in next.chunks_mut(len.max(1)).zip(offsets) {
                for slot in row {
                    *slot = offset;
                    offset = offset.wrapping_add_signed(stride);
                }
            }
            offsets = next;
        }
        offsets
    }

    /// Gathers and scatters elements of type `T` with every instruction set, and compares the results with the
    /// results of plain loops. `element` returns the element at an offset.
    ///
    /// The buffers are boxed slices of the exact length, so that a sanitizer detects every access beyond their ends.
    fn check<T: Copy + PartialEq + Debug>(&self, element: impl Fn(usize) -> T) {
        self.check_offsets(&self.naive_offsets(), element);
    }

    fn check_offsets<T: Copy + PartialEq + Debug>(
        &self,
        offsets: &[usize],
        element: impl Fn(usize) -> T,
    ) {
        let input: Box<[T]> = (0..self.input_len).map(&element).collect();
        let gathered: Box<[T]> = offsets.iter().map(|&offset| input[offset]).collect();
        let blank = element(0x00ff_ffff);
        let mut scattered: Box<[T]> = vec![blank; self.input_len].into();
        offsets
            .iter()
            .zip(&gathered)
            .for_each(|(&offset, &value)| scattered[offset] = value);

        let plan = self.plan().expect("the elements should be in bounds");
        for limit in InstructionSet::ALL
            .into_iter()
            .filter(|&limit| instruction_set().includes(limit))
        {
            let plan = plan.clone().at_most(limit);
            let context = || alloc::format!("{self:?} with {limit:?}, {} bytes", size_of::<T>());
            assert_eq!(
                plan.gather(&input).as_deref(),
                Ok(&*gathered),
                "gather {}",
                context()
            );
            // The outputs begin at various offsets within a cache line. Miri does not support streaming stores, so
            // these copies are skipped under Miri.
            if !cfg!(miri) {
                let start = (16 * limit as usize + 7 * self.input_len) % 64;
                for output in [Output::Far, Output::Untouched] {
                    let large = gather_output(&plan, &input, start, output);
                    assert_eq!(large, *gathered, "{output:?} at {start}, {}", context());
                }
            }
            // SAFETY: the plan was made for an input of this length, so all its offsets are in bounds, and the elements
            // are `Copy`.
            #[cfg(feature = "ndarray")]
            #[expect(unsafe_code)]
            let exact = unsafe { plan.gather_exact(input.as_ptr()) };
            #[cfg(feature = "ndarray")]
            assert_eq!(
                exact.as_deref(),
                Ok(&*gathered),
                "gather exactly {}",
                context()
            );
            let mut into: Box<[T]> = vec![blank; self.input_len].into();
            plan.scatter(&gathered, &mut into)
                .expect("the buffers should fit the selection");
            assert_eq!(into, scattered, "scatter {}", context());
        }
    }

    /// Checks elements of every size for which there is a separate kernel.
    fn check_sizes(&self) {
        self.check_small_sizes();
        self.check_large_sizes();
    }

    fn check_small_sizes(&self) {
        let offsets = &self.naive_offsets();
        self.check_offsets(offsets, |i| i as u8 ^ (i >> 8) as u8);
        self.check_offsets(offsets, |i| i as u16);
        self.check_offsets(offsets, |i| i as u32 ^ 0x5a5a_0000);
        self.check_offsets(offsets, |i| [i as u8, (i >> 8) as u8, 7]);
        self.check_offsets(offsets, |i| [i as u16; 3]);
    }

    fn check_large_sizes(&self) {
        let offsets = &self.naive_offsets();
        self.check_offsets(offsets, |i| i as u64 | (!i as u64) << 32);
        self.check_offsets(offsets, |i| i as u128 | (!i as u128) << 64);
        self.check_offsets(offsets, |i| [i as u32, 1, !i as u32]);
        self.check_offsets(offsets, |i| [i as u8; 40]);
        self.check_offsets(offsets, |i| (i as u8, i as u32));
    }
}

/// Gathers into an output that begins `start` bytes after the beginning of a cache line, as if the output had been
/// classified as `output`. Panics if the bytes around the output change.
#[expect(unsafe_code)]
fn gather_output<T: Copy>(plan: &CopyPlan, input: &[T], start: usize, output: Output) -> Vec<T> {
    let len = plan.len() * size_of::<T>();
    let mut buffer = Vec::<Byte>::with_capacity(len + 128);
    // SAFETY: the capacity of the buffer is at least `len + 128` bytes.
    unsafe { buffer.as_mut_ptr().write_bytes(0xa5, len + 128) };
    // SAFETY: the first `len + 128` bytes have been initialized above.
    unsafe { buffer.set_len(len + 128) };
    let skip = buffer.as_ptr().align_offset(64) + start;
    if let Some(job) = Job::new::<T>(plan) {
        kernels::gather_output(job, bytes(input), &mut buffer[skip..][..len], output);
    }
    let around = buffer[..skip].iter().chain(&buffer[skip + len..]);
    // SAFETY: all bytes around the output have been initialized above.
    let untouched = around
        .into_iter()
        .all(|byte| unsafe { byte.assume_init() } == 0xa5);
    assert!(
        untouched,
        "{plan:?} with elements of {} bytes: the bytes around the output have changed",
        size_of::<T>()
    );
    let mut elements = Vec::<T>::with_capacity(plan.len());
    let copied = buffer[skip..][..len].as_ptr();
    // SAFETY: the capacity of the vector is at least `plan.len()` elements, which have `len` bytes.
    unsafe { copied.copy_to_nonoverlapping(elements.as_mut_ptr().cast(), len) };
    // SAFETY: copies of `plan.len()` elements have been written.
    unsafe { elements.set_len(plan.len()) };
    elements
}

impl Random {
    /// Returns a random slice of an axis with at most `max_size` elements. Small steps are more likely than large
    /// steps.
    fn sliced_axis(&mut self, max_size: usize) -> (usize, usize, isize, usize) {
        let size = 1 + self.below(max_size);
        let step = match self.below(8) {
            0..4 => 1,
            4..6 => 2 + self.below(3),
            6 => 1 + self.below(9),
            _ => 1 + self.below(80),
        };
        let first = if self.below(2) == 0 {
            0
        } else {
            self.below(size)
        };
        let max_len = (size - 1 - first) / step + 1;
        let len = if self.below(3) == 0 {
            1 + self.below(max_len)
        } else {
            max_len
        };
        match self.below(3) {
            0 => (size, first + (len - 1) * step, -(step as isize), len),
            _ => (size, first, step as isize, len),
        }
    }
}

#[test]
fn random_slices_match_a_naive_loop() {
    let mut random = Random(23);
    let count = if cfg!(miri) { 20 } else { 400 };
    for _ in 0..count {
        let rank = random.below(5);
        let budget = [1, 700, 30, 12, 7][rank];
        let mut slice: Vec<_> = (0..rank).map(|_| random.sliced_axis(budget)).collect();
        if rank > 1 && random.below(2) == 0 {
            // A long outer axis with short inner axes, as in arrays of pixels or records.
            slice[0] = random.sliced_axis(200);
        }
        OutputAxes::of_slice(&slice).check_sizes();
    }
}

#[test]
fn slices_with_common_steps_and_every_short_length_match_a_naive_loop() {
    for step in [1, 2, 3, 4, 5, 8, -1, -2, -3, -4] {
        for len in (1..70).chain([127, 128, 129, 255, 256, 257, 300]) {
            let reach = (len - 1) * isize::unsigned_abs(step);
            let start = if step < 0 { reach } else { 0 };
            OutputAxes::of_slice(&[(reach + 1, start, step, len)]).check_sizes();
            OutputAxes::of_slice(&[(3, 0, 1, 3), (reach + 3, start + 1, step, len)])
                .check(|i| i as u32);
        }
    }
}

#[test]
fn every_range_of_a_short_row_matches_a_naive_loop() {
    for period in 1..9 {
        for first in 0..period {
            for kept in 1..=period - first {
                for step in [1, 2] {
                    let len = (kept - 1) / step + 1;
                    let last = first + (len - 1) * step;
                    let up = (period, first, step as isize, len);
                    let down = (period, last, -(step as isize), len);
                    for cell in [up, down] {
                        // The number of rows is one more than a multiple of 32, so that the last vector is incomplete.
                        let (short, long) = ((33, 0, 1, 33), (129, 0, 1, 129));
                        OutputAxes::of_slice(&[long, cell]).check_small_sizes();
                        OutputAxes::of_slice(&[short, cell]).check_large_sizes();
                        let reversed = OutputAxes::of_slice(&[(129, 128, -1, 129), cell]);
                        reversed.check(|i| i as u8);
                        reversed.check(|i| i as u16);
                    }
                }
            }
        }
    }
}

#[test]
fn outputs_larger_than_the_caches_match_a_naive_loop() {
    let total = 17 << 15;
    let pixels = OutputAxes::of_slice(&[(total / 3, 0, 1, total / 3), (4, 2, -1, 3)]);
    pixels.check(|i| (i ^ (i >> 8)) as u8);
    let slab = OutputAxes::of_slice(&[(3, 1, 1, 2), (total / 16 + 1, 1, 1, total / 16)]);
    slab.check(|i| i as u64);
    let rows = OutputAxes::of_slice(&[(total / 2000, 0, 1, total / 2000), (1001, 1000, -2, 500)]);
    rows.check(|i| i as u32);
}

fn axes_at(offset: usize, axes: &[(usize, isize)], input_len: usize) -> OutputAxes {
    OutputAxes {
        offset,
        axes: axes.to_vec(),
        input_len,
    }
}

#[test]
fn overlapping_and_broadcast_layouts_are_copied() {
    axes_at(0, &[], 1).check_sizes();
    axes_at(3, &[(1, 7)], 4).check_sizes();
    axes_at(0, &[(5, 0), (2, 3)], 4).check_sizes();
    axes_at(2, &[(300, 0)], 3).check_sizes();
    axes_at(0, &[(100, 1), (8, 1)], 107).check(|i| i as u32);
    axes_at(0, &[(17, 1), (19, 17)], 17 * 19).check_sizes();
    axes_at(0, &[(0, 1)], 0).check_sizes();
}

#[test]
fn plans_outside_the_input_are_rejected() {
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
        let plan = axes_at(offset, axes, input_len).plan();
        assert!(
            plan.is_none(),
            "a plan outside the input was accepted: offset {offset}, axes {axes:?}, input length {input_len}"
        );
    }
    let huge = axes_at(0, &[(usize::MAX, 1), (0, isize::MIN)], 0);
    let huge = huge.plan().expect("an empty plan is valid");
    assert_eq!(huge.gather::<u8>(&[]), Ok(vec![]));
}

#[test]
fn zero_sized_elements_are_counted_but_not_copied() {
    let plan = axes_at(0, &[(usize::MAX, 1)], usize::MAX);
    let plan = plan.plan().expect("the offsets should be in bounds");
    assert_eq!(
        plan.gather(&[(); usize::MAX]).map(|out| out.len()),
        Ok(usize::MAX)
    );
}
