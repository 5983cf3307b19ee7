//! Functions that compute shapes and copy small arrays in constants, for slices with lists.

use crate::constant::gather_array_of;
use crate::constant::nest::Nest;
use crate::error::SliceError;
use crate::error::message::{length_does_not_fit, rank_does_not_fit};
use crate::error::resolve_error::ResolveError;
use crate::resolve::axis;
use crate::resolve::axis::AxisRange;
use crate::resolve::shape::element_count;
use crate::resolve::walk::{ItemAxes, index_at, range_at};
use crate::spec::borrowed_item::{BorrowedItem, Part};
use crate::spec::item::{ItemRole, saturate};
use crate::spec::kind::Range;
use crate::spec::list::{ListArray, ListRef};
use crate::spec::list_spec::ListSpec;
use crate::spec::slice_spec::SliceSpec;

impl<const M: usize, K> ListSpec<'_, M, K> {
    /// Returns the shape of the result for an array with the shape `shape`.
    ///
    /// Python equivalent: `x.oindex[spec].shape`, where `x.shape == shape`.
    ///
    /// # Panics
    ///
    /// Panics if [`resolve`](Self::resolve) would return an error, if the result does not have `OUT` axes, if the elements
    /// of a list are not contiguous in memory, or if the slice has points, or a list or a mask that does not have one axis.
    /// In a constant, the panic is a compile error on the caller's line.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// const SHAPE: [usize; 3] = s![[2, 0, -1, 0], newaxis, 1:].output_shape([4, 6]);
    /// assert_eq!(SHAPE, [4, 1, 5]);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// # use slice_core::s;
    /// // index 5 is out of bounds for axis 1 with size 5 (item 2 of the slice, entry 1 of its list)
    /// const SHAPE: [usize; 2] = s![:, [5]].output_shape([4, 5]);
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn output_shape<const N: usize, const OUT: usize>(
        &self,
        shape: [usize; N],
    ) -> [usize; OUT] {
        let axes = resolve(&self.__parts, &shape);
        let mut item_axes = ok!(ItemAxes::new(N, consuming_items(&self.__parts)));
        let (mut out, mut rank, mut item) = ([0; OUT], 0, 0);
        // The implied ellipsis follows the last item.
        while item <= self.__parts.len() {
            let role = match item < self.__parts.len() {
                true => role(&self.__parts[item].__item),
                false => ItemRole::Ellipsis,
            };
            let input = item_axes.next(role);
            let kept = match role {
                ItemRole::Index => 0,
                ItemRole::NewAxis => 1,
                ItemRole::Range | ItemRole::Ellipsis => input.end - input.start,
            };
            let mut k = 0;
            while k < kept {
                if rank < OUT {
                    out[rank] = match role {
                        ItemRole::NewAxis => 1,
                        _ => axes[input.start + k].range.len,
                    };
                }
                (rank, k) = (rank + 1, k + 1);
            }
            item += 1;
        }
        if rank != OUT {
            rank_does_not_fit(rank, OUT).panic();
        }
        ok!(element_count(&out));
        out
    }

    /// Returns the selected elements of a flat C-order buffer, as an array.
    ///
    /// Python equivalent: `x.oindex[spec].ravel()`, where `x.shape == shape`.
    ///
    /// # Panics
    ///
    /// Panics if [`resolve`](Self::resolve) would return an error, if the elements of a list are not contiguous in
    /// memory, if the length of `data` does not match `shape`, or if the result does not have `LEN` elements. In a
    /// constant, the panic is a compile error on the caller's line.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// const PIXEL: [u8; 4] = [10, 20, 30, 255];
    /// const BGR: [u8; 3] = s![[2, 1, 0]].gather_array(&PIXEL, [4]);
    /// const GRAY: [u8; 4] = s![[0, 0, 0, 3]].gather_array(&PIXEL, [4]);
    /// assert_eq!((BGR, GRAY), ([30, 20, 10], [10, 10, 10, 255]));
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn gather_array<T: Copy, const N: usize, const LEN: usize>(
        &self,
        data: &[T],
        shape: [usize; N],
    ) -> [T; LEN] {
        let axes = resolve(&self.__parts, &shape);
        let expected = ok!(element_count(&shape));
        if data.len() != expected {
            let actual = data.len();
            ResolveError::new(SliceError::BufferLength { expected, actual }).panic();
        }
        let (mut lens, mut axis) = ([0; N], 0);
        while axis < N {
            lens[axis] = axes[axis].range.len;
            axis += 1;
        }
        let len = ok!(element_count(&lens));
        if LEN != len {
            length_does_not_fit(len, LEN).panic();
        }
        if LEN == 0 {
            let empty = SliceSpec::<1, (Range, ())>::__encoded([0], [0], [1], 1, 0);
            return gather_array_of(&Nest::<1>::new(empty.encoded(), &[data.len()]), data);
        }
        let mut out = [data[offset(&axes, &shape, 0)]; LEN];
        let mut k = 1;
        while k < LEN {
            out[k] = data[offset(&axes, &shape, k)];
            k += 1;
        }
        out
    }
}

