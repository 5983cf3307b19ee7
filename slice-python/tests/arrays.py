"""The arrays that the tests read: those of slice-zarr's tests, written by zarr-python and tensorstore."""

import importlib.util
from pathlib import Path

import zarr

ROOT = Path(__file__).parents[2]

# zarrs does not support these data types.
UNSUPPORTED = {"v2_datetime", "v2_bytes"}


def oracle():
    """Returns the module that writes the arrays."""
    spec = importlib.util.spec_from_file_location("oracle", ROOT / "slice-zarr/tests/zarr/oracle.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_all(folder):
    """Writes all arrays below a folder. Returns the path and the elements of each array."""
    with zarr.config.set({"array.write_empty_chunks": True}):
        made = {}
        for name, (make, *_) in oracle().STORES.items():
            path = Path(folder) / name
            made[name] = (path, make(path))
    return made
