"""Brackets with lists, arrays and masks, with NumPy's meaning."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._engine import Selection

Positions = np.ndarray[Any, np.dtype[np.int64]]
Shape = tuple[int, ...]


@dataclass
class Outer:
    """A read or write in which each axis is selected by itself.

    The result of `selection` is reshaped to `shape`, and its axes are then reordered to `order`.
    """

    selection: Selection
    shape: Shape | None = None
    order: tuple[int, ...] | None = None


@dataclass
class Points:
    """A read or write of points on several axes.

    `rest` drops these axes and selects from the others. The first axis of the result is that of the points. The result is
    reshaped to `shape`, and its axes are then reordered to `order`.
    """

    axes: list[int]
    coordinates: list[Positions]
    rest: Selection
    shape: Shape
    order: tuple[int, ...]


def _as_item(item: Any) -> Any:
    """Returns an item of the brackets as an integer, a slice, `None`, `...`, or an array of integers or booleans."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if not isinstance(item, (bool, np.bool_, np.ndarray, list, tuple)):
        try:
            return operator.index(item)
        except TypeError:
            pass
    array = np.asarray(item)
    if array.ndim == 0 and array.dtype.kind in "iu":
        return int(array)
    if array.size == 0 and not isinstance(item, np.ndarray):
        array = array.astype(np.int64)
    if array.dtype.kind not in "iub":
        if array.ndim == 0:
            raise IndexError(
                "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays are "
                "valid indices"
            )
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return array


