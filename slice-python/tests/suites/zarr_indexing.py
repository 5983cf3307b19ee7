"""Runs zarr-python's own tests of brackets (tests/test_indexing.py) with arrays of slice_zarr.

    python zarr_indexing.py test_indexing.py [ARGUMENTS OF PYTEST]

test_indexing.py comes from the source distribution of zarr 3.1.6, the last version for Python 3.11. Its function
`zarr_array_from_numpy_array` is replaced. zarr_indexing.txt lists the tests that are left out, and the inputs that are removed,
each with a reason.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import slice_zarr as sz

HERE = Path(__file__).parent

REPLACEMENT = '''

import sys as _sys
_sys.path.insert(0, {here!r})
from zarr_indexing import ZarrLike as _ZarrLike, is_refused_only_by_zarr as _is_refused_only_by_zarr

_in_zarr = zarr_array_from_numpy_array


def zarr_array_from_numpy_array(store, a, chunk_shape=None):
    return _ZarrLike.of(_in_zarr(store, a, chunk_shape))


for _name in [name for name in globals() if name.endswith("_bad")]:
    globals()[_name] = [item for item in globals()[_name] if not _is_refused_only_by_zarr(item)]
'''


def is_refused_only_by_zarr(item):
    """Returns whether brackets contain a negative step or a new axis, which NumPy and slice_zarr accept."""
    items = item if isinstance(item, tuple) else (item,)
    return any(
        item is None or isinstance(item, slice) and item.step is not None and item.step <= 0 and item.step != 0 for item in items
    )


def buffer(out):
    """Returns the NumPy array in a buffer of zarr-python."""
    if not hasattr(out, "as_ndarray_like"):
        raise TypeError("out is no buffer")
    return out.as_ndarray_like()


class ZarrLike(sz.Array):
    """An array with the names of zarr-python's methods."""

    __slots__ = ()

    @classmethod
    def of(cls, array):
        return cls(sz.open(array)._source)

    def _fill(self, out, result):
        if out is None:
            return result
        buffer(out)[...] = result
        return out

    def get_basic_selection(self, selection=Ellipsis, *, out=None, fields=None):
        items = selection if isinstance(selection, tuple) else (selection,)
        if fields is not None or any(isinstance(item, (list, np.ndarray)) for item in items):
            raise IndexError("no basic selection")
        if out is None:
            return self[selection]
        return self.lazy[selection].result(out=buffer(out))

    def set_basic_selection(self, selection, value, *, fields=None):
        if fields is not None:
            raise IndexError("there are no fields")
        self[selection] = value

    def get_orthogonal_selection(self, selection, *, out=None, fields=None):
        if out is None:
            return self.oindex[selection]
        return self.lazy.oindex[selection].result(out=buffer(out))

    def set_orthogonal_selection(self, selection, value, *, fields=None):
        self.oindex[selection] = value

    def get_coordinate_selection(self, selection, *, out=None, fields=None):
        return self._fill(out, self.vindex[selection])

    def set_coordinate_selection(self, selection, value, *, fields=None):
        self.vindex[selection] = value

    def get_mask_selection(self, mask, *, out=None, fields=None):
        return self._fill(out, self.vindex[mask])

    def set_mask_selection(self, mask, value, *, fields=None):
        self.vindex[mask] = value


def entries():
    """Returns the names of the tests that are left out."""
    lines = (HERE / "zarr_indexing.txt").read_text().splitlines()
    return [line.split(": ")[0] for line in lines if line and not line.startswith("#")]


def main():
    source = Path(sys.argv[1]).read_text()
    # The replacement follows the last definition, because the lists of inputs must exist.
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder) / "test_indexing.py"
        test.write_text(source + REPLACEMENT.format(here=str(HERE)))
        (Path(folder) / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n")
        deselected = [argument for name in entries() for argument in ("--deselect", f"test_indexing.py::{name}")]
        for name in entries():
            assert re.search(rf"def {name.split('::')[-1].split('[')[0]}\b", source), f"there is no test {name}"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_indexing.py", *deselected, *sys.argv[2:]]
        sys.exit(subprocess.run(command, cwd=folder).returncode)


if __name__ == "__main__":
    main()
