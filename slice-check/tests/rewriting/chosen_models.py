"""Makes one ONNX model for each kind of mistake that rewriting a model could make, and runs each model before and after
`slice check --fix` in ONNX Runtime. Writes the models, the shapes of their outputs and the rewritten models to
`chosen.jsonl.gz`. The packages and the program are those of `random_models.py`.

    onnx/bin/python chosen_models.py ../../../target/release/examples/rewrite

Fails if an output of a rewritten model differs, or if a model is not rewritten or refused as this script states.
"""

import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from random_models import difference, outputs, session

HERE = pathlib.Path(__file__).parent
MAX = 2**63 - 1
CASES = []


def constant(name, values, dtype=np.int64):
    return numpy_helper.from_array(np.array(values, dtype), name)


class Model:
    """A model with one input `x` and one output `y`."""

    def __init__(self, shape, opset=13, ir_version=8):
        self.opset, self.ir_version = opset, ir_version
        self.nodes, self.constants, self.infos = [], [], []
        self.inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)]

    def constant(self, values, dtype=np.int64):
        name = f"c{len(self.constants)}"
        self.constants.append(constant(name, values, dtype))
        return name

    def node(self, operator, inputs, outputs, **attributes):
        self.nodes.append(helper.make_node(operator, inputs, [outputs] if isinstance(outputs, str) else outputs, **attributes))
        return self.nodes[-1].output[0]

    def slice(self, value, output, starts, ends, axes, steps=None):
        bounds = [one if isinstance(one, str) else self.constant(one) for one in [starts, ends, axes, steps or [1] * len(axes)]]
        return self.node("Slice", [value, *bounds], output)

    def bytes(self):
        y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
        graph = helper.make_graph(self.nodes, "g", self.inputs, [y], self.constants, value_info=self.infos)
        opsets = [helper.make_opsetid("", self.opset)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=self.ir_version).SerializeToString()


def case(name, model, *shapes, expected="rewritten", reason=None, feeds=None):
    """Adds a model. `shapes` are the shapes of `x` with which it is run. `reason` is a part of the error of a refused model."""
    bytes = model if not isinstance(model, Model) else model.bytes()
    values = [np.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes]
    CASES.append((name, bytes, [{"x": value, **(feeds or {})} for value in values], expected, reason))


def chain(shape, starts, ends, axes, steps):
    """Returns a model that slices `x`, and then the second axis of the result."""
    model = Model(shape)
    model.slice("x", "s", starts, ends, axes, steps)
    model.slice("s", "y", [1], [MAX], [1])
    return model


def with_end(make):
    """Returns a model that slices the last axis of `x` up to a computed end, and then the result."""
    model = Model([2, 3, 5])
    model.slice("x", "s", [0], make(model), [2])
    model.slice("s", "y", [1], [MAX], [2])
    return model


for name, start, end in [("x[-1:-2:-1]", -1, -2), ("x[0::-1]", 0, -(2**63)), ("x[1:0:-1]", 1, 0)]:
    model = chain([None, 4], [start], [end], [0], [-1])
    case(f"{name} on an axis of unknown length", model, (1, 4), (2, 4), (5, 4))


def wrapping_sum(model):
    total = model.node("Add", [model.constant([2**31 - 1], np.int32)] * 2, "total")
    return model.node("Cast", [total], "end", to=TensorProto.INT64)


def narrowed(model):
    narrow = model.node("Cast", [model.constant([259], np.int32)], "narrow", to=TensorProto.INT8)
    return model.node("Cast", [narrow], "end", to=TensorProto.INT64)


case("a sum of 32-bit integers that wraps", with_end(wrapping_sum), (2, 3, 5))
case("a cast to fewer bits", with_end(narrowed), (2, 3, 5))
minimum = lambda model: model.node("Min", [model.constant([one]) for one in (4, 4, 2)], "end")
case("a minimum of three constants", with_end(minimum), (2, 3, 5))


def field(number, bytes):
    """Returns a field of a protocol buffer whose length is less than 2^14."""
    return bytes_of(number << 3 | 2) + bytes_of(len(bytes)) + bytes


def bytes_of(number):
    result = bytearray()
    while number >= 128:
        result.append(number & 127 | 128)
        number >>= 7
    return bytes([*result, number])


def with_large_element():
    """Returns a model in which an element in the field `int32_data` is 2^32 + 2."""
    model = with_end(lambda model: model.node("Cast", ["large"], "end", to=TensorProto.INT64))
    whole = onnx.load_model_from_string(model.bytes())
    graph = whole.graph.SerializeToString()
    tensor = TensorProto(dims=[1], data_type=TensorProto.INT32, name="large").SerializeToString()
    whole.ClearField("graph")
    tensor += field(5, bytes_of(2**32 + 2))
    return whole.SerializeToString() + field(7, graph + field(5, tensor))


