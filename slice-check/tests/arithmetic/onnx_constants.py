"""Runs ONNX operators on random constants in ONNX Runtime, and records the models and their outputs in `onnx.jsonl.gz`.

    python3.11 -m venv onnx
    onnx/bin/pip install -r ../verdicts/requirements-onnx.txt
    onnx/bin/python onnx_constants.py
"""

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper
from operands import *


def cast():
    source, target = RANDOM.choice([*NUMBERS, np.bool_]), RANDOM.choice([*INTEGERS, np.bool_])
    return [array(source, shape())], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(target))}


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


def position_of_last():
    inputs, attributes = position()
    return inputs, {**attributes, "select_last_index": RANDOM.randint(0, 1)}


def clip():
    dtype = RANDOM.choice([np.int32, np.int64, np.uint8, np.int8, np.uint32, np.uint64])
    return [array(dtype, shape()), array(dtype, []) if RANDOM.random() < 0.7 else None, array(dtype, [])], {}


def fill():
    value = numpy_helper.from_array(array(RANDOM.choice([*INTEGERS, np.bool_]), [1]), "value")
    return [array(np.int64, [RANDOM.randint(0, 3)], range(4))], {"value": value}


def reduction_of_scatter():
    reduction = RANDOM.choice(["none", "add", "mul", "min", "max"])
    return {} if reduction == "none" else {"reduction": reduction}


def reducing_scatter():
    operands, attributes = scatter_elements()
    return operands, {**attributes, **reduction_of_scatter()}


def scatter_nd():
    [values, positions], _ = gather_nd()
    shape = [*positions.shape[:-1], *values.shape[positions.shape[-1] :]]
    return [values, positions, array(values.dtype, shape)], reduction_of_scatter()


def triangle():
    values = array(RANDOM.choice([np.int64, np.bool_]), [*shape(1), 3, RANDOM.randint(1, 4)])
    inputs = [values] if RANDOM.random() < 0.5 else [values, np.array(RANDOM.randint(-3, 3), dtype=np.int64)]
    return inputs, {"upper": RANDOM.randint(0, 1)}


def slice_():
    [values, starts, ends, steps, axes], _ = sliced()
    return [values, starts, ends, axes, steps], {}


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
    "ScatterElements": (16, reducing_scatter),
    "ScatterND": (16, scatter_nd),
    "OneHot": (11, one_hot),
    "TopK": (11, top),
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
    outputs = ["y", "positions"] if operator == "TopK" else ["y"]
    node = helper.make_node(operator.split(" ")[0], names, outputs, **attributes)
    outputs = [onnx.ValueInfoProto(name=name) for name in outputs]
    graph = helper.make_graph([node], "g", [], outputs, constants)
    opsets = [helper.make_opsetid("", opset)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def output(model):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    model = onnx.load_model_from_string(model)
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True)
    for at in range(len(model.graph.output)):
        model.graph.output[at].CopyFrom(inferred.graph.output[at])
    return onnxruntime.InferenceSession(model.SerializeToString(), options).run(None, {})


def cases():
    for operator, (first_opset, operands_of) in OPERATORS.items():
        for _ in range(6 * CASES_PER_OPERATOR):
            opset = RANDOM.randint(first_opset, 21)
            operands, attributes = operands_of(opset) if operator.startswith("Reduce") else operands_of()
            if opset < 13 and operator in ("Squeeze", "Unsqueeze") or opset < 15 and operator == "Shape":
                attributes = {}
            yield operator, model(operator, opset, operands, attributes).SerializeToString()


if __name__ == "__main__":
    write("onnx", {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}, output, cases())
