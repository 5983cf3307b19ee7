//! Functions on packed masks for processors with AVX-512. One instruction packs 64 booleans into a word, and another
//! instruction compresses the positions of the set bits in a group of 16 bits to the front of a vector.

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::elements::{Byte, WordElements, element_kernels};
use super::kernels::{self, Counts, WordPositions};

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
    words.extend(mask.iter().map(|mask| word(mask)));
}

/// Packs 64 elements into a word.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn word(mask: &[bool; 64]) -> u64 {
    // SAFETY: the read bytes are the 64 bytes of `mask`.
    let bytes = unsafe { _mm512_loadu_si512(mask.as_ptr().cast()) };
    _mm512_test_epi8_mask(bytes, bytes)
}

#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub(super) fn count(words: &[u64]) -> Counts {
    kernels::count(words, false)
}

/// The maximum number of set bits in a word whose set bits are located one by one. For words with more set bits,
/// [`positions_of_word`] is faster.
const MAX_ONES_WITHOUT_COMPRESS: u32 = 6;

#[target_feature(enable = "avx512f,avx2,bmi2,popcnt")]
pub(super) fn positions(words: &[u64], output: &mut Vec<u32>) {
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

/// # Safety
///
/// * The bytes of `from` must be initialized, as for all functions below that read elements.
#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load(from: &[Byte; 64]) -> __m512i {
    // SAFETY: the read bytes are the 64 bytes of `from`, which are initialized.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(vector: __m512i, to: &mut [Byte; 64]) {
    // SAFETY: the written bytes are the 64 bytes of `to`.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) };
}

/// Returns the 64 bytes after the first `n`.
#[inline(always)]
fn vector_at(bytes: &[Byte], n: usize) -> &[Byte; 64] {
    match bytes[n..].first_chunk() {
        Some(vector) => vector,
        None => unreachable!("at most one element is copied for each bit before this vector"),
    }
}

#[inline(always)]
fn vector_at_mut(bytes: &mut [Byte], n: usize) -> &mut [Byte; 64] {
    match bytes[n..].first_chunk_mut() {
        Some(vector) => vector,
        None => unreachable!("at most one element is copied for each bit before this vector"),
    }
}

/// Elements of `N` bytes, 64 / `N` of which fill a vector.
trait Lanes<const N: usize> {
    /// Moves the elements that the lowest bits of `word` select to the front of the vector.
    ///
    /// # Safety
    ///
    /// * The processor must support AVX-512 (F, BW, VL and VBMI2).
    unsafe fn compress(word: u64, vector: __m512i) -> __m512i;

    /// Replaces the elements of `old` that the lowest bits of `word` select by the first elements of `values`.
    ///
    /// # Safety
    ///
    /// * See [`compress`](Self::compress).
    unsafe fn expand(word: u64, old: __m512i, values: __m512i) -> __m512i;

    /// Replaces the elements of `old` that the lowest bits of `word` select by the elements of `new` in the same places.
    ///
    /// # Safety
    ///
    /// * See [`compress`](Self::compress).
    unsafe fn blend(word: u64, old: __m512i, new: __m512i) -> __m512i;
}

/// The elements for which AVX-512 has instructions.
struct Elements;

macro_rules! lanes {
    ($($size:literal $bits:ty: $compress:ident, $expand:ident, $blend:ident;)*) => { $(
        impl Lanes<$size> for Elements {
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2")]
            unsafe fn compress(word: u64, vector: __m512i) -> __m512i {
                $compress(word as $bits, vector)
            }

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2")]
            unsafe fn expand(word: u64, old: __m512i, values: __m512i) -> __m512i {
                $expand(old, word as $bits, values)
            }

            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2")]
            unsafe fn blend(word: u64, old: __m512i, new: __m512i) -> __m512i {
                $blend(old, word as $bits, new)
            }
        }
    )* };
}

lanes! {
    1 u64: _mm512_maskz_compress_epi8, _mm512_mask_expand_epi8, _mm512_mask_mov_epi8;
    2 u32: _mm512_maskz_compress_epi16, _mm512_mask_expand_epi16, _mm512_mask_mov_epi16;
    4 u16: _mm512_maskz_compress_epi32, _mm512_mask_expand_epi32, _mm512_mask_mov_epi32;
    8 u8: _mm512_maskz_compress_epi64, _mm512_mask_expand_epi64, _mm512_mask_mov_epi64;
}

