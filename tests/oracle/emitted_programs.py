"""Runs the programs emitted by slice-systems, each on its own system, and compares the results with NumPy's.

    cargo run -p slice-tests --example emitted_programs | python tests/oracle/emitted_programs.py SYSTEM

SYSTEM is python, tensorflow, openvino, mindspore, onnx, tensorstore, litert, litert_slice, torch, stablehlo, coreml or
zarr. The programs for litert_slice are translated from slices without lists, and all other programs from slices with
lists or masks. Run the script in a Python environment with the system's requirements installed. The script writes the
system's row of EMITTED_PROGRAMS.md, and fails if the result of a program differs from NumPy's. NumPy's result is
computed one axis at a time, because NumPy's `x[...]` would pair the lists of several axes with each other.

A *path* is one of the ways in which a system can run a program: for example, OpenVINO runs it with constant or with
run-time lists. As in emitted_ops.py, if a path is known to compute an incorrect result, the program is not run on this
path; it is counted under the rule that predicts the incorrect result.
"""

import collections
import json
import platform
import re
import sys
from importlib.metadata import version
from math import prod
from pathlib import Path

import numpy as np

from common import error, output, run_in_child

REPORT = Path(__file__).resolve().parent / "EMITTED_PROGRAMS.md"

OTHER = [(re.compile(""), "other")]


def arange(task, dtype=np.int64):
    return np.arange(prod(task["shape"]), dtype=dtype).reshape(task["shape"])


class Key:
    """An object `key` for which `key[...]` returns the items as a tuple."""

    def __getitem__(self, items):
        return items if type(items) is tuple else (items,)


class Points(tuple):
    """The lists of positions inside `zip(...)`."""

    def __new__(cls, *lists):
        return super().__new__(cls, [np.array(positions, int) for positions in lists])


def index_arrays(item):
    """Returns the index arrays of a list, a mask or points, and the number of axes of their result, or None for any other
    item."""
    if isinstance(item, Points):
        return tuple(item), np.broadcast(*item).ndim
    if not isinstance(item, (list, np.ndarray)):
        return None
    array = np.array(item)
    if array.dtype == bool:
        return (array,), 1
    return (array.astype(int),), array.ndim


def expected(task):
    """Returns NumPy's result, computed by applying each list, mask or points to its axes, in the order of the axes, and
    then all other items at once."""
    items = list(eval(f"key[{task['slice']}]", {"key": Key(), "np": np, "zip": Points}))
    array = arange(task)
    arrays = [index_arrays(item) for item in items]
    consumed = sum(item is not None and item is not Ellipsis if arrays is None else
                   sum(array.ndim if array.dtype == bool else 1 for array in arrays[0])
                   for item, arrays in zip(items, arrays))
    if not any(item is Ellipsis for item in items):
        items.append(Ellipsis)
        arrays.append(None)
    others, axis = [], 0
    for item, listed in zip(items, arrays):
        if item is Ellipsis:
            new = [slice(None)] * (len(task["shape"]) - consumed)
        elif listed:
            array = array[(slice(None),) * axis + listed[0]]
            new = [slice(None)] * listed[1]
        else:
            new = [item]
        others += new
        axis += sum(one is not None for one in new)
    return output(array[tuple(others)])


# ---- systems ---------------------------------------------------------------------------------------------------------


def run_python(request):
    _, task = request
    return output(eval(task["texts"][0], {"x": arange(task), "np": np}))


