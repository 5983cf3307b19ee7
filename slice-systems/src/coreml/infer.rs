//! The type inference of `slice_by_index`, a line-by-line port of coremltools' `solve_slice_by_index_shape`.

use super::AxisEntry;
use crate::coreml::error::MilError;

/// The result of type inference for an axis, which constant folding uses.
pub(super) struct Inferred {
    /// The length of the result.
    pub(super) len: i64,
    /// The `begin`, which may have been rewritten.
    pub(super) begin: i64,
    /// The end, which may have been rewritten.
    pub(super) end: i64,
}

impl AxisEntry {
    /// Returns the index of an entry that drops its axis.
    pub(super) fn index(self) -> i64 {
        if self.begin_mask { 0 } else { self.begin }
    }

    /// Returns the length that coremltools computes from the bounds and the stride alone, or `None` if there is no such
    /// length. It exists if neither bound is masked, and either both bounds are nonnegative and the stride is positive,
    /// or both bounds and the stride are negative.
    pub(super) fn known_length(self, axis: usize) -> Result<Option<i64>, MilError> {
        let AxisEntry {
            begin,
            end,
            stride,
            begin_mask,
            end_mask,
            ..
        } = self;
        if begin_mask || end_mask {
            return Ok(None);
        }
        let crossed = || MilError::CrossedBounds {
            axis,
            begin,
            end,
            stride,
        };
        // The following computations cannot overflow, because the numbers fit in 32 bits.
        if begin >= 0 && end >= 0 && stride > 0 {
            return match end < begin {
                true => Err(crossed()),
                false => Ok(Some((end - begin + stride - 1) / stride)),
            };
        }
        if begin < 0 && end < 0 && stride < 0 {
            return match begin < end {
                true => Err(crossed()),
                false => Ok(Some((end - begin + stride + 1) / stride)),
            };
        }
        Ok(None)
    }

    /// Returns the result of type inference for the entry on an axis of length `size`.
    pub(super) fn infer(self, axis: usize, size: usize) -> Result<Inferred, MilError> {
        let AxisEntry {
            begin,
            end,
            stride,
            begin_mask,
            end_mask,
            squeeze,
        } = self;
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let as_written = |len| Ok(Inferred { len, begin, end });
        if squeeze {
            return as_written(1);
        }
        if begin_mask && end_mask {
            return as_written(stride_count(size, stride));
        }
        if let Some(len @ (0 | 1)) = self.known_length(axis)? {
            return as_written(len);
        }
        let to_the_end = !begin_mask && end_mask;
        if to_the_end && (begin == 0 && stride < 0 || begin == -1 && stride > 0) || size == 1 {
            return as_written(1);
        }
        // A masked bound is rewritten, too, although it is not used.
        let rewrite = |bound: i64| match bound < 0 {
            true => bound.saturating_add(size).max(0),
            false => bound,
        };
        let (begin, end) = (rewrite(begin), rewrite(end));
        let ((low, high), (first, last), (first_mask, last_mask)) = match stride > 0 {
            true => ((0, size), (begin, end), (begin_mask, end_mask)),
            false => ((-1, size - 1), (end, begin), (end_mask, begin_mask)),
        };
        let first = if first_mask { low } else { first };
        let last = if last_mask { high } else { last.min(high) };
        let len = stride_count(last - first, stride).max(0);
        Ok(Inferred { len, begin, end })
    }
}

/// Returns `distance` divided by the absolute value of `stride`, rounded up. As in coremltools, the absolute value of
/// `i32::MIN` is `i32::MIN` itself.
fn stride_count(distance: i64, stride: i64) -> i64 {
    if stride == 0 {
        // In coremltools, the result is not a number, and constant folding rejects the stride.
        return 0;
    }
    let stride = match stride {
        -0x8000_0000 => stride,
        _ => stride.abs(),
    };
    let (whole, rest) = (distance / stride, distance % stride);
    whole + i64::from(rest != 0 && (rest > 0) == (stride > 0))
}
