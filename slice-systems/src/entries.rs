//! Resolves strided slices, which are sequences of entries. Entry `i` consists of the `begin`, `end`, stride and mask
//! bits at index `i`. Each entry has a role (range, index, ellipsis or new axis), and axes are assigned to the entries
//! from left to right. Each system with strided slices implements [`StridedEntries`], which provides access to the
//! bounds, strides and mask bits of its entries.

use core::ops::Range;

use slice_core::resolve::{self, element_count, index_at, range_at, wrap};
use slice_core::{AxisRange, Item, ItemMasks, ItemRole, ResolvedStep, Selection, SliceError};

use crate::Dims;

/// The entries of a strided slice that has passed the checks of its system.
pub(crate) trait StridedEntries {
    /// Returns the number of entries.
    fn len(&self) -> usize;

    /// Returns the mask bits of entry `item`.
    fn item_masks(&self, item: usize) -> ItemMasks;

    /// Returns the `begin`, `end` and stride of entry `item` as written, even if they have no effect.
    fn numbers(&self, item: usize) -> (i64, i64, i64);

    /// Returns the role of entry `item`.
    fn role(&self, item: usize) -> ItemRole {
        self.item_masks(item).role()
    }

    /// Returns the `begin` of the range `item`, or `None` if the `begin` is masked.
    fn begin(&self, item: usize) -> Option<i64> {
        (!self.item_masks(item).begin).then(|| self.numbers(item).0)
    }

    /// Returns the end of the range `item`, or `None` if the end is masked.
    fn end(&self, item: usize) -> Option<i64> {
        (!self.item_masks(item).end).then(|| self.numbers(item).1)
    }

    /// Returns the stride of the range `item`.
    fn stride(&self, item: usize) -> i64 {
        self.numbers(item).2
    }

    /// Returns the `begin` that takes effect if the range `item` is applied to an axis of the given length. By default,
    /// this is [`begin`](Self::begin).
    fn begin_on(&self, item: usize, _size: usize) -> Option<i64> {
        self.begin(item)
    }

    /// Returns the end that takes effect if the range `item` is applied to an axis of the given length. By default,
    /// this is [`end`](Self::end).
    fn end_on(&self, item: usize, _size: usize) -> Option<i64> {
        self.end(item)
    }

    /// Returns the index selected by the index entry `item`. The index may be negative. By default, it is the `begin`
    /// of the entry, even if the `begin` is masked.
    fn index_number(&self, item: usize) -> i64 {
        self.numbers(item).0
    }

    /// Returns the position selected by the index entry `item` on an axis of length `size`. By default, a negative
    /// index counts from the end, as in Python.
    fn index(&self, item: usize, axis: usize, size: usize) -> Result<usize, SliceError> {
        index_at(item, axis, self.index_number(item), size)
    }

    /// Returns the positions selected by the range `item` on an axis of length `size`.
    fn range(&self, item: usize, axis: usize, size: usize) -> Result<AxisRange, SliceError> {
        let (begin, end) = (self.begin_on(item, size), self.end_on(item, size));
        range_at(item, axis, begin, end, self.stride(item), size)
    }

    /// Returns entry `item` as a Python item, without clamping its bounds to an axis.
    fn item(&self, item: usize) -> Item {
        match self.role(item) {
            ItemRole::Range => Item::Range {
                begin: self.begin(item),
                end: self.end(item),
                step: self.stride(item),
            },
            ItemRole::Index => Item::Index(self.index_number(item)),
            ItemRole::NewAxis => Item::NewAxis,
            ItemRole::Ellipsis => Item::Ellipsis,
        }
    }

    /// Returns the roles of all entries.
    fn roles(&self) -> impl Iterator<Item = ItemRole> + Clone {
        (0..self.len()).map(|item| self.role(item))
    }
}

/// Returns the index, the role and the axes of each entry, from left to right, for an input with `rank` axes. After the
/// entries comes an implied ellipsis, which has no axes if there is an explicit ellipsis.
///
/// # Errors
///
/// Returns [`SliceError::TooManyIndices`] if the entries consume more axes than the input has.
pub(crate) fn item_axes(
    entries: &impl StridedEntries,
    rank: usize,
) -> Result<impl Iterator<Item = (usize, ItemRole, Range<usize>)>, SliceError> {
    resolve::item_axes(entries.roles(), rank)
}

/// Applies the entries to an array with the shape `shape`.
///
/// # Errors
///
/// Returns, in this order of precedence: [`SliceError::TooManyIndices`] if the entries consume more axes than the array
/// has, [`SliceError::TooLarge`] if no array can have the shape, and the error of the leftmost invalid entry.
pub(crate) fn select(
    entries: &impl StridedEntries,
    shape: &[usize],
) -> Result<Selection, SliceError> {
    let items = item_axes(entries, shape.len())?;
    // This check must come before the arithmetic on axes below, which relies on valid lengths.
    element_count(shape)?;
    let mut steps = Dims::new();
    for (item, role, axes) in items {
        let axis = axes.start;
        steps.push(match role {
            ItemRole::Ellipsis => {
                let whole = |&size: &usize| ResolvedStep::Keep(AxisRange::whole(size));
                steps.extend(shape[axes].iter().map(whole));
                continue;
            }
            ItemRole::NewAxis => ResolvedStep::Insert { len: 1 },
            ItemRole::Index => ResolvedStep::Drop(entries.index(item, axis, shape[axis])?),
            ItemRole::Range => ResolvedStep::Keep(entries.range(item, axis, shape[axis])?),
        });
    }
    Selection::from_steps(shape, steps)
}

/// Returns `begin`, or 0 if `begin` lies before the first element of an axis with `size` elements. From such a `begin`,
/// a range with a negative stride starts at the first element in OpenVINO and ONNX, while Python selects nothing.
pub(crate) fn not_before_first(begin: i64, size: usize) -> i64 {
    if wrap(begin, size) < 0 { 0 } else { begin }
}

/// Returns an error if there is more than one ellipsis. `ellipses` yields the indices of the entries that are ellipses.
pub(crate) fn check_single_ellipsis(
    ellipses: impl IntoIterator<Item = usize>,
) -> Result<(), SliceError> {
    let mut ellipses = ellipses.into_iter();
    match (ellipses.next(), ellipses.next()) {
        (Some(first), Some(second)) => Err(SliceError::MultipleEllipses { first, second }),
        _ => Ok(()),
    }
}

/// Returns an error if the vectors have different lengths.
pub(crate) fn check_equal_lengths(
    begin: &[i64],
    end: &[i64],
    strides: &[i64],
) -> Result<(), SliceError> {
    let (begin, end, strides) = (begin.len(), end.len(), strides.len());
    if begin == end && begin == strides {
        Ok(())
    } else {
        Err(SliceError::LengthMismatch {
            begin,
            end,
            strides,
        })
    }
}

/// Returns the positions of the set bits of `mask`, in ascending order.
pub(crate) fn set_bits(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&i| mask >> i & 1 == 1)
}
