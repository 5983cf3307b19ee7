"""Records a system's results for gather operations along one axis, with valid and invalid axes and indices.

    python tests/oracle/gather_vectors.py SYSTEM

SYSTEM is tensorflow, openvino, mindspore, onnx, tensorstore, litert, torch, stablehlo or coreml. Run the script in a
Python environment with the system's requirements installed. The script writes SYSTEM_gather.jsonl.gz, whose cases are
programs with one operator. Lists may be empty, and their indices may be negative, repeated or out of bounds.
TensorStore's cases are transforms with index arrays. PyTorch's cases include indexing expressions with a list and a range.
"""

import json
import random
import re
import sys
from itertools import product
from math import prod

from common import EXTREMES, I32_MAX, I32_MIN, I64_MAX, I64_MIN, distinct, error, output, random_shape, run_in_child, write

SEED = 20261123

EXCLUSIONS = {
    "unread": "an index out of range is not checked if no element is read",
    "foreign": "an index out of range is not an error: the result has zeros or memory from outside the array in its place",
    "crash": "the process crashes",
}

KINDS = {
    "tensorflow": [(r"is not in \[0", "index_oob"), ("at least rank|at least 1 dimensional", "axis_range")],
    "openvino": [("[Aa]xis|out-of-range dimension", "axis_range")],
    "mindspore": [("axis|dim", "axis_range"), ("range|index", "index_oob"), ("", "axis_range")],
    "onnx": [("out of data bounds", "index_oob"), ("axis must be in|rank >= 1", "axis_range")],
    "litert": [
        ("gather index out of bounds", "index_oob"),
        (r"axis < NumDimensions|axis >= 0|0 <= axis", "axis_range"),
    ],
    "torch": [
        ("Dimension out of range", "axis_range"),
        ("Index to scalar|index_select.. Index should have dimension", "scalar_input"),
        ("out of range in self|out of DATA bounds|should be positive|out of bounds for dimension", "index_oob"),
        ("too many indices", "too_many_indices"),
        ("invalid index of a 0-dim", "too_many_indices"),
    ],
    "stablehlo": [("slice size .* is out of bounds", "size_range"), ("", "axis_range")],
    "coreml": [("Axis value", "axis_range"), ("is out of bounds for axis|from an empty axes", "index_oob")],
    "tensorstore": [("", "refused")],
}


# ---- cases -----------------------------------------------------------------------------------------------------------


def random_indices(rng, n, invalid=0.3):
    kind = rng.random()
    if kind < 0.06:
        return []
    indices = [rng.randrange(n) if n else 0 for _ in range(rng.randint(1, 6))] if n or kind < 0.5 else []
    if n and kind < 0.25:
        indices = [index - n if rng.random() < 0.5 else index for index in indices]
    if rng.random() < invalid:
        wrong = rng.choice([n, n + 1, -n - 1, -n - 2, -1, I32_MAX, I32_MIN])
        indices.insert(rng.randint(0, len(indices)), wrong)
    return indices


def random_axis(rng, rank, allow_negative=True):
    if not rank or rng.random() < 0.08:
        return rng.choice([rank, rank + 1, -rank - 1, -1, 0])
    return rng.randrange(-rank if allow_negative else 0, rank)


def gathers(rng, system):
    for _ in range(1100):
        shape = random_shape(rng, ranks=[0, 1, 1, 2, 2, 3, 4], max_elements=120, zero=0.08)
        axis = random_axis(rng, len(shape), system != "stablehlo")
        n = shape[axis] if -len(shape) <= axis < len(shape) else 3
        indices = random_indices(rng, n)
        if system == "stablehlo":
            extreme_indices = [rng.choice(EXTREMES) if rng.random() < 0.1 else index for index in indices]
            op = {"gather": {"dimension": axis, "indices": extreme_indices}}
        elif system == "torch" and rng.random() < 0.4:
            lists = [None] * (axis % max(len(shape), 1) if rng.random() < 0.9 else len(shape)) + [indices]
            op = {"index": {"indices": lists}}
        elif system == "torch":
            op = {"index_select": {"dim": axis, "index": indices}}
        else:
            op = {"gather": {"indices": indices, "axis": axis}}
        yield {"shape": shape, "ops": [op]}
    if system == "torch":
        yield from lists_in_brackets()


def lists_in_brackets():
    """Yields indexing expressions with a list and a range, which may be empty."""
    for shape, other in product([[5, 3], [5, 1], [0, 3], [5, 0]], [":", "1:3", ":-6", "5:"]):
        for axis, index in product([0, 1], [0, 2, -1, -3, 5, -6, I64_MIN, I64_MAX]):
            items = [f"[{index}, 0]", other] if axis == 0 else [other, f"[{index}, 0]"]
            yield {"shape": shape, "ops": [{"getitem": ", ".join(items)}]}


