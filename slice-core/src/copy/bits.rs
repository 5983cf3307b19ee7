//! Packs masks of `bool` into bits.

#![cfg_attr(target_arch = "x86_64", expect(unsafe_code))]

use alloc::vec::Vec;

/// Appends a word for every 64 elements. The lowest bit is the first element.
pub(crate) fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
    #[cfg(target_arch = "x86_64")]
    if avx2::is_there() {
        // SAFETY: the processor has AVX2.
        return unsafe { avx2::pack(mask, words) };
    }
    words.extend(mask.iter().map(word));
}

/// Packs 64 elements.
#[inline(always)]
pub(crate) fn word(mask: &[bool; 64]) -> u64 {
    if mask.iter().fold(0, |any, &x| any | u8::from(x)) == 0 {
        return 0;
    }
    let mut word = 0;
    for (i, eight) in mask.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(eight.map(u8::from));
        // The product of byte k with bit 56 - 7 k is bit k of the highest byte. No other product reaches this byte.
        word |= (bytes.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    word
}

/// Packing with vectors of 32 bytes, whose highest bits one instruction packs. SSE2 vectors would take twice as long,
/// and longer than [`word`] if the mask is mostly false. AVX-512 vectors take nearly as long.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use alloc::vec::Vec;
    use core::arch::x86_64::{_mm256_loadu_si256, _mm256_movemask_epi8, _mm256_slli_epi16};

    /// Returns `true` if the processor has AVX2 or, without `std`, if the target has AVX2.
    #[inline(always)]
    pub(super) fn is_there() -> bool {
        #[cfg(feature = "std")]
        {
            std::arch::is_x86_feature_detected!("avx2")
        }
        #[cfg(not(feature = "std"))]
        {
            cfg!(target_feature = "avx2")
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn pack(mask: &[[bool; 64]], words: &mut Vec<u64>) {
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
        // SAFETY: 32 bytes can be read.
        let bytes = unsafe { _mm256_loadu_si256(mask.as_ptr().cast()) };
        // The shift moves the lowest bit of each byte to the highest.
        _mm256_movemask_epi8(_mm256_slli_epi16::<7>(bytes)).cast_unsigned()
    }
}

#[cfg(test)]
mod tests {
    use super::{pack, word};
    use crate::random::Random;
    use alloc::vec::Vec;

    #[test]
    fn every_way_packs_the_same_bits() {
        let mut random = Random(3);
        for share in [0, 1, 30, 500, 999, 1000] {
            let mask: Vec<[bool; 64]> = (0..20)
                .map(|_| core::array::from_fn(|_| random.below(1000) < share))
                .collect();
            let expected: Vec<u64> = mask
                .iter()
                .map(|mask| (0..64).map(|i| u64::from(mask[i]) << i).sum())
                .collect();
            let mut words = Vec::new();
            pack(&mask, &mut words);
            assert_eq!(words, expected);
            assert!(mask.iter().map(word).eq(expected));
        }
    }
}
