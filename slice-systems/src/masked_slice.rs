//! Resolves *masked slices*, which are sequences of entries. Entry `i` consists of the `begin`, `end`, stride and mask
//! bits at index `i`. Each entry has a role (range, index, ellipsis or new axis), and axes are assigned to the entries
//! from left to right. The strided slices of TensorFlow, MindSpore, LiteRT and OpenVINO, and Python's slices, are masked
//! slices that differ in a few [`Rules`].

use core::fmt::{self, Display};
use core::ops::Range;

use slice_core::resolve::{
    self, element_count, index_at, open_begin, open_end, range_at, wrap, wrap_and_clamp,
};
use slice_core::{
    AxisRange, DynSliceSpec, Item, ItemMasks, ItemRole, Masks, ResolvedStep, Selection, SliceError,
};

use crate::Dims;
use crate::error::OperationError;

/// The rules in which systems differ. By default, all of them are `false`, as in Python.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Rules {
    /// Whether the stride of an index must be positive. Otherwise, it is ignored.
    pub(crate) checks_index_stride: bool,
    /// Whether a set bit in `begin_mask` turns an index into index 0. Otherwise, the bit is ignored.
    pub(crate) masks_index: bool,
    /// Whether a range with a negative stride starts at the first element if its `begin` lies before that element.
    /// Otherwise, such a range selects nothing.
    pub(crate) starts_at_first: bool,
    /// Whether the `end` of a range is a length: the distance from the `begin` to the end. The range must then have as
    /// many positions within its axis as its length implies.
    pub(crate) offset: bool,
}

/// The masks of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SliceMasks<'a> {
    /// Bit masks.
    Bits(Masks),
    /// Lists of zeros and ones for begin, end, ellipsis, new axis and shrink axis. A short list is extended with zeros.
    Lists([&'a [i64]; 5]),
}

/// A slice that has passed the checks of its system that do not depend on the shape.
#[derive(Debug)]
pub(crate) struct MaskedSlice<'a> {
    pub(crate) begin: &'a [i64],
    /// The ends, one for each entry of `begin`.
    pub(crate) end: &'a [i64],
    /// The strides, one for each entry of `begin`, or `None` if all strides are 1.
    pub(crate) strides: Option<&'a [i64]>,
    pub(crate) masks: SliceMasks<'a>,
    pub(crate) rules: Rules,
}

impl<'a> MaskedSlice<'a> {
    /// Returns the entries of a spec without lists.
    pub(crate) fn of_spec(spec: &'a DynSliceSpec) -> Self {
        debug_assert!(!spec.has_lists());
        MaskedSlice {
            begin: spec.begin(),
            end: spec.end(),
            strides: Some(spec.strides()),
            masks: SliceMasks::Bits(spec.masks()),
            rules: Rules::default(),
        }
    }

    /// Returns the number of entries.
    pub(crate) fn len(&self) -> usize {
        self.begin.len()
    }

    /// Returns the mask bits of entry `item`, which may lie beyond the last entry.
    pub(crate) fn item_masks(&self, item: usize) -> ItemMasks {
        match self.masks {
            SliceMasks::Bits(masks) => masks.item_masks(item),
            SliceMasks::Lists(lists) => {
                let [begin, end, ellipsis, new_axis, shrink_axis] =
                    lists.map(|list| list.get(item) == Some(&1));
                ItemMasks {
                    begin,
                    end,
                    ellipsis,
                    new_axis,
                    shrink_axis,
                }
            }
        }
    }

    /// Returns the `begin`, `end` and stride of entry `item` as written, even if they have no effect.
    pub(crate) fn numbers(&self, item: usize) -> (i64, i64, i64) {
        (self.begin[item], self.end[item], self.stride(item))
    }

    /// Returns the role of entry `item`.
    pub(crate) fn role(&self, item: usize) -> ItemRole {
        self.item_masks(item).role()
    }

    /// Returns the roles of all entries.
    pub(crate) fn roles(&self) -> impl Iterator<Item = ItemRole> + Clone {
        (0..self.len()).map(|item| self.role(item))
    }

    /// Returns the `begin` of the range `item`, or `None` if the `begin` is masked.
    pub(crate) fn begin(&self, item: usize) -> Option<i64> {
        (!self.item_masks(item).begin).then(|| self.begin[item])
    }

    /// Returns the end of the range `item`, or `None` if the end is masked.
    pub(crate) fn end(&self, item: usize) -> Option<i64> {
        (!self.item_masks(item).end).then(|| self.end[item])
    }