def transforms(rng, _):
    """Yields transforms with index arrays for some axes. Each array varies along one dimension of the domain, and
    dimensions may begin at positions other than 0. Then yields transforms whose arrays may vary along several dimensions,
    and share them."""
    for _ in range(1100):
        shape = random_shape(rng, ranks=[1, 1, 2, 2, 3, 4], max_elements=120, zero=0.03)
        rank = len(shape)
        low, high, output_maps = [], [], []
        for dimension, n in enumerate(shape):
            begin = rng.choice([0, 0, rng.randint(-3, 3)])
            low.append(begin)
            if rng.random() < 0.6 and n:
                offset, stride = rng.choice([(0, 1), (0, 1), (n - 1, -1), (1, 1), (0, 2)])
                inside = [k for k in range(-n, 2 * n) if 0 <= offset + stride * k < n] or [0]
                indices = [rng.choice(inside) for _ in range(rng.randint(1, 5))]
                if rng.random() < 0.12:
                    indices[rng.randrange(len(indices))] = rng.choice([n, -1, n + 3, -n - 1])
                high.append(begin + len(indices) + (rng.random() < 0.05))
                array = indices
                for _ in range(rank - 1 - dimension):
                    array = [[x] for x in array] if not isinstance(array[0], list) else [[x] for x in array]
                if rank - 1 - dimension:
                    array = indices
                    for depth in range(rank - 1 - dimension):
                        array = nest(array)
                for _ in range(dimension):
                    array = [array]
                if rng.random() < 0.03:
                    array = [array]
                output_map = {"index_array": array}
                if offset:
                    output_map["offset"] = offset
                if stride != 1:
                    output_map["stride"] = stride
                if rng.random() < 0.1:
                    output_map["index_array_bounds"] = [min(indices), max(indices) - (rng.random() < 0.3)]
                output_maps.append(output_map)
            else:
                high.append(begin + n)
                output_maps.append({"input_dimension": dimension, "offset": -begin})
        if rng.random() < 0.1 and rank > 1:
            rng.shuffle(output_maps)
        yield {
            "shape": shape,
            "transform": {"input_inclusive_min": low, "input_exclusive_max": high, "output": output_maps},
        }


    yield from transforms_of_points(rng)


def transforms_of_points(rng):
    """Yields transforms with index arrays for groups of axes. The arrays of a group lie along the same one to three
    dimensions, or have length 1 along them. Some groups have axes that are not neighbors, and some dimensions are not in
    the order of the axes."""
    import numpy as np

    for _ in range(1500):
        shape = random_shape(rng, ranks=[1, 2, 2, 3, 3, 4], max_elements=120, zero=0.03)
        low, lengths, output_maps, arrays = [], [], [None] * len(shape), []
        axes = list(range(len(shape)))
        while axes:
            group = [axes.pop(0)]
            if rng.random() < 0.7:
                while axes and rng.random() < 0.6:
                    group.append(axes.pop(rng.choice([0, 0, 0, 0, -1])))
                dimensions = [len(low) + k for k in range(rng.choice([1, 1, 2, 2, 3]))]
                low += [rng.choice([0, 0, rng.randint(-2, 2)]) for _ in dimensions]
                lengths += [rng.choice([1, 2, 2, 3, 3, 4, 0 if rng.random() < 0.2 else 2]) for _ in dimensions]
                along = {dimension: rng.choice(group) for dimension in dimensions if rng.random() < 0.95}
                arrays += [(axis, [k for k in dimensions if along.get(k) == axis or rng.random() < 0.6]) for axis in group]
            elif rng.random() < 0.8:
                n = shape[group[0]]
                output_maps[group[0]] = {"input_dimension": len(low)}
                low.append(0)
                lengths.append(n)
            else:
                output_maps[group[0]] = {"offset": rng.randrange(shape[group[0]] + (rng.random() < 0.1) or 1)}
            if rng.random() < 0.1:
                low.append(0)
                lengths.append(rng.choice([1, 1, 1, 2]))
        if rng.random() < 0.1 and len(low) > 1:
            permuted = rng.sample(range(len(low)), len(low))
            low, lengths = ([values[permuted.index(k)] for k in range(len(low))] for values in (low, lengths))
            for output_map in filter(None, output_maps):
                if "input_dimension" in output_map:
                    output_map["input_dimension"] = permuted[output_map["input_dimension"]]
            arrays = [(axis, [permuted[k] for k in dimensions]) for axis, dimensions in arrays]
        for axis, dimensions in arrays:
            along = [length if k in dimensions else 1 for k, length in enumerate(lengths)]
            if rng.random() < 0.02:
                along[rng.randrange(len(along))] += 1
            n = max(shape[axis], 1)
            indices = np.array([rng.randrange(n) for _ in range(prod(along))], int).reshape(along)
            if indices.size and rng.random() < 0.04:
                indices.flat[rng.randrange(indices.size)] = rng.choice([n, -1])
            output_maps[axis] = {"index_array": indices.tolist()}
            if rng.random() < 0.2:
                output_maps[axis] |= {"index_array": (n - 1 - indices).tolist(), "offset": n - 1, "stride": -1}
        yield {
            "shape": shape,
            "transform": {
                "input_inclusive_min": low,
                "input_exclusive_max": [begin + length for begin, length in zip(low, lengths)],
                "output": output_maps,
            },
        }


