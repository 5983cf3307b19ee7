"""Records which TensorFlow graphs TensorFlow accepts.

    python3.11 -m venv verdicts
    verdicts/bin/pip install -r requirements-tensorflow.txt
    verdicts/bin/python tensorflow_verdicts.py

Each graph has one operation that selects elements. The graphs are a cross product of attributes, shapes and element types.
"""

import itertools
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf
from record import Fed, Given, axis_of, write
from tensorflow.core.framework import attr_value_pb2, graph_pb2


def attribute(value):
    if isinstance(value, tf.DType):
        return attr_value_pb2.AttrValue(type=value.as_datatype_enum)
    if isinstance(value, list):
        return attr_value_pb2.AttrValue(list=attr_value_pb2.AttrValue.ListValue(i=value))
    if isinstance(value, bool):
        return attr_value_pb2.AttrValue(b=value)
    return attr_value_pb2.AttrValue(i=value)


def model_of(operation, operands, types, outputs=1, attributes=None):
    """Returns the bytes of a graph with one operation, and the values of its placeholders and the number of its outputs.

    `types` contains the index of an operand for each attribute that is the type of an operand.
    """
    graph, fed = graph_pb2.GraphDef(), {}
    for at, operand in enumerate(operands):
        node = graph.node.add(name=f"operand_{at}", op="Const" if isinstance(operand, Given) else "Placeholder")
        kind = tf.as_dtype(operand.array.dtype)
        node.attr["dtype"].CopyFrom(attribute(kind))
        if isinstance(operand, Given):
            node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(operand.array))
        else:
            node.attr["shape"].shape.CopyFrom(tf.TensorShape(operand.array.shape).as_proto())
            fed[f"operand_{at}:0"] = operand.array
    node = graph.node.add(name="y", op=operation, input=[f"operand_{at}" for at in range(len(operands))])
    for name, at in types.items():
        node.attr[name].CopyFrom(attribute(tf.as_dtype(operands[at].array.dtype)))
    for name, value in (attributes or {}).items():
        node.attr[name].CopyFrom(attribute(value))
    return graph.SerializeToString(deterministic=True), fed, outputs


def run(model, fed, outputs):
    graph = tf.Graph()
    try:
        with graph.as_default():
            tf.import_graph_def(graph_pb2.GraphDef.FromString(model), name="")
    except Exception as error:
        return "refused", str(error)
    try:
        with tf.compat.v1.Session(graph=graph) as session:
            results = session.run([f"y:{at}" for at in range(outputs)], fed)
    except Exception as error:
        # Other values of the placeholders may be valid.
        return ("refused" if len(fed) == 1 else "refused for these inputs"), str(error)
    return "accepted", [list(result.shape) for result in results]


