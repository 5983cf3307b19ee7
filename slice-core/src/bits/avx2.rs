//! Functions on packed masks for processors with AVX2, BMI2 and POPCNT. One instruction of AVX2 packs the highest bits
//! of 32 bytes. There are no functions for SSE2, because with SSE2, packing would take twice as long as with AVX2 and,
//! if the mask is mostly false, longer than with portable code.

use alloc::vec::Vec;
use core::arch::x86_64::{_mm256_loadu_si256, _mm256_movemask_epi8, _mm256_slli_epi16};

use super::kernels::{self, BitKernels, Counts};

/// The functions for a processor with AVX2, BMI2 and POPCNT.
pub(super) const KERNELS: BitKernels = BitKernels {
    pack,
    count,
    positions,
};

#[target_feature(enable = "avx2")]
fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
    words.extend(mask.iter().map(|mask| {
        let (halves, _) = mask.as_chunks::<32>();
        halves
            .iter()
            .rev()
            .fold(0, |word, half| word << 32 | u64::from(bits(half)))
    }));
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits(mask: &[bool; 32]) -> u32 {
    // SAFETY: the read bytes are the 32 bytes of `mask`.
    let bytes = unsafe { _mm256_loadu_si256(mask.as_ptr().cast()) };
    // The shift moves the lowest bit of each byte to the highest bit of the same byte.
    _mm256_movemask_epi8(_mm256_slli_epi16::<7>(bytes)).cast_unsigned()
}

#[target_feature(enable = "popcnt")]
pub(super) fn count(words: &[u64]) -> Counts {
    kernels::count(words, false)
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
fn positions(words: &[u64], output: &mut Vec<u32>) {
    // SAFETY: `positions_of_word` initializes at least the first `n` elements, where `n` is the number that it returns.
    unsafe {
        kernels::positions(
            words,
            kernels::MAX_ONES_WITHOUT_TABLE,
            kernels::positions_of_word,
            output,
        )
    }
}
