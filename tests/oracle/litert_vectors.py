"""Records the results of LiteRT's interpreter for STRIDED_SLICE, SLICE and REVERSE_V2.

Writes litert.jsonl.gz (STRIDED_SLICE), litert_slice.jsonl.gz (SLICE) and litert_reverse.jsonl.gz (REVERSE_V2). Tensors
are int32. All operands are constants. Run-time operands need no cases of their own, because LiteRT handles them with
the same code. XNNPACK does not run int32 operators, so it is not used here; emitted_ops.py also runs operations with
XNNPACK.

LiteRT performs few checks. If STRIDED_SLICE leaves elements of its output unwritten, writes beyond the output or reads
beyond an operand, the result is undefined. `litert_kernel.py` predicts this without running LiteRT, and excludes the
case by one of its rules. The script also runs the excluded cases, and prints how many of them crash the process; this
number varies between runs. The script fails if the result of any other case differs from the one that
`litert_kernel.py` predicts.
"""

import collections
import random
import re
from math import prod

from common import (
    I32_MAX,
    I32_MIN,
    MASKS,
    distinct,
    encode,
    error,
    nonempty_range,
    output,
    random_items,
    random_shape,
    run_in_child,
    with_results,
    write,
)
from litert_kernel import RULES, strided_slice, wrapped32

SEED = 20261101

KINDS = [
    (re.compile(r"NumElements\(op_context.begin\) != NumElements\(op_context.end\)"), "length_mismatch"),
    (re.compile("only supports up to 31 indices"), "too_many_items"),
    (re.compile("stride value has to be non-zero"), "zero_stride"),
    (re.compile("stride value INT32_MIN is not supported"), "lowest_stride"),
    (re.compile("integer overflow computing output dim|number of elements overflowed"), "too_large"),
    (re.compile("Invalid begin and size"), "begin_and_size"),
    (re.compile("Invalid begin"), "begin_range"),
    (re.compile("Invalid size"), "size_range"),
    (re.compile(r"NumElements\(begin\)|NumElements\(size\)|NumDimensions\(begin\)"), "length_mismatch"),
    (re.compile("Non-contiguous"), "not_adjacent"),
    (re.compile(r"axes\[i\] >= 0 && axes\[i\] < rank|NumElements\(axis\)|axis.*(<=|>=|<|!=)"), "axis_range"),
]

I32_EXTREMES = [I32_MIN, I32_MIN + 1, -(2**30), 2**30, I32_MAX - 1, I32_MAX]


# ---- models ----------------------------------------------------------------------------------------------------------


def model(shape, vectors, code, options_type, options, kind="INT32", operand="INT32", result=None):
    """Returns a .tflite model with one operator, which has the constant operands `vectors` and the attributes
    `options`."""
    import flatbuffers
    import numpy as np
    from ai_edge_litert import schema_py_generated as schema

    model = schema.ModelT()
    model.version = 3
    model.buffers = [schema.BufferT()]
    opcode = schema.OperatorCodeT()
    opcode.builtinCode = getattr(schema.BuiltinOperator, code)
    opcode.deprecatedBuiltinCode = min(opcode.builtinCode, 127)
    opcode.version = 1
    model.operatorCodes = [opcode]
    graph = schema.SubGraphT()
    graph.tensors = []

    def tensor(name, shape, kind, values=None):
        added = schema.TensorT()
        added.name, added.shape, added.type = name, list(shape), getattr(schema.TensorType, kind)
        if not len(shape):
            added.hasRank = True
        added.buffer = 0
        if values is not None:
            buffer = schema.BufferT()
            buffer.data = list(np.array(values, np.int64 if kind == "INT64" else np.int32).tobytes())
            model.buffers.append(buffer)
            added.buffer = len(model.buffers) - 1
        graph.tensors.append(added)
        return len(graph.tensors) - 1

    inputs = [tensor("x", shape, kind)]
    operands = [tensor(name, np.shape(values), operand, values) for name, values in vectors.items()]
    outputs = [tensor("y", result if result is not None else [], kind)]
    node = schema.OperatorT()
    node.opcodeIndex = 0
    node.inputs, node.outputs = inputs + operands, outputs
    node.builtinOptionsType = getattr(schema.BuiltinOptions, options_type)
    node.builtinOptions = getattr(schema, options_type + "T")()
    for name, value in options.items():
        setattr(node.builtinOptions, name, value)
    graph.inputs, graph.outputs, graph.operators = inputs, outputs, [node]
    model.subgraphs = [graph]
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


CAMEL = {"begin_mask": "beginMask", "end_mask": "endMask", "ellipsis_mask": "ellipsisMask",
         "new_axis_mask": "newAxisMask", "shrink_axis_mask": "shrinkAxisMask"}


