//! The vector operations that kernels need from an instruction set.

use super::super::super::job::Byte;
use super::super::prefetch::CACHE_LINE_BYTES;

/// The source offset of an output byte that comes from no input byte.
pub(in super::super) const NOWHERE: u8 = 0xff;

/// The lanes of a vector type, and whether its loads and stores can be masked.
#[derive(Clone, Copy)]
pub(in super::super) struct Shape {
    /// The number of bytes per lane. A shuffle can move each byte to any position in its lane.
    pub(in super::super) lane: usize,
    /// The number of lanes per vector.
    pub(in super::super) lanes: usize,
    /// Whether loads and stores can be masked. A masked load or store accesses only the bytes selected by the mask.
    pub(in super::super) masks: bool,
}

/// A vector type with shuffles, which can move each byte to any position in its lane.
///
/// # Safety
///
/// For all methods:
///
/// * The processor must support the instructions of the vector type.
/// * A vector must be readable or writable at the address. With a mask, only the bytes selected by the mask need to be
///   readable or writable. With several addresses, a lane must be readable at each of the first `lanes` addresses.
pub(in super::super) trait Vector: Copy {
    const SHAPE: Shape;

    /// Returns the byte that controls the shuffle of input `i` for one output byte. `offset` is the offset of the
    /// source byte in the concatenated input lanes, or [`NOWHERE`].
    fn control(offset: u8, i: usize) -> u8;
    /// Returns a vector of bytes taken from the inputs. Each output byte comes from the same lane of an input.
    /// `controls` contains, for each input, the [`control`](Self::control) bytes of all output bytes.
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self;
    unsafe fn load(at: *const Byte) -> Self;
    unsafe fn load_lanes(at: [*const Byte; 2]) -> Self {
        // SAFETY: vectors with several lanes override this method, so this vector is a single lane, which the caller
        // guarantees can be read at the first address.
        unsafe { Self::load(at[0]) }
    }
    unsafe fn store(self, at: *mut Byte);
    /// Writes the vector to an aligned address, with a streaming store if the instruction set has one. Nothing may
    /// access these bytes before a [`fence`](Self::fence).
    unsafe fn stream(self, at: *mut Byte) {
        // SAFETY: the caller guarantees that a vector can be written at `at`.
        unsafe { self.store(at) };
    }
    unsafe fn fence() {}

    /// Returns the bits of `other` where `mask` is 1, and the bits of `self` elsewhere. `self` must be 0 where `mask`
    /// is 1. This method is called only for vectors without [masks](Shape::masks).
    unsafe fn or_masked(self, _other: Self, _mask: Self) -> Self {
        unreachable!("vectors with masks use masked stores instead")
    }
    /// Reads the bytes selected by the mask, and sets all other bytes to 0. This method is called only for vectors with
    /// [masks](Shape::masks).
    unsafe fn load_masked(_at: *const Byte, _mask: u64) -> Self {
        unreachable!("these vectors have no masks")
    }
    unsafe fn store_masked(self, _at: *mut Byte, _mask: u64) {
        unreachable!("these vectors have no masks")
    }
}

/// Copies a cache line to an aligned cache line, with streaming stores. Nothing may access the written bytes before a
/// [`fence`](Vector::fence).
///
/// # Safety
///
/// * A line must be readable at `from` and writable at `to`, which must be aligned to a line.
/// * The processor must support the instructions of `V`.
#[inline(always)]
pub(in super::super) unsafe fn stream_line<V: Vector>(from: *const Byte, to: *mut Byte) {
    debug_assert!(to.addr().is_multiple_of(CACHE_LINE_BYTES));
    for at in (0..CACHE_LINE_BYTES).step_by(size_of::<V>()) {
        // SAFETY: this is a part of the line at `from`, which can be read.
        let vector = unsafe { V::load(from.wrapping_add(at)) };
        // SAFETY: this is a part of the line at `to`, which can be written and is aligned.
        unsafe { vector.stream(to.wrapping_add(at)) };
    }
}
