"""Runs operations of TensorFlow on random constants, and records the graphs and their outputs in `tensorflow.jsonl.gz`.

    python3.11 -m venv tensorflow
    tensorflow/bin/pip install -r ../verdicts/requirements-tensorflow.txt
    tensorflow/bin/python tensorflow_constants.py
"""

import numpy as np
from operands import *
from tensorflow_verdicts import Given, graph_pb2, model_of, tf

FLOATS = [np.float32, np.float64]


# Each operation with a function that returns operands and attributes, and the operand that determines each type.
SAME = {"T": 0}
OPERATIONS = {
    **{name: (two(*NUMBERS), SAME) for name in ["Add", "AddV2", "Sub", "Mul", "Minimum", "Maximum"]},
    **{name: (two(*NUMBERS), SAME) for name in ["Less", "LessEqual", "Greater", "GreaterEqual"]},
    **{name: (two(*NUMBERS, np.bool_), SAME) for name in ["Equal", "NotEqual"]},
    **{name: (division(INTEGERS), SAME) for name in ["Div", "TruncateDiv", "FloorDiv", "Mod", "TruncateMod", "FloorMod"]},
    "RealDiv": (two(*FLOATS), SAME),
    "FloorDiv of floats": (two(*FLOATS), SAME),
    "FloorMod of floats": (two(*FLOATS), SAME),
    "Pow": (power, SAME),
    "Pow of floats": (two(*FLOATS), SAME),
    **{name: (one(*NUMBERS), SAME) for name in ["Neg", "Abs", "Sign", "Round"]},
    **{name: (one(*FLOATS), SAME) for name in ["Floor", "Ceil", "Rint", "Sqrt"]},
    **{name: (two(np.bool_), {}) for name in ["LogicalAnd", "LogicalOr"]},
    "LogicalNot": (one(np.bool_), {}),
    "Invert": (one(*INTEGERS), SAME),
    **{name: (two(*INTEGERS), SAME) for name in ["BitwiseAnd", "BitwiseOr", "BitwiseXor"]},
    **{name: (shifted(*INTEGERS), SAME) for name in ["LeftShift", "RightShift"]},
    **{name: (reduced(*INTEGERS), {"T": 0, "Tidx": 1}) for name in ["Sum", "Prod", "Min", "Max", "Mean", "EuclideanNorm"]},
    **{name: (reduced(np.bool_), {"Tidx": 1}) for name in ["All", "Any"]},
    **{name: (position, {"T": 0, "Tidx": 1}) for name in ["ArgMax", "ArgMin"]},
    "Cast": (cast_to(*NUMBERS, np.bool_), {"SrcT": 0}),
    "Shape": (shape_operand, SAME),
    "Size": (shape_operand, SAME),
    "Rank": (shape_operand, SAME),
    "Identity": (one(*INTEGERS, np.bool_), SAME),
    "ConcatV2": (concatenation, {"T": 0, "Tidx": -1}),
    "Pack": (pack, SAME),
    "Reshape": (reshape, {"T": 0, "Tshape": 1}),
    "Transpose": (transpose, {"T": 0, "Tperm": 1}),
    "Fill": (filled, {"T": 1, "index_type": 0}),
    "BroadcastTo": (expand, {"T": 0, "Tidx": 1}),
    "Tile": (tile, {"T": 0, "Tmultiples": 1}),
    "Range": (number_range, {"Tidx": 0}),
    "Cumsum": (cumulative_sum, {"T": 0, "Tidx": 1}),
    "SelectV2": (where, {"T": 1}),
    "Select": (where, {"T": 1}),
    "Where": (one(np.bool_), SAME),
    "Slice": (window, {"T": 0, "Index": 1}),
    "StridedSlice": (strided, {"T": 0, "Index": 1}),
    "GatherV2": (gather, {"Tparams": 0, "Tindices": 1, "Taxis": 2}),
    "GatherV2 of lists": (gather_lists, {"Tparams": 0, "Tindices": 1, "Taxis": 2}),
    "GatherNd": (gather_nd, {"Tparams": 0, "Tindices": 1}),
    "Split": (split, {"T": 1}),
    "SplitV": (split_by_lengths, {"T": 0, "Tlen": 1}),
    "Unpack": (unpack, SAME),
    "ReverseV2": (reverse, {"T": 0, "Tidx": 1}),
    "ReverseSequence": (reverse_first, {"T": 0, "Tlen": 1}),
    "Squeeze": (squeeze_axes, SAME),
    "ExpandDims": (expand_axis, {"T": 0, "Tdim": 1}),
    "OneHot": (one_hot, {"T": 2, "TI": 0}),
    "TopKV2": (top, {"T": 0, "Tk": 1}),
    "PadV2": (window, {"T": 0, "Tpaddings": 1}),
    "ScatterNd": (scattered, {"T": 1, "Tindices": 0}),
}


