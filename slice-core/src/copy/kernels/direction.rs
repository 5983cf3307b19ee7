//! The two directions of a copy: from a strided buffer to a dense buffer, and from a dense buffer to a strided buffer.
//! Kernels are written once for both directions. See [`kernels`](super) for the terminology.

use super::super::job::Byte;

/// A direction between a strided buffer and a dense buffer.
pub(super) trait Direction: Copy {
    /// Whether bytes are copied to the strided buffer.
    const SCATTERS: bool;

    /// Copies `bytes` bytes in this direction.
    ///
    /// # Safety
    ///
    /// * The bytes must be readable in the source and writable in the destination.
    /// * The source and the destination must not overlap.
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

/// The direction from the strided buffer to the dense buffer.
#[derive(Clone, Copy)]
pub(super) struct Gather;

impl Direction for Gather {
    const SCATTERS: bool = false;
}

/// The direction from the dense buffer to the strided buffer.
#[derive(Clone, Copy)]
pub(super) struct Scatter;

impl Direction for Scatter {
    const SCATTERS: bool = true;
}
