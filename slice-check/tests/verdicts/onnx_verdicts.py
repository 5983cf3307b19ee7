"""Records which ONNX models onnx.checker and ONNX Runtime accept.

    python3.11 -m venv verdicts
    verdicts/bin/pip install -r requirements-onnx.txt
    verdicts/bin/python onnx_verdicts.py

Each model has one operation that selects elements. The models are a cross product of attributes, ranks, element types
and opsets. A model is accepted if the checker accepts it, and ONNX Runtime loads and runs it.
"""

import itertools

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from record import write

onnxruntime.set_default_logger_severity(4)

OPSETS = [1, 2, 7, 9, 10, 11, 12, 13, 15, 18, 19, 21, 23]
LARGEST, SMALLEST = 2**63 - 1, -(2**63)


class Given:
    """An operand that is a constant: an initializer, or the output of a `Constant` node."""

    def __init__(self, value, kind="int64", node=False):
        self.array, self.node = np.array(value, dtype=kind), node


class Fed:
    """An operand that is an input of the model. `shape` is the declared shape."""

    def __init__(self, value, kind="int64", shape="same"):
        self.array = np.array(value, dtype=kind)
        self.shape = list(self.array.shape) if shape == "same" else shape


def model_of(operation, opset, data, operands, outputs, attributes):
    """Returns the bytes of a model with one operation, and the values of the model's inputs."""
    names, nodes, inputs, initializers, fed = [], [], [], [], {}
    for at, operand in enumerate([data, *operands]):
        name = "x" if at == 0 else f"operand_{at}"
        names.append(name if operand is not None else "")
        if isinstance(operand, Fed):
            element = helper.np_dtype_to_tensor_dtype(operand.array.dtype)
            inputs.append(helper.make_tensor_value_info(name, element, operand.shape))
            fed[name] = operand.array
        elif operand is not None and operand.node:
            nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(operand.array)))
        elif operand is not None:
            initializers.append(numpy_helper.from_array(operand.array, name))
    results = [f"y_{at}" for at in range(outputs)]
    node = helper.make_node(operation, names, results, operation.lower())
    for name, value in attributes.items():
        kind = onnx.AttributeProto.INTS if isinstance(value, list) else onnx.AttributeProto.INT
        node.attribute.append(helper.make_attribute(name, value, attr_type=kind))
    nodes.append(node)
    # The checker requires the rank of each output of the model, so the results are flattened.
    nodes += [helper.make_node("Flatten", [name], [f"flat_{name}"], axis=0) for name in results]
    element = helper.np_dtype_to_tensor_dtype(data.array.dtype)
    values = [helper.make_tensor_value_info(f"flat_{name}", element, ["rows", "columns"]) for name in results]
    graph = helper.make_graph(nodes, "g", inputs, values, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8, producer_name="")
    return model.SerializeToString(deterministic=True), fed


def check(model, _):
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        return "refused", str(error)
    return "accepted", None


def run(model, fed):
    try:
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        results = session.run(None, fed)
    except Exception as error:
        return ("not implemented" if "NOT_IMPLEMENTED" in str(error) else "refused"), str(error)
    return "accepted", [result.size for result in results]


def axis_of(shape, kind="float32"):
    return Fed(np.zeros(shape, kind), kind)