def cases():
    x = axis_of((4, 5))
    # StridedSlice
    bounds = [([0, 0], [2, 2], [1, 1]), ([0], [2], [1]), ([1, 1], [0, 0], [-1, -1]), ([0, 0], [2, 2], [0, 1]), ([0, 0, 0], [1, 1, 1], [1, 1, 1]),
              ([9, 9], [9, 9], [1, 1]), ([-9, -9], [9, 9], [2, 3]), ([], [], []), ([0, 0], [2], [1]), ([0], [2], [1, 1]), ([[0, 0]], [[2, 2]], [[1, 1]]),
              (0, 2, 1)]
    names = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
    masks = [{}, {"begin_mask": 1}, {"shrink_axis_mask": 1}, {"shrink_axis_mask": 2}, {"ellipsis_mask": 1}, {"new_axis_mask": 1}, {"ellipsis_mask": 3}]
    for lists, mask, operand in itertools.product(bounds, masks, (Given, Fed)):
        attributes = {name: mask.get(name, 0) for name in names}
        yield "StridedSlice", [x, *map(operand, lists)], {"T": 0, "Index": 1}, 1, attributes
    for kind in ("int64", "int16", "float32", "int8"):
        for mixed in (False, True):
            lists = [Given([0, 0], kind), *(Given(one, "int32" if mixed else kind) for one in ([2, 2], [1, 1]))]
            yield "StridedSlice", [x, *lists], {"T": 0, "Index": 1}, 1, {name: 0 for name in names}
    # Slice
    windows = [([0, 0], [2, 2]), ([1, 2], [-1, -1]), ([4, 5], [0, 0]), ([4, 5], [-1, -1]), ([5, 5], [-1, 0]), ([3, 3], [2, 2]), ([-1, 0], [1, 1]),
               ([0, 0], [-2, 1]), ([0], [1]), ([0, 0, 0], [1, 1, 1]), ([0, 0], [1]), ([0], [1, 1]), ([[0, 0]], [[1, 1]]), (0, 1), ([], [])]
    for (begin, size), operand, kind in itertools.product(windows, (Given, Fed), ("int32", "int64")):
        yield "Slice", [x, operand(begin, kind), operand(size, kind)], {"T": 0, "Index": 1}
    for kind in ("int16", "float32"):
        yield "Slice", [x, Given([0, 0], kind), Given([1, 1], kind)], {"T": 0, "Index": 1}
    yield "Slice", [axis_of(()), Given([]), Given([])], {"T": 0, "Index": 1}
    # GatherV2, Gather and GatherNd
    types = {"Tparams": 0, "Tindices": 1, "Taxis": 2}
    lists = [0, 3, -1, 4, [0, 1], [0, 4], [0, -1], [[0, 1], [2, 3]], [[0, 1], [2, 9]], [], [[]]]
    for indices, axis, batch in itertools.product(lists, (0, 1, -1, 2, -3), (0, 1, -1, 2)):
        yield "GatherV2", [axis_of((4, 4)), Given(indices), Given(axis)], types, 1, {"batch_dims": batch}
    for kind, operand in itertools.product(("int64", "int16", "float32", "int8", "bool"), (Given, Fed)):
        yield "GatherV2", [x, operand([0, 1], kind), Given(0)], types, 1, {"batch_dims": 0}
        yield "GatherV2", [x, Given([0, 1]), operand(0, kind)], types, 1, {"batch_dims": 0}
    for axis in ([0], [0, 1], [], [[0]]):
        yield "GatherV2", [x, Given([0, 1]), Given(axis)], types, 1, {"batch_dims": 0}
    for shape, indices in itertools.product(((), (3,), (0, 2)), (0, [0], [])):
        yield "GatherV2", [axis_of(shape), Given(indices), Given(0)], types, 1, {"batch_dims": 0}
    for indices in lists:
        yield "Gather", [axis_of((4, 4)), Given(indices)], {"Tparams": 0, "Tindices": 1}
    lists = [[0], [3], [4], [-1], [0, 1], [3, 4], [3, 5], [[0, 1], [3, 4]], [[0, 1], [4, 0]], [0, 0, 0], [[0], [3]], [], [[]], 0]
    for indices, kind, operand in itertools.product(lists, ("int32", "int64"), (Given, Fed)):
        yield "GatherNd", [x, operand(indices, kind)], {"Tparams": 0, "Tindices": 1}
    # Split and SplitV
    for shape, outputs, axis in itertools.product([(6,), (7,), (2, 6), (0,)], (1, 2, 3, 4), (0, 1, -1, -3, 2)):
        yield "Split", [Given(axis), axis_of(shape)], {"T": 1}, outputs, {"num_split": outputs}
    for axis in ([0], [0, 0], [], [[0]]):
        yield "Split", [Given(axis), axis_of((6,))], {"T": 1}, 2, {"num_split": 2}
    for kind in ("int64", "float32"):
        yield "Split", [Given(0, kind), axis_of((6,))], {"T": 1}, 2, {"num_split": 2}
    types = {"T": 0, "Tlen": 1}
    lengths = [[3, 3], [2, 3], [2, 4], [0, 6], [7, -1], [-1, 3], [3, -1], [-1, -1], [6], [7], [], [2, 2, 2], [6, 0, 0], [-2, 8]]
    for given, outputs, operand in itertools.product(lengths, (1, 2, 3), (Given, Fed)):
        # TensorFlow does not compare the number of lengths with a single output.
        if outputs > 1 or len(given) == 1:
            yield "SplitV", [axis_of((6,)), operand(given), Given(0)], types, outputs, {"num_split": outputs}
    for axis in (-1, 1, -2, 2, [0], [0, 0]):
        yield "SplitV", [axis_of((6,)), Given([2, 4]), Given(axis)], types, 2, {"num_split": 2}
    for given, kind in itertools.product(([2, 4], [[2, 4]], 6), ("int32", "int64", "float32")):
        yield "SplitV", [axis_of((6,)), Given(given, kind), Given(0)], types, np.size(given), {"num_split": np.size(given)}
    # Unpack
    for shape, axis, count in itertools.product([(2, 3), (3, 2), ()], (0, 1, -1, -2, 2, -3), (2, 3)):
        yield "Unpack", [axis_of(shape)], {"T": 0}, count, {"num": count, "axis": axis}
    # ReverseV2
    lists = [[0], [1], [-1], [-2], [2], [-3], [0, 1], [1, 0], [0, 0], [0, -2], [], [[0]], 0, [0, 1, 1]]
    for axes, operand in itertools.product(lists, (Given, Fed)):
        yield "ReverseV2", [x, operand(axes)], {"T": 0, "Tidx": 1}
        yield "ReverseV2", [axis_of((2, 3, 4)), operand(axes)], {"T": 0, "Tidx": 1}
    for kind in ("int64", "float32"):
        yield "ReverseV2", [x, Given([0], kind)], {"T": 0, "Tidx": 1}
    for shape, axes in itertools.product(((), (3,), (0, 2)), ([0], [])):
        yield "ReverseV2", [axis_of(shape), Given(axes)], {"T": 0, "Tidx": 1}
    # ReverseSequence
    lists = [[4, 4, 4], [4, 4, 4, 4], [3, 3, 3, 3], [0, 1, 2], [5, 4, 4], [-1, 4, 4], [4, 4], 4, [[4, 4, 4]]]
    for (axis, batch), lengths, kind in itertools.product([(0, 1), (1, 0), (0, 0), (2, 0), (0, 2), (-1, 0), (0, -1)], lists, ("int32", "int64", "float32")):
        yield "ReverseSequence", [axis_of((4, 3)), Given(lengths, kind)], {"T": 0, "Tlen": 1}, 1, {"seq_dim": axis, "batch_dim": batch}
    # Squeeze and ExpandDims
    for shape, axes in itertools.product([(1, 2, 1), (1, 1), ()], [[], [0], [1], [2], [-1], [-2], [3], [-4], [0, 0], [0, 2], [0, -3]]):
        yield "Squeeze", [axis_of(shape)], {"T": 0}, 1, {"squeeze_dims": axes}
    for shape, axis, operand in itertools.product([(2, 3), ()], (0, 1, 2, 3, -1, -3, -4, [0], [0, 1], [], [[0]]), (Given, Fed)):
        yield "ExpandDims", [axis_of(shape), operand(axis)], {"T": 0, "Tdim": 1}
    for kind in ("int64", "float32"):
        yield "ExpandDims", [x, Given(0, kind)], {"T": 0, "Tdim": 1}


if __name__ == "__main__":
    write("tensorflow", {"tensorflow": tf.__version__}, {"runtime": run}, (model_of(*case) for case in cases()))
