"""The number of threads, and the limits of a read."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from typing import Any

from ._engine import Options

ProgressFunction = Callable[[int, int], object]

_threads: int | None = None

# Distant stores answer only after tens of milliseconds, so most threads wait.
_REMOTE_THREADS = 16

_UNITS = {"": 1, "b": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def _processors() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


_PROCESSORS = int(os.environ.get("SLICE_ZARR_THREADS", 0)) or _processors()


def set_threads(threads: int | None) -> None:
    """Sets the number of threads of each read and write in this process.

    By default, a read in the main thread uses all processors, and a read in any other thread uses only that thread, because
    a program with threads of its own, such as Dask, already uses the processors. Reads from URLs use 16 threads. The
    environment variable SLICE_ZARR_THREADS replaces the number of processors.
    """
    global _threads
    if threads is not None and threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    _threads = threads


def get_threads() -> int:
    """Returns the number of threads that a read of files would use if it was called here."""
    if _threads is not None:
        return _threads
    return _PROCESSORS if is_main_thread() else 1


def is_main_thread() -> bool:
    return threading.get_ident() == threading.main_thread().ident


def parse_bytes(value: int | str | None) -> int | None:
    """Converts a number of bytes such as `"1GB"` or `"512 MiB"` to an integer."""
    if value is None or isinstance(value, int):
        return value
    text = value.strip().lower().removesuffix("b").strip()
    number = text.rstrip("kmgti").strip()
    try:
        factor = _UNITS[text[len(number) :].strip()]
        return int(float(number) * factor)
    except (KeyError, ValueError):
        raise ValueError(f'{value!r} is no number of bytes; write, for example, 1_000_000, "1GB" or "512MiB"') from None


@functools.cache
def _without_limits(threads: int, is_main: bool) -> Options:
    return Options(threads, is_main)


def run_options(remote: bool, threads: int | None, timeout: float | None, limits: dict[str, Any]) -> Options:
    """Returns the options in the form in which the engine expects them."""
    is_main = is_main_thread()
    if threads is None:
        threads = _threads or (_REMOTE_THREADS if remote else _PROCESSORS if is_main else 1)
    elif threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    if timeout is None and not limits:
        return _without_limits(threads, is_main)
    for name in ("max_memory", "max_bytes"):
        if limits.get(name) is not None:
            limits[name] = parse_bytes(limits[name])
    return Options(threads, is_main, timeout, **limits)
