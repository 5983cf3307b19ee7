//! Functions on packed masks for processors with AVX2, BMI2 and POPCNT. One instruction of AVX2 packs the highest bits
//! of 32 bytes. There are no functions for SSE2, because with SSE2, packing would take twice as long as with AVX2 and,
//! if the mask is mostly false, longer than with portable code.

use alloc::vec::Vec;
use core::arch::x86_64::*;
use core::array;
use core::ptr;

use super::elements::{Byte, WordElements, copy_all, element_kernels};
use super::kernels::{self, Counts, ONES_OF_BYTE};

#[target_feature(enable = "avx2")]
pub(super) fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
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
pub(super) fn count(words: &[u64]) -> Counts {
    kernels::count(words, false)
}

#[target_feature(enable = "avx2,bmi2,popcnt")]
pub(super) fn positions(words: &[u64], output: &mut Vec<u32>) {
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

/// For each possible group of bits of a mask, two orders of the parts of a vector, whose elements consist of one or more parts.
/// The places are little-endian numbers of `N` bytes.
struct Orders<const N: usize, const LEN: usize, const MASKS: usize> {
    /// Moves the selected elements to the front. The places after them have no meaning.
    to_front: [[[u8; N]; LEN]; MASKS],
    /// Moves the first elements to the selected places. In each other place, all bits are set.
    from_front: [[[u8; N]; LEN]; MASKS],
}

macro_rules! orders {
    ($($name:ident: [$T:ty; $len:literal] for $masks:literal masks;)*) => { $(
        static $name: Orders<{ size_of::<$T>() }, $len, $masks> = {
            let size = $len / usize::ilog2($masks) as usize;
            let mut to_front = [[[0; _]; _]; _];
            let mut from_front = [[[u8::MAX; _]; _]; _];
            let mut mask = 0;
            while mask < $masks {
                let (mut next, mut place) = (0, 0);
                while place < $len {
                    if mask >> (place / size) & 1 == 1 {
                        to_front[mask][next] = (place as $T).to_le_bytes();
                        from_front[mask][place] = (next as $T).to_le_bytes();
                        next += 1;
                    }
                    place += 1;
                }
                mask += 1;
            }
            Orders { to_front, from_front }
        };
    )* };
}

orders! {
    ORDERS_OF_1: [u8; 8] for 256 masks;
    ORDERS_OF_2: [u8; 16] for 256 masks;
    ORDERS_OF_4: [u32; 8] for 256 masks;
    ORDERS_OF_8: [u32; 8] for 16 masks;
}

/// Defines a function that loads a vector and a function that stores its bytes.
macro_rules! memory {
    ($($load:ident $store:ident: $Vector:ty as $size:literal bytes, $read:ident $write:ident;)*) => { $(
        #[inline]
        #[target_feature(enable = "avx2")]
        fn $load<const N: usize, const LEN: usize>(from: &[[u8; N]; LEN]) -> $Vector {
            const { assert!(N * LEN == $size) };
            // SAFETY: the read bytes are those of `from`.
            unsafe { $read(from.as_ptr().cast()) }
        }

        #[inline]
        #[target_feature(enable = "avx2")]
        fn $store<const N: usize, const LEN: usize>(vector: $Vector, to: &mut [[Byte; N]; LEN]) {
            const { assert!(N * LEN == $size) };
            // SAFETY: the written bytes are those of `to`.
            unsafe { $write(to.as_mut_ptr().cast(), vector) };
        }
    )* };
}

memory! {
    load_8 store_8: __m128i as 8 bytes, _mm_loadl_epi64 _mm_storel_epi64;
    load_16 store_16: __m128i as 16 bytes, _mm_loadu_si128 _mm_storeu_si128;
    load_32 store_32: __m256i as 32 bytes, _mm256_loadu_si256 _mm256_storeu_si256;
}

/// Returns elements whose bytes are initialized.
///
/// # Safety
///
/// * The bytes must be initialized.
#[inline]
unsafe fn initialized<const N: usize, const LEN: usize>(
    elements: &[[Byte; N]; LEN],
) -> &[[u8; N]; LEN] {
    // SAFETY: both types have the same layout, and the caller guarantees that the bytes are initialized.
    unsafe { &*ptr::from_ref(elements).cast() }
}

/// Elements of `N` bytes, eight of which are moved at a time.
trait MoveEight<const N: usize> {
    /// Writes the elements of `from` that `byte` selects to the front of `to`, followed by other bytes.
    ///
    /// # Safety
    ///
    /// * The processor must support AVX2.
    unsafe fn compress(byte: u8, from: &[[u8; N]; 8], to: &mut [[Byte; N]; 8]);

    /// Writes the first elements of `from` to the elements of `to` that `byte` selects.
    ///
    /// # Safety
    ///
    /// * The bytes of `to` must be initialized.
    /// * The processor must support AVX2.
    unsafe fn expand(byte: u8, from: &[[u8; N]; 8], to: &mut [[Byte; N]; 8]);

    /// Writes `value` to the elements of `to` that `byte` selects.
    ///
    /// # Safety
    ///
    /// * The bytes of `to` must be initialized.
    /// * The processor must support AVX2.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn fill(byte: u8, value: &[u8; N], to: &mut [[Byte; N]; 8]) {
        // SAFETY: the caller guarantees that `to` is initialized.
        unsafe { Self::expand(byte, &[*value; 8], to) };
    }
}

