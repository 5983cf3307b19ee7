"""Demonstrates a bug in onnx2tf: x[:, 1:3, :, 0:2], where the axes 1 to 3 are channels, height and width, selects the
channels 0:2 and the width 1:3 instead of the channels 1:3 and the width 0:2."""

import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
from ai_edge_litert.interpreter import Interpreter
from onnx import TensorProto, helper, numpy_helper

vectors = {"starts": [1, 0], "ends": [3, 2], "axes": [1, 3]}
constants = [numpy_helper.from_array(np.array(numbers), name) for name, numbers in vectors.items()]
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, n) for name, n in (("x", [1, 3, 4, 5]), ("y", [1, 2, 4, 2])))
graph = helper.make_graph([helper.make_node("Slice", ["x", *vectors], ["y"])], "g", [x], [y], constants)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "/tmp/axes.onnx")
data = np.arange(60, dtype=np.float32).reshape(1, 3, 4, 5)
print("ONNX Runtime, height 0", onnxruntime.InferenceSession("/tmp/axes.onnx").run(None, {"x": data})[0][0, :, 0].tolist())
subprocess.run([sys.executable, "-m", "onnx2tf", "-i", "/tmp/axes.onnx", "-o", "/tmp/axes", *sys.argv[1:]], capture_output=True)
interpreter = Interpreter("/tmp/axes/axes_float32.tflite")
detail = interpreter.get_input_details()[0]
interpreter.allocate_tensors()
last = list(detail["shape"]) == [1, 4, 5, 3]
interpreter.set_tensor(detail["index"], data.transpose(0, 2, 3, 1).copy() if last else data)
interpreter.invoke()
output = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
print("onnx2tf, shape", output.shape, "height 0", (output.transpose(0, 3, 1, 2) if last else output)[0, :, 0].tolist())
