"""Records which OpenVINO models OpenVINO accepts.

    python3.11 -m venv verdicts
    verdicts/bin/pip install -r requirements-openvino.txt
    verdicts/bin/python openvino_verdicts.py

Each model has one operation that selects elements. The models are a cross product of attributes, shapes and element types. The
XML text of a model is followed by a zero byte and the bytes of its constants.
"""

import itertools

import numpy as np
import openvino
from record import write

PRECISIONS = {"float32": ("f32", "FP32"), "int64": ("i64", "I64"), "int32": ("i32", "I32"), "int16": ("i16", "I16"), "bool": ("boolean", "BOOL"),
              "int8": ("i8", "I8"), "uint8": ("u8", "U8"), "uint16": ("u16", "U16"), "uint32": ("u32", "U32"), "uint64": ("u64", "U64"),
              "float64": ("f64", "FP64")}


class Given:
    """An operand that is a constant."""

    def __init__(self, value, kind="int64"):
        self.array = np.array(value, dtype=kind)


class Fed:
    """An operand that is an input of the model."""

    def __init__(self, value, kind="int64"):
        self.array = np.array(value, dtype=kind)


def axis_of(shape, kind="float32"):
    return Fed(np.zeros(shape, kind), kind)


def port(number, array):
    dims = "".join(f"<dim>{length}</dim>" for length in array.shape)
    return f'<port id="{number}" precision="{PRECISIONS[str(array.dtype)][1]}">{dims}</port>'


def model_of(*case):
    """Returns a model whose outputs have the shapes that OpenVINO infers, and the values of the model's inputs."""
    model, fed = text_of(*case)
    try:
        outputs = read(model).outputs
    except Exception:
        return model, fed
    shapes = [[str(length.get_length()) if length.is_static else "-1" for length in output.partial_shape] for output in outputs]
    return text_of(*case, shapes=shapes)


def read(model):
    text, weights = model.split(b"\0", 1)
    # The weights must not be empty.
    return openvino.Core().read_model(text, openvino.Tensor(np.frombuffer(weights or b"\0", dtype=np.uint8)))


def text_of(operation, opset, operands, outputs=1, attributes=None, shapes=None):
    """Returns the text and the constants of a model with one operation, and the values of the model's inputs."""
    shapes = shapes or [["-1"]] * outputs
    results = ["".join(f"<dim>{length}</dim>" for length in shape) for shape in shapes]
    layers, edges, weights, fed = [], [], b"", []
    for at, operand in enumerate(operands):
        array = operand.array
        data = f'element_type="{PRECISIONS[str(array.dtype)][0]}" shape="{",".join(map(str, array.shape))}"'
        kind = "Parameter"
        if isinstance(operand, Given):
            kind, data = "Const", f'{data} offset="{len(weights)}" size="{array.nbytes}"'
            weights += array.tobytes()
        else:
            fed.append(array)
        layers.append(f'<layer id="{at}" name="operand_{at}" type="{kind}" version="opset1"><data {data}/><output>{port(0, array)}</output></layer>')
        edges.append(f'<edge from-layer="{at}" from-port="0" to-layer="{len(operands)}" to-port="{at}"/>')
    y, count = len(operands), len(operands)
    data = " ".join(f'{name}="{value}"' for name, value in (attributes or {}).items())
    inputs = "".join(port(at, operand.array) for at, operand in enumerate(operands))
    ports = "".join(f'<port id="{count + at}" precision="FP32">{results[at]}</port>' for at in range(outputs))
    layers.append(f'<layer id="{y}" name="y" type="{operation}" version="{opset}"><data {data}/><input>{inputs}</input><output>{ports}</output></layer>')
    for at in range(outputs):
        layers.append(f'<layer id="{y + 1 + at}" name="result_{at}" type="Result" version="opset1"><input><port id="0" precision="FP32">{results[at]}</port></input></layer>')
        edges.append(f'<edge from-layer="{y}" from-port="{count + at}" to-layer="{y + 1 + at}" to-port="0"/>')
    text = f'<?xml version="1.0"?>\n<net name="m" version="11">\n<layers>\n' + "\n".join(layers) + "\n</layers>\n<edges>\n" + "\n".join(edges)
    return f"{text}\n</edges>\n</net>\n".encode() + b"\0" + weights, fed


