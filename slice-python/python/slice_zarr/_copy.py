"""Copies of slices from one Zarr array to another, in parts that can run in several processes."""

from __future__ import annotations

import itertools
import json
import math
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from ._array import Array
from ._metadata import new_metadata
from ._options import parse_bytes
from ._progress import show_progress
from ._stores import Source, source_of
from ._view import View

Box = tuple[slice, ...]

# The folder below the output that records which parts are finished.
_RECORDS = ".slice_zarr"

# The largest number of parts that are submitted but not finished.
_WINDOW = 1024


def copy(
    source: View | Array,
    out: Any,
    *,
    client: Any = None,
    chunks: tuple[int, ...] | None = None,
    shards: tuple[int, ...] | None = None,
    part_bytes: int | str = "128MB",
    storage_options: dict[str, Any] | None = None,
    retries: int = 10,
    progress: bool | Callable[[int, int], object] = False,
) -> Array:
    """Copies a view (or an array) to the Zarr array `out`, and returns this array.

    `out` is a folder, a URL (with the `storage_options` of fsspec, as in `open`), a `Store` or an open array. If there is no array yet, one of format 3 is created, with zstd and with
    chunks of the shape `chunks`, in shards of the shape `shards` if they are given. By default, chunks and shards have the
    shapes that those of the source have in the result.

    The result is divided into blocks of whole chunks (or shards) of `out`, of about `part_bytes` bytes each. Each block is read
    and written by one task, so no two tasks write to the same chunk. `client` is a `distributed.Client` or a
    `concurrent.futures.Executor`; without it, the blocks are copied one after another, each with all threads. Each worker needs
    memory for `part_bytes` and for the chunks that its threads decode.

    If a copy is interrupted, the same call copies only the remaining blocks. After the copy is finished, the same call does
    nothing. A part whose worker dies is repeated up to `retries` times.
    """
    view = source.lazy
    output = _open_output(view, out, chunks, shards, storage_options)
    if output.shape != view.shape:
        raise ValueError(f"the output has the shape {output.shape}, but the slice has the shape {view.shape}")
    if output.dtype != view.dtype:
        raise ValueError(f"the output has the data type {output.dtype}, but the slice has {view.dtype}")
    limit = parse_bytes(part_bytes)
    assert limit is not None
    part = _part_shape(view, output, limit)
    job = _Job(view, output, part)
    if job.is_finished():
        return output
    resumed = job.begin()
    grid = [math.ceil(length / step) for length, step in zip(view.shape, part, strict=True)]
    count = math.prod(grid)
    remaining = (number for number in range(count) if not (resumed and job.is_part_finished(number)))
    with show_progress(progress) as report:
        done = _run_all(client, job, grid, remaining, retries, lambda n: report(n, count) if report else None)
    job.finish(grid, clean=resumed or done)
    return output


class _Job:
    """A copy: what is copied where, and the records of its finished parts."""

    def __init__(self, view: View, output: Array, part: tuple[int, ...]) -> None:
        self.view = view
        self.output = output
        self.part = part
        import hashlib

        text = json.dumps([view.array._source.label, view.array.metadata_hash, view._json(), output.metadata_hash, part])
        self.name = hashlib.sha256(text.encode()).hexdigest()[:32]

    def _state(self) -> dict[str, Any]:
        value = self.output._source.read_object(f"{_RECORDS}/copy.json")
        try:
            state = json.loads(value) if value else {}
        except ValueError:
            state = {}
        return state if isinstance(state, dict) and state.get("job") == self.name else {}

    def is_finished(self) -> bool:
        return bool(self._state().get("finished"))

    def begin(self) -> bool:
        """Records the beginning of the job. Returns whether an earlier run of the job has begun it."""
        if self._state():
            return True
        self._write({"job": self.name, "finished": False})
        return False

    def _write(self, state: dict[str, Any]) -> None:
        self.output._source.write_object(f"{_RECORDS}/copy.json", json.dumps(state).encode())

    def record(self, number: int) -> str:
        return f"{_RECORDS}/{self.name}/{number}"

    def is_part_finished(self, number: int) -> bool:
        return self.output._source.read_object(self.record(number)) is not None

    def box(self, number: int, grid: list[int]) -> Box:
        """Returns the block of the result that a part fills."""
        slices = []
        for count, step, length in reversed(list(zip(grid, self.part, self.view.shape, strict=True))):
            number, at = divmod(number, count)
            slices.append(slice(at * step, min((at + 1) * step, length)))
        return tuple(reversed(slices))

    def task(self, number: int, grid: list[int]) -> tuple[View, Array, Box, str]:
        box = self.box(number, grid)
        return self.view[box], self.output, box, self.record(number)

    def finish(self, grid: list[int], clean: bool) -> None:
        """Records that the job is finished, and removes the records of its parts and, if `clean`, temporary files."""
        self._write({"job": self.name, "finished": True})
        for number in range(math.prod(grid)):
            self.output._source.delete_object(self.record(number))
        folder = self.output._source.folder
        if folder is None:
            return
        try:
            os.rmdir(os.path.join(folder, _RECORDS, self.name))
        except OSError:
            pass
        if clean:
            _remove_temporary_files(folder)