def nest(array):
    """Returns a nested list with an additional last dimension of length 1."""
    return [nest(x) if isinstance(x, list) else [x] for x in array]


# ---- results ---------------------------------------------------------------------------------------------------------


def arange(case, dtype="int64"):
    import numpy as np

    return np.arange(prod(case["shape"]), dtype=dtype).reshape(case["shape"])


def run_tensorflow(x, op):
    import os

    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow as tf

    return tf.gather(tf.constant(x), np.array(op["indices"], np.int64), axis=op["axis"]).numpy()


def run_openvino(x, op):
    """Returns OpenVINO's output. The indices are an input, because the CPU plugin crashes if constant indices are
    empty."""
    import numpy as np
    import openvino as ov
    from openvino import opset8

    parameters = [
        ov.op.Parameter(ov.Type.i64, ov.PartialShape([-1] * x.ndim)),
        ov.op.Parameter(ov.Type.i64, ov.PartialShape([-1])),
    ]
    node = opset8.gather(*parameters, np.array(op["axis"], np.int64))
    compiled = ov.compile_model(ov.Model([node], parameters), "CPU")
    return np.array(compiled([x, np.array(op["indices"], np.int64)])[0])


def run_mindspore(x, op):
    import os
    from tempfile import gettempdir

    os.environ["GLOG_v"] = "4"
    os.chdir(gettempdir())
    import numpy as np
    from mindspore import Tensor, ops

    return ops.gather(Tensor(x), Tensor(np.array(op["indices"], np.int64)), op["axis"]).asnumpy()


