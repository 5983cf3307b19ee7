//! The two buffers of a copy, as addresses and lengths.

use super::super::job::Byte;

/// The strided and the dense buffer of a copy. Kernels copy *cells*, each of which is one run or a few runs.
#[derive(Clone, Copy)]
pub(super) struct Buffers {
    /// The address from which the offsets of runs are counted.
    pub(super) strided: *mut Byte,
    /// The number of bytes, from `strided` on, that may be accessed including the gaps between runs, or 0 if only the
    /// runs may be accessed.
    pub(super) accessible_len: usize,
    /// The address of the first cell in the dense buffer, where the cells are contiguous.
    pub(super) dense: *mut Byte,
    /// The length of the dense buffer in bytes, a whole number of cells.
    pub(super) len: usize,
    /// The number of bytes to copy, a whole number of cells. If it is greater than `len`, a scatter repeats the dense
    /// buffer. In a gather, it equals `len`.
    pub(super) total: usize,
}

impl Buffers {
    /// Returns the buffers of a gather that fills `dst`.
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
