//! The public functions of `resolve`. They accept axes of any length, while the internal functions rely on lengths of
//! at most [`MAX_AXIS_LEN`].

use core::ops::Range;

use crate::error::SliceError;
use crate::resolve::axis;
use crate::resolve::axis::{AxisRange, MAX_AXIS_LEN};
use crate::resolve::shape;
use crate::resolve::walk;
use crate::spec::item::ItemRole;

/// Returns the length of an axis, clamped to [`MAX_AXIS_LEN`].
fn length(size: usize) -> i64 {
    size.min(MAX_AXIS_LEN) as i64
}

/// Returns the number of elements in an array with the shape `shape`.
///
/// # Errors
///
/// Returns [`SliceError::TooLarge`] if `shape` is too large for any array.
///
/// # Example
///
/// ```
/// use slice_core::resolve::element_count;
///
/// assert_eq!(element_count(&[4, 5, 6]), Ok(120));
/// assert!(element_count(&[usize::MAX, 2]).is_err());
/// ```
pub fn element_count(shape: &[usize]) -> Result<usize, SliceError> {
    Ok(shape::element_count(shape)?)
}

/// Assigns the axes of an array with `rank` axes to items with the roles `roles`, from left to right: one axis to each
/// index or range, none to a new axis, and all others to the ellipsis. Returns the number (counted from 0), the role
/// and the axes of each item. The last value describes the implied ellipsis after all items, which covers no axes if
/// one of the items is an ellipsis.
///
/// # Errors
///
/// Returns [`SliceError::TooManyIndices`] if there are fewer axes than indices and ranges.
///
/// # Example
///
/// ```
/// use slice_core::ItemRole;
/// use slice_core::resolve::item_axes;
///
/// let roles = [ItemRole::Index, ItemRole::Ellipsis, ItemRole::NewAxis, ItemRole::Range];
/// let axes: Vec<_> = item_axes(roles, 4)?.map(|(_, _, axes)| axes).collect();
/// assert_eq!(axes, [0..1, 1..3, 3..3, 3..4, 4..4]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
pub fn item_axes(
    roles: impl IntoIterator<Item = ItemRole, IntoIter: Clone>,
    rank: usize,
) -> Result<impl Iterator<Item = (usize, ItemRole, Range<usize>)>, SliceError> {
    let roles = roles.into_iter();
    let consuming = roles.clone().filter(|role| role.consumes()).count();
    let mut axes = walk::ItemAxes::new(rank, consuming)?;
    let roles = roles.chain([ItemRole::Ellipsis]).enumerate();
    Ok(roles.map(move |(item, role)| (item, role, axes.next(role))))
}

/// Returns the position of an index on its axis. `item` is the number of the index among the items of the slice, and
/// `axis` is the number of its axis, both counted from 0. These two numbers are used only in the error.
///
/// Python equivalent: `range(size)[index]`.
///
/// # Errors
///
/// Returns [`SliceError::IndexOutOfBounds`] if the index is not in `-size..size`.
///
/// # Example
///
/// ```
/// use slice_core::resolve::index_at;
///
/// assert_eq!(index_at(0, 0, -2, 5)?, 3);
/// let error = index_at(0, 1, 7, 5).unwrap_err();
/// assert_eq!(error.to_string(), "index 7 is out of bounds for axis 1 with size 5 (item 1 of the slice)");
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[inline]
pub fn index_at(item: usize, axis: usize, index: i64, size: usize) -> Result<usize, SliceError> {
    Ok(walk::index_at(item, axis, index, length(size) as usize)?)
}

