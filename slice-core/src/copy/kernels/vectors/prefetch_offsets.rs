//! Asking the memory for what comes next_row, across the gaps between rows.
//!
//! ```text
//! row      ├──── same_row ────┼─ next_row ─┤ · · · ├──── same_row ────┼─ next_row ─┤
//!          └──── ahead ────────────→       the bytes of rows that lie between; gaps do not count
//!                         └──── ahead ────────────→
//! ```
//!
//! A processor does this itself within a row, but not from one row to the next_row.

/// Strided buffers of more bytes are not in the second-level cache.
pub(in super::super) const SECOND_LEVEL_CACHE_BYTES: usize = 1 << 20;

/// Where the bytes are that come some bytes of rows later, counted from those of a row.
pub(in super::super) struct PrefetchOffsets {
    /// Those of the first bytes: as many rows later as fit into that distance.
    pub(in super::super) same_row: isize,
    /// Those of the last bytes: in the row after that.
    pub(in super::super) next_row: isize,
    /// The number of the first bytes.
    pub(in super::super) same_row_bytes: usize,
}

impl PrefetchOffsets {
    /// `DISTANCE_BYTES` bytes later in rows that reach over `row` bytes, `distance` apart, in the direction of `sign`.
    #[inline(always)]
    pub(in super::super) fn new<const DISTANCE_BYTES: usize>(
        row: usize,
        distance: isize,
        sign: isize,
    ) -> Self {
        let (rows, bytes) = (DISTANCE_BYTES / row.max(1), DISTANCE_BYTES % row.max(1));
        let same_row = distance.wrapping_mul(rows as isize);
        let same_row = same_row.wrapping_add(sign * bytes as isize);
        Self {
            same_row,
            next_row: same_row
                .wrapping_add(distance)
                .wrapping_sub(sign * row as isize),
            same_row_bytes: row - bytes,
        }
    }
}