def case(name, operands, attributes, types):
    """Returns a graph with one operation, and the number of its outputs."""
    axis = attributes.pop("axis", None)
    count = attributes.pop("count", 1)
    operation, own = name.split(" ")[0], {}
    scalar = lambda: np.array(axis, dtype=np.int32)
    match operation:
        case "ConcatV2":
            operands, own = [*operands, scalar()], {"N": len(operands)}
            types = {"T": 0, "Tidx": len(operands) - 1}
        case "Pack":
            own = {"N": len(operands), "axis": axis}
        case "Unpack":
            own = {"num": count, "axis": axis}
        case "Split":
            operands, own = [scalar(), *operands], {"num_split": count}
        case "SplitV":
            count = operands[1].size
            operands, own = [*operands, scalar()], {"num_split": count}
        case "GatherV2":
            operands, own = [*operands, scalar()], {"batch_dims": 0}
        case "ArgMax" | "ArgMin":
            operands, own = [*operands, scalar()], {"output_type": RANDOM.choice([tf.int32, tf.int64])}
        case "Sum" | "Prod" | "Min" | "Max" | "Mean" | "EuclideanNorm" | "All" | "Any":
            own = {"keep_dims": bool(attributes["keepdims"])}
        case "Cast":
            own = {"DstT": tf.as_dtype(attributes["to"])}
        case "Shape" | "Size":
            own = {"out_type": RANDOM.choice([tf.int32, tf.int64])}
        case "Transpose":
            order = attributes.get("perm", list(range(operands[0].ndim)))
            operands = [*operands, np.array(order, dtype=np.int32)]
        case "Cumsum":
            own = {"exclusive": bool(attributes["exclusive"]), "reverse": bool(attributes["reverse"])}
        case "StridedSlice":
            own = {**attributes, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}
        case "ReverseSequence":
            own = {"seq_dim": axis, "batch_dim": attributes["batch_axis"]}
        case "Squeeze":
            own = {"squeeze_dims": attributes["axes"]}
        case "OneHot":
            positions, depth, elements = operands
            operands, own = [positions, depth.astype(np.int32), elements[1], elements[0]], {"axis": -1 if axis < 0 else axis}
        case "TopKV2":
            operands, own, count = [operands[0], operands[1].astype(np.int32)[0]], {"sorted": True}, 2
            types = {"T": 0, "Tk": 1}
        case "PadV2":
            operands = [operands[0], np.array([[1, 2], [0, 1]], dtype=np.int32), np.array(7, dtype=operands[0].dtype)]
    types = {name: at % len(operands) for name, at in types.items()}
    model, _, _ = model_of(operation, [Given(one, one.dtype) for one in operands], types, count, own)
    return name, model, count


def outputs(model, count):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(graph_pb2.GraphDef.FromString(model), name="")
    with tf.compat.v1.Session(graph=graph) as session:
        return session.run([f"y:{at}" for at in range(count)])


def cases():
    for name, (operands_of, types) in OPERATIONS.items():
        for _ in range(CASES_PER_OPERATOR * 4 // 3):
            yield case(name, *operands_of(), types)


if __name__ == "__main__":
    write("tensorflow", {"tensorflow": tf.__version__}, outputs, cases())