def run_onnx(x, op):
    import numpy as np
    import onnxruntime
    from onnx import TensorProto, helper

    infos = [helper.make_tensor_value_info(name, TensorProto.INT64, [None] * rank) for name, rank in (("x", x.ndim), ("i", 1))]
    node = helper.make_node("Gather", ["x", "i"], ["y"], axis=op["axis"])
    graph = helper.make_graph([node], "g", infos, [helper.make_tensor_value_info("y", TensorProto.INT64, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x, "i": np.array(op["indices"], np.int64)})[0]


def run_litert(x, op):
    import numpy as np
    from litert_vectors import model, run_model

    options = {"axis": op["axis"]}
    return run_model(model(x.shape, {"indices": op["indices"]}, "GATHER", "GatherOptions", options), x.astype(np.int32))


def run_torch(x, op):
    import torch

    tensor = lambda indices: None if indices is None else torch.tensor(indices, dtype=torch.int64)
    x = torch.from_numpy(x)
    if isinstance(op, str):
        return eval(f"x[{op}]").numpy()
    if "dim" in op:
        return torch.ops.aten.index_select.default(x, op["dim"], tensor(op["index"])).numpy()
    return torch.ops.aten.index.Tensor(x, [tensor(indices) for indices in op["indices"]]).numpy()


def run_stablehlo(x, op):
    """Returns the interpreter's output, and checks that XLA's CPU backend returns the same output."""
    from jaxlib.mlir import ir
    from stablehlo_vectors import interpreter_output, xla_output

    k, indices = op["dimension"], op["indices"]
    tensor = lambda shape: f"tensor<{''.join(f'{n}x' for n in shape)}i64>"
    result_shape = [len(indices) if axis == k else n for axis, n in enumerate(x.shape)]
    sizes = ", ".join(str(1 if axis == k else n) for axis, n in enumerate(x.shape))
    others = [axis for axis in range(x.ndim) if axis != k]
    numbers = f"offset_dims = {others}, collapsed_slice_dims = [{k}], start_index_map = [{k}], index_vector_dim = 1"
    text = f"""func.func @main(%x: {tensor(x.shape)}) -> {tensor(result_shape)} {{
  %i = stablehlo.constant dense<{indices or ''}> : tensor<{len(indices)}xi64>
  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<{numbers}>, slice_sizes = array<i64{': ' * bool(sizes)}{sizes}>}}> : ({tensor(x.shape)}, tensor<{len(indices)}xi64>) -> {tensor(result_shape)}
  return %0 : {tensor(result_shape)}
}}
"""
    try:
        result = interpreter_output(text, x.shape)
    except (ir.MLIRError, ValueError) as failure:
        lines = [re.sub(r'^error: "-":\d+:\d+: ', "", line) for line in str(failure).splitlines()]
        raise RuntimeError(lines[1] if len(lines) > 1 else lines[0]) from None
    other = xla_output(text, x.shape)
    assert other.shape == result.shape and (other == result).all(), (x.shape, op)
    return result


def run_coreml(x, op):
    import logging

    logging.disable(logging.CRITICAL)
    import numpy as np
    from coreml_vectors import build_op

    indices = np.array(op["indices"], np.int32)
    built = build_op(lambda mb: mb.gather(x=mb.const(val=x.astype(np.int32)), indices=indices, axis=op["axis"]))
    result = np.asarray(built.val)
    assert list(built.shape) == list(result.shape), op
    return result


SYSTEMS = {
    "tensorflow": (run_tensorflow, ["tensorflow-cpu"]),
    "openvino": (run_openvino, ["openvino"]),
    "mindspore": (run_mindspore, ["mindspore"]),
    "onnx": (run_onnx, ["onnx", "onnxruntime"]),
    "tensorstore": (None, ["tensorstore"]),
    "litert": (run_litert, ["ai-edge-litert"]),
    "torch": (run_torch, ["torch"]),
    "stablehlo": (run_stablehlo, ["jax", "jaxlib"]),
    "coreml": (run_coreml, ["coremltools"]),
}


def run_system(case, system):
    if system == "tensorstore":
        import numpy as np
        import tensorstore as ts

        return np.asarray(ts.array(arange(case))[ts.IndexTransform(json=case["transform"])].read().result())
    ((fields,),) = [op.values() for op in case["ops"]]
    return SYSTEMS[system][0](arange(case), fields)


def result_of(request):
    system, case = request
    kinds = [(re.compile(pattern, re.DOTALL), kind) for pattern, kind in KINDS[system]]
    try:
        result = output(run_system(case, system))
    except AssertionError:
        raise
    except Exception as failure:  # the only common base of the exception classes
        lines = [line for line in re.sub(r"{{.*?}} ", "", str(failure)).splitlines() if line.strip()]
        line = lines[-1] if system in ("openvino", "onnx") else lines[0]
        return error(re.sub(r"^\S*/", "", line)[:300], kinds)
    return result


def excluded(system, case, result):
    """Returns the fields that exclude a case with the given `result`, or {} if no rule excludes the case."""
    if "error" in result:
        return {"excluded": "crash"} if result["error"]["kind"] == "crash" else {}
    if system == "tensorstore":
        if not is_outside(case):
            return {}
        # TensorStore does not check indices on an axis without elements.
        return {"excluded": "unread"} if not result["out"]["elements"] else foreign(result)
    if system == "stablehlo":
        return {}
    ((name, fields),) = case["ops"][0].items()
    if name == "index":
        axis, indices = len(fields["indices"]) - 1, fields["indices"][-1]
    elif name == "getitem":
        axis = int(not fields.startswith("["))
        indices = json.loads(re.search(r"\[.*\]", fields)[0])
    else:
        axis = fields.get("axis", fields.get("dim"))
        indices = fields.get("indices", fields.get("index"))
    n = case["shape"][axis] if case["shape"] else 1
    low = -n if system in ("openvino", "mindspore", "onnx", "coreml") or name in ("index", "getitem") else 0
    if all(low <= index < n for index in indices):
        return {}
    if not result["out"]["elements"]:
        return {"excluded": "unread"}
    assert system == "openvino", (case, result)
    return foreign(result)


def foreign(result):
    """Excludes a result without its elements, which come from memory outside the array and differ between runs."""
    return {"out": {"shape": result["out"]["shape"], "elements": []}, "excluded": "foreign"}


def is_outside(case):
    """Returns True if an index array of the transform has an index outside `index_array_bounds`, or an index that
    selects a position outside its axis."""
    import numpy as np

    for n, output_map in zip(case["shape"], case["transform"]["output"]):
        indices = np.array(output_map.get("index_array", []), np.int64).ravel()
        low, high = output_map.get("index_array_bounds", [I32_MIN, I32_MAX])
        positions = indices * output_map.get("stride", 1) + output_map.get("offset", 0)
        if any(not low <= index <= high for index in indices) or any(not 0 <= position < n for position in positions):
            return True
    return False


def main():
    system = sys.argv[1]
    generate = transforms if system == "tensorstore" else gathers
    cases = list(distinct(generate(random.Random(SEED), system)))
    results = run_in_child(result_of, [(system, case) for case in cases])
    records = [{**case, **reply, **excluded(system, case, reply)} for case, reply in zip(cases, results)]
    write(f"{system}_gather", __file__, [*SYSTEMS[system][1], "numpy"], SEED, records, EXCLUSIONS)


if __name__ == "__main__":
    main()