/// The elements for which AVX2 has functions.
struct Elements;

/// Implements [`MoveEight`] for elements, eight of which fill a vector.
///
/// New and old elements are selected by bytes, because the compiler replaces a selection by elements by masked stores, with
/// which `fill` takes five to nine times as long on Zen 3.
macro_rules! move_eight {
    ($($N:literal: $orders:ident, $load:ident $store:ident, $shuffle:ident $blend:ident;)*) => { $(
        impl MoveEight<$N> for Elements {
            #[inline]
            #[target_feature(enable = "avx2")]
            unsafe fn compress(byte: u8, from: &[[u8; $N]; 8], to: &mut [[Byte; $N]; 8]) {
                let order = $load(&$orders.to_front[usize::from(byte)]);
                $store($shuffle($load(from), order), to);
            }

            #[inline]
            #[target_feature(enable = "avx2")]
            unsafe fn expand(byte: u8, from: &[[u8; $N]; 8], to: &mut [[Byte; $N]; 8]) {
                let order = $load(&$orders.from_front[usize::from(byte)]);
                // SAFETY: the caller guarantees that `to` is initialized.
                let old = $load(unsafe { initialized(to) });
                $store($blend($shuffle($load(from), order), old, order), to);
            }
        }
    )* };
}

move_eight! {
    1: ORDERS_OF_1, load_8 store_8, _mm_shuffle_epi8 _mm_blendv_epi8;
    2: ORDERS_OF_2, load_16 store_16, _mm_shuffle_epi8 _mm_blendv_epi8;
    4: ORDERS_OF_4, load_32 store_32, _mm256_permutevar8x32_epi32 _mm256_blendv_epi8;
}

