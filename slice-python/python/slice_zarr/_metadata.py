"""The metadata of new arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ._view import View


def _data_type(dtype: np.dtype[Any]) -> Any:
    """Returns Zarr's name of a NumPy data type."""
    if dtype.kind in "mM":
        unit, factor = np.datetime_data(dtype)
        name = "numpy.datetime64" if dtype.kind == "M" else "numpy.timedelta64"
        return {"name": name, "configuration": {"unit": unit, "scale_factor": factor}}
    if dtype.kind == "U":
        return {"name": "fixed_length_utf32", "configuration": {"length_bytes": dtype.itemsize}}
    if dtype.kind in "biufc" and dtype.name.rstrip("0123456789") in ("bool", "int", "uint", "float", "complex"):
        return dtype.name
    raise TypeError(f"an array of data type {dtype} cannot be created; create it with zarr-python, and pass it")


def _float(value: Any) -> Any:
    value = float(value)
    if np.isnan(value):
        return "NaN"
    if np.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _fill_value(value: Any, dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "b":
        return bool(value)
    if dtype.kind in "iu":
        return int(value)
    if dtype.kind in "mM":
        return int(value.astype(np.int64))
    if dtype.kind == "f":
        return _float(value)
    if dtype.kind == "c":
        return [_float(value.real), _float(value.imag)]
    return str(value)


def new_metadata(view: View, chunks: tuple[int, ...], shards: tuple[int, ...] | None) -> dict[str, Any]:
    """Returns the metadata of an array for the result of a view."""
    rank = len(view.shape)
    for name, lengths in [("chunks", chunks), ("shards", shards)]:
        if lengths is not None and (len(lengths) != rank or any(length < 1 for length in lengths)):
            raise ValueError(f"{name} must have {rank} lengths of at least 1, not {lengths}")
    if shards is not None and any(shard % chunk for shard, chunk in zip(shards, chunks, strict=True)):
        shards = tuple(-(-shard // chunk) * chunk for shard, chunk in zip(shards, chunks, strict=True))
    source = view.array.metadata
    if source.get("zarr_format") == 3:
        data_type, fill_value = source["data_type"], source["fill_value"]
    else:
        data_type, fill_value = _data_type(view.dtype), _fill_value(view.array.fill_value, view.dtype)
    little = {"name": "bytes"} if view.dtype.itemsize == 1 else {"name": "bytes", "configuration": {"endian": "little"}}
    codecs: list[Any] = [little, {"name": "zstd", "configuration": {"level": 0, "checksum": False}}]
    if shards is not None:
        index = [{"name": "bytes", "configuration": {"endian": "little"}}, {"name": "crc32c"}]
        configuration = {"chunk_shape": chunks, "codecs": codecs, "index_codecs": index, "index_location": "end"}
        codecs = [{"name": "sharding_indexed", "configuration": configuration}]
    metadata = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": view.shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shards or chunks}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill_value,
        "codecs": codecs,
        "attributes": view.array.attrs,
    }
    names = source.get("dimension_names")
    if names is not None:
        metadata["dimension_names"] = _dimension_names(view, names)
    return metadata


def _dimension_names(view: View, names: list[str | None]) -> list[str | None]:
    """Returns the names of the axes of the result that each come from one axis."""
    result: list[str | None] = []
    for axis, axes, positions in view._selection.steps():
        rank = 1 if isinstance(positions, tuple) else positions.ndim
        result.extend([names[axis]] if (axes, rank) == (1, 1) else [None] * rank)
    return result
