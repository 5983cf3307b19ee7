"""Plans of reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._options import parse_bytes

if TYPE_CHECKING:
    from ._array import Array


class Plan:
    """The cost of a read, which is known before anything is read.

    A plan pickles, and `to_json` and `from_json` convert it to text. `split` divides it into plans for other processes, each
    of which reads or writes its part with `read_into` or `write_to`.
    """

    __slots__ = ("_array", "_needs", "_plan")

    def __init__(self, array: Array, plan: _engine.Plan) -> None:
        self._array = array
        self._plan = plan
        self._needs: tuple[int, int, int] | None = None

    @property
    def array(self) -> Array:
        """The array that the plan reads."""
        return self._array

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole result."""
        return self._plan.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """The data type of the result."""
        return self._array.dtype

    @property
    def chunks(self) -> int:
        """The number of chunks to read; if the array is sharded, of inner chunks."""
        return self._plan.inner_chunks

    @property
    def objects(self) -> int:
        """The number of objects in the store that hold selected elements: of chunks or, if the array is sharded, of shards."""
        return self._plan.touched_chunks

    @property
    def all_objects(self) -> int:
        """The number of chunks (if the array is sharded, of shards) in the array."""
        return self._plan.all_chunks

    def _needed(self) -> tuple[int, int, int]:
        if self._needs is None:
            self._needs = self._plan.needs(self._array._engine, self._array._options())
        return self._needs

    @property
    def requests(self) -> int:
        """The number of requests to the store."""
        return self._needed()[0]

    @property
    def bytes(self) -> int:
        """The number of bytes to request, at most, unless chunks are larger encoded than decoded."""
        return self._needed()[1]

    @property
    def peak_memory(self) -> int:
        """The memory of the read, in bytes, at most, including its result."""
        return self._needed()[2]

    @property
    def output_bytes(self) -> int:
        """The number of bytes of the result that the plan fills."""
        return self._plan.output_bytes

    def check(
        self,
        *,
        max_memory: int | str | None = None,
        max_chunks: int | None = None,
        max_requests: int | None = None,
        max_bytes: int | str | None = None,
    ) -> Plan:
        """Returns the plan if it is within limits. Raises `MemoryError` or `ValueError` otherwise."""
        for what, needed, limit in [
            ("bytes of memory", self.peak_memory, parse_bytes(max_memory)),
            ("chunks", self.chunks, max_chunks),
            ("requests", self.requests, max_requests),
            ("bytes", self.bytes, parse_bytes(max_bytes)),
        ]:
            if limit is not None and needed > limit:
                error = MemoryError if what == "bytes of memory" else ValueError
                raise error(f"the slice needs {needed} {what}, more than the limit of {limit}; select less, or allow more")
        return self

    def split(self, n: int, chunks: tuple[int, ...] | None = None) -> list[Plan]:
        """Divides the plan into at most `n` plans that read about equally many bytes, and share no chunk of the array.

        If `chunks` is given, it is the shape of the chunks (or shards) of the array to which the result is written. Then no two
        plans write to the same chunk.
        """
        if n < 1:
            raise ValueError(f"n must be at least 1, not {n}")
        plans = self._plan.split(n, None if chunks is None else list(chunks))
        return [Plan(self._array, plan) for plan in plans]

    def read_into(self, out: np.ndarray[Any, Any]) -> None:
        """Reads the elements of the plan into their positions in `out`, which has the shape of the whole result."""
        if out.shape != self.shape:
            raise ValueError(f"out has the shape {out.shape}, but the whole result has the shape {self.shape}")
        for index, selection in self._parts():
            out[index] = self._array._read(selection)

    def parts(self) -> list[tuple[tuple[Any, ...], np.ndarray[Any, Any]]]:
        """Reads the elements of the plan. Returns pairs of an index and an array: `out[index] = array` fills the part of the
        whole result."""
        return [(index, self._array._read(selection)) for index, selection in self._parts()]

    def _parts(self) -> list[tuple[tuple[Any, ...], _engine.Selection]]:
        return [(_as_index(output, self.shape), selection) for selection, output in self._plan.parts()]

    def write_to(self, out: Array) -> None:
        """Reads the elements of the plan, and writes them to their positions in `out`, a Zarr array with the shape of the whole
        result. Raises `ValueError` if the plan fills only part of a chunk of `out`."""
        self._plan.check(self._array._engine)
        self._plan.write_to(self._array._engine, out._engine, self._array._options())

    def to_json(self) -> str:
        """Returns the plan as JSON."""
        return self._plan.to_json()

    @staticmethod
    def from_json(text: str, array: Array | None = None) -> Plan:
        """Returns the plan that `to_json` wrote. Opens its array, if `array` is not given."""
        from ._array import open

        plan = _engine.Plan.from_json(text)
        opened = open(plan.address) if array is None else array
        plan.check(opened._engine)
        return Plan(opened, plan)

    def __str__(self) -> str:
        return f"{self._plan}\nmemory  at most {self.peak_memory} bytes"

    def __repr__(self) -> str:
        return f"<slice_zarr.Plan of {self.objects} of {self.all_objects} chunks, at most {self.peak_memory} bytes of memory>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plan) and self._plan == other._plan

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickle, (self._array, self.to_json()))


def _unpickle(array: Array, text: str) -> Plan:
    return Plan.from_json(text, array)


def _as_index(selection: _engine.Selection, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """Returns a selection from the whole result, which keeps all axes, as NumPy's brackets."""
    steps = selection.steps()
    if all(isinstance(positions, tuple) for _, _, positions in steps):
        return tuple(slice(p[0], p[0] + p[2] * p[1], p[1]) for _, _, p in steps if isinstance(p, tuple))
    index: list[Any] = []
    for number, (axis, axes, positions) in enumerate(steps):
        if isinstance(positions, tuple):
            begin, step, length = positions
            positions = np.arange(begin, begin + length * step, step)
        lists = np.unravel_index(positions.reshape(-1), shape[axis : axis + axes])
        index.extend(positions.reshape(-1, *(1 for _ in steps[number + 1 :])) for positions in lists)
    return tuple(index)