def run(model, fed):
    try:
        compiled = openvino.Core().compile_model(read(model), "CPU")
    except Exception as error:
        return "refused", str(error).replace("\n", " ")[-160:]
    try:
        results = compiled(fed)
    except Exception as error:
        # Other values of the inputs may be valid.
        return ("refused" if len(fed) == 1 else "refused for these inputs"), str(error)[-160:]
    return "accepted", [list(results[at].shape) for at in range(len(compiled.outputs))]


def cases():
    x = axis_of((4, 5))
    # StridedSlice
    bounds = [([0, 0], [2, 2], [1, 1]), ([0], [2], [1]), ([1, 1], [0, 0], [-1, -1]), ([0, 0], [2, 2], [0, 1]), ([9, 9], [9, 9], [1, 1]),
              ([-9, -9], [9, 9], [2, 3]), ([0, 0], [2], [1]), ([0], [2], [1, 1]), ([[0, 0]], [[2, 2]], [[1, 1]]), (0, 2, 1)]
    names = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")
    for lists, operand in itertools.product(bounds, (Given, Fed)):
        attributes = {name: "0,0" if "mask" in name and name[0] in "be" else "" for name in names}
        yield "StridedSlice", "opset1", [x, *map(operand, lists)], 1, attributes
    for kind in ("int32", "int16", "float32"):
        yield "StridedSlice", "opset1", [x, *(Given(one, kind) for one in ([0, 0], [2, 2], [1, 1]))], 1, {name: "" for name in names}
    # Slice
    lists = [([0], [2], [1], None), ([0], [2], [1], [1]), ([0], [2], [1], [2]), ([0], [2], [1], [-1]), ([0], [2], [1], [-3]), ([0, 0], [2, 2], [1, 1], [0, 0]),
             ([0, 0], [2, 2], [1, 1], [0, -2]), ([0], [2], [0], [0]), ([0, 0], [2], [1], None), ([0], [2], [1, 1], None), ([0], [2], [1], [0, 1]),
             ([0, 0, 0], [1, 1, 1], [1, 1, 1], None), ([[0]], [[2]], [[1]], None), (0, 2, 1, 0), ([9], [9], [1], [0]), ([3], [-9], [-1], [0])]
    for given, operand in itertools.product(lists, (Given, Fed)):
        yield "Slice", "opset8", [x, *(operand(list) for list in given if list is not None)]
    for kind in ("int32", "float32"):
        yield "Slice", "opset8", [x, *(Given(list, kind) for list in ([0], [2], [1]))]
        yield "Slice", "opset8", [x, Given([0], kind), Given([2]), Given([1])]
    # Gather. OpenVINO selects zeros, or reads other memory, at positions that are out of bounds, so there are none.
    lists = [0, 3, -1, -4, [0, 1], [0, -1], [[0, 1], [2, 3]]]
    for indices, axis, batch, opset in itertools.product(lists, (0, 1, -1, 2, -3), (0, 1, -1, 2), ("opset7", "opset8")):
        yield "Gather", opset, [axis_of((4, 4)), Given(indices), Given(axis)], 1, {"batch_dims": batch}
    for indices, axis in itertools.product(lists, (0, -1, 2)):
        yield "Gather", "opset1", [axis_of((4, 4)), Given(indices), Given(axis)]
    for kind, operand in itertools.product(("int32", "int16", "float32"), (Given, Fed)):
        yield "Gather", "opset8", [x, operand([0, 1], kind), Given(0)], 1, {"batch_dims": 0}
        yield "Gather", "opset8", [x, Given([0, 1]), Given(0, kind)], 1, {"batch_dims": 0}
    for axis in ([0], [0, 1], [[0]]):
        yield "Gather", "opset8", [x, Given([0, 1]), Given(axis)], 1, {"batch_dims": 0}
    # GatherND and GatherElements
    lists = [[0], [3], [-1], [0, 1], [3, 4], [[0, 1], [3, 4]], [0, 0, 0], [[0], [3]], 0]
    for indices, batch in itertools.product(lists, (0, 1, 2, -1)):
        yield "GatherND", "opset8", [x, Given(indices)], 1, {"batch_dims": batch}
    for kind in ("int32", "float32"):
        yield "GatherND", "opset8", [x, Given([0, 1], kind)], 1, {"batch_dims": 0}
    lists = [[[0, 1], [2, 3]], [[0, 1], [2, 4]], [[-4, 3], [0, -5]], [[0, 0, 0, 0, 0]], [[3]], [0], 0, [[[0]]], [[0]] * 5]
    for indices, axis in itertools.product(lists, (0, 1, -1, 2, -3)):
        yield "GatherElements", "opset6", [axis_of((4, 4)), Given(indices)], 1, {"axis": axis}
    # Split and VariadicSplit
    for shape, outputs, axis in itertools.product([(6,), (7,), (2, 6)], (1, 2, 3, 4), (0, 1, -1, -3, 2)):
        yield "Split", "opset1", [axis_of(shape), Given(axis)], outputs, {"num_splits": outputs}
    for axis, count in itertools.product(([0], [0, 0], [[0]]), (2, 3)):
        yield "Split", "opset1", [axis_of((6,)), Given(axis)], 2, {"num_splits": count}
    for kind in ("int32", "float32"):
        yield "Split", "opset1", [axis_of((6,)), Given(0, kind)], 2, {"num_splits": 2}
    # OpenVINO returns 7 elements for the lengths [7, -1] of an axis of length 6.
    lengths = [[3, 3], [2, 3], [2, 4], [0, 6], [-1, 3], [3, -1], [-1, -1], [6], [7], [2, 2, 2], [6, 0, 0], [-2, 8]]
    for given, outputs, operand in itertools.product(lengths, (1, 2, 3), (Given, Fed)):
        if operand is Given or np.size(given) == outputs:
            yield "VariadicSplit", "opset1", [axis_of((6,)), Given(0), operand(given)], outputs
    for axis in (-1, 1, -2, 2, [0], [0, 0]):
        yield "VariadicSplit", "opset1", [axis_of((6,)), Given(axis), Given([2, 4])], 2
    for given, kind in itertools.product(([2, 4], [[2, 4]], 6), ("int32", "int64", "float32")):
        yield "VariadicSplit", "opset1", [axis_of((6,)), Given(0), Given(given, kind)], np.size(given)
    # Reverse and ReverseSequence
    for axes in ([0], [1], [-1], [-2], [2], [-3], [0, 1], [1, 0], [0, 0], [0, -2], [[0]], 0, [0, 1, 1]):
        yield "Reverse", "opset1", [x, Given(axes)], 1, {"mode": "index"}
    lists = [[4, 4, 4], [4, 4, 4, 4], [3, 3, 3, 3], [0, 1, 2], [1, 2, 3], [5, 4, 4], [-1, 4, 4], [4, 4], 4, [[4, 4, 4]]]
    for (axis, batch), lengths in itertools.product([(0, 1), (1, 0), (0, 0), (2, 0), (0, 2), (-1, 0), (0, -1)], lists):
        yield "ReverseSequence", "opset1", [axis_of((4, 3)), Given(lengths)], 1, {"seq_axis": axis, "batch_axis": batch}
    # Squeeze and Unsqueeze
    for operation, shape, axes in itertools.product(("Squeeze", "Unsqueeze"), [(1, 2, 1), (1, 1), ()], [
        0, [0], [1], [2], [-1], [-2], [3], [-3], [-4], [0, 0], [0, 2], [0, -3], [[0]],
    ]):
        yield operation, "opset1", [axis_of(shape), Given(axes)]


if __name__ == "__main__":
    write("openvino", {"openvino": openvino.__version__}, {"runtime": run}, (model_of(*case) for case in cases()))
