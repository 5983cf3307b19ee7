"""Runs ONNX operators on random constants in ONNX Runtime, and records the models and their outputs in `recorded.jsonl.gz`.

    python3.11 -m venv onnx
    onnx/bin/pip install -r ../../../tests/oracle/requirements-onnx.txt
    onnx/bin/python record.py

Each line contains a model, in hexadecimal, and the type, the shape and the elements of its output. The first line contains
the versions. The test `constants_are_those_of_onnx_runtime` computes the same outputs.
"""

import gzip
import json
import pathlib
import random

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

HERE = pathlib.Path(__file__).parent
CASES_PER_OPERATOR = 60
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
NUMBERS = [*INTEGERS, np.float32, np.float64]
RANDOM = random.Random(0)


def element(dtype):
    if dtype == np.bool_:
        return RANDOM.random() < 0.5
    if dtype in (np.float32, np.float64):
        return RANDOM.choice([0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -3.0, 7.25, 100.0, 1e10, RANDOM.uniform(-9, 9)])
    limits = np.iinfo(dtype)
    number = RANDOM.choice([RANDOM.randint(-4, 9), RANDOM.randint(0, 4), RANDOM.randint(-300, 300), limits.max, limits.min])
    return min(max(number, limits.min), limits.max)


def array(dtype, shape, choices=None):
    elements = [RANDOM.choice(choices) if choices else element(dtype) for _ in range(int(np.prod(shape)))]
    return np.array(elements, dtype=dtype).reshape(shape)


def shape(max_rank=3):
    return [RANDOM.choice([1, 2, 3, 3]) for _ in range(RANDOM.randint(0, max_rank))]


def broadcastable(shape):
    """Returns a shape that can be broadcast with `shape`."""
    other = [RANDOM.choice([1, length]) for length in shape]
    return other[RANDOM.randint(0, len(other)) :] if RANDOM.random() < 0.3 else other


def elementwise(count, types):
    def operands():
        dtype, first = RANDOM.choice(types), shape()
        shapes = [first, *(broadcastable(first) for _ in range(count() - 1))]
        return [array(dtype, one) for one in shapes], {}

    return operands


def division(types):
    def operands():
        dtype, first = RANDOM.choice(types), shape()
        divisors = [1, 2, 3, 7] + ([-1, -2, -5] if np.iinfo(dtype).min < 0 else [])
        dividend = array(dtype, first)
        # The division of the least integer by -1 stops the process.
        least = np.iinfo(dtype).min
        dividend = np.where((dividend == least) & (least < 0), 5, dividend).astype(dtype)
        return [dividend, array(dtype, broadcastable(first), divisors)], {}

    return operands


def power():
    dtype, first = RANDOM.choice([np.int32, np.int64]), shape()
    return [array(dtype, first, range(-5, 6)), array(dtype, broadcastable(first), range(5))], {}


def shift():
    dtype, first = RANDOM.choice([np.uint8, np.uint16, np.uint32, np.uint64]), shape()
    shifts = range(8 * np.dtype(dtype).itemsize)
    return [array(dtype, first), array(dtype, broadcastable(first), shifts)], {"direction": RANDOM.choice(["LEFT", "RIGHT"])}


def cast():
    source, target = RANDOM.choice([*NUMBERS, np.bool_]), RANDOM.choice([*INTEGERS, np.bool_])
    return [array(source, shape())], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(target))}


def cast_through_float():
    return [array(RANDOM.choice([np.int32, np.int64]), shape())], {}


def reduction(operator):
    def operands(opset):
        # ONNX Runtime computes sums of large integers as floating-point numbers, so most integers are small.
        values = array(RANDOM.choice([np.int32, np.int64, np.int8, np.uint8]), shape(), RANDOM.choice([None, *6 * [range(9)]]))
        attributes = {"keepdims": RANDOM.randint(0, 1)} if RANDOM.random() < 0.7 else {}
        rank = values.ndim
        axes = RANDOM.choice([None, RANDOM.sample(range(-rank, 0), RANDOM.randint(0, rank)), RANDOM.sample(range(rank), RANDOM.randint(0, rank))])
        takes_input = opset >= (13 if operator == "ReduceSum" else 18)
        if takes_input and RANDOM.random() < 0.3:
            attributes["noop_with_empty_axes"] = 1
        inputs = [values]
        if axes is not None and takes_input:
            inputs.append(np.array(axes, dtype=np.int64))
        elif axes:
            attributes["axes"] = axes
        return inputs, attributes

    return operands


