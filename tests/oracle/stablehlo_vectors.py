"""Records the results of StableHLO's verifier and reference interpreter, both from jaxlib, for operations that slice.

Writes stablehlo.jsonl.gz: programs of `slice`, `dynamic_slice` with constant starts, `reverse` and `reshape`. About
half of the programs are a single `slice`. XLA's CPU backend also runs about every tenth valid program, and the script
fails if its output differs. Programs with strides that overflow in XLA are not run in XLA, because it would crash or
select nothing.

A reshape that does more than add and drop axes of length 1 is not a slice, so programs with such a reshape are
excluded.
"""

import random
import re
from math import prod

from common import I64_MAX, I64_MIN, distinct, error, output, random_shape, with_results, write

SEED = 20261103

KINDS = [
    (re.compile("failed to verify that all of .* have same size"), "length_mismatch"),
    (re.compile("does not match the rank of the operand"), "rank_mismatch"),
    (re.compile("negative start index"), "start_range"),
    (re.compile("limit index .* is larger than dimension size"), "limit_range"),
    (re.compile("is larger than limit index"), "start_after_limit"),
    (re.compile("stride must be positive"), "step_sign"),
    (re.compile("all dimensions should be non-negative|all dimensions should be between"), "axis_range"),
    (re.compile("dimensions should be unique"), "dup_axes"),
    (re.compile("has mismatched number of slice sizes"), "length_mismatch"),
    (re.compile("has negative size index|has slice size .* greater than dimension size"), "size_range"),
    (re.compile("number of output elements|doesn't match expected number of elements"), "element_count"),
]

EXCLUSIONS = {"not_a_slice": "a reshape does more than add and drop axes of length 1"}

HUGE = [I64_MIN, I64_MIN + 1, -(2**31), 2**31, I64_MAX - 1, I64_MAX]


def slice_op(rng, shape):
    starts, limits, strides = [], [], []
    for n in shape:
        low, high = sorted((rng.randint(0, n), rng.randint(0, n)))
        if rng.random() < 0.3:
            low, high = 0, n
        starts.append(low)
        limits.append(high)
        strides.append(rng.choice([1, 1, 1, 2, 3, 7, rng.choice([2**31, 2**40, I64_MAX - 1, I64_MAX])]))
    if rng.random() < 0.35:
        for _ in range(rng.choice([1, 1, 2])):
            vector = rng.choice([starts, limits, strides])
            position = rng.randrange(max(len(vector), 1))
            match rng.randrange(5):
                case 0:
                    vector.pop() if vector and rng.random() < 0.5 else vector.append(1)
                case 1 if rng.random() < 0.5:
                    for one in (starts, limits, strides):
                        one.append(1)
                case 2:
                    vector[position : position + 1] = [rng.choice([0, -1, -2, *HUGE])]
                case _:
                    vector[position : position + 1] = [rng.randint(-2, 8)]
    return {"slice": {"start_indices": starts, "limit_indices": limits, "strides": strides}}


def dynamic_slice_op(rng, shape):
    sizes = [rng.randint(0, n) for n in shape]
    starts = [rng.choice([rng.randint(0, max(n - 1, 0)), rng.randint(-n - 2, n + 2), rng.choice(HUGE)]) for n in shape]
    if rng.random() < 0.3:
        position = rng.randrange(max(len(sizes), 1))
        match rng.randrange(3):
            case 0:
                sizes.pop() if sizes and rng.random() < 0.5 else sizes.append(1)
            case _:
                sizes[position : position + 1] = [rng.choice([-1, -2, 7, 8, I64_MAX, I64_MIN])]
    return {"dynamic_slice": {"start_indices": starts, "slice_sizes": sizes}}


def reverse_op(rng, shape):
    rank = len(shape)
    dims = rng.sample(range(rank), rng.randint(0, rank))
    kind = rng.random()
    if kind < 0.15:
        dims.insert(rng.randint(0, len(dims)), rng.choice([rank, rank + 1, -1, -2, I64_MAX, I64_MIN]))
    elif kind < 0.25 and dims:
        dims.append(rng.choice(dims))
    return {"reverse": {"dimensions": dims}}


def reshape_op(rng, shape):
    new_shape = [n for n in shape if n != 1 or rng.random() < 0.5]
    for _ in range(rng.choice([0, 1, 1, 2])):
        new_shape.insert(rng.randint(0, len(new_shape)), 1)
    kind = rng.random()
    if kind < 0.1 and new_shape:
        new_shape[rng.randrange(len(new_shape))] += 1
    elif kind < 0.25:
        new_shape = [prod(new_shape)]
    return {"reshape": {"shape": new_shape}}


OPS = [slice_op, slice_op, reverse_op, dynamic_slice_op, reshape_op]


