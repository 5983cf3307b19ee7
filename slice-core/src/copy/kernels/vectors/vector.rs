//! What the kernel of [`lanes`](super::lanes) needs of an instruction set.

use super::super::super::job::Byte;
#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// Bytes of a lane.
pub(super) const LANE: usize = 16;

/// The place of a byte that comes from nowhere and is 0.
pub(super) const NOWHERE: u8 = 0xff;

/// A vector of one or two lanes, in which any byte can be moved to any place of its lane.
///
/// # Safety
///
/// All methods:
///
/// * The processor has the instructions.
/// * A lane can be read, or written, at each of the first `COUNT` places of `at`; or as many lanes at a single place.
pub(super) trait Vector: Copy {
    /// Lanes per vector.
    const COUNT: usize;
    /// How `load` number `i` is told that a byte of output is that at `place` of the lanes of input.
    fn control(place: u8, i: usize) -> u8;
    /// The lanes at a place, one after the other.
    unsafe fn load(at: *mut Byte) -> Self;
    /// A lane at each of the first `COUNT` places.
    unsafe fn load_lanes(at: [*mut Byte; 2]) -> Self;
    /// For each byte of each lane, the byte at its place in the same lane of the inputs, one after the other.
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self;
    /// The bits of `other` where those of `mask` are 1, together with those of `self`.
    unsafe fn or_masked(self, other: Self, mask: Self) -> Self;
    /// Writes the lanes one after the other.
    unsafe fn store(self, at: *mut Byte);
}

/// `pshufb` takes the byte at a place from 0 to 15, or 0 where the highest bit is 1: a shuffle for each lane of input.
#[cfg(target_arch = "x86_64")]
fn pshufb_control(place: u8, i: usize) -> u8 {
    match usize::from(place) / LANE == i {
        true => place % LANE as u8,
        false => NOWHERE,
    }
}

/// SSSE3.
#[cfg(target_arch = "x86_64")]
impl Vector for __m128i {
    const COUNT: usize = 1;

    fn control(place: u8, i: usize) -> u8 {
        pshufb_control(place, i)
    }

    #[inline(always)]
    unsafe fn load(at: *mut Byte) -> Self {
        // SAFETY: the caller lets a lane be read there.
        unsafe { _mm_loadu_si128(at.cast()) }
    }

    #[inline(always)]
    unsafe fn load_lanes(at: [*mut Byte; 2]) -> Self {
        // SAFETY: the caller lets a lane be read there.
        unsafe { Self::load(at[0]) }
    }

    #[inline(always)]
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self {
        // SAFETY: the caller's processor has SSSE3.
        let mut out = unsafe { _mm_shuffle_epi8(inputs[0], controls[0]) };
        for i in 1..LOADS {
            // SAFETY: the caller's processor has SSSE3.
            let more = unsafe { _mm_shuffle_epi8(inputs[i], controls[i]) };
            // SAFETY: SSE2 is part of every x86-64 processor.
            out = unsafe { _mm_or_si128(out, more) };
        }
        out
    }

    #[inline(always)]
    unsafe fn or_masked(self, other: Self, mask: Self) -> Self {
        // SAFETY: SSE2 is part of every x86-64 processor.
        let other = unsafe { _mm_and_si128(other, mask) };
        // SAFETY: SSE2 is part of every x86-64 processor.
        unsafe { _mm_or_si128(self, other) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Byte) {
        // SAFETY: the caller lets a lane be written there.
        unsafe { _mm_storeu_si128(at.cast(), self) }
    }
}

/// AVX2.
#[cfg(target_arch = "x86_64")]
impl Vector for __m256i {
    const COUNT: usize = 2;

    fn control(place: u8, i: usize) -> u8 {
        pshufb_control(place, i)
    }

    #[inline(always)]
    unsafe fn load(at: *mut Byte) -> Self {
        // SAFETY: the caller lets two lanes be read there.
        unsafe { _mm256_loadu_si256(at.cast()) }
    }

    #[inline(always)]
    unsafe fn load_lanes(at: [*mut Byte; 2]) -> Self {
        // SAFETY: the caller lets a lane be read at both places.
        unsafe { _mm256_loadu2_m128i(at[1].cast(), at[0].cast()) }
    }

    #[inline(always)]
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self {
        // SAFETY: the caller's processor has AVX2.
        let mut out = unsafe { _mm256_shuffle_epi8(inputs[0], controls[0]) };
        for i in 1..LOADS {
            // SAFETY: the caller's processor has AVX2.
            let more = unsafe { _mm256_shuffle_epi8(inputs[i], controls[i]) };
            // SAFETY: the caller's processor has AVX2.
            out = unsafe { _mm256_or_si256(out, more) };
        }
        out
    }

    #[inline(always)]
    unsafe fn or_masked(self, other: Self, mask: Self) -> Self {
        // SAFETY: the caller's processor has AVX2.
        let other = unsafe { _mm256_and_si256(other, mask) };
        // SAFETY: the caller's processor has AVX2.
        unsafe { _mm256_or_si256(self, other) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Byte) {
        // SAFETY: the caller lets two lanes be written there.
        unsafe { _mm256_storeu_si256(at.cast(), self) }
    }
}

/// NEON.
#[cfg(target_arch = "aarch64")]
impl Vector for uint8x16_t {
    const COUNT: usize = 1;

    /// `tbl` takes the byte at a place from 0 on in up to four vectors, or 0 if there is none there.
    fn control(place: u8, _: usize) -> u8 {
        place
    }

    #[inline(always)]
    unsafe fn load(at: *mut Byte) -> Self {
        // SAFETY: the caller lets a lane be read there.
        unsafe { vld1q_u8(at.cast()) }
    }

    #[inline(always)]
    unsafe fn load_lanes(at: [*mut Byte; 2]) -> Self {
        // SAFETY: the caller lets a lane be read there.
        unsafe { Self::load(at[0]) }
    }

    #[inline(always)]
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self {
        // SAFETY: NEON is part of every processor of this target.
        unsafe {
            match *inputs.as_slice() {
                [a] => vqtbl1q_u8(a, controls[0]),
                [a, b] => vqtbl2q_u8(uint8x16x2_t(a, b), controls[0]),
                [a, b, c] => vqtbl3q_u8(uint8x16x3_t(a, b, c), controls[0]),
                [a, b, c, d, ..] => vqtbl4q_u8(uint8x16x4_t(a, b, c, d), controls[0]),
                [] => controls[0],
            }
        }
    }

    #[inline(always)]
    unsafe fn or_masked(self, other: Self, mask: Self) -> Self {
        // SAFETY: NEON is part of every processor of this target.
        unsafe { vbslq_u8(mask, other, self) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Byte) {
        // SAFETY: the caller lets a lane be written there.
        unsafe { vst1q_u8(at.cast(), self) }
    }
}