def position():
    values = array(RANDOM.choice([np.int32, np.int64, np.uint8]), [*shape(2), 3])
    return [values], {"axis": RANDOM.randrange(-values.ndim, values.ndim), "keepdims": RANDOM.randint(0, 1)}


def position_of_last():
    inputs, attributes = position()
    return inputs, {**attributes, "select_last_index": RANDOM.randint(0, 1)}


def clip():
    dtype = RANDOM.choice([np.int32, np.int64, np.uint8, np.int8, np.uint32, np.uint64])
    return [array(dtype, shape()), array(dtype, []) if RANDOM.random() < 0.7 else None, array(dtype, [])], {}


def number_range():
    dtype = RANDOM.choice([np.int16, np.int32, np.int64])
    bounds = [array(dtype, [], range(-20, 20)) for _ in range(2)]
    return [*bounds, array(dtype, [], [1, 2, 5, -1, -3])], {}


def fill():
    value = numpy_helper.from_array(array(RANDOM.choice([*INTEGERS, np.bool_]), [1]), "value")
    return [array(np.int64, [RANDOM.randint(0, 3)], range(4))], {"value": value}


def tile():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), shape())
    return [values, array(np.int64, [values.ndim], range(3))], {}


def expand():
    target = shape()
    return [array(RANDOM.choice([np.int32, np.int64, np.bool_]), broadcastable(target)), np.array(target, dtype=np.int64)], {}


def cumulative_sum():
    values = array(RANDOM.choice([np.int32, np.int64]), [*shape(2), 3])
    axis = np.array(RANDOM.randrange(-values.ndim, values.ndim), dtype=np.int64)
    return [values, axis], {"exclusive": RANDOM.randint(0, 1), "reverse": RANDOM.randint(0, 1)}


def where():
    dtype, first = RANDOM.choice([np.int32, np.int64, np.uint8]), shape()
    return [array(np.bool_, broadcastable(first)), array(dtype, first), array(dtype, broadcastable(first))], {}


def concatenation():
    dtype, first = RANDOM.choice([*INTEGERS, np.bool_]), [*shape(2), 2]
    axis = RANDOM.randrange(-len(first), len(first))
    parts = []
    for _ in range(RANDOM.randint(1, 3)):
        lengths = list(first)
        lengths[axis] = RANDOM.randint(0, 3)
        parts.append(array(dtype, lengths))
    return parts, {"axis": axis}


def reshape():
    values = array(RANDOM.choice([*INTEGERS, np.bool_]), [2, 3, RANDOM.choice([1, 2])])
    target = RANDOM.choice([[-1], [0, -1], [3, -1, 1], [0, 0, -1], [-1, 0], [6, -1], [1, 1, -1, 1]])
    return [values, np.array(target, dtype=np.int64)], {}


def flatten():
    values = array(np.int64, [2, 3, 2])
    return [values], {"axis": RANDOM.randint(0, 3)}


def transpose():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), shape())
    return [values], RANDOM.choice([{}, {"perm": RANDOM.sample(range(values.ndim), values.ndim)}]) if values.ndim else {}


def gather():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [*shape(2), 3])
    axis = RANDOM.randrange(-values.ndim, values.ndim)
    length = values.shape[axis]
    return [values, array(np.int64, RANDOM.choice([[], [2], [1]]), range(-length, length))], {"axis": axis}


def table_of_positions(values, count):
    """Returns lists of `count` positions, some of which are negative."""
    shape = [*RANDOM.choice([[], [2], [1], [2, 2]]), count]
    table = np.array([[RANDOM.randrange(-length, length) for length in values.shape[:count]] for _ in range(int(np.prod(shape[:-1])))])
    return table.astype(np.int64).reshape(shape)


def gather_nd():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [*shape(2), 3])
    return [values, table_of_positions(values, RANDOM.randint(1, values.ndim))], {}


