//! Allocates memory for results, in huge pages if the operating system provides them.
//!
//! The operating system maps a page when the program first writes to it. With 4 KiB pages, mapping takes several times
//! as long as the copy itself. Linux maps 2 MiB huge pages for programs that request them, as NumPy does.

#![expect(unsafe_code)]

use super::plain::is_plain;
use super::tuning::MIN_HUGE_PAGE_REQUEST_BYTES;
use crate::error::SliceError;
use alloc::alloc::alloc_zeroed;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::ptr::NonNull;

/// Returns an empty vector with capacity for at least `len` elements.
///
/// # Errors
///
/// Returns [`SliceError::Allocation`] if a vector of at least [`MIN_HUGE_PAGE_REQUEST_BYTES`] bytes cannot be
/// allocated. For a smaller vector, a failed allocation is handled as in [`Vec::with_capacity`].
#[inline]
pub(crate) fn vector<T>(len: usize) -> Result<Vec<T>, SliceError> {
    match size_of::<T>().checked_mul(len) {
        Some(bytes) if bytes < MIN_HUGE_PAGE_REQUEST_BYTES => Ok(Vec::with_capacity(len)),
        _ => large_vector(len),
    }
}

/// Returns a vector of `len` elements with the default value of `T`. Plain elements are allocated as zeroed memory, so
/// that a large vector uses no physical memory before it is written to.
///
/// # Errors
///
/// Returns [`SliceError::Allocation`] if the memory cannot be allocated.
pub(crate) fn defaults<T: Clone + Default>(len: usize) -> Result<Vec<T>, SliceError> {
    let error = SliceError::Allocation { elements: len };
    if !is_plain::<T>() || len == 0 {
        let mut vector = Vec::new();
        vector.try_reserve_exact(len).map_err(|_| error)?;
        vector.resize(len, T::default());
        return Ok(vector);
    }
    let Ok(layout) = Layout::array::<T>(len) else {
        return Err(error);
    };
    let start = match layout.size() {
        // `()` is plain, too, and a vector of zero-sized elements allocates no memory.
        0 => NonNull::<T>::dangling().as_ptr(),
        // SAFETY: the size of the layout is not 0.
        _ => unsafe { alloc_zeroed(layout) }.cast(),
    };
    if start.is_null() {
        return Err(error);
    }
    // SAFETY: unless the elements are zero-sized, the memory was allocated by the allocator of `Vec`, with the layout of
    // `len` elements. All of its bytes are zero, as in the default value of every plain type.
    Ok(unsafe { Vec::from_raw_parts(start, len, len) })
}

#[cold]
fn large_vector<T>(len: usize) -> Result<Vec<T>, SliceError> {
    let mut vector = Vec::new();
    vector
        .try_reserve_exact(len_in_whole_pages::<T>(len))
        .map_err(|_| SliceError::Allocation { elements: len })?;
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    advise_huge_pages(vector.spare_capacity_mut());
    Ok(vector)
}

/// Requests huge pages for new memory. The function has an effect only on Linux, with the feature `std`, and for at
/// least 4 MiB of memory. The elements keep their values. Call this function before the elements are first written to.
///
/// # Example
///
/// ```
/// let mut output = vec![0_u8; 64 << 20];
/// slice_core::request_huge_pages(&mut output);
/// assert_eq!(output[0], 0);
/// ```
#[cfg_attr(
    not(all(target_os = "linux", feature = "std", not(miri))),
    expect(unused_variables)
)]
pub fn request_huge_pages<T>(memory: &mut [T]) {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    if size_of_val(memory) >= MIN_HUGE_PAGE_REQUEST_BYTES {
        advise_huge_pages(memory);
    }
}

/// The size of a huge page, in bytes.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// The minimum size, in bytes, of blocks that glibc's allocator always requests from the operating system. For smaller
/// blocks, it may reuse freed memory.
const MIN_MAPPED_BYTES: usize = 32 << 20;

