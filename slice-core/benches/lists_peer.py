"""What `lists.rs` measures, by NumPy's `take` and `compress` and, where it is installed, PyTorch's `index_select`."""

import time

import numpy as np

try:
    import torch
except ImportError:
    torch = None


def median(function, rounds=15):
    function()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2] * 1e9


def compare(name, x, positions, axis):
    shape = [len(positions) if k == axis else n for k, n in enumerate(x.shape)]
    out, source = np.empty(shape, x.dtype), np.ones(shape, x.dtype)
    copy = median(lambda: np.copyto(out, source))
    line = f"{name:<44} {copy:>9.0f} ns  take {median(lambda: np.take(x, positions, axis, out, 'clip')) / copy:.2f}"
    line += f"  take, new {median(lambda: np.take(x, positions, axis)) / copy:.2f}"
    if torch:
        tensor, index = torch.from_numpy(x), torch.from_numpy(positions)
        line += f"  index_select {median(lambda: torch.index_select(tensor, axis, index)) / copy:.2f}"
    print(line)


def main():
    if torch:
        torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    for name, rows in [("L2", 64), ("L3", 2048), ("DRAM", 1 << 16)]:
        x = np.ones((rows, 1024), np.float32)
        compare(f"rows of 4 KiB at random, {name}", x, rng.integers(0, rows, rows // 2), 0)
    compare("8 positions", np.ones((64, 4), np.float32), np.array([5, 3, 60, 7, 7, 0, 12, 33]), 0)
    columns = rng.integers(0, 256, 128)
    compare("x[:, columns], f32", np.ones((256, 256), np.float32), columns, 1)
    compare("x[:, columns], u8", np.ones((512, 256), np.uint8), columns, 1)
    many = rng.integers(0, 1 << 16, 1 << 16)
    compare("x[positions], f32", np.ones((1, 1 << 16), np.float32), many, 1)
    compare("x[positions], u8", np.ones((1, 1 << 16), np.uint8), many, 1)
    x = np.ones(1 << 18, np.float32)
    for name, share in [("1/2", 0.5), ("1023/1024", 1023 / 1024), ("1/1024", 1 / 1024)]:
        mask = rng.random(1 << 18) < share
        copy = median(lambda: x[: mask.sum()].copy())
        print(f"mask with {name} set: compress {median(lambda: np.compress(mask, x)) / copy:.2f}")


if __name__ == "__main__":
    main()