/// A vector holds four elements.
impl MoveEight<8> for Elements {
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn compress(byte: u8, from: &[[u8; 8]; 8], to: &mut [[Byte; 8]; 8]) {
        let mut next = 0;
        for (four, from) in fours(byte).into_iter().zip(from.as_chunks::<4>().0) {
            let Some(to) = to[next..].first_chunk_mut::<4>() else {
                unreachable!("at most four elements have been written before the last four")
            };
            let order = load_32(&ORDERS_OF_8.to_front[four]);
            store_32(_mm256_permutevar8x32_epi32(load_32(from), order), to);
            next += usize::from(ONES_OF_BYTE[four]);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn expand(byte: u8, from: &[[u8; 8]; 8], to: &mut [[Byte; 8]; 8]) {
        let mut next = 0;
        for (four, to) in fours(byte).into_iter().zip(to.as_chunks_mut().0) {
            let Some(from) = from[next..].first_chunk() else {
                unreachable!("at most four elements have been read before the last four")
            };
            // SAFETY: the caller guarantees that `to` is initialized.
            unsafe { expand_four(four, from, to) };
            next += usize::from(ONES_OF_BYTE[four]);
        }
    }

    /// Does not call [`expand`](Self::expand), because a processor delays loading a vector from an array of values that has
    /// just been written, unless the vector begins where a store began.
    #[inline]
    #[target_feature(enable = "avx2")]
    unsafe fn fill(byte: u8, value: &[u8; 8], to: &mut [[Byte; 8]; 8]) {
        for (four, to) in fours(byte).into_iter().zip(to.as_chunks_mut().0) {
            // SAFETY: the caller guarantees that `to` is initialized.
            unsafe { expand_four(four, &[*value; 4], to) };
        }
    }
}

/// Writes the first elements of `from` to the elements of `to` that the four bits of `four` select.
///
/// # Safety
///
/// * The bytes of `to` must be initialized.
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn expand_four(four: usize, from: &[[u8; 8]; 4], to: &mut [[Byte; 8]; 4]) {
    let order = load_32(&ORDERS_OF_8.from_front[four]);
    // SAFETY: the caller guarantees that `to` is initialized.
    let old = load_32(unsafe { initialized(to) });
    let moved = _mm256_permutevar8x32_epi32(load_32(from), order);
    store_32(_mm256_blendv_epi8(moved, old, order), to);
}

/// Returns the two groups of four bits of a byte.
#[inline]
fn fours(byte: u8) -> [usize; 2] {
    [usize::from(byte & 15), usize::from(byte >> 4)]
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
    Elements: MoveEight<N>,
{
    if word == u64::MAX {
        return copy_all(from, to);
    }
    // SAFETY: the caller guarantees that `from` is initialized.
    let (from, mut next) = (unsafe { initialized(from) }, 0);
    for (byte, from) in word.to_le_bytes().into_iter().zip(from.as_chunks().0) {
        let Some(to) = to[next..].first_chunk_mut() else {
            unreachable!("at most one element has been written for each bit")
        };
        // SAFETY: the processor supports AVX2, for which this function is compiled.
        unsafe { Elements::compress(byte, from, to) };
        next += usize::from(ONES_OF_BYTE[usize::from(byte)]);
    }
    next
}

/// # Safety
///
/// * The bytes of both arrays must be initialized.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
unsafe fn expand_word<const N: usize>(
    word: u64,
    from: &WordElements<N>,
    to: &mut WordElements<N>,
) -> usize
where
    Elements: MoveEight<N>,
{
    if word == u64::MAX {
        return copy_all(from, to);
    }
    // SAFETY: the caller guarantees that `from` is initialized.
    let (from, mut next) = (unsafe { initialized(from) }, 0);
    for (byte, to) in word.to_le_bytes().into_iter().zip(to.as_chunks_mut().0) {
        let Some(from) = from[next..].first_chunk() else {
            unreachable!("at most one element has been read for each bit")
        };
        // SAFETY: the caller guarantees that `to` is initialized. The processor supports AVX2, for which this function is
        // compiled.
        unsafe { Elements::expand(byte, from, to) };
        next += usize::from(ONES_OF_BYTE[usize::from(byte)]);
    }
    next
}

/// # Safety
///
/// * The bytes of `value` and `to` must be initialized.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
unsafe fn fill_word<const N: usize>(word: u64, value: &[Byte; N], to: &mut WordElements<N>)
where
    Elements: MoveEight<N>,
{
    // SAFETY: the caller guarantees that `value` is initialized.
    let [value] = unsafe { initialized(array::from_ref(value)) };
    for (byte, to) in word.to_le_bytes().into_iter().zip(to.as_chunks_mut().0) {
        // SAFETY: as in `expand_word`.
        unsafe { Elements::fill(byte, value, to) };
    }
}
