//! Compares the engine with a naive element loop.

#[cfg(all(target_os = "linux", not(miri)))]
mod guarded;
mod lists;
mod not_plain;

use super::GatherPlan;
use super::job::{Byte, Job};
use super::kernels::{self, Output};
use super::plain::bytes;
use crate::processor::instruction_set;
use crate::processor::isa::InstructionSet;
use crate::random::Random;
use crate::resolve::strided::Dim;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

/// The output axes of a slice of an array, and the offset of its first element.
#[derive(Clone, Debug)]
struct OutputAxes {
    offset: usize,
    axes: Vec<(usize, isize)>,
    input_len: usize,
}

impl OutputAxes {
    /// Returns the output axes of `(size, start, step, len)` for every axis of a C-order array.
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

    fn plan(&self) -> Option<GatherPlan> {
        let axes = self.axes.iter().map(|&(len, stride)| Dim { len, stride });
        GatherPlan::new(self.offset, axes, self.input_len)
    }

    /// Computes the offsets with plain loops.
    fn naive(&self) -> Vec<usize> {
        let mut offsets = vec![self.offset];
        for &(len, stride) in &self.axes {
            let mut next = vec![0; offsets.len() * len];
            for (row, mut offset) in next.chunks_mut(len.max(1)).zip(offsets) {
                for place in row {
                    *place = offset;
                    offset = offset.wrapping_add_signed(stride);
                }
            }
            offsets = next;
        }
        offsets
    }

    /// Gathers and scatters elements of one type with every instruction set.
    ///
    /// The buffers are boxed slices of the exact length, so that a sanitizer sees every access beyond them.
    fn check<T: Copy + PartialEq + Debug>(&self, element: impl Fn(usize) -> T) {
        self.check_offsets(&self.naive(), element);
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

        let plan = self.plan().expect("elements are in bounds");
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
            // Each output begins at a different place within a cache line. Miri does not support streaming stores.
            if !cfg!(miri) {
                let start = (16 * limit as usize + 7 * self.input_len) % 64;
                for output in [Output::Far, Output::Untouched] {
                    let large = gather_output(&plan, &input, start, output);
                    assert_eq!(large, *gathered, "{output:?} at {start}, {}", context());
                }
            }
            // SAFETY: the plan is for these elements.
            #[cfg(feature = "ndarray")]
            #[expect(unsafe_code)]
            let exactly = unsafe { plan.gather_exact(input.as_ptr()) };
            #[cfg(feature = "ndarray")]
            assert_eq!(
                exactly.as_deref(),
                Ok(&*gathered),
                "gather exactly {}",
                context()
            );
            let mut into: Box<[T]> = vec![blank; self.input_len].into();
            plan.scatter(&gathered, &mut into)
                .expect("buffers fit the selection");
            assert_eq!(into, scattered, "scatter {}", context());
        }
    }

    /// Checks every element size that has its own kernel.
    fn check_sizes(&self) {
        self.check_small_sizes();
        self.check_large_sizes();
    }

    fn check_small_sizes(&self) {
        let offsets = &self.naive();
        self.check_offsets(offsets, |i| i as u8 ^ (i >> 8) as u8);
        self.check_offsets(offsets, |i| i as u16);
        self.check_offsets(offsets, |i| i as u32 ^ 0x5a5a_0000);
        self.check_offsets(offsets, |i| [i as u8, (i >> 8) as u8, 7]);
        self.check_offsets(offsets, |i| [i as u16; 3]);
    }

    fn check_large_sizes(&self) {
        let offsets = &self.naive();
        self.check_offsets(offsets, |i| i as u64 | (!i as u64) << 32);
        self.check_offsets(offsets, |i| i as u128 | (!i as u128) << 64);
        self.check_offsets(offsets, |i| [i as u32, 1, !i as u32]);
        self.check_offsets(offsets, |i| [i as u8; 40]);
        self.check_offsets(offsets, |i| (i as u8, i as u32));
    }
}

