"""Slices the arrays in stores.jsonl.gz with masks and points on several axes and lists with several axes, and records
NumPy's results.

The script uses NumPy to apply the items of a slice one after the other, each to its own axes. For slices that consist of
one mask or of points on all axes, zarr-python's `vindex`, `get_mask_selection` and `get_coordinate_selection`, and
tensorstore's `vindex`, must return the same results, and zarr-python's `set_mask_selection` and
`set_coordinate_selection` must write the same elements.

Writes joined.jsonl.gz, whose lines are described in lists.py. Run in the environment of oracle.py:

    target/oracle-zarr/bin/python slice-zarr/tests/zarr/joined.py
"""

import base64
import gzip
import json
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import tensorstore as ts
import zarr

from lists import HERE, WRITTEN_STORES, numpy_item, random_list_or_mask, random_range, recorded_arrays, without_ellipsis
from oracle import STORES, base64_bytes, chunk_numbers

SEED = 20261129
CASES_PER_STORE = 15


class Points(tuple):
    """The lists of an item `zip(...)`."""


def random_mask(rng, shape):
    share = rng.choice([0, 0.02, 0.3, 0.5, 0.97, 1])
    if share == 0.5:
        # The mask has runs.
        rows = int(np.prod(shape[:-1]))
        begins = [rng.randint(0, shape[-1]) for _ in range(rows)]
        return (np.arange(shape[-1]) >= np.array(begins)[:, None]).reshape(shape)
    return np.array([rng.random() < share for _ in range(int(np.prod(shape)))], bool).reshape(shape)


def random_positions(rng, n, shape):
    return np.array([rng.randint(-n, n - 1) for _ in range(int(np.prod(shape)))], int).reshape(shape)


def random_points(rng, sizes):
    """Returns points as text. Some of their lists are broadcast, and some points are repeated."""
    if rng.random() < 0.1:
        return "zip(" + ", ".join("[]" for _ in sizes) + ")"
    shape = rng.choice([(1,), (5,), (24,), (2, 3), (2, 1, 2)])
    lists = []
    for n in sizes:
        first = rng.randint(0, len(shape) - 1) if rng.random() < 0.2 else 0
        lists.append(random_positions(rng, n, shape[first:]))
    if rng.random() < 0.3 and all(part.shape == shape for part in lists):
        lists = [np.concatenate([part, part[::-1]]) for part in lists]
    return "zip(" + ", ".join(str(part.tolist()) for part in lists) + ")"


def random_slice(rng, shape):
    """Returns a random slice, as a string, with at least one joined item."""
    rank, kind = len(shape), rng.randrange(5)
    if kind == 0 and rank > 1:
        return str(random_mask(rng, shape).tolist())
    if kind == 1 and rank > 1:
        return random_points(rng, shape)
    items, axis, joined = [], 0, rng.randrange(rank)
    while axis < rank:
        n, rest = shape[axis], rank - axis
        if rng.random() < 0.08:
            items.append("newaxis")
        if axis == joined and rest > 1 and rng.random() < 0.8:
            count = rng.randint(2, rest)
            sizes = shape[axis : axis + count]
            items.append(random_points(rng, sizes) if rng.random() < 0.5 else str(random_mask(rng, sizes).tolist()))
            axis += count
            continue
        if axis == joined:
            items.append(str(random_positions(rng, n, rng.choice([(2, 3), (1, 1), (2, 2, 2)])).tolist()))
        elif rng.random() < 0.25:
            items.append(str(random_list_or_mask(rng, n)))
        elif rng.random() < 0.3:
            items.append(str(rng.randint(-n, n - 1)))
        else:
            items.append(rng.choice([":", random_range(rng, n)]))
        axis += 1
    return ", ".join(items)


def invalid_slice(rng, shape):
    n = shape[0]
    if len(shape) == 1:
        return rng.choice([f"[[0, {n}]]", f"[[{-n - 1}], [0]]"])
    second = shape[1]
    return rng.choice(
        [
            f"zip([0, 0], [0, {second}])",
            f"zip([0, {-n - 1}], [0])",
            f"zip([0, {n}], [[0], [0]])",
            "zip([0, 0], [0, 0, 0])",
            str(np.ones((n + 1, second), bool).tolist()),
            str(np.ones((n, second + 1), bool).tolist()),
        ]
    )


def parse(source):
    items = eval(f"np.s_[{source}]", {"np": np, "newaxis": None, "zip": lambda *lists: Points(lists)})
    return items if isinstance(items, tuple) and not isinstance(items, Points) else (items,)


def indices(item):
    """Returns the item as NumPy accepts it."""
    if isinstance(item, Points):
        return tuple(numpy_array(part) for part in item)
    return (numpy_array(item),) if isinstance(item, list) else (numpy_item(item),)


def numpy_array(part):
    array = np.array(part)
    return array if array.dtype == bool else array.astype(np.int64)


def input_axes(item):
    if item is None:
        return 0
    if isinstance(item, Points):
        return len(item)
    array = indices(item)[0]
    return array.ndim if isinstance(array, np.ndarray) and array.dtype == bool else 1


