//! The two buffers of a copy, as addresses and lengths. See [`kernels`](super) for the terminology.

use super::super::job::Byte;

/// The strided buffer and the dense buffer of a copy.
#[derive(Clone, Copy)]
pub(super) struct Buffers {
    /// The address relative to which the offsets of runs are measured.
    pub(super) strided: *mut Byte,
    /// The number of bytes starting at `strided` that may be accessed, including the gaps between runs, or 0 if only
    /// the runs may be accessed.
    pub(super) accessible_len: usize,
    /// The address of the first cell in the dense buffer, where the cells are contiguous.
    pub(super) dense: *mut Byte,
    /// The length of the dense buffer in bytes, which is a whole number of cells.
    pub(super) len: usize,
    /// The number of bytes to copy, which is a whole number of cells. If this number is greater than `len`, a scatter
    /// repeats the dense buffer. In a gather, this number equals `len`.
    pub(super) total: usize,
}

impl Buffers {
    /// Describes the buffers of a gather that fills `dst`.
    #[inline(always)]
    pub(super) fn of_gather(strided: *const Byte, accessible_len: usize, dst: &mut [Byte]) -> Self {
        Self {
            strided: strided.cast_mut(),
            accessible_len,
            dense: dst.as_mut_ptr(),
            len: dst.len(),
            total: dst.len(),
        }
    }
}
