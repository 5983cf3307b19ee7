//! What the kernels need of an instruction set.

use super::super::super::job::Byte;

/// The place of a byte that comes from nowhere.
pub(in super::super) const NOWHERE: u8 = 0xff;

/// Bytes of a cache line.
pub(in super::super) const CACHE_LINE_BYTES: usize = 64;

/// How the bytes of a vector can be moved.
#[derive(Clone, Copy)]
pub(in super::super) struct Shape {
    /// The bytes of a lane: a shuffle moves any byte to any place of its lane.
    pub(in super::super) lane: usize,
    /// Lanes per vector.
    pub(in super::super) lanes: usize,
    /// Whether loads and stores can leave out bytes, which are then not touched.
    pub(in super::super) masks: bool,
}

/// A vector in which any byte can be moved to any place of its lane.
///
/// # Safety
///
/// All methods:
///
/// * The processor has the instructions.
/// * A vector, or the bytes of the mask, can be read or written at the place; or a lane, at as many of the places as there
///   are lanes.
pub(in super::super) trait Vector: Copy {
    const SHAPE: Shape;

    /// How `load` number `i` is told that a byte of output is that at `place` of the lanes of input.
    fn control(place: u8, i: usize) -> u8;
    /// For each byte of each lane, the byte at its place in the same lane of the inputs, one after the other.
    unsafe fn shuffle<const LOADS: usize>(inputs: [Self; LOADS], controls: &[Self; LOADS]) -> Self;
    unsafe fn load(at: *const Byte) -> Self;
    unsafe fn load_lanes(at: [*const Byte; 2]) -> Self {
        // SAFETY: the one lane of a vector can be read at the first place.
        unsafe { Self::load(at[0]) }
    }
    unsafe fn store(self, at: *mut Byte);
    /// Writes a vector that is aligned past the caches; nobody touches it before a [`fence`](Self::fence).
    unsafe fn stream(self, at: *mut Byte) {
        // SAFETY: a vector can be written there.
        unsafe { self.store(at) };
    }
    unsafe fn fence() {}

    /// Where there are no [masks](Shape::masks): the bits of `other` where those of `mask` are 1, else those of `self`, which
    /// are 0 there.
    unsafe fn or_masked(self, _other: Self, _mask: Self) -> Self {
        unreachable!("stores have masks")
    }
    /// Where there are [masks](Shape::masks): the bytes of the mask, the others being 0.
    unsafe fn load_masked(_at: *const Byte, _mask: u64) -> Self {
        unreachable!("there are no masks")
    }
    unsafe fn store_masked(self, _at: *mut Byte, _mask: u64) {
        unreachable!("there are no masks")
    }
}

/// Copies a line to one that is aligned, past the caches; it is not touched again before a [`fence`](Vector::fence).
///
/// # Safety
///
/// * A line can be read at `from` and written at `to`.
/// * The processor has the instructions.
#[inline(always)]
pub(in super::super) unsafe fn stream_line<V: Vector>(from: *const Byte, to: *mut Byte) {
    debug_assert!(to.addr().is_multiple_of(CACHE_LINE_BYTES));
    for at in (0..CACHE_LINE_BYTES).step_by(size_of::<V>()) {
        // SAFETY: a part of the line that the caller lets be read.
        let vector = unsafe { V::load(from.wrapping_add(at)) };
        // SAFETY: a part of the line that the caller lets be written, aligned as the line is.
        unsafe { vector.stream(to.wrapping_add(at)) };
    }
}