def slices():
    x = axis_of((4, 5))
    lists = [
        ([0], [2], None, None), ([1], [3], [1], None), ([1], [3], [2], None), ([1], [3], [-1], None), ([1], [3], [-3], None),
        ([0, 1], [2, 3], None, None), ([0, 1], [2, 3], [0, 1], None), ([0, 1], [2, 3], [1, 1], None), ([0, 1], [2, 3], [1, -1], None),
        ([0, 1], [2, 3], [0], None), ([0, 1], [2], None, None), ([0], [2, 3], None, None), ([0, 0, 0], [1, 1, 1], None, None),
        ([0], [4], [0], [2]), ([3], [0], [0], [-1]), ([0], [4], [0], [0]), ([0], [4], [0], [1, 1]), ([0, 1], [2, 3], [0, 1], [1]),
        ([0], [4], None, [1]), ([0, 0], [4, 4], None, [1, 2]), ([], [], None, None), ([], [], [], None), ([], [], [], []),
        ([0], [LARGEST], [0], None), ([SMALLEST], [LARGEST], [1], None), ([3], [SMALLEST], [0], [-1]), ([-1], [-9], [1], [SMALLEST]),
        ([5], [9], [0], None), ([-9], [-8], [0], None), ([0], [0], [0], None), ([3], [1], [0], None), ([0], [4], [LARGEST], None),
        ([0], [4], [0], [LARGEST]), ([0], [4], [], None), ([0], [4], None, []),
    ]
    for opset, given in itertools.product(OPSETS, lists):
        names = ("starts", "ends", "axes", "steps")
        attributes = {name: list for name, list in zip(names, given) if list is not None and (name != "steps" or opset < 10)}
        if opset < 10:
            yield "Slice", opset, x, [], 1, attributes
            yield "Slice", opset, x, [Given(list) if list is not None else None for list in given if list is not None], 1, {}
            continue
        operands = [Given(list) if list is not None else None for list in given]
        yield "Slice", opset, x, operands, 1, {}
        if opset in (10, 13):
            yield "Slice", opset, x, [Given(list, node=True) if list is not None else None for list in given], 1, {}
            yield "Slice", opset, x, [Given(list, "int32") if list is not None else None for list in given
                                      ] if all(abs(n) < 2**31 for l in given if l for n in l) else operands, 1, {}
            yield "Slice", opset, x, [], 1, attributes
    for opset in (1, 10, 13, 23):
        for shape in [(), (3,), (2, 3, 4), (0, 3)]:
            for axes in (None, [0], [-1], [1], [3]):
                if opset < 10:
                    attributes = {"starts": [1], "ends": [2]} | ({"axes": axes} if axes is not None else {})
                    yield "Slice", opset, axis_of(shape), [], 1, attributes
                else:
                    yield "Slice", opset, axis_of(shape), [Given([1]), Given([2]), Given(axes) if axes is not None else None], 1, {}
    good = [[1], [2], [0], [1]]
    shapes = [lambda one: one[0], lambda one: [one], lambda one: one + one, lambda one: [[one]]]
    for opset in (10, 13, 23):
        for place, shape in itertools.product(range(4), shapes):
            for operand in (Given, Fed):
                lists = [operand(shape(one)) if at == place else Given(one) for at, one in enumerate(good)]
                yield "Slice", opset, x, lists, 1, {}
                # The axis is repeated only if the lists have two elements.
                if operand is Given or np.size(shape(good[0])) == 1:
                    yield "Slice", opset, x, [operand(shape(one)) for one in good], 1, {}
        for place, kind in itertools.product(range(4), ["float32", "float64", "int32", "int64", "int16", "uint8", "uint64", "bool"]):
            for operand in (Given, Fed):
                lists = [operand(one, kind if at == place else "int64") for at, one in enumerate(good)]
                yield "Slice", opset, x, lists, 1, {}
                yield "Slice", opset, x, [operand(one, kind) for one in good], 1, {}
                lists = [operand(one, kind if at == place else "int32") for at, one in enumerate(good)]
                yield "Slice", opset, x, lists, 1, {}
        for count in range(6):
            yield "Slice", opset, x, [Given(one) for one in (good + [[1]])[:count]], 1, {}
            yield "Slice", opset, x, [Given(one) for one in (good + [[1]])[:count]], 1, {"starts": [0]}
        for at in range(4):
            yield "Slice", opset, x, [None if at == place else Given(one) for place, one in enumerate(good)], 1, {}
        yield "Slice", opset, x, [Given(one) for one in good], 2, {}
    for opset in (1, 9):
        for missing in ("starts", "ends"):
            given = {"starts": [0], "ends": [1], "axes": [0]}
            del given[missing]
            yield "Slice", opset, x, [], 1, given
    for shape in (["n", 5], ["n", "m"]):
        fed = Fed(np.zeros((4, 5), "float32"), "float32", shape)
        for axes in ([0], [1], [-1], [2], [-3], [0, 0], [0, -2]):
            yield "Slice", 13, fed, [Given([1] * len(axes)), Given([2] * len(axes)), Given(axes)], 1, {}


