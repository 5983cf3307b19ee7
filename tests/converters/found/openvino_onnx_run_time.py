"""Demonstrates a bug in OpenVINO: run-time ends of an ONNX Slice lose their upper 32 bits, so INT64_MAX, which means
"to the end", becomes -1."""

import numpy as np
import onnx
import openvino
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

inputs = [("x", TensorProto.FLOAT), ("starts", TensorProto.INT64), ("ends", TensorProto.INT64)]
infos = [helper.make_tensor_value_info(name, kind, [4 if name == "x" else 1]) for name, kind in inputs]
node = helper.make_node("Slice", ["x", "starts", "ends"], ["y"])
graph = helper.make_graph([node], "g", infos, [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n"])])
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "/tmp/slice.onnx")
feeds = {"x": np.arange(1, 5, dtype=np.float32), "starts": np.array([1]), "ends": np.array([2**63 - 1])}
print("reference", ReferenceEvaluator("/tmp/slice.onnx").run(None, feeds)[0])
print("OpenVINO ", openvino.compile_model("/tmp/slice.onnx", "CPU")(feeds)[0])
