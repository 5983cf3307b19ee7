//! Applies a slice with lists to a shape.

use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use smallvec::SmallVec;

use crate::error::SliceError;
use crate::resolve::axis;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::positions::form::{Single, are_narrow};
use crate::resolve::selection::Selection;
use crate::resolve::shape::{common_shape, element_count};
use crate::resolve::step::ResolvedStep;
use crate::resolve::walk::{ItemAxes, index_at, range_at};
use crate::spec::dyn_spec::DynSliceSpec;
use crate::spec::item::{Item, ItemRef, ItemRole};
use crate::spec::list::sealed::Integer;
use crate::spec::list::{ListArray, ListRef, with_list};
use crate::spec::list_spec::ListSpec;
use crate::spec::nd_list::next_place;

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
        resolve(self.parts(), shape)
    }
}

impl DynSliceSpec {
    /// Determines the elements that the spec selects from an array with the shape `shape`, as
    /// [`SliceSpec::resolve`](crate::SliceSpec::resolve) and [`ListSpec::resolve`] do.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`ListSpec::resolve`].
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        match self.encoded() {
            Ok(encoded) => Selection::new(encoded, shape),
            Err(_) => resolve(self.borrowed_items(), shape),
        }
    }
}

/// Creates an `ItemAxes` for an array with `rank` axes and a slice with the items `items`.
///
/// # Errors
///
/// Returns [`SliceError::TooManyIndices`] if the items apply to more axes than the array has.
pub(crate) fn axes_of_items<'a>(
    items: impl Iterator<Item = ItemRef<'a>>,
    rank: usize,
) -> Result<ItemAxes, SliceError> {
    let consumed = items.filter_map(|item| item.input_axes());
    Ok(ItemAxes::new(rank, consumed.sum())?)
}

/// Returns the axes of the next item.
pub(crate) fn next_axes(axes: &mut ItemAxes, item: &ItemRef<'_>) -> Range<usize> {
    match item.input_axes() {
        Some(count) => axes.take(count),
        None => axes.next(ItemRole::Ellipsis),
    }
}

/// Applies the items of a slice to a shape.
pub(crate) fn resolve<'a>(
    items: impl Iterator<Item = ItemRef<'a>> + Clone,
    shape: &[usize],
) -> Result<Selection, SliceError> {
    let mut axes = axes_of_items(items.clone(), shape.len())?;
    // The lengths are checked before any list is read, so that its positions fit in the types in which they are stored.
    let mut selection = Selection::without_axes(shape)?;
    for (number, item) in items.enumerate() {
        let item_axes = next_axes(&mut axes, &item);
        let (axis, sizes) = (item_axes.start, &shape[item_axes]);
        let at = ItemAt { item: number, axis };
        match item {
            ItemRef::Item(Item::Index(index)) => {
                let position = index_at(number, axis, index, sizes[0])?;
                selection.push(ResolvedStep::Drop(position));
            }
            ItemRef::Item(Item::Range { begin, end, step }) => {
                let range = range_at(number, axis, begin, end, step, sizes[0])?;
                selection.push(ResolvedStep::Keep(range));
            }
            ItemRef::Item(Item::NewAxis) => selection.push(ResolvedStep::Insert { len: 1 }),
            ItemRef::Item(Item::Ellipsis) => keep_whole(&mut selection, sizes),
            ItemRef::List(list) => push_list(&mut selection, at, list, sizes)?,
            ItemRef::Points(lists) => push_points(&mut selection, at, &lists, sizes)?,
            ItemRef::Item(Item::List(_) | Item::Mask(_) | Item::Points(_)) => {
                unreachable!("`ItemRef` borrows lists")
            }
        }
    }
    // The ellipsis that is implied after the last item.
    keep_whole(&mut selection, &shape[axes.next(ItemRole::Ellipsis)]);
    selection.set_len()?;
    Ok(selection)
}

/// Keeps all positions of the next axes, whose lengths are in `sizes`.
fn keep_whole(selection: &mut Selection, sizes: &[usize]) {
    for &size in sizes {
        selection.push(ResolvedStep::Keep(AxisRange::whole(size)));
    }
}

/// Applies a list or a mask to the axes from `at.axis` on, whose lengths are in `sizes`.
fn push_list(
    selection: &mut Selection,
    at: ItemAt,
    list: ListArray<'_>,
    sizes: &[usize],
) -> Result<(), SliceError> {
    let mut copy = None;
    let elements = list.elements().contiguous(&mut copy);
    let len = elements.len();
    if let ListRef::Mask(mask) = elements {
        return push_mask(selection, at, mask, &list.shape_of(len), sizes);
    }
    let positions = elements
        .resolve(sizes[0])
        .map_err(|error| at.error(error, sizes[0]))?;
    selection.push_positions(1, &list.shape_of(len), positions);
    Ok(())
}

