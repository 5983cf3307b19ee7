//! The panic handler, the heap and the entry point of a program without the standard library.

use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::panic::PanicInfo;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::slice;

/// The size of the heap, in bytes.
const HEAP_SIZE: usize = 1 << 20;

/// An allocator that never frees memory.
struct Heap {
    bytes: UnsafeCell<[u8; HEAP_SIZE]>,
    used: AtomicUsize,
}

// SAFETY: the memory is accessed only through pointers that `alloc` returns, and `alloc` gives each part of the memory
// to only one caller.
unsafe impl Sync for Heap {}

// SAFETY: `used` only grows, so no two allocations overlap. Each allocation is aligned, and is checked to be within
// `bytes`.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.bytes.get().cast::<u8>();
        let allocation_end = |used: usize| {
            let skipped = (start.addr() + used).wrapping_neg() & (layout.align() - 1);
            let end = used.checked_add(skipped)?.checked_add(layout.size())?;
            (end <= HEAP_SIZE).then_some(end)
        };
        match self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, allocation_end)
        {
            Ok(used) => {
                start.wrapping_add(allocation_end(used).unwrap_or(HEAP_SIZE) - layout.size())
            }
            Err(_) => ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static HEAP: Heap = Heap {
    bytes: UnsafeCell::new([0; HEAP_SIZE]),
    used: AtomicUsize::new(0),
};

#[link(name = "c")]
unsafe extern "C" {
    fn abort() -> !;
}

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    // SAFETY: `abort` has no preconditions.
    unsafe { abort() }
}

// On targets that support unwinding, such as `x86_64-unknown-linux-gnu`, the `alloc` crate refers to the following
// functions, which are normally defined by the standard library. In this program, a panic aborts, so they are never
// called.

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() {}

// SAFETY: no other function of the program has this name.
#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    match slice() {
        Ok(()) => 0,
        Err(_) => 1,
    }
}
