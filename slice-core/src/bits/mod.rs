//! Masks packed into bits, with functions that count the true elements and find their positions, 64 elements at a time.
//! The code for each instruction set that makes these functions faster is in its own file.

#![expect(unsafe_code)]

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod avx512;
pub(crate) mod kernels;

use alloc::vec::Vec;

use crate::processor::detect;
use crate::processor::isa::InstructionSet;
use kernels::{BitKernels, Counts, PORTABLE, edges_of, word};

/// A mask with one bit per element.
pub(crate) struct Bits {
    /// The elements, 64 per word, starting with the lowest bit of each word. The bits after the last element are 0.
    words: Vec<u64>,
    len: usize,
    /// INVARIANT: the current processor supports the instructions that the functions use.
    kernels: &'static BitKernels,
}

/// Returns the functions for an instruction set.
fn kernels_of(isa: InstructionSet) -> &'static BitKernels {
    match isa {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx512 => &avx512::KERNELS,
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        InstructionSet::Avx2 => &avx2::KERNELS,
        _ => &PORTABLE,
    }
}

impl Bits {
    pub(crate) fn pack(mask: &[bool]) -> Self {
        Self::pack_with_limit(mask, None)
    }

    /// Packs a mask. If there is a `limit`, uses only an instruction set that `limit` includes.
    fn pack_with_limit(mask: &[bool], limit: Option<InstructionSet>) -> Self {
        let kernels = kernels_of(detect(limit));
        let (whole, rest) = mask.as_chunks::<64>();
        let mut words = Vec::with_capacity(mask.len().div_ceil(64));
        // SAFETY: `detect` returned the instruction set of `kernels`, so the processor supports the instructions.
        unsafe { (kernels.pack)(whole, &mut words) };
        if !rest.is_empty() {
            let mut last = [false; 64];
            last[..rest.len()].copy_from_slice(rest);
            words.push(word(&last));
        }
        Bits {
            words,
            len: mask.len(),
            kernels,
        }
    }

    pub(crate) fn counts(&self) -> Counts {
        // SAFETY: by the invariant of `kernels`, the processor supports the instructions.
        unsafe { (self.kernels.count)(&self.words) }
    }

    /// Calls `run(start, len)` for each run of consecutive true elements.
    pub(crate) fn each_run(&self, mut run: impl FnMut(usize, usize)) {
        let (mut start, mut last) = (None, false);
        let mut edge = |position: usize| match start.take() {
            None => start = Some(position),
            Some(start) => run(start, position - start),
        };
        for (i, &word) in self.words.iter().enumerate() {
            let mut edges = edges_of(word, last);
            while edges != 0 {
                edge(64 * i + edges.trailing_zeros() as usize);
                edges &= edges - 1;
            }
            last = word >> 63 == 1;
        }
        if last {
            edge(self.len);
        }
    }

    /// Returns the positions of the true elements. `counts` is the result of [`counts`](Self::counts). Every position
    /// must fit in 32 bits.
    pub(crate) fn positions_u32(&self, counts: &Counts) -> Vec<u32> {
        let mut positions = Vec::with_capacity(counts.trues + kernels::RESERVED_POSITIONS);
        // SAFETY: by the invariant of `kernels`, the processor supports the instructions.
        unsafe { (self.kernels.positions)(&self.words, &mut positions) };
        positions
    }

    /// Returns the positions of the true elements, in a mask of any length. `counts` is the result of
    /// [`counts`](Self::counts).
    pub(crate) fn positions(&self, counts: &Counts) -> Vec<usize> {
        let mut positions = Vec::with_capacity(counts.trues);
        for (i, &word) in self.words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                positions.push(64 * i + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
        positions
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, detect};
    use crate::processor::isa::InstructionSet;
    use crate::random::Random;
    use alloc::vec::Vec;

    #[test]
    fn every_instruction_set_finds_the_same_positions() {
        let mut random = Random(3);
        for len in [0, 1, 63, 64, 65, 511, 512, 513, 2000] {
            for share in [0, 1, 30, 90, 130, 200, 500, 999, 1000] {
                if cfg!(miri) && len > 600 {
                    continue;
                }
                let mask: Vec<bool> = (0..len).map(|_| random.below(1000) < share).collect();
                let expected: Vec<usize> = (0..len).filter(|&i| mask[i]).collect();
                let starts = |&i: &usize| i == 0 || !mask[i - 1];
                let runs = expected.iter().filter(|i| starts(i)).count();
                for isa in InstructionSet::ALL {
                    if !detect(None).includes(isa) {
                        continue;
                    }
                    let bits = Bits::pack_with_limit(&mask, Some(isa));
                    let word = |i: usize| bits.words[i / 64] >> (i % 64) & 1 == 1;
                    assert!(
                        (0..len).all(|i| word(i) == mask[i]),
                        "{isa:?} {len} {share}"
                    );
                    let counts = bits.counts();
                    assert_eq!(
                        (counts.trues, counts.runs),
                        (expected.len(), runs),
                        "{isa:?}"
                    );
                    let positions = bits.positions_u32(&counts);
                    let positions: Vec<usize> = positions.iter().map(|&k| k as usize).collect();
                    assert_eq!(positions, expected, "{isa:?} {len} {share}");
                    assert_eq!(bits.positions(&counts), expected);
                    let mut positions = Vec::new();
                    bits.each_run(|start, len| positions.extend(start..start + len));
                    assert_eq!(positions, expected);
                }
            }
        }
    }
}
