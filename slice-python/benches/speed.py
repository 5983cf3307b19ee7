"""Compares the speed of slice_zarr with that of other packages, and prints a table.

    python speed.py [MIB] [ARRAY[:SLICE] ...]

ARRAY is `raw`, `zstd` or `sharded`; by default, all three are measured. SLICE is part of a row's title, such as `mask`; by
default, all rows are measured. Needs zarr, zarrs, zarrista, tensorstore and dask. The
libraries take turns, and the table contains the shortest times of reading a NumPy array. The files are in the page cache. A
library that lacks a kind of slice reads the smallest box that contains it, and NumPy selects from the box, as a user would do;
such times are marked with `*`.
"""

import itertools
import shutil
import sys
import tempfile
import time
from pathlib import Path

import dask.array as da
import numpy as np
import slice_zarr as sz
import tensorstore as ts
import zarr
import zarrista

ROUNDS = 5
# The shortest and the longest time for which a row is measured, in seconds, after the first round.
SHORTEST = 0.5
LONGEST = 3


def with_pipeline(path):
    with zarr.config.set({"codec_pipeline.path": "zarrs.ZarrsCodecPipeline"}):
        return zarr.open_array(path, mode="r")


def openers(path):
    return {
        "slice_zarr": lambda: sz.open(path),
        "zarr-python": lambda: zarr.open_array(path, mode="r"),
        "zarrs-python": lambda: with_pipeline(path),
        "zarrista": lambda: zarrista.Array.open(zarrista.store.FilesystemStore(str(path))),
        "tensorstore": lambda: ts.open({"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{path}/"}}).result(),
    }


def box_of(key, shape):
    """Returns the smallest box that contains `key`, and the key inside the box."""
    box, inner = [], []
    for item, n in zip(key, shape):
        if isinstance(item, slice):
            positions = range(*item.indices(n))
            low, high = min(positions[0], positions[-1]), max(positions[0], positions[-1]) + 1
            box.append(slice(low, high))
            stop = positions[-1] - low + (1 if positions.step > 0 else -1)
            inner.append(slice(positions[0] - low, None if stop < 0 else stop, positions.step))
        elif isinstance(item, np.ndarray):
            item = np.flatnonzero(item) if item.dtype == bool else item
            box.append(slice(int(item.min()), int(item.max()) + 1))
            inner.append(item - item.min())
        else:
            box.append(slice(item, item + 1))
            inner.append(0)
    return tuple(box), tuple(inner)


def read_numpy_box(array, kind, key):
    """Reads a box with a library that has only boxes."""
    box, inner = box_of(key, array.shape)
    out = np.asarray(array[box].to_numpy() if isinstance(array, zarrista.Array) else array[box])
    if all(item == slice(0, n, 1) for item, n in zip(inner, out.shape) if isinstance(item, slice)) and not any(
        isinstance(item, np.ndarray) for item in inner
    ):
        return out[tuple(item if not isinstance(item, slice) else slice(None) for item in inner)]
    if kind == "oindex":
        for axis in reversed(range(out.ndim)):
            out = out[(slice(None),) * axis + (inner[axis],)]
        return np.ascontiguousarray(out)
    return np.ascontiguousarray(out[inner])


def reader(name, array, kind, key):
    """Returns a function that reads a slice, and whether the library lacks the slice."""
    if name == "zarrista":
        is_box = all(not isinstance(item, np.ndarray) and (not isinstance(item, slice) or item.step in (None, 1)) for item in key)
        return lambda: read_numpy_box(array, kind, key), not is_box
    if name in ("zarr-python", "zarrs-python") and any(isinstance(i, slice) and i.step is not None and i.step < 0 for i in key):
        forward = tuple(slice(None) if isinstance(i, slice) and i.step == -1 else i for i in key)
        return lambda: np.ascontiguousarray(array[forward][key]), True
    if name == "tensorstore":
        key = tuple(np.flatnonzero(item) if isinstance(item, np.ndarray) and item.dtype == bool else item for item in key)
        if kind == "oindex":
            return lambda: array.oindex[key].read().result(), False
        if kind == "vindex":
            return lambda: array.vindex[key].read().result(), False
        if any(isinstance(i, slice) and i.step == -1 for i in key):
            return lambda: np.asarray(array[ts.d[0].stride[-1]].read().result()), False
        return lambda: array[key].read().result(), False
    if kind == "oindex":
        return lambda: array.oindex[key], False
    if kind == "vindex":
        return lambda: array.vindex[key], False
    return lambda: array[key], False