/// Returns the number of elements to allocate for `len` elements. On Linux, the size of a large allocation is rounded
/// up, so that the allocation and the page added by the allocator together fill whole huge pages.
///
/// Linux aligns a mapping to huge pages only if the mapping consists of whole huge pages. Any other mapping begins and
/// ends with 4 KiB pages, up to a thousand in total, and the first write to each of these pages interrupts the program.
fn len_in_whole_pages<T>(len: usize) -> usize {
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

/// Declarations of C library functions. On Linux, the C library is linked into every program that uses std. The crate
/// `libc` contains the same declarations, but would make the build one second longer.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
mod system {
    use core::ffi::{c_int, c_uchar, c_void};

    /// The advice to use huge pages. Its value is the same on all Linux targets for which Rust provides std.
    pub(super) const MADV_HUGEPAGE: c_int = 14;
    /// The advice to replace small pages with huge pages immediately. Linux before 6.1 rejects it.
    pub(super) const MADV_COLLAPSE: c_int = 25;

    // SAFETY: the declarations match those in `sys/mman.h` and `unistd.h`.
    unsafe extern "C" {
        pub(super) fn madvise(start: *mut c_void, len: usize, advice: c_int) -> c_int;
        pub(super) fn mincore(start: *mut c_void, len: usize, resident: *mut c_uchar) -> c_int;
        pub(super) safe fn getpagesize() -> c_int;
    }
}

/// Requests huge pages for memory that is about to be written. The memory must have at least
/// [`MIN_HUGE_PAGE_REQUEST_BYTES`] bytes.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn advise_huge_pages<T>(memory: &mut [T]) {
    let start = memory.as_mut_ptr().cast::<u8>();
    let Some(before) = start.addr().checked_rem(page_size()) else {
        return;
    };
    let (page, len) = (
        start.wrapping_sub(before).cast(),
        before + size_of_val(memory),
    );
    // An operating system without huge pages rejects the advice, and the pages stay small.
    // SAFETY: every page in this range contains bytes of `memory`. The advice does not change the content of the pages.
    unsafe { system::madvise(page, len, system::MADV_HUGEPAGE) };
    if len >= MIN_MAPPED_BYTES {
        // The allocator has already written to the first page, so a small page is mapped there. Without this advice,
        // the other pages in the first `HUGE_PAGE_BYTES` bytes would also be small.
        // SAFETY: as above, because `len` is greater than `HUGE_PAGE_BYTES`.
        unsafe { system::madvise(page, HUGE_PAGE_BYTES, system::MADV_COLLAPSE) };
    }
}

/// Returns the size of a page in bytes, or 0 if the operating system does not report it.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn page_size() -> usize {
    usize::try_from(system::getpagesize()).unwrap_or(0)
}

/// Returns `true` if the page in the middle of the memory is still unmapped. In that case, the memory has probably
/// never been written to. Returns `false` if this cannot be determined, for example on operating systems other than
/// Linux.
pub(super) fn is_untouched<T>(start: *const T, bytes: usize) -> bool {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    {
        let middle = start.cast::<u8>().wrapping_add(bytes / 2);
        let Some(offset) = middle.addr().checked_rem(page_size()) else {
            return false;
        };
        let page = middle.wrapping_sub(offset).cast_mut();
        let mut resident = 1;
        // SAFETY: `mincore` does not access the page, and writes only one byte, to `resident`.
        let status = unsafe { system::mincore(page.cast(), 1, &mut resident) };
        return status == 0 && resident & 1 == 0;
    }
    #[allow(unreachable_code, reason = "Linux returns above")]
    {
        let _ = (start, bytes);
        false
    }
}

#[cfg(test)]
mod tests {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    use super::is_untouched;
    use super::{defaults, len_in_whole_pages, vector};

    #[test]
    fn elements_have_the_default_value_of_their_type() {
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
    fn large_allocations_grow_by_less_than_a_huge_page() {
        assert_eq!(len_in_whole_pages::<u8>(4 << 20), 4 << 20);
        for bytes in [32 << 20, (34 << 20) - 4096, (34 << 20) - 4095, 1 << 30] {
            let len = len_in_whole_pages::<u8>(bytes);
            assert!((bytes..bytes + (2 << 20)).contains(&len), "{bytes}: {len}");
            assert!(len_in_whole_pages::<[u8; 3]>(bytes / 3) * 3 <= len);
            assert!(len_in_whole_pages::<[u8; 3]>(bytes / 3) >= bytes / 3);
        }
        let max_len = usize::MAX / 8;
        assert_eq!(len_in_whole_pages::<u64>(max_len), max_len);
        assert!(vector::<u64>(max_len).is_err());
    }

    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    #[test]
    fn memory_is_untouched_until_it_is_written() {
        let mut new = vector::<u8>(64 << 20).expect("64 MiB should be free");
        assert!(is_untouched(new.as_ptr(), new.capacity()));
        new.resize(40 << 20, 1);
        assert!(!is_untouched(new.as_ptr(), new.capacity()));
        assert!(
            !is_untouched(core::ptr::null::<u8>(), 1 << 20),
            "unmapped memory near address 0 is reported as untouched"
        );
    }

    /// Compares the resident memory that Linux reports before and after the allocation.
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    #[test]
    fn zeros_use_no_memory_before_they_are_written() {
        let resident = || -> usize {
            let pages = std::fs::read_to_string("/proc/self/statm")
                .expect("Linux should have /proc/self/statm");
            let pages = pages
                .split(' ')
                .nth(1)
                .expect("statm should have two numbers");
            pages
                .parse::<usize>()
                .expect("the resident size should be a number")
                * 4096
        };
        let before = resident();
        let zeros = defaults::<f64>(1 << 27).expect("1 GiB of address space should be free");
        assert!(resident() < before + (1 << 29));
        assert_eq!((zeros[0], zeros[(1 << 27) - 1]), (0.0, 0.0));
    }
}
