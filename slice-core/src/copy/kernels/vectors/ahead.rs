//! Asking the memory for what comes next, across the gaps between rows.
//!
//! ```text
//! row      ├──── here ────┼─ next ─┤ · · · ├──── here ────┼─ next ─┤
//!          └──── ahead ────────────→       the bytes of rows that lie between; gaps do not count
//!                         └──── ahead ────────────→
//! ```
//!
//! A processor does this itself within a row, but not from one row to the next.

/// Strided buffers of more bytes are not in the second-level cache.
pub(in super::super) const NEAR: usize = 1 << 20;

/// Where the bytes are that come some bytes of rows later, counted from those of a row.
pub(in super::super) struct Ahead {
    /// Those of the first bytes: as many rows later as fit into that distance.
    pub(in super::super) here: isize,
    /// Those of the last bytes: in the row after that.
    pub(in super::super) next: isize,
    /// The number of the first bytes.
    pub(in super::super) first: usize,
}

impl Ahead {
    /// `AHEAD` bytes later in rows that reach over `row` bytes, `distance` apart, in the direction of `sign`.
    #[inline(always)]
    pub(in super::super) fn new<const AHEAD: usize>(
        row: usize,
        distance: isize,
        sign: isize,
    ) -> Self {
        let (rows, bytes) = (AHEAD / row.max(1), AHEAD % row.max(1));
        let here = distance.wrapping_mul(rows as isize);
        let here = here.wrapping_add(sign * bytes as isize);
        Self {
            here,
            next: here
                .wrapping_add(distance)
                .wrapping_sub(sign * row as isize),
            first: row - bytes,
        }
    }
}
