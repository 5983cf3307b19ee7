"""Writes pairs of small ONNX models that differ in one place, or that are equal but written differently, and records
whether their outputs are equal in ONNX Runtime.

    python3.11 -m venv onnx
    onnx/bin/pip install numpy==2.4.6 onnx==1.23.2 onnxruntime==1.31.1
    onnx/bin/python pairs.py

A network is a list of operations, each of which is applied to inputs and to results of earlier operations. The writer
chooses at random how it writes each operation: a slice as `Slice`, `Split` or `Gather`, a stack as `Unsqueeze` and
`Concat`, and so on. `pairs.bin.gz` contains, for each pair, 1 if all outputs are equal and otherwise 0, the kind of the
difference, and both models. Each kind and each model follows its length, a little-endian number of four bytes.
"""

import gzip
import pathlib
import random
import struct

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
PAIRS = 2600
INT64_MAX = 2**63 - 1
UNARY = ["Relu", "Sigmoid", "Tanh", "Neg", "Exp", "Abs"]


class Invalid(Exception):
    """The operations of a network do not fit each other's shapes."""


def check(condition):
    if not condition:
        raise Invalid


def shape_of(op, shapes):
    """Returns the shape of the result of an operation. `shapes` are the shapes of its operands."""
    kind, params, first = op["kind"], op["params"], list(shapes[0])
    axis = params.get("axis")
    if axis is not None:
        check(axis < len(first) + (kind == "stack"))
    if kind == "slice":
        start, step, length = params["start"], params["step"], params["length"]
        check(length > 0 and 0 <= start < first[axis] and 0 <= start + step * (length - 1) < first[axis])
        first[axis] = length
    elif kind == "list":
        check(all(0 <= at < first[axis] for at in params["list"]))
        first[axis] = len(params["list"])
    elif kind == "index":
        check(0 <= params["at"] < first[axis] and len(first) > 1)
        del first[axis]
    elif kind == "part":
        check(sum(params["sizes"]) == first[axis])
        first[axis] = params["sizes"][params["at"]]
    elif kind == "concat":
        for other in shapes[1:]:
            check(len(other) == len(first))
            check(all(a == b for at, (a, b) in enumerate(zip(first, other)) if at != axis))
        first[axis] = sum(shape[axis] for shape in shapes)
    elif kind == "stack":
        check(all(list(other) == first for other in shapes) and len(first) < 5)
        first.insert(axis, len(shapes))
    elif kind in ("Add", "Sub", "Mul", "Div", "Min", "Max"):
        check(list(shapes[1]) == first)
    elif kind == "matmul":
        check(len(first) >= 2 and len(shapes[1]) == len(first) and list(shapes[1][:-2]) == first[:-2])
        check(first[-1] == shapes[1][-2])
        first[-1] = shapes[1][-1]
    elif kind == "weights":
        first[-1] = params["width"]
    elif kind == "mean":
        first[axis] = 1
    elif kind == "transpose":
        check(len(params["order"]) == len(first))
        first = [first[at] for at in params["order"]]
    elif kind == "flatten":
        check(len(first) >= 3)
        first[-2:] = [first[-2] * first[-1]]
    elif kind == "scale":
        pass
    return first


class Network:
    """Inputs, operations and outputs. Values are numbered: first the inputs, and then the results of operations."""

    def __init__(self, inputs, ops, outputs):
        self.inputs, self.ops, self.outputs = inputs, ops, outputs

    def copy(self):
        ops = [{"kind": op["kind"], "args": list(op["args"]), "params": dict(op["params"])} for op in self.ops]
        return Network(self.inputs, ops, list(self.outputs))

    def shapes(self):
        shapes = [list(shape) for shape in self.inputs]
        for at, op in enumerate(self.ops):
            check(all(arg < len(self.inputs) + at for arg in op["args"]))
            shapes.append(shape_of(op, [shapes[arg] for arg in op["args"]]))
        return shapes

    def live(self):
        """Returns the numbers of the values on which an output depends."""
        live, pending = set(), list(self.outputs)
        while pending:
            value = pending.pop()
            if value not in live:
                live.add(value)
                if value >= len(self.inputs):
                    pending += self.ops[value - len(self.inputs)]["args"]
        return live


    def kinds(self):
        """Returns the sorted kinds of the operations on which an output depends."""
        values = (value - len(self.inputs) for value in self.live())
        return sorted(self.ops[at]["kind"] for at in values if at >= 0)