/// The number of an item among the items of the slice, counted from 0, and the first axis to which it applies.
#[derive(Clone, Copy)]
pub(crate) struct ItemAt {
    pub(crate) item: usize,
    pub(crate) axis: usize,
}

impl ItemAt {
    fn error(self, error: OutOfBounds, size: usize) -> SliceError {
        let (ItemAt { item, axis }, OutOfBounds { place, index }) = (self, error);
        SliceError::ListIndexOutOfBounds {
            item,
            place,
            axis,
            index,
            size,
        }
    }
}

/// Checks that a mask of shape `shape` has as many elements as each of the axes from `at.axis` on, whose lengths are in
/// `sizes`.
pub(crate) fn check_mask(at: ItemAt, shape: &[usize], sizes: &[usize]) -> Result<(), SliceError> {
    let mut lengths = shape.iter().zip(sizes).zip(at.axis..);
    match lengths.find(|((len, size), _)| len != size) {
        None => Ok(()),
        Some(((&len, &size), axis)) => Err(SliceError::MaskLength {
            item: at.item,
            axis,
            len,
            size,
        }),
    }
}

/// Keeps the positions at which a mask of shape `shape` is true.
fn push_mask(
    selection: &mut Selection,
    at: ItemAt,
    mask: &[bool],
    shape: &[usize],
    sizes: &[usize],
) -> Result<(), SliceError> {
    check_mask(at, shape, sizes)?;
    let len = element_count(shape)?;
    assert_eq!(
        mask.len(),
        len,
        "a mask should have one element for each element of its shape"
    );
    let positions = AxisPositions::of_mask(mask);
    selection.push_positions(shape.len(), &[positions.len()], positions);
    Ok(())
}

