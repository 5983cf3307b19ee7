//! Implements LiteRT's rules for the entries of `STRIDED_SLICE`. If `offset` is set, each end is a length: the distance
//! from the `begin` of the range to its `end`.

use slice_core::resolve::{bound, open_begin, open_end, range_at};
use slice_core::{AxisRange, ItemMasks, SliceError};

use crate::bit_masks::{BitMasked, IndexRule};
use crate::entries::StridedEntries;

/// LiteRT's rule for an index: its stride must be positive, and a set bit in `begin_mask` turns it into index 0.
#[derive(Debug)]
pub(crate) struct LiteRtIndexRule;

impl IndexRule for LiteRtIndexRule {
    fn number(entries: &BitMasked<'_, Self>, item: usize) -> i64 {
        entries.begin(item).unwrap_or(0)
    }

    fn position(
        entries: &BitMasked<'_, Self>,
        item: usize,
        axis: usize,
        size: usize,
    ) -> Result<usize, SliceError> {
        let stride = entries.stride(item);
        if stride < 0 {
            let axis = Some(axis);
            return Err(SliceError::IndexStride { item, axis, stride });
        }
        slice_core::resolve::index_at(item, axis, entries.index_number(item), size)
    }
}

/// The entries of an operator that has passed all checks that do not depend on the shape.
#[derive(Debug)]
pub(crate) struct Entries<'a> {
    pub(super) masked: BitMasked<'a, LiteRtIndexRule>,
    pub(super) offset: bool,
}

impl Entries<'_> {
    /// For an operator with `offset`, returns the `begin` and the `end` of the range `item` as positions on an axis of
    /// length `size`. -1 is the position before the first element.
    fn clamped_bounds(&self, item: usize, size: usize) -> (i64, i64) {
        let (_, length, stride) = self.numbers(item);
        let begin = match self.begin(item) {
            Some(begin) => bound(begin, stride, size),
            None => open_begin(stride, size),
        };
        let end = match self.end(item) {
            // LiteRT adds 32-bit integers, so the sum may wrap. A negative sum counts from the end.
            Some(_) => bound(i64::from(begin.wrapping_add(length) as i32), stride, size),
            None => open_end(stride, size),
        };
        (begin, end)
    }
}

impl StridedEntries for Entries<'_> {
    fn len(&self) -> usize {
        self.masked.len()
    }

    fn item_masks(&self, item: usize) -> ItemMasks {
        self.masked.item_masks(item)
    }

    fn numbers(&self, item: usize) -> (i64, i64, i64) {
        self.masked.numbers(item)
    }

    fn end_on(&self, item: usize, size: usize) -> Option<i64> {
        if !self.offset {
            return self.end(item);
        }
        let (_, end) = self.clamped_bounds(item, size);
        (end >= 0).then_some(end)
    }

    fn index_number(&self, item: usize) -> i64 {
        self.masked.index_number(item)
    }

    fn index(&self, item: usize, axis: usize, size: usize) -> Result<usize, SliceError> {
        self.masked.index(item, axis, size)
    }

    /// Returns the positions of a range. If `offset` is set, it is an error if the range has more or fewer positions
    /// within the axis than its length implies.
    fn range(&self, item: usize, axis: usize, size: usize) -> Result<AxisRange, SliceError> {
        if !self.offset {
            return self.masked.range(item, axis, size);
        }
        let (_, length, step) = self.numbers(item);
        let (start, end) = self.clamped_bounds(item, size);
        let begin = if start >= 0 { start } else { i64::MIN };
        let selected = range_at(
            item,
            axis,
            Some(begin),
            (end >= 0).then_some(end),
            step,
            size,
        )?;
        let expected_len = match (length > 0) == (step > 0) {
            true => length.unsigned_abs().div_ceil(step.unsigned_abs()),
            false => 0,
        };
        if selected.len() as u64 == expected_len {
            return Ok(selected);
        }
        Err(SliceError::InvalidRange {
            axis,
            start: usize::try_from(start).unwrap_or(0),
            step: step as isize,
            len: usize::try_from(expected_len).unwrap_or(usize::MAX),
            size,
        })
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use crate::litert::StridedSlice;
    use crate::{Explain, Operation};

    /// An axis may be longer than LiteRT allows. Such an axis is an error, which the explanation states too.
    #[test]
    fn offsets_beyond_64_bits_are_errors() {
        let edges = [i64::MIN, -2, -1, 0, 1, 2, i64::from(i32::MAX), i64::MAX];
        let sizes = [0, 1, 5, i32::MAX as usize, i64::MAX as usize, usize::MAX];
        let mut cases = vec![];
        for begin in edges {
            for end in edges {
                cases.extend(edges.map(|stride| (begin, end, stride)));
            }
        }
        for (begin, end, stride) in cases {
            for mask in 0..4 {
                let op = StridedSlice {
                    begin: vec![begin],
                    end: vec![end],
                    strides: vec![stride],
                    begin_mask: mask & 1,
                    end_mask: mask >> 1,
                    offset: true,
                    ..StridedSlice::default()
                };
                let _ = op.to_spec();
                for size in sizes {
                    let explanation = op.explain(&[size]);
                    assert!(!explanation.to_string().is_empty());
                    if size > i32::MAX as usize {
                        assert!(op.resolve(&[size]).is_err(), "{op:?} {size}");
                        assert!(explanation.output_shape().is_err(), "{op:?} {size}");
                    }
                }
            }
        }
    }
}
