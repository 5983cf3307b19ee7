"""Demonstrates two bugs in onnx2tf: x[::-1] becomes x, because a Slice with a negative step is dropped, and x[-1:] on
an axis of unknown length becomes x[:-1]."""

import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from ai_edge_litert.interpreter import Interpreter
from onnx import TensorProto, helper, numpy_helper

for size, (start, end, step) in [(4, (-1, -(2**63), -1)), ("n", (-1, 2**63 - 1, 1))]:
    vectors = {"starts": start, "ends": end, "axes": 0, "steps": step}
    constants = [numpy_helper.from_array(np.array([number]), name) for name, number in vectors.items()]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [n]) for name, n in (("x", size), ("y", "m")))
    graph = helper.make_graph([helper.make_node("Slice", ["x", *vectors], ["y"])], "g", [x], [y], constants)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "/tmp/reversed.onnx")
    data = np.arange(1, 5, dtype=np.float32)
    print("ONNX Runtime", onnxruntime.InferenceSession("/tmp/reversed.onnx").run(None, {"x": data})[0])
    command = [sys.executable, "-m", "onnx2tf", "-i", "/tmp/reversed.onnx", "-o", "/tmp/reversed"]
    subprocess.run(command, check=True, capture_output=True)
    interpreter = Interpreter("/tmp/reversed/reversed_float32.tflite")
    index = interpreter.get_input_details()[0]["index"]
    interpreter.resize_tensor_input(index, [4])
    interpreter.allocate_tensors()
    interpreter.set_tensor(index, data)
    interpreter.invoke()
    print("onnx2tf     ", interpreter.get_tensor(interpreter.get_output_details()[0]["index"]))