/// Returns the positions of a range on its axis. `item` is the number of the range among the items of the slice, and
/// `axis` is the number of its axis, both counted from 0. These two numbers are used only in the error.
///
/// Python equivalent: `range(size)[begin:end:step]`.
///
/// # Errors
///
/// Returns [`SliceError::ZeroStep`] if `step` is 0.
///
/// # Example
///
/// ```
/// use slice_core::resolve::range_at;
///
/// let range = range_at(0, 0, None, Some(-3), -1, 5)?; // `:-3:-1` on an axis with 5 elements
/// assert_eq!(range.positions().collect::<Vec<_>>(), [4, 3]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[inline]
pub fn range_at(
    item: usize,
    axis: usize,
    begin: Option<i64>,
    end: Option<i64>,
    step: i64,
    size: usize,
) -> Result<AxisRange, SliceError> {
    let size = length(size) as usize;
    Ok(walk::range_at(item, axis, begin, end, step, size)?)
}

/// Returns the position of an index on an axis of `size` elements, or `None` if the index is out of bounds.
///
/// ```
/// use slice_core::resolve;
///
/// assert_eq!((resolve::index(-2, 5), resolve::index(5, 5)), (Some(3), None));
/// ```
#[inline]
#[must_use]
pub fn index(index: i64, size: usize) -> Option<usize> {
    axis::index(index, length(size) as usize)
}

/// Converts a written bound to a position counted from 0: a negative bound becomes `bound + size`.
///
/// ```
/// use slice_core::resolve::wrap;
///
/// assert_eq!((wrap(-2, 5), wrap(7, 5), wrap(-7, 5)), (3, 7, -2));
/// ```
#[inline]
#[must_use]
pub fn wrap(bound: i64, size: usize) -> i64 {
    axis::wrap(bound, length(size))
}

/// Returns the position of a written bound, wrapped and clamped to the axis. For a positive step, the result is in
/// `0..=size`. For a negative step, it is in `-1..size`.
///
/// ```
/// use slice_core::resolve::wrap_and_clamp;
///
/// assert_eq!([-7, -2, 7].map(|bound| wrap_and_clamp(bound, 1, 5)), [0, 3, 5]);
/// assert_eq!([-7, -2, 7].map(|bound| wrap_and_clamp(bound, -1, 5)), [-1, 3, 4]);
/// ```
#[inline]
#[must_use]
pub fn wrap_and_clamp(written: i64, step: i64, size: usize) -> i64 {
    axis::wrap_and_clamp(written, step, length(size))
}

/// Returns the position at which a range starts if its `begin` is omitted.
///
/// ```
/// use slice_core::resolve::open_begin;
///
/// assert_eq!((open_begin(1, 5), open_begin(-1, 5)), (0, 4));
/// ```
#[inline]
#[must_use]
pub fn open_begin(step: i64, size: usize) -> i64 {
    axis::open_begin(step, length(size))
}

/// Returns the excluded position at which a range stops if its `end` is omitted. For a negative step, the result is -1.
///
/// ```
/// use slice_core::resolve::open_end;
///
/// assert_eq!((open_end(1, 5), open_end(-1, 5)), (5, -1));
/// ```
#[inline]
#[must_use]
pub fn open_end(step: i64, size: usize) -> i64 {
    axis::open_end(step, length(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_functions_accept_every_bound_step_and_length() {
        let numbers = [i64::MIN, -5, -1, 0, 1, 5, i64::MAX];
        for size in [0, 1, 4, MAX_AXIS_LEN, MAX_AXIS_LEN + 1, usize::MAX] {
            for (at, step) in numbers.iter().flat_map(|&n| numbers.map(|m| (n, m))) {
                let on_axis = 0..length(size);
                assert_eq!(index(at, size).is_some(), on_axis.contains(&wrap(at, size)));
                assert_eq!(index_at(0, 0, at, size).ok(), index(at, size));
                let positions = -1..=length(size);
                assert!(positions.contains(&wrap_and_clamp(at, step, size)));
                assert!(positions.contains(&open_begin(step, size)));
                assert!(positions.contains(&open_end(step, size)));
                let range = range_at(0, 0, Some(at), None, step, size);
                assert_eq!(range.is_err(), step == 0);
            }
        }
    }
}
