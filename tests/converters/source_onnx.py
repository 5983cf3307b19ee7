"""Writes the ONNX models to target/converters/onnx, and the results of ONNX's implementations to answers/onnx.jsonl.

The implementations are ONNX Runtime, without optimizations, and ONNX's ReferenceEvaluator. If their results differ,
both are accepted as correct, and the script prints them together with NumPy's result. The script stops if both differ
from NumPy's result.
"""

import json

import numpy as np
import onnx
import onnxruntime
from sources import numpy_result, versions
from harness import HERE, TARGET, extra_inputs, input_of, models, result_of, write
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

IR_VERSION = 8


def node_of(op, opset, name_in, name_out, constants):
    """Returns the node for one operation, and appends its constant inputs to `constants`."""
    dtype = np.int32 if op.get("tind") == "int32" else np.int64

    def operand(name):
        value = op.get(name)
        if value is None:
            return ""
        if isinstance(value, str):
            return value[1:]
        constants.append(numpy_helper.from_array(np.array(value, dtype), f"{name_out}_{name}"))
        return f"{name_out}_{name}"

    match op["op"]:
        case "Slice" if opset < 10:
            vectors = {name: op[name] for name in ("starts", "ends", "axes") if op[name] is not None}
            return helper.make_node("Slice", [name_in], [name_out], **vectors)
        case "Slice":
            operands = [name_in, *map(operand, ("starts", "ends", "axes", "steps"))]
            while operands[-1] == "":
                operands.pop()
            return helper.make_node("Slice", operands, [name_out])
        case "Squeeze" | "Unsqueeze":
            return helper.make_node(op["op"], [name_in, operand("axes")], [name_out])
        case "Gather":
            return helper.make_node("Gather", [name_in, operand("indices")], [name_out], axis=op["axis"])
        case "Reshape":
            return helper.make_node("Reshape", [name_in, operand("shape")], [name_out])
        case "Transpose":
            return helper.make_node("Transpose", [name_in], [name_out], perm=op["perm"])


def build_onnx_model(model):
    opset = model["opset"]
    nodes, constants, name = [], [], "x"
    for i, op in enumerate(model["ops"]):
        name_out = "y" if i + 1 == len(model["ops"]) else f"t{i}"
        nodes.append(node_of(op, opset, name, name_out, constants))
        name = name_out
    shape = [f"d{i}" for i in range(len(model["shape"]))] if model.get("unknown") else model["shape"]
    inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]
    for key, array in extra_inputs(model, np.int64).items():
        inputs.append(helper.make_tensor_value_info(key, TensorProto.INT64, array.shape))
    # The model declares the rank of the result, but not the lengths of its axes.
    rank = [f"r{i}" for i in range(len(numpy_result(model)["shape"]))]
    outputs = [helper.make_tensor_value_info("y", TensorProto.FLOAT, rank)]
    graph = helper.make_graph(nodes, "one", inputs, outputs, constants)
    onnx_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=IR_VERSION)
    onnx.checker.check_model(onnx_model)
    return onnx_model


def onnxruntime_output(onnx_model, feeds):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(onnx_model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, feeds)[0]


def main():
    folder = TARGET / "onnx"
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for model in models("onnx"):
        onnx_model = build_onnx_model(model)
        onnx.save(onnx_model, folder / f"{model['model']}.onnx")
        feeds = {"x": input_of(model)} | extra_inputs(model, np.int64)
        runtime_result = result_of(onnxruntime_output(onnx_model, feeds), model)
        reference_result = result_of(ReferenceEvaluator(onnx_model).run(None, feeds)[0], model)
        numpy = numpy_result(model)
        assert numpy in (runtime_result, reference_result), (model, runtime_result, reference_result, numpy)
        if runtime_result != reference_result:
            print(f"{model['model']} {model['python']}: ONNX Runtime {runtime_result}, reference {reference_result}, NumPy {numpy}")
        rows.append({"model": model["model"], "results": [runtime_result] + [reference_result] * (runtime_result != reference_result)})
        # The Rust programs, in `rust` and `burn`, read the inputs from JSON.
        plain = {name: [list(array.shape), array.reshape(-1).tolist()] for name, array in feeds.items()}
        (folder / f"{model['model']}.json").write_text(json.dumps({"class": model["class"], "inputs": plain}))
    write(HERE / "answers" / "onnx.jsonl", {"source": "onnx", "models": len(rows), "versions": versions("onnx", "onnxruntime", "numpy")}, rows)


if __name__ == "__main__":
    main()
