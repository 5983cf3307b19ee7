"""Zarr arrays."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _index
from ._dtype import as_units, is_plain, is_writable_once, numpy_dtype
from ._engine import Array as EngineArray
from ._engine import Options, Selection
from ._options import ProgressFunction, run_options
from ._progress import show_progress
from ._stores import Source, Store, from_pickle, source_of

if TYPE_CHECKING:
    from ._plan import Plan
    from ._view import View

NDArray = np.ndarray[Any, Any]


def open(
    where: str | os.PathLike[str] | Store | Any,
    *,
    path: str = "",
    mode: str = "r+",
    storage_options: dict[str, Any] | None = None,
    threads: int | None = None,
    timeout: float | None = None,
) -> Array:
    """Opens a Zarr array of format 2 or 3.

    `where` is a folder, a URL such as `"s3://bucket/volume.zarr"` (which needs fsspec), an array of zarr-python, or a `Store`.
    `path` is the path of the array below it. With the mode `"r"`, nothing can be written.

    `storage_options` are passed to fsspec. Only those that are known to contain no credentials are pickled; other processes
    take the credentials from their environment. `threads` and `timeout`, in seconds, apply to each read and write.

    Raises `FileNotFoundError` if there is no array, `TypeError` if NumPy lacks the data type, `OSError` if the store fails,
    and `ValueError` if the metadata is invalid or not supported.
    """
    if mode not in ("r", "r+"):
        raise ValueError(f'the mode is {mode!r}, but must be "r" or "r+"')
    return Array(source_of(where, storage_options, path), mode, threads, timeout)


class Array:
    """A Zarr array. Brackets read NumPy arrays, and write values, with NumPy's meaning."""

    __slots__ = ("_engine", "_hash", "_metadata", "_mode", "_shape", "_source", "_threads", "_timeout", "dtype")

    dtype: np.dtype[Any]
    """The data type of the elements, in the byte order of this machine."""

    _engine: EngineArray
    _source: Source
    _mode: str
    _threads: int | None
    _timeout: float | None
    _shape: tuple[int, ...]
    _metadata: dict[str, Any] | None
    _hash: str | None

    def __init__(
        self, source: Source, mode: str = "r+", threads: int | None = None, timeout: float | None = None
    ) -> None:
        """Opens the array at a source. Use `slice_zarr.open` instead."""
        self._source = source
        self._engine = source.open()
        self._mode = mode
        self._threads = threads
        self._timeout = timeout
        self._shape = self._engine.shape
        self._metadata = None
        self._hash = None
        self.dtype = numpy_dtype(self._engine.data_type, self._engine.item_size)

    # Properties

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return self._shape

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self._shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self._shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes of all elements."""
        return self.size * self.dtype.itemsize

    @property
    def chunks(self) -> tuple[int, ...]:
        """The shape of a chunk; if the array is sharded, of an inner chunk."""
        return self._engine.inner_chunk_shape or self._engine.chunk_shape

    @property
    def shards(self) -> tuple[int, ...] | None:
        """The shape of a shard, or `None` if the array is not sharded."""
        return self._engine.chunk_shape if self._engine.inner_chunk_shape else None

    @property
    def fill_value(self) -> Any:
        """The value of elements that were never written."""
        return np.frombuffer(bytes(self._engine.fill_value), self.dtype)[0]

    @property
    def metadata(self) -> Mapping[str, Any]:
        """The metadata of the array, as in `zarr.json` or `.zarray`."""
        metadata = self._metadata
        if metadata is None:
            metadata = self._metadata = dict(json.loads(self._engine.metadata))
        return metadata

    @property
    def attrs(self) -> dict[str, Any]:
        """A copy of the array's attributes."""
        attributes: dict[str, Any] = json.loads(json.dumps(self.metadata.get("attributes", {})))
        return attributes

    def __repr__(self) -> str:
        return f"<slice_zarr.Array {self._source.label} shape={self.shape} dtype={self.dtype} chunks={self.chunks}>"

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("len() of unsized object")
        return self._shape[0]

    def __iter__(self) -> Iterator[Any]:
        for k in range(len(self)):
            yield self[k]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        if copy is False:
            raise ValueError("a Zarr array cannot be converted to a NumPy array without a copy")
        out: NDArray = self[...]
        return out if dtype is None else out.astype(dtype, copy=False)

    def __bool__(self) -> bool:
        return bool(self.__array__())

    # Reading and writing

    def __getitem__(self, key: Any) -> Any:
        result = self._engine.get(key, self.dtype, run_options(self._source.remote, self._threads, self._timeout, {}))
        if result is not None:
            return result
        selection, order = _index.numpy_index(key, self._shape)
        out = self._read(selection)
        if order is not None:
            return out.transpose(order)
        # As in NumPy, brackets without lists, masks and `...` that select one element return a scalar.
        if out.ndim == 0 and _is_scalar_key(key):
            return out[()]
        return out

    def __setitem__(self, key: Any, value: Any) -> None:
        self._write_index(_index.numpy_index(key, self._shape), value)

    @property
    def oindex(self) -> OIndex:
        """Brackets that select from each axis by itself: `a.oindex[::-1, [4, 2], mask]`."""
        return OIndex(self)

    @property
    def vindex(self) -> VIndex:
        """Brackets that select points: `a.vindex[rows, columns]`, or `a.vindex[mask]`."""
        return VIndex(self)

    @property
    def lazy(self) -> View:
        """A view of the whole array. Its brackets read nothing."""
        from ._view import View

        whole = Selection.basic(self._shape, Ellipsis)
        assert whole is not None
        return View(self, whole)

    def plan(self, **limits: Any) -> Plan:
        """Plans the read of the whole array; `a.lazy[...].plan()` plans the read of a slice."""
        return self.lazy.plan(**limits)

    def _options(self, threads: int | None = None, timeout: float | None = None, **limits: Any) -> Options:
        threads = self._threads if threads is None else threads
        timeout = self._timeout if timeout is None else timeout
        return run_options(self._source.remote, threads, timeout, limits)

    def _read(self, selection: Selection) -> NDArray:
        """Reads a selection into a new array."""
        out: NDArray = np.empty(selection.shape, self.dtype)
        if out.size:
            self._engine.read(selection, as_units(out), self._options())
        return out

    def _read_with(
        self, selection: Selection, out: NDArray | None, progress: bool | ProgressFunction, **options: Any
    ) -> NDArray:
        """Reads a selection into a new array, or into `out`, with options."""
        shape = selection.shape
        if out is not None and out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}, but the result has the shape {shape}")
        if out is not None and not np.can_cast(self.dtype, out.dtype, "same_kind"):
            raise TypeError(f"cannot cast the elements from {self.dtype} to {out.dtype}, the data type of out")
        if out is not None and not out.flags.writeable:
            raise ValueError("out is read-only")
        direct = out is not None and out.dtype == self.dtype and is_plain(out) and is_writable_once(out)
        into = out if direct and out is not None else np.empty(shape, self.dtype)
        with show_progress(progress) as function:
            if into.size:
                self._engine.read(selection, as_units(into), self._options(progress=function, **options))
        if out is not None and not direct:
            np.copyto(out, into, casting="same_kind")
            return out
        return into

    def _write_index(self, index: _index.Index, value: Any) -> None:
        if self._mode == "r":
            raise ValueError('the array was opened with the mode "r"; open it with "r+" to write')
        shape, order = index.selection.shape, index.order
        result = shape if order is None else tuple(shape[k] for k in order)
        values = broadcast_values(value, result, self.dtype)
        if order is not None:
            values = values.transpose(np.argsort(order))
        if 0 in shape:
            return
        values = values if is_plain(values) else np.array(values, self.dtype)
        self._engine.write(index.selection, as_units(values), self._options())

    # Other processes

    @property
    def metadata_hash(self) -> str:
        """A hash of the metadata without the attributes, by which other processes recognize the array."""
        if self._hash is None:
            import hashlib

            metadata = {name: value for name, value in self.metadata.items() if name != "attributes"}
            self._hash = hashlib.sha256(json.dumps(metadata, sort_keys=True).encode()).hexdigest()
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        state = (self._source.to_pickle(), self._mode, self._threads, self._timeout)
        return (_unpickle, (*state, self.metadata_hash))

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return ("slice_zarr.Array", self._source.label, self._source.path, self._source.token, self.metadata_hash)


