"""Slices the arrays in stores.jsonl.gz with lists and masks, and records NumPy's results.

The script uses NumPy to apply the items of a slice one axis at a time. The `oindex` of zarr-python and that of
tensorstore must return the same results for all slices that they support.

Writes lists.jsonl.gz, which contains a header, and a line for each slice. The line contains NumPy's error, or the shape
and the bytes of the result (C order, little-endian) and the number of distinct selected elements. Unless chunks are
missing, it also contains the number of chunks (for a sharded array, of inner chunks) with selected elements. For some
arrays, it also contains the whole array after the selected elements have been written back in reverse order. Run in
the environment of oracle.py:

    target/oracle-zarr/bin/python slice-zarr/tests/zarr/lists.py

zarr-python's oindex supports neither new axes nor negative steps. tensorstore does not support strings, dates, or
fixed-length byte strings.
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

from oracle import STORES, base64_bytes, chunk_numbers

SEED = 20261123
HERE = Path(__file__).parent


def recorded_arrays():
    """Yields the name and the files of each array in stores.jsonl.gz."""
    with gzip.open(HERE / "stores.jsonl.gz", "rt") as lines:
        for line in map(json.loads, lines):
            if "files" in line:
                yield line["store"], line["files"]


def random_list_or_mask(rng, n):
    """Returns a random mask or a random list for an axis of length n. The list may be unordered and may repeat
    positions."""
    kind = rng.randrange(7)
    if kind == 0:
        share = rng.choice([0.1, 0.5, 0.9, 1.0])
        return [rng.random() < share for _ in range(n)]
    if kind == 1:
        return sorted(rng.sample(range(n), rng.randint(0, n)))
    if kind == 2 and n > 1:
        # The list consists of ascending runs, descending runs, and runs of one repeated position.
        positions = []
        for _ in range(rng.randint(1, 4)):
            begin, step = rng.randrange(n), rng.choice([-2, -1, 0, 1, 1, 3])
            positions += [begin + k * step for k in range(rng.randint(4, 12)) if 0 <= begin + k * step < n]
        return positions
    positions = [rng.randint(-n, n - 1) for _ in range(rng.randint(0, 2 * min(n, 12)))] if n else []
    if kind == 3:
        positions.sort(key=lambda k: k % n)
    return positions


def random_range(rng, n):
    begin, end = (rng.choice(["", str(rng.randint(-n - 1, n + 1))]) for _ in range(2))
    return f"{begin}:{end}:{rng.choice(['', '', '1', '2', '3', '-1', '-2'])}"


def random_slice(rng, shape):
    """Returns a random slice, as a string, with at least one list or mask."""
    items, lists = [], rng.sample(range(len(shape)), rng.randint(1, min(3, len(shape))))
    for axis, n in enumerate(shape):
        if rng.random() < 0.08:
            items.append("newaxis")
        if axis in lists:
            items.append(str(random_list_or_mask(rng, n)))
        elif rng.random() < 0.2 and n > 0:
            items.append(str(rng.randint(-n, n - 1)))
        else:
            items.append(rng.choice([":", random_range(rng, n)]))
    if lists[-1] == len(shape) - 1 and rng.random() < 0.2:
        items.insert(0, "...")
    return ", ".join(items)


def invalid_slice(rng, shape):
    axis = rng.randrange(len(shape))
    n = shape[axis]
    wrong = rng.choice([[0] * (n > 0) + [n], [-n - 1], [True] * (n + 1), [2**62]])
    return ", ".join([":"] * axis + [str(wrong)])


def parse(source):
    items = eval(f"np.s_[{source}]", {"np": np, "newaxis": None})
    return items if isinstance(items, tuple) else (items,)


def numpy_item(item):
    """Returns the item as NumPy accepts it. A list is converted to an array with a data type, because NumPy cannot
    infer the data type of an empty list."""
    if not isinstance(item, list):
        return item
    return np.array(item, bool if item and isinstance(item[0], bool) else np.int64)


def without_ellipsis(items, rank):
    """Returns the items without an ellipsis, and with a full slice for each axis to which no item applies.

    The ellipsis is replaced because zarr-python compares each item with `...`, which is an error for arrays.
    """
    if Ellipsis not in items:
        items = (*items, Ellipsis)
    at = items.index(Ellipsis)
    axis_items = sum(item is not None and item is not Ellipsis for item in items)
    return items[:at] + (slice(None),) * (rank - axis_items) + items[at + 1 :]


def outer(array, items):
    """Applies the items to the array in sequence, each to its own axis, and returns the result."""
    # Each item is first applied to the whole array, so that errors name the axis and its length in the whole array.
    axis = 0
    for item in items:
        if item is not None:
            array[(slice(None),) * axis + (numpy_item(item),)]
            axis += 1
    axis = 0
    for item in items:
        array = np.asarray(array[(slice(None),) * axis + (numpy_item(item),)])
        axis += item is None or not isinstance(item, int)
    return array


def has_same_meaning_in_tensorstore(items):
    """Returns True if the items have the same meaning in tensorstore as in NumPy: tensorstore neither counts positions
    from the end nor clamps bounds."""
    ranges = all(not isinstance(item, slice) or item == slice(None) for item in items)
    numbers = all(k >= 0 for item in items if isinstance(item, list) for k in item)
    return ranges and numbers and None not in items


def write_reversed(data, items, out):
    """Returns the array after the selected elements have been written back in reverse order, and whether each element
    is selected at most once.

    If several values are written to an element, the last value remains.
    """
    places = outer(np.arange(data.size).reshape(data.shape), items).ravel()
    flat = data.copy().ravel()
    flat[places] = out.ravel()[::-1]
    return flat.reshape(data.shape), len(np.unique(places)) == places.size


# The stores whose selected elements are also written back. Together, they cover most codecs and several data types.
WRITTEN_STORES = [
    "raw_2d", "raw_big_endian", "raw_u8_3d", "gzip_3d", "zstd_1d", "blosc_2d", "transpose", "sharded_zstd", "sharded_raw",
    "sharded_index_first", "sharded_holes", "holes", "uint32_4d", "v2_fortran", "v2_zstd_holes", "ts_sharded",
]  # fmt: skip


def main():
    rng = random.Random(SEED)
    lines, compared = [], {"zarr": 0, "tensorstore": 0, "written": 0}
    for name, files in recorded_arrays():
        _, shape, inner, holes = STORES[name]
        if not shape or name in ("v2_datetime", "v2_bytes"):
            continue
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory)
            for key, data in files.items():
                (path / key).parent.mkdir(parents=True, exist_ok=True)
                (path / key).write_bytes(base64.b64decode(data))
            array = zarr.open_array(directory, mode="r")
            data = array[...]
            other = None
            if data.dtype.kind not in "mMSU" and 0 not in shape:
                driver = "zarr3" if (path / "zarr.json").exists() else "zarr"
                other = ts.open({"driver": driver, "kvstore": {"driver": "file", "path": f"{path}/"}}).result()
            numbers = chunk_numbers(shape, inner)
            places = np.arange(data.size).reshape(shape)
            for source in [random_slice(rng, shape) for _ in range(18)] + [invalid_slice(rng, shape) for _ in range(2)]:
                case = {"of": name, "slice": source}
                items = without_ellipsis(parse(source), len(shape))
                try:
                    out = outer(data, items)
                except (IndexError, ValueError) as error:
                    lines.append(case | {"error": str(error).split("\n")[0]})
                    continue
                is_ascending = not any(isinstance(item, slice) and (item.step or 1) < 0 for item in items)
                if is_ascending and None not in items:
                    theirs = np.asarray(array.oindex[tuple(map(numpy_item, items))])
                    assert theirs.shape == out.shape and base64_bytes(theirs) == base64_bytes(out), (name, source)
                    compared["zarr"] += 1
                if other is not None and has_same_meaning_in_tensorstore(items):
                    positive = (item % n if isinstance(item, int) else item for item, n in zip(items, shape))
                    theirs = other.oindex[tuple(map(numpy_item, positive))].read().result()
                    assert theirs.shape == out.shape and base64_bytes(theirs) == base64_bytes(out), (name, source)
                    compared["tensorstore"] += 1
                distinct = len(np.unique(outer(places, items)))
                case |= {"shape": list(out.shape), "bytes": base64_bytes(out), "distinct": distinct}
                if name in WRITTEN_STORES:
                    after, once = write_reversed(data, items, out)
                    case["written"] = base64_bytes(after)
                    if once and is_ascending and None not in items and out.size:
                        copy = zarr.create_array(zarr.storage.MemoryStore(), data=data, chunks=inner)
                        copy.oindex[tuple(map(numpy_item, items))] = out.ravel()[::-1].reshape(out.shape)
                        assert base64_bytes(copy[...]) == base64_bytes(after), (name, source)
                        compared["written"] += 1
                if not holes:
                    case["chunks"] = len(np.unique(outer(numbers, items)))
                lines.append(case)
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "zarr": zarr.__version__, "tensorstore": "0.1.86"}
    header = {"script": "lists.py", "seed": SEED, "versions": versions, "cases": len(lines), "asked": compared}
    with open(HERE / "lists.jsonl.gz", "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
            for line in [header, *lines]:
                file.write((json.dumps(line) + "\n").encode())
    print(header)


if __name__ == "__main__":
    main()
