//! New memory for results, in huge pages where the system has them.
//!
//! The system hands out memory page by page, when it is first written. In pages of 4 KiB that takes several times as long as
//! the copy itself; Linux hands out 2 MiB at a time to programs that ask for it, as NumPy does.

#![expect(unsafe_code)]

use super::plain::is_plain;
use crate::error::SliceError;
use alloc::alloc::alloc_zeroed;
use alloc::vec::Vec;
use core::alloc::Layout;

/// Less memory is not worth asking for. The same as NumPy's.
const MIN_HUGE_PAGE_REQUEST_BYTES: usize = 4 << 20;

/// A vector that has room for `len` elements.
///
/// # Errors
///
/// [`SliceError::Allocation`] if much memory is refused.
#[inline]
pub(super) fn vector<T>(len: usize) -> Result<Vec<T>, SliceError> {
    match size_of::<T>().checked_mul(len) {
        Some(bytes) if bytes < MIN_HUGE_PAGE_REQUEST_BYTES => Ok(Vec::with_capacity(len)),
        _ => large(len),
    }
}

/// A vector of `len` default elements. Of numbers it is zeroed by the allocator, which for large vectors means that no
/// memory is used before it is written.
///
/// # Errors
///
/// [`SliceError::Allocation`] if the memory is refused.
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
        .try_reserve_exact(whole_pages::<T>(len))
        .map_err(|_| SliceError::Allocation { elements: len })?;
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    ask_for_huge_pages(vector.spare_capacity_mut());
    Ok(vector)
}

/// Asks the system for huge pages behind new memory, if it is large and the system is Linux. Its elements are what they were;
/// what pays off is to ask before they are written.
///
/// # Example
///
/// ```
/// let mut output = vec![0_u8; 64 << 20];
/// slice_core::huge_pages(&mut output);
/// assert_eq!(output[0], 0);
/// ```
#[cfg_attr(
    not(all(target_os = "linux", feature = "std", not(miri))),
    expect(unused_variables)
)]
pub fn huge_pages<T>(room: &mut [T]) {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    if size_of_val(room) >= MIN_HUGE_PAGE_REQUEST_BYTES {
        ask_for_huge_pages(room);
    }
}

/// The bytes of a huge page, where they matter.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// So much memory comes straight from the system, whatever was freed before: glibc keeps less for later.
const MIN_MAPPED_BYTES: usize = 32 << 20;

/// So many elements or a few more: as many as make whole huge pages together with the page that allocators add for themselves.
///
/// Linux puts mappings of whole huge pages on their boundaries. Others begin and end with pages of 4 KiB, up to a thousand of
/// them, each of which interrupts the program when it is first written.
fn whole_pages<T>(len: usize) -> usize {
    const PAGE_BYTES: usize = 4 << 10;
    let bytes = size_of::<T>().saturating_mul(len);
    if cfg!(target_os = "linux")
        && (MIN_MAPPED_BYTES..isize::MAX as usize - HUGE_PAGE_BYTES).contains(&bytes)
    {
        return ((bytes + PAGE_BYTES).next_multiple_of(HUGE_PAGE_BYTES) - PAGE_BYTES)
            / size_of::<T>();
    }
    len
}

/// Asks for huge pages for this memory, which has at least [`MIN_HUGE_PAGE_REQUEST_BYTES`] bytes and is soon to be written.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn ask_for_huge_pages<T>(room: &mut [T]) {
    /// libc has it for some systems only. Older ones than Linux 6.1 refuse it.
    const MADV_COLLAPSE: libc::c_int = 25;
    let start = room.as_mut_ptr().cast::<u8>();
    let Some(before) = start.addr().checked_rem(page_size()) else {
        return;
    };
    let (page, len) = (
        start.wrapping_sub(before).cast(),
        before + size_of_val(room),
    );
    // Refused where the system knows no huge pages: then pages are small, and nothing else changes.
    // SAFETY: the pages in which this memory lies; the advice changes nothing that can be read there.
    unsafe { libc::madvise(page, len, libc::MADV_HUGEPAGE) };
    if len >= MIN_MAPPED_BYTES {
        // The allocator has written to the first page before this advice, so that a small one is there already, which keeps
        // the others around it small.
        // SAFETY: as above.
        unsafe { libc::madvise(page, HUGE_PAGE_BYTES, MADV_COLLAPSE) };
    }
}

/// The bytes of a page, or 0 if the system does not tell.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn page_size() -> usize {
    // SAFETY: any name may be asked for.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    usize::try_from(bytes).unwrap_or(0)
}

/// Whether nobody has written to this memory since the system gave it, as far as its middle tells.
pub(super) fn is_untouched<T>(start: *const T, bytes: usize) -> bool {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    {
        let middle = start.cast::<u8>().wrapping_add(bytes / 2);
        let Some(into) = middle.addr().checked_rem(page_size()) else {
            return false;
        };
        let page = middle.wrapping_sub(into).cast_mut();
        let mut resident = 1;
        // SAFETY: the system looks up one page, and there is room for its answer.
        let known = unsafe { libc::mincore(page.cast(), 1, &mut resident) };
        return known == 0 && resident & 1 == 0;
    }
    #[allow(unreachable_code, reason = "only Linux knows")]
    {
        let _ = (start, bytes);
        false
    }
}

#[cfg(test)]
mod tests {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    use super::is_untouched;
    use super::{defaults, vector, whole_pages};

    #[test]
    fn defaults_are_those_of_the_type() {
        assert_eq!(defaults::<f64>(3).unwrap(), [0.0; 3]);
        assert!(defaults::<f32>(2).unwrap()[1].is_sign_positive());
        assert_eq!(defaults::<char>(2).unwrap(), ['\0'; 2]);
        assert_eq!(defaults::<bool>(1).unwrap(), [false]);
        assert_eq!(defaults::<u8>(0).unwrap(), [0_u8; 0]);
        #[derive(Clone, Debug, PartialEq)]
        struct Seven(u8);
        impl Default for Seven {
            fn default() -> Self {
                Seven(7)
            }
        }
        assert_eq!(defaults::<Seven>(2).unwrap(), [Seven(7), Seven(7)]);
    }

    #[test]
    fn large_vectors_have_room_for_a_few_elements_more() {
        assert_eq!(whole_pages::<u8>(4 << 20), 4 << 20);
        for bytes in [32 << 20, (34 << 20) - 4096, (34 << 20) - 4095, 1 << 30] {
            let room = whole_pages::<u8>(bytes);
            assert!(
                (bytes..bytes + (2 << 20)).contains(&room),
                "{bytes}: {room}"
            );
            assert!(whole_pages::<[u8; 3]>(bytes / 3) * 3 <= room);
            assert!(whole_pages::<[u8; 3]>(bytes / 3) >= bytes / 3);
        }
        let most = usize::MAX / 8;
        assert_eq!(whole_pages::<u64>(most), most);
        assert!(vector::<u64>(most).is_err());
    }

    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    #[test]
    fn memory_is_untouched_until_it_is_written() {
        let mut new = vector::<u8>(64 << 20).expect("memory");
        assert!(is_untouched(new.as_ptr(), new.capacity()));
        new.resize(40 << 20, 1);
        assert!(!is_untouched(new.as_ptr(), new.capacity()));
        assert!(!is_untouched(core::ptr::null::<u8>(), 1 << 20), "no memory");
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
