//! Kernels for NEON, with 128-bit vectors. The test `neon` of slice-assembly inspects their machine code, but their
//! speed has not been measured.

use core::arch::aarch64::*;

use super::super::compiled_rows;
use crate::copy::cursor::BlockCursor;
use crate::copy::job::Byte;
use crate::copy::kernels::buffers::Buffers;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::shuffle::Lanes;
use crate::copy::kernels::vectors::vector::{Shape, Vector};
use crate::copy::kernels::vectors::{Shuffles, VectorKernels, rows};

/// The instruction `tbl` treats each control byte as an offset into up to four concatenated vectors. It selects the
/// byte at this offset, or 0 if the offset is past the end of the vectors.
impl Vector for uint8x16_t {
    const SHAPE: Shape = Shape {
        lane: 16,
        lanes: 1,
        masks: false,
    };

    fn control(offset: u8, _: usize) -> u8 {
        offset
    }

    #[inline(always)]
    unsafe fn load(at: *const Byte) -> Self {
        // SAFETY: the caller guarantees that a vector can be read at `at`. NEON is available on every processor that
        // this target supports.
        unsafe { vld1q_u8(at.cast()) }
    }

    #[inline(always)]
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self {
        // SAFETY: NEON is available on every processor that this target supports.
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
        // SAFETY: NEON is available on every processor that this target supports.
        unsafe { vbslq_u8(mask, other, self) }
    }

    #[inline(always)]
    unsafe fn store(self, at: *mut Byte) {
        // SAFETY: the caller guarantees that a vector can be written at `at`. NEON is available on every processor that
        // this target supports.
        unsafe { vst1q_u8(at.cast(), self) }
    }
}

compiled_rows!(uint8x16_t, "neon");

/// Returns the kernels for a processor with NEON.
#[inline(always)]
pub(super) fn kernels<D: Direction>() -> &'static VectorKernels {
    const {
        &VectorKernels {
            shuffles: Some(Shuffles {
                shape: uint8x16_t::SHAPE,
                rows: [
                    compiled_rows::<D, 1>,
                    compiled_rows::<D, 2>,
                    compiled_rows::<D, 4>,
                    compiled_rows::<D, 4>,
                ],
            }),
            ..VectorKernels::NONE
        }
    }
}
