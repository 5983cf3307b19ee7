//! Kernels for AVX-512 (F, BW, VL and VBMI), with 512-bit vectors. The terms are defined in `vectors::table`.

use core::arch::x86_64::*;

use super::super::compiled_rows;
use super::avx2;
use super::compiled::{compiled_runs, memory};
use crate::copy::cursor::BlockCursor;
use crate::copy::job::{Byte, Job};
use crate::copy::kernels::buffers::Buffers;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::shuffle::Lanes;
use crate::copy::kernels::vectors::vector::{Shape, Vector};
use crate::copy::kernels::vectors::{Shuffles, VectorKernels, rows};
use crate::processor::moves_vectors_in_halves;

/// `vpermb` selects bytes from one vector, and `vpermi2b` selects bytes from two vectors. A selection from four vectors
/// takes two `vpermi2b` and a blend.
impl Vector for __m512i {
    const SHAPE: Shape = Shape {
        lane: 64,
        lanes: 1,
        masks: true,
    };

    memory!(_mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512);

    fn control(offset: u8, _: usize) -> u8 {
        offset
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self {
        let offsets = controls[0];
        // Bit `i` is 1 if output byte `i` comes from the third or fourth input. The offset in its control byte is then
        // at least 128.
        let upper = _mm512_movepi8_mask(offsets);
        match *inputs.as_slice() {
            [a] => _mm512_permutexvar_epi8(offsets, a),
            [a, b] => _mm512_permutex2var_epi8(a, offsets, b),
            [a, b, c] => {
                let low = _mm512_permutex2var_epi8(a, offsets, b);
                _mm512_mask_permutexvar_epi8(low, upper, offsets, c)
            }
            [a, b, c, d, ..] => {
                let low = _mm512_permutex2var_epi8(a, offsets, b);
                let high = _mm512_permutex2var_epi8(c, offsets, d);
                _mm512_mask_mov_epi8(low, upper, high)
            }
            [] => offsets,
        }
    }

    #[inline(always)]
    unsafe fn load_masked(at: *const Byte, mask: u64) -> Self {
        // SAFETY: the caller guarantees that the bytes selected by the mask can be read, and that the processor
        // supports the instruction. The instruction accesses no other bytes.
        unsafe { _mm512_maskz_loadu_epi8(mask, at.cast()) }
    }

    #[inline(always)]
    unsafe fn store_masked(self, at: *mut Byte, mask: u64) {
        // SAFETY: the caller guarantees that the bytes selected by the mask can be written, and that the processor
        // supports the instruction. The instruction accesses no other bytes.
        unsafe { _mm512_mask_storeu_epi8(at.cast(), mask, self) };
    }
}

compiled_rows!(__m512i, "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2");
compiled_runs!(__m512i, "avx512f,avx512bw,avx512vl,avx512vbmi,avx2,bmi2");

/// Returns the kernels for a processor with AVX-512 (F, BW, VL and VBMI), AVX2 and BMI2.
#[inline(always)]
pub(super) fn kernels<D: Direction>() -> &'static VectorKernels {
    const {
        &VectorKernels {
            shuffles: Some(Shuffles {
                shape: __m512i::SHAPE,
                rows: match D::SCATTERS {
                    // The cells of a step fill at most one vector of the dense buffer, so a scatter always has one
                    // load.
                    true => [compiled_rows::<D, 1>; 4],
                    false => [
                        compiled_rows::<D, 1>,
                        compiled_rows::<D, 2>,
                        compiled_rows::<D, 3>,
                        compiled_rows::<D, 4>,
                    ],
                },
            }),
            runs: Some(runs::<D>),
            // On Zen 4, copying the runs selected by a list takes 1.3 times as long with 512-bit vectors as with the
            // 256-bit vectors of AVX2.
            listed: Some(avx2::listed),
            strides: Some(avx2::compiled_strides),
            streams: true,
            // For buffers that do not fit in the second-level cache, masked stores take up to three times as long as
            // the stores of AVX2. Ordinary 512-bit stores take as long as masked stores, because nearly all of them
            // cross a cache-line boundary.
            when_scattering_far: Some(avx2::shuffles::<D>()),
            when_halved: Some((moves_vectors_in_halves, avx2::shuffles::<D>())),
            ..VectorKernels::NONE
        }
    }
}