def gather_lists():
    values, attributes = gather()
    values, axis = values[0], attributes["axis"]
    length = values.shape[axis]
    return [values, array(np.int64, RANDOM.choice([[2, 2], [1, 3], [0, 2]]), range(-length, length))], attributes


def gather_elements():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [*shape(2), 3])
    axis = RANDOM.randrange(-values.ndim, values.ndim)
    lengths = [RANDOM.randint(1, length) for length in values.shape]
    lengths[axis] = RANDOM.randint(1, 4)
    return [values, array(np.int64, lengths, range(-values.shape[axis], values.shape[axis]))], {"axis": axis}


def reduction_of_scatter():
    reduction = RANDOM.choice(["none", "add", "mul", "min", "max"])
    return {} if reduction == "none" else {"reduction": reduction}


def scatter_elements():
    [values, positions], attributes = gather_elements()
    return [values, positions, array(values.dtype, positions.shape)], {**attributes, **reduction_of_scatter()}


def scatter_nd():
    [values, positions], _ = gather_nd()
    shape = [*positions.shape[:-1], *values.shape[positions.shape[-1] :]]
    return [values, positions, array(values.dtype, shape)], reduction_of_scatter()


def one_hot():
    positions = array(RANDOM.choice([np.int32, np.int64]), shape(2), range(-5, 6))
    depth = np.array(RANDOM.randint(1, 4), dtype=RANDOM.choice([np.int32, np.int64]))
    elements = array(RANDOM.choice([np.int32, np.int64]), [2], range(-3, 9))
    return [positions, depth, elements], {"axis": RANDOM.randint(-positions.ndim - 1, positions.ndim)}


def top():
    values = array(RANDOM.choice([np.int32, np.int64, np.uint8]), [*shape(2), 3], RANDOM.choice([None, range(3)]))
    axis = RANDOM.randrange(-values.ndim, values.ndim)
    count = np.array([RANDOM.randint(0, values.shape[axis])], dtype=np.int64)
    return [values, count], {"axis": axis, "largest": RANDOM.randint(0, 1), "sorted": int(RANDOM.random() < 0.8)}


def triangle():
    values = array(RANDOM.choice([np.int64, np.bool_]), [*shape(1), 3, RANDOM.randint(1, 4)])
    inputs = [values] if RANDOM.random() < 0.5 else [values, np.array(RANDOM.randint(-3, 3), dtype=np.int64)]
    return inputs, {"upper": RANDOM.randint(0, 1)}


def slice_():
    values = array(RANDOM.choice([np.int32, np.int64]), [4, 3])
    return [values, *(array(np.int64, [2], range(-5, 6)) for _ in range(2)), np.array([0, 1]), array(np.int64, [2], [1, 2, -1, -2])], {}


def axes(values, count):
    return np.array(RANDOM.sample(range(-values.ndim - count, values.ndim + count), 1), dtype=np.int64)


def unsqueeze():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), shape())
    return [values, axes(values, 1)], {}


def squeeze():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [1, 2, 1])
    return [values, np.array(RANDOM.choice([[0], [-1], [0, 2], [-3, 2]]), dtype=np.int64)], {}


def shape_of():
    attributes = RANDOM.choice([{}, {"start": RANDOM.randint(-4, 4)}, {"start": RANDOM.randint(-4, 4), "end": RANDOM.randint(-4, 4)}])
    return [array(np.float32, shape())], attributes


def one(*types):
    return elementwise(lambda: 1, types)


def two(*types):
    return elementwise(lambda: 2, types)


def several(*types):
    return elementwise(lambda: RANDOM.randint(1, 4), types)