    /// Returns the stride of entry `item`.
    pub(crate) fn stride(&self, item: usize) -> i64 {
        self.strides.map_or(1, |strides| strides[item])
    }

    /// Returns entry `item` as a Python item, without clamping its bounds to an axis.
    pub(crate) fn item(&self, item: usize) -> Item {
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

    /// Returns the index, the role and the axes of each entry, from left to right, for an input with `rank` axes. After
    /// the entries comes an implied ellipsis, which has no axes if there is an explicit ellipsis.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::TooManyIndices`] if the entries consume more axes than the input has.
    pub(crate) fn item_axes(
        &self,
        rank: usize,
    ) -> Result<impl Iterator<Item = (usize, ItemRole, Range<usize>)>, SliceError> {
        resolve::item_axes(self.roles(), rank)
    }

    /// Returns the index selected by the index entry `item`. The index may be negative.
    pub(crate) fn index_number(&self, item: usize) -> i64 {
        match self.rules.masks_index {
            true => self.begin(item).unwrap_or(0),
            false => self.begin[item],
        }
    }

    /// Returns the position selected by the index entry `item` on an axis of length `size`.
    pub(crate) fn index(&self, item: usize, axis: usize, size: usize) -> Result<usize, SliceError> {
        match self.stride(item) {
            0 if self.rules.checks_index_stride => Err(SliceError::ZeroStep {
                item,
                axis,
                begin: self.begin(item),
                end: self.end(item),
            }),
            stride if stride < 0 && self.rules.checks_index_stride => {
                let axis = Some(axis);
                Err(SliceError::IndexStride { item, axis, stride })
            }
            _ => index_at(item, axis, self.index_number(item), size),
        }
    }

    /// Returns the `begin` and the end that take effect if the range `item` is applied to an axis of length `size`.
    pub(crate) fn bounds(&self, item: usize, size: usize) -> (Option<i64>, Option<i64>) {
        let begin = self
            .begin(item)
            .map(|begin| match self.rules.starts_at_first {
                true => not_before_first(begin, size),
                false => begin,
            });
        match self.rules.offset {
            true => (
                begin,
                Some(self.offset_bounds(item, size).1).filter(|&end| end >= 0),
            ),
            false => (begin, self.end(item)),
        }
    }

    /// Returns the positions selected by the range `item` on an axis of length `size`.
    pub(crate) fn range(
        &self,
        item: usize,
        axis: usize,
        size: usize,
    ) -> Result<AxisRange, SliceError> {
        if self.rules.offset {
            return self.offset_range(item, axis, size);
        }
        let (begin, end) = self.bounds(item, size);
        range_at(item, axis, begin, end, self.stride(item), size)
    }

    /// If each end is a length, returns the `begin` and the end of the range `item` as positions on an axis of length
    /// `size`. -1 is the position before the first element.
    fn offset_bounds(&self, item: usize, size: usize) -> (i64, i64) {
        let stride = self.stride(item);
        let begin = match self.begin(item) {
            Some(begin) => wrap_and_clamp(begin, stride, size),
            None => open_begin(stride, size),
        };
        let end = match self.end(item) {
            // LiteRT adds 32-bit integers, so the sum may wrap. A negative sum counts from the end.
            Some(length) => {
                wrap_and_clamp(i64::from(begin.wrapping_add(length) as i32), stride, size)
            }
            None => open_end(stride, size),
        };
        (begin, end)
    }

    /// Returns the positions of a range whose end is a length. It is an error if the range has more or fewer positions
    /// within the axis than its length implies.
    fn offset_range(&self, item: usize, axis: usize, size: usize) -> Result<AxisRange, SliceError> {
        let (_, length, step) = self.numbers(item);
        let (start, end) = self.offset_bounds(item, size);
        let begin = Some(if start >= 0 { start } else { i64::MIN });
        let end = (end >= 0).then_some(end);
        let selected = range_at(item, axis, begin, end, step, size)?;
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

    /// Applies the entries to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// Returns, in this order of precedence: [`SliceError::TooManyIndices`] if the entries consume more axes than the
    /// array has, [`SliceError::TooLarge`] if no array can have the shape, and the error of the leftmost invalid entry.
    pub(crate) fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        self.resolve_checked(shape, |_| Ok(()))
    }

    /// Applies the entries in the same way as [`resolve`](Self::resolve), and calls `check` with the index of each
    /// entry before the entry is applied.
    pub(crate) fn resolve_checked<E: From<SliceError>>(
        &self,
        shape: &[usize],
        check: impl Fn(usize) -> Result<(), E>,
    ) -> Result<Selection, E> {
        let items = self.item_axes(shape.len())?;
        // This check must come before the arithmetic on axes below, which relies on valid lengths.
        element_count(shape)?;
        let mut steps = Dims::new();
        for (item, role, axes) in items {
            let axis = axes.start;
            if item < self.len() {
                check(item)?;
            }
            steps.push(match role {
                ItemRole::Ellipsis => {
                    let whole = |&size: &usize| ResolvedStep::Keep(AxisRange::whole(size));
                    steps.extend(shape[axes].iter().map(whole));
                    continue;
                }
                ItemRole::NewAxis => ResolvedStep::Insert { len: 1 },
                ItemRole::Index => ResolvedStep::Drop(self.index(item, axis, shape[axis])?),
                ItemRole::Range => ResolvedStep::Keep(self.range(item, axis, shape[axis])?),
            });
        }
        Ok(Selection::from_steps(shape, steps)?)
    }
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

/// Returns the name and the bit of each mask of an entry.
pub(crate) fn mask_bits(item_masks: ItemMasks) -> [(&'static str, bool); 5] {
    [
        ("begin", item_masks.begin),
        ("end", item_masks.end),
        ("ellipsis", item_masks.ellipsis),
        ("new_axis", item_masks.new_axis),
        ("shrink_axis", item_masks.shrink_axis),
    ]
}

/// Returns the positions of the set bits of `mask`, in ascending order.
pub(crate) fn set_bits(mask: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&i| mask >> i & 1 == 1)
}

/// Converts the masks for begin, end, ellipsis, new axis and shrink axis to bits. `bits` converts one mask, given its
/// name and its value.
pub(crate) fn read_masks(
    [begin, end, ellipsis, new_axis, shrink_axis]: [i64; 5],
    bits: impl Fn(&'static str, i64) -> Result<u64, OperationError>,
) -> Result<Masks, OperationError> {
    Ok(Masks {
        begin: bits("begin_mask", begin)?,
        end: bits("end_mask", end)?,
        ellipsis: bits("ellipsis_mask", ellipsis)?,
        new_axis: bits("new_axis_mask", new_axis)?,
        shrink_axis: bits("shrink_axis_mask", shrink_axis)?,
    })
}

/// Displays the nonzero bit masks as keyword arguments.
pub(crate) struct Keywords(pub(crate) [i64; 5]);

impl Display for Keywords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            "begin_mask",
            "end_mask",
            "ellipsis_mask",
            "new_axis_mask",
            "shrink_axis_mask",
        ];
        for (name, mask) in names.iter().zip(self.0) {
            if mask != 0 {
                write!(f, ", {name}={mask}")?;
            }
        }
        Ok(())
    }
}