case("an element that exceeds the element type", with_large_element(), (2, 3, 5))

model = Model([2, 3, 4], 17)
model.node("LayerNormalization", ["x", model.constant([1.5], np.float32)], ["n", "mean"], axis=-1)
model.slice("mean", "part", [0], [1], [2])
model.slice("part", "y", [1], [MAX], [1])
case("a slice of the mean of LayerNormalization", model, (2, 3, 4), expected="unchanged")

model = Model([2, 3, 4], 15)
scale = model.constant([1.5] * 3, np.float32)
model.node("BatchNormalization", ["x"] + [scale] * 4, ["n", "mean", "variance"], training_mode=1)
model.slice("mean", "part", [0], [3], [0])
model.slice("part", "y", [1], [2**31 - 1], [0])
case("a slice of the mean of BatchNormalization", model, (2, 3, 4), expected="unchanged")

model = Model([2, 3, 4])
model.slice("x", "s", [0], [MAX], [0])
model.node("Clip", ["s", "QQQ"], "y")
model.constants.append(constant("QQQ", 3.0, np.float32))
case("a name that is not UTF-8", model.bytes().replace(b"QQQ", b"\xffQQ"), (2, 3, 4), expected="refused", reason="not UTF-8")

model = Model([2, 3, 4])
branches = {}
for name, operator in [("then_branch", "Neg"), ("else_branch", "Abs")]:
    result = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    branches[name] = helper.make_graph([helper.make_node(operator, ["later"], [name])], name, [], [result])
model.inputs.append(helper.make_tensor_value_info("condition", TensorProto.BOOL, []))
model.node("If", ["condition"], "y", **branches)
model.slice("x", "s", [0], [MAX], [0])
model.slice("s", "later", [1], [MAX], [1])
case("a capture of the output of a later node", model, (2, 3, 4), feeds={"condition": np.array(True)})

model = Model([2, 3, 4])
model.constants.append(constant("end", [3]))
model.inputs.append(helper.make_tensor_value_info("end", TensorProto.INT64, [1]))
model.slice("x", "s", [0], "end", [2])
model.slice("s", "y", [0], [MAX], [2])
case("an initializer that the caller replaces", model, (2, 3, 4), expected="unchanged", feeds={"end": np.array([2])})

model = Model([9, 3])
model.inputs.append(helper.make_tensor_value_info("keep", TensorProto.BOOL, [9]))
model.node("Compress", ["x", "keep"], "kept", axis=0)
model.infos.append(helper.make_tensor_value_info("kept", TensorProto.FLOAT, [7, 3]))
model.slice("kept", "y", [-5, 0], [7, MAX], [0, 1])
case("a wrong declaration of an intermediate value", model, (9, 3), expected="unchanged", feeds={"keep": np.arange(9) < 4})

bounds = [0, 0, 1], [1_000_000_000, 1, MAX], [0, 1, 2], [-255, 1, 2]
case("a long negative step on a named length", chain(["n", 4, 5], *bounds), (1, 4, 5), (300, 4, 5))
case("an unknown length beside three known ones", chain([None, 4, 5, 6], *bounds), (1, 4, 5, 6), (300, 4, 5, 6))

chains = [
    ("an empty range on a named length", ["n"], [([0], [4], [0], [1]), ([4], [9], [0], [-255])]),
    ("an empty range beside a named length", [3, 3, "n", 4], [([0, 0, 0, 0], [0, 1, 0, 0], [0, 1, 2, 3], [1, 1, 3, 1]), ([0], [0], [2], [255])]),
    ("a range before one with other bounds", [None, 3], [([-5], [9], [0], [2]), ([MAX], [1], [0], [-1]), ([0, -1], [MAX, 1], [0, 1], [1, -1])]),
]
for name, shape, slices in chains:
    model = Model(shape)
    for at, bounds in enumerate(slices):
        model.slice(f"s{at}" if at else "x", f"s{at + 1}" if at + 1 < len(slices) else "y", *bounds)
    lengths = lambda other: [length if isinstance(length, int) else other for length in shape]
    case(name, model, lengths(1), lengths(4), lengths(12))

model = Model([None, 6])
model.slice("x", "s", [9, 3], [9, 5], [0, 1])
model.infos.append(helper.make_tensor_value_info("s", TensorProto.FLOAT, [1, 2]))
model.node("Relu", ["s"], "unused")
model.slice("s", "whole", [0], [MAX], [1])
model.node("ReduceSum", ["whole", model.constant([0])], "sum")
model.node("Neg", ["sum"], "y")
case("a declaration of lengths that cannot be inferred", model, (4, 6), expected="refused", reason="cannot be checked")


