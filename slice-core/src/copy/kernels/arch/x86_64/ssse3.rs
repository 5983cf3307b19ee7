//! Kernels for SSE2 and SSSE3, with 128-bit vectors. SSE2 can move such vectors, and SSSE3 can also shuffle their
//! bytes.

use core::arch::x86_64::*;

use super::super::compiled_rows;
use super::compiled::{compiled_runs, memory, pshufb};
use crate::copy::cursor::BlockCursor;
use crate::copy::job::{Byte, Job};
use crate::copy::kernels::buffers::Buffers;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::strides::supports;
use crate::copy::kernels::vectors::shuffle::Lanes;
use crate::copy::kernels::vectors::vector::{NOWHERE, Shape, Vector};
use crate::copy::kernels::vectors::{Shuffles, VectorKernels, rows};

impl Vector for __m128i {
    const SHAPE: Shape = Shape {
        lane: 16,
        lanes: 1,
        masks: false,
    };

    memory!(_mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128);

    pshufb!(_mm_shuffle_epi8, _mm_or_si128, _mm_and_si128);
}

compiled_rows!(__m128i, "ssse3");
compiled_runs!(__m128i, "sse2");

/// Returns the kernels for a processor with SSE2 but without SSSE3.
#[inline(always)]
pub(super) fn without_shuffles<D: Direction>() -> &'static VectorKernels {
    const {
        &VectorKernels {
            runs: Some(runs::<D>),
            ..VectorKernels::NONE
        }
    }
}

/// Returns the kernels for a processor with SSSE3.
#[inline(always)]
pub(super) fn kernels<D: Direction>() -> &'static VectorKernels {
    const {
        &VectorKernels {
            shuffles: Some(Shuffles {
                shape: __m128i::SHAPE,
                rows: [
                    compiled_rows::<D, 1>,
                    compiled_rows::<D, 2>,
                    compiled_rows::<D, 4>,
                    compiled_rows::<D, 4>,
                ],
            }),
            runs: Some(runs::<D>),
            streams: true,
            // On Zen 5, streaming a single row takes at least as long as copying it with plain loops.
            streams_single_rows: false,
            prefers_strides,
            ..VectorKernels::NONE
        }
    }
}

/// Returns `true` if plain loops are faster than shuffles. For runs of four bytes or more, and for single bytes with a
/// stride of 2, plain loops compiled for SSE2 take 0.8 times as long as shuffles.
fn prefers_strides(job: &Job<'_>) -> bool {
    supports(job) && (job.run >= 4 || (job.run, job.row.stride) == (1, 2))
}