def model_of(case, **how):
    shape = case["shape"]
    if "strides" in case:
        vectors = {name: case[name] for name in ("begin", "end", "strides")}
        options = {CAMEL[mask]: case[mask] for mask in MASKS} | {"offset": case["offset"]}
        return model(shape, vectors, "STRIDED_SLICE", "StridedSliceOptions", options, **how)
    if "size" in case:
        return model(shape, {"begin": case["begin"], "size": case["size"]}, "SLICE", "SliceOptions", {}, **how)
    return model(shape, {"axis": case["axis"]}, "REVERSE_V2", "ReverseV2Options", {}, **how)


def run_model(content, x):
    """Returns the output of a model for the input `x`."""
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_content=content, num_threads=1)
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


def message(failure):
    text = (str(failure).splitlines() or ["no message"])[0]
    return re.sub(r"^\S*/", "", text)


def result_of(case):
    """Returns the interpreter's result for the case. Must be called in a child process, because LiteRT may crash."""
    import numpy as np

    x = np.arange(prod(case["shape"]), dtype=np.int32).reshape(case["shape"])
    try:
        return output(run_model(model_of(case), x))
    except (RuntimeError, ValueError) as failure:
        return error(message(failure), KINDS)


def run_excluded(case):
    """Runs the case, and returns {"crashed": False} if the process survives. If the process crashes, `run_in_child`
    yields an error instead."""
    try:
        result_of(case)
    except (ValueError, IndexError, MemoryError):
        pass  # the output is too large for memory, or no pattern in KINDS matches the message
    return {"crashed": False}


# ---- specs -----------------------------------------------------------------------------------------------------------


def convert_to_32_bits(spec):
    """Clamps the numbers of a spec to 32 bits, and wraps its masks to 32 bits."""
    for name in ("begin", "end", "strides"):
        spec[name] = [min(max(value, I32_MIN), I32_MAX) for value in spec[name]]
    for mask in MASKS:
        spec[mask] = wrapped32(spec[mask])
    return spec


def flip_mask_bits(rng, spec):
    for _ in range(rng.randint(1, 3)):
        spec[rng.choice(MASKS)] ^= 1 << rng.randrange(max(len(spec["begin"]), 1))


def set_bits_beyond_entries(rng, spec):
    for _ in range(rng.randint(1, 3)):
        mask, entries = rng.choice(MASKS), len(spec["begin"])
        if rng.random() < 0.5:
            spec[mask] |= 1 << (entries + rng.randint(0, 3))
        elif entries < 31:
            spec[mask] |= -1 << entries


def invalidate(rng, spec):
    entries = len(spec["begin"])
    position = rng.randrange(max(entries, 1))
    bit = 1 << position
    match rng.choice(["length", "zero", "zero", "zero", "lowest", "index", "ellipses", "too many"]):
        case "length":
            vector = spec[rng.choice(["begin", "end"])]
            vector.pop() if vector and rng.random() < 0.5 else vector.append(1)
        case "zero":
            spec["strides"][position : position + 1] = [0]
        case "lowest":
            spec["strides"][position : position + 1] = [I32_MIN]
        case "index":
            spec["begin"][position : position + 1] = [rng.choice([-8, -7, 7, 8, *I32_EXTREMES])]
            spec["shrink_axis_mask"] |= bit
        case "ellipses":
            spec["ellipsis_mask"] |= bit | 1 << rng.randrange(entries + 2)
        case "too many":
            for vector, value in zip(("begin", "end", "strides"), (0, 1, 1)):
                spec[vector] += [value] * rng.choice([1, 1, 2, 30])


def random_spec(rng, shape):
    spec = convert_to_32_bits(encode(rng, random_items(rng, shape, arbitrary=0.15)))
    kind = rng.random()
    if kind < 0.15:
        flip_mask_bits(rng, spec)
    elif kind < 0.22:
        set_bits_beyond_entries(rng, spec)
    elif kind < 0.36:
        for _ in range(rng.choice([1, 1, 2])):
            invalidate(rng, spec)
    # If `strides` is shorter than the other vectors, it is padded, because LiteRT would read beyond its end. Surplus
    # strides remain, because LiteRT ignores them.
    missing_strides = max(len(spec["begin"]), len(spec["end"])) - len(spec["strides"])
    spec["strides"] += [1] * max(missing_strides, 0)
    return spec


def offset_spec(rng, shape):
    """Returns a spec for the option `offset`, with an entry for each axis. The vector `end` contains lengths instead of
    bounds."""
    spec = {"begin": [], "end": [], "strides": [], **dict.fromkeys(MASKS, 0)}
    for n in shape:
        begin = rng.choice([0, rng.randint(-n, n), rng.randint(-n - 2, n + 2)])
        stride = rng.choice([1, 1, 1, 2, 3, -1, -2, 7, I32_MAX])
        at = begin + n if begin < 0 else begin
        length = rng.randint(0, max(n - at, 0)) if stride > 0 else -rng.randint(0, max(at, 0))
        if rng.random() < 0.15:
            length = rng.randint(-n - 1, n + 1)
        spec["begin"].append(begin)
        spec["end"].append(length)
        spec["strides"].append(stride)
    if rng.random() < 0.2:
        spec["begin_mask"] = rng.getrandbits(max(len(shape), 1))
    if rng.random() < 0.1:
        invalidate(rng, spec)
    if rng.random() < 0.1:
        flip_mask_bits(rng, spec)
    missing_strides = max(len(spec["begin"]), len(spec["end"])) - len(spec["strides"])
    spec["strides"] += [1] * max(missing_strides, 0)
    return spec


