"""Copies of slices of NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _engine, _index
from ._dtype import as_units, is_plain


def gather(x: np.ndarray[Any, Any], key: Any) -> np.ndarray[Any, Any]:
    """Returns a copy of `x[key]`, made by the engine: `gather(x, np.s_[..., ::-1])`.

    The result is always a new contiguous array. Arrays that are not contiguous, arrays of Python objects, and lists on several
    axes are left to NumPy.
    """
    x = np.asarray(x)
    index = _index.numpy_index(key, x.shape)
    is_direct = x.flags.c_contiguous and is_plain(x) and not x.dtype.hasobject and x.dtype.itemsize > 0
    if isinstance(index, _index.Points) or not is_direct:
        return np.array(x[key], order="C")
    out: np.ndarray[Any, Any] = np.empty(index.selection.shape, x.dtype)
    _engine.gather(as_units(x), index.selection, as_units(out))
    if index.shape is not None:
        out = out.reshape(index.shape)
    if index.order is not None:
        out = np.ascontiguousarray(out.transpose(index.order))
    return out
