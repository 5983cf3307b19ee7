//! The memory that a kernel copies between.

use super::super::job::Byte;

/// The two sides of a copy.
#[derive(Clone, Copy)]
pub(super) struct Buffers {
    /// From where runs are counted.
    pub(super) strided: *mut Byte,
    /// The bytes from there on that may be touched beside the runs; or 0, and then nothing may.
    pub(super) whole: usize,
    /// Where cells follow each other.
    pub(super) dense: *mut Byte,
    /// The bytes that there are of these, whole cells.
    pub(super) len: usize,
    /// The bytes to copy, whole cells: to scatter, the cells are repeated as often as it takes; otherwise it is `len`.
    pub(super) total: usize,
}

impl Buffers {
    /// To gather to all of `dst`.
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
