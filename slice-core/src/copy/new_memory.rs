//! Allocates memory for results, in huge pages if the system has them.
//!
//! The system maps a page when it is first written. With pages of 4 KiB, that takes several times as long as the copy
//! itself. Linux maps 2 MiB at a time for programs that request it, as NumPy does.

#![expect(unsafe_code)]

use super::plain::is_plain;
use super::tuning::MIN_HUGE_PAGE_REQUEST_BYTES;
use crate::error::SliceError;
use alloc::alloc::alloc_zeroed;
use alloc::vec::Vec;
use core::alloc::Layout;

/// Returns a vector with room for `len` elements.
///
/// # Errors
///
/// [`SliceError::Allocation`] if the allocator refuses a large vector.
#[inline]
pub(super) fn vector<T>(len: usize) -> Result<Vec<T>, SliceError> {
    match size_of::<T>().checked_mul(len) {
        Some(bytes) if bytes < MIN_HUGE_PAGE_REQUEST_BYTES.get() => Ok(Vec::with_capacity(len)),
        _ => large(len),
    }
}

/// Returns a vector of `len` default elements. The allocator zeroes numbers, so a large vector uses no memory before it
/// is written.
///
/// # Errors
///
/// [`SliceError::Allocation`] if the memory cannot be allocated.
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
    // SAFETY: the layout is not empty, because `len` is not 0 and the size of plain elements is not 0.
    let start = unsafe { alloc_zeroed(layout) };
    if start.is_null() {
        return Err(refused);
    }
    // SAFETY: the memory comes from the vectors' allocator, with their layout, for `len` elements. The default of
    // numbers, `bool` and `char` is all zeros.
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

/// Requests huge pages for new memory, if it is large and the system is Linux. The elements keep their values. Call
/// this function before the elements are first written.
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
    if size_of_val(room) >= MIN_HUGE_PAGE_REQUEST_BYTES.get() {
        ask_for_huge_pages(room);
    }
}

/// The size of a huge page, in bytes.
const HUGE_PAGE_BYTES: usize = 2 << 20;

/// The minimum size of memory that the allocator always maps anew, in bytes. glibc reuses only smaller blocks.
const MIN_MAPPED_BYTES: usize = 32 << 20;

/// Returns `len`, or a few more elements, so that the allocation and the page that the allocator adds fill whole
/// huge pages.
///
/// Linux aligns mappings that consist of whole huge pages. Other mappings begin and end with pages of 4 KiB, up
/// to a thousand of them, and the first write to each interrupts the program.
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

/// Declarations of functions of the C library, which is linked into every program with std. The crate libc has the same
/// declarations, but would add a second to the build time.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
mod system {
    use core::ffi::{c_int, c_uchar, c_void};

    /// This number is the same on all processors for which Rust has std on Linux.
    pub(super) const MADV_HUGEPAGE: c_int = 14;
    /// Linux before 6.1 refuses this advice.
    pub(super) const MADV_COLLAPSE: c_int = 25;

    // SAFETY: these are the declarations of `sys/mman.h` and `unistd.h`.
    unsafe extern "C" {
        pub(super) fn madvise(start: *mut c_void, len: usize, advice: c_int) -> c_int;
        pub(super) fn mincore(start: *mut c_void, len: usize, resident: *mut c_uchar) -> c_int;
        pub(super) safe fn getpagesize() -> c_int;
    }
}

/// Requests huge pages for memory of at least [`MIN_HUGE_PAGE_REQUEST_BYTES`] bytes that is about to be written.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn ask_for_huge_pages<T>(room: &mut [T]) {
    let start = room.as_mut_ptr().cast::<u8>();
    let Some(before) = start.addr().checked_rem(page_size()) else {
        return;
    };
    let (page, len) = (
        start.wrapping_sub(before).cast(),
        before + size_of_val(room),
    );
    // Systems without huge pages refuse the advice, and pages stay small.
    // SAFETY: these are the pages of this memory. The advice does not change their content.
    unsafe { system::madvise(page, len, system::MADV_HUGEPAGE) };
    if len >= MIN_MAPPED_BYTES {
        // The allocator has already written to the first page, so a small page is mapped there. Without this advice,
        // the pages after it would stay small, too.
        // SAFETY: as above.
        unsafe { system::madvise(page, HUGE_PAGE_BYTES, system::MADV_COLLAPSE) };
    }
}

/// Returns the size of a page in bytes, or 0 if the system does not report it.
#[cfg(all(target_os = "linux", feature = "std", not(miri)))]
fn page_size() -> usize {
    usize::try_from(system::getpagesize()).unwrap_or(0)
}

/// Returns `true` if memory has probably never been written, because the page in its middle is still unmapped.
pub(super) fn is_untouched<T>(start: *const T, bytes: usize) -> bool {
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    {
        let middle = start.cast::<u8>().wrapping_add(bytes / 2);
        let Some(into) = middle.addr().checked_rem(page_size()) else {
            return false;
        };
        let page = middle.wrapping_sub(into).cast_mut();
        let mut resident = 1;
        // SAFETY: the system looks up one page, and `resident` has room for the result.
        let known = unsafe { system::mincore(page.cast(), 1, &mut resident) };
        return known == 0 && resident & 1 == 0;
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
    use super::{defaults, vector, whole_pages};

    #[test]
    fn defaults_equal_the_default_of_the_type() {
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
        let mut new = vector::<u8>(64 << 20).expect("memory is allocated");
        assert!(is_untouched(new.as_ptr(), new.capacity()));
        new.resize(40 << 20, 1);
        assert!(!is_untouched(new.as_ptr(), new.capacity()));
        assert!(
            !is_untouched(core::ptr::null::<u8>(), 1 << 20),
            "the null pointer is no memory"
        );
    }

    /// Compares the resident memory that Linux reports before and after.
    #[cfg(all(target_os = "linux", feature = "std", not(miri)))]
    #[test]
    fn zeros_use_no_memory_before_they_are_written() {
        let resident = || -> usize {
            let pages =
                std::fs::read_to_string("/proc/self/statm").expect("Linux has /proc/self/statm");
            let pages = pages.split(' ').nth(1).expect("statm has two numbers");
            pages.parse::<usize>().expect("field is a number") * 4096
        };
        let before = resident();
        let zeros = defaults::<f64>(1 << 27).expect("1 GiB of address space is free");
        assert!(resident() < before + (1 << 29));
        assert_eq!((zeros[0], zeros[(1 << 27) - 1]), (0.0, 0.0));
    }
}
