//! The buffers of a copy.

use super::super::job::Byte;

/// The two sides of a copy.
#[derive(Clone, Copy)]
pub(super) struct Buffers {
    /// The address from which the offsets of runs are counted.
    pub(super) strided: *mut Byte,
    /// The number of bytes from `strided` on that may all be accessed, or 0 if only the runs may be accessed.
    pub(super) whole: usize,
    /// The address of the first cell of the dense buffer, where cells are contiguous.
    pub(super) dense: *mut Byte,
    /// The number of bytes in the dense buffer, which are whole cells.
    pub(super) len: usize,
    /// The number of bytes to copy, which are whole cells. A scatter repeats the dense buffer until all bytes are
    /// written. In a gather, `total` equals `len`.
    pub(super) total: usize,
}

impl Buffers {
    /// Returns the buffers of a gather that fills `dst`.
    #[inline(always)]
    pub(super) fn filled(strided: *const Byte, whole: usize, dst: &mut [Byte]) -> Self {
        Self {
            strided: strided.cast_mut(),
            whole,
            dense: dst.as_mut_ptr(),
            len: dst.len(),
            total: dst.len(),
        }
    }
}
