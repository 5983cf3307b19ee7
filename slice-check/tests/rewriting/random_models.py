"""Makes random ONNX models, and runs each model before and after `slice check --fix` in ONNX Runtime, on the same random
inputs.

    python3.11 -m venv onnx
    onnx/bin/pip install -r ../../../tests/oracle/requirements-onnx.txt
    cargo build --release -p slice-check --example rewrite
    onnx/bin/python random_models.py ../../../target/release/examples/rewrite --rewritten 50000

The last long run, with the seeds 600,000,000 to 600,124,999 and 700,000,000 to 700,125,999, onnx 1.23.2 and ONNX Runtime
1.31.1, made 251,000 models. ONNX Runtime accepted 116,815 of them, and 52,221 were rewritten. No output differed, and ONNX
Runtime ran every rewritten model.

Fails if an output differs, even in a single bit, or if ONNX Runtime refuses a rewritten model, and writes these models to
the folder `failures`. With `--record`, also writes a sample of the models to `recorded.jsonl.gz`: the test
`recorded_models_are_rewritten_in_the_same_way` rewrites them again.
"""

import argparse
import collections
import gzip
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
BOUNDS = [0, 0, 1, 2, 3, -1, -1, -2, 4, 5, -4, 9, 2**31 - 1, 2**63 - 1, -(2**31), -(2**63), 1_000_000_000]