# Before opset 11, ONNX Runtime believes that both branches return arrays of the same shape.
model = Model([2, 3], opset=8)
model.inputs.append(helper.make_tensor_value_info("condition", TensorProto.BOOL, []))
model.inputs.append(helper.make_tensor_value_info("other", TensorProto.FLOAT, [None, 3]))
model.nodes.append(helper.make_node("Slice", ["x"], ["none"], starts=[-1], ends=[-2], axes=[0]))
branches = {}
for name, value in [("then_branch", "none"), ("else_branch", "other")]:
    result = helper.make_tensor_value_info(name, TensorProto.FLOAT, None)
    branches[name] = helper.make_graph([helper.make_node("Identity", [value], [name])], name, [], [result])
model.node("If", ["condition"], "either", **branches)
model.node("Reshape", ["either", model.constant([0, -1])], "y")
feeds = {"condition": np.array(False), "other": np.zeros((4, 3), np.float32)}
reason = "may return arrays of different shapes"
case("an empty slice in a branch", model, (2, 3), expected="refused", reason=reason, feeds=feeds)

model = Model([None, 3])
model.node("Reshape", ["x", model.constant([0, -1])], "r")
model.slice("r", "s", [0], [3], [1])
model.slice("s", "y", [1], [MAX], [0])
case("a slice of an axis whose length is the quotient of unknown lengths", model, (2, 3), (5, 3))

model = Model([None])
model.slice("x", "s", [0], [MAX], [0])
model.node("Unsqueeze", ["s", model.constant([0])], "row")
model.node("Unsqueeze", ["row", model.constant([2])], "cube")
model.node("Gather", [model.node("Shape", ["x"], "shape"), model.constant([0])], "length", axis=0)
model.slice("cube", "part", [0, -1], [1, MAX], [0, 2])
model.slice("part", "y", [0], "length", [1])
case("new axes after a slice that selects everything", model, (2,), (5,))

model = Model([None])
model.slice("x", "s", [1], [-(2**31)], [0], [-1])
model.node("Unsqueeze", ["s", model.constant([0])], "row")
model.node("Unsqueeze", ["row", model.constant([2])], "cube")
model.slice("cube", "whole", [0], [5], [-1])
model.node("Neg", ["whole"], "y")
case("new axes before a slice that selects everything", model, (2,), (5,))

model = Model([2, 3, 4])
model.slice("x", "none", [9], [5], [-3])
model.slice("none", "whole", [2], [MAX], [0], [-2])
model.node("Gather", [model.node("Shape", ["whole"], "shape"), model.constant([1])], "length", axis=0)
model.slice("none", "y", [0], "length", [2])
case("a slice of which only the shape is used", model, (2, 3, 4))

model = Model(["batch", 128, 768])
shape = model.node("Shape", ["x"], "shape")
length = model.node("Gather", [shape, model.constant([0])], "length", axis=0)
lengths = model.node("Concat", [length, model.constant([1, 768])], "lengths", axis=0)
model.node("Expand", [model.constant(np.ones((1, 1, 768)), np.float32), lengths], "token")
model.slice("token", "y", [0, 0], [MAX, 2], [0, 2])
case("(batch, 1, 768)", model, (2, 128, 768), (5, 128, 768))


def main():
    lines = [{"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}]
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for at, (_, bytes, *_) in enumerate(CASES):
            (folder / f"{at:03}.onnx").write_bytes(bytes)
        result = subprocess.run([sys.argv[1], folder], capture_output=True, text=True, check=True)
        for line, (name, bytes, feeds, expected, reason) in zip(result.stdout.splitlines(), CASES, strict=True):
            number, verdict = line.split(" ", 1)
            runs = session(bytes)
            results = [(one, outputs(runs, one)) for one in feeds]
            shapes = [list(after[0].shape) for _, after in results]
            is_refused = verdict.startswith("refused")
            fixed = None if is_refused else (folder / f"{number}.fixed").read_bytes()
            outcome = "refused" if is_refused else "unchanged" if verdict == "0" else "rewritten"
            if outcome != expected or reason and reason not in verdict:
                problems.append(f"{name}: {verdict}")
            if fixed is not None and (problem := difference(fixed, results)):
                problems.append(f"{name}: {problem}")
            print(f"{name}: {verdict}, {shapes}")
            lines.append({"name": name, "model": bytes.hex(), "fixed": fixed and fixed.hex(), "expected": expected, "reason": reason, "shapes": shapes})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (HERE / "chosen.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print("\n".join(problems))
    sys.exit(len(problems) > 0)


if __name__ == "__main__":
    main()
