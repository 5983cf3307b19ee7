"""Runs the operations emitted by slice-systems, each on the system it is for, and compares the results with NumPy's.

    cargo run -p slice-tests --example emitted_ops | python tests/oracle/emitted_ops.py SYSTEM

SYSTEM is tensorflow, openvino, mindspore, onnx, tensorstore, litert, torch, stablehlo or coreml. Run the script in a
Python environment with the system's requirements installed. The script writes the system's section of EMITTED.md, and
fails if the result of an operation differs from NumPy's. If NumPy rejects a slice, the system must reject the operation
too.

A *task* is a line of the input: an operation, the slices from which it was translated, and the shape of the array. A
*path* is one of the ways in which a system can run an operation. If a rule of openvino_defects.py, mindspore_kernel.py,
litert_kernel.py or torch_vectors.py predicts an incorrect result on a path, the operation is not run on this path; it
is counted under that rule instead. The script fails if slice-systems emitted such an operation without naming the defect.
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

from common import error, first_elements, output, run_in_child

REPORT = Path(__file__).resolve().parent / "EMITTED.md"


def case_of(task):
    """Returns the task as a case in the format of the vector scripts."""
    return {"shape": task["shape"], **task["op"]}


def run_tensorflow(request):
    from tensorflow_vectors import result_of

    _, task = request
    return result_of(case_of(task))


def run_openvino(request):
    from openvino_vectors import result_of

    path, task = request
    return result_of((path, case_of(task)))


def run_mindspore(request):
    from mindspore_vectors import result_of

    _, task = request
    return result_of(("operation", case_of(task)))


def run_onnx(request):
    """Returns ONNX Runtime's result for a model with the plan's operators: Slice, Squeeze and Unsqueeze, each of them
    optional."""
    import onnxruntime
    from onnx import TensorProto, helper

    _, task = request
    plan = task["op"]
    opset = plan["slice"]["opset"] if plan["slice"] else 13
    nodes, feed = [], {}

    def add_operator(op, **vectors):
        """Adds an operator to the model. The opset determines whether its vectors are attributes or inputs. Vectors
        that are None are omitted."""
        attributes = opset < (10 if op == "Slice" else 13)
        given = {name: vector for name, vector in vectors.items() if vector is not None}
        feeds = {f"{op}_{name}": np.array(vector, np.int64) for name, vector in given.items()}
        names = [f"{op}_{name}" if name in given else "" for name in vectors]
        inputs = [f"data{len(nodes)}"] + ([] if attributes else names)
        nodes.append(helper.make_node(op, inputs, [f"data{len(nodes) + 1}"], **(given if attributes else {})))
        feed.update({} if attributes else feeds)

    if plan["slice"]:
        add_operator("Slice", **{name: plan["slice"][name] for name in ("starts", "ends", "axes", "steps")})
    for op in "Squeeze", "Unsqueeze":
        if plan[op.lower()]:
            add_operator(op, axes=plan[op.lower()])
    if not nodes:
        add_operator("Identity")
    first = next(first_elements)
    feed["data0"] = np.arange(first, first + prod(task["shape"])).reshape(task["shape"])
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, [None] * x.ndim) for name, x in feed.items()]
    result = helper.make_tensor_value_info(f"data{len(nodes)}", TensorProto.INT64, None)
    graph = helper.make_graph(nodes, "emitted", inputs, [result])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    try:
        return output(session.run(None, feed)[0] - first)
    except onnxruntime.capi.onnxruntime_pybind11_state.Fail as failure:
        return error(failure, [(re.compile(""), "other")])


def run_tensorstore(request):
    from tensorstore_vectors import result_of

    _, task = request
    result = result_of({"shape": task["shape"], "transform": task["op"]})
    del result["transform"]
    return result


def run_litert(request):
    """Returns LiteRT's result for int32 elements, which LiteRT's own kernels copy, or for float32 elements, which
    XNNPACK copies."""
    import numpy as np
    from litert_vectors import message, model_of, run_model

    path, task = request
    kind = {"kernel": "INT32", "XNNPACK": "FLOAT32"}[path]
    case = case_of(task)
    first = next(first_elements) % 100_000
    x = np.arange(first, first + prod(case["shape"]), dtype=kind.lower()).reshape(case["shape"])
    try:
        return output(run_model(model_of(case, kind=kind), x) - first)
    except (RuntimeError, ValueError) as failure:
        return error(message(failure), [(re.compile(""), "other")])


def run_torch(request):
    """Returns the result of evaluating the emitted text with PyTorch."""
    import torch

    path, task = request
    text = task["texts"][["Python", "torch.export"].index(path)]
    first = next(first_elements)
    x = torch.arange(first, first + prod(task["shape"])).reshape(task["shape"])
    if text is None:
        return {"error": {"kind": "other", "message": "there are no operators for this rank"}}
    try:
        return output((eval(text, {"torch": torch, "x": x}) - first).numpy())
    except (RuntimeError, IndexError, ValueError) as failure:
        return error(failure, [(re.compile(""), "other")])


def run_stablehlo(request):
    from stablehlo_vectors import interpreter_output, xla_output

    path, task = request
    run = {"interpreter": interpreter_output, "XLA": xla_output}[path]
    return output(run(task["texts"][0], task["shape"]))


def run_coreml(request):
    """Returns the result of folding the emitted text to a constant. Checks that the shape of the result is the one that
    type inference determined."""
    import logging

    import numpy as np
    from coreml_vectors import build_op

    logging.disable(logging.CRITICAL)
    _, task = request
    x = np.arange(prod(task["shape"]), dtype=np.int32).reshape(task["shape"])
    op = build_op(lambda mb: eval(f"mb.identity(x={task['texts'][0]})", {"mb": mb, "x": mb.const(val=x)}))
    result = output(np.asarray(op.val))
    assert list(op.shape) == result["out"]["shape"], (task, op.shape)
    return result


# For each system: the function that runs an operation, the names of the paths, and the packages whose versions are
# reported.
SYSTEMS = {
    "tensorflow": (run_tensorflow, ["eager"], ["tensorflow-cpu"]),
    "openvino": (run_openvino, ["ref", "const", "dyn"], ["openvino"]),
    "mindspore": (run_mindspore, ["PyNative"], ["mindspore"]),
    "onnx": (run_onnx, ["ONNX Runtime"], ["onnx", "onnxruntime"]),
    "tensorstore": (run_tensorstore, ["array"], ["tensorstore"]),
    "litert": (run_litert, ["kernel", "XNNPACK"], ["ai-edge-litert"]),
    "torch": (run_torch, ["Python", "torch.export"], ["torch"]),
    "stablehlo": (run_stablehlo, ["interpreter", "XLA"], ["jax", "jaxlib"]),
    "coreml": (run_coreml, ["folding"], ["coremltools"]),
}


def spoiled_paths(task):
    """Returns the paths that are known to compute an incorrect result for the task, each with the rule that predicts
    this."""
    match task["system"]:
        case "openvino":
            from openvino_defects import spoiled_paths

            return {path: rule.name for path, rule in spoiled_paths(case_of(task)).items()}
        case "mindspore":
            from mindspore_vectors import predicted_rule

            rule = predicted_rule(case_of(task))
            if rule == "foreign_shape":
                # MindSpore rejects the case, unless its kernel divides by zero first.
                rule = "division_by_zero" if may_divide_by_zero(case_of(task)) else None
            return {"PyNative": rule} if rule else {}
        case "litert":
            from litert_kernel import strided_slice

            rule = strided_slice(case_of(task)).get("rule")
            rules = {path: rule for path in ("kernel", "XNNPACK")} if rule else {}
            return rules if task["shape"] else {"XNNPACK": "scalar_float", **rules}
        case "torch":
            rule = overflows(task)
            return {path: "wide_step" for path in ("Python", "torch.export")} if rule else {}
    return {}


def overflows(task):
    """Returns True if an operator of the task's program overflows 64 bits on an array of the task's shape."""
    import torch
    from torch_vectors import overflows

    x = torch.empty(task["shape"], dtype=torch.int8)
    return any(overflows(op, x) for op in task["op"]["ops"])


def may_divide_by_zero(case):
    """Returns True if MindSpore's kernel may divide by zero before it rejects the case, which has indices in addition
    to one other entry for each axis."""
    count = len(case["begin"])
    indices = [case["shrink_axis_mask"] >> entry & 1 == 1 for entry in range(count)]
    masked = case["begin_mask"] & case["end_mask"]
    sliced = [not index and not (masked >> entry & 1 and case["strides"][entry] == 1) for entry, index in enumerate(indices)]
    return indices.count(False) == len(case["shape"]) and 0 in case["shape"][:-1] and any(sliced[1:])


# For each rule, a substring of the description of the defect in slice-systems.
DEFECTS = {
    "index_behind": "an index out of range is not an error",
    "index_before": "an index out of range is not an error",
    "scalar_float": "XNNPACK rejects 0-dimensional float32 inputs",
    "wide_step": "if the sum of a step and the length of the range",
    "scalar": "of a scalar",
    "index_of_nothing": "does not check indices",
    "index_outside": "does not check indices",
    "reverse_of_nothing": "a reversed axis of length 0",
    "stride_without_size": "strides to 32 bits",
    "wrapped_stride": "strides",
    "wrapped_bounds": "bounds to 32 bits",
    "new_axis_behind_ellipsis": "a new axis after the ellipsis",
    "rank_limit": "more than 8 axes",
    "wide_stride": "strides that do not fit in 32 bits",
    "view_overflow": "for a view",
    "division_by_zero": "divides by zero",
    "one_dimension_only": "slices only that axis",
    "behind_the_end": "begins at or beyond the end",
    "before_the_start": "begins before the first element",
    "by_place": "applies entry i to axis i",
}


def expected(task):
    """Returns NumPy's result of applying the slices in sequence, or None if NumPy rejects one of them."""
    array = np.arange(prod(task["shape"])).reshape(task["shape"])
    for text in task["slices"]:
        try:
            array = eval(f"array[{text}]", {"array": array})
        except IndexError:
            return None
    return output(array)