# Each operator with the first opset to try, and a function that returns operands and attributes.
OPERATORS = {
    "Add": (7, two(*NUMBERS)),
    "Sub": (7, two(*NUMBERS)),
    "Mul": (7, two(*NUMBERS)),
    "Div": (7, division(INTEGERS)),
    "Mod": (10, division(INTEGERS)),
    "Pow": (12, power),
    "Neg": (7, one(*NUMBERS)),
    "Abs": (7, one(*NUMBERS)),
    "Sign": (9, one(*NUMBERS)),
    "Not": (7, one(np.bool_)),
    "And": (7, two(np.bool_)),
    "Or": (7, two(np.bool_)),
    "Xor": (7, two(np.bool_)),
    "Equal": (7, two(*NUMBERS, np.bool_)),
    "Less": (7, two(*NUMBERS)),
    "LessOrEqual": (12, two(*NUMBERS)),
    "Greater": (7, two(*NUMBERS)),
    "GreaterOrEqual": (12, two(*NUMBERS)),
    "Min": (8, several(*NUMBERS)),
    "Max": (8, several(*NUMBERS)),
    "BitShift": (11, shift),
    "BitwiseAnd": (18, two(*INTEGERS)),
    "BitwiseOr": (18, two(*INTEGERS)),
    "BitwiseXor": (18, two(*INTEGERS)),
    "BitwiseNot": (18, one(*INTEGERS)),
    "Cast": (7, cast),
    "Clip": (12, clip),
    "Where": (9, where),
    "Range": (11, number_range),
    "Tile": (7, tile),
    "Expand": (8, expand),
    "ConstantOfShape": (9, fill),
    "CumSum": (11, cumulative_sum),
    "NonZero": (9, one(np.bool_, np.int32, np.int64)),
    "Concat": (7, concatenation),
    "Reshape": (7, reshape),
    "Flatten": (9, flatten),
    "Transpose": (7, transpose),
    "Gather": (11, gather),
    "Slice": (10, slice_),
    "Unsqueeze": (13, unsqueeze),
    "Squeeze": (13, squeeze),
    "Shape": (7, shape_of),
    "Size": (7, one(np.float32)),
    "Identity": (7, one(*INTEGERS, np.bool_)),
    "GatherND": (11, gather_nd),
    "Gather of lists": (11, gather_lists),
    "GatherElements": (11, gather_elements),
    "ScatterElements": (16, scatter_elements),
    "ScatterND": (16, scatter_nd),
    "OneHot": (11, one_hot),
    "TopK": (11, top),
    "TopK, second output": (11, top),
    "Trilu": (14, triangle),
    "ArgMax": (7, position),
    "ArgMin": (12, position_of_last),
    **{
        operator: (7, reduction(operator))
        for operator in ["ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax", "ReduceMean", "ReduceL1", "ReduceSumSquare"]
    },
}


def model(operator, opset, operands, attributes):
    names = ["" if operand is None else f"i{at}" for at, operand in enumerate(operands)]
    constants = [numpy_helper.from_array(operand, name) for name, operand in zip(names, operands) if operand is not None]
    operator, *output = operator.split(", ")
    outputs = (["values", "y"] if output else ["y", "positions"]) if operator == "TopK" else ["y"]
    node = helper.make_node(operator.split(" ")[0], names, outputs, **attributes)
    outputs = [onnx.ValueInfoProto(name="y")]
    graph = helper.make_graph([node], "g", [], outputs, constants)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def output(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    model.graph.output[0].CopyFrom(inferred.graph.output[0])
    return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, {})[0]


def main():
    lines, refused = [], {}
    for operator, (first_opset, operands_of) in OPERATORS.items():
        recorded = 0
        for _ in range(6 * CASES_PER_OPERATOR):
            opset = RANDOM.randint(first_opset, 21)
            operands, attributes = operands_of(opset) if operator.startswith("Reduce") else operands_of()
            if opset < 13 and operator in ("Squeeze", "Unsqueeze") or opset < 15 and operator == "Shape":
                attributes = {}
            one = model(operator, opset, operands, attributes)
            try:
                result = output(one)
            except Exception:
                # ONNX Runtime does not implement the operator for every type and opset.
                refused[operator] = refused.get(operator, 0) + 1
                continue
            if result.dtype.kind == "f":
                continue
            lines.append({"operator": operator, "model": one.SerializeToString().hex(), "type": str(result.dtype),
                          "shape": list(result.shape), "elements": [int(one) for one in result.ravel()]})
            recorded += 1
            if recorded == CASES_PER_OPERATOR:
                break
        print(operator, recorded, "recorded,", refused.get(operator, 0), "refused")
    versions = {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}
    text = "".join(json.dumps(line) + "\n" for line in [versions, *lines])
    (HERE / "recorded.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


main()
