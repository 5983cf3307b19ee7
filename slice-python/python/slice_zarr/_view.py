"""Views: slices of an array that are not read yet."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine, _index
from ._array import Array
from ._engine import Selection
from ._options import ProgressFunction
from ._plan import Plan

NDArray = np.ndarray[Any, Any]


class View(np.lib.mixins.NDArrayOperatorsMixin):
    """A slice of an array, of which nothing has been read. Brackets select from the view, and read nothing either.

    A view is sent to other processes without its elements. Operators and NumPy functions read it.
    """

    __slots__ = ("_array", "_selection")

    if TYPE_CHECKING:
        # NumPy declares this method of the base class as abstract. Without it, operators convert the view with `__array__`.
        def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **parameters: Any) -> Any: ...

    def __init__(self, array: Array, selection: Selection) -> None:
        self._array = array
        self._selection = selection

    @property
    def array(self) -> Array:
        """The array from which the view selects."""
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the result."""
        return self._selection.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The data type of the elements."""
        return self._array.dtype

    @property
    def ndim(self) -> int:
        """The number of axes of the result."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements of the result."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes of the result."""
        return self.size * self.dtype.itemsize

    @property
    def chunks(self) -> tuple[int, ...]:
        """The shape of blocks of the result that each lie in few chunks of the array: the length of a chunk (if the array is
        sharded, of an inner chunk) on each axis, divided by the step."""
        return self._divided(self._array.chunks)

    @property
    def shards(self) -> tuple[int, ...] | None:
        """As `chunks`, for shards, or `None` if the array is not sharded."""
        shards = self._array.shards
        return None if shards is None else self._divided(shards)

    def _divided(self, chunk_shape: tuple[int, ...]) -> tuple[int, ...]:
        lengths: list[int] = []
        for axis, axes, positions in self._selection.steps():
            chunk = math.prod(chunk_shape[axis : axis + axes])
            if isinstance(positions, tuple):
                _, step, length = positions
                lengths.append(max(1, min(chunk // max(1, abs(step)), length)))
                continue
            # Neighboring points may lie in the same chunk.
            block: list[int] = []
            for length in reversed(positions.shape):
                block.append(max(1, min(chunk, length)))
                chunk //= block[-1]
            lengths.extend(reversed(block))
        return tuple(lengths)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<slice_zarr.View of {self._array._source.label} shape={self.shape} dtype={self.dtype}>"

    def __getitem__(self, key: Any) -> View:
        """Selects from the view, with NumPy's meaning.

        Raises `NotImplementedError` for brackets that move the axes of lists to the front, as NumPy does if a slice separates
        them. The array itself takes such brackets: `a[rows, :, columns]`.
        """
        index = _index.numpy_index(key, self.shape)
        if index.order is not None:
            raise NotImplementedError(
                "a view keeps the order of the axes, but NumPy moves the axes of lists that a slice separates to the front; use "
                "a.lazy.oindex to select from each axis by itself, or read the array: a[...]"
            )
        return self._then(index.selection)

    def _then(self, selection: Selection) -> View:
        return View(self._array, self._selection.compose(selection))

    @property
    def oindex(self) -> LazyOIndex:
        """Brackets that select from each axis by itself, and read nothing."""
        return LazyOIndex(self)

    @property
    def vindex(self) -> LazyVIndex:
        """Brackets that select points, and read nothing: `v.vindex[rows, columns]`, or `v.vindex[mask]`."""
        return LazyVIndex(self)

    @property
    def lazy(self) -> View:
        """The view itself."""
        return self

    def plan(
        self,
        *,
        max_memory: int | str | None = None,
        max_chunks: int | None = None,
        max_requests: int | None = None,
        max_bytes: int | str | None = None,
    ) -> Plan:
        """Plans the read, and reads nothing.

        Raises `MemoryError` or `ValueError` if the read needs more memory (such as `"1GB"`), chunks, requests or bytes than the
        limits allow.
        """
        plan = Plan(self._array, _engine.Plan(self._array._engine, self._selection))
        return plan.check(max_memory=max_memory, max_chunks=max_chunks, max_requests=max_requests, max_bytes=max_bytes)

    def result(
        self,
        out: NDArray | None = None,
        *,
        threads: int | None = None,
        timeout: float | None = None,
        max_memory: int | str | None = None,
        max_chunks: int | None = None,
        max_requests: int | None = None,
        max_bytes: int | str | None = None,
        progress: bool | ProgressFunction = False,
    ) -> NDArray:
        """Reads the elements into a new array, or into `out`, and returns the array.

        If `progress` is true, a read that takes long shows a progress bar, by tqdm if it is installed. `progress` may also be a
        function, which is called with the numbers of finished chunks and of all chunks. Ctrl+C stops the read.

        Raises `MemoryError` or `ValueError` if a limit is exceeded, before anything is read; `TimeoutError` after `timeout`
        seconds; and `OSError` if a chunk cannot be read.
        """
        return self._array._read_with(
            self._selection,
            out,
            progress,
            threads=threads,
            timeout=timeout,
            max_memory=max_memory,
            max_chunks=max_chunks,
            max_requests=max_requests,
            max_bytes=max_bytes,
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        if copy is False:
            raise ValueError("a view of a Zarr array cannot be converted to a NumPy array without a copy")
        out = self.result()
        return out if dtype is None else out.astype(dtype, copy=False)

    def astype(self, dtype: Any, **parameters: Any) -> NDArray:
        """Reads the elements, and converts them as NumPy's `astype` does."""
        return self.result().astype(dtype, **parameters)

    def reshape(self, *shape: Any, **parameters: Any) -> NDArray:
        """Reads the elements, and reshapes them as NumPy's `reshape` does."""
        return self.result().reshape(*shape, **parameters)

    def _json(self) -> str:
        return _engine.Plan(self._array._engine, self._selection).to_json()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickle, (self._array, self._json()))

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        import hashlib

        return ("slice_zarr.View", self._array.__dask_tokenize__(), hashlib.sha256(self._json().encode()).hexdigest())


def _unpickle(array: Array, text: str) -> View:
    plan = _engine.Plan.from_json(text)
    plan.check(array._engine)
    return View(array, plan.selection())


class LazyOIndex:
    """The brackets of `View.oindex`."""

    __slots__ = ("_view",)

    def __init__(self, view: View) -> None:
        self._view = view

    def __getitem__(self, key: Any) -> View:
        return self._view._then(_index.list_index(key, self._view.shape))


class LazyVIndex:
    """The brackets of `View.vindex`."""

    __slots__ = ("_view",)

    def __init__(self, view: View) -> None:
        self._view = view

    def __getitem__(self, key: Any) -> View:
        return self._view._then(_index.point_index(key, self._view.shape))