element_kernels! {
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi2,popcnt")]
    max_ones: 0, word, compress_word, expand_word, fill_word
}

/// Returns the bits of a word for the `k`-th vector of its elements, followed by other bits, and the number of bytes that
/// they select.
#[inline(always)]
const fn bits_of_vector<const N: usize>(word: u64, k: usize) -> (u64, usize) {
    let lanes = 64 / N;
    let bits = word >> (lanes * k);
    let selected = bits & (u64::MAX >> (64 - lanes));
    (bits, selected.count_ones() as usize * N)
}

#[inline]
#[target_feature(enable = "avx512f")]
unsafe fn load_all<const N: usize>(from: &WordElements<N>) -> [__m512i; N] {
    let (from, _) = from.as_flattened().as_chunks();
    // SAFETY: the caller guarantees that the bytes are initialized.
    core::array::from_fn(|k| unsafe { load(&from[k]) })
}

/// Stores all elements of a word, and returns their number. For elements of 8 bytes, this takes half as long as the call of
/// `memcpy` to which an assignment is compiled.
#[inline]
#[target_feature(enable = "avx512f")]
fn store_all<const N: usize>(all: [__m512i; N], to: &mut WordElements<N>) -> usize {
    let (to, _) = to.as_flattened_mut().as_chunks_mut();
    for (all, to) in all.into_iter().zip(to) {
        store(all, to);
    }
    64
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi2,popcnt")]
unsafe fn compress_word<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut WordElements<N>,
) -> usize
where
    Elements: Lanes<N>,
{
    // SAFETY: the caller guarantees that the bytes are initialized.
    let all = unsafe { load_all(from) };
    if word == u64::MAX {
        return store_all(all, to);
    }
    for (k, all) in all.into_iter().enumerate() {
        let (before, bits) = (word & !(u64::MAX << (64 / N * k)), word >> (64 / N * k));
        // SAFETY: the processor supports the instructions with which this function is compiled.
        let kept = unsafe { Elements::compress(bits, all) };
        let written = before.count_ones() as usize * N;
        store(kept, vector_at_mut(to.as_flattened_mut(), written));
    }
    word.count_ones() as usize
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi2,popcnt")]
unsafe fn expand_word<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut WordElements<N>,
) -> usize
where
    Elements: Lanes<N>,
{
    if word == u64::MAX {
        // SAFETY: the caller guarantees that the bytes are initialized.
        return store_all(unsafe { load_all(from) }, to);
    }
    let mut read = 0;
    for (k, to) in to
        .as_flattened_mut()
        .as_chunks_mut()
        .0
        .iter_mut()
        .enumerate()
    {
        let (bits, bytes) = bits_of_vector::<N>(word, k);
        let values = vector_at(from.as_flattened(), read);
        // SAFETY: the caller guarantees that the bytes are initialized.
        let values = unsafe { load(values) };
        // SAFETY: as above.
        let old = unsafe { load(to) };
        // SAFETY: the processor supports the instructions with which this function is compiled.
        let new = unsafe { Elements::expand(bits, old, values) };
        store(new, to);
        read += bytes;
    }
    read / N
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,avx2,bmi2,popcnt")]
unsafe fn fill_word<const N: usize>(word: u64, value: &[Byte; N], to: &mut WordElements<N>)
where
    Elements: Lanes<N>,
{
    // The compiler makes this vector once, outside of the loop over the words.
    let mut values = [MaybeUninit::new(0); 64];
    values.as_chunks_mut().0.fill(*value);
    // SAFETY: the caller guarantees that the bytes of the value are initialized.
    let values = unsafe { load(&values) };
    for (k, to) in to
        .as_flattened_mut()
        .as_chunks_mut()
        .0
        .iter_mut()
        .enumerate()
    {
        let (bits, _) = bits_of_vector::<N>(word, k);
        // SAFETY: the caller guarantees that the bytes are initialized.
        let old = unsafe { load(to) };
        // SAFETY: the processor supports the instructions with which this function is compiled.
        let new = unsafe { Elements::blend(bits, old, values) };
        store(new, to);
    }
}
