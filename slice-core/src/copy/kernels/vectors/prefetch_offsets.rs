//! The offsets at which copies prefetch, across the gaps between rows. See [`kernels`](super::super) for the
//! terminology.
//!
//! ```text
//! row      ├──── head ────┼─ tail ─┤ · · · ├──── head ────┼─ tail ─┤
//!          └── prefetch distance ──→       in bytes, not counting the gaps between rows
//!                         └── prefetch distance ──→
//! ```
//!
//! Processors prefetch within a row by themselves, but not from one row to the next. While the *head* of a row is
//! copied, all prefetched bytes belong to a single row, which is the same row or a later one. While the *tail* is copied,
//! they belong to the row after this single row.

/// The assumed size of the second-level cache, in bytes.
pub(in super::super) const SECOND_LEVEL_CACHE_BYTES: usize = 1 << 20;

/// The offsets from the bytes being copied to the bytes prefetched meanwhile.
pub(in super::super) struct PrefetchOffsets {
    /// The offset for the head of a row: a whole number of rows, plus the rest of the prefetch distance.
    pub(in super::super) head: isize,
    /// The offset for the tail of a row. The bytes prefetched for the tail are one row beyond those prefetched for the
    /// head.
    pub(in super::super) tail: isize,
    /// The length of the head, in bytes.
    pub(in super::super) head_bytes: usize,
}

impl PrefetchOffsets {
    /// Computes the offsets for a prefetch distance of `ahead` bytes, not counting the gaps between rows. Each row has
    /// `row` bytes, and begins `distance` bytes after the previous row. `sign` is the sign of the distance between the
    /// cells of a row.
    #[inline(always)]
    pub(in super::super) fn new(ahead: usize, row: usize, distance: isize, sign: isize) -> Self {
        let (rows, bytes) = (ahead / row.max(1), ahead % row.max(1));
        let head = distance.wrapping_mul(rows as isize);
        let head = head.wrapping_add(sign * bytes as isize);
        Self {
            head,
            tail: head
                .wrapping_add(distance)
                .wrapping_sub(sign * row as isize),
            head_bytes: row - bytes,
        }
    }
}
