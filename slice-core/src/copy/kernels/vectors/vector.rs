//! What the kernels need of an instruction set.

use super::super::super::job::Byte;
#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::*;
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::*;

/// The place of a byte that comes from nowhere.
pub(super) const NOWHERE: u8 = 0xff;

/// Bytes of a cache line.
pub(super) const LINE: usize = 64;

/// How the bytes of a vector can be moved.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    /// The bytes of a lane: a shuffle moves any byte to any place of its lane.
    pub(super) lane: usize,
    /// Lanes per vector.
    pub(super) lanes: usize,
    /// Whether loads and stores can leave out bytes, which are then not touched.
    pub(super) masks: bool,
}

/// A vector in which any byte can be moved to any place of its lane.
///
/// # Safety
///
/// All methods:
///
/// * The processor has the instructions.
/// * A vector, or the bytes of the mask, can be read or written at the place; or a lane, at as many of the places as there
///   are lanes.
pub(super) trait Vector: Copy {
    const SHAPE: Shape;

    /// How `load` number `i` is told that a byte of output is that at `place` of the lanes of input.
    fn control(place: u8, i: usize) -> u8;
    /// For each byte of each lane, the byte at its place in the same lane of the inputs, one after the other.
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self;
    unsafe fn load(at: *const Byte) -> Self;
    unsafe fn load_lanes(at: [*const Byte; 2]) -> Self {
        // SAFETY: the one lane of a vector can be read at the first place.
        unsafe { Self::load(at[0]) }
    }
    unsafe fn store(self, at: *mut Byte);
    /// Writes a vector that is aligned past the caches; nobody touches it before a [`fence`](Self::fence).
    unsafe fn stream(self, at: *mut Byte) {
        // SAFETY: a vector can be written there.
        unsafe { self.store(at) };
    }
    unsafe fn fence() {}

    /// Where there are no [masks](Shape::masks): the bits of `other` where those of `mask` are 1, else those of `self`, which
    /// are 0 there.
    unsafe fn or_masked(self, _other: Self, _mask: Self) -> Self {
        unreachable!("stores have masks")
    }
    /// Where there are [masks](Shape::masks): the bytes of the mask, the others being 0.
    unsafe fn load_masked(_at: *const Byte, _mask: u64) -> Self {
        unreachable!("there are no masks")
    }
    unsafe fn store_masked(self, _at: *mut Byte, _mask: u64) {
        unreachable!("there are no masks")
    }
}

/// Loads and stores of x86-64.
#[cfg(target_arch = "x86_64")]
macro_rules! memory {
    ($load:ident, $store:ident, $stream:ident) => {
        #[inline(always)]
        unsafe fn load(at: *const Byte) -> Self {
            // SAFETY: the caller lets a vector be read there, and the processor has the instruction.
            unsafe { $load(at.cast()) }
        }

        #[inline(always)]
        unsafe fn store(self, at: *mut Byte) {
            // SAFETY: the caller lets a vector be written there, and the processor has the instruction.
            unsafe { $store(at.cast(), self) };
        }

        #[inline(always)]
        unsafe fn stream(self, at: *mut Byte) {
            debug_assert!(at.addr().is_multiple_of(size_of::<Self>()));
            // SAFETY: the caller lets a vector be written there, which is aligned, and the processor has the instruction.
            unsafe { $stream(at.cast(), self) };
        }

        #[inline(always)]
        unsafe fn fence() {
            // SAFETY: part of SSE, which is part of every x86-64 processor with SSE2.
            unsafe { _mm_sfence() };
        }
    };
}

/// Shuffles of x86-64 within lanes of 16 bytes: `pshufb` takes the byte at a place from 0 to 15, or 0 where the highest bit is
/// 1. So there is one for each lane of input.
#[cfg(target_arch = "x86_64")]
macro_rules! pshufb {
    ($shuffle:ident, $or:ident, $and:ident) => {
        fn control(place: u8, i: usize) -> u8 {
            match usize::from(place) / 16 == i {
                true => place % 16,
                false => NOWHERE,
            }
        }

        #[inline(always)]
        unsafe fn shuffle<const LOADS: usize>(
            inputs: [Self; LOADS],
            controls: &[Self; LOADS],
        ) -> Self {
            // SAFETY: the caller's processor has the instruction.
            let mut out = unsafe { $shuffle(inputs[0], controls[0]) };
            for i in 1..LOADS {
                // SAFETY: the caller's processor has the instruction.
                let more = unsafe { $shuffle(inputs[i], controls[i]) };
                // SAFETY: the caller's processor has the instruction.
                out = unsafe { $or(out, more) };
            }
            out
        }

        #[inline(always)]
        unsafe fn or_masked(self, other: Self, mask: Self) -> Self {
            // SAFETY: the caller's processor has the instruction.
            let other = unsafe { $and(other, mask) };
            // SAFETY: the caller's processor has the instruction.
            unsafe { $or(self, other) }
        }
    };
}