def output_axes(item):
    if isinstance(item, int):
        return 0
    if isinstance(item, Points):
        return np.broadcast(*indices(item)).ndim
    array = indices(item)[0]
    return 1 if not isinstance(array, np.ndarray) or array.dtype == bool else array.ndim


def with_all_axes(items, rank):
    missing = rank - sum(map(input_axes, items))
    return items + (slice(None),) * missing


def select(array, items):
    """Applies the items to the array in sequence, each to its own axes, and returns the result."""
    # Each item is first applied to the whole array, so that errors name the axis and its length in the whole array.
    axis = 0
    for item in items:
        if item is not None:
            array[(slice(None),) * axis + indices(item)]
            axis += input_axes(item)
    axis = 0
    for item in items:
        array = np.asarray(array[(slice(None),) * axis + indices(item)])
        axis += output_axes(item)
    return array


def write_reversed(data, items, out):
    """Returns the array after the selected elements have been written back in reverse order. If several values are written
    to an element, the last value remains."""
    places = select(np.arange(data.size).reshape(data.shape), items).ravel()
    flat = data.copy().ravel()
    flat[places] = out.ravel()[::-1]
    return flat.reshape(data.shape)


def compare(name, source, items, array, other, data, out, compared):
    """Compares NumPy's result with those of zarr-python and tensorstore for one mask or for points on all axes."""
    if len(items) != 1 or input_axes(items[0]) != data.ndim or data.ndim == 1:
        return
    item = indices(items[0])
    if isinstance(items[0], Points):
        results = [array.vindex[item], array.get_coordinate_selection(item)]
        compared["zarr points"] += 1
        if other is not None:
            positive = tuple(part % n for part, n in zip(item, data.shape))
            results.append(other.vindex[positive].read().result())
            compared["tensorstore points"] += 1
    else:
        results = [array.vindex[item[0]], array.get_mask_selection(item[0])]
        compared["zarr masks"] += 1
        if other is not None:
            results.append(other.vindex[item[0]].read().result())
            compared["tensorstore masks"] += 1
    for theirs in map(np.asarray, results):
        assert theirs.shape == out.shape and base64_bytes(theirs) == base64_bytes(out), (name, source)


def compare_written(name, source, items, inner, data, out, after, compared):
    if len(items) != 1 or input_axes(items[0]) != data.ndim or data.ndim == 1 or not out.size:
        return
    copy = zarr.create_array(zarr.storage.MemoryStore(), data=data, chunks=inner)
    item, values = indices(items[0]), out.ravel()[::-1].reshape(out.shape)
    if isinstance(items[0], Points):
        copy.set_coordinate_selection(tuple(part.ravel() for part in np.broadcast_arrays(*item)), values.ravel())
    else:
        copy.set_mask_selection(item[0], values)
    assert base64_bytes(copy[...]) == base64_bytes(after), (name, source)
    compared["written by zarr"] += 1


def main():
    rng = random.Random(SEED)
    lines = []
    compared = dict.fromkeys(
        ["zarr points", "zarr masks", "tensorstore points", "tensorstore masks", "written by zarr"], 0
    )
    for name, files in recorded_arrays():
        _, shape, inner, holes = STORES[name]
        if not shape or 0 in shape or name in ("v2_datetime", "v2_bytes"):
            continue
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory)
            for key, data in files.items():
                (path / key).parent.mkdir(parents=True, exist_ok=True)
                (path / key).write_bytes(base64.b64decode(data))
            array = zarr.open_array(directory, mode="r")
            data = array[...]
            other = None
            if data.dtype.kind not in "mMSU":
                driver = "zarr3" if (path / "zarr.json").exists() else "zarr"
                other = ts.open({"driver": driver, "kvstore": {"driver": "file", "path": f"{path}/"}}).result()
            numbers = chunk_numbers(shape, inner)
            places = np.arange(data.size).reshape(shape)
            sources = [random_slice(rng, shape) for _ in range(CASES_PER_STORE)] + [invalid_slice(rng, shape)]
            written = 0
            for source in sources:
                case = {"of": name, "slice": source}
                try:
                    items = parse(source)
                    items = with_all_axes(items, len(shape))
                    out = select(data, items)
                except (IndexError, ValueError) as error:
                    lines.append(case | {"error": str(error).split("\n")[0].strip()})
                    continue
                compare(name, source, items, array, other, data, out, compared)
                distinct = len(np.unique(select(places, items)))
                case |= {"shape": list(out.shape), "bytes": base64_bytes(out), "distinct": distinct}
                if name in WRITTEN_STORES and written < 5:
                    written += 1
                    after = write_reversed(data, items, out)
                    case["written"] = base64_bytes(after)
                    compare_written(name, source, items, inner, data, out, after, compared)
                if not holes:
                    case["chunks"] = len(np.unique(select(numbers, items)))
                lines.append(case)
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "zarr": zarr.__version__, "tensorstore": "0.1.86"}
    header = {"script": "joined.py", "seed": SEED, "versions": versions, "cases": len(lines), "asked": compared}
    with open(HERE / "joined.jsonl.gz", "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
            for line in [header, *lines]:
                file.write((json.dumps(line) + "\n").encode())
    print(header)


if __name__ == "__main__":
    main()
