//! Buffers that begin at a chosen offset within a page.
//!
//! A copy can take many times as long as usual if the offset of its destination within a 4 KiB page is slightly larger
//! than the offset of its source: processors compare the lower twelve bits of addresses to decide whether a load must
//! wait for an earlier store. The measured times would then depend on the addresses chosen by the allocator. Inputs
//! therefore begin at the start of a page and outputs in the middle of a page, so that the offsets are as far apart as
//! possible in both directions.

use std::ops::{Deref, DerefMut};

use slice_core::s;

use super::element::ArrayElement;

/// The size of a page in bytes. Processors compare the offsets of addresses within a page.
pub const PAGE_BYTES: usize = 4096;

/// The offset of inputs within a page, in bytes.
pub const INPUT_OFFSET_BYTES: usize = 0;

/// The offset of outputs within a page, in bytes.
pub const OUTPUT_OFFSET_BYTES: usize = PAGE_BYTES / 2;

/// Numbers that begin at a chosen offset within a page. Their memory is allocated by `gather`, which may request huge
/// pages.
pub struct OffsetBuffer<T> {
    memory: Vec<T>,
    first: usize,
    len: usize,
}

impl<T: ArrayElement> OffsetBuffer<T> {
    /// Creates a buffer of `len` numbers computed by `nth`. The buffer begins `offset` bytes after the start of a page.
    ///
    /// # Panics
    ///
    /// Panics if `offset` is not a multiple of the size of `T`.
    pub fn new(offset: usize, len: usize, nth: impl Fn(usize) -> T) -> Self {
        let padding = PAGE_BYTES / size_of::<T>();
        let numbers: Vec<T> = (0..len + padding).map(nth).collect();
        let whole = s![:]
            .resolve(&[numbers.len()])
            .expect("the slice should fit the shape");
        let mut memory = whole
            .gather(&numbers)
            .expect("the buffer should fit the selection");
        let bytes = (offset.wrapping_sub(memory.as_ptr().addr())) % PAGE_BYTES;
        assert_eq!(
            bytes % size_of::<T>(),
            0,
            "the offset must be a multiple of the element size"
        );
        let first = bytes / size_of::<T>();
        memory[..first + len].rotate_right(first);
        Self { memory, first, len }
    }
}

impl<T> Deref for OffsetBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.memory[self.first..][..self.len]
    }
}

impl<T> DerefMut for OffsetBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.first..][..self.len]
    }
}