def slices(shape, rng):
    rows = shape[0]
    quarter = tuple(slice(n // 8, n // 8 + n // 2) for n in shape)
    count = rows // 8
    mask = rng.random(rows) < 0.5
    whole = (slice(None),) * (len(shape) - 1)
    points = tuple(rng.integers(0, n, 10_000) for n in shape)
    return {
        "a[box]": ("get", quarter),
        "a[::2]": ("get", (slice(None, None, 2), *whole)),
        "a[::-1]": ("get", (slice(None, None, -1), *whole)),
        "a[:, 5]": ("get", (slice(None), 5, *whole[1:])),
        "oindex, sorted": ("oindex", (np.sort(rng.integers(0, rows, count)), *whole)),
        "oindex, random": ("oindex", (rng.integers(0, rows, count), *whole)),
        "oindex, mask": ("oindex", (mask, *whole)),
        "vindex, 10,000 points": ("vindex", points),
    }


def measure(functions, shortest=SHORTEST, longest=LONGEST):
    """Runs the functions alternately for at least `shortest` seconds, and returns the shortest time of each."""
    best = dict.fromkeys(functions, float("inf"))
    begin = time.perf_counter()
    for number in itertools.count():
        for name, function in functions.items():
            start = time.perf_counter()
            result = function()
            best[name] = min(best[name], time.perf_counter() - start)
            del result
        seconds = time.perf_counter() - begin
        if number and (seconds > longest or (seconds > shortest and number >= ROUNDS)):
            break
    return best


def row(title, kind_of_array, times, starred=()):
    first = times["slice_zarr"]
    unit = f"{first * 1e3:.2f} ms" if first >= 1e-3 else f"{first * 1e6:.0f} µs"
    cells = [f"{first / times[name]:.2f}{'*' if name in starred else ''}" if name in times else "–" for name in list(openers(""))[1:]]
    print(f"| {kind_of_array} | {title} | {unit} | " + " | ".join(cells) + " |", flush=True)


def main():
    mib = int(sys.argv[1]) if len(sys.argv) > 1 else 256
    folder = Path(tempfile.mkdtemp())
    rng = np.random.default_rng(1)
    shape = (mib * 2, 256, 512)
    data = (np.arange(shape[0])[:, None, None] + np.arange(256)[:, None] * 3 + np.arange(512) // 7).astype("f4")
    names = list(openers(""))
    print("| array | slice | slice_zarr | " + " | ".join(f"/ {name}" for name in names[1:]) + " |")
    print("|---|---|--:|" + "--:|" * len(names[1:]))
    arrays = {
        "raw": {"chunks": (32, 64, 128), "compressors": None},
        "zstd": {"chunks": (32, 64, 128), "compressors": zarr.codecs.ZstdCodec(level=3)},
        "sharded": {"chunks": (16, 32, 128), "shards": (64, 128, 512), "compressors": zarr.codecs.ZstdCodec(level=3)},
    }
    for argument in sys.argv[2:] or arrays:
        label, _, rows = argument.partition(":")
        options = arrays[label]
        path = folder / label
        zarr.create_array(path, shape=data.shape, dtype="f4", **options)[...] = data
        opened = {name: function() for name, function in openers(path).items()}
        for title, (kind, key) in slices(data.shape, rng).items():
            if rows not in title:
                continue
            functions, starred, expected = {}, set(), None
            for name, array in opened.items():
                function, lacks = reader(name, array, kind, key)
                try:
                    got = np.asarray(function())
                except Exception as error:  # noqa: BLE001
                    print(f"<!-- {name}, {label}, {title}: {type(error).__name__}: {error} -->"[:200])
                    continue
                expected = got if expected is None else expected
                assert np.array_equal(got, expected), (name, label, title)
                functions[name] = function
                starred |= {name} if lacks else set()
                del got
            row(title, label, measure(functions), starred)
        if label != "sharded" and rows in "one element":
            spots = [tuple(int(rng.integers(0, n)) for n in data.shape) for _ in range(100)]
            functions = {}
            for name, array in opened.items():
                read = {"tensorstore": lambda a: lambda k: a[k].read().result(), "zarrista": lambda a: lambda k: a[k].to_numpy()}
                one = read.get(name, lambda a: lambda k: a[k])(array)
                functions[name] = lambda one=one: [one(k) for k in spots]
            row("one element", label, {name: seconds / len(spots) for name, seconds in measure(functions, 10, 10).items()})
        if rows in "open":
            functions = {name: lambda f=f: [f() for _ in range(20)] for name, f in openers(path).items()}
            row("open", label, {name: seconds / 20 for name, seconds in measure(functions, 10, 10).items()})
        if rows in "da.from_array(a)[::-4].sum()":
            sums = {name: (lambda a: lambda: da.from_array(a, chunks=(64, 256, 512))[::-4].sum().compute())(opened[name]) for name in names[:3]}
            row("da.from_array(a)[::-4].sum()", label, measure(sums))
        shutil.rmtree(path)
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
