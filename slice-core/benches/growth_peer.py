#!/usr/bin/env python3
"""Measures the operations of `growth.rs` in NumPy and, if it is installed, zarr-python, on one thread in one process.

    python -m venv .venv && .venv/bin/pip install numpy==2.4.6 zarr==3.1.6
    .venv/bin/python slice-core/benches/growth_peer.py [--quick] --json FILE [elements|ranks|chunks|positions ...]

Adds the columns "NumPy", "NumPy, view" and "zarr-python" to the data points in a file written by `growth -- --json`.
Times are medians of 3 to 15 rounds. With --quick, there is only one round. zarr-python lists the chunks of a slice with
its indexer, as it does before a read.
"""

import json
import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import pathlib
import statistics
import sys
import time

import numpy as np

try:
    from zarr.core.chunk_grids import RegularChunkGrid
    from zarr.core.indexing import BasicIndexer
except ImportError:
    BasicIndexer = None


def median(function, quick):
    """Returns the median time of a call in nanoseconds. In each round, short calls are repeated for about a
    millisecond."""
    function()
    start = time.perf_counter()
    function()
    once = time.perf_counter() - start
    calls = max(1, int(1e-3 / max(once, 1e-7)))
    rounds = 1 if quick else 15 if once < 0.02 else 5 if once < 0.2 else 3
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            function()
        times.append((time.perf_counter() - start) / calls)
    return statistics.median(times) * 1e9


def elements(length):
    """Returns functions that copy every other element of an array of length `length` to existing memory."""
    numbers = np.arange(length, dtype=np.float32)
    output = np.zeros((length + 1) // 2, np.float32)
    return {"NumPy": lambda: np.copyto(output, numbers[::2])}


def ranks(rank):
    """Returns functions that reverse every other axis of an array of 2^16 numbers with `rank` axes: one copies the
    elements, and the other only creates a view."""
    shape = [1 << (16 * (axis + 1) // rank - 16 * axis // rank) for axis in range(rank)]
    numbers = np.arange(1 << 16, dtype=np.float32).reshape(shape)
    output = np.empty_like(numbers)
    index = tuple(slice(None, None, -1 if axis % 2 == 0 else None) for axis in range(rank))
    return {
        "NumPy": lambda: np.copyto(output, numbers[index]),
        "NumPy, view": lambda: numbers[index],
    }


def chunks(count):
    """Returns functions that list the chunks touched by `::2` in an array with `count` chunks of 64 elements."""
    if BasicIndexer is None or count > 1_000_000:
        return {}
    grid = RegularChunkGrid(chunk_shape=(64,))

    def list_chunks():
        for _ in BasicIndexer((slice(None, None, 2),), (count * 64,), grid):
            pass

    return {"zarr-python": list_chunks}


def positions(count):
    """Returns functions that copy the rows at `count` unsorted positions of an array with 2^20 rows of 64 bytes."""
    rows = np.arange(1 << 24, dtype=np.float32).reshape(1 << 20, 16)
    random, row_positions = 1, []
    for _ in range(count):
        random = (random * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        row_positions.append((random >> 33) % len(rows))
    row_positions = np.array(row_positions)
    return {"NumPy": lambda: rows[row_positions]}


def main():
    words = sys.argv[1:]
    path = pathlib.Path(words[words.index("--json") + 1])
    functions = {function.__name__: function for function in (elements, ranks, chunks, positions)}
    requested_classes = [word for word in words if word in functions] or list(functions)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if line["class"] not in requested_classes:
            continue
        for name, function in functions[line["class"]](line["x"]).items():
            line["nanoseconds"][name] = round(median(function, "--quick" in words), 1)
            print(line["class"], line["x"], name, line["nanoseconds"][name])
    # The Rust benchmark writes lines in this format, too.
    texts = [json.dumps(line, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n" for line in lines]
    path.write_text("".join(texts), encoding="utf-8")


if __name__ == "__main__":
    main()