def _unpickle(
    state: tuple[Any, ...], mode: str, threads: int | None, timeout: float | None, metadata_hash: str
) -> Array:
    array = Array(from_pickle(state), mode, threads, timeout)
    if array.metadata_hash != metadata_hash:
        raise ValueError(f"the metadata of {array._source.label} differs from that of the array that was pickled")
    return array


def _is_scalar_key(key: Any) -> bool:
    return type(...) not in map(type, key if isinstance(key, tuple) else (key,))


def broadcast_values(value: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray:
    """Converts and broadcasts values as NumPy does in an assignment."""
    values = np.asarray(value)
    if values.dtype != dtype:
        is_array = isinstance(value, (np.ndarray, np.generic)) or hasattr(value, "__array__")
        # NumPy checks the range of Python's integers, but not of arrays.
        values = values.astype(dtype) if is_array or values.dtype.kind in "OUSV" else np.array(value, dtype)
    original = values.shape
    while values.ndim > len(shape) and values.shape[0] == 1:
        values = values[0]
    try:
        return np.broadcast_to(values, shape)
    except ValueError:
        text = ",".join(map(str, original)) + ("," if len(original) == 1 else "")
        into = ",".join(map(str, shape)) + ("," if len(shape) == 1 else "")
        raise ValueError(f"could not broadcast input array from shape ({text}) into shape ({into})") from None


class OIndex:
    """The brackets of `Array.oindex`."""

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Any:
        out = self._array._read(_index.list_index(key, self._array.shape))
        return out[()] if out.ndim == 0 and _is_scalar_key(key) else out

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array._write_index(_index.Index(_index.list_index(key, self._array.shape)), value)


class VIndex:
    """The brackets of `Array.vindex`."""

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, key: Any) -> Any:
        return self._array._read(_index.point_index(key, self._array.shape))

    def __setitem__(self, key: Any, value: Any) -> None:
        self._array._write_index(_index.Index(_index.point_index(key, self._array.shape)), value)