def splits():
    shapes = [(6,), (7,), (5,), (2, 6), (6, 2), (0,), (), (1,)]
    for opset, shape, outputs in itertools.product(OPSETS, shapes, (1, 2, 3, 4)):
        for axis in (None, 0, 1, -1, -2, 2):
            attributes = {} if axis is None else {"axis": axis}
            yield "Split", opset, axis_of(shape), [], outputs, attributes
    lengths = [[3, 3], [2, 3], [2, 4], [0, 6], [6, 0], [6], [7], [7, -1], [4, 3], [-1, 3], [3, -1], [], [2, 2, 2], [2, 2, 3], [0, 0, 6],
               [1, 1, 1, 1], [LARGEST, 7], [SMALLEST, 6], [LARGEST, LARGEST]]
    for opset, given, outputs in itertools.product(OPSETS, lengths, (1, 2, 3)):
        if opset < 13:
            yield "Split", opset, axis_of((6,)), [], outputs, {"split": given}
        else:
            yield "Split", opset, axis_of((6,)), [Given(given)], outputs, {}
        yield "Split", opset, axis_of((2, 6)), *(([], outputs, {"split": given, "axis": 1}) if opset < 13 else
                                                 ([Given(given)], outputs, {"axis": 1}))
    for opset in (2, 11, 13, 18):
        yield "Split", opset, axis_of((6,)), [Given([2, 4])], 2, {}
        yield "Split", opset, axis_of((6,)), [], 2, {"split": [2, 4]}
        yield "Split", opset, axis_of((6,)), [None], 2, {}
    for opset, count, outputs in itertools.product((11, 13, 18, 21, 23), (-1, 0, 1, 2, 3, 4, 5), (1, 2, 3, 4)):
        for length in (5, 6, 7, 2, 0):
            yield "Split", opset, axis_of((length,)), [], outputs, {"num_outputs": count}
        yield "Split", opset, axis_of((6,)), [Given([2, 4])], outputs, {"num_outputs": count}
    for opset, kind, operand in itertools.product((13, 18), ["int64", "int32", "float32", "int16", "uint64"], (Given, Fed)):
        yield "Split", opset, axis_of((6,)), [operand([2, 4], kind)], 2, {}
        yield "Split", opset, axis_of((6,)), [operand([[2, 4]], kind)], 2, {}
        yield "Split", opset, axis_of((6,)), [operand([[2], [4]], kind)], 2, {}
        yield "Split", opset, axis_of((6,)), [operand(6, kind)], 1, {}
        yield "Split", opset, axis_of((6,)), [operand(6, kind)], 2, {}
    for opset, outputs in itertools.product((11, 13, 18), (1, 2, 4)):
        for length in (5, 6, 8):
            fed = Fed(np.zeros((length, 2), "float32"), "float32", ["n", 2])
            yield "Split", opset, fed, [], outputs, {"num_outputs": outputs} if opset == 18 else {}
        fed = Fed(np.zeros((6, 2), "float32"), "float32", ["n", 2])
        for given in ([3, 3], [6], [2, -1], [2, 4]):
            yield "Split", opset, fed, *(([], outputs, {"split": given}) if opset < 13 else ([Given(given)], outputs, {}))


