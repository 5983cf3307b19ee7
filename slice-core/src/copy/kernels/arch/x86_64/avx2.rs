//! Kernels for AVX2, with 256-bit vectors, each of which consists of two 128-bit lanes.

use core::arch::x86_64::*;

use super::super::compiled_rows;
use super::compiled::{compiled_runs, memory, pshufb};
use crate::copy::cursor::BlockCursor;
use crate::copy::job::{Byte, Job};
use crate::copy::kernels::buffers::Buffers;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::strides;
use crate::copy::kernels::vectors::shuffle::Lanes;
use crate::copy::kernels::vectors::vector::{NOWHERE, Shape, Vector};
use crate::copy::kernels::vectors::{Shuffles, VectorKernels, rows};

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
        // SAFETY: the caller guarantees that a lane can be read at each address, and that the processor supports the
        // instructions.
        unsafe { _mm256_loadu2_m128i(at[1].cast(), at[0].cast()) }
    }
}

compiled_rows!(__m256i, "avx2,bmi2");
compiled_runs!(__m256i, "avx2,bmi2");

/// [`strides::copy`], compiled for AVX2 and BMI2.
///
/// # Safety
///
/// * See [`strides::copy`].
#[target_feature(enable = "avx2,bmi2")]
pub(super) unsafe fn compiled_strides(
    job: &Job<'_>,
    cursor: &mut BlockCursor<'_>,
    buffers: Buffers,
) {
    // SAFETY: the caller upholds the requirements of `strides::copy`.
    unsafe { strides::copy(job, false, cursor, buffers) };
}

/// [`copy_listed`](super::runs::copy_listed), compiled for AVX2 and BMI2.
///
/// # Safety
///
/// * See `copy_listed`.
#[target_feature(enable = "avx2,bmi2")]
pub(super) unsafe fn listed(
    from: *const Byte,
    to: *mut Byte,
    len: usize,
    next: *const Byte,
    input_exceeds_caches: bool,
) {
    // SAFETY: the function is compiled with the features of the vector type, and the caller upholds the requirements of
    // `copy_listed`.
    unsafe { super::runs::copy_listed::<__m256i>(from, to, len, next, input_exceeds_caches) }
}

pub(super) const fn shuffles<D: Direction>() -> Shuffles {
    Shuffles {
        shape: __m256i::SHAPE,
        rows: [
            compiled_rows::<D, 1>,
            compiled_rows::<D, 2>,
            compiled_rows::<D, 4>,
            compiled_rows::<D, 4>,
        ],
    }
}

/// Returns the kernels for a processor with AVX2 and BMI2.
#[inline(always)]
pub(super) fn kernels<D: Direction>() -> &'static VectorKernels {
    const {
        &VectorKernels {
            shuffles: Some(shuffles::<D>()),
            runs: Some(runs::<D>),
            listed: Some(listed),
            strides: Some(compiled_strides),
            streams: true,
            ..VectorKernels::NONE
        }
    }
}
