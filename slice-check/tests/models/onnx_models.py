"""Exports some of the ONNX models in this folder with torch.onnx, and builds others with onnx.helper.

    python3.11 -m venv models
    models/bin/pip install -r requirements.txt
    models/bin/python onnx_models.py

The weights are random and small, because only the slices of a network matter. Each exported network contains the slices
of a well-known network.
"""

import pathlib

import numpy as np
import onnx
import torch
from networks import Focus, Framing, KeyValueCache, ShiftedWindows
from onnx import TensorProto, helper, numpy_helper
from torch import nn

HERE = pathlib.Path(__file__).parent
torch.manual_seed(0)


class FocusByHand(nn.Module):
    """Slices the patches of `Focus` in two steps, with a deliberate bug: the second and the third patch are swapped."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(12, 4, 1)

    def forward(self, x):
        even, odd = x[:, :, ::2], x[:, :, 1::2]
        patches = [even[..., ::2], even[..., 1::2], odd[..., ::2], odd[..., 1::2]]
        return self.conv(torch.cat(patches, 1))


class Rotary(nn.Module):
    """Rotary position embedding, which selects the two halves of an axis, and its even and odd positions."""

    def forward(self, x):
        half = x.shape[-1] // 2
        turned = torch.cat([-x[..., half:], x[..., :half]], dim=-1)
        pairs = torch.stack([-x[..., 1::2], x[..., ::2]], dim=-1).flatten(-2)
        first, second = x.chunk(2, dim=-1)
        return turned + pairs, first * second


def export_network(name, model, inputs, **options):
    program = torch.onnx.export(model.eval(), inputs, dynamo=True, verbose=False, **options)
    write_model(name, program.model_proto)


def write_model(name, model):
    # Removes the source locations, which contain paths on the exporting machine.
    for proto in [model.graph, *model.graph.node, *model.graph.input, *model.graph.output, *model.graph.value_info]:
        del proto.metadata_props[:]
    del model.metadata_props[:]
    onnx.checker.check_model(model)
    (HERE / f"{name}.onnx").write_bytes(model.SerializeToString(deterministic=True))


def export_networks():
    export_network("focus", Focus(), (torch.zeros(1, 3, 8, 8),))
    export_network("focus_ported", FocusByHand(), (torch.zeros(1, 3, 8, 8),))
    tensors = (torch.zeros(1, 2, 1, 4), torch.zeros(1, 2, 9, 4), torch.zeros(1, 2, 1, 4))
    export_network("cache", KeyValueCache(), tensors, optimize=False)
    length = torch.export.Dim("past", min=8, max=12)
    export_network("cache_dynamic", KeyValueCache(), tensors, dynamic_shapes=({}, {2: length}, {}))
    export_network("windows", ShiftedWindows(), (torch.zeros(1, 8, 8, 2),))
    export_network("rotary", Rotary(), (torch.zeros(1, 2, 3, 8),))
    export_network("framing", Framing(), (torch.zeros(1, 32),))


def constant(name, values):
    return numpy_helper.from_array(np.array(values, dtype=np.int64), name)


def model(name, nodes, constants, inputs, outputs, opset=13, values=()):
    shaped = lambda pairs: [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in pairs]
    graph = helper.make_graph(nodes, name, shaped(inputs), shaped(outputs), constants, value_info=shaped(values))
    onnx_model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    (HERE / f"{name}.onnx").write_bytes(onnx_model.SerializeToString(deterministic=True))


def build_models():
    """Writes models as older exporters do, with ends of INT_MAX, slices that select everything, and bounds
    computed by Shape, Gather and Concat. Also writes a model with mistakes, a model with opset 9, and a model that is
    affected by known converter bugs."""
    int64_max, int64_min = 2**63 - 1, -(2**63)
    node = helper.make_node
    # Each axis is sliced separately, as in models of YOLOv5 from PyTorch's TorchScript exporter. The slice `backwards`
    # has a negative step and the end INT_MAX.
    model(
        "sentinels",
        [
            node("Slice", ["x", "zero", "most", "two", "step"], ["rows"], "rows"),
            node("Slice", ["rows", "zero", "most", "three", "step"], ["columns"], "columns"),
            node("Slice", ["columns", "zero", "most", "one"], ["all"], "all"),
            node("Slice", ["all", "last", "most", "one", "back"], ["backwards"], "backwards"),
            node("Slice", ["all", "last", "least", "one", "back"], ["flipped"], "flipped"),
            node("Relu", ["flipped"], ["y"], "relu"),
            node("Relu", ["backwards"], ["z"], "relu_of_nothing"),
        ],
        [
            constant("zero", [0]), constant("most", [int64_max]), constant("least", [int64_min]), constant("last", [-1]),
            constant("one", [1]), constant("two", [2]), constant("three", [3]), constant("step", [2]), constant("back", [-1]),
        ],
        [("x", [1, 3, 8, 8])],
        [("y", [1, 3, 4, 4]), ("z", [1, "n", 4, 4])],
    )
    # Selects the first half of an axis. The end is computed from the length of the axis.
    model(
        "half",
        [
            node("Shape", ["x"], ["shape"], "shape"),
            node("Gather", ["shape", "one"], ["length"], "length", axis=0),
            node("Constant", [], ["two"], "two", value=constant("", 2)),
            node("Div", ["length", "two"], ["half"], "half"),
            node("Unsqueeze", ["half", "zeros"], ["end"], "end"),
            node("Concat", ["zeros", "end"], ["starts_ends"], "both", axis=0),
            node("Slice", ["starts_ends", "zeros", "ones"], ["starts"], "starts"),
            node("Slice", ["starts_ends", "ones", "twos"], ["ends"], "ends"),
            node("Slice", ["x", "starts", "ends", "ones"], ["first"], "first"),
            node("Gather", ["first", "list"], ["picked"], "picked", axis=1),
            node("Gather", ["first", "last"], ["y"], "y", axis=1),
            node("Split", ["picked"], ["left", "right"], "split", axis=1, num_outputs=2),
        ],
        [
            constant("one", 1), constant("zeros", [0]), constant("ones", [1]), constant("twos", [2]),
            constant("list", [0, 2, 1, 3]), constant("last", -1),
        ],
        [("x", [2, 8])],
        [("y", [2]), ("left", [2, 2]), ("right", [2, 2])],
        opset=18,
    )
    # Contains an end that is a model input, an axis with a symbolic length, and several mistakes.
    ends = helper.make_tensor_value_info("ends", TensorProto.INT64, [1])
    model(
        "wrong",
        [
            node("Slice", ["x", "zeros", "ends", "ones"], ["a"], "at_run_time"),
            node("Slice", ["x", "ones", "threes", "twos"], ["b"], "no_such_axis"),
            node("Slice", ["x", "ones", "threes", "ones"], ["c"], "other_shape"),
            node("Squeeze", ["x", "ones"], ["d"], "not_one"),
            node("Gather", ["x", "threes"], ["e"], "beyond", axis=1),
            node("Slice", ["x", "ones", "twos", "zeros"], ["f"], "of_the_batch"),
        ],
        [constant("zeros", [0]), constant("ones", [1]), constant("twos", [2]), constant("threes", [3])],
        [("x", ["batch", 3])],
        [("a", None), ("b", None), ("c", ["batch", 3]), ("d", None), ("e", None), ("f", [1, 3])],
    )
    wrong = onnx.load(HERE / "wrong.onnx")
    wrong.graph.input.append(ends)
    (HERE / "wrong.onnx").write_bytes(wrong.SerializeToString(deterministic=True))
    # In opset 9, bounds are attributes.
    model(
        "attributes",
        [
            node("Slice", ["x"], ["a"], "rows", starts=[1], ends=[int64_max], axes=[0]),
            node("Slice", ["a"], ["b"], "columns", starts=[0, -3], ends=[int64_max, int64_max]),
            node("Unsqueeze", ["b"], ["y"], "new", axes=[0]),
        ],
        [],
        [("x", [4, 5])],
        [("y", [1, 3, 3])],
        opset=9,
    )
    # Contains operations that are affected by known converter bugs.
    model(
        "converters",
        [
            node("Unsqueeze", ["x", "outer"], ["a"], "two_new_axes"),
            node("Slice", ["a", "zeros", "twos", "ones"], ["y"], "rows"),
            node("Gather", ["row", "last"], ["z"], "last_of_all", axis=0),
            node("Slice", ["row", "starts", "ends", "zeros", "back"], ["w"], "back_at_run_time"),
            node("Slice", ["series", "lasts", "zeros", "zeros"], ["v"], "of_a_batch"),
        ],
        [
            constant("outer", [2, 0]), constant("zeros", [0]), constant("ones", [1]), constant("twos", [2]),
            constant("last", -1), constant("lasts", [-1]), constant("back", [-1]),
        ],
        [("x", [3, 4]), ("row", [4]), ("series", ["batch"])],
        [("y", [1, 2, 1, 4]), ("z", []), ("w", ["n"]), ("v", ["m"])],
    )
    converters = onnx.load(HERE / "converters.onnx")
    bounds = [helper.make_tensor_value_info(name, TensorProto.INT64, [1]) for name in ("starts", "ends")]
    converters.graph.input.extend(bounds)
    (HERE / "converters.onnx").write_bytes(converters.SerializeToString(deterministic=True))
    # Contains operations that select elements in ways that are not examined.
    model(
        "not_examined",
        [
            node("Gather", ["x", "ids"], ["a"], "at_run_time"),
            node("GatherND", ["x", "pairs"], ["b"], "pairs_at_run_time"),
            node("GatherElements", ["x", "table"], ["c"], "table_at_run_time", axis=1),
            node("Slice", ["x", "zeros", "ones"], ["d"], "first_row"),
        ],
        [constant("zeros", [0]), constant("ones", [1])],
        [("x", [3, 4])],
        [("a", ["n", 4]), ("b", ["m"]), ("c", [3, 2]), ("d", [1, 4])],
    )
    not_examined = onnx.load(HERE / "not_examined.onnx")
    shapes = {"ids": ["n"], "pairs": ["m", 2], "table": [3, 2]}
    lists = [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name, shape in shapes.items()]
    not_examined.graph.input.extend(lists)
    (HERE / "not_examined.onnx").write_bytes(not_examined.SerializeToString(deterministic=True))


export_networks()
build_models()
