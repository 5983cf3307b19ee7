"""Runs the tests of Dask and xarray with arrays of slice_zarr.

    python with_slice_zarr.py [ARGUMENTS OF PYTEST]

This file is also the plugin of pytest with which the tests run: `dask.array.from_array` stores each NumPy array in a Zarr array
first, and xarray opens Zarr groups with the engine `slice_zarr`. with_slice_zarr.txt lists the tests that are left out, each
with a reason.
"""

import os
import subprocess
import sys
from pathlib import Path

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


HERE = Path(__file__).parent

# TestZarrWriteEmpty is left out because it repeats TestZarrDirectoryStore, and tests only how arrays are written.
SUITES = [
    ["dask.array.tests.test_slicing"],
    ["dask.array.tests.test_array_core", "-k", "from_array"],
    ["xarray.tests.test_backends", "-k", "(zarr or fsspec) and not TestZarrWriteEmpty"],
    ["xarray.tests.test_backends_datatree", "-k", "zarr"],
]


def left_out(module):
    """Returns the names of the tests of a module that are left out, as pytest writes them."""
    lines = (HERE / "with_slice_zarr.txt").read_text().splitlines()
    names = [line.split(": ")[0] for line in lines if line and not line.startswith("#")]
    return [name.replace(f"{module}::", "") for name in names if name.startswith(f"{module}::")]


def main():
    for module, *selected in SUITES:
        file = subprocess.run(
            [sys.executable, "-c", f"import importlib.util as u; print(u.find_spec({module!r}).origin)"], capture_output=True, text=True
        ).stdout.strip()
        folder, name = Path(file).parent, Path(file).name
        deselected = [argument for test in left_out(module) for argument in ("--deselect", f"{name}::{test}")]
        command = [sys.executable, "-m", "pytest", "-q", "-p", "with_slice_zarr", "-p", "no:cacheprovider", "--rootdir", folder,
                   "-o", "asyncio_mode=auto", file, *selected, *deselected, *sys.argv[1:]]  # fmt: skip
        print(f"== {module}", flush=True)
        status = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": str(HERE)}).returncode
        if status:
            sys.exit(status)


if __name__ == "__main__":
    main()
