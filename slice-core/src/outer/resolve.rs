//! Applies a slice with lists to a shape.

use core::iter;
use core::ops::Range;

use crate::error::SliceError;
use crate::outer::dyn_spec::DynOuterSpec;
use crate::outer::list::{ListError, ListRef};
use crate::outer::part::OuterPart;
use crate::outer::runs::OuterAxis;
use crate::outer::selection::{OuterSelection, OuterStep};
use crate::outer::spec::OuterSpec;
use crate::resolve::axis::AxisRange;
use crate::resolve::walk::{ItemAxes, index_at, range_at};
use crate::spec::item::{Item, ItemRole};

impl<const M: usize, K> OuterSpec<'_, M, K> {
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
    pub fn resolve(&self, shape: &[usize]) -> Result<OuterSelection, SliceError> {
        resolve(self.__parts.iter().copied(), shape)
    }
}

impl DynOuterSpec {
    /// Determines the elements that the spec selects from an array with the shape `shape`, as [`OuterSpec::resolve`]
    /// does.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`OuterSpec::resolve`].
    pub fn resolve(&self, shape: &[usize]) -> Result<OuterSelection, SliceError> {
        resolve(self.parts(), shape)
    }
}

/// Returns the role of a part. A list has the role of a range, because it also applies to one axis, which remains in
/// the result.
const fn role(part: &OuterPart<'_>) -> ItemRole {
    match part.item() {
        Some(item) => item.role(),
        None => ItemRole::Range,
    }
}

fn resolve<'a>(
    parts: impl ExactSizeIterator<Item = OuterPart<'a>> + Clone,
    shape: &[usize],
) -> Result<OuterSelection, SliceError> {
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
    OuterSelection::build(shape, steps)
}

fn remaining_axes(axes: &mut ItemAxes) -> Range<usize> {
    axes.next(ItemRole::Ellipsis)
}

const fn keep_range(range: AxisRange) -> OuterStep {
    OuterStep::Keep(OuterAxis::Range(range))
}

/// Returns the effect of an item on its axis. The caller handles an ellipsis itself, because an ellipsis can apply to
/// any number of axes. The arm for an ellipsis is therefore never reached.
fn step(
    item: usize,
    item_or_list: Result<Item, ListRef<'_>>,
    axis: usize,
    shape: &[usize],
) -> Result<OuterStep, SliceError> {
    Ok(match item_or_list {
        Ok(Item::NewAxis | Item::Ellipsis) => OuterStep::Insert { len: 1 },
        Ok(Item::Index(index)) => OuterStep::Drop(index_at(item, axis, index, shape[axis])?),
        Ok(Item::Range { begin, end, step }) => {
            keep_range(range_at(item, axis, begin, end, step, shape[axis])?)
        }
        Err(list) => OuterStep::Keep(list_at(item, axis, list, shape[axis])?),
    })
}

/// Returns the positions selected by a list. `item` is the number of the list among the items of the slice, counted
/// from 0.
fn list_at(
    item: usize,
    axis: usize,
    list: ListRef<'_>,
    size: usize,
) -> Result<OuterAxis, SliceError> {
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
