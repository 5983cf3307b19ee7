//! Prefetch offsets that continue across the gaps between rows.
//!
//! ```text
//! row      ├──── head ────┼─ tail ─┤ · · · ├──── head ────┼─ tail ─┤
//!          └── distance ───────────→       counts bytes of rows, not of gaps
//!                         └── distance ────────────→
//! ```
//!
//! A processor prefetches within a row by itself, but not from one row to the next.

/// Assumed size of the second-level cache: larger strided buffers are prefetched.
pub(in super::super) const SECOND_LEVEL_CACHE_BYTES: usize = 1 << 20;

/// Offsets from a row's bytes to the bytes being prefetched.
pub(in super::super) struct PrefetchOffsets {
    /// Offset for the head of a row: a whole number of rows ahead, and the rest of the distance.
    pub(in super::super) head: isize,
    /// Offset for the tail of a row, whose prefetched bytes are one row further ahead.
    pub(in super::super) tail: isize,
    /// Length of the head.
    pub(in super::super) head_bytes: usize,
}

impl PrefetchOffsets {
    /// Returns the offsets `ahead` bytes of rows further, for rows of `row` bytes, `distance` bytes apart, that run in the
    /// direction of `sign`.
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
