//! Functions on packed masks for processors with AVX-512. One instruction packs 64 booleans into a word, and another
//! instruction compresses the positions of the set bits in a group of 16 bits to the front of a vector.

use alloc::vec::Vec;
use core::arch::x86_64::*;

use super::avx2;
use super::elements::{Byte, ElementKernels};
use super::kernels::{self, BitKernels, WordPositions};

/// The functions for a processor with AVX-512 (F, BW, VL and VBMI2), AVX2, BMI2 and POPCNT.
pub(super) const KERNELS: BitKernels = BitKernels {
    pack,
    count: avx2::count,
    positions,
    elements: ElementKernels {
        compress,
        expand,
        fill,
    },
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

/// Loads 64 bytes, which must be initialized.
#[inline]
#[target_feature(enable = "avx512f")]
fn load(from: &[Byte; 64]) -> __m512i {
    // SAFETY: the read bytes are the 64 bytes of `from`.
    unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(vector: __m512i, to: &mut [Byte; 64]) {
    // SAFETY: the written bytes are the 64 bytes of `to`.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), vector) };
}

/// Loads the first bytes of `from`, at most 64, which must be initialized. The other bytes of the vector are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load_partly(from: &[Byte]) -> __m512i {
    // SAFETY: the mask selects only bytes of `from`. The instruction accesses no other bytes.
    unsafe { _mm512_maskz_loadu_epi8(first_bits(from.len()), from.as_ptr().cast()) }
}

/// Stores the first `len` bytes of a vector, but at most as many as `to` has.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn store_partly(vector: __m512i, len: usize, to: &mut [Byte]) {
    // SAFETY: the mask selects only bytes of `to`. The instruction accesses no other bytes.
    unsafe {
        _mm512_mask_storeu_epi8(
            to.as_mut_ptr().cast(),
            first_bits(len.min(to.len())),
            vector,
        );
    }
}