/// The selected positions on one axis: a range, or the whole of a list.
#[derive(Clone, Copy)]
struct ConstAxis<'a> {
    range: AxisRange,
    list: Option<ListRef<'a>>,
}

impl<'a> ConstAxis<'a> {
    const fn range(range: AxisRange) -> Self {
        ConstAxis { range, list: None }
    }

    /// Returns the `k`-th position on an axis of `size` elements, for `k < range.len`.
    const fn position(self, k: usize, size: usize) -> usize {
        match self.list {
            None => self.range.position(k),
            Some(ListRef::Mask(mask)) => {
                let (mut left, mut position) = (k, 0);
                while !mask[position] || left > 0 {
                    left -= mask[position] as usize;
                    position += 1;
                }
                position
            }
            Some(list) => axis::wrap(saturate(list.number(k)), size as i64) as usize,
        }
    }
}

/// Returns the offset, in the flat input buffer, of element `k` of the result.
const fn offset<const N: usize>(axes: &[ConstAxis<'_>; N], shape: &[usize; N], k: usize) -> usize {
    let (mut offset, mut stride, mut rest, mut axis) = (0, 1, k, N);
    while axis > 0 {
        axis -= 1;
        let len = axes[axis].range.len;
        offset += axes[axis].position(rest % len, shape[axis]) * stride;
        rest /= len;
        stride *= shape[axis];
    }
    offset
}

/// Returns the role of a part. A list has the role of a range, because it also applies to one axis, which remains in
/// the result.
const fn role(part: &BorrowedItem<'_>) -> ItemRole {
    match *part {
        BorrowedItem::Item(spec) => spec.masks().item_masks(0).role(),
        BorrowedItem::List(list) => {
            one_axis(list);
            ItemRole::Range
        }
        _ => panic!("{}", NOT_ONE_AXIS),
    }
}

/// The error for an item that a `const fn` cannot resolve.
const NOT_ONE_AXIS: &str = "a constant cannot contain points, or a list or a mask with several axes: resolve the slice instead";

/// Returns the elements of a list with one axis.
const fn one_axis(list: ListArray<'_>) -> ListRef<'_> {
    match (list.elements(), list.rank()) {
        (ListRef::Columns([positions]), _) => ListRef::Usize(positions.as_slice()),
        (ListRef::Columns(_), _) => panic!("{}", NOT_ONE_AXIS),
        (elements, 1) => elements,
        _ => panic!("{}", NOT_ONE_AXIS),
    }
}

const fn consuming_items<K>(parts: &[Part<'_, K>]) -> usize {
    let (mut consuming, mut item) = (0, 0);
    while item < parts.len() {
        consuming += role(&parts[item].__item).consumes() as usize;
        item += 1;
    }
    consuming
}

/// Returns the selected positions on each input axis. A dropped axis has one position. Panics on an error.
#[track_caller]
const fn resolve<'a, K, const N: usize>(
    parts: &[Part<'a, K>],
    shape: &[usize; N],
) -> [ConstAxis<'a>; N] {
    let mut item_axes = ok!(ItemAxes::new(N, consuming_items(parts)));
    ok!(element_count(shape));
    let (mut axes, mut axis) = ([ConstAxis::range(AxisRange::whole(0)); N], 0);
    while axis < N {
        axes[axis] = ConstAxis::range(AxisRange::whole(shape[axis]));
        axis += 1;
    }
    let mut item = 0;
    while item < parts.len() {
        let part = &parts[item].__item;
        let role = role(part);
        let axis = item_axes.next(role).start;
        match *part {
            BorrowedItem::Item(spec) => match role {
                ItemRole::NewAxis | ItemRole::Ellipsis => {}
                ItemRole::Index => {
                    let position = ok!(index_at(item, axis, spec.begin()[0], shape[axis]));
                    axes[axis] = ConstAxis::range(AxisRange::single(position));
                }
                ItemRole::Range => {
                    let (begin, end, step) = spec.encoded().bounds(0);
                    let range = ok!(range_at(item, axis, begin, end, step, shape[axis]));
                    axes[axis] = ConstAxis::range(range);
                }
            },
            BorrowedItem::List(list) => {
                axes[axis] = list_at(item, axis, one_axis(list), shape[axis]);
            }
            _ => panic!("{}", NOT_ONE_AXIS),
        }
        item += 1;
    }
    axes
}

#[track_caller]
const fn list_at(item: usize, axis: usize, list: ListRef<'_>, size: usize) -> ConstAxis<'_> {
    let (mut len, mut place) = (list.len(), 0);
    if let ListRef::Mask(mask) = list {
        if len != size {
            ResolveError::new(SliceError::MaskLength {
                item,
                axis,
                len,
                size,
            })
            .panic();
        }
        len = 0;
        while place < size {
            len += mask[place] as usize;
            place += 1;
        }
    } else {
        while place < len {
            let index = list.number(place);
            if axis::index(saturate(index), size).is_none() {
                ResolveError::new(SliceError::ListIndexOutOfBounds {
                    item,
                    place,
                    axis,
                    index,
                    size,
                })
                .panic();
            }
            place += 1;
        }
    }
    ConstAxis {
        range: AxisRange::whole(len),
        list: Some(list),
    }
}