class Models:
    """Makes one random model. The ranks of the values are tracked, but not their lengths, so some models are invalid."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.opset = self.random.choice([*range(7, 22), *range(7, 22), *range(10, 22), *range(1, 7)])
        self.count = 0
        self.nodes, self.initializers, self.overridable = [], [], []
        self.inputs, self.lengths = [], {}
        self.values = []  # The names of the floating-point values of the current graph, with their ranks.
        self.shared = {}

    def pick(self, *choices):
        return self.random.choice(choices)

    def happens(self, probability):
        return self.random.random() < probability

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def node(self, operator, inputs, outputs=None, **attributes):
        outputs = [self.name()] if outputs is None else outputs
        name = self.pick("", f"{operator}_{self.count}")
        self.nodes.append(helper.make_node(operator, inputs, outputs, name=name, **attributes))
        return outputs[0]

    def constant(self, values, dtype=np.int64, is_fixed=False):
        """Returns the name of a constant: a shared or new initializer, an initializer that is also an input, or a node."""
        values = np.array(values).astype(dtype)
        key = (str(values.dtype), values.shape, values.tobytes())
        if key in self.shared and self.happens(0.5):
            return self.shared[key]
        name = self.name()
        if self.happens(0.3):
            self.nodes.append(helper.make_node("Constant", [], [name], value=numpy_helper.from_array(values, name)))
            return name
        if self.happens(0.5):
            tensor = numpy_helper.from_array(values, name)
        else:
            kind = helper.np_dtype_to_tensor_dtype(values.dtype)
            tensor = helper.make_tensor(name, kind, values.shape, values.ravel().tolist())
        self.initializers.append(tensor)
        if self.happens(0.04) and not is_fixed:
            self.overridable.append(name)
        else:
            self.shared[key] = name
        return name

    def number(self, depth=0):
        """Returns the name of a scalar of 64-bit integers that is computed in some type."""
        dtype = self.pick(np.int64, np.int64, np.int32, np.int32, *INTEGERS)
        result = self.typed_number(dtype, depth)
        if dtype == np.int64:
            return result
        return self.node("Cast", [result], to=TensorProto.INT64)

    def typed_number(self, dtype, depth):
        limits = np.iinfo(dtype)
        if depth > 3 or self.happens(0.3):
            number = self.pick(0, 1, 2, 3, 4, -1, -2, 5, limits.max, limits.min, limits.max - 1)
            return self.constant(min(max(number, limits.min), limits.max), dtype)
        kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
        deeper = lambda: self.typed_number(dtype, depth + 1)
        choice = self.random.randrange(22)
        if choice < 4 and self.values:
            value, rank = self.random.choice(self.values)
            if rank == 0:
                return self.node("Cast", [self.node("Size", [value])], to=kind)
            shape = self.node("Shape", [value])
            length = self.node("Gather", [shape, self.constant(self.random.randrange(-rank, rank))], axis=0)
            return length if dtype == np.int64 else self.node("Cast", [length], to=kind)
        if choice < 7:
            return self.node(self.pick("Add", "Sub", "Mul"), [deeper(), deeper()])
        if choice == 7:
            operands = [deeper() for _ in range(self.random.randint(1, 4))]
            return self.node(self.pick("Min", "Max"), operands)
        if choice == 8:
            divisor = self.constant(self.pick(1, 2, 3, 7), dtype)
            return self.node(self.pick("Div", "Mod"), [deeper(), divisor])
        if choice == 9:
            return self.node(self.pick("Neg", "Abs", "Sign"), [deeper()])
        if choice == 10:
            other = self.pick(*INTEGERS)
            narrowed = self.node("Cast", [deeper()], to=helper.np_dtype_to_tensor_dtype(np.dtype(other)))
            return self.node("Cast", [narrowed], to=kind)
        if choice == 11:
            condition = self.node(self.pick("Equal", "Less", "Greater"), [deeper(), deeper()])
            return self.node("Where", [condition, deeper(), deeper()])
        if choice == 12:
            parts = [self.as_vector(deeper()) for _ in range(self.random.randint(1, 3))]
            vector = self.node("Concat", parts, axis=0)
            operator = self.pick("ReduceSum", "ReduceProd", "ReduceMax", "ReduceMin")
            return self.node(operator, [vector], keepdims=0)
        if choice == 13:
            half = self.node("Mul", [self.node("Cast", [deeper()], to=TensorProto.FLOAT), self.constant(0.5, np.float32)])
            return self.node("Cast", [self.node(self.pick("Floor", "Ceil"), [half])], to=kind)
        if choice == 14:
            return self.node("Clip", [deeper(), self.pick("", self.constant(0, dtype)), self.pick("", self.constant(3, dtype))])
        if choice == 15:
            length = self.as_vector(self.node("Cast", [self.constant(self.random.randint(1, 3))], to=TensorProto.INT64))
            filled = self.node("ConstantOfShape", [length], value=numpy_helper.from_array(np.array([self.random.randint(0, 4)], dtype), "v"))
            return self.node("Gather", [filled, self.constant(0)], axis=0)
        if choice == 20 and dtype == np.int64:
            return self.node("ReduceMax", [self.node("OneHot", [deeper(), self.constant(4), self.constant([0, 3])])], keepdims=0)
        if choice == 16:
            numbers = self.node("Range", [self.constant(0, np.int64), self.constant(4), self.constant(1)])
            return self.node("Cast", [self.node("Gather", [numbers, self.constant(self.random.randrange(-4, 4))], axis=0)], to=kind)
        if choice in (17, 18, 19):
            parts = [self.as_vector(deeper()) for _ in range(self.random.randint(1, 3))]
            vector = self.node("Concat", parts, axis=0)
            at = self.constant([self.random.randrange(-len(parts), len(parts))])
            if choice == 17:
                return self.node(self.pick("GatherND", "GatherND", "Gather"), [vector, at])
            if choice == 18:
                count = self.constant([self.random.randint(1, len(parts))])
                outputs = [self.name(), self.name()]
                self.node("TopK", [vector, count], outputs, largest=self.random.randint(0, 1))
                vector = self.pick(outputs[0], outputs[0], self.node("Cast", outputs[1:], to=kind))
            else:
                vector = self.node("ScatterElements", [vector, at, self.as_vector(deeper())])
                if self.happens(0.3):
                    vector = self.node("GatherElements", [vector, at])
            return self.node("Gather", [vector, self.constant(0)], axis=0)
        return self.node("Pow", [deeper(), self.constant(self.pick(0, 1, 2), dtype)])

    def as_vector(self, scalar):
        return self.node("Reshape", [scalar, self.constant([1])])

    def vector(self, numbers, types=(*[np.int64] * 4, np.int32)):
        """Returns the name of a vector with these numbers, some of which are replaced by computed ones."""
        if self.happens(0.75):
            dtype = np.int64 if any(abs(one) >= 2**31 for one in numbers) else self.pick(*types)
            return self.constant(numbers, dtype)
        parts = [self.as_vector(self.number() if self.happens(0.6) else self.constant(one)) for one in numbers]
        return self.node("Concat", parts, axis=0)

    def bounds(self, count):
        starts = [self.pick(*BOUNDS) for _ in range(count)]
        ends = [self.pick(*BOUNDS) for _ in range(count)]
        steps = [self.pick(1, 1, 1, 2, 3, -1, -2, 255, -255) for _ in range(count)]
        for at in range(count):
            if self.happens(0.3):
                starts[at], ends[at], steps[at] = 0, 2**63 - 1, 1
        return starts, ends, steps

    def slice(self, value, rank, only=None):
        axes = only or self.random.sample(range(rank), self.random.randint(1, rank))
        count = len(axes)
        axes = [axis - rank if self.opset >= 10 and self.happens(0.2) else axis for axis in axes]
        starts, ends, steps = self.bounds(count)
        if self.opset < 10:
            steps = [1] * count
            attributes = {"starts": starts, "ends": ends}
            if only or self.happens(0.8):
                attributes["axes"] = axes
            return self.node("Slice", [value], **attributes), rank
        bounds = [self.vector(starts), self.vector(ends)]
        # The bounds of one slice have one type.
        if self.type_of(bounds[0]) != self.type_of(bounds[1]):
            bounds = [self.constant(starts), self.constant(ends)]
        dtype = np.int32 if self.type_of(bounds[0]) == TensorProto.INT32 else np.int64
        if only or self.happens(0.85):
            bounds.append(self.constant(axes, dtype, is_fixed=only))
            if self.happens(0.7):
                bounds.append(self.constant(steps, dtype))
        elif self.happens(0.5):
            bounds += ["", self.constant(steps, dtype)]
        return self.node("Slice", [value, *bounds]), rank

    def type_of(self, name):
        for tensor in self.initializers:
            if tensor.name == name:
                return tensor.data_type
        for node in self.nodes:
            if name in node.output and node.op_type == "Constant":
                return node.attribute[0].t.data_type
        return TensorProto.INT64

    def unsqueezed(self, value, rank):
        axis = self.random.randrange(0, rank + 1)
        if self.opset < 13:
            return self.node("Unsqueeze", [value], axes=[axis]), rank + 1
        return self.node("Unsqueeze", [value, self.constant([axis])]), rank + 1

    def normalization(self, value, rank):
        scale = lambda: self.constant([1.5] * self.random.choice([1, 1, 2, 3]), np.float32)
        if rank >= 2 and self.happens(0.4) and self.opset >= 17:
            outputs = [self.name(), self.pick("", self.name()), self.pick("", self.name())]
            self.node("LayerNormalization", [value, self.constant(1.5, np.float32)], outputs, axis=self.random.randrange(-rank, rank))
        elif self.opset >= 14 and rank >= 2:
            outputs = [self.name(), self.name(), self.name()]
            self.node("BatchNormalization", [value, scale(), scale(), scale(), scale()], outputs, training_mode=1)
            self.values += [(outputs[1], 1), (outputs[2], 1)]
            return outputs[0], rank
        else:
            outputs = [self.name(), self.pick("", self.name())][: self.random.randint(1, 2)]
            self.node("Dropout", [value], outputs)
            return outputs[0], rank
        self.values += [(name, rank) for name in outputs[1:] if name]
        return outputs[0], rank

    def split(self, value, rank):
        axis = self.random.randrange(rank)
        outputs = [self.name(), self.name()]
        attributes = {"num_outputs": 2} if self.opset >= 18 else {}
        self.node("Split", [value], outputs, axis=axis, **attributes)
        self.values.append((outputs[1], rank))
        return outputs[0], rank

    def branch(self, depth):
        """Returns a graph that captures values, and a rank."""
        outer = self.nodes, self.values
        self.nodes, self.values = [], list(self.values)
        value, rank = self.random.choice(self.values)
        for _ in range(self.random.randint(1, 3)):
            value, rank = self.step(value, rank, depth + 1)
        result = self.node("Identity", [value])
        output = helper.make_tensor_value_info(result, TensorProto.FLOAT, self.declared(rank) if self.happens(0.2) else None)
        graph = helper.make_graph(self.nodes, self.name(), [], [output])
        self.nodes, self.values = outer
        return graph, rank

    def conditional(self, depth):
        then_branch, rank = self.branch(depth)
        else_branch, other_rank = self.branch(depth)
        condition = self.pick("condition", self.constant(self.happens(0.5), np.bool_))
        result = self.node("If", [condition], then_branch=then_branch, else_branch=else_branch)
        return result, rank if rank == other_rank else None

    def loop(self, value, rank, depth):
        outer = self.nodes, self.values
        iteration, keep, carried = self.name(), self.name(), self.name()
        self.nodes, self.values = [], [*self.values, (carried, rank)]
        result = self.node(self.pick("Neg", "Abs", "Identity"), [carried])
        part, part_rank = self.step(*self.random.choice(self.values), depth + 1)
        scanned = self.node("Identity", [part])
        unchanged = self.node("Identity", [keep])
        inputs = [helper.make_tensor_value_info(iteration, TensorProto.INT64, []),
                  helper.make_tensor_value_info(keep, TensorProto.BOOL, []),
                  helper.make_tensor_value_info(carried, TensorProto.FLOAT, None)]
        outputs = [helper.make_tensor_value_info(unchanged, TensorProto.BOOL, []),
                   helper.make_tensor_value_info(result, TensorProto.FLOAT, None),
                   helper.make_tensor_value_info(scanned, TensorProto.FLOAT, None)]
        body = helper.make_graph(self.nodes, self.name(), inputs, outputs)
        self.nodes, self.values = outer
        names = [self.name(), self.name()]
        # Without iterations, ONNX Runtime returns an array whose shape depends on the shapes that it can infer.
        count = self.constant(self.random.randint(1, 2), is_fixed=True)
        self.node("Loop", [count, "", value], names, body=body)
        self.values.append((names[1], part_rank + 1))
        return names[0], rank

    def step(self, value, rank, depth=0):
        """Returns a value computed from a value, and its rank."""
        choice = self.random.randrange(22)
        if rank == 0:
            return self.unsqueezed(value, rank)
        if choice < 9:
            return self.slice(value, rank)
        if choice == 9:
            return self.node(self.pick("Relu", "Neg", "Abs", "Identity", "Sigmoid"), [value]), rank
        if choice == 10:
            order = self.random.sample(range(rank), rank)
            return self.node("Transpose", [value], perm=order), rank
        if choice == 11:
            axis = self.random.randrange(rank)
            # The other axes are whole: ONNX Runtime leaves elements undefined if a part is empty on another axis.
            parts = [self.slice(value, rank, [axis])[0] if self.happens(0.5) else value for _ in range(self.random.randint(1, 3))]
            return self.node("Concat", parts, axis=axis), rank
        if choice == 12:
            return self.split(value, rank)
        if choice == 13:
            return self.normalization(value, rank)
        if choice == 14 and self.opset >= 8:
            lengths = [self.pick(1, 1, 1, 2, 3) for _ in range(self.random.randint(1, rank))]
            return self.node("Expand", [value, self.vector(lengths, [np.int64])]), rank
        if choice == 15 and self.opset >= 5:
            lengths = self.pick([0] * (rank - 1) + [-1], [-1], [0, -1], [1, -1, 1])
            return self.node("Reshape", [value, self.constant(lengths)]), len(lengths)
        if choice == 16:
            if self.opset >= 12:
                limits = [self.pick("", self.constant(-1.0, np.float32)), self.pick("", self.constant(1.0, np.float32))]
                return self.node("Clip", [value, *limits]), rank
            return self.node("Clip", [value], min=-1.0, max=1.0), rank
        if choice == 17 and depth < 2:
            result, result_rank = self.conditional(depth)
            if result_rank is not None:
                return result, result_rank
        if choice == 18 and depth < 2:
            return self.loop(value, rank, depth)
        if choice == 19:
            return self.node("Add", [value, self.random.choice(self.values)[0]]), rank
        if choice == 20 and rank < 4:
            return self.unsqueezed(value, rank)
        if choice == 21:
            axis = self.random.randrange(rank)
            # A maximum of no elements is not defined.
            if self.opset >= 13:
                return self.node("ReduceSum", [value, self.constant([axis])]), rank
            return self.node("ReduceSum", [value], axes=[axis]), rank
        return self.slice(value, rank)

    def declared(self, rank):
        return [self.pick(None, None, "n", "m", 1, 2, 3) for _ in range(rank)]

    def model(self):
        for at in range(self.random.randint(1, 2)):
            rank = self.random.randint(1, 4)
            lengths = [self.pick(None, "n", "batch", *range(1, 7), *range(1, 7)) for _ in range(rank)]
            self.inputs.append(helper.make_tensor_value_info(f"x{at}", TensorProto.FLOAT, lengths))
            self.lengths[f"x{at}"] = lengths
            self.values.append((f"x{at}", rank))
        self.inputs.append(helper.make_tensor_value_info("condition", TensorProto.BOOL, []))
        for _ in range(self.random.randint(2, 8)):
            # Chains of slices are more likely than other structures.
            value = self.values[-1] if self.happens(0.6) else self.random.choice(self.values)
            self.values.append(self.step(*value))
        computed = [pair for pair in self.values if not pair[0].startswith("x")]
        outputs = {pair[0]: pair for pair in [computed[-1], *self.random.sample(computed, min(len(computed), 2))]}
        infos = []
        for name, rank in outputs.values():
            infos.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, self.declared(rank) if self.happens(0.07) else None))
        infos = [info if info.name in {o for node in self.nodes for o in node.output} else None for info in infos]
        infos = [info for info in infos if info is not None]
        if self.happens(0.15):
            self.random.shuffle(self.nodes)
        version = self.pick(3, 4, 7, 8, 10)
        for tensor in self.initializers:
            # Before version 4, each initializer is also an input.
            if tensor.name in self.overridable or version < 4:
                self.inputs.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims)))
        graph = helper.make_graph(self.nodes, "g", self.inputs, infos, self.initializers)
        if self.happens(0.1):
            for name, rank in self.random.sample(computed, min(2, len(computed))):
                graph.value_info.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, self.declared(rank)))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=version)
        if self.happens(0.2):
            try:
                model = onnx.shape_inference.infer_shapes(model)
            except Exception:
                pass
        return model

    def feeds(self, model):
        """Returns random inputs: two sets, for different unknown lengths."""
        sets = []
        for _ in range(2):
            sizes = collections.defaultdict(lambda: self.random.randint(1, 6))
            values = {"condition": np.array(self.happens(0.5))}
            for name, lengths in self.lengths.items():
                shape = [length if isinstance(length, int) else sizes[length] if length else self.random.randint(1, 6) for length in lengths]
                values[name] = np.random.default_rng(self.random.randrange(2**32)).standard_normal(shape).astype(np.float32)
            for tensor in model.graph.initializer:
                if tensor.name in self.overridable and model.ir_version >= 4 and self.happens(0.7):
                    array = numpy_helper.to_array(tensor)
                    small = np.array([self.pick(0, 1, 2, 3) for _ in range(array.size)]).reshape(array.shape)
                    values[tensor.name] = small.astype(array.dtype)
            sets.append(values)
        return sets


def session(bytes):
    options = onnxruntime.SessionOptions()
    # With optimizations, ONNX Runtime could change the slices before it runs them.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(bytes, options)


def outputs(session, feeds):
    known = {value.name for value in [*session.get_inputs(), *session.get_overridable_initializers()]}
    return session.run(None, {name: value for name, value in feeds.items() if name in known})


def valid_model(seed):
    """Returns the bytes of a random model, and its inputs and outputs, or `None` if ONNX Runtime refuses the model."""
    models = Models(seed)
    try:
        model = models.model()
        bytes = model.SerializeToString()
        runs = session(bytes)
    except Exception:
        return None
    results = []
    for feeds in models.feeds(model):
        try:
            results.append((feeds, outputs(runs, feeds)))
        except Exception:
            continue
    return (bytes, results) if results else None


def difference(fixed, results):
    """Returns why the rewritten model differs, or `None`."""
    try:
        runs = session(fixed)
    except Exception as error:
        return f"refused: {error}"
    for feeds, before in results:
        try:
            after = outputs(runs, feeds)
        except Exception as error:
            return f"refused at run time: {error}"
        for one, other in zip(before, after, strict=True):
            if one.shape != other.shape or one.tobytes() != other.tobytes():
                return f"different: {one.shape} before, {other.shape} after"
    return None


def recurring_difference(bytes, fixed, results):
    """Returns why the rewritten model differs, or `None`. The rounding of sums depends on the address of the elements, so
    two runs of one model may differ, and a difference counts only if both models always differ."""
    problem = difference(fixed, results)
    for _ in range(20):
        if problem is None or not problem.startswith("different"):
            break
        runs = session(bytes)
        results = [(feeds, outputs(runs, feeds)) for feeds, _ in results]
        problem = difference(fixed, results)
    return problem


def batch(first_seed, size, rewrite, failures):
    counts, sample = collections.Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        folder, models = pathlib.Path(folder), {}
        for seed in range(first_seed, first_seed + size):
            made = valid_model(seed)
            counts["made"] += 1
            if made is not None:
                models[str(seed)] = made
                (folder / f"{seed}.onnx").write_bytes(made[0])
        counts["valid"] += len(models)
        result = subprocess.run([rewrite, folder], capture_output=True, text=True, check=True)
        for line in result.stdout.splitlines():
            name, verdict = line.split(" ", 1)
            bytes, results = models[name]
            if verdict.startswith("refused"):
                counts[verdict if "different elements" in verdict else "not rewritten: " + verdict.split(":")[1].strip()[:20]] += 1
                sample.append((name, bytes, None, verdict))
                continue
            if verdict == "0":
                counts["without changes"] += 1
                continue
            fixed = (folder / f"{name}.fixed").read_bytes()
            problem = recurring_difference(bytes, fixed, results)
            counts["rewritten"] += 1
            sample.append((name, bytes, fixed, verdict))
            if problem:
                counts[problem.split(":")[0]] += 1
                failures.mkdir(exist_ok=True)
                (failures / f"{name}.onnx").write_bytes(bytes)
                (failures / f"{name}.fixed").write_bytes(fixed)
                (failures / f"{name}.txt").write_text(problem)
    return counts, sample


def record(sample):
    lines = [{"onnx": onnx.__version__, "onnxruntime": onnxruntime.__version__}]
    for _, bytes, fixed, verdict in sample:
        lines.append({"model": bytes.hex(), "fixed": None if fixed is None else fixed.hex(), "verdict": verdict})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (HERE / "recorded.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rewrite")
    parser.add_argument("--rewritten", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--failures", type=pathlib.Path, default=HERE / "failures")
    arguments = parser.parse_args()
    # Some models compute very large arrays, for which ONNX Runtime would use all memory.
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    total, seed = collections.Counter(), arguments.seed
    while total["rewritten"] < arguments.rewritten:
        counts, sample = batch(seed, 1000, arguments.rewrite, arguments.failures)
        if arguments.record and seed == arguments.seed:
            record(sample[:150])
        total += counts
        seed += 1000
        print(dict(total), flush=True)
    print(f"ONNX {onnx.__version__}, ONNX Runtime {onnxruntime.__version__}")
    failed = total["different"] + total["refused"] + total["refused at run time"]
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
