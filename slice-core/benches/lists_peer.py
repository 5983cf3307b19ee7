"""Times the copies of the benchmark `lists.rs` in NumPy, with `take`.

If PyTorch is installed, the script also times PyTorch's `index_select`. Each time is the shortest of several rounds, as
in `lists.rs`. A label that ends in "new" marks a call that allocates its result.
"""

import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None


def shortest_time(function, rounds=25, seconds_per_round=5e-3):
    """Returns the shortest time of one call in nanoseconds. Each round repeats the call for `seconds_per_round`
    seconds."""
    function()
    start = time.perf_counter()
    function()
    calls = max(1, int(seconds_per_round / max(time.perf_counter() - start, 1e-7)))
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            function()
        times.append((time.perf_counter() - start) / calls)
    return min(times) * 1e9


def report(name, functions):
    line = f"{name:<36}"
    copy = None
    for label, function in functions.items():
        nanoseconds = shortest_time(function)
        copy = copy or nanoseconds
        formatted = f"{nanoseconds:.0f} ns" if nanoseconds < 1e4 else f"{nanoseconds / 1e3:.1f} us"
        line += f" | {label} {formatted} ({nanoseconds / copy:.2f})"
    # The padded name already separates the first column.
    print(line.replace(" | copyto", " copyto", 1))


def compare(name, x, positions, axis):
    shape = [len(positions) if k == axis else n for k, n in enumerate(x.shape)]
    out, source = np.empty(shape, x.dtype), np.ones(shape, x.dtype)
    functions = {
        "copyto": lambda: np.copyto(out, source),
        # The mode is `clip`. In the default mode, `raise`, NumPy first writes to a copy of `out`.
        "take": lambda: np.take(x, positions, axis, out, "clip"),
        "take, new": lambda: np.take(x, positions, axis),
    }
    if torch:
        tensor, index, result = torch.from_numpy(x), torch.from_numpy(positions), torch.from_numpy(out)
        functions["index_select"] = lambda: torch.index_select(tensor, axis, index, out=result)
        functions["index_select, new"] = lambda: torch.index_select(tensor, axis, index)
    report(name, functions)


def main():
    print(f"NumPy {np.__version__}" + (f", PyTorch {torch.__version__}, one thread" if torch else ""))
    if torch:
        torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    for name, rows in [("L2", 64), ("L3", 2048), ("DRAM", 1 << 16)]:
        x = np.ones((rows, 1024), np.float32)
        compare(f"random rows of 4 KiB, {name}", x, rng.integers(0, rows, rows // 2), 0)
    x = np.ones((16_384, 16), np.float32)
    for run in [16, 64, 1024]:
        positions = np.flatnonzero(np.arange(16_384) // run % 2 == 0)
        compare(f"sorted runs of {run} rows of 64 B", x, positions, 0)
    compare("8 positions", np.ones((64, 4), np.float32), np.array([5, 3, 60, 7, 7, 0, 12, 33]), 0)
    columns = rng.integers(0, 256, 128)
    compare("x[:, columns], f32", np.ones((256, 256), np.float32), columns, 1)
    compare("x[:, columns], u8", np.ones((512, 256), np.uint8), columns, 1)
    compare("x[:, [0, 2, 5]], 2^14 rows of f32", np.ones((1 << 14, 16), np.float32), np.array([0, 2, 5]), 1)
    positions = rng.integers(0, 1 << 16, 1 << 16)
    compare("x[positions], f32", np.ones((1, 1 << 16), np.float32), positions, 1)
    compare("x[positions], u8", np.ones((1, 1 << 16), np.uint8), positions, 1)


if __name__ == "__main__":
    main()
