"""Exports the StableHLO models in this folder with JAX.

    python3.11 -m venv stablehlo
    stablehlo/bin/pip install jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
    stablehlo/bin/python stablehlo_models.py
"""

import pathlib

import jax
import jax.numpy as jnp
from jax import lax

HERE = pathlib.Path(__file__).parent


def focus(x):
    """YOLOv5's first layer: selects every other pixel at four offsets, and concatenates the patches as channels."""
    patches = [x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]]
    return jnp.concatenate(patches, 1)


def everything(x, at):
    """Applies lists, splits, reversed axes, indices, and slices of a fixed size at constant and run-time positions."""
    picked = x[..., jnp.array([0, 2, -3])], jnp.take(x, jnp.array([1, 0]), axis=1, mode="clip")
    windows = lax.dynamic_slice(x, (0, at, 0), (1, 2, 8)), lax.dynamic_slice(x, (0, 3, 2), (1, 2, 4))
    return x[:, 1:, ::2], x[:, -1], jnp.flip(x, -1), x[:, :, 5:1:-2], *jnp.split(x, 2, axis=1), *picked, *windows, x[:, at]


def wrapped(x):
    """Takes columns by positions that are counted modulo the length, in a nested function."""
    return jnp.take(x, jnp.array([5, -1, 2, -9, 4]), axis=1, mode="wrap")


def clamped(x):
    """Takes columns by positions outside of the array, which the operation moves to the nearest column."""
    at = jnp.array([[1], [-1], [9], [3]])
    numbers = lax.GatherDimensionNumbers(offset_dims=(0,), collapsed_slice_dims=(1,), start_index_map=(1,))
    return lax.gather(x, at, numbers, (2, 1), mode=lax.GatherScatterMode.PROMISE_IN_BOUNDS)


def write_model(name, function, *given):
    lowered = jax.jit(function).lower(*given)
    (HERE / f"{name}.mlir").write_text(lowered.as_text())
    return lowered


write_model("focus", focus, jnp.zeros((1, 3, 8, 8)))
lowered = write_model("everything", everything, jnp.zeros((1, 4, 8)), 1)
generic = lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
(HERE / "everything_generic.mlir").write_text(generic)
write_model("wrapped", wrapped, jnp.zeros((2, 4)))
write_model("clamped", clamped, jnp.zeros((2, 4)))
# The report on this model prints the same columns.
assert clamped(jnp.arange(4.0)[None].repeat(2, 0)).tolist() == [[1, 0, 3, 3]] * 2
print(f"JAX {jax.__version__}")
