//! Copies so small that choosing how to copy would cost more than copying.

use super::GatherPlan;
use super::plan::Dim;
use core::mem::MaybeUninit;

/// The most elements that are copied one by one.
const SMALL: usize = 48;

impl GatherPlan {
    /// Gathers if the plan is small: then three loops over whole elements are as fast as anything. `data` and `out` have
    /// the plan's lengths.
    #[inline]
    pub(super) fn gather_small<T: Copy>(&self, data: &[T], out: &mut [MaybeUninit<T>]) -> bool {
        const ONCE: Dim = Dim { len: 1, stride: 0 };
        let (planes, rows, row) = match *self.dims.as_slice() {
            _ if self.len > SMALL || self.len == 0 => return false,
            [] => (ONCE, ONCE, ONCE),
            [row] => (ONCE, ONCE, row),
            [rows, row] => (ONCE, rows, row),
            [planes, rows, row] => (planes, rows, row),
            _ => return false,
        };
        let mut out = out.iter_mut();
        let mut plane_at = self.offset;
        for _ in 0..planes.len {
            let mut row_at = plane_at;
            for _ in 0..rows.len {
                let mut at = row_at;
                for place in out.by_ref().take(row.len) {
                    place.write(data[at]);
                    // Wraps only behind the last element.
                    at = at.wrapping_add_signed(row.stride);
                }
                row_at = row_at.wrapping_add_signed(rows.stride);
            }
            plane_at = plane_at.wrapping_add_signed(planes.stride);
        }
        true
    }
}
