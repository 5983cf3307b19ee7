"""Functions shared by the `source_*.py` scripts, which record the results of TensorFlow, ONNX and PyTorch."""

import platform
from importlib.metadata import version

import numpy as np
from harness import input_of, result_of


def numpy_result(model):
    """Returns the result of a model's `python` expression in NumPy."""
    names = {"x": input_of(model), "newaxis": np.newaxis, "flip": np.flip}
    return result_of(eval(model["python"], names), model)


def versions(*packages):
    return {"python": platform.python_version()} | {name: version(name) for name in packages}
