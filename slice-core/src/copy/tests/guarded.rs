//! Runs every kernel on buffers that adjoin inaccessible pages, so that an access one byte beyond a buffer faults. The
//! terms are defined in `copy::kernels`.

#![expect(unsafe_code)]

use super::super::job::{Byte, Job};
use super::super::kernels::{self, MAX_TINY_OUTPUT_BYTES, Output};
use super::super::plain::bytes;
use super::OutputAxes;
use super::lists::{ELEMENT_COUNTS, any_selection, check_in_place, masked, single_rows};
use crate::bits::tests::check_elements;
use crate::processor::instruction_set;
use crate::processor::isa::InstructionSet;
use crate::random::Random;
use crate::resolve::selection::Selection;
use alloc::vec;
use alloc::vec::Vec;
use core::{array, ptr, slice};

/// The size of the inaccessible memory on each side of a buffer, in bytes. It is a multiple of the page size.
const GUARD_BYTES: usize = 64 << 10;

/// Memory between two inaccessible ranges of pages.
struct GuardedMemory {
    start: *mut Byte,
    len: usize,
}

/// The end of guarded memory at which a buffer is placed.
#[derive(Clone, Copy, Debug)]
enum End {
    First,
    Last,
}

impl GuardedMemory {
    /// Maps memory of at least `len` bytes.
    fn new(len: usize) -> Self {
        let len = len.next_multiple_of(GUARD_BYTES);
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        // SAFETY: the operating system chooses an unused address for the new mapping, so no other memory changes.
        let map = unsafe {
            libc::mmap(
                ptr::null_mut(),
                len + 2 * GUARD_BYTES,
                libc::PROT_NONE,
                flags,
                -1,
                0,
            )
        };
        assert!(map != libc::MAP_FAILED);
        let start = map.wrapping_byte_add(GUARD_BYTES);
        // SAFETY: these pages are within the new mapping.
        let status = unsafe { libc::mprotect(start, len, libc::PROT_READ | libc::PROT_WRITE) };
        assert_eq!(status, 0);
        let start = start.cast();
        Self { start, len }
    }

    /// Returns the first or the last `len` bytes.
    fn bytes(&mut self, len: usize, end: End) -> &mut [Byte] {
        let skipped = match end {
            End::First => 0,
            End::Last => self.len - len,
        };
        assert!(len <= self.len);
        let first = self.start.wrapping_add(skipped);
        // SAFETY: these bytes are within the accessible memory, which the operating system has zeroed, and are borrowed
        // for as long as `self`.
        unsafe { slice::from_raw_parts_mut(first, len) }
    }
}

impl Drop for GuardedMemory {
    fn drop(&mut self) {
        let map = self.start.wrapping_byte_sub(GUARD_BYTES).cast();
        // SAFETY: this is the whole mapping, and none of its bytes are borrowed any more.
        unsafe { libc::munmap(map, self.len + 2 * GUARD_BYTES) };
    }
}

/// Guarded memory for the strided and the dense buffer of a copy.
struct GuardedBuffers {
    strided: GuardedMemory,
    dense: GuardedMemory,
}

impl GuardedBuffers {
    fn new(len: usize) -> Self {
        let [strided, dense] = [len, len].map(GuardedMemory::new);
        Self { strided, dense }
    }

    /// Copies elements of `size` bytes in both directions, at each end of the guarded memory, with every instruction
    /// set, and compares the results with the results of plain loops.
    fn check(&mut self, output_axes: &OutputAxes, size: usize) {
        let offsets = output_axes.naive_offsets();
        let (strided, dense) = (output_axes.input_len * size, offsets.len() * size);
        let input: Vec<u8> = (0..strided).map(|i| ((i * 7) ^ (i >> 8)) as u8).collect();
        let mut gathered = Vec::with_capacity(dense);
        for offset in &offsets {
            gathered.extend_from_slice(&input[offset * size..][..size]);
        }
        let mut scattered = vec![0xa5; strided];
        for (&offset, value) in offsets.iter().zip(gathered.chunks(size)) {
            scattered[offset * size..][..size].copy_from_slice(value);
        }
        let plan = output_axes
            .plan()
            .expect("the elements should be in bounds");
        for limit in InstructionSet::ALL {
            if !instruction_set().includes(limit) {
                continue;
            }
            let plan = plan.clone().at_most(limit);
            let job = Job::of_bytes(&plan, size, true).expect("the job copies at least one byte");
            for end in [End::First, End::Last] {
                let src = self.strided.bytes(strided, end);
                let dst = self.dense.bytes(dense, end);
                let context = |what| {
                    alloc::format!("{what} {output_axes:?}, {size} bytes, {limit:?}, {end:?}")
                };
                write(src, &input);
                kernels::gather(job, src, dst);
                assert!(read(dst) == gathered, "{}", context("gather"));
                for output in [Output::Far, Output::Untouched] {
                    kernels::gather_output(job, src, clear(dst), output);
                    assert!(read(dst) == gathered, "{output:?} {}", context("gather"));
                }
                // SAFETY: the job was made for a strided buffer of this length, so its runs are in `src`, which does
                // not overlap `dst`.
                unsafe { kernels::gather_exact(job, src.as_ptr(), clear(dst)) };
                assert!(read(dst) == gathered, "{}", context("gather exactly"));
                fill(src, 0xa5);
                kernels::scatter(job, dst, src);
                assert!(read(src) == scattered, "{}", context("scatter"));
            }
        }
    }
}