def gathers():
    arrays = [0, 3, 4, -4, -5, [], [0], [3, 0, 0], [4], [-4], [-5], [[0, 1], [2, 3]], [[0, 1], [2, 4]], [[-4, 1], [2, -5]], [[]], [[[3]], [[9]]]]
    for opset, indices, axis in itertools.product((1, 10, 11, 13, 23), arrays, (None, 0, 1, -1, -2, 2, -3)):
        attributes = {} if axis is None else {"axis": axis}
        yield "Gather", opset, axis_of((4, 4)), [Given(indices)], 1, attributes
    for opset, kind, operand in itertools.product((1, 11, 13), ["int64", "int32", "float32", "int16", "uint8", "bool"], (Given, Fed)):
        for indices in ([0, 1], 1, [[0, 1]]):
            yield "Gather", opset, axis_of((4, 4)), [operand(indices, kind)], 1, {}
    for shape in [(), (0,), (3,), (0, 2), (2, 3, 4)]:
        for indices, axis in itertools.product((0, [], [0], [1, -1], [[0]], [3]), (0, -1, 1)):
            yield "Gather", 13, axis_of(shape), [Given(indices)], 1, {"axis": axis}
    for shape in (["n", 4], ["n", "m"]):
        fed = Fed(np.zeros((4, 4), "float32"), "float32", shape)
        for indices, axis in itertools.product((3, [3, -4], [[3, -4]], [5], [[-5]]), (0, 1, -1, 2)):
            # Every index is a position on an axis that is long enough.
            if np.max(np.abs(indices)) < 5 or shape[axis % 2] == 4:
                yield "Gather", 13, fed, [Given(indices)], 1, {"axis": axis}
    yield "Gather", 13, axis_of((4, 4)), [], 1, {}
    yield "Gather", 13, axis_of((4, 4)), [None], 1, {}
    yield "Gather", 13, axis_of((4, 4)), [Given([0]), Given([1])], 1, {}
    # The rows are computed from constants.
    arrays = [[0], [3], [-4], [-5], [4], [0, 1], [3, 3], [3, 4], [-1, -4], [-1, -5], [0, 0, 0], [[0, 0], [3, 3]], [[0, 0], [3, 4]], [[0], [3]],
              [[0], [4]], [], [[]], [[[0, 1]], [[1, 2]]], [[[0, 1]], [[1, 4]]], 0]
    for opset, indices, batch in itertools.product((11, 12, 13, 23), arrays, (None, 0, 1, 2, -1)):
        attributes = {} if batch is None else {"batch_dims": batch}
        for shape in [(4, 4), (2, 4, 4)]:
            yield "GatherND", opset, axis_of(shape), [Given(indices)], 1, attributes
    for kind, operand in itertools.product(["int64", "int32", "float32"], (Given, Fed)):
        yield "GatherND", 13, axis_of((4, 4)), [operand([[0, 1]], kind)], 1, {}
    for shape in [(), (0,), (3,)]:
        for indices in ([0], [[0]], [[2]], [[3]], [[-3]]):
            yield "GatherND", 13, axis_of(shape), [Given(indices)], 1, {}
    arrays = [[[0, 1], [2, 3]], [[0, 1], [2, 4]], [[-4, 3], [0, -5]], [[0, 0, 0, 0, 0]], [[3]], [0], 0, [[]], [[[0]]], [[0]] * 5]
    for opset, indices, axis in itertools.product((11, 13, 23), arrays, (None, 0, 1, -1, 2, -3)):
        attributes = {} if axis is None else {"axis": axis}
        yield "GatherElements", opset, axis_of((4, 4)), [Given(indices)], 1, attributes
    for kind, operand in itertools.product(["int64", "int32", "float32"], (Given, Fed)):
        yield "GatherElements", 13, axis_of((4, 4)), [operand([[0, 1]], kind)], 1, {}
    masks = [[True, False, True], [True], [], [False] * 3, [True] * 4, [True] * 5, [False] * 5, [False, False, False, False, True], True, [[True, False]],
             [True] * 16, [True] * 17]
    for opset, mask, axis in itertools.product((9, 11, 13, 23), masks, (None, 0, 1, -1, -2, 2, -3)):
        attributes = {} if axis is None else {"axis": axis}
        yield "Compress", opset, axis_of((4, 4)), [Given(mask, "bool")], 1, attributes
    for kind, operand in itertools.product(["bool", "int64", "uint8"], (Given, Fed)):
        yield "Compress", 11, axis_of((4, 4)), [operand([1, 0], kind)], 1, {"axis": 0}
    yield "Compress", 11, axis_of(()), [Given([True], "bool")], 1, {}
    yield "Compress", 11, axis_of(()), [Given([True], "bool")], 1, {"axis": 0}


