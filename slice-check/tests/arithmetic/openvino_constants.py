"""Runs operations of OpenVINO on random constants, and records the models and their outputs in `openvino.jsonl.gz`. The XML
text of a model is followed by a zero byte and the bytes of its constants.

    python3.11 -m venv openvino
    openvino/bin/pip install -r ../verdicts/requirements-openvino.txt
    openvino/bin/python openvino_constants.py
"""

import functools
import os

import numpy as np
from openvino.passes import ConstantFolding, Manager
from operands import *
from openvino_verdicts import PRECISIONS, Given, model_of, openvino, read

FLOATS = [np.float32, np.float64]
# The device computes with 32 bits, of which a shift may lose some.
SHIFTED = [one for one in INTEGERS if np.dtype(one).itemsize <= 4]
# Each operation with its opset, and a function that returns operands and attributes.
OPERATIONS = {
    **{name: ("opset1", two(*NUMBERS)) for name in ["Add", "Subtract", "Multiply", "Minimum", "Maximum"]},
    **{name: ("opset1", two(*NUMBERS)) for name in ["Less", "LessEqual", "Greater", "GreaterEqual"]},
    **{name: ("opset1", two(*NUMBERS, np.bool_)) for name in ["Equal", "NotEqual"]},
    **{name: ("opset1", division(INTEGERS)) for name in ["Divide", "Mod", "FloorMod"]},
    **{f"{name} of floats": ("opset1", two(*FLOATS)) for name in ["Divide", "Mod", "FloorMod", "Power"]},
    "Power": ("opset1", power),
    **{name: ("opset1", one(*NUMBERS)) for name in ["Negative", "Abs", "Sign"]},
    **{name: ("opset1", one(*NUMBERS)) for name in ["Floor", "Ceiling", "Sqrt"]},
    "Round": ("opset5", one(*FLOATS)),
    "LogicalNot": ("opset1", one(np.bool_)),
    **{name: ("opset1", two(np.bool_)) for name in ["LogicalAnd", "LogicalOr", "LogicalXor"]},
    "BitwiseNot": ("opset13", one(*INTEGERS, np.bool_)),
    **{name: ("opset13", two(*INTEGERS, np.bool_)) for name in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"]},
    **{name: ("opset15", shifted(*SHIFTED)) for name in ["BitwiseLeftShift", "BitwiseRightShift"]},
    **{name: ("opset1", reduced(*INTEGERS)) for name in ["ReduceSum", "ReduceProd", "ReduceMin", "ReduceMax", "ReduceMean"]},
    **{name: ("opset4", reduced(*INTEGERS)) for name in ["ReduceL1", "ReduceL2"]},
    **{name: ("opset1", reduced(np.bool_)) for name in ["ReduceLogicalAnd", "ReduceLogicalOr"]},
    "Convert": ("opset1", cast_to(*NUMBERS, np.bool_)),
    "ConvertLike": ("opset1", two(*NUMBERS)),
    "ShapeOf": ("opset3", shape_operand),
    "Concat": ("opset1", concatenation),
    "Reshape": ("opset1", reshape),
    "Transpose": ("opset1", transpose),
    "Broadcast": ("opset3", expand),
    "Tile": ("opset1", tile),
    "Range": ("opset4", number_range),
    "CumSum": ("opset3", cumulative_sum),
    "Select": ("opset1", where),
    "StridedSlice": ("opset1", strided),
    "Slice": ("opset8", sliced),
    "Gather": ("opset8", gather),
    "Gather of lists": ("opset8", gather_lists),
    "GatherND": ("opset8", gather_nd),
    "GatherElements": ("opset6", gather_elements),
    "Split": ("opset1", split),
    "VariadicSplit": ("opset1", split_by_lengths),
    "Reverse": ("opset1", reverse),
    "ReverseSequence": ("opset1", reverse_first),
    "Squeeze": ("opset1", squeeze_axes),
    "Unsqueeze": ("opset1", expand_axis),
    "OneHot": ("opset1", one_hot),
    "TopK": ("opset3", top),
    "NonZero": ("opset3", one(np.int32, np.bool_)),
    "ScatterElementsUpdate": ("opset3", scatter_elements),
    "Pad": ("opset1", window),
}


def case(name, opset, operands, attributes):
    """Returns a model with one operation."""
    operation, own, count = name.split(" ")[0], {}, 1
    axis = attributes.get("axis")
    scalar = lambda: np.array(axis, dtype=np.int64)
    match operation:
        case "Divide":
            own = {"m_pythondiv": RANDOM.choice(["true", "false"])}
        case "Convert":
            own = {"destination_type": PRECISIONS[str(attributes["to"])][0]}
        case "ShapeOf":
            own = {"output_type": RANDOM.choice(["i32", "i64"])}
        case "Concat":
            own = {"axis": axis}
        case "Reshape":
            own = {"special_zero": "true"}
        case "Transpose":
            order = attributes.get("perm", list(range(operands[0].ndim)))
            operands = [*operands, np.array(order, dtype=np.int64)]
        case "Broadcast":
            own = {"mode": RANDOM.choice(["numpy", "bidirectional"])}
        case "Range":
            own = {"output_type": PRECISIONS[str(operands[0].dtype)][0]}
        case "CumSum":
            own = {name: str(bool(attributes[name])).lower() for name in ["exclusive", "reverse"]}
        case "StridedSlice":
            bits = {name: ",".join(str(1 - (attributes[name] >> at & 1)) for at in range(2)) for name in ["begin_mask", "end_mask"]}
            own = {**bits, "new_axis_mask": "", "shrink_axis_mask": "", "ellipsis_mask": ""}
        case "Gather":
            operands, own = [*operands, scalar()], {"batch_dims": 0}
        case "GatherND":
            own = {"batch_dims": 0}
        case "GatherElements":
            own = {"axis": axis}
        case "Split":
            count = attributes["count"]
            operands, own = [*operands, scalar()], {"num_splits": count}
        case "VariadicSplit":
            count = operands[1].size
            operands = [operands[0], scalar(), operands[1]]
        case "Reverse":
            own = {"mode": "index"}
        case "ReverseSequence":
            own = {"seq_axis": axis, "batch_axis": attributes["batch_axis"]}
        case "Squeeze":
            operands = [*operands, np.array(attributes["axes"], dtype=np.int64)]
        case "OneHot":
            positions, depth, elements = operands
            operands, own = [positions, depth, elements[1], elements[0]], {"axis": axis}
        case "TopK":
            # For the length 0, OpenVINO infers an empty result, but returns all elements.
            operands, count = [operands[0], np.maximum(operands[1][0], 1)], 2
            own = {"axis": axis, "mode": RANDOM.choice(["max", "min"]), "sort": "value", "index_element_type": "i64"}
        case "ScatterElementsUpdate":
            operands = [*operands, scalar()]
        case "Pad":
            begins, ends = np.array([1, 0]), np.array([2, 1])
            operands, own = [operands[0], begins, ends, np.array(7, dtype=operands[0].dtype)], {"pad_mode": "constant"}
    if operation.startswith("Reduce"):
        own = {"keep_dims": ["false", "true"][attributes["keepdims"]]}
    model, _ = model_of(operation, opset, [Given(one, one.dtype) for one in operands], count, own)
    return name, model


@functools.cache
def core(process):
    """Returns the core of a process: a process that is forked cannot use that of its parent."""
    return openvino.Core()


def is_exact(array):
    """Returns whether a device computes with these elements: it converts numbers of 64 bits, and unsigned numbers of 32
    bits, to 32 bits."""
    is_converted = array.dtype.itemsize == 8 or array.dtype == np.uint32
    return not is_converted or (array.dtype.kind != "f" and bool(np.all(abs(array.astype(float)) < 2**31 - 1)))


def outputs(bytes):
    """Returns the constants that OpenVINO computes when it loads a model, or, for operations that it doesn't compute, those
    that the device computes, if they don't depend on the conversion to 32 bits."""
    model = read(bytes)
    manager = Manager()
    manager.register_pass(ConstantFolding())
    manager.run_passes(model)
    results = [result.input_value(0).get_node() for result in model.get_results()]
    if all(node.get_type_name() == "Constant" for node in results):
        return [np.array(node.data) for node in results]
    compiled = core(os.getpid()).compile_model(read(bytes), "CPU", {"INFERENCE_NUM_THREADS": 1})
    found = compiled([])
    arrays = [found[at] for at in range(len(compiled.outputs))]
    operands = [node.data for node in read(bytes).get_ops() if node.get_type_name() == "Constant"]
    assert all(map(is_exact, [*operands, *arrays])), "the device computes with 32 bits"
    return arrays


def cases():
    for name, (opset, operands_of) in OPERATIONS.items():
        for _ in range(3 * CASES_PER_OPERATOR):
            yield case(name, opset, *operands_of())


if __name__ == "__main__":
    write("openvino", {"openvino": openvino.__version__}, outputs, cases())
