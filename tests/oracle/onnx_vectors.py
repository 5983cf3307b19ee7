"""Records ONNX Runtime's results for ONNX's Slice operator, and the specification's result if it differs.

Writes onnx.jsonl.gz. `out` and `error` are ONNX Runtime's results. `text_shape` is the shape that ONNX's own shape
inference finds, if any. `text` is the result according to the text of the specification, if ONNX Runtime's result
differs: ONNX Runtime reads an end of INT32_MAX or INT64_MAX with a negative step as "down to the first element", but
the specification clamps this end like any other number. The results of ONNX's ReferenceEvaluator are compared with the
specification's result, but not stored.
"""

import random
import re
from math import prod

import numpy as np
import onnx
import onnxruntime
from onnx import AttributeProto, TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from common import (
    EXTREMES,
    I32_MAX,
    I32_MIN,
    I64_MAX,
    I64_MIN,
    arbitrary_range,
    distinct,
    error,
    nonempty_range,
    output,
    random_shape,
    with_results,
    write,
)

SEED = 20240615

VECTORS = ["starts", "ends", "axes", "steps"]

KINDS = [
    (re.compile("Unrecognized attribute: steps"), "unknown_attribute"),
    (re.compile("Cannot slice scalars"), "scalar_input"),
    (re.compile("Starts and ends shape mismatch|Missing or invalid starts and ends"), "len_ends"),
    (re.compile("Starts and axes shape mismatch|Invalid axes attribute"), "len_axes"),
    (re.compile("Starts and steps shape mismatch"), "len_steps"),
    (re.compile("has an axis outside|is not in valid range"), "axis_range"),
    (re.compile("'axes' has duplicates"), "dup_axes"),
    (re.compile("'step' value cannot be 0"), "zero_stride"),
]


# ---- specs -----------------------------------------------------------------------------------------------------------


def omitted_end(rng, step):
    """Returns a number that the specification recommends for an omitted end, of a random width: INT_MAX, or INT_MIN for
    a negative step."""
    return rng.choice([I32_MAX, I64_MAX] if step > 0 else [I32_MIN, I64_MIN])


def entry(rng, opset, n, arbitrary):
    """Returns a start, end and step for an axis of length `n`. All three are numbers, because bounds cannot be omitted
    in ONNX."""
    draw = arbitrary_range if rng.random() < arbitrary else nonempty_range
    _, start, end, step = draw(rng, n)
    while opset == 1 and step is not None and step < 0:
        _, start, end, step = draw(rng, n)
    step = step or 1
    if start is None:
        start = 0 if step > 0 else rng.choice([n, I32_MAX, I64_MAX])
    if end is None:
        end = omitted_end(rng, step)
    if step < 0 and rng.random() < 0.08:
        end = rng.choice([I32_MAX, I64_MAX])
    return start, end, step


def random_spec(rng, opset, shape, arbitrary):
    """Returns entries for some axes. The axes are in random order, and some are counted from the end. If `axes` is
    None, the entries apply to the first axes."""
    rank = len(shape)
    axes = rng.sample(range(rank), rng.randint(0 if rng.random() < 0.1 else min(rank, 1), rank))
    omits_axes = rng.random() < 0.35
    if omits_axes:
        axes = list(range(len(axes)))
    entries = [entry(rng, opset, shape[axis], arbitrary) for axis in axes]
    starts, ends, steps = ([values[i] for values in entries] for i in range(3))
    written_axes = [axis - rank if rng.random() < 0.4 else axis for axis in axes]
    omits_steps = opset == 1 or (all(step == 1 for step in steps) and rng.random() < 0.7)
    return {
        "opset": opset,
        "starts": starts,
        "ends": ends,
        "axes": None if omits_axes else written_axes,
        "steps": None if omits_steps else steps,
    }


def invalidate(rng, spec, rank):
    """Makes one change to the spec that may cause an error."""
    position = rng.randrange(max(len(spec["starts"]), 1))
    has_axes, has_steps = spec["axes"] is not None, spec["steps"] is not None

    def append(count, **values):
        for name, value in values.items():
            if spec[name] is not None:
                spec[name] = spec[name] + [value] * count

    match rng.choice(["length", "axis", "axis", "twice", "twice", "zero", "zero", "too many", "empty"]):
        case "length":
            name = rng.choice(["starts", "ends"] + ["axes"] * has_axes + ["steps"] * has_steps)
            spec[name] = spec[name][:-1] if rng.random() < 0.5 else spec[name] + [1]
        case "axis" if has_axes:
            spec["axes"][position : position + 1] = [rng.choice([rank, rank + 1, -rank - 1, -rank - 2, *EXTREMES])]
        case "twice" if spec["axes"]:
            axis = rng.choice(spec["axes"])
            append(1, starts=0, ends=1, steps=1, axes=rng.choice([axis, axis - rank if axis >= 0 else axis + rank]))
        case "zero" if has_steps:
            spec["steps"][position : position + 1] = [0]
        case "too many" if not has_axes:
            append(rank + 1 - len(spec["starts"]) + rng.randint(0, 1), starts=0, ends=1, steps=1)
        case "empty":
            spec[rng.choice(["axes"] + ["steps"] * (spec["opset"] > 1))] = []


