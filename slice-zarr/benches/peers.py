"""Measures how long zarr-python or tensorstore, whichever is installed, takes to read slices of a Zarr array.

Prints a line with the library's name and version. Each line of the input is a slice. For each slice, the script prints
a line with the time in milliseconds and the sum of the elements' bit patterns. This command runs the script:
`cargo bench -p slice-zarr-benches --bench read -- --python .venv-zarr/bin/python .venv-tensorstore/bin/python`.

    python -m venv .venv-zarr && .venv-zarr/bin/pip install zarr==3.1.6
    python -m venv .venv-tensorstore && .venv-tensorstore/bin/pip install tensorstore==0.1.86

zarr-python does not support negative steps, so the slice is read with a positive step and then reversed.
"""

import importlib.metadata
import json
import sys
import time

import numpy as np


def zarr_python(directory):
    import zarr

    array = zarr.open_array(directory, mode="r")

    def read(items):
        if any(isinstance(item, np.ndarray) for item in items):
            return array.oindex[items]
        ascending = [slice(None) if isinstance(item, slice) and (item.step or 1) < 0 else item for item in items]
        out = array[tuple(ascending)]
        return np.ascontiguousarray(out[::-1]) if ascending != list(items) else out

    return read


def tensorstore(directory):
    import tensorstore as ts

    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{directory}/"}}
    array = ts.open(spec).result()

    def read(items):
        if any(isinstance(item, np.ndarray) for item in items):
            return array.oindex[items].read().result()
        if items == (slice(None, None, -1),):
            return array[ts.d[0].stride[-1]].read().result()
        return array[items].read().result()

    return read


def main(directory):
    try:
        read, name = zarr_python(directory), "zarr"
    except ImportError:
        read, name = tensorstore(directory), "tensorstore"
    print(name.replace("zarr", "zarr-python"), importlib.metadata.version(name), flush=True)
    for text in sys.stdin:
        items = eval(f"np.s_[{text}]", {"np": np})
        items = items if isinstance(items, tuple) else (items,)
        items = tuple(np.array(item) if isinstance(item, list) else item for item in items)
        begin = time.perf_counter()
        out = read(items)
        ms = 1e3 * (time.perf_counter() - begin)
        total = int(np.ascontiguousarray(out).view(np.uint32).sum(dtype=np.uint64))
        del out
        print(json.dumps({"ms": ms, "sum": total}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