def output_shape(shape, op):
    """Returns the shape of the output of an operation, or None if the operation is invalid."""
    ((name, fields),) = op.items()
    if name == "reverse":
        dims = fields["dimensions"]
        return shape if len(set(dims)) == len(dims) and all(0 <= dim < len(shape) for dim in dims) else None
    if name == "reshape":
        return fields["shape"] if prod(fields["shape"]) == prod(shape) else None
    if name == "dynamic_slice":
        sizes = fields["slice_sizes"]
        valid = len(sizes) == len(fields["start_indices"]) == len(shape) and all(0 <= s <= n for s, n in zip(sizes, shape))
        return sizes if valid else None
    starts, limits, strides = fields["start_indices"], fields["limit_indices"], fields["strides"]
    if not len(starts) == len(limits) == len(strides) == len(shape):
        return None
    if not all(0 <= b <= l <= n and s > 0 for b, l, s, n in zip(starts, limits, strides, shape)):
        return None
    return [-((b - l) // s) for b, l, s in zip(starts, limits, strides)]


def is_slice(shape, new_shape):
    return [n for n in shape if n != 1] == [n for n in new_shape if n != 1]


def programs(rng):
    for _ in range(2300):
        shape = random_shape(rng)
        yield {"shape": shape, "ops": [slice_op(rng, shape)]}
    for draw in (dynamic_slice_op, reverse_op, reshape_op):
        for _ in range(400):
            shape = random_shape(rng, ranks=[0, 1, 1, 2, 3, 4])
            yield {"shape": shape, "ops": [draw(rng, shape)]}
    for _ in range(900):
        shape = first = random_shape(rng, ranks=[1, 2, 3, 4])
        ops = []
        for _ in range(rng.randint(2, 4)):
            ops.append(rng.choice(OPS)(rng, shape))
            shape = output_shape(shape, ops[-1])
            if shape is None:
                break
        yield {"shape": first, "ops": ops}


# ---- results ---------------------------------------------------------------------------------------------------------


def tensor(shape):
    return f"tensor<{''.join(f'{n}x' for n in shape)}i64>"


def array(numbers):
    return f"array<i64{': ' * bool(numbers)}{', '.join(map(str, numbers))}>"


def line(number, operand, shape, op):
    """Returns an operation as text in MLIR's generic form, which accepts any numbers, and the shape of its output."""
    ((name, fields),) = op.items()
    operands, types, constants = [operand], [tensor(shape)], ""
    if name == "reshape":
        result, attributes = fields["shape"], ""
    elif name == "dynamic_slice":
        for axis, start in enumerate(fields["start_indices"]):
            constants += f"  %s{number}_{axis} = stablehlo.constant dense<{start}> : tensor<i64>\n"
            operands.append(f"%s{number}_{axis}")
            types.append("tensor<i64>")
        attributes = f" <{{slice_sizes = {array(fields['slice_sizes'])}}}>"
        result = output_shape(shape, op)
    else:
        attributes = " <{" + ", ".join(f"{key} = {array(value)}" for key, value in fields.items()) + "}>"
        result = output_shape(shape, op)
    # If the operation is invalid, any type will be accepted, because the verifier fails before it reads the type of the
    # result.
    result = shape if result is None else result
    kind = f"({', '.join(types)}) -> {tensor(result)}"
    return f'{constants}  %{number} = "stablehlo.{name}"({", ".join(operands)}){attributes} : {kind}\n', result


def module(shape, ops):
    text, operand, current_shape = "", "%x", shape
    for number, op in enumerate(ops):
        added, current_shape = line(number, operand, current_shape, op)
        text, operand = text + added, f"%{number}"
    return (
        f"func.func @main(%x: {tensor(shape)}) -> {tensor(current_shape)} {{\n{text}  return {operand} : {tensor(current_shape)}\n}}\n",
        current_shape,
    )


def interpreter_output(text, shape):
    """Returns the reference interpreter's output for the text of a module."""
    import numpy as np
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    with mlir.make_ir_context():
        parsed = ir.Module.parse(text)
        parsed.operation.verify()
        x = np.arange(prod(shape)).reshape(shape)
        operand = ir.DenseElementsAttr.get(x, shape=list(shape), type=ir.IntegerType.get_signless(64))
        return np.array(stablehlo.eval_module(parsed, [operand])[0])


def xla_output(text, shape):
    """Returns the output of XLA's CPU backend for the text of a module."""
    import jax
    import numpy as np
    from jax._src.lib import xla_client as xc
    from jax._src import xla_bridge, compiler
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    jax.config.update("jax_enable_x64", True)
    backend = xla_bridge.get_backend("cpu")
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text)
        devices = xc.DeviceList(tuple(backend.local_devices()[:1]))
        program = backend.compile_and_load(parsed, devices, xc.CompileOptions())
    x = jax.device_put(np.arange(prod(shape)).reshape(shape))
    return np.asarray(program.execute([x])[0])


def is_too_wide(op):
    """Returns True if limit - start + stride - 1, which XLA computes in 64 bits, overflows."""
    fields = op.get("slice", {"start_indices": [], "limit_indices": [], "strides": []})
    return any(limit - start + stride - 1 > I64_MAX for start, limit, stride in zip(*fields.values()))


def result_of(case):
    from jaxlib.mlir import ir

    text, shape = module(case["shape"], case["ops"])
    try:
        result = interpreter_output(text, case["shape"])
    except (ir.MLIRError, RuntimeError, ValueError) as failure:
        lines = [re.sub(r'^error: "-":\d+:\d+: ', "", part) for part in str(failure).splitlines()]
        for part in lines:
            if any(pattern.search(part) for pattern, _ in KINDS):
                return error(part, KINDS) | excluded(case)
        raise
    assert list(result.shape) == shape, (case, result.shape)
    if len(text) % 10 == 0 and not any(is_too_wide(op) for op in case["ops"]):
        other = xla_output(text, case["shape"])
        assert other.shape == result.shape and (other == result).all(), case
    return output(result) | excluded(case)


def excluded(case):
    """Returns {"excluded": rule} if a rule excludes the case, and otherwise {}."""
    current_shape = case["shape"]
    for op in case["ops"]:
        next_shape = output_shape(current_shape, op)
        if next_shape is None:
            break
        if "reshape" in op and not is_slice(current_shape, next_shape):
            return {"excluded": "not_a_slice"}
        current_shape = next_shape
    return {}


def main():
    cases = with_results(result_of, distinct(programs(random.Random(SEED))))
    write("stablehlo", __file__, ["jax", "jaxlib", "numpy"], SEED, cases, EXCLUSIONS)


if __name__ == "__main__":
    main()
