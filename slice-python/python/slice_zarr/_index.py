"""Brackets with lists, arrays and masks, with NumPy's meaning."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

import numpy as np

from ._engine import Selection

Positions = np.ndarray[Any, np.dtype[np.int64]]
Shape = tuple[int, ...]


class Index(NamedTuple):
    """Brackets: what they select, and the order in which the axes of this selection follow each other in NumPy's result."""

    selection: Selection
    order: tuple[int, ...] | None = None


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


def numpy_index(key: Any, shape: Shape) -> Index:
    """Resolves the brackets `x[key]` as NumPy does."""
    basic = Selection.basic(shape, key)
    if basic is not None:
        return Index(basic)
    axis = 0
    kept: list[Any] = []  # slices, integers, and `True` for new axes; lists, by axis, follow in `lists`
    lists: dict[int, np.ndarray[Any, Any]] = {}  # the positions on each axis with a list, before broadcasting
    flags: list[Positions] = []  # boolean scalars
    place: int | None = None  # the place of the first list, boolean or integer among the items of `kept`
    adjacent = True  # whether the lists, booleans and integers follow each other
    ended = False
    for item in expand(key, len(shape)):
        if not isinstance(item, (np.ndarray, int)):
            ended = place is not None
            if item is not Ellipsis:
                kept.append(True if item is None else item)
                axis += item is not None
            continue
        adjacent = adjacent and not ended
        place = len(kept) if place is None else place
        if isinstance(item, int):
            if not -shape[axis] <= item < shape[axis]:
                raise IndexError(f"index {item} is out of bounds for axis {axis} with size {shape[axis]}")
            kept.append(item)
            axis += 1
            continue
        if item.dtype.kind == "b":
            _check_mask(item, axis, shape)
        if item.dtype.kind == "b" and item.ndim == 0:
            flags.append(np.zeros(int(item), np.int64))
        for positions in [item] if item.dtype.kind != "b" else _nonzero(item) if item.ndim else []:
            lists[axis] = positions
            kept.append(positions)
            axis += 1
    try:
        points = np.broadcast_shapes(*(positions.shape for positions in lists.values()), *(flag.shape for flag in flags))
    except ValueError:
        shapes = " ".join(str(positions.shape) for positions in [*lists.values(), *flags])
        message = f"shape mismatch: indexing arrays could not be broadcast together with shapes {shapes}"
        raise IndexError(message) from None
    assert place is not None
    if not lists:
        # Only boolean scalars, which insert an axis of length 0 or 1.
        assert flags
        kept.insert(place if adjacent else 0, 0 not in points)
        return Index(Selection.listed(shape, kept))
    if 0 not in points:
        # As in NumPy, the positions are not checked if there are no points.
        lists = {axis: _positions(positions, axis, shape[axis]) for axis, positions in lists.items()}
        along = None if flags or len(lists) == 1 else _independent(lists, len(points))
        if along is not None:
            return _independent_lists(shape, kept, lists, along, len(points), place if adjacent else 0)
    return _points(shape, kept, lists, points, adjacent)


def _is_axis(item: Any) -> bool:
    """Returns whether an item of `kept` is an axis of the result, unless it is a list."""
    return item is True or isinstance(item, slice)


def _points(
    shape: Shape, kept: list[Any], lists: dict[int, np.ndarray[Any, Any]], points: Shape, adjacent: bool
) -> Index:
    """Resolves lists whose elements at the same place select an element. All axes from the first list to the last one are
    joined, so the positions on the axes between the lists are listed, too."""
    at = [k for k, item in enumerate(kept) if isinstance(item, np.ndarray)]
    before, inner, after = kept[: at[0]], kept[at[0] : at[-1] + 1], kept[at[-1] + 1 :]
    between = sum(map(_is_axis, inner))
    axis = first = min(lists)
    flat = np.zeros((*points, *(1 for _ in range(between))), np.int64)
    lengths: list[int] = []
    for item in inner:
        if item is True:
            lengths.append(1)
            continue
        positions: Any = item
        if isinstance(item, slice):
            positions = np.arange(*item.indices(shape[axis]))
            lengths.append(len(positions))
            positions = positions.reshape(-1, *(1 for _ in range(between - len(lengths))))
        elif isinstance(item, int):
            positions = item % shape[axis]
        elif 0 in points:
            positions = 0
        else:
            positions = lists[axis].reshape(*lists[axis].shape, *(1 for _ in range(between)))
        flat = flat * shape[axis] + positions
        axis += 1
    flat = np.ascontiguousarray(np.broadcast_to(flat, (*points, *lengths)))
    selection = Selection.listed(shape, [*before, (axis - first, flat), *after])
    earlier = sum(map(_is_axis, before))
    if adjacent or not earlier:
        return Index(selection)
    rank = earlier + len(points)
    return Index(selection, (*range(earlier, rank), *range(earlier), *range(rank, len(selection.shape))))