def is_correct(result, task):
    """Returns True if the system selected the same elements as NumPy, or if both rejected the slice. A crash or a read
    outside the array does not count as a rejection."""
    expected_result = expected(task)
    if expected_result is None:
        return "error" in result and result["error"]["kind"] not in ("crash", "foreign_memory")
    return result == expected_result


def select_requests(tasks, paths):
    """Returns the tasks to run with their paths, the number of tasks not run for each path and rule, and the tasks not
    run whose defect slice-systems does not name."""
    requests, spoiled, unnamed = [], collections.Counter(), []
    for task in tasks:
        rules = spoiled_paths(task)
        for path in paths:
            if path not in rules:
                requests.append((path, task))
                continue
            spoiled[path, rules[path]] += 1
            if rules[path] == "surplus_entries":
                continue  # slice-systems translates a spec without a shape, so it cannot know the number of axes
            if not any(DEFECTS[rules[path]] in defect for defect in task["defects"]):
                unnamed.append((path, task, rules[path]))
    return requests, spoiled, unnamed


def section(system, packages, requests, failures, spoiled):
    """Returns the system's section of the report."""
    versions = ", ".join(f"{name} {version(name)}" for name in [*packages, "numpy"])
    runs = collections.Counter((path, task["source"]) for path, task in requests)
    failed = collections.Counter((path, task["source"]) for path, task, _ in failures)
    lines = [f"## {system}", "", f"{versions}, Python {platform.python_version()}", ""]
    lines += ["| path | translated from | operations run | failures |", "|---|---|---|---|"]
    lines += [f"| {path} | a {source} | {count} | {failed[path, source]} |" for (path, source), count in sorted(runs.items())]
    if spoiled:
        lines += ["", "| path | rule that predicts an incorrect result | operations not run |", "|---|---|---|"]
        lines += [f"| {path} | {rule} | {count} |" for (path, rule), count in sorted(spoiled.items())]
    return "\n".join(lines) + "\n"


def write(system, text):
    """Replaces the system's section in the report."""
    head, *sections = re.split(r"^(?=## )", REPORT.read_text(), flags=re.MULTILINE)
    by_name = {part.split("\n", 1)[0].removeprefix("## "): part.rstrip() + "\n" for part in sections} | {system: text}
    REPORT.write_text("\n".join([head.rstrip() + "\n", *(by_name[name] for name in SYSTEMS if name in by_name)]))


def main():
    system = sys.argv[1]
    run, paths, packages = SYSTEMS[system]
    tasks = [task for task in map(json.loads, sys.stdin) if task["system"] == system]
    requests, spoiled, unnamed = select_requests(tasks, paths)
    for path, task, rule in unnamed:
        print(f"{path}: {json.dumps(task)}: the library names only {task['defects']}, but the rule {rule} applies")
    failures = []
    for (path, task), result in zip(requests, run_in_child(run, requests)):
        if not is_correct(result, task):
            failures.append((path, task, result))
            print(f"{path}: {json.dumps(task)}: got {result}, expected {expected(task)}")
    text = section(system, packages, requests, failures, spoiled)
    write(system, text)
    print(text)
    sys.exit(bool(failures or unnamed))


if __name__ == "__main__":
    main()
