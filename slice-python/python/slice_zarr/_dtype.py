"""The NumPy data types of Zarr's data types, and arrays as the engine expects them."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

_PLAIN = {"bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"}  # fmt: skip


def numpy_dtype(data_type: str, item_size: int) -> np.dtype[Any]:
    """Returns the NumPy data type of a Zarr data type, in the byte order of this machine."""
    if data_type in _PLAIN:
        return np.dtype(data_type)
    if match := re.fullmatch(r"numpy\.(datetime64|timedelta64)\[(\w+)\]", data_type):
        unit = match[2]
        return np.dtype(match[1] if unit == "generic" else f"{match[1]}[{unit}]")
    name, brace, configuration = data_type.partition("{")
    if name == "fixed_length_utf32":
        length = json.loads(brace + configuration)["length_bytes"] if brace else item_size
        return np.dtype(f"U{length // 4}")
    if name in ("raw_bytes", "r*") or re.fullmatch(r"r\d+", name):
        return np.dtype(f"V{item_size}")
    try:
        import ml_dtypes  # type: ignore[import-not-found,import-untyped,unused-ignore]

        dtype: np.dtype[Any] = np.dtype(getattr(ml_dtypes, name))
    except (ImportError, AttributeError):
        raise TypeError(f"data type {data_type} is not supported, because NumPy has no such type") from None
    if dtype.itemsize != item_size:
        raise TypeError(f"data type {data_type} is not supported")
    return dtype


_UNITS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


def as_units(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Returns a view of the array as unsigned integers, with an additional last axis if elements are larger."""
    size = array.dtype.itemsize
    unit = _UNITS.get(size)
    if unit is not None:
        return array.view(unit)
    return array[..., np.newaxis].view(_UNITS[8 if size == 16 else 1])


def is_plain(array: np.ndarray[Any, Any]) -> bool:
    """Returns whether the engine can read into the array, or write from it, directly."""
    size = array.dtype.itemsize
    return (
        array.flags.aligned
        and array.dtype.isnative
        and all(stride % size == 0 for stride in array.strides)
        and type(array) is np.ndarray
    )


def is_writable_once(array: np.ndarray[Any, Any]) -> bool:
    """Returns whether no two elements of the array share memory, as far as the strides tell."""
    axes = sorted((abs(stride), length) for stride, length in zip(array.strides, array.shape, strict=True) if length > 1)
    end = array.dtype.itemsize
    for stride, length in axes:
        if stride < end:
            return False
        end = stride * (length - 1) + end
    return True
