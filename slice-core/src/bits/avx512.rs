//! Functions on packed masks for processors with AVX-512. One instruction packs 64 booleans into a word, and another
//! instruction compresses the positions of the set bits in a group of 16 bits to the front of a vector.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::avx2;
use super::kernels::{self, BitKernels, WordPositions};

/// The functions for a processor with AVX-512 (F and BW), AVX2, BMI2 and POPCNT.
pub(super) const KERNELS: BitKernels = BitKernels {
    pack,
    count: avx2::count,
    positions,
};

#[target_feature(enable = "avx512f,avx512bw")]
fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
    words.extend(mask.iter().map(|mask| {
        // SAFETY: the read bytes are the 64 bytes of `mask`.
        let bytes = unsafe { _mm512_loadu_si512(mask.as_ptr().cast()) };
        _mm512_test_epi8_mask(bytes, bytes)
    }));
}

/// The maximum number of set bits in a word whose set bits are located one by one. For words with more set bits,
/// [`positions_of_word`] is faster.
const MAX_ONES_WITHOUT_COMPRESS: u32 = 6;

#[target_feature(enable = "avx512f,avx2,bmi2,popcnt")]
fn positions(words: &[u64], output: &mut Vec<u32>) {
    let positions_of_word =
        |word, start, to: &mut WordPositions| positions_of_word(word, start, to);
    // SAFETY: `positions_of_word` initializes at least the first `n` elements, where `n` is the number that it returns.
    unsafe { kernels::positions(words, MAX_ONES_WITHOUT_COMPRESS, positions_of_word, output) }
}

/// Writes the positions of the set bits of a word, 16 bits at a time, and returns their number. `start` is the position
/// of the word's first bit. Positions are compressed in a register, and then the whole register is stored, because
/// AMD's processors split the combined compress-and-store instruction into many micro-operations.
#[inline]
#[target_feature(enable = "avx512f,avx2,bmi2,popcnt")]
fn positions_of_word(word: u64, start: u32, to: &mut WordPositions) -> usize {
    let first = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let mut next = 0;
    for k in (0..64).step_by(16) {
        let mask = (word >> k) as u16;
        let all = _mm512_add_epi32(first, _mm512_set1_epi32((start + k).cast_signed()));
        let Some(sixteen) = to[next..].first_chunk_mut::<16>() else {
            unreachable!("`to` has room for the positions of all 64 bits and for 16 more")
        };
        let kept = _mm512_maskz_compress_epi32(mask, all);
        // SAFETY: the written bytes are the 64 bytes of `sixteen`.
        unsafe { _mm512_storeu_si512(sixteen.as_mut_ptr().cast(), kept) };
        next += mask.count_ones() as usize;
    }
    next
}
