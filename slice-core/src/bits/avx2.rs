//! Functions on packed masks for processors with AVX2, BMI2 and POPCNT. One instruction of AVX2 packs the highest bits
//! of 32 bytes. There are no functions for SSE2, because with SSE2, packing would take twice as long as with AVX2 and,
//! if the mask is mostly false, longer than with portable code.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::elements::{
    Byte, ElementKernels, WordElements, copy_all, element_kernels, expand_word, fill_word, shuffles,
};
use super::kernels::{self, BitKernels, Counts, ONES_OF_BYTE, POSITIONS_OF_BYTE};

/// The functions for a processor with AVX2, BMI2 and POPCNT.
pub(super) const KERNELS: BitKernels = BitKernels {
    pack,
    count,
    positions,
    elements: ElementKernels {
        compress,
        expand,
        fill,
    },
};

#[target_feature(enable = "avx2")]
fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
    words.extend(mask.iter().map(|mask| word(mask)));
}

/// Packs 64 elements into a word.
#[inline]
#[target_feature(enable = "avx2")]
fn word(mask: &[bool; 64]) -> u64 {
    let (halves, _) = mask.as_chunks::<32>();
    halves
        .iter()
        .rev()
        .fold(0, |word, half| word << 32 | u64::from(bits(half)))
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
fn count(words: &[u64]) -> Counts {
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

/// Elements of `N` bytes, eight of which are compressed at a time.
trait Compress<const N: usize> {
    /// Writes the elements of `from` that `byte` selects to the front of `to`, followed by other bytes.
    ///
    /// # Safety
    ///
    /// * The bytes of `from` must be initialized.
    /// * The processor must support AVX2.
    unsafe fn compress_eight(byte: u8, from: &[[Byte; N]; 8], to: &mut [[Byte; N]; 8]);
}

/// The elements for which AVX2 has functions.
struct Elements;

static SHUFFLES_OF_BYTES: [[u8; 8]; 256] = shuffles();

static SHUFFLES_OF_PAIRS: [[u8; 16]; 256] = shuffles();

/// For each possible group of four bits, the order in which the halves of four elements of eight bytes are moved.
static HALVES_OF_FOUR: [[u32; 8]; 16] = {
    let mut all = [[0; 8]; 16];
    let mut bits = 0;
    while bits < 16 {
        let mut k = 0;
        while k < 4 {
            let position = POSITIONS_OF_BYTE[bits][k];
            (all[bits][2 * k], all[bits][2 * k + 1]) = (2 * position, 2 * position + 1);
            k += 1;
        }
        bits += 1;
    }
    all
};

impl Compress<1> for Elements {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn compress_eight(byte: u8, from: &[[Byte; 1]; 8], to: &mut [[Byte; 1]; 8]) {
        let shuffle = SHUFFLES_OF_BYTES[usize::from(byte)].as_ptr();
        // SAFETY: the read bytes are the eight bytes of the shuffle.
        let shuffle = unsafe { _mm_loadl_epi64(shuffle.cast()) };
        // SAFETY: the read bytes are the eight bytes of `from`.
        let eight = unsafe { _mm_loadl_epi64(from.as_ptr().cast()) };
        let kept = _mm_shuffle_epi8(eight, shuffle);
        // SAFETY: the written bytes are the eight bytes of `to`.
        unsafe { _mm_storel_epi64(to.as_mut_ptr().cast(), kept) };
    }
}

impl Compress<2> for Elements {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn compress_eight(byte: u8, from: &[[Byte; 2]; 8], to: &mut [[Byte; 2]; 8]) {
        let shuffle = SHUFFLES_OF_PAIRS[usize::from(byte)].as_ptr();
        // SAFETY: the read bytes are the 16 bytes of the shuffle.
        let shuffle = unsafe { _mm_loadu_si128(shuffle.cast()) };
        // SAFETY: the read bytes are the 16 bytes of `from`.
        let eight = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
        let kept = _mm_shuffle_epi8(eight, shuffle);
        // SAFETY: the written bytes are the 16 bytes of `to`.
        unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), kept) };
    }
}

impl Compress<4> for Elements {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn compress_eight(byte: u8, from: &[[Byte; 4]; 8], to: &mut [[Byte; 4]; 8]) {
        let order = POSITIONS_OF_BYTE[usize::from(byte)].as_ptr();
        // SAFETY: the read bytes are the 32 bytes of the order.
        let order = unsafe { _mm256_loadu_si256(order.cast()) };
        // SAFETY: the read bytes are the 32 bytes of `from`.
        let eight = unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
        let kept = _mm256_permutevar8x32_epi32(eight, order);
        // SAFETY: the written bytes are the 32 bytes of `to`.
        unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), kept) };
    }
}

impl Compress<8> for Elements {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn compress_eight(byte: u8, from: &[[Byte; 8]; 8], to: &mut [[Byte; 8]; 8]) {
        let mut next = 0;
        for (k, from) in from.as_chunks::<4>().0.iter().enumerate() {
            let bits = usize::from(byte >> (4 * k) & 15);
            // SAFETY: the read bytes are the 32 bytes of the order.
            let order = unsafe { _mm256_loadu_si256(HALVES_OF_FOUR[bits].as_ptr().cast()) };
            // SAFETY: the read bytes are the 32 bytes of `from`.
            let four = unsafe { _mm256_loadu_si256(from.as_ptr().cast()) };
            let kept = _mm256_permutevar8x32_epi32(four, order);
            let Some(to) = to[next..].first_chunk_mut::<4>() else {
                unreachable!("at most four elements have been written before the last four")
            };
            // SAFETY: the written bytes are the 32 bytes of `to`.
            unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), kept) };
            next += usize::from(ONES_OF_BYTE[bits]);
        }
    }
}

element_kernels! {
    #[target_feature(enable = "avx2,bmi2,popcnt")]
    max_ones: 8, word, compress_word, expand_word, fill_word
}

/// # Safety
///
/// * The bytes of `from` must be initialized.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
unsafe fn compress_word<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut WordElements<N>,
) -> usize
where
    Elements: Compress<N>,
{
    if word == u64::MAX {
        return copy_all(from, to);
    }
    let mut next = 0;
    for (byte, from) in word.to_le_bytes().into_iter().zip(from.as_chunks().0) {
        let Some(to) = to[next..].first_chunk_mut() else {
            unreachable!("at most one element has been written for each bit")
        };
        // SAFETY: the caller guarantees that `from` is initialized. The processor supports AVX2, for which this function is
        // compiled.
        unsafe { Elements::compress_eight(byte, from, to) };
        next += usize::from(ONES_OF_BYTE[usize::from(byte)]);
    }
    next
}
