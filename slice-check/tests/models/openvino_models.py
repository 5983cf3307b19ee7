"""Writes the OpenVINO models in this folder: converted ONNX models, and a model built from operators.

    python3.11 -m venv openvino
    openvino/bin/pip install numpy==2.4.6 openvino==2026.4.1
    openvino/bin/python openvino_models.py

Each model consists of an XML file of layers and a `.bin` file of constants.
"""

import pathlib

import numpy as np
import openvino as ov
from openvino import opset15 as op

HERE = pathlib.Path(__file__).parent


def write_model(name, model):
    # Removes the path to the input model, which depends on the machine.
    model.set_rt_info("", ["conversion_parameters", "input_model"])
    ov.save_model(model, HERE / f"{name}.xml", compress_to_fp16=False)


def convert_onnx_models():
    for name in ("focus", "half", "cache_dynamic", "rotary"):
        write_model(name, ov.convert_model(HERE / f"{name}.onnx"))


def build_model():
    """Writes a model with every mask, a split with an inferred length (-1), a list, and a slice in a branch."""
    x = op.parameter([2, 9, -1], np.float32, name="x")
    which = op.parameter([], np.bool_, name="which")
    begin, end, strides = np.array([1, 0, 0, 0]), np.array([0, 0, 0, -3]), np.array([1, 1, 1, -1])
    masks = op.strided_slice(
        x, begin, end, strides, [0, 0, 0, 1], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0], [0, 1, 0, 0], name="masks"
    )
    last = op.strided_slice(x, np.array([0, -1]), np.array([0, 0]), np.array([1, 1]), [1, 0], [1, 0], [], [0, 1], [])
    parts = op.variadic_split(x, 1, np.array([2, -1, 3]), name="parts")
    picked = op.gather(x, np.array([0, 2, 5]), np.array(1), name="picked")
    then, other = op.parameter([2, 9, -1], np.float32), op.parameter([2, 9, -1], np.float32)
    ones = np.array([1])
    sliced = op.slice(then, ones, np.array([5]), ones, ones, name="in_a_branch")
    then_body = ov.Model([sliced.output(0)], [then], "then")
    else_body = ov.Model([op.relu(other).output(0)], [other], "else")
    branch = op.if_op(which)
    branch.set_friendly_name("branch")
    branch.set_then_body(then_body)
    branch.set_else_body(else_body)
    branch.set_input(x.output(0), then, other)
    chosen = branch.set_output(then_body.results[0], else_body.results[0])
    outputs = [masks.output(0), last.output(0), *parts.outputs(), picked.output(0), chosen]
    write_model("masks", ov.Model(outputs, [x, which], "masks"))


convert_onnx_models()
build_model()
print(f"OpenVINO {ov.__version__}")
