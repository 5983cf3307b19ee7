"""Views: slices of an array that are not read yet."""

from __future__ import annotations

import hashlib
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
        lengths = []
        for (axis, positions), length in zip(self._selection.axes(), self.shape, strict=True):
            chunk = 1 if axis is None else chunk_shape[axis]
            if axis is not None and isinstance(positions, tuple):
                chunk = max(1, chunk // abs(positions[1]))
            lengths.append(max(1, min(chunk, length)))
        return tuple(lengths)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<slice_zarr.View of {self._array._source.label} shape={self.shape} dtype={self.dtype}>"

    def __getitem__(self, key: Any) -> View:
        """Selects from the view, with NumPy's meaning.

        Raises `NotImplementedError` for brackets whose result is not one range or one list on each axis: lists on several
        axes, and masks with several axes. The array itself takes them: `a[rows, columns]`.
        """
        index = _index.numpy_index(key, self.shape)
        if isinstance(index, _index.Points) or index.shape is not None or index.order is not None:
            raise NotImplementedError(
                "a view selects one list on one axis, where it stands; use a.lazy.oindex for lists on several axes, or read the "
                "array itself: a[...]"
            )
        return View(self._array, self._selection.compose(index.selection))

    @property
    def oindex(self) -> OuterView:
        """Brackets that select from each axis by itself, and read nothing."""
        return OuterView(self)

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
        return self._array._read(
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
        return ("slice_zarr.View", self._array.__dask_tokenize__(), hashlib.sha256(self._json().encode()).hexdigest())


def _unpickle(array: Array, text: str) -> View:
    plan = _engine.Plan.from_json(text)
    plan.check(array._engine)
    return View(array, plan.selection())


class OuterView:
    """The brackets of `View.oindex`."""

    __slots__ = ("_view",)

    def __init__(self, view: View) -> None:
        self._view = view

    def __getitem__(self, key: Any) -> View:
        selection = _index.outer_index(key, self._view.shape)
        return View(self._view._array, self._view._selection.compose(selection))