/// SSE2, and SSSE3 for shuffles.
#[cfg(target_arch = "x86_64")]
impl Vector for __m128i {
    const SHAPE: Shape = Shape {
        lane: 16,
        lanes: 1,
        masks: false,
    };

    memory!(_mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128);

    pshufb!(_mm_shuffle_epi8, _mm_or_si128, _mm_and_si128);
}

/// AVX2.
#[cfg(target_arch = "x86_64")]
impl Vector for __m256i {
    const SHAPE: Shape = Shape {
        lane: 16,
        lanes: 2,
        masks: false,
    };

    memory!(_mm256_loadu_si256, _mm256_storeu_si256, _mm256_stream_si256);

    pshufb!(_mm256_shuffle_epi8, _mm256_or_si256, _mm256_and_si256);

    #[inline(always)]
    unsafe fn load_lanes(at: [*const Byte; 2]) -> Self {
        // SAFETY: the caller lets a lane be read at both places.
        unsafe { _mm256_loadu2_m128i(at[1].cast(), at[0].cast()) }
    }
}

/// AVX-512 with VBMI: `vpermb` moves any byte of one vector, `vpermi2b` of two; four are two pairs and a blend.
#[cfg(target_arch = "x86_64")]
impl Vector for __m512i {
    const SHAPE: Shape = Shape {
        lane: 64,
        lanes: 1,
        masks: true,
    };

    memory!(_mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512);

    fn control(place: u8, _: usize) -> u8 {
        place
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self {
        let places = controls[0];
        // The bytes whose place is in the upper pair.
        let upper = _mm512_movepi8_mask(places);
        match *inputs.as_slice() {
            [a] => _mm512_permutexvar_epi8(places, a),
            [a, b] => _mm512_permutex2var_epi8(a, places, b),
            [a, b, c] => {
                let low = _mm512_permutex2var_epi8(a, places, b);
                _mm512_mask_permutexvar_epi8(low, upper, places, c)
            }
            [a, b, c, d, ..] => {
                let low = _mm512_permutex2var_epi8(a, places, b);
                let high = _mm512_permutex2var_epi8(c, places, d);
                _mm512_mask_mov_epi8(low, upper, high)
            }
            [] => places,
        }
    }

    #[inline(always)]
    unsafe fn load_masked(at: *const Byte, mask: u64) -> Self {
        // SAFETY: the caller lets the bytes of the mask be read, and the processor has the instruction; others are not
        // touched.
        unsafe { _mm512_maskz_loadu_epi8(mask, at.cast()) }
    }

    #[inline(always)]
    unsafe fn store_masked(self, at: *mut Byte, mask: u64) {
        // SAFETY: the caller lets the bytes of the mask be written, and the processor has the instruction; others are not
        // touched.
        unsafe { _mm512_mask_storeu_epi8(at.cast(), mask, self) };
    }
}

/// NEON: `tbl` takes the byte at a place from 0 on in up to four vectors, or 0 if there is none there.
#[cfg(target_arch = "aarch64")]
impl Vector for uint8x16_t {
    const SHAPE: Shape = Shape {
        lane: 16,
        lanes: 1,
        masks: false,
    };

    fn control(place: u8, _: usize) -> u8 {
        place
    }

    #[inline(always)]
    unsafe fn load(at: *const Byte) -> Self {
        // SAFETY: the caller lets a vector be read there.
        unsafe { vld1q_u8(at.cast()) }
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
        // SAFETY: the caller lets a vector be written there.
        unsafe { vst1q_u8(at.cast(), self) }
    }
}

/// Copies a line to one that is aligned, past the caches; it is not touched again before a [`fence`](Vector::fence).
///
/// # Safety
///
/// * A line can be read at `from` and written at `to`.
/// * The processor has the instructions.
#[inline(always)]
pub(super) unsafe fn stream_line<V: Vector>(from: *const Byte, to: *mut Byte) {
    debug_assert!(to.addr().is_multiple_of(LINE));
    for at in (0..LINE).step_by(size_of::<V>()) {
        // SAFETY: a part of the line that the caller lets be read.
        let vector = unsafe { V::load(from.wrapping_add(at)) };
        // SAFETY: a part of the line that the caller lets be written, aligned as the line is.
        unsafe { vector.stream(to.wrapping_add(at)) };
    }
}
