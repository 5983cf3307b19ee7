"""Times reading and writing with masks, and reading points, in NumPy and, if they are installed, in PyTorch and Polars, for the benchmark
`masks.rs`.

The benchmark starts this script with the path of the file in which it stores the mask, and sends a line for each
measurement: the work, the type of the elements, the number of elements, and the proportion of true elements. The answer is a line with the names of the measured functions and the
shortest time of one call in nanoseconds.
"""

import functools
import os
import sys

os.environ["POLARS_MAX_THREADS"] = "1"

import numpy as np

from lists_peer import shortest_time

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None
try:
    import polars
except ImportError:
    polars = None

ELEMENTS = {"u8": np.uint8, "f32": np.float32, "f64": np.float64}


@functools.lru_cache(maxsize=1)
def functions(work, element, size, share):
    """Returns the functions to be measured, by name."""
    dtype, size = ELEMENTS[element], int(size)
    if work == "points":
        side = 256 if share == "L2" else 8192
        rng = np.random.default_rng(1)
        x, (rows, columns) = np.ones((side, side), dtype), rng.integers(0, side, (2, size))
        measured = {"NumPy x[rows, columns]": lambda: x[rows, columns]}
        if torch:
            tensor, *indices = map(torch.from_numpy, (x, rows, columns))
            measured["PyTorch x[rows, columns]"] = lambda: tensor[tuple(indices)]
        return measured
    mask = np.fromfile(sys.argv[1], bool)
    x = np.arange(size, dtype=np.uint8).astype(dtype)
    if work == "read":
        measured = {"NumPy x[mask]": lambda: x[mask]}
        if torch:
            tensor, torch_mask = torch.from_numpy(x), torch.from_numpy(mask)
            measured["PyTorch masked_select"] = lambda: torch.masked_select(tensor, torch_mask)
        if polars:
            series, series_mask = polars.Series(x), polars.Series(mask)
            measured["Polars filter"] = lambda: series.filter(series_mask)
            measured["Polars filter from bools"] = lambda: series.filter(polars.Series(mask))
    elif work == "compare":
        x = mask.astype(dtype)
        measured = {"NumPy x[x > 0]": lambda: x[x > 0]}
        if torch:
            tensor = torch.from_numpy(x)
            measured["PyTorch x[x > 0]"] = lambda: tensor[tensor > 0]
        if polars:
            series = polars.Series(x)
            measured["Polars filter(x > 0)"] = lambda: series.filter(series > 0)
    elif work == "write":
        values = np.ones(int(mask.sum()), dtype)

        def assign():
            x[mask] = values

        measured = {"NumPy x[mask] = values": assign}
        if torch:
            tensor, torch_mask, torch_values = map(torch.from_numpy, (x, mask, values))
            measured["PyTorch masked_scatter_"] = lambda: tensor.masked_scatter_(torch_mask, torch_values)
    else:

        def fill():
            x[mask] = 7

        measured = {"NumPy x[mask] = value": fill, "NumPy putmask": lambda: np.putmask(x, mask, 7)}
        if torch:
            tensor, torch_mask = torch.from_numpy(x), torch.from_numpy(mask)
            measured["PyTorch masked_fill_"] = lambda: tensor.masked_fill_(torch_mask, 7)
    return measured


def main():
    versions = [f"{module.__name__} {module.__version__}" for module in (np, torch, polars) if module]
    print(", ".join(versions) + ", one thread", flush=True)
    for line in sys.stdin:
        work, element, size, share = line.split()
        measured = functions(work, element, size, share)
        duration = (3, 4e-3) if int(size) < 10_000_000 else (1, 0)
        times = [f"{name} {shortest_time(function, *duration):.1f}" for name, function in measured.items()]
        print("\t".join(times), flush=True)


if __name__ == "__main__":
    main()