def random_cases(rng):
    """Yields cases. Seven in ten are valid and select elements, unless an axis has length 0. The others have ranges
    with random bounds (`arbitrary_range`), and some of them also have errors."""
    for _ in range(5000):
        shape = random_shape(rng)
        opset = rng.choice([1, 10, 11, 13, 13])
        kind = rng.random()
        spec = random_spec(rng, opset, shape, arbitrary=0.0 if kind < 0.7 else 0.4)
        if kind > 0.82:
            for _ in range(rng.choice([1, 1, 2, 3])):
                invalidate(rng, spec, len(shape))
        yield {"shape": shape, **spec}
    for _ in range(20):
        shape = random_shape(rng, ranks=[1, 2, 3])
        yield {"shape": shape, **random_spec(rng, 13, shape, arbitrary=0.0), "opset": 1, "steps": [1] * len(shape)}


# ---- results ---------------------------------------------------------------------------------------------------------


def vectors(case):
    """Returns the case's vectors as arrays, without those that are None."""
    return {name: np.array(case[name], np.int64) for name in VECTORS if case[name] is not None}


def model(case, declared):
    """Returns a model with one node. If `declared` is true, the model declares the input's shape, and the vectors are
    constants or attributes, so that shape inference can read them."""
    given = vectors(case)
    node = helper.make_node("Slice", ["data"], ["output"])
    inputs = [helper.make_tensor_value_info("data", TensorProto.INT64, case["shape"] if declared else None)]
    constants = []
    if case["opset"] == 1:
        node.attribute.extend(
            helper.make_attribute(k, v.tolist(), attr_type=AttributeProto.INTS) for k, v in given.items()
        )
    else:
        node.input.extend(name if name in given else "" for name in VECTORS)
        if declared:
            constants = [numpy_helper.from_array(vector, name) for name, vector in given.items()]
        else:
            inputs += [helper.make_tensor_value_info(k, TensorProto.INT64, v.shape) for k, v in given.items()]
    result = helper.make_tensor_value_info("output", TensorProto.INT64, None)
    graph = helper.make_graph([node], "slice", inputs, [result], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", case["opset"])], ir_version=8)


def runtime_result(case, feed):
    """Returns ONNX Runtime's result. The model declares no input shape, so that the kernel, not the model checker,
    detects errors."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(
            model(case, declared=False).SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        return output(session.run(None, feed)[0])
    except Exception as failure:  # the only common base of ONNX Runtime's exception classes
        return error(re.sub("^.*(Status Message|Exception during initialization): ", "", str(failure)), KINDS)


def inferred_shape(case):
    """Returns the shape that ONNX's shape inference finds, or None if it fails or does not find every length."""
    try:
        inferred = onnx.shape_inference.infer_shapes(model(case, declared=True), strict_mode=True)
    except onnx.shape_inference.InferenceError:
        return None
    tensor = inferred.graph.output[0].type.tensor_type
    if not tensor.HasField("shape") or not all(dim.HasField("dim_value") for dim in tensor.shape.dim):
        return None
    return [dim.dim_value for dim in tensor.shape.dim]


def reference_output(case, feed):
    """Returns the ReferenceEvaluator's output, or None if the evaluator is known to be incorrect for the case."""
    ranges = zip(case["axes"] or range(len(case["starts"])), case["starts"], case["steps"] or [])
    if case["opset"] == 1 and not case["starts"]:
        return None  # the ReferenceEvaluator cannot read empty attributes
    if any(step < 0 and start < -case["shape"][axis] for axis, start, step in ranges):
        return None  # it clamps this start to the position before the first element, not to the first element
    return output(ReferenceEvaluator(model(case, declared=False)).run(None, feed)[0])


def result_of(case):
    """Returns ONNX Runtime's result for the case. If this result is an output, adds the results of shape inference and
    of the specification, and checks that the ReferenceEvaluator agrees with the specification. Must be called in a
    child process, because a crash must not end the recording."""
    feed = {"data": np.arange(prod(case["shape"])).reshape(case["shape"])}
    if case["opset"] > 1:
        feed |= vectors(case)
    result = runtime_result(case, feed)
    if "out" not in result:
        return result
    specified, shape = result, inferred_shape(case)
    if shape is not None:
        result["text_shape"] = shape
        if shape != result["out"]["shape"]:
            result["text"] = specified = specification_result(case, shape)
    expected = reference_output(case, feed)
    if expected and expected["out"] != specified["out"]:
        raise ValueError(f"the reference evaluator returns {expected} for {case}, not {specified}")
    return result


def specification_result(case, shape):
    """Returns the specification's result for a case in which ONNX Runtime reads an end of INT_MAX differently: an empty
    array."""
    assert any(end in (I32_MAX, I64_MAX) and step < 0 for end, step in zip(case["ends"], case["steps"])), case
    assert prod(shape) == 0, case
    return {"out": {"shape": shape, "elements": []}}


def main():
    cases = with_results(result_of, distinct(random_cases(random.Random(SEED))))
    write("onnx", __file__, ["onnx", "onnxruntime", "numpy"], SEED, cases)


if __name__ == "__main__":
    main()
