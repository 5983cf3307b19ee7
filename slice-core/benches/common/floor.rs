//! The traffic floors of copies. A floor is a loop that accesses the same cache lines as a copy, but copies no
//! elements. It accesses one byte of each cache line that the slice touches in the array. In the dense buffer, the
//! floor of a gather writes every byte, and the floor of a scatter reads one byte of each cache line.
//!
//! A floor is a reference rather than a lower bound: the loops use plain loads and stores in the order of a copy, so a
//! copy that streams its output past the caches can be faster. Writing to part of a line causes twice the memory
//! traffic of reading the line, because the processor first reads the line and later writes it back. A scatter and a
//! gather of the same slice therefore have different floors.

use slice_core::Selection;
use std::hint::black_box;

const CACHE_LINE_BYTES: usize = 64;
/// The number of bytes of the dense buffer that are accessed at once, between accesses to the array.
const BLOCK_BYTES: usize = 4096;

/// `count` evenly spaced cache lines, repeated `outer_count` times at intervals of `outer_stride`. `first`, `stride`
/// and `outer_stride` are in cache lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Lines {
    first: usize,
    stride: isize,
    count: usize,
    outer_stride: isize,
    outer_count: usize,
}

/// The cache lines touched by a selection, computed in advance.
pub struct Floor {
    lines: Vec<Lines>,
    lines_per_dense_byte: f64,
}

impl Floor {
    pub fn new(selection: &Selection, size: usize) -> Self {
        let mut touched = selection
            .indices()
            .map(|index| index * size / CACHE_LINE_BYTES)
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
                Some(last) if last.count == 1 => (last.stride, last.count) = (step, 2),
                Some(last) if last.stride == step => last.count += 1,
                last => {
                    last.take()
                        .into_iter()
                        .for_each(|next| repeat(&mut lines, next));
                    *last = Some(Lines {
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
            .for_each(|next| repeat(&mut lines, next));
        Self {
            lines,
            lines_per_dense_byte: total as f64 / (selection.len() * size).max(1) as f64,
        }
    }

    /// Reads one byte of each touched line of `strided`, and writes every byte of `dense`.
    pub fn gather(&self, strided: &[u8], dense: &mut [u8]) {
        let mut sum = 0u64;
        let blocks = dense.chunks_mut(BLOCK_BYTES);
        self.each(
            |index| sum = sum.wrapping_add(u64::from(strided[index])),
            blocks,
            write,
        );
        black_box(sum);
    }

    /// Reads one byte of each line of `dense`, and writes one byte of each touched line of `strided`.
    #[allow(dead_code, reason = "the benchmark `gather` measures no scatters")]
    pub fn scatter(&self, dense: &[u8], strided: &mut [u8]) {
        let value = black_box(1);
        let blocks = dense.chunks(BLOCK_BYTES);
        self.each(
            |index| strided[index] = value,
            blocks,
            |block| {
                black_box(
                    block
                        .iter()
                        .step_by(CACHE_LINE_BYTES)
                        .fold(0, |sum, &byte| sum ^ byte),
                );
            },
        );
    }

    /// Calls `line` with the index of the first byte of each line, and `block` with each block. The number of lines
    /// before each block is constant.
    #[inline(always)]
    fn each<B>(
        &self,
        mut line: impl FnMut(usize),
        mut blocks: impl Iterator<Item = B>,
        mut block: impl FnMut(B),
    ) {
        let lines_per_block = (self.lines_per_dense_byte * BLOCK_BYTES as f64) as usize + 1;
        let mut lines_since_block = 0;
        for segment in &self.lines {
            for outer in 0..segment.outer_count {
                let first = segment
                    .first
                    .wrapping_add_signed(segment.outer_stride * outer as isize);
                let mut next = 0;
                while next < segment.count {
                    let batch = (segment.count - next).min(lines_per_block - lines_since_block);
                    for i in next..next + batch {
                        line(
                            first.wrapping_add_signed(segment.stride * i as isize)
                                * CACHE_LINE_BYTES,
                        );
                    }
                    next += batch;
                    lines_since_block += batch;
                    if lines_since_block == lines_per_block {
                        lines_since_block = 0;
                        blocks.next().into_iter().for_each(&mut block);
                    }
                }
            }
        }
        blocks.for_each(block);
    }
}

/// Appends `next`, or counts it as a repetition of the last entry.
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

/// Writes every byte of a block with plain stores, which use AVX2 if the processor supports it.
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
            // SAFETY: the condition guarantees that the processor supports AVX2.
            #[allow(unsafe_code)]
            return unsafe { wide(block, black_box(0x0101_0101_0101_0101)) };
        }
    }
    block.fill(black_box(1));
}