def _remove_temporary_files(folder: str) -> None:
    """Removes the temporary files of writers that were killed."""
    for parent, _, names in os.walk(folder):
        for name in names:
            if re.search(r"\.\d+(-\d+)?\.tmp$", name):
                try:
                    os.remove(os.path.join(parent, name))
                except FileNotFoundError:
                    pass


def _run_part(view: View, output: Array, box: Box, record: str) -> None:
    """Copies one part, and records that it is finished. A scheduler may run a finished part again, if it lost the result."""
    if output._source.read_object(record) is not None:
        return
    output[box] = view.result()
    output._source.write_object(record, b"")


def _run_all(
    client: Any, job: _Job, grid: list[int], numbers: Iterator[int], retries: int, report: Callable[[int], object]
) -> bool:
    """Runs the parts. Returns whether a worker died."""
    if client is None:
        for done, number in enumerate(numbers, 1):
            _run_part(*job.task(number, grid))
            report(done)
        return False
    from concurrent.futures import Executor

    if isinstance(client, Executor):
        _run_with(client.submit, _wait_concurrent, (), job, grid, numbers, 0, report)
        return False
    from distributed import wait  # type: ignore[attr-defined,import-not-found,unused-ignore]
    from distributed.scheduler import KilledWorker

    def submit(*task: Any) -> Any:
        return client.submit(*task, pure=False)

    def wait_one(futures: set[Any]) -> set[Any]:
        waited: Any = wait
        done: set[Any] = waited(list(futures), return_when="FIRST_COMPLETED").done
        return done

    return _run_with(submit, wait_one, (KilledWorker,), job, grid, numbers, retries, report)


def _wait_concurrent(futures: set[Any]) -> set[Any]:
    from concurrent.futures import FIRST_COMPLETED, wait

    return wait(futures, return_when=FIRST_COMPLETED).done


def _run_with(
    submit: Callable[..., Any],
    wait: Callable[[set[Any]], set[Any]],
    died: tuple[type[BaseException], ...],
    job: _Job,
    grid: list[int],
    numbers: Iterator[int],
    retries: int,
    report: Callable[[int], object],
) -> bool:
    """Submits each part as one task. If a worker died too often during a part, submits the part again."""
    running: dict[Any, int] = {}
    deaths: dict[int, int] = {}
    done = 0

    def start(number: int) -> None:
        running[submit(_run_part, *job.task(number, grid))] = number

    try:
        for number in itertools.islice(numbers, _WINDOW):
            start(number)
        while running:
            for future in wait(set(running)):
                number = running.pop(future)
                error = future.exception()
                if error is None:
                    done += 1
                    report(done)
                    for following in itertools.islice(numbers, 1):
                        start(following)
                elif isinstance(error, died) and deaths.get(number, 0) < retries:
                    deaths[number] = deaths.get(number, 0) + 1
                    start(number)
                else:
                    raise error
    finally:
        for future in running:
            future.cancel()
    return bool(deaths) or "distributed" in sys.modules


def _open_output(
    view: View,
    out: Any,
    chunks: tuple[int, ...] | None,
    shards: tuple[int, ...] | None,
    storage_options: dict[str, Any] | None,
) -> Array:
    if isinstance(out, (Array, View)):
        if isinstance(out, View):
            raise TypeError("the output is a view; pass an array")
        return out
    source: Source = source_of(out, storage_options)
    if source.read_object("zarr.json") is None and source.read_object(".zarray") is None:
        if shards is None and chunks is None:
            shards = view.shards
        metadata = new_metadata(view, chunks or view.chunks, shards)
        source.write_object("zarr.json", json.dumps(metadata, indent=2).encode())
    elif chunks is not None or shards is not None:
        existing = Array(source)
        if (chunks or existing.chunks, shards or existing.shards) != (existing.chunks, existing.shards):
            raise ValueError(f"{source.label} exists, with chunks {existing.chunks} and shards {existing.shards}")
    return Array(source)


def _part_shape(view: View, output: Array, part_bytes: int) -> tuple[int, ...]:
    """Returns the shape of a part: whole chunks (or shards) of the output, of about `part_bytes` bytes, that cover whole chunks
    of the source where possible."""
    unit = output.shards or output.chunks
    wanted = view.shards or view.chunks
    part = list(unit)
    for target in (wanted, view.shape):
        for axis in reversed(range(len(unit))):
            others = math.prod(part[:axis] + part[axis + 1 :]) * view.dtype.itemsize
            largest = max(1, part_bytes // max(1, others * unit[axis]))
            needed = max(1, math.ceil(target[axis] / unit[axis]))
            part[axis] = max(part[axis], min(largest, needed) * unit[axis])
    return tuple(part)