def _independent(lists: dict[int, Positions], rank: int) -> list[int] | None:
    """Returns the axis of the points along which each list varies, if each list varies along one axis and these axes differ."""
    along: list[int] = []
    for positions in lists.values():
        long = [rank - positions.ndim + k for k, n in enumerate(positions.shape) if n != 1]
        if len(long) != 1 or long[0] in along:
            return None
        along.append(long[0])
    return along


def _independent_lists(
    shape: Shape, kept: list[Any], lists: dict[int, Positions], along: list[int], rank: int, place: int
) -> Index:
    """Resolves lists whose positions are independent of each other, as with `np.ix_`. `along` are the axes of the points, of
    which there are `rank`, along which the lists vary."""
    missing = [k for k in range(rank) if k not in along]
    axes = iter(lists.values())
    # The axes of the points along which nothing varies have length 1, and come last before they are reordered.
    items = [next(axes).reshape(-1) if isinstance(item, np.ndarray) else item for item in kept]
    items += [True for _ in missing]
    is_list = [isinstance(item, np.ndarray) for item in items if isinstance(item, np.ndarray) or _is_axis(item)]
    of_lists = [k for k, listed in enumerate(is_list) if listed]
    end = len(is_list) - len(missing)
    by_axis = dict(zip(along, of_lists, strict=True)) | {k: end + n for n, k in enumerate(missing)}
    rest = [k for k in range(end) if k not in of_lists]
    first = sum(map(_is_axis, kept[:place]))
    order = (*rest[:first], *(by_axis[k] for k in range(rank)), *rest[first:])
    return Index(Selection.listed(shape, items), None if order == tuple(range(len(order))) else order)


def list_index(key: Any, shape: Shape) -> Selection:
    """Resolves the brackets `x.oindex[key]`: each axis is selected by itself, by an integer, a slice, a list or a mask."""
    basic = Selection.basic(shape, key)
    if basic is not None:
        return basic
    items: list[Any] = []
    axis = 0
    for item in expand(key, len(shape)):
        if item is None or item is Ellipsis:
            items.extend([True] if item is None else [])
            continue
        if isinstance(item, np.ndarray):
            if item.ndim != 1:
                raise IndexError(f"each axis takes a list or mask with one axis, but axis {axis} has one with {item.ndim} axes")
            if item.dtype.kind == "b":
                _check_mask(item, axis, shape)
                item = _nonzero(item)[0]
            item = _positions(item, axis, shape[axis])
        items.append(item)
        axis += 1
    return Selection.listed(shape, items)


def point_index(key: Any, shape: Shape) -> Selection:
    """Resolves the brackets `x.vindex[key]`: a mask of the array's shape, or a list of positions for each axis."""
    items = [_as_item(item) for item in key] if isinstance(key, tuple) else [_as_item(key)]
    if len(items) == 1 and isinstance(items[0], np.ndarray) and items[0].dtype.kind == "b" and items[0].ndim:
        mask = items[0]
        if mask.ndim != len(shape):
            raise IndexError(f"the mask has {mask.ndim} axes, but the array has {len(shape)}")
        return numpy_index(mask, shape).selection
    if len(items) != len(shape) or not all(isinstance(item, (int, np.ndarray)) for item in items) or not shape:
        raise IndexError(
            f"vindex takes a mask of shape {shape}, or one list of positions for each of the {len(shape)} axes; use oindex or "
            "brackets for other selections"
        )
    if any(isinstance(item, np.ndarray) and item.dtype.kind == "b" for item in items):
        raise IndexError("vindex takes either one mask or lists of positions")
    return numpy_index(tuple(items), shape).selection
