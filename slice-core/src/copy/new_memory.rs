//! New memory for results, in huge pages where the system has them.
//!
//! The system hands out memory page by page, when it is first written. In pages of 4 KiB that takes several times as long as
//! the copy itself; Linux hands out 2 MiB at a time to those who ask. NumPy asks, too.

#![expect(unsafe_code)]

use super::{SliceError, is_plain};
use alloc::alloc::alloc_zeroed;
use alloc::vec::Vec;
use core::alloc::Layout;

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

/// A vector of `len` default elements. Of numbers it is zeroed by the allocator, which for large vectors means that no
/// memory is used before somebody writes to it.
///
/// # Errors
///
/// [`SliceError::Allocation`] if the memory is refused.
#[cfg_attr(not(feature = "dialect"), allow(dead_code))]
pub(crate) fn defaults<T: Clone + Default>(len: usize) -> Result<Vec<T>, SliceError> {
    let refused = SliceError::Allocation { elements: len };
    if !is_plain::<T>() || len == 0 {
        let mut vector = Vec::new();
        vector.try_reserve_exact(len).map_err(|_| refused)?;
        vector.resize(len, T::default());
        return Ok(vector);
    }
    let Ok(layout) = Layout::array::<T>(len) else {
        return Err(refused);
    };
    // SAFETY: there are elements, and plain ones have a size.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return Err(refused);
    }
    // SAFETY: memory for so many elements, from the allocator and with the layout of vectors; and of numbers, `bool` and
    // `char` the default is all zeros.
    Ok(unsafe { Vec::from_raw_parts(start.cast(), len, len) })
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

#[cfg(test)]
mod tests {
    use super::defaults;

    #[test]
    fn defaults_are_those_of_the_type() {
        assert_eq!(defaults::<f64>(3).unwrap(), [0.0; 3]);
        assert!(defaults::<f32>(2).unwrap()[1].is_sign_positive());
        assert_eq!(defaults::<char>(2).unwrap(), ['\0'; 2]);
        assert_eq!(defaults::<bool>(1).unwrap(), [false]);
        assert_eq!(defaults::<u8>(0).unwrap(), []);
        #[derive(Clone, Debug, PartialEq)]
        struct Seven(u8);
        impl Default for Seven {
            fn default() -> Self {
                Seven(7)
            }
        }
        assert_eq!(defaults::<Seven>(2).unwrap(), [Seven(7), Seven(7)]);
    }

    /// As far as Linux tells what memory is in use.
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    #[test]
    fn zeros_use_no_memory_before_they_are_written() {
        let resident = || -> usize {
            let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
            let pages = pages.split(' ').nth(1).expect("the second number");
            pages.parse::<usize>().expect("a number of pages") * 4096
        };
        let before = resident();
        let zeros = defaults::<f64>(1 << 27).expect("address space for 1 GiB");
        assert!(resident() < before + (1 << 29));
        assert_eq!((zeros[0], zeros[(1 << 27) - 1]), (0.0, 0.0));
    }
}
