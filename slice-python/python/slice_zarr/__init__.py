"""NumPy slices of Zarr arrays that do not fit in memory.

>>> import slice_zarr as sz
>>> a = sz.open("volume.zarr")        # a folder or a URL, Zarr format 2 or 3, with or without shards
>>> a[::-1, 2:5]                      # a NumPy array: every bracket has NumPy's meaning
>>> a.oindex[::-1, rows, mask]        # each axis by itself
>>> v = a.lazy[::-4, rows][10:]       # nothing is read
>>> v.plan()                          # chunks, requests, bytes and memory, before anything is read
>>> v.result()

Errors are Python's own: `IndexError` for brackets that do not fit, `OSError` for chunks that cannot be read, `MemoryError`
for limits on memory, `TypeError` for data types that are not supported, and `ValueError` for everything else.
"""

from ._array import Array, open
from ._copy import copy
from ._gather import gather
from ._options import get_threads, set_threads
from ._plan import Plan
from ._stores import Store
from ._view import View

__all__ = ["Array", "Plan", "Store", "View", "copy", "gather", "get_threads", "open", "set_threads"]
__version__ = "0.1.0"