def axes():
    lists = [[0], [1], [-1], [-3], [2], [3], [-4], [4], [0, 0], [0, 2], [2, 0], [0, -3], [], [0, 1, 2], None]
    for operation, opset, given in itertools.product(("Squeeze", "Unsqueeze"), OPSETS, lists):
        for shape in [(1, 2, 1), (1, 1, 1), ()]:
            if opset < 13:
                yield operation, opset, axis_of(shape), [], 1, {} if given is None else {"axes": given}
            else:
                yield operation, opset, axis_of(shape), [] if given is None else [Given(given)], 1, {}
                if opset in (13, 23):
                    yield operation, opset, axis_of(shape), [None if given is None else Given(given, node=True)], 1, {}
    for operation, kind, operand in itertools.product(("Squeeze", "Unsqueeze"), ["int64", "int32", "float32"], (Given, Fed)):
        for given in ([0], 0, [[0]]):
            for opset in (11, 13, 21):
                yield operation, opset, axis_of((1, 2, 1)), [operand(given, kind)], 1, {}
    for opset in (13, 21):
        for operation in ("Squeeze", "Unsqueeze"):
            yield operation, opset, axis_of((1, 2, 1)), [], 1, {"axes": [0]}
    for shape in (["n", 1, 2], ["n", "m", 2]):
        fed = Fed(np.zeros((1, 1, 2), "float32"), "float32", shape)
        for operation, given in itertools.product(("Squeeze", "Unsqueeze"), ([0], [1], [2], [3], [-3], [-4], [0, 0], [0, -3])):
            yield operation, 13, fed, [Given(given)], 1, {}


def reversals():
    for opset, axes, lengths in itertools.product(
        (10, 13, 23),
        [(0, 1), (1, 0), (0, 0), (1, 1), (2, 0), (0, 2), (-1, 0), (0, -1), (None, None), (1, None), (None, 0)],
        [[4, 4, 4], [4, 4, 4, 4], [3, 3, 3], [1, 2, 3], [5, 4, 4], [0, 4, 4], [-1, 4, 4], [4, 4], 4, [[4, 4, 4]], [3, 3, 3, 3]],
    ):
        attributes = {name: axis for name, axis in zip(("time_axis", "batch_axis"), axes) if axis is not None}
        yield "ReverseSequence", opset, axis_of((4, 3)), [Given(lengths)], 1, attributes
        if opset == 10:
            if np.min(lengths) > 0 and np.max(lengths) < 4:
                yield "ReverseSequence", opset, axis_of((4, 3)), [Fed(lengths)], 1, attributes
            yield "ReverseSequence", opset, axis_of((4, 3, 2)), [Given(lengths)], 1, attributes
    for kind, shape in itertools.product(["int64", "int32", "float32"], [(4, 3), (4,), ()]):
        yield "ReverseSequence", 10, axis_of(shape), [Given([4, 4, 4], kind)], 1, {}


def cases():
    return itertools.chain(slices(), splits(), gathers(), axes(), reversals())


if __name__ == "__main__":
    versions = {"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}
    write("onnx", versions, {"checker": check, "runtime": run}, (model_of(*case) for case in cases()))