/// Implements `from_parts`, which creates an operation from its vectors and masks, and `masks`, which returns its
/// masks. If the operation has one more field, the macro call contains the name of the field and the value that
/// `from_parts` assigns to it.
///
/// The macro does not define the struct itself: each system's module does, and documents the fields in the system's own
/// words.
macro_rules! bit_masked {
    ($Operation:ident $(, $field:ident: $value:expr)?) => {
        impl $Operation {
            /// Returns the entries, which have been checked, with the bits of the masks and the rules of the system.
            fn masked(
                &self,
                masks: slice_core::Masks,
                rules: $crate::masked_slice::Rules,
            ) -> $crate::masked_slice::MaskedSlice<'_> {
                $crate::masked_slice::MaskedSlice {
                    begin: &self.begin,
                    end: &self.end,
                    strides: Some(&self.strides),
                    masks: $crate::masked_slice::SliceMasks::Bits(masks),
                    rules,
                }
            }

            /// Creates the operation from its vectors and its masks for begin, end, ellipsis, new axis and shrink axis.
            pub(crate) fn from_parts(
                [begin, end, strides]: [Vec<i64>; 3],
                masks: [i64; 5],
            ) -> Self {
                let [
                    begin_mask,
                    end_mask,
                    ellipsis_mask,
                    new_axis_mask,
                    shrink_axis_mask,
                ] = masks;
                $Operation {
                    begin,
                    end,
                    strides,
                    begin_mask,
                    end_mask,
                    ellipsis_mask,
                    new_axis_mask,
                    shrink_axis_mask,
                    $($field: $value,)?
                }
            }

            /// Returns the masks for begin, end, ellipsis, new axis and shrink axis.
            pub(crate) fn masks(&self) -> [i64; 5] {
                [
                    self.begin_mask,
                    self.end_mask,
                    self.ellipsis_mask,
                    self.new_axis_mask,
                    self.shrink_axis_mask,
                ]
            }
        }
    };
}

pub(crate) use bit_masked;
