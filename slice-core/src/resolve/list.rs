//! Applies a slice with lists to a shape.

use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use crate::error::SliceError;
use crate::resolve::axis;
use crate::resolve::axis::AxisRange;
use crate::resolve::runs::Positions;
use crate::resolve::selection::{OwnedStep, Selection};
use crate::resolve::singles::{Single, are_narrow};
use crate::resolve::walk::{ItemAxes, index_at, range_at};
use crate::spec::borrowed_item::BorrowedItem;
use crate::spec::dyn_outer_spec::DynOuterSpec;
use crate::spec::item::{Item, ItemRole};
use crate::spec::list::{ListRef, Position, with_list};
use crate::spec::list_spec::ListSpec;

impl<const M: usize, K> ListSpec<'_, M, K> {
    /// Determines the elements that the spec selects from an array with the shape `shape`.
    ///
    /// Python equivalent: `x.oindex[spec]`, as in NEP 21, for an array `x` with `x.shape == shape`. All elements of
    /// every list are checked.
    ///
    /// # Errors
    ///
    /// * [`SliceError::TooManyIndices`] if the shape has too few axes. This error is reported before all others.
    /// * [`SliceError::IndexOutOfBounds`] if an index is out of bounds, [`SliceError::ZeroStep`] if a step is zero,
    ///   [`SliceError::ListIndexOutOfBounds`] if an index in a list is out of bounds, and [`SliceError::MaskLength`]
    ///   if the length of a mask differs from that of its axis. If several items are invalid, the error describes the
    ///   leftmost of them. Unlike in NumPy, an empty mask on a non-empty axis is an error.
    /// * [`SliceError::TooLarge`] if `shape`, or the shape of the result, is too large for any array.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let error = s![:, [0, 9]].resolve(&[3, 4]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "index 9 is out of bounds for axis 1 with size 4 (item 2 of the slice, entry 2 of its list)",
    /// );
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        resolve(self.__parts.iter().copied(), shape)
    }
}

impl DynOuterSpec {
    /// Determines the elements that the spec selects from an array with the shape `shape`, as [`ListSpec::resolve`]
    /// does.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`ListSpec::resolve`].
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        resolve(self.parts(), shape)
    }
}

/// Returns the role of a part. A list has the role of a range, because it also applies to one axis, which remains in
/// the result.
const fn role(part: &BorrowedItem<'_>) -> ItemRole {
    match part.item() {
        Some(item) => item.role(),
        None => ItemRole::Range,
    }
}

fn resolve<'a>(
    parts: impl ExactSizeIterator<Item = BorrowedItem<'a>> + Clone,
    shape: &[usize],
) -> Result<Selection, SliceError> {
    let consuming = parts.clone().filter(|part| role(part).consumes()).count();
    let mut axes = ItemAxes::new(shape.len(), consuming)?;
    let (mut parts, mut whole_axes) = (parts.enumerate(), 0..0);
    // The implied ellipsis follows the last item.
    let mut implied = Some(remaining_axes);
    let steps = iter::from_fn(|| {
        loop {
            if let Some(axis) = whole_axes.next() {
                return Some(Ok(keep_range(AxisRange::whole(shape[axis]))));
            }
            let Some((item, part)) = parts.next() else {
                whole_axes = implied.take()?(&mut axes);
                continue;
            };
            let item_axes = axes.next(role(&part));
            match part.item_or_list() {
                Ok(Item::Ellipsis) => whole_axes = item_axes,
                item_or_list => return Some(step(item, item_or_list, item_axes.start, shape)),
            }
        }
    });
    Selection::build_listed(shape, steps)
}

fn remaining_axes(axes: &mut ItemAxes) -> Range<usize> {
    axes.next(ItemRole::Ellipsis)
}

const fn keep_range(range: AxisRange) -> OwnedStep {
    OwnedStep::Keep(Positions::Range(range))
}

/// Returns the effect of an item on its axis. The caller handles an ellipsis itself, because an ellipsis can apply to
/// any number of axes. The arm for an ellipsis is therefore never reached.
fn step(
    item: usize,
    item_or_list: Result<Item, ListRef<'_>>,
    axis: usize,
    shape: &[usize],
) -> Result<OwnedStep, SliceError> {
    Ok(match item_or_list {
        Ok(Item::NewAxis | Item::Ellipsis) => OwnedStep::Insert { len: 1 },
        Ok(Item::Index(index)) => OwnedStep::Drop(index_at(item, axis, index, shape[axis])?),
        Ok(Item::Range { begin, end, step }) => {
            keep_range(range_at(item, axis, begin, end, step, shape[axis])?)
        }
        Err(list) => OwnedStep::Keep(list_at(item, axis, list, shape[axis])?),
    })
}