def run_zarr(request):
    import zarr

    _, task = request
    chunks = [max((n + 1) // 2, 1) for n in task["shape"]]
    z = zarr.array(arange(task), chunks=tuple(chunks)) if chunks else zarr.array(arange(task))
    return output(np.asarray(eval(task["texts"][0], {"z": z, "np": np})))


def run_tensorflow(request):
    import os

    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import tensorflow as tf

    _, task = request
    return output(eval(task["texts"][0], {"x": tf.constant(arange(task)), "tf": tf, "np": np}).numpy())


def run_openvino(request):
    """Returns OpenVINO's result for the emitted text, in which x is a parameter of the model. On the path "dyn", lists
    are parameters too; on the path "const", they are constants."""
    import openvino as ov
    from openvino import opset1, opset8

    path, task = request
    sizes = task["shape"] if path == "const" else [-1] * len(task["shape"])
    parameters, given = [ov.op.Parameter(ov.Type.i64, ov.PartialShape(sizes))], [arange(task)]

    def numbers(vector):
        if path == "const" or not isinstance(vector, (list, np.ndarray)):
            return np.array(vector, np.int64)
        parameters.append(ov.op.Parameter(ov.Type.i64, ov.PartialShape(np.shape(vector))))
        given.append(np.array(vector, np.int64))
        return parameters[-1]

    class Opset1:
        @staticmethod
        def strided_slice(operand, *vectors, **masks):
            return opset1.strided_slice(operand, *map(numbers, vectors), **masks)

    class Opset8:
        @staticmethod
        def gather(operand, indices, axis):
            return opset8.gather(operand, numbers(indices), numbers(axis))

        @staticmethod
        def gather_nd(operand, indices):
            return opset8.gather_nd(operand, numbers(indices))

    node = eval(task["texts"][0], {"x": parameters[0], "opset1": Opset1, "opset8": Opset8, "np": np})
    model = ov.Model([opset1.convert(node, "i64")], parameters)
    return output(ov.compile_model(model, "CPU")(given)[0])


def run_mindspore(request):
    import os
    from tempfile import gettempdir

    os.environ["GLOG_v"] = "4"
    os.chdir(gettempdir())
    from mindspore import Tensor, ops

    _, task = request
    text = task["texts"][0].replace("Tensor(", "tensor(")
    tensor = lambda indices: Tensor(np.array(indices, np.int64))
    return output(eval(text, {"x": Tensor(arange(task)), "ops": ops, "tensor": tensor, "np": np}).asnumpy())


def indices_of(fields):
    """Returns the indices of a gather: a nested list, or the shape and the elements of an empty list."""
    indices = fields["indices"]
    if isinstance(indices, dict):
        return np.array(indices["elements"], np.int64).reshape(indices["shape"])
    return np.array(indices, np.int64)


def run_onnx(request):
    import onnxruntime
    from onnx import TensorProto, helper

    _, task = request
    nodes, feed = [], {"data0": arange(task)}
    for op in task["op"]["ops"] or [{"identity": {}}]:
        ((name, fields),) = op.items()
        name = "GatherND" if name == "gathernd" else name.capitalize()
        inputs, attributes = [f"data{len(nodes)}"], {}
        if name.startswith("Gather"):
            vectors = {"indices": indices_of(fields)}
            attributes = {"axis": fields["axis"]} if "axis" in fields else {}
        else:
            vectors = {key: fields[key] for key in ("starts", "ends", "axes", "steps") if key in fields}
        for key, vector in vectors.items():
            inputs.append(f"{key}{len(nodes)}" if vector is not None else "")
            if vector is not None:
                feed[inputs[-1]] = np.array(vector, np.int64)
        nodes.append(helper.make_node(name, inputs, [f"data{len(nodes) + 1}"], **attributes))
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [None] * x.ndim) for name, x in feed.items()]
    result = helper.make_tensor_value_info(f"data{len(nodes)}", TensorProto.INT64, None)
    graph = helper.make_graph(nodes, "emitted", inputs, [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return output(session.run(None, feed)[0])


def run_tensorstore(request):
    """Returns TensorStore's result for the transform, which is passed as JSON on the path "JSON", and as the text of a
    constructor call on the path "Python"."""
    import tensorstore as ts

    path, task = request
    x = ts.array(arange(task))
    if path == "JSON":
        return output(np.asarray(x[ts.IndexTransform(json=task["op"])].read().result()))
    return output(np.asarray(eval(task["texts"][0], {"x": x, "ts": ts}).read().result()))


def run_litert(request):
    """Runs the operators in sequence, each in a separate model."""
    from litert_vectors import model, model_of, run_model

    path, task = request
    kind = {"kernel": "INT32", "XNNPACK": "FLOAT32"}[path]
    x = arange(task, kind.lower())
    for op in task["op"]["ops"]:
        ((name, fields),) = op.items()
        if name == "gather":
            options = {"axis": fields["axis"]}
            x = run_model(model(x.shape, {"indices": indices_of(fields)}, "GATHER", "GatherOptions", options, kind=kind), x)
        elif name == "gather_nd":
            x = run_model(model(x.shape, {"indices": indices_of(fields)}, "GATHER_ND", "GatherNdOptions", {}, kind=kind), x)
        else:
            x = run_model(model_of({"shape": list(x.shape), **fields}, kind=kind), x)
    return output(x)


def run_torch(request):
    import torch

    path, task = request
    text = task["texts"][["Python", "torch.export"].index(path)]
    return output(eval(text, {"torch": torch, "x": torch.from_numpy(arange(task))}).numpy())


def run_stablehlo(request):
    from stablehlo_vectors import interpreter_output, xla_output

    path, task = request
    run = {"interpreter": interpreter_output, "XLA": xla_output}[path]
    return output(run(task["texts"][0], task["shape"]))


def run_coreml(request):
    import logging

    from coreml_vectors import build_op

    logging.disable(logging.CRITICAL)
    _, task = request
    x = arange(task, np.int32)
    op = build_op(lambda mb: eval(f"mb.identity(x={task['texts'][0]})", {"mb": mb, "x": mb.const(val=x), "np": np}))
    result = output(np.asarray(op.val))
    assert list(op.shape) == result["out"]["shape"], (task, op.shape)
    return result


# For each system: the function that runs a program, the names of the paths, and the packages whose versions are
# reported.
SYSTEMS = {
    "python": (run_python, ["NumPy"], ["numpy"]),
    "zarr": (run_zarr, ["zarr-python"], ["zarr", "numpy"]),
    "tensorflow": (run_tensorflow, ["eager"], ["tensorflow-cpu"]),
    "openvino": (run_openvino, ["const", "dyn"], ["openvino"]),
    "mindspore": (run_mindspore, ["PyNative"], ["mindspore"]),
    "onnx": (run_onnx, ["ONNX Runtime"], ["onnx", "onnxruntime"]),
    "tensorstore": (run_tensorstore, ["JSON", "Python"], ["tensorstore"]),
    "litert": (run_litert, ["kernel", "XNNPACK"], ["ai-edge-litert"]),
    "litert_slice": (run_litert, ["kernel", "XNNPACK"], ["ai-edge-litert"]),
    "torch": (run_torch, ["Python", "torch.export"], ["torch"]),
    "stablehlo": (run_stablehlo, ["interpreter", "XLA"], ["jax", "jaxlib"]),
    "coreml": (run_coreml, ["folding"], ["coremltools"]),
}


def result_of(request):
    """Returns the system's output or its error. An error counts as a failure, because every program is valid."""
    system = request[1]["system"]
    try:
        return SYSTEMS[system][0](request)
    except (RuntimeError, ValueError, IndexError, TypeError, NotImplementedError) as failure:
        return error(failure, OTHER)


def spoiled_paths(task):
    """Returns the paths that are known to compute an incorrect result for the program, each with the rule that predicts
    this."""
    from emitted_ops import spoiled_paths

    system = task["system"].removesuffix("_slice")
    ops = task["op"].get("ops", []) if isinstance(task["op"], dict) else []
    op = next((op["strided_slice"] for op in ops if "strided_slice" in op), None)
    if system in ("openvino", "mindspore", "litert") and op is not None:
        rules = spoiled_paths({"system": system, "shape": task["shape"], "op": op})
    else:
        rules = {}
    if system == "openvino" and not expected(task)["out"]["elements"] and any("gather" in op or "gather_nd" in op for op in ops):
        rules["const"] = "gather_of_nothing"
    if system == "litert" and not task["shape"] and ops:
        rules["XNNPACK"] = "scalar_float"
    return rules


def write(row):
    """Replaces the system's row in the report."""
    lines = REPORT.read_text().splitlines()
    head = [line for line in lines if not line.startswith("| ") or line.startswith("| system")]
    rows = {line.split(" | ")[0].removeprefix("| "): line for line in lines if line not in head}
    rows[row.split(" | ")[0].removeprefix("| ")] = row
    REPORT.write_text("\n".join([*head, *(rows[name] for name in SYSTEMS if name in rows)]) + "\n")


def main():
    system = sys.argv[1]
    _, paths, packages = SYSTEMS[system]
    tasks = [task for task in map(json.loads, sys.stdin) if task["system"] == system]
    requests, spoiled = [], collections.Counter()
    for task in tasks:
        rules = spoiled_paths(task)
        for path in paths:
            if path in rules:
                spoiled[f"{path}: {rules[path]}"] += 1
            else:
                requests.append((path, task))
    failures = 0
    for task in tasks:
        names_defect = any("crashes in a Gather" in defect for defect in task["defects"])
        if spoiled_paths(task).get("const") == "gather_of_nothing" and not names_defect:
            failures += 1
            print(f"the library does not name the defect: {json.dumps(task)}")
    for (path, task), result in zip(requests, run_in_child(result_of, requests)):
        if result != expected(task):
            failures += 1
            print(f"{path}: {json.dumps(task)}: got {result}, expected {expected(task)}")
    versions = ", ".join(f"{name} {version(name)}" for name in packages)
    runs = collections.Counter(path for path, _ in requests)
    counts = ", ".join(f"{path} {count}" for path, count in runs.items())
    not_run = ", ".join(f"{rule} {count}" for rule, count in sorted(spoiled.items())) or "–"
    row = f"| {system} | {versions}, Python {platform.python_version()} | {counts} | {not_run} | {failures} |"
    write(row)
    print(row)
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
