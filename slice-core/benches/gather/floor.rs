//! The traffic floor: one word read of every input cache line that a slice touches, and every output byte written.
//!
//! It is a yardstick, not a bound: it writes with plain stores and reads in the order of the output, as a copy does,
//! but it need not move anything from where it was read to where it is written.

use slice_core::Selection;
use std::hint::black_box;

const LINE: usize = 64;
/// How much output is written at a time, between reads.
const BLOCK: usize = 4096;

/// `count` lines at a constant distance, the whole repeated at another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines {
    first: usize,
    stride: isize,
    count: usize,
    outer_stride: isize,
    outer_count: usize,
}

/// The cache lines of a selection, found once.
pub struct Floor {
    lines: Vec<Lines>,
    per_output_byte: f64,
}

impl Floor {
    pub fn new(selection: &Selection, size: usize) -> Self {
        let mut touched = selection
            .indices()
            .map(|index| index * size / LINE)
            .peekable();
        let mut lines: Vec<Lines> = Vec::new();
        let mut total = 0usize;
        let mut segment: Option<Lines> = None;
        let mut previous = usize::MAX;
        for line in touched.by_ref() {
            if line == previous {
                continue;
            }
            let step = line.wrapping_sub(previous) as isize;
            previous = line;
            total += 1;
            match &mut segment {
                Some(open) if open.count == 1 => (open.stride, open.count) = (step, 2),
                Some(open) if open.stride == step => open.count += 1,
                open => {
                    open.take()
                        .into_iter()
                        .for_each(|done| repeat(&mut lines, done));
                    *open = Some(Lines {
                        first: line,
                        stride: 1,
                        count: 1,
                        outer_stride: 0,
                        outer_count: 1,
                    });
                }
            }
        }
        segment
            .into_iter()
            .for_each(|done| repeat(&mut lines, done));
        Self {
            lines,
            per_output_byte: total as f64 / (selection.len() * size).max(1) as f64,
        }
    }

    /// Reads the lines of `input` and writes `output`.
    pub fn run(&self, input: &[u8], output: &mut [u8]) {
        let lines_per_block = (self.per_output_byte * BLOCK as f64) as usize + 1;
        let mut blocks = output.chunks_mut(BLOCK);
        let mut sum = 0u64;
        let mut owed = 0;
        for segment in &self.lines {
            for outer in 0..segment.outer_count {
                let first = segment
                    .first
                    .wrapping_add_signed(segment.outer_stride * outer as isize);
                let mut done = 0;
                while done < segment.count {
                    let batch = (segment.count - done).min(lines_per_block - owed);
                    for i in done..done + batch {
                        let line = first.wrapping_add_signed(segment.stride * i as isize);
                        sum = sum.wrapping_add(u64::from(input[line * LINE]));
                    }
                    done += batch;
                    owed += batch;
                    if owed == lines_per_block {
                        owed = 0;
                        blocks.next().into_iter().for_each(write);
                    }
                }
            }
        }
        blocks.for_each(write);
        black_box(sum);
    }
}

/// Appends a segment, or counts it as a repetition of the last one.
fn repeat(lines: &mut Vec<Lines>, next: Lines) {
    if let Some(last) = lines.last_mut() {
        let distance = next.first.wrapping_sub(last.first) as isize;
        if (last.stride, last.count) == (next.stride, next.count) {
            if last.outer_count == 1 {
                last.outer_stride = distance;
            }
            if distance == last.outer_stride * last.outer_count as isize {
                last.outer_count += 1;
                return;
            }
        }
    }
    lines.push(next);
}

/// Writes every byte with the widest plain stores at hand.
fn write(block: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn wide(block: &mut [u8], value: u64) {
            let (words, rest) = block.as_chunks_mut::<8>();
            words
                .iter_mut()
                .for_each(|word| *word = value.to_ne_bytes());
            rest.fill(value as u8);
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            #[allow(unsafe_code)]
            return unsafe { wide(block, black_box(0x0101_0101_0101_0101)) };
        }
    }
    block.fill(black_box(1));
}
