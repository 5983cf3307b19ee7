#!/usr/bin/env python3
"""Measures how fast NumPy and PyTorch copy the slices of benches/gather, in comparison with a memcpy, on one thread.

    python -m venv .venv && .venv/bin/pip install numpy torch
    .venv/bin/python slice-core/benches/peers.py [--quick] [--json FILE] [tiny|l2|l3|dram|gib ...] [part of a row's name]

Prints Markdown tables. For tiny slices, they contain times in nanoseconds. For all other slices, they contain ratios to
the time of the memcpy, which is `np.copyto` between contiguous buffers of the output's size. Times are medians, and
include the creation of the view and the copy. The functions are measured in turn in one process. Inputs and outputs
have the same offsets within a page as in the Rust benchmark, and are allocated and touched beforehand. "NumPy, new
array" is the time of `x[...].copy()`, which allocates its result, and "NumPy, first new array" is the time of the first
such call. PyTorch does not support negative steps, so the script slices with a positive step and then flips the result,
which allocates memory. If PyTorch is not installed, its column is empty.

`--json` adds the times to the rows of a file written by `gather -- --json`. The time of the memcpy is not added: each
row keeps the time measured in Rust.
"""

import json
import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import pathlib
import platform
import re
import statistics
import sys
import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None
else:
    torch.set_num_threads(1)

TYPES = {"U8": np.uint8, "F32": np.float32, "F64": np.float64}
WORKLOAD_PATTERN = re.compile(r"^\s*(U8|F32|F64) (\[.*\]) of (\[.*\]);$")
CLASS_PATTERN = re.compile(r"^fn (tiny|l2|l3|dram|gib)\(")
# For each size class: the number of rounds, and the seconds per round for which each copy is repeated.
EFFORT = {
    "tiny": (51, 200e-6),
    "l2": (41, 200e-6),
    "l3": (21, 2e-3),
    "dram": (9, 0),
    "gib": (9, 0),
}
# For each class, the factors by which the length of the first axis is multiplied to get several sizes.
LENGTH_FACTORS = {"l3": (1, 2, 4)}
FIRST_NEW_ARRAY = "NumPy, first new array"
COLUMNS = ("memcpy", "NumPy", "NumPy, new array", FIRST_NEW_ARRAY, "PyTorch")


def workloads():
    """Yields (class_name, element, items, shape) for every row of the Rust benchmark. The slices of the benchmark are
    also valid Python."""
    source = pathlib.Path(__file__).parent / "common" / "workloads.rs"
    rows = {}
    for line in source.read_text(encoding="utf-8").splitlines():
        if match := CLASS_PATTERN.match(line):
            class_name = match[1]
        elif match := WORKLOAD_PATTERN.match(line):
            rows.setdefault(class_name, []).append((match[1], match[2], eval(match[3])))
    for class_name, rows in rows.items():
        for factor in LENGTH_FACTORS.get(class_name, (1,)):
            for element, items, (first, *rest) in rows:
                yield class_name, element, items, [first * factor, *rest]


def torch_copy(x, out, index):
    """Returns a function that copies the slice of the tensor `x` to `out`."""
    items, flipped, axis, kept = [], [], 0, 0
    given = sum(item is not None and item is not Ellipsis for item in index)
    for item in index:
        if item is Ellipsis:
            axis += x.ndim - given
            kept += x.ndim - given
        elif item is None:
            kept += 1
        elif isinstance(item, slice):
            walk = range(x.shape[axis])[item]
            if walk.step < 0:
                flipped.append(kept)
                walk = walk[::-1]
                item = slice(walk.start, walk.stop, walk.step)
            axis, kept = axis + 1, kept + 1
        else:
            axis += 1
        items.append(item)
    items = tuple(items)
    if flipped:
        return lambda: out.copy_(x[items].flip(flipped))
    return lambda: out.copy_(x[items])


# The size of a page, and the offsets of inputs and outputs within a page, as in common/offset_buffer.rs.
PAGE_BYTES, INPUT_OFFSET_BYTES, OUTPUT_OFFSET_BYTES = 4096, 0, 2048