/// Returns a word with the first `n` bits set, or with all bits set if there are at most `n`.
#[inline(always)]
const fn first_bits(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// Returns the bytes after the first `n`.
#[inline(always)]
fn after(bytes: &[Byte], n: usize) -> &[Byte] {
    bytes.get(n..).unwrap_or_default()
}

#[inline(always)]
fn after_mut(bytes: &mut [Byte], n: usize) -> &mut [Byte] {
    bytes.get_mut(n..).unwrap_or_default()
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

/// Defines a module with the functions for elements of `$size` bytes, `$lanes` of which fill a vector. Each word is
/// handled in a loop over whole vectors, unless its elements reach the end of a buffer. Only there, loads and stores are
/// masked, because masked stores are slow on some processors.
macro_rules! elements_of {
    ($module:ident, $size:literal, $lanes:literal, $bits:ty, $scalar:ty, $set1:ident, $compress:ident, $expand:ident,
     $blend:ident) => {
        mod $module {
            use super::*;

            const WORD_BYTES: usize = 64 * $size;

            /// Returns the bits of the `k`-th vector of a word.
            #[inline(always)]
            fn bits(word: u64, k: usize) -> $bits {
                (word >> ($lanes * k % 64)) as $bits
            }

            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
            pub(super) fn compress(words: &[u64], from: &[Byte], to: &mut [Byte]) {
                let mut next = 0;
                let blocks = words.iter().zip(from.chunks(WORD_BYTES));
                for (&word, from) in blocks.filter(|(word, _)| **word != 0) {
                    let (to, mut written) = (&mut to[next..], 0);
                    let whole = (
                        from.first_chunk::<WORD_BYTES>(),
                        to.first_chunk_mut::<WORD_BYTES>(),
                    );
                    if let (Some(from), Some(to)) = whole {
                        for (k, from) in from.as_chunks().0.iter().enumerate() {
                            let kept = $compress(bits(word, k), load(from));
                            store(kept, vector_at_mut(to, written));
                            written += bits(word, k).count_ones() as usize * $size;
                        }
                    } else {
                        for k in 0..$size {
                            let kept = $compress(bits(word, k), load_partly(after(from, 64 * k)));
                            let len = bits(word, k).count_ones() as usize * $size;
                            store_partly(kept, len, after_mut(to, written));
                            written += len;
                        }
                    }
                    next += written.min(to.len());
                }
            }

            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
            pub(super) fn expand(words: &[u64], from: &[Byte], to: &mut [Byte]) {
                let mut next = 0;
                let blocks = words.iter().zip(to.chunks_mut(WORD_BYTES));
                for (&word, to) in blocks.filter(|(word, _)| **word != 0) {
                    let (from, mut read) = (&from[next..], 0);
                    let whole = (
                        from.first_chunk::<WORD_BYTES>(),
                        to.first_chunk_mut::<WORD_BYTES>(),
                    );
                    if let (Some(from), Some(to)) = whole {
                        for (k, to) in to.as_chunks_mut().0.iter_mut().enumerate() {
                            let values = load(vector_at(from, read));
                            store($expand(load(to), bits(word, k), values), to);
                            read += bits(word, k).count_ones() as usize * $size;
                        }
                    } else {
                        for k in 0..$size {
                            let to = after_mut(to, 64 * k);
                            let values = load_partly(after(from, read));
                            let new = $expand(load_partly(to), bits(word, k), values);
                            store_partly(new, 64, to);
                            read += bits(word, k).count_ones() as usize * $size;
                        }
                    }
                    next += read.min(from.len());
                }
            }

            #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
            pub(super) fn fill(words: &[u64], from: &[Byte], to: &mut [Byte]) {
                let mut value = [0; $size];
                for (to, byte) in value.iter_mut().zip(from) {
                    // SAFETY: the caller guarantees that the bytes of `from` are initialized.
                    *to = unsafe { byte.assume_init() };
                }
                let value = $set1(<$scalar>::from_ne_bytes(value));
                let blocks = words.iter().zip(to.chunks_mut(WORD_BYTES));
                for (&word, to) in blocks.filter(|(word, _)| **word != 0) {
                    if let Some(to) = to.first_chunk_mut::<WORD_BYTES>() {
                        for (k, to) in to.as_chunks_mut().0.iter_mut().enumerate() {
                            store($blend(load(to), bits(word, k), value), to);
                        }
                    } else {
                        for k in 0..$size {
                            let to = after_mut(to, 64 * k);
                            store_partly($blend(load_partly(to), bits(word, k), value), 64, to);
                        }
                    }
                }
            }
        }
    };
}

elements_of!(
    bytes,
    1,
    64,
    u64,
    i8,
    _mm512_set1_epi8,
    _mm512_maskz_compress_epi8,
    _mm512_mask_expand_epi8,
    _mm512_mask_mov_epi8
);
elements_of!(
    pairs,
    2,
    32,
    u32,
    i16,
    _mm512_set1_epi16,
    _mm512_maskz_compress_epi16,
    _mm512_mask_expand_epi16,
    _mm512_mask_mov_epi16
);
elements_of!(
    fours,
    4,
    16,
    u16,
    i32,
    _mm512_set1_epi32,
    _mm512_maskz_compress_epi32,
    _mm512_mask_expand_epi32,
    _mm512_mask_mov_epi32
);
elements_of!(
    eights,
    8,
    8,
    u8,
    i64,
    _mm512_set1_epi64,
    _mm512_maskz_compress_epi64,
    _mm512_mask_expand_epi64,
    _mm512_mask_mov_epi64
);

/// Defines a function that calls the function of the same name for the size of an element.
macro_rules! for_each_size {
    ($($name:ident)*) => { $(
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi2,popcnt")]
        fn $name(words: &[u64], size: usize, from: &[Byte], to: &mut [Byte]) {
            match size {
                1 => bytes::$name(words, from, to),
                2 => pairs::$name(words, from, to),
                4 => fours::$name(words, from, to),
                8 => eights::$name(words, from, to),
                _ => unreachable!("the caller checks the size of an element"),
            }
        }
    )* };
}

for_each_size! { compress expand fill }
