//! A `no_std` program that slices constant arrays, buffers and ndarray arrays, and resolves operations of TensorFlow
//! and ONNX.
//!
//! The program has its own panic handler and heap. If one of its dependencies used the standard library, there would be
//! two panic handlers, and the program would not compile.

#![no_std]
#![no_main]

extern crate alloc;

use alloc::string::ToString;
use alloc::vec;
use core::alloc::{GlobalAlloc, Layout};
use core::cell::UnsafeCell;
use core::ffi::c_int;
use core::panic::PanicInfo;
use core::ptr;
use core::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, StaticPlan, StridedSliceExt, s};
use slice_systems::{Explain, Operation, OperationError, onnx, tensorflow};

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

const HALVE: StaticPlan<[u8; 6], [u8; 3]> = s![::2].static_plan();

fn slice() -> Result<(), OperationError> {
    assert_eq!(HALVE.gather(&[0, 1, 2, 3, 4, 5]), [0, 2, 4]);

    let spec = s![1:, ..., newaxis, ::-2];
    let selection = spec.resolve(&[2, 3])?;
    assert_eq!(selection.output_shape(), [1, 1, 2]);
    assert_eq!(selection.gather(b"abcdef")?, b"fd");
    let mut output = [0; 6];
    selection.scatter(&[1, 2], &mut output)?;
    assert_eq!(output, [0, 0, 0, 2, 0, 1]);

    let parsed: Result<DynSliceSpec, _> = "x[1:, ..., None, ::-2]".parse();
    assert!(parsed.as_ref().is_ok_and(|parsed| *parsed == spec.to_dyn()));
    let mistake = "1.5".parse::<DynSliceSpec>();
    assert!(mistake.is_err_and(|error| error.to_string().contains("integers")));
    assert!(spec.explain(&[2, 3]).to_string().contains("output_shape"));

    let op = tensorflow::StridedSlice::from_spec(&spec.to_dyn());
    assert_eq!(
        op.map(|translated| translated.op.resolve(&[2, 3])),
        Ok(Ok(selection))
    );
    let op = onnx::Slice {
        opset: 13,
        starts: vec![5],
        ends: vec![0],
        axes: None,
        steps: Some(vec![-1]),
    };
    assert_eq!(op.resolve(&[4])?.output_shape(), [3]);

    let mut array = ArrayD::<u8>::zeros(IxDyn(&[2, 3]));
    array.try_fill_at(s![..., 1], 7)?;
    assert!(array.gather(s![:, 1]).iter().eq(&[7, 7]));
    assert!(array.try_at(s![2]).is_err());
    Ok(())
}
