"""Runs operators of LiteRT on random constants, and records the models and their outputs in `litert.jsonl.gz`.

    python3.11 -m venv litert
    litert/bin/pip install -r ../verdicts/requirements-litert.txt
    litert/bin/python litert_constants.py
"""

import importlib.metadata

import numpy as np
from operands import *
from litert_verdicts import TYPES, Given, Interpreter, OpResolverType, model_of, options, strided as strided_options

# The elements of constants of smaller types are not kept, because these types are quantized.
INTEGERS[:] = [np.int32, np.int64, np.uint32, np.uint64]
NUMBERS[:] = [*INTEGERS, np.float32, np.float64]
OPERATORS = {
    **{name: two(*NUMBERS) for name in ["ADD", "SUB", "MUL", "MINIMUM", "MAXIMUM"]},
    **{name: two(*NUMBERS) for name in ["LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"]},
    **{name: two(*NUMBERS, np.bool_) for name in ["EQUAL", "NOT_EQUAL"]},
    **{name: division(INTEGERS) for name in ["DIV", "FLOOR_DIV", "FLOOR_MOD"]},
    **{f"{name} of floats": two(np.float32) for name in ["DIV", "FLOOR_DIV", "FLOOR_MOD", "POW"]},
    "POW": power,
    **{name: one(*NUMBERS) for name in ["NEG", "ABS", "SIGN", "SQUARE"]},
    **{name: one(np.float32) for name in ["FLOOR", "CEIL", "ROUND", "SQRT"]},
    "LOGICAL_NOT": one(np.bool_),
    **{name: two(np.bool_) for name in ["LOGICAL_AND", "LOGICAL_OR"]},
    "BITWISE_XOR": two(*INTEGERS),
    "RIGHT_SHIFT": shifted(*INTEGERS),
    **{name: reduced(*INTEGERS) for name in ["SUM", "REDUCE_PROD", "REDUCE_MIN", "REDUCE_MAX", "MEAN"]},
    **{name: reduced(np.bool_) for name in ["REDUCE_ALL", "REDUCE_ANY"]},
    **{name: position for name in ["ARG_MAX", "ARG_MIN"]},
    "CAST": cast_to(*NUMBERS, np.bool_),
    "SHAPE": shape_operand,
    "RANK": shape_operand,
    "CONCATENATION": concatenation,
    "PACK": pack,
    "RESHAPE": reshape,
    "TRANSPOSE": transpose,
    "FILL": filled,
    "BROADCAST_TO": expand,
    "TILE": tile,
    "RANGE": number_range,
    "CUMSUM": cumulative_sum,
    "SELECT_V2": where,
    "SELECT": where,
    "WHERE": one(np.bool_),
    "SLICE": window,
    "STRIDED_SLICE": strided,
    "GATHER": gather,
    "GATHER of lists": gather_lists,
    "GATHER_ND": gather_nd,
    "SPLIT": split,
    "SPLIT_V": split_by_lengths,
    "UNPACK": unpack,
    "REVERSE_V2": reverse,
    "REVERSE_SEQUENCE": reverse_first,
    "SQUEEZE": squeeze_axes,
    "EXPAND_DIMS": expand_axis,
    "ONE_HOT": one_hot,
    "TOPK_V2": top,
    "PADV2": window,
    "ZEROS_LIKE": one(np.int32, np.int64),
    "ADD_N": several(np.int32, np.float32),
    "SCATTER_ND": scattered,
    "UNIQUE": one(np.int32, np.int64),
}
# The tables of options of operators whose options have another name than the operator.
OPTIONS = {
    **{name: "ReducerOptions" for name in ["SUM", "REDUCE_PROD", "REDUCE_MIN", "REDUCE_MAX", "MEAN", "REDUCE_ALL", "REDUCE_ANY"]},
    **{name: "MaximumMinimumOptions" for name in ["MINIMUM", "MAXIMUM"]},
    "PADV2": "PadV2Options", "TOPK_V2": "TopKV2Options", "REVERSE_V2": "ReverseV2Options", "SELECT_V2": "SelectV2Options",
}