/// Gathers into a buffer that begins `start` bytes after the beginning of a cache line, as if the output were large.
#[expect(unsafe_code)]
fn gather_output<T: Copy>(plan: &GatherPlan, input: &[T], start: usize, output: Output) -> Vec<T> {
    let len = plan.len() * size_of::<T>();
    let mut buffer = Vec::<Byte>::with_capacity(len + 128);
    // SAFETY: the buffer has room for these bytes.
    unsafe { buffer.as_mut_ptr().write_bytes(0xa5, len + 128) };
    // SAFETY: these are the bytes that were written.
    unsafe { buffer.set_len(len + 128) };
    let skip = buffer.as_ptr().align_offset(64) + start;
    if let Some(job) = Job::new::<T>(plan) {
        kernels::gather_output(job, bytes(input), &mut buffer[skip..][..len], output);
    }
    let around = buffer[..skip].iter().chain(&buffer[skip + len..]);
    // SAFETY: all bytes around the output have been initialised above.
    let untouched = around
        .into_iter()
        .all(|byte| unsafe { byte.assume_init() } == 0xa5);
    assert!(untouched, "{plan:?} with {} bytes", size_of::<T>());
    let mut elements = Vec::<T>::with_capacity(plan.len());
    let copied = buffer[skip..][..len].as_ptr();
    // SAFETY: the vector has room for these elements.
    unsafe { copied.copy_to_nonoverlapping(elements.as_mut_ptr().cast(), len) };
    // SAFETY: copies of `plan.len()` elements have been written.
    unsafe { elements.set_len(plan.len()) };
    elements
}

impl Random {
    /// Returns a random slice of an axis of at most `most` elements. Short steps are likely.
    fn sliced_axis(&mut self, most: usize) -> (usize, usize, isize, usize) {
        let size = 1 + self.below(most);
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
        let most = (size - 1 - first) / step + 1;
        let len = if self.below(3) == 0 {
            1 + self.below(most)
        } else {
            most
        };
        match self.below(3) {
            0 => (size, first + (len - 1) * step, -(step as isize), len),
            _ => (size, first, step as isize, len),
        }
    }
}

#[test]
fn random_slices_equal_a_naive_loop() {
    let mut random = Random(23);
    let count = if cfg!(miri) { 20 } else { 400 };
    for _ in 0..count {
        let rank = random.below(5);
        let budget = [1, 700, 30, 12, 7][rank];
        let mut slice: Vec<_> = (0..rank).map(|_| random.sliced_axis(budget)).collect();
        if rank > 1 && random.below(2) == 0 {
            // A long outer axis over short inner axes, as in pixels and records.
            slice[0] = random.sliced_axis(200);
        }
        OutputAxes::of_slice(&slice).check_sizes();
    }
}

#[test]
fn common_strides_copy_every_length() {
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
fn small_cells_copy_every_part() {
    for period in 1..9 {
        for first in 0..period {
            for kept in 1..=period - first {
                for step in [1, 2] {
                    let len = (kept - 1) / step + 1;
                    let last = first + (len - 1) * step;
                    let up = (period, first, step as isize, len);
                    let down = (period, last, -(step as isize), len);
                    for cell in [up, down] {
                        // There is one row more than fills whole vectors.
                        let (few, many) = ((33, 0, 1, 33), (129, 0, 1, 129));
                        OutputAxes::of_slice(&[many, cell]).check_small_sizes();
                        OutputAxes::of_slice(&[few, cell]).check_large_sizes();
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
fn large_outputs_equal_a_naive_loop() {
    let most = 17 << 15;
    let pixels = OutputAxes::of_slice(&[(most / 3, 0, 1, most / 3), (4, 2, -1, 3)]);
    pixels.check(|i| (i ^ (i >> 8)) as u8);
    let slab = OutputAxes::of_slice(&[(3, 1, 1, 2), (most / 16 + 1, 1, 1, most / 16)]);
    slab.check(|i| i as u64);
    let rows = OutputAxes::of_slice(&[(most / 2000, 0, 1, most / 2000), (1001, 1000, -2, 500)]);
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
fn plans_outside_the_input_are_refused() {
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
        assert!(plan.is_none(), "{offset} {axes:?} {input_len}");
    }
    let huge = axes_at(0, &[(usize::MAX, 1), (0, isize::MIN)], 0);
    let huge = huge.plan().expect("empty plan is valid");
    assert_eq!(huge.gather::<u8>(&[]), Ok(vec![]));
}

#[test]
fn elements_without_size_are_counted_but_not_copied() {
    let plan = axes_at(0, &[(usize::MAX, 1)], usize::MAX);
    let plan = plan.plan().expect("offsets are in bounds");
    assert_eq!(
        plan.gather(&[(); usize::MAX]).map(|out| out.len()),
        Ok(usize::MAX)
    );
}