def copy_at_offset(array, offset):
    """Returns a copy of the array that begins `offset` bytes after the start of a page."""
    memory = np.empty(array.nbytes + PAGE_BYTES, np.uint8)
    first = (offset - memory.ctypes.data) % PAGE_BYTES
    result = memory[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    result[...] = array
    return result


def candidates(element, items, shape):
    """Returns the time of the first `x[...].copy()`, and functions for the memcpy, NumPy's two copies and PyTorch's
    copy."""
    index = eval(f"np.s_{items}", {"np": np, "newaxis": None})
    index = index if isinstance(index, tuple) else (index,)
    x = copy_at_offset((np.arange(np.prod(shape)) % 251).astype(TYPES[element]).reshape(shape), INPUT_OFFSET_BYTES)
    first = seconds(lambda: x[index].copy(), 1)
    out = copy_at_offset(np.ones_like(np.ascontiguousarray(x[index])), OUTPUT_OFFSET_BYTES)
    flat, flat_out = x.reshape(-1)[: out.size], copy_at_offset(np.ones(out.size, out.dtype), OUTPUT_OFFSET_BYTES)
    runs = [
        lambda: np.copyto(flat_out, flat),
        lambda: np.copyto(out, x[index]),
        lambda: x[index].copy(),
    ]
    if torch is not None:
        tensor_out = torch.from_numpy(copy_at_offset(np.ones(out.shape, out.dtype), OUTPUT_OFFSET_BYTES))
        runs.append(torch_copy(torch.from_numpy(x), tensor_out, index))
    for run in runs:
        run()
    assert np.array_equal(out, x[index])
    assert torch is None or np.array_equal(tensor_out.numpy(), x[index])
    return first, runs


def seconds(run, repetitions):
    start = time.perf_counter()
    for _ in range(repetitions):
        run()
    return (time.perf_counter() - start) / repetitions


def medians(runs, rounds, seconds_per_round):
    repetitions = [max(1, int(seconds_per_round / max(seconds(run, 1), 1e-9))) for run in runs]
    times = [[seconds(run, n) for run, n in zip(runs, repetitions)] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*times)]


def record(path, class_name, name, times):
    """Adds the times of a row to its line in the file written by the Rust benchmark."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if (line["bench"], line["class"], line["slice"]) == ("gather", class_name, name):
            line["nanoseconds"] |= {column: round(time * 1e9, 1) for column, time in times.items()}
    text = [json.dumps(line, ensure_ascii=False, separators=(",", ":"), sort_keys=True) for line in lines]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


def main():
    data = None
    if "--json" in sys.argv:
        at = sys.argv.index("--json")
        data = pathlib.Path(sys.argv[at + 1])
        del sys.argv[at : at + 2]
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    quick = "--quick" in sys.argv
    default = ["tiny", "l2"] if quick else ["tiny", "l2", "l3", "dram"]
    requested_classes = [word for word in words if word in EFFORT] or default
    parts = [word for word in words if word not in EFFORT]
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(versions + (f", PyTorch {torch.__version__}" if torch else ""))
    for requested_class in requested_classes:
        unit = "nanoseconds" if requested_class == "tiny" else "ratios to memcpy"
        print(f"\n## {requested_class} ({unit})\n\n| work | {' | '.join(COLUMNS)} |\n|---{'|--:' * len(COLUMNS)}|")
        for class_name, element, items, shape in workloads():
            name = f"{element.lower()} `{items}` {'×'.join(map(str, shape))}"
            if class_name != requested_class or not all(part in name for part in parts):
                continue
            rounds, seconds_per_round = (1, 0) if quick else EFFORT[class_name]
            first, runs = candidates(element, items, shape)
            times = medians(runs, rounds, seconds_per_round)
            times.insert(COLUMNS.index(FIRST_NEW_ARRAY), first)
            if data is not None:
                record(data, class_name, name, dict(list(zip(COLUMNS, times))[1:]))
            scale = 1e9 if class_name == "tiny" else 1 / times[0]
            cells = [f"{t * scale:.0f}" if class_name == "tiny" else f"{t * scale:.2f}" for t in times]
            if class_name != "tiny":
                cells[0] = f"{times[0] * 1e6:.2f} µs"
            blank = [""] * (len(COLUMNS) - len(cells))
            print(f"| {name} | {' | '.join(cells + blank)} |", flush=True)


if __name__ == "__main__":
    main()
