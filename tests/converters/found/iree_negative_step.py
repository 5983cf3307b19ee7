"""Demonstrates a bug in IREE: with a negative step, a start beyond the end of the axis is clamped to the position after
the last element, and this position is then read, although it is out of bounds."""

import subprocess

import numpy as np
import onnx
from iree import compiler, runtime
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

vectors = {"starts": 2**63 - 1, "ends": 1, "axes": 0, "steps": -1}
constants = [numpy_helper.from_array(np.array([number]), name) for name, number in vectors.items()]
x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [n]) for name, n in (("x", 4), ("y", "n")))
graph = helper.make_graph([helper.make_node("Slice", ["x", *vectors], ["y"])], "g", [x], [y], constants)
onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), "/tmp/negative.onnx")
data = np.arange(1, 5, dtype=np.float32)
print("reference", ReferenceEvaluator("/tmp/negative.onnx").run(None, {"x": data})[0])
subprocess.run(["iree-import-onnx", "/tmp/negative.onnx", "-o", "/tmp/negative.mlir"], check=True)
bytecode = compiler.compile_file("/tmp/negative.mlir", input_type="onnx", target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=generic"])
config = runtime.Config("local-sync")
module = runtime.load_vm_module(runtime.VmModule.copy_buffer(config.vm_instance, bytecode), config)
print("IREE     ", module.g(data).to_host())
