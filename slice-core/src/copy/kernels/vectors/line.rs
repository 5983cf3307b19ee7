//! A cache line in the vectors of an instruction set.

use super::super::super::job::Byte;
use super::LINE;
use core::arch::x86_64::*;

/// How a line is moved.
///
/// # Safety
///
/// All methods: the processor has the instructions; a line can be read at `from` and written at `to`.
pub(super) trait Line {
    /// Copies a line, wherever it lies.
    unsafe fn copy(from: *const Byte, to: *mut Byte);
    /// Copies a line to one that is aligned, past the caches; it is not touched again before a fence.
    unsafe fn stream(from: *const Byte, to: *mut Byte);
}

macro_rules! line {
    ($(#[$attribute:meta])* $name:ident, $bytes:literal, $load:ident, $store:ident, $stream:ident) => {
        $(#[$attribute])*
        pub(super) struct $name;

        impl Line for $name {
            #[inline(always)]
            unsafe fn copy(from: *const Byte, to: *mut Byte) {
                for at in (0..LINE).step_by($bytes) {
                    // SAFETY: the caller lets the line be read, and the processor has the instruction.
                    let vector = unsafe { $load(from.wrapping_add(at).cast()) };
                    // SAFETY: the caller lets the line be written, and the processor has the instruction.
                    unsafe { $store(to.wrapping_add(at).cast(), vector) };
                }
            }

            #[inline(always)]
            unsafe fn stream(from: *const Byte, to: *mut Byte) {
                debug_assert!(to.addr().is_multiple_of(LINE));
                for at in (0..LINE).step_by($bytes) {
                    // SAFETY: the caller lets the line be read, and the processor has the instruction.
                    let vector = unsafe { $load(from.wrapping_add(at).cast()) };
                    // SAFETY: the caller lets the line, which is aligned, be written, and the processor has the instruction.
                    unsafe { $stream(to.wrapping_add(at).cast(), vector) };
                }
            }
        }
    };
}

line! {
    /// Four vectors of 128 bits, which every x86-64 processor has.
    Sse2, 16, _mm_loadu_si128, _mm_storeu_si128, _mm_stream_si128
}

line! {
    /// Two vectors of 256 bits.
    Avx2, 32, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_stream_si256
}

line! {
    /// One vector of 512 bits.
    Avx512, 64, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_stream_si512
}