SELECTING = ("slice", "list", "index", "part")


def random_network(rng):
    shape = [rng.randint(2, 8) for _ in range(rng.choice([2, 3, 3, 4]))]
    inputs = [shape] + [list(shape) for _ in range(rng.choice([0, 0, 1]))]
    network = Network(inputs, [], [])
    for _ in range(rng.randint(5, 14)):
        shapes = network.shapes()
        op = random_op(rng, network, shapes)
        if op is None:
            continue
        network.ops += op
        try:
            check(all(np.prod(shape) <= 5000 for shape in network.shapes()))
        except Invalid:
            del network.ops[-len(op) :]
    shapes = network.shapes()
    # The outputs are the results that are not used, and sometimes another one.
    used = {arg for op in network.ops for arg in op["args"]}
    network.outputs = [value for value in range(len(inputs), len(shapes)) if value not in used]
    if rng.random() < 0.2 and len(shapes) > len(inputs) + 1:
        network.outputs.append(rng.choice(range(len(inputs), len(shapes))))
    if rng.random() < 0.3:
        network.outputs = network.outputs[-1:]
    network.outputs = list(dict.fromkeys(network.outputs))
    return network


def op(kind, args, **params):
    return {"kind": kind, "args": args, "params": params}


def random_op(rng, network, shapes):
    """Returns one operation, or several that together divide an axis or select and join."""
    value = rng.choice(range(max(0, len(shapes) - 6), len(shapes)))
    shape, count = shapes[value], len(shapes)
    axis = rng.randrange(len(shape))
    length = shape[axis]
    same = [other for other, other_shape in enumerate(shapes) if other_shape == shape]
    kind = rng.choice(
        ["slice"] * 4 + ["list", "index", "parts", "parts", "join", "join", "join", "stack"]
        + ["unary"] * 2 + ["binary"] * 4 + ["matmul", "weights", "softmax", "mean", "transpose", "flatten", "reverse"]
    )
    if kind == "slice" and length > 1:
        step = rng.choice([1, 1, 1, 2, 2, -1, -2, 3])
        size = rng.randint(1, (length - 1) // abs(step) + 1)
        room = length - 1 - abs(step) * (size - 1)
        start = rng.randint(0, room)
        return [op("slice", [value], axis=axis, start=start if step > 0 else length - 1 - start, step=step, length=size)]
    if kind == "list":
        return [op("list", [value], axis=axis, list=[rng.randrange(length) for _ in range(rng.randint(1, 4))])]
    if kind == "index" and len(shape) > 2:
        return [op("index", [value], axis=axis, at=rng.randrange(length))]
    if kind == "parts" and length > 1:
        if length % 2 == 0 and rng.random() < 0.75:
            sizes = [length // 2] * 2
        else:
            cut = rng.randint(1, length - 1)
            sizes = [cut, length - cut]
        parts = [op("part", [value], axis=axis, sizes=sizes, at=at) for at in range(2)]
        if rng.random() < 0.5:
            end = op("concat", [count + 1, count], axis=axis)
        elif sizes[0] == sizes[1]:
            # A gated unit: one part controls another.
            parts.append(op(rng.choice(["Sigmoid", "Tanh", "Relu"]), [count + 1]))
            end = op(rng.choice(["Mul", "Sub", "Add"]), [count, count + 2])
        else:
            end = op("concat", [count, count + 1, count], axis=axis)
        return parts + [end]
    if kind == "join":
        fitting = [
            other for other, other_shape in enumerate(shapes)
            if len(other_shape) == len(shape) and all(a == b for at, (a, b) in enumerate(zip(shape, other_shape)) if at != axis)
        ]
        return [op("concat", [rng.choice(fitting) for _ in range(rng.randint(2, 4))], axis=axis)]
    if kind == "stack" and len(shape) < 4:
        return [op("stack", [rng.choice(same) for _ in range(rng.randint(2, 3))], axis=rng.randint(0, len(shape)))]
    if kind == "unary":
        return [op(rng.choice(UNARY), [value])]
    if kind == "binary":
        return [op(rng.choice(["Add", "Sub", "Mul", "Sub", "Div", "Min", "Max"]), [value, rng.choice(same)])]
    if kind == "matmul" and len(shape) >= 2:
        return [op("matmul", [value, rng.choice(same)])] if shape[-1] == shape[-2] else None
    if kind == "weights":
        return [op("weights", [value], width=rng.randint(2, 6), seed=rng.randrange(1000))]
    if kind == "softmax":
        return [op("softmax", [value])]
    if kind == "mean":
        return [op("mean", [value], axis=axis)]
    if kind == "transpose":
        order = list(range(len(shape)))
        rng.shuffle(order)
        return [op("transpose", [value], order=order)]
    if kind == "flatten" and len(shape) >= 3:
        return [op("flatten", [value])]
    if kind == "reverse" and length > 1:
        return [op("slice", [value], axis=axis, start=length - 1, step=-1, length=length)]
    return None


# Differences in one place.


def change_bound(rng, network, op):
    check(op["kind"] in ("slice", "index"))
    key = "at" if op["kind"] == "index" else rng.choice(["start", "length", "step"])
    op["params"][key] += rng.choice([-1, 1])
    check(op["params"].get("step") != 0)


def change_sizes(rng, network, op):
    check(op["kind"] == "part")
    first, second = op["params"]["sizes"]
    by = rng.choice([-1, 1])
    check(first + by > 0 and second - by > 0)
    op["params"]["sizes"] = [first + by, second - by]


def change_list(rng, network, op):
    check(op["kind"] == "list")
    numbers = list(op["params"]["list"])
    if len(numbers) > 1 and rng.random() < 0.5:
        first, second = rng.sample(range(len(numbers)), 2)
        numbers[first], numbers[second] = numbers[second], numbers[first]
    else:
        numbers[rng.randrange(len(numbers))] += rng.choice([-1, 1])
    op["params"]["list"] = numbers


def change_axis(rng, network, op):
    check("axis" in op["params"])
    op["params"]["axis"] += rng.choice([-1, 1])
    check(op["params"]["axis"] >= 0)


def change_order(rng, network, op):
    check(op["kind"] in ("concat", "stack"))
    first, second = rng.sample(range(len(op["args"])), 2)
    op["args"][first], op["args"][second] = op["args"][second], op["args"][first]


def exchange_operands(rng, network, op):
    check(op["kind"] in ("Add", "Sub", "Mul", "Div", "Min", "Max", "matmul"))
    op["args"].reverse()


def change_part(rng, network, op):
    check(op["kind"] == "part")
    op["params"]["at"] = 1 - op["params"]["at"]


def exchange_parts(rng, network, op):
    check(op["kind"] == "part")
    for other in network.ops:
        if other["kind"] == "part" and other["args"] == op["args"] and other["params"]["axis"] == op["params"]["axis"]:
            other["params"]["at"] = 1 - other["params"]["at"]


def change_operand(rng, network, op):
    at = rng.randrange(len(op["args"]))
    shapes = network.shapes()
    same = [value for value, shape in enumerate(shapes) if shape == shapes[op["args"][at]] and value != op["args"][at]]
    check(same)
    op["args"][at] = rng.choice(same)


def exchange_uses(rng, network, op):
    """Exchanges the operands of two operations."""
    other = rng.choice(network.ops)
    op["args"][0], other["args"][0] = other["args"][0], op["args"][0]


def exchange_outputs(rng, network, op):
    check(len(network.outputs) > 1 and rng.random() < 0.2)
    first, second = rng.sample(range(len(network.outputs)), 2)
    network.outputs[first], network.outputs[second] = network.outputs[second], network.outputs[first]


CHANGES = [
    change_bound, change_bound, change_sizes, change_list, change_axis, change_order, change_order, exchange_operands,
    exchange_operands, change_part, exchange_parts, change_operand, exchange_uses, exchange_outputs,
]


def changed(rng, network):
    """Returns the network with a difference in one place, and the kind of the difference."""
    for _ in range(1000):
        change = rng.choice(CHANGES)
        other = network.copy()
        op = rng.choice(other.ops)
        try:
            change(rng, other, op)
            shapes = other.shapes()
        except Invalid:
            continue
        before = network.shapes()
        same_ranks = all(len(shapes[a]) == len(before[b]) for a, b in zip(other.outputs, network.outputs))
        at = len(network.inputs) + other.ops.index(op)
        if same_ranks and at in network.live() and other.ops != network.ops or other.outputs != network.outputs:
            return other, f"{change.__name__} {op['kind']}"
    raise Invalid


class Writer:
    """Writes a network as an ONNX model. If `is_plain` is true, each operation is written in the usual way."""

    def __init__(self, rng, network, is_plain):
        self.rng, self.network, self.is_plain = rng, network, is_plain
        self.opset = 18 if is_plain else rng.choice([13, 17, 18, 20])
        self.nodes, self.constants, self.count = [], [], 0
        # The parts of each value that is divided.
        self.splits = {}

    def chance(self, probability):
        return not self.is_plain and self.rng.random() < probability

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def add(self, kind, inputs, outputs=1, **attributes):
        names = [self.name() for _ in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def constant(self, numbers):
        array = np.array(numbers, dtype=np.int64)
        if self.chance(0.2):
            return self.add("Constant", [], value=numpy_helper.from_array(array))
        if self.chance(0.2) and -1000 < array.min() and array.max() < 1000:
            # The numbers are computed.
            other = self.constant([self.rng.randint(-9, 9)] * array.size if array.ndim else self.rng.randint(-9, 9))
            value = next((one for one in self.constants if one.name == other), None)
            if value is not None:
                rest = self.constant((array - numpy_helper.to_array(value)).tolist())
                return self.add("Add", [other, rest])
        name = self.name()
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def axis(self, axis, rank):
        return axis - rank if self.chance(0.4) else axis

    def write(self):
        network, names = self.network, [f"x{at}" for at in range(len(self.network.inputs))]
        shapes = network.shapes()
        for at, op in enumerate(network.ops):
            value = len(network.inputs) + at
            names.append(None)
            if value in network.live():
                args = [names[arg] for arg in op["args"]]
                name = self.op(op, args, [shapes[arg] for arg in op["args"]], shapes[value])
                names[value] = self.add("Identity", [name]) if self.chance(0.1) else name
        outputs = []
        for at, value in enumerate(network.outputs):
            self.nodes.append(helper.make_node("Identity", [names[value]], [f"y{at}"]))
            outputs.append(helper.make_tensor_value_info(f"y{at}", TensorProto.DOUBLE, shapes[value]))
        inputs = [
            helper.make_tensor_value_info(f"x{at}", TensorProto.DOUBLE, shape) for at, shape in enumerate(network.inputs)
        ]
        graph = helper.make_graph(self.sorted_nodes(), "network", inputs, outputs, self.constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=8)
        if self.rng.random() < 0.5:
            model = onnx.shape_inference.infer_shapes(model)
        onnx.checker.check_model(model)
        return model.SerializeToString(deterministic=True)

    def sorted_nodes(self):
        """Returns the nodes in a random order in which each node follows the nodes that it needs."""
        if self.is_plain:
            return self.nodes
        produced = {output for node in self.nodes for output in node.output}
        nodes, done, ordered = list(self.nodes), set(), []
        while nodes:
            ready = [node for node in nodes if all(one in done or one not in produced for one in node.input)]
            node = self.rng.choice(ready)
            nodes.remove(node)
            ordered.append(node)
            done.update(node.output)
        return ordered

    def slice(self, x, axis, shape, start, step, length):
        """Writes one of the equivalent slices of an axis."""
        size = shape[axis]
        end = start + step * length
        last = start + step * (length - 1)
        if self.chance(0.2) and step == 1 and length < size:
            sizes = [one for one in (start, length, size - start - length)]
            at = 1 if sizes[0] else 0
            sizes = [one for one in sizes if one]
            return self.split(x, axis, shape, sizes)[at]
        if self.chance(0.2):
            return self.gather(x, axis, shape, [start + step * at for at in range(length)])
        if self.chance(0.2) and length > 1 and step == 1 and start > 0:
            # Two slices, one after the other.
            rest = self.slice(x, axis, shape, start, 1, size - start)
            return self.slice(rest, axis, [*shape[:axis], size - start, *shape[axis + 1 :]], 0, 1, length)
        if end < 0:
            end = -INT64_MAX - 1 if not self.chance(0.5) else -size - 1
        elif step > 0 and last + step >= size and self.chance(0.5):
            end = INT64_MAX
        elif self.chance(0.4) and 0 <= end < size:
            end -= size
        if self.chance(0.4):
            start -= size
        numbers = [[start], [end], [self.axis(axis, len(shape))], [step]]
        if step == 1 and self.chance(0.5):
            numbers.pop()
        return self.add("Slice", [x, *(self.constant(one) for one in numbers)])

    def split(self, x, axis, shape, sizes):
        if self.opset >= 18 and len(set(sizes)) == 1 and self.chance(0.5):
            return self.add("Split", [x], len(sizes), axis=self.axis(axis, len(shape)), num_outputs=len(sizes))
        if len(sizes) == 1:
            return [x]
        return self.add("Split", [x, self.constant(sizes)], len(sizes), axis=self.axis(axis, len(shape)))

    def gather(self, x, axis, shape, numbers):
        if self.chance(0.3):
            numbers = [number - shape[axis] for number in numbers]
        return self.add("Gather", [x, self.constant(numbers)], axis=self.axis(axis, len(shape)))

    def concat(self, args, axis, rank):
        if self.chance(0.2) and len(args) > 2:
            first = self.concat(args[:2], axis, rank)
            return self.concat([first, *args[2:]], axis, rank)
        return self.add("Concat", args, axis=self.axis(axis, rank))

    def op(self, op, args, shapes, shape):
        kind, params, rank = op["kind"], op["params"], len(shapes[0])
        axis = params.get("axis")
        if kind == "slice":
            return self.slice(args[0], axis, shapes[0], params["start"], params["step"], params["length"])
        if kind == "list":
            return self.gather(args[0], axis, shapes[0], params["list"])
        if kind == "index":
            if self.chance(0.5):
                kept = self.slice(args[0], axis, shapes[0], params["at"], 1, 1)
                return self.add("Squeeze", [kept, self.constant([self.axis(axis, rank)])])
            at = params["at"] - shapes[0][axis] if self.chance(0.4) else params["at"]
            return self.add("Gather", [args[0], self.constant(at)], axis=self.axis(axis, rank))
        if kind == "part":
            at, sizes = params["at"], params["sizes"]
            if self.chance(0.3):
                return self.slice(args[0], axis, shapes[0], sum(sizes[:at]), 1, sizes[at])
            key = (args[0], axis, *sizes)
            if key not in self.splits:
                self.splits[key] = self.split(args[0], axis, shapes[0], sizes)
            return self.splits[key][at]
        if kind == "concat":
            return self.concat(args, axis, rank)
        if kind == "stack":
            expanded = [self.add("Unsqueeze", [arg, self.constant([axis])]) for arg in args]
            return self.concat(expanded, axis, rank + 1)
        if kind in ("Add", "Mul", "Min", "Max"):
            return self.add(kind, args[::-1] if self.chance(0.5) else args)
        if kind == "Sub" and self.chance(0.3):
            return self.add("Add", [self.add("Neg", args[1:]), args[0]])
        if kind == "Sub" and self.chance(0.2):
            return self.add("Neg", [self.add("Sub", args[::-1])])
        if kind in UNARY or kind in ("Sub", "Div"):
            return self.add(kind, args)
        if kind == "matmul":
            return self.add("MatMul", args)
        if kind == "weights":
            rng = np.random.default_rng(params["seed"])
            weights = rng.integers(1, 9, (shapes[0][-1], params["width"])).astype(np.float64)
            name = self.name()
            self.constants.append(numpy_helper.from_array(weights, name))
            return self.add("MatMul", [args[0], name])
        if kind == "softmax":
            return self.add("Softmax", args, axis=-1)
        if kind == "mean":
            if self.opset < 18:
                return self.add("ReduceMean", args, axes=[axis], keepdims=1)
            return self.add("ReduceMean", [args[0], self.constant([axis])], keepdims=1)
        if kind == "transpose":
            return self.add("Transpose", args, perm=params["order"])
        if kind == "flatten":
            return self.add("Reshape", [args[0], self.constant(shape)])
        raise ValueError(kind)


def outputs(model, inputs):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model, options)
    return session.run(None, inputs)


def are_equal(one, other, network):
    """Returns `None` if an element is not finite, because rounding errors may then decide the result."""
    for seed in range(2):
        rng = np.random.default_rng(seed)
        inputs = {
            f"x{at}": rng.uniform(-2, 2, shape) for at, shape in enumerate(network.inputs)
        }
        for first, second in zip(outputs(one, inputs), outputs(other, inputs), strict=True):
            if not np.all(np.isfinite(first)) or not np.all(np.isfinite(second)):
                return None
            if first.shape != second.shape or not np.allclose(first, second, rtol=1e-6, atol=1e-9):
                return False
    return True


def main():
    rng = random.Random(0)
    pairs, counts = [], {}
    while len(pairs) < PAIRS:
        network = random_network(rng)
        if not set(network.kinds()) & set(SELECTING):
            continue
        is_rewritten = len(pairs) % 5 < 2
        try:
            other, kind = (network, "rewritten") if is_rewritten else changed(rng, network)
        except Invalid:
            continue
        # The change stands alone in half of the pairs, and both models are written at random in the others.
        is_plain = len(pairs) % 2 == 0
        one = Writer(rng, network, is_plain).write()
        two = Writer(rng, other, is_plain and not is_rewritten).write()
        try:
            verdict = are_equal(one, two, network)
        except onnxruntime.capi.onnxruntime_pybind11_state.Fail:
            continue
        if verdict is None:
            continue
        assert verdict or not is_rewritten, "a rewritten model is not equal"
        pairs.append((verdict, kind, one, two))
        key = (kind, verdict)
        counts[key] = counts.get(key, 0) + 1
    with gzip.GzipFile(HERE / "pairs.bin.gz", "wb", compresslevel=9, mtime=0) as file:
        for verdict, kind, one, two in pairs:
            file.write(struct.pack("<B", verdict))
            for part in (kind.encode(), one, two):
                file.write(struct.pack("<I", len(part)) + part)
    for (kind, verdict), count in sorted(counts.items()):
        print(f"{count:5} {'equal' if verdict else 'different'} {kind}")
    print(f"ONNX {onnx.__version__}, ONNX Runtime {onnxruntime.__version__}, NumPy {np.__version__}")


main()
