//! Macros shared by the kernels for x86-64.

/// Implements the loads and stores of a `Vector` with the given intrinsics.
macro_rules! memory {
    ($load:ident, $store:ident, $stream:ident) => {
        #[inline(always)]
        unsafe fn load(at: *const Byte) -> Self {
            // SAFETY: the caller guarantees that a vector can be read at `at`, and that the processor supports the
            // instruction.
            unsafe { $load(at.cast()) }
        }

        #[inline(always)]
        unsafe fn store(self, at: *mut Byte) {
            // SAFETY: the caller guarantees that a vector can be written at `at`, and that the processor supports the
            // instruction.
            unsafe { $store(at.cast(), self) };
        }

        #[inline(always)]
        unsafe fn stream(self, at: *mut Byte) {
            debug_assert!(at.addr().is_multiple_of(size_of::<Self>()));
            // SAFETY: the caller guarantees that an aligned vector can be written at `at`, and that the processor
            // supports the instruction.
            unsafe { $stream(at.cast(), self) };
        }

        #[inline(always)]
        unsafe fn fence() {
            // SAFETY: the instruction is part of SSE, and every x86-64 processor supports SSE.
            unsafe { _mm_sfence() };
        }
    };
}

/// Implements shuffles within lanes of 16 bytes. For each control byte, `pshufb` selects the byte whose offset in the
/// lane is the low four bits of the control byte, or 0 if the highest bit of the control byte is 1. `pshufb` shuffles a
/// single vector, so each input is shuffled on its own, and the results are combined.
macro_rules! pshufb {
    ($shuffle:ident, $or:ident, $and:ident) => {
        fn control(offset: u8, i: usize) -> u8 {
            match usize::from(offset) / 16 == i {
                true => offset % 16,
                false => NOWHERE,
            }
        }

        #[inline(always)]
        unsafe fn shuffle<const LOADS: usize>(
            inputs: [Self; LOADS],
            controls: &[Self; LOADS],
        ) -> Self {
            // SAFETY: the caller guarantees that the processor supports the instruction.
            let mut out = unsafe { $shuffle(inputs[0], controls[0]) };
            for i in 1..LOADS {
                // SAFETY: the caller guarantees that the processor supports the instruction.
                let more = unsafe { $shuffle(inputs[i], controls[i]) };
                // SAFETY: the caller guarantees that the processor supports the instruction.
                out = unsafe { $or(out, more) };
            }
            out
        }

        #[inline(always)]
        unsafe fn or_masked(self, other: Self, mask: Self) -> Self {
            // SAFETY: the caller guarantees that the processor supports the instruction.
            let other = unsafe { $and(other, mask) };
            // SAFETY: the caller guarantees that the processor supports the instruction.
            unsafe { $or(self, other) }
        }
    };
}

/// Defines the function `runs`: [`runs::copy`](super::runs::copy), compiled for an instruction set.
macro_rules! compiled_runs {
    ($vector:ty, $features:literal) => {
        /// # Safety
        ///
        /// * See [`copy`](super::runs::copy).
        #[target_feature(enable = $features)]
        unsafe fn runs<D: Direction>(
            job: &Job<'_>,
            streams: bool,
            cursor: &mut BlockCursor<'_>,
            buffers: Buffers,
        ) {
            // SAFETY: the function is compiled with the features of the vector type, and the caller upholds the
            // requirements of `runs::copy`.
            unsafe { super::runs::copy::<D, $vector>(job, streams, cursor, buffers) }
        }
    };
}

pub(super) use {compiled_runs, memory, pshufb};
