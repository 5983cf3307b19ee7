"""Demonstrates a bug in TVM: x[0:4:INT64_MAX] in an ONNX model should be [x[0]], but is empty."""

import numpy as np
import onnx
import tvm
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

vectors = {"starts": 0, "ends": 4, "axes": 0, "steps": 2**63 - 1}
constants = [numpy_helper.from_array(np.array([number]), name) for name, number in vectors.items()]
node = helper.make_node("Slice", ["x", *vectors], ["y"])
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [size]) for name, size in (("x", 4), ("y", "n")))
onnx_model = helper.make_model(helper.make_graph([node], "g", [x], [y], constants), opset_imports=[helper.make_opsetid("", 17)])
data = np.arange(1, 5, dtype=np.float32)
print("reference", ReferenceEvaluator(onnx_model).run(None, {"x": data})[0])
machine = relax.VirtualMachine(tvm.compile(from_onnx(onnx_model), target="llvm"), tvm.cpu())
print("TVM", machine["main"](tvm.runtime.tensor(data)).numpy())
