"""Measures how long zarr-python or tensorstore, whichever is installed, takes to write slices of a Zarr array.

Prints a line with the library's name and version. Each line of the input is a slice. For each slice, the script prints
a line with the time in milliseconds. This command runs the script:
`cargo bench -p slice-zarr-benches --bench write -- --python .venv-zarr/bin/python .venv-tensorstore/bin/python`.
`peers.py` describes how to install the libraries.

zarr-python does not support negative steps, so the values are reversed and then written with a positive step.
tensorstore is configured not to wait until the bytes are on disk, because zarr-python does not wait either.
"""

import importlib.metadata
import json
import sys
import time

import numpy as np


def zarr_python(directory):
    import zarr

    array = zarr.open_array(directory, mode="r+")

    def write(items, values):
        ascending = tuple(slice(None) if isinstance(item, slice) and (item.step or 1) < 0 else item for item in items)
        array[ascending] = values[::-1] if ascending != items else values

    return array.shape, write


def tensorstore(directory):
    import tensorstore as ts

    context = ts.Context({"file_io_sync": False})
    spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{directory}/"}}
    array = ts.open(spec, context=context).result()

    def write(items, values):
        is_reversed = items == (slice(None, None, -1),)
        target = array[ts.d[0].stride[-1]] if is_reversed else array[items]
        target.write(values).result()

    return array.shape, write


def main(directory):
    try:
        (shape, write), name = zarr_python(directory), "zarr"
    except ImportError:
        (shape, write), name = tensorstore(directory), "tensorstore"
    print(name.replace("zarr", "zarr-python"), importlib.metadata.version(name), flush=True)
    for text in sys.stdin:
        items = eval(f"np.s_[{text}]", {"np": np})
        items = items if isinstance(items, tuple) else (items,)
        selected_shape = np.broadcast_to(np.float32(0), shape)[items].shape
        count = int(np.prod(selected_shape))
        values = (np.arange(1, 1 + count) % 1021).astype(np.float32).reshape(selected_shape)
        begin = time.perf_counter()
        write(items, values)
        ms = 1e3 * (time.perf_counter() - begin)
        print(json.dumps({"ms": ms, "sum": 0}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