def _axes_of(item: Any) -> int:
    """Returns the number of axes that an item indexes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, np.ndarray) and item.dtype.kind == "b":
        return item.ndim
    return 1


def expand(key: Any, ndim: int) -> list[Any]:
    """Returns the items of the brackets, with whole axes in the place of `...`. If there are none, `...` remains, because it
    still separates lists."""
    items = [_as_item(item) for item in key] if isinstance(key, tuple) else [_as_item(key)]
    used = sum(map(_axes_of, items))
    if used > ndim:
        raise IndexError(f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed")
    ellipses = [at for at, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if ellipses and used == ndim:
        return items
    at = ellipses[0] if ellipses else len(items)
    return items[:at] + [slice(None)] * (ndim - used) + items[at + 1 :]


def _positions(item: np.ndarray[Any, Any], axis: int, size: int) -> Positions:
    """Returns an array of indices as positions that are counted from the start."""
    if item.dtype.kind == "u" and item.size and int(item.max()) >= size:
        raise IndexError(f"index {int(item.max())} is out of bounds for axis {axis} with size {size}")
    positions: Positions = item.astype(np.int64, copy=False)
    if positions.size:
        low, high = int(positions.min()), int(positions.max())
        if low < -size or high >= size:
            bad = low if low < -size else high
            raise IndexError(f"index {bad} is out of bounds for axis {axis} with size {size}")
        if low < 0:
            positions = np.where(positions < 0, positions + size, positions)
    return positions


def _check_mask(mask: np.ndarray[Any, Any], axis: int, shape: Shape) -> None:
    for k, (actual, size) in enumerate(zip(mask.shape, shape[axis:], strict=False)):
        if actual != size:
            raise IndexError(
                f"boolean index did not match indexed array along axis {axis + k}; size of axis is {size} but size of "
                f"corresponding boolean axis is {actual}"
            )


def _nonzero(mask: np.ndarray[Any, Any]) -> list[Positions]:
    return [positions.astype(np.int64, copy=False) for positions in np.nonzero(mask)]


def numpy_index(key: Any, shape: Shape) -> Outer | Points:
    """Resolves the brackets `x[key]` as NumPy does."""
    basic = Selection.basic(shape, key)
    if basic is not None:
        return Outer(basic)
    items = expand(key, len(shape))
    axis = 0
    kept: list[Any] = []  # the items for `Selection.outer`; an array stands for a list
    joined: list[tuple[int, np.ndarray[Any, Any]]] = []  # the axes with lists, and their positions before broadcasting
    integers: list[int] = []  # the axes with integers
    flags: list[Positions] = []  # boolean scalars
    groups: list[bool] = []  # for each item, whether it is an array or an integer
    first = 0  # the number of axes of the result before the first array or integer
    seen = False
    for item in items:
        advanced = isinstance(item, (np.ndarray, int))
        groups.append(advanced)
        if item is Ellipsis:
            continue
        seen = seen or advanced
        if not seen:
            first += 1
        if item is None:
            kept.append(None)
        elif isinstance(item, slice):
            kept.append(item)
            axis += 1
        elif isinstance(item, int):
            if not -shape[axis] <= item < shape[axis]:
                raise IndexError(f"index {item} is out of bounds for axis {axis} with size {shape[axis]}")
            integers.append(axis)
            kept.append(item)
            axis += 1
        elif item.dtype.kind == "b":
            _check_mask(item, axis, shape)
            if item.ndim == 0:
                flags.append(np.zeros(int(item), np.int64))
            for positions in _nonzero(item) if item.ndim else []:
                joined.append((axis, positions))
                kept.append(0)
                axis += 1
        else:
            joined.append((axis, item))
            kept.append(0)
            axis += 1
    at = [k for k, advanced in enumerate(groups) if advanced]
    adjacent = at[-1] - at[0] + 1 == len(at)
    try:
        shape_of_points = np.broadcast_shapes(*(positions.shape for _, positions in joined), *(f.shape for f in flags))
    except ValueError:
        shapes = " ".join(str(positions.shape) for positions in [p for _, p in joined] + flags)
        message = f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        raise IndexError(message) from None
    if 0 in shape_of_points:
        # As in NumPy, the positions are not checked if there are no points.
        joined = [(axis, np.zeros_like(positions, np.int64)) for axis, positions in joined]
    else:
        joined = [(axis, _positions(positions, axis, shape[axis])) for axis, positions in joined]
    others = sum(1 for item in items if item is None or isinstance(item, slice))
    rank = len(shape_of_points)
    place = first if adjacent else 0
    is_outer = not flags and (len(joined) == 1 or 0 not in shape_of_points)
    outer = _as_outer(joined, shape_of_points) if is_outer else None
    if outer is not None:
        # The positions on each axis are independent of the others, as with `np.ix_`.
        return _outer(shape, kept, joined, outer, shape_of_points, place)
    if not joined:
        # Only boolean scalars, which insert an axis of length 0 or 1.
        whole = Selection.outer(shape, kept)
        if 0 in shape_of_points:
            return Outer(_emptied(whole), shape_of_points + whole.shape, _order(rank, others, place))
        return Outer(whole, shape_of_points + whole.shape, _order(rank, others, place))
    axes = [axis for axis, _ in joined]
    rest = _rest(shape, kept, axes)
    arrays = [np.ascontiguousarray(np.broadcast_to(positions, shape_of_points)).reshape(-1) for _, positions in joined]
    return Points(axes, arrays, rest, shape_of_points + rest.shape, _order(rank, others, place))


def _emptied(selection: Selection) -> Selection:
    """Returns the selection without any element. Its shape does not matter, because the result is reshaped."""
    flat = Selection.basic(selection.shape, (None, Ellipsis))
    assert flat is not None
    empty = Selection.basic(flat.shape, slice(0, 0))
    assert empty is not None
    return selection.compose(flat).compose(empty)


def _rest(shape: Shape, kept: list[Any], axes: list[int]) -> Selection:
    """Returns the selection from the axes other than `axes`, for which `kept` contains 0. An axis of length 0 has no
    position 0, but then there are no points either."""
    return Selection.outer(tuple(1 if axis in axes and size == 0 else size for axis, size in enumerate(shape)), kept)


def _order(rank: int, others: int, place: int) -> tuple[int, ...]:
    """Returns the order of the axes of the result, if the first `rank` axes move to the position `place`."""
    points = list(range(rank))
    rest = list(range(rank, rank + others))
    return (*rest[:place], *points, *rest[place:])


def _as_outer(joined: list[tuple[int, Positions]], points: Shape) -> list[int] | None:
    """Returns the axis of `points` along which each list varies, if each list varies along one axis and these axes differ."""
    if len(joined) == 1:
        return [0]
    if not joined:
        return None
    along: list[int] = []
    for _, positions in joined:
        long = [len(points) - positions.ndim + k for k, n in enumerate(positions.shape) if n != 1]
        if len(long) != 1 or long[0] in along:
            return None
        along.append(long[0])
    return along


def _outer(
    shape: Shape, kept: list[Any], joined: list[tuple[int, Positions]], along: list[int], points: Shape, place: int
) -> Outer:
    items, axis = [], 0
    lists = dict(joined)
    list_axes: list[int] = []  # the axes of the result that come from lists, in the order of `joined`
    out = 0
    for item in kept:
        if axis in lists and item is not None:
            items.append(np.ascontiguousarray(lists[axis]).reshape(-1))
            list_axes.append(out)
            out += 1
        else:
            items.append(item)
            out += item is None or isinstance(item, slice)
        axis += item is not None
    selection = Selection.outer(shape, items)
    result = selection.shape
    others = [k for k in range(out) if k not in list_axes]
    if len(joined) == 1:
        at = list_axes[0]
        rank = len(points)
        reshaped = result[:at] + points + result[at + 1 :]
        list_positions = list(range(at, at + rank))
        rest = [k if k < at else k + rank - 1 for k in others]
    else:
        # Axes of `points` along which nothing varies have length 1, and come last before they are reordered.
        missing = [k for k in range(len(points)) if k not in along]
        reshaped = result + (1,) * len(missing)
        by_axis = dict(zip(along, list_axes, strict=True)) | {k: out + n for n, k in enumerate(missing)}
        list_positions = [by_axis[k] for k in range(len(points))]
        rest = others
    order = (*rest[:place], *list_positions, *rest[place:])
    is_same = order == tuple(range(len(order)))
    return Outer(selection, None if reshaped == result else reshaped, None if is_same else order)


def outer_index(key: Any, shape: Shape) -> Selection:
    """Resolves the brackets `x.oindex[key]`: each axis is selected by itself, by an integer, a slice, a list or a mask."""
    basic = Selection.basic(shape, key)
    if basic is not None:
        return basic
    items: list[Any] = []
    axis = 0
    for item in expand(key, len(shape)):
        if item is None or item is Ellipsis:
            items.extend([None] if item is None else [])
            continue
        if isinstance(item, np.ndarray):
            if item.ndim != 1:
                raise IndexError(f"each axis takes a list or mask with one axis, but axis {axis} has one with {item.ndim} axes")
            if item.dtype.kind == "b":
                _check_mask(item, axis, shape)
                item = _nonzero(item)[0]
            item = np.ascontiguousarray(_positions(item, axis, shape[axis]))
        items.append(item)
        axis += 1
    return Selection.outer(shape, items)


def point_index(key: Any, shape: Shape) -> Points:
    """Resolves the brackets `x.vindex[key]`: a mask of the array's shape, or a list of positions for each axis."""
    items = [_as_item(item) for item in key] if isinstance(key, tuple) else [_as_item(key)]
    if len(items) == 1 and isinstance(items[0], np.ndarray) and items[0].dtype.kind == "b" and items[0].ndim:
        mask = items[0]
        if mask.ndim != len(shape):
            raise IndexError(f"the mask has {mask.ndim} axes, but the array has {len(shape)}")
        _check_mask(mask, 0, shape)
        lists = _nonzero(mask)
    elif len(items) == len(shape) and all(isinstance(item, (int, np.ndarray)) for item in items) and shape:
        arrays = [np.asarray(item) for item in items]
        if any(array.dtype.kind == "b" for array in arrays):
            raise IndexError("vindex takes either one mask or lists of positions")
        lists = [_positions(array, axis, shape[axis]) for axis, array in enumerate(arrays)]
    else:
        raise IndexError(
            f"vindex takes a mask of shape {shape}, or one list of positions for each of the {len(shape)} axes; use oindex or "
            "brackets for other selections"
        )
    try:
        points = np.broadcast_shapes(*(array.shape for array in lists))
    except ValueError:
        shapes = " ".join(str(array.shape) for array in lists)
        message = f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        raise IndexError(message) from None
    flat = [np.ascontiguousarray(np.broadcast_to(array, points)).reshape(-1) for array in lists]
    rest = _rest(shape, [0] * len(shape), list(range(len(shape))))
    return Points(list(range(len(shape))), flat, rest, points, tuple(range(len(points))))