def case(name, operands, attributes):
    """Returns a model with one operator, and its operands."""
    operator, own = name.split(" ")[0], {}
    axis, count = attributes.get("axis"), attributes.get("count", 1)
    scalar = lambda: np.array(axis, dtype=np.int32)
    types = [str(operands[0].dtype)]
    match operator:
        case "LESS" | "LESS_EQUAL" | "GREATER" | "GREATER_EQUAL" | "EQUAL" | "NOT_EQUAL":
            types = ["bool"]
        case "SUM" | "REDUCE_PROD" | "REDUCE_MIN" | "REDUCE_MAX" | "MEAN" | "REDUCE_ALL" | "REDUCE_ANY":
            own = {"keepDims": bool(attributes["keepdims"])}
        case "ARG_MAX" | "ARG_MIN":
            operands, types = [*operands, scalar()], [RANDOM.choice(["int32", "int64"])]
            own = {"outputType": TYPES[types[0]]}
        case "CAST":
            types = [str(attributes["to"])]
            own = {"inDataType": TYPES[str(operands[0].dtype)], "outDataType": TYPES[types[0]]}
        case "SHAPE":
            types = [RANDOM.choice(["int32", "int64"])]
            own = {"outType": TYPES[types[0]]}
        case "RANK":
            types = ["int32"]
        case "CONCATENATION":
            own = {"axis": axis}
        case "PACK":
            own = {"axis": axis, "valuesCount": len(operands)}
        case "RESHAPE":
            operands = [operands[0], operands[1].astype(np.int32)]
        case "TRANSPOSE":
            order = attributes.get("perm", list(range(operands[0].ndim)))
            operands = [*operands, np.array(order, dtype=np.int32)]
        case "FILL" | "SELECT_V2" | "SELECT":
            types = [str(operands[1].dtype)]
        case "WHERE":
            types = ["int64"]
        case "TILE":
            operands = [operands[0], operands[1].astype(np.int32)]
        case "CUMSUM":
            operands = [operands[0], operands[1].astype(np.int32)]
            own = {"exclusive": bool(attributes["exclusive"]), "reverse": bool(attributes["reverse"])}
        case "STRIDED_SLICE":
            masks = {"beginMask": attributes["begin_mask"], "endMask": attributes["end_mask"]}
        case "GATHER":
            own = {"axis": axis, "batchDims": 0}
        case "SPLIT":
            operands, own = [scalar(), *operands], {"numSplits": count}
            types = [str(operands[1].dtype)] * count
        case "SPLIT_V":
            count = operands[1].size
            operands, own, types = [*operands, scalar()], {"numSplits": count}, types * count
        case "UNPACK":
            own, types = {"num": count, "axis": axis}, types * count
        case "REVERSE_SEQUENCE":
            own = {"seqDim": axis, "batchDim": attributes["batch_axis"]}
        case "SQUEEZE":
            own = {"squeezeDims": attributes["axes"]}
        case "ONE_HOT":
            positions, depth, elements = operands
            operands, own = [positions, depth.astype(np.int32), elements[1], elements[0]], {"axis": -1 if axis < 0 else axis}
            types = [str(elements.dtype)]
        case "TOPK_V2":
            operands, types = [operands[0], operands[1].astype(np.int32)[0]], [types[0], "int32"]
        case "PADV2":
            operands = [operands[0], np.array([[1, 2], [0, 1]], dtype=np.int32), np.array(7, dtype=operands[0].dtype)]
        case "SCATTER_ND":
            operands = [one.astype(np.int32) for one in operands]
            types = ["int32"]
        case "UNIQUE":
            operands, types, own = [operands[0].ravel()], [types[0], "int32"], {"idxOutType": TYPES["int32"]}
    table = OPTIONS.get(operator, operator.title().replace("_", "") + "Options")
    made = strided_options(**masks) if operator == "STRIDED_SLICE" else None
    try:
        made = made or options(table, **own)
    except AttributeError:
        # The operator has no options.
        assert not own, operator
    version = 2 if operator == "BROADCAST_TO" else 1
    model, _ = model_of(operator, version, [Given(one, one.dtype) for one in operands], len(types), made, types)
    return name, model


def is_defined(name, operands):
    """Returns whether LiteRT's result depends only on the operands. It does not write a transposed scalar, and selects one
    element in the shape that the model declares."""
    has_one_element = all(operand.size == 1 for operand in operands)
    return not (name == "TRANSPOSE" and operands[0].ndim == 0 or name == "SELECT_V2" and has_one_element)


def outputs(model):
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
    interpreter.allocate_tensors()
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def cases():
    for name, operands_of in OPERATORS.items():
        for _ in range(3 * CASES_PER_OPERATOR):
            operands, attributes = operands_of()
            if is_defined(name, operands):
                yield case(name, operands, attributes)


if __name__ == "__main__":
    write("litert", {"ai-edge-litert": importlib.metadata.version("ai-edge-litert")}, outputs, cases())
