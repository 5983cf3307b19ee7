"""A plugin of pytest that runs the tests of Dask and xarray with arrays of slice_zarr.

    python -m pytest -p with_slice_zarr --pyargs dask.array.tests.test_slicing
    python -m pytest -p with_slice_zarr --pyargs dask.array.tests.test_array_core -k from_array
    python -m pytest -p with_slice_zarr --pyargs xarray.tests.test_backends -k Zarr

`dask.array.from_array` stores each NumPy array in a Zarr array first, and xarray opens Zarr groups with the engine `slice_zarr`.
"""

import dask.array as da
import dask.array.core
import numpy as np
import slice_zarr as sz
import xarray as xr
import zarr
from zarr.storage import MemoryStore

from_array = dask.array.core.from_array
counts = {"arrays": 0, "datasets": 0}


def stored(x):
    """Returns an array of slice_zarr with the elements of `x`, or `x` itself if it is no plain array that Zarr can store."""
    if type(x) is not np.ndarray or x.dtype.kind not in "biufcM" or 0 in x.shape or not x.dtype.isnative:
        return x
    try:
        array = sz.open(zarr.create_array(MemoryStore(), shape=x.shape, chunks=tuple(min(n, 3) for n in x.shape), dtype=x.dtype))
        array[...] = x
    except (TypeError, ValueError):
        return x
    counts["arrays"] += 1
    return array


def from_stored_array(x, *arguments, **parameters):
    return from_array(stored(x), *arguments, **parameters)


def with_engine(function):
    def open_with_engine(*arguments, **parameters):
        if parameters.get("engine") == "zarr":
            parameters["engine"] = "slice_zarr"
            counts["datasets"] += 1
        return function(*arguments, **parameters)

    return open_with_engine


def pytest_configure(config):
    for module in (da, dask.array.core):
        module.from_array = from_stored_array
    for name in ("open_dataset", "open_datatree", "open_groups"):
        function = with_engine(getattr(xr, name))
        setattr(xr, name, function)
        setattr(xr.backends.api, name, function)


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"slice_zarr: {counts['arrays']} arrays, {counts['datasets']} datasets")
