"""Slices arrays of NumPy and tensors of PyTorch through DLPack, and compares the views with those of NumPy.

    cargo build --manifest-path slice-dlpack/Cargo.toml --example slice_dlpack_python
    python slice-dlpack/tests/python.py slice-dlpack/target/debug/examples/libslice_dlpack_python.so

Run the script in the PyTorch environment of tests/oracle. A view must have NumPy's elements and strides, and must share
memory with the array. PyTorch rejects negative strides, and `at_ascending` must refuse exactly these slices.
"""

import ctypes
import random
import sys
from ctypes import c_bool, c_char_p, c_void_p, py_object

import numpy as np
import torch

library = ctypes.CDLL(sys.argv[1])
library.slice_at.restype = c_void_p
library.slice_at.argtypes = [c_void_p, c_char_p, c_bool]
python = ctypes.pythonapi
python.PyCapsule_GetPointer.restype = c_void_p
python.PyCapsule_GetPointer.argtypes = [py_object, c_char_p]
python.PyCapsule_SetName.argtypes = [py_object, c_char_p]
python.PyCapsule_New.restype = py_object
python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
NAME, USED = b"dltensor_versioned", b"used_dltensor_versioned"


class View:
    """An object that exports a managed tensor."""

    def __init__(self, pointer):
        self.pointer = pointer

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return python.PyCapsule_New(self.pointer, NAME, None)


def at(array, spec, is_ascending=False):
    """Returns the view as an object that exports a tensor, or None if it is refused."""
    capsule = array.__dlpack__(max_version=(1, 1))
    pointer = python.PyCapsule_GetPointer(capsule, NAME)
    python.PyCapsule_SetName(capsule, USED)
    view = library.slice_at(pointer, spec.encode(), is_ascending)
    return View(view) if view else None


def random_item(rng, n):
    bound = lambda: rng.choice(["", str(rng.randint(-n - 1, n + 1))])
    step = rng.choice(["", "", ":2", ":-1", ":-3"])
    return rng.choice([f"{bound()}:{bound()}{step}", f"{bound()}:{bound()}{step}", str(rng.randrange(-n, n))])


def main():
    rng = random.Random(20261128)
    views = refused = 0
    for _ in range(3000):
        shape = [rng.randint(1, 5) for _ in range(rng.randint(1, 4))]
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        if rng.random() < 0.3:
            x = x.T
        items = [random_item(rng, n) for n in x.shape[: rng.randint(1, x.ndim)]]
        if rng.random() < 0.3:
            items.insert(rng.randint(0, len(items)), "None")
        spec = ", ".join(items + rng.choice([[], ["..."]]))
        expected = eval(f"x[{spec}]", {"x": x})
        expected = x[()] if expected is x else np.asarray(expected)
        ours = np.from_dlpack(at(x, spec))
        assert np.array_equal(ours, expected), (shape, spec)
        assert expected.size == 0 or np.shares_memory(ours, x), (shape, spec)
        kept = [k for k, n in enumerate(expected.shape) if n > 1] if expected.size else []
        assert [ours.strides[k] for k in kept] == [expected.strides[k] for k in kept], (shape, spec)
        views += 1
        t = torch.from_numpy(x)
        view = at(t, spec, is_ascending=True)
        if any(expected.strides[k] < 0 for k in kept):
            assert view is None, (shape, spec)
            refused += 1
        else:
            assert np.array_equal(torch.from_dlpack(view).numpy(), expected), (shape, spec)
    print(f"NumPy {np.__version__}: {views} views agree")
    print(f"PyTorch {torch.__version__}: {views - refused} views agree, {refused} views with negative strides are refused")


if __name__ == "__main__":
    main()