/// Returns the positions selected by a list. `item` is the number of the list among the items of the slice, counted
/// from 0.
fn list_at(
    item: usize,
    axis: usize,
    list: ListRef<'_>,
    size: usize,
) -> Result<Positions, SliceError> {
    list.resolve(size).map_err(|error| match error {
        ListError::OutOfBounds { place, index } => SliceError::ListIndexOutOfBounds {
            item,
            place,
            axis,
            index,
            size,
        },
        ListError::MaskLength(len) => SliceError::MaskLength {
            item,
            axis,
            len,
            size,
        },
    })
}

/// The reason why a list cannot be resolved.
pub(super) enum ListError {
    /// The element at `place` is not a position on the axis.
    OutOfBounds { place: usize, index: i128 },
    /// The length of the mask differs from the length of the axis.
    MaskLength(usize),
}

/// Returns the positions of a list. One loop wraps and checks all positions. If any position is out of bounds, a second
/// loop searches for the first one.
fn resolve_positions<T: Position>(
    list: &[T],
    written: ListRef<'_>,
    size: usize,
) -> Result<Positions, ListError> {
    if are_narrow(size) {
        wrap_positions(list, written, size, |position| position as u32)
    } else {
        resolve_wide_positions(written, size)
    }
}

/// Returns the positions on an axis that is too long for four-byte positions. Such axes are rare, so this function
/// first copies the list to an `i64` list, and is therefore compiled only once, not once for each integer type.
fn resolve_wide_positions(written: ListRef<'_>, size: usize) -> Result<Positions, ListError> {
    wrap_positions(&written.nearest(), written, size, |position| {
        position as usize
    })
}

#[inline(always)]
fn wrap_positions<T: Position, S: Single>(
    list: &[T],
    written: ListRef<'_>,
    size: usize,
    keep: impl Fn(i64) -> S,
) -> Result<Positions, ListError> {
    // The length of any axis fits in an `i64`.
    let len = size as i64;
    let mut all_inside = true;
    let wrapped = list.iter().map(|&written| {
        let position = axis::wrap(written.nearest(), len);
        all_inside &= position.cast_unsigned() < len.cast_unsigned();
        keep(position)
    });
    let positions: Vec<S> = wrapped.collect();
    if all_inside {
        Ok(Positions::of_singles(positions))
    } else {
        Err(first_out_of_bounds(written, size))
    }
}

#[cold]
fn first_out_of_bounds(list: ListRef<'_>, size: usize) -> ListError {
    let nearest = list.nearest();
    let is_out_of_bounds = |&written: &i64| axis::index(written, size).is_none();
    match nearest.iter().position(is_out_of_bounds) {
        Some(place) => ListError::OutOfBounds {
            place,
            index: list.number(place),
        },
        None => unreachable!("one of the positions is out of bounds"),
    }
}

impl ListRef<'_> {
    /// Returns the selected positions on an axis of `size` elements.
    ///
    /// # Errors
    ///
    /// Returns a [`ListError`] if an element is not a position on the axis, or if the length of a mask differs from the
    /// length of the axis.
    pub(super) fn resolve(self, size: usize) -> Result<Positions, ListError> {
        with_list!(
            self,
            list => resolve_positions(list, self, size),
            mask => match mask.len() == size {
                true => Ok(Positions::of_mask(mask)),
                false => Err(ListError::MaskLength(mask.len())),
            },
            list => list.to_owned().borrowed().resolve(size)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_beyond_four_bytes_are_resolved() {
        let size = 3 << 30;
        let Ok(axis) = ListRef::I8(&[-1, 2, -128]).resolve(size) else {
            panic!("a position on the axis was rejected")
        };
        assert_eq!(axis.to_positions(), [size - 1, 2, size - 128]);
        for (written, index) in [
            (ListRef::U128(&[7, u128::MAX]), i128::MAX),
            (ListRef::I64(&[7, size as i64]), size as i128),
            (ListRef::I128(&[7, i128::MIN]), i128::MIN),
        ] {
            let Err(ListError::OutOfBounds { place: 1, index: i }) = written.resolve(size) else {
                panic!("the second position was not reported as out of bounds")
            };
            assert_eq!(i, index);
        }
    }
}