/// Applies points: one list for each axis from `at.axis` on. The lists are broadcast.
fn push_points(
    selection: &mut Selection,
    at: ItemAt,
    lists: &[ListArray<'_>],
    sizes: &[usize],
) -> Result<(), SliceError> {
    let shapes = lists.iter().map(|list| match list.elements() {
        ListRef::Scattered(_) => list.shape_of(0),
        elements => list.shape_of(elements.len()),
    });
    let shapes: SmallVec<[_; 2]> = shapes.collect();
    let broadcast = |all: SmallVec<_>, shape: &SmallVec<_>| common_shape(&all, shape);
    let Some(shape) = shapes.iter().try_fold(SmallVec::new(), broadcast) else {
        // As NumPy does, the message omits lists without axes.
        let shapes = shapes.into_iter().filter(|shape| !shape.is_empty());
        let shapes = shapes.map(SmallVec::into_boxed_slice);
        let shapes = shapes.collect();
        return Err(SliceError::BroadcastPoints {
            item: at.item,
            shapes,
        });
    };
    let len = element_count(&shape)?;
    let joined_len = sizes
        .iter()
        .try_fold(1, |all: usize, &size| all.checked_mul(size));
    let flat = match joined_len {
        Some(all) if are_narrow(all) => points::<u32>(at, lists, sizes, &shape, len)?,
        Some(_) => points::<usize>(at, lists, sizes, &shape, len)?,
        // The input is empty, so the other axes select nothing.
        None => {
            points::<usize>(at, lists, sizes, &shape, len)?;
            AxisPositions::of_run(AxisRange::new(0, 0, len))
        }
    };
    selection.push_positions(sizes.len(), &shape, flat);
    Ok(())
}

/// Returns the flat positions of points, in C order over their axes.
fn points<S: Single>(
    at: ItemAt,
    lists: &[ListArray<'_>],
    sizes: &[usize],
    shape: &[usize],
    len: usize,
) -> Result<AxisPositions, SliceError> {
    let mut flat = Vec::new();
    if flat.try_reserve_exact(len).is_err() {
        return Err(SliceError::Allocation { elements: len });
    }
    flat.resize(len, S::default());
    let mut stride = sizes
        .iter()
        .fold(1, |all: usize, &size| all.wrapping_mul(size));
    for (k, (list, &size)) in lists.iter().zip(sizes).enumerate() {
        stride = stride.checked_div(size).unwrap_or(0);
        let mut copy = None;
        let elements = list.elements().contiguous(&mut copy);
        let at = ItemAt {
            axis: at.axis + k,
            ..at
        };
        let error = |error| at.error(error, size);
        let written = list.shape_of(elements.len());
        if written[..] == *shape {
            elements.add_to(size, stride, &mut flat).map_err(error)?;
            continue;
        }
        // Every element is checked, including the elements of a list that is repeated zero times.
        let positions = elements.resolve(size).map_err(error)?.to_vec();
        let mut place = vec![0; shape.len()];
        let missing = shape.len() - written.len();
        for flat in &mut flat {
            let places = written.iter().zip(&place[missing..]);
            let from = places.fold(0, |from, (&len, &k)| {
                from * len + if len == 1 { 0 } else { k }
            });
            flat.add(positions[from].wrapping_mul(stride));
            next_place(&mut place, shape);
        }
    }
    Ok(AxisPositions::of_singles(flat))
}

/// An element of a list that is not a position on its axis.
pub(super) struct OutOfBounds {
    place: usize,
    index: i128,
}

/// Returns the positions of a list. One loop wraps and checks all positions. If any position is out of bounds, a second
/// loop searches for the first one.
fn resolve_positions<T: Integer>(
    list: &[T],
    written: ListRef<'_>,
    size: usize,
) -> Result<AxisPositions, OutOfBounds> {
    if are_narrow(size) {
        wrap_positions(list, written, size, |position| position as u32)
    } else {
        resolve_wide_positions(written, size)
    }
}

/// Returns the positions on an axis that is too long for four-byte positions. Such axes are rare, so this function
/// first copies the list to an `i64` list, and is therefore compiled only once, not once for each integer type.
fn resolve_wide_positions(written: ListRef<'_>, size: usize) -> Result<AxisPositions, OutOfBounds> {
    wrap_positions(&written.nearest(), written, size, |position| {
        position as usize
    })
}

#[inline(always)]
fn wrap_positions<T: Integer, S: Single>(
    list: &[T],
    written: ListRef<'_>,
    size: usize,
    keep: impl Fn(i64) -> S,
) -> Result<AxisPositions, OutOfBounds> {
    // The length of any axis fits in an `i64`.
    let len = size as i64;
    let mut signs = 0;
    let wrapped = list.iter().map(|&written| {
        let position = axis::wrap(written.nearest(), len);
        signs |= signs_of(position, len);
        keep(position)
    });
    let positions: Vec<S> = wrapped.collect();
    if signs >= 0 {
        Ok(AxisPositions::of_singles(positions))
    } else {
        Err(first_out_of_bounds(written, size))
    }
}

/// Returns a negative number if and only if the position is not on an axis of length `len`. Baseline instructions of
/// x86-64 compare vectors of 64-bit numbers slowly, but subtract and combine them fast.
#[inline(always)]
const fn signs_of(position: i64, len: i64) -> i64 {
    position | (len - 1).wrapping_sub(position)
}

#[cold]
fn first_out_of_bounds(list: ListRef<'_>, size: usize) -> OutOfBounds {
    let nearest = list.nearest();
    let is_out_of_bounds = |&written: &i64| axis::index(written, size).is_none();
    match nearest.iter().position(is_out_of_bounds) {
        Some(place) => OutOfBounds {
            place,
            index: list.number(place),
        },
        None => unreachable!("one of the positions is out of bounds"),
    }
}

impl ListRef<'_> {
    /// Returns the selected positions on an axis of `size` elements. The list must contain positions, and must be
    /// contiguous.
    pub(super) fn resolve(self, size: usize) -> Result<AxisPositions, OutOfBounds> {
        with_list!(self, list => resolve_positions(list, self, size), Ok(AxisRange::whole(0).into()))
    }

    /// Adds the distance `stride` times each position, on an axis of `size` elements, to `flat`, which is as long as the
    /// list. The list must contain positions, and must be contiguous.
    fn add_to<S: Single>(
        self,
        size: usize,
        stride: usize,
        flat: &mut [S],
    ) -> Result<(), OutOfBounds> {
        with_list!(self, list => add_positions(list, self, size, stride, flat), Ok(()))
    }
}

#[inline(always)]
fn add_positions<T: Integer, S: Single>(
    list: &[T],
    written: ListRef<'_>,
    size: usize,
    stride: usize,
    flat: &mut [S],
) -> Result<(), OutOfBounds> {
    // The length of any axis fits in an `i64`.
    let len = size as i64;
    let mut signs = 0;
    for (flat, &written) in flat.iter_mut().zip(list) {
        let position = axis::wrap(written.nearest(), len);
        signs |= signs_of(position, len);
        flat.add((position as usize).wrapping_mul(stride));
    }
    match signs >= 0 {
        true => Ok(()),
        false => Err(first_out_of_bounds(written, size)),
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
        assert!(axis.iter().eq([size - 1, 2, size - 128]));
        for (written, index) in [
            (ListRef::U128(&[7, u128::MAX]), i128::MAX),
            (ListRef::I64(&[7, size as i64]), size as i128),
            (ListRef::I128(&[7, i128::MIN]), i128::MIN),
        ] {
            let Err(OutOfBounds { place: 1, index: i }) = written.resolve(size) else {
                panic!("the second position was not reported as out of bounds")
            };
            assert_eq!(i, index);
        }
    }
}
