"""Copies of slices of NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _engine, _index
from ._dtype import as_units, is_plain


def gather(x: np.ndarray[Any, Any], key: Any) -> np.ndarray[Any, Any]:
    """Returns a copy of `x[key]`, made by the engine: `gather(x, np.s_[..., ::-1])`.

    The result is always a new contiguous array. Arrays that are not contiguous, and arrays of Python objects, are left to NumPy.
    """
    x = np.asarray(x)
    index = _index.numpy_index(key, x.shape)
    if not x.flags.c_contiguous or not is_plain(x) or x.dtype.hasobject or x.dtype.itemsize == 0:
        return np.array(x[key], order="C")
    out: np.ndarray[Any, Any] = np.empty(index.selection.shape, x.dtype)
    _engine.gather(as_units(x), index.selection, as_units(out))
    return out if index.order is None else np.ascontiguousarray(out.transpose(index.order))
