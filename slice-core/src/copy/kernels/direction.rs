//! The direction of a copy, from a strided buffer to a dense one, or back. Kernels are written once for both
//! directions.

use super::super::job::Byte;

/// A direction between a strided buffer and a dense one.
pub(super) trait Direction: Copy {
    /// Whether bytes are copied to the strided buffer.
    const SCATTERS: bool;

    /// Copies `bytes` bytes.
    ///
    /// # Safety
    ///
    /// * The bytes can be read in the source and written in the destination.
    /// * The source and the destination do not overlap.
    #[inline(always)]
    unsafe fn copy(strided: *mut Byte, dense: *mut Byte, bytes: usize) {
        let (from, to) = Self::from_to(strided, dense);
        // SAFETY: the caller guarantees that the source can be read, that the destination can be written, and that they
        // do not overlap.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
    }

    /// Returns the source and the destination.
    #[inline(always)]
    fn from_to(strided: *mut Byte, dense: *mut Byte) -> (*mut Byte, *mut Byte) {
        match Self::SCATTERS {
            true => (dense, strided),
            false => (strided, dense),
        }
    }
}

/// The direction from the strided buffer to the dense one.
#[derive(Clone, Copy)]
pub(super) struct Gather;

impl Direction for Gather {
    const SCATTERS: bool = false;
}

/// The direction from the dense buffer to the strided one.
#[derive(Clone, Copy)]
pub(super) struct Scatter;

impl Direction for Scatter {
    const SCATTERS: bool = true;
}
