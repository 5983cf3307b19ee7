//! New memory for results, in huge pages where the system has them.
//!
//! The system hands out memory page by page, when it is first written. In pages of 4 KiB that takes several times as long as
//! the copy itself; Linux hands out 2 MiB at a time to those who ask. NumPy asks, too.

use super::SliceError;
use alloc::vec::Vec;

/// Less memory is not worth asking for. The same as NumPy's.
const LARGE: usize = 4 << 20;

/// A vector that has room for `len` elements.
///
/// # Errors
///
/// [`SliceError::Allocation`] if much memory is refused.
#[inline]
pub(super) fn vector<T>(len: usize) -> Result<Vec<T>, SliceError> {
    match size_of::<T>().checked_mul(len) {
        Some(bytes) if bytes < LARGE => Ok(Vec::with_capacity(len)),
        _ => large(len),
    }
}

#[cold]
fn large<T>(len: usize) -> Result<Vec<T>, SliceError> {
    let mut vector = Vec::new();
    vector
        .try_reserve_exact(len)
        .map_err(|_| SliceError::Allocation { elements: len })?;
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    ask_for_huge_pages(vector.spare_capacity_mut());
    Ok(vector)
}

/// Asks for huge pages behind whole pages of this memory, which has at least [`LARGE`] bytes and is soon to be written.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
#[expect(unsafe_code)]
fn ask_for_huge_pages<T>(room: &mut [core::mem::MaybeUninit<T>]) {
    /// All sizes of pages divide it.
    const PAGE: usize = 64 << 10;
    let start = room.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    let len = (size_of_val(room) - skipped) / PAGE * PAGE;
    // Refused where the system knows no huge pages: then pages are small, and nothing else changes.
    // SAFETY: whole pages within memory that is borrowed mutably; the advice changes nothing that can be read there.
    unsafe { libc::madvise(start.wrapping_add(skipped).cast(), len, libc::MADV_HUGEPAGE) };
}