def strided_slice_cases(rng):
    for _ in range(5200):
        shape = random_shape(rng)
        yield {"shape": shape, **convert_to_32_bits(random_spec(rng, shape)), "offset": False}
    for _ in range(60):
        shape = random_shape(rng, ranks=[7, 8, 9, 12])
        yield {"shape": shape, **convert_to_32_bits(random_spec(rng, shape)), "offset": False}
    for _ in range(40):
        shape = random_shape(rng, ranks=[1, 2, 3])
        items = [nonempty_range(rng, n) for n in shape]
        for _ in range(rng.randint(28, 33) - len(items)):
            items.insert(rng.randint(0, len(items)), ["n"])
        yield {"shape": shape, **convert_to_32_bits(encode(rng, items)), "offset": False}
    for _ in range(900):
        shape = random_shape(rng, ranks=[1, 1, 2, 3, 4])
        yield {"shape": shape, **convert_to_32_bits(offset_spec(rng, shape)), "offset": True}


def slice_cases(rng):
    for _ in range(700):
        shape = random_shape(rng, ranks=[1, 1, 2, 3, 4, 5])
        begin = [rng.randint(0, n) for n in shape]
        size = [rng.choice([-1, 0, rng.randint(0, n - b), rng.randint(0, n - b)]) for n, b in zip(shape, begin)]
        if rng.random() < 0.45:
            for _ in range(rng.choice([1, 1, 2])):
                position = rng.randrange(len(shape))
                vector = rng.choice([begin, size])
                match rng.randrange(4):
                    case 0:
                        vector.pop() if rng.random() < 0.5 and vector else vector.append(0)
                    case 1:
                        vector[position : position + 1] = [rng.choice([-1, -2, *I32_EXTREMES])]
                    case _:
                        vector[position : position + 1] = [rng.randint(-3, 9)]
        yield {"shape": shape, "begin": begin, "size": size}


def reverse_cases(rng):
    for _ in range(400):
        shape = random_shape(rng, ranks=[1, 2, 3, 4, 5, 6], zero=0.03)
        rank = len(shape)
        first = rng.randrange(rank)
        axes = list(range(first, rng.randint(first, rank - 1) + 1))
        rng.shuffle(axes)
        axes = [axis - rank if rng.random() < 0.3 else axis for axis in axes]
        kind = rng.random()
        if kind < 0.12:
            axes = rng.sample(range(rank), rng.randint(1, rank))
        elif kind < 0.3:
            axes[rng.randrange(len(axes))] = rng.choice([rank, rank + 1, -rank - 1, -rank, I32_MAX, I32_MIN, 0])
        elif kind < 0.36:
            axes.append(rng.choice(axes))
        yield {"shape": shape, "axis": axes}


def main():
    cases = list(distinct(strided_slice_cases(random.Random(SEED))))
    predictions = [strided_slice(case) for case in cases]
    predictable = [case for case, prediction in zip(cases, predictions) if "rule" not in prediction]
    excluded = [(case, prediction["rule"]) for case, prediction in zip(cases, predictions) if "rule" in prediction]
    differences = 0
    records = with_results(result_of, predictable)
    for case, prediction in zip(records, [prediction for prediction in predictions if "rule" not in prediction]):
        kind = case.get("error", {}).get("kind")
        same = case.get("out") == prediction["out"] if "out" in prediction else kind == prediction["error"]
        if not same:
            differences += 1
            print("differs from litert_kernel.py:", case, prediction)
    counts = collections.Counter()
    for (case, rule), outcome in zip(excluded, run_in_child(run_excluded, [case for case, _ in excluded])):
        counts[rule, "error" in outcome] += 1
        records.append({**case, "error": {"kind": "undefined", "message": RULES[rule]}, "excluded": rule})
    for (rule, has_crashed), count in sorted(counts.items()):
        print(f"{rule}: {count} {'crashed' if has_crashed else 'did not crash'}")
    if differences:
        raise SystemExit(f"the results of {differences} cases differ from litert_kernel.py")
    packages = ["ai-edge-litert", "numpy"]
    write("litert", __file__, packages, SEED, records, RULES)
    write("litert_slice", __file__, packages, SEED, with_results(result_of, distinct(slice_cases(random.Random(SEED)))))
    records = with_results(result_of, distinct(reverse_cases(random.Random(SEED))))
    for case in records:
        if case.get("error", {}).get("kind") == "crash":
            assert 0 in case["shape"] or not case["axis"], case
            case["excluded"] = "reverse_of_nothing"
    write("litert_reverse", __file__, packages, SEED, records, RULES)


if __name__ == "__main__":
    main()