fn write(to: &mut [Byte], values: &[u8]) {
    to.copy_from_slice(bytes(values));
}

/// Overwrites the bytes, so that an old result cannot be mistaken for a new one.
fn clear(bytes: &mut [Byte]) -> &mut [Byte] {
    fill(bytes, 0x3c);
    bytes
}

fn fill(bytes: &mut [Byte], value: u8) {
    // SAFETY: these are exactly the borrowed bytes.
    unsafe { bytes.as_mut_ptr().write_bytes(value, bytes.len()) };
}

fn read(bytes: &[Byte]) -> &[u8] {
    // SAFETY: the operating system fills mapped memory with zeros, and only initialized bytes are copied to it.
    unsafe { slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

/// Returns a slice of an array with `rows` rows of `period` elements. The slice selects `kept` elements of each row,
/// `step` apart. The lowest selected position in a row is `first`.
fn range_of_each_row(
    rows: usize,
    period: usize,
    first: usize,
    kept: usize,
    step: isize,
) -> OutputAxes {
    let start = match step {
        ..0 => first + (kept - 1) * step.unsigned_abs(),
        _ => first,
    };
    OutputAxes::of_slice(&[(rows, 0, 1, rows), (period, start, step, kept)])
}

#[test]
fn copies_along_one_axis_stay_within_the_buffers() {
    let mut sides = GuardedBuffers::new(GUARD_BYTES);
    for size in [1, 2, 3, 4, 6, 8, 12, 16] {
        let min_len = MAX_TINY_OUTPUT_BYTES / size + 1;
        for len in min_len..=min_len + 66 / size + 1 {
            for step in [2, 3, 4, 5, 8, -1, -2, -3, -4, -5] {
                let reach = (len - 1) * isize::unsigned_abs(step);
                let start = if step < 0 { reach } else { 0 };
                sides.check(
                    &OutputAxes::of_slice(&[(reach + 1, start, step, len)]),
                    size,
                );
            }
        }
    }
}

#[test]
fn copies_of_ranges_of_short_rows_stay_within_the_buffers() {
    let mut sides = GuardedBuffers::new(GUARD_BYTES);
    for size in [1, 2, 4] {
        for period in 2..=8 {
            for first in 0..period {
                for kept in 1..=period - first {
                    let min_rows = MAX_TINY_OUTPUT_BYTES / (kept * size) + 1;
                    for rows in [min_rows, min_rows + 1, min_rows + 7] {
                        for step in [1, -1] {
                            sides.check(&range_of_each_row(rows, period, first, kept, step), size);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn copies_of_runs_stay_within_the_buffers() {
    let mut sides = GuardedBuffers::new(4 * GUARD_BYTES);
    let lengths = (1..=70).chain([96, 127, 128, 129, 192, 255, 256, 257, 300, 511, 513, 1000]);
    // Runs of less than 4 KiB are copied with vector instructions, and all other runs by `memcpy`.
    let lengths = lengths.chain([4095, 4096, 4097, 9000]);
    for run in lengths {
        for gap in [1, 5, 64] {
            let rows = MAX_TINY_OUTPUT_BYTES / run + 3;
            sides.check(&range_of_each_row(rows, run + gap, gap / 2, run, 1), 1);
            sides.check(&range_of_each_row(rows, run + gap, gap, run, -1), 1);
        }
    }
}

/// With the feature `rayon`, several threads fill these outputs, because they are large enough.
#[test]
fn parallel_copies_stay_within_the_buffers() {
    let dense = 9 << 15;
    let mut sides = GuardedBuffers::new(4 * dense);
    sides.check(&range_of_each_row(dense / 3, 4, 0, 3, 1), 1);
    sides.check(&range_of_each_row(dense / 3, 4, 0, 3, -1), 1);
    sides.check(&range_of_each_row(dense / 4000, 1001, 1, 500, 2), 8);
    sides.check(&range_of_each_row(dense / 4000, 1001, 1, 1000, -1), 4);
    sides.check(&range_of_each_row(dense / 1003, 1010, 7, 1003, 1), 1);
}

fn values_mut(bytes: &mut [Byte]) -> &mut [u8] {
    // SAFETY: all bytes are initialized, as in `read`, and they are borrowed mutably.
    unsafe { slice::from_raw_parts_mut(bytes.as_mut_ptr().cast(), bytes.len()) }
}

/// Copies the elements of a selection with lists in both directions, at each end of the guarded memory, and compares
/// the results with the results of plain loops. Each element has `N` bytes.
fn check_lists<const N: usize>(sides: &mut GuardedBuffers, selection: &Selection) {
    let (strided, dense) = (selection.input_len() * N, selection.len() * N);
    if strided > sides.strided.len || dense > sides.dense.len {
        return;
    }
    for end in [End::First, End::Last] {
        let src = values_mut(sides.strided.bytes(strided, end));
        let dst = values_mut(sides.dense.bytes(dense, end));
        let (strided, dense) = (src.as_chunks_mut().0, dst.as_chunks_mut().0);
        let element =
            |i: usize| array::from_fn::<u8, N, _>(|k| ((7 * (N * i + k)) ^ (i >> 5)) as u8);
        check_in_place(selection, element, strided, dense);
    }
}

#[test]
fn copies_of_selections_with_lists_stay_within_the_buffers() {
    let mut sides = GuardedBuffers::new(16 * GUARD_BYTES);
    let mut random = Random(34);
    for _ in 0..1500 {
        let selection = any_selection(&mut random);
        match random.below(8) {
            0 => check_lists::<1>(&mut sides, &selection),
            1 => check_lists::<2>(&mut sides, &selection),
            2 => check_lists::<3>(&mut sides, &selection),
            3 => check_lists::<4>(&mut sides, &selection),
            4 => check_lists::<5>(&mut sides, &selection),
            5 => check_lists::<8>(&mut sides, &selection),
            6 => check_lists::<12>(&mut sides, &selection),
            _ => check_lists::<16>(&mut sides, &selection),
        }
    }
}

/// Compresses, expands, fills and filters elements of `size` bytes at each end of the guarded memory.
fn check_mask(sides: &mut GuardedBuffers, mask: &[bool], size: usize) {
    let trues = mask.iter().filter(|&&is_true| is_true).count();
    for end in [End::First, End::Last] {
        let strided = sides.strided.bytes(mask.len() * size, end);
        let dense = sides.dense.bytes(trues * size, end);
        check_elements(mask, size, strided, dense);
    }
}

#[test]
fn every_instruction_set_stays_within_the_buffers_of_a_mask() {
    let mut sides = GuardedBuffers::new(GUARD_BYTES);
    let mut random = Random(36);
    for len in (0..330).chain([1000, 4095, 4096, 4097]) {
        for share in [1, 16, 31, 32] {
            let mask: Vec<bool> = (0..len).map(|_| random.below(32) < share).collect();
            for size in [1, 2, 4, 8] {
                check_mask(&mut sides, &mask, size);
            }
        }
    }
}

#[test]
fn copies_with_masks_stay_within_the_buffers() {
    let mut sides = GuardedBuffers::new(GUARD_BYTES);
    let mut random = Random(35);
    for len in (0..520).chain([1000, 4095, 4096, 4097]) {
        for _ in 0..2 {
            let selection = masked(&mut random, len);
            check_lists::<1>(&mut sides, &selection);
            check_lists::<2>(&mut sides, &selection);
            check_lists::<4>(&mut sides, &selection);
            check_lists::<8>(&mut sides, &selection);
        }
    }
}

#[test]
fn copies_of_listed_rows_stay_within_the_buffers() {
    let mut sides = GuardedBuffers::new(2 * GUARD_BYTES);
    for columns in (1..=700).chain([1024, 4095, 4096, 4097, 4224]) {
        for total in ELEMENT_COUNTS {
            check_lists::<1>(&mut sides, &single_rows(columns, total));
        }
        check_lists::<3>(&mut sides, &single_rows(columns, 3 << 10));
    }
}
