"""Records PyTorch's results for slices written as `x[...]`, and for the operators to which slices are translated.

Writes torch.jsonl.gz: programs of `slice.Tensor`, `select.int`, `unsqueeze`, `flip` and `x[...]`, run eagerly on the
CPU. About half of the programs are a single `slice`. Also writes torch_scatter.jsonl.gz: the results of `slice_scatter`
and `select_scatter`. The array whose elements are scattered has the shape `src_shape` and the elements 1000, 1001, ...,
and `out` is the whole resulting array.

A case is excluded if adding a step to the length of its range, or multiplying the step by the axis's stride in memory,
overflows 64 bits, because PyTorch then returns an empty result or an unrelated error.
"""

import random
import re
from math import prod

from common import (
    EXTREMES,
    I64_MAX,
    I64_MIN,
    distinct,
    error,
    output,
    random_items,
    random_shape,
    with_results,
    write,
)

SEED = 20261102

KINDS = [
    (re.compile(r"cannot be applied to a 0-dim tensor"), "scalar_input"),
    (re.compile("Dimension out of range"), "axis_range"),
    (re.compile("slice step must be positive|step must be greater than zero|slice step cannot be zero"), "step_sign"),
    (re.compile(r"select\(\): index .* out of range|index .* is out of bounds for dimension"), "index_oob"),
    (re.compile("appears multiple times in the list of dims"), "dup_axes"),
    (re.compile("too many indices for tensor|invalid index of a 0-dim tensor"), "too_many_indices"),
    (re.compile("expected src to have a size equal to the slice of self"), "src_shape"),
]

EXCLUSIONS = {
    "wide_step": "the number of elements, or the stride of the result in memory, is computed in 64 bits and overflows",
}


def number(rng, n):
    kind = rng.random()
    if kind < 0.25:
        return None
    return rng.choice(EXTREMES) if kind < 0.4 else rng.randint(-n - 3, n + 3)


def slice_op(rng, shape):
    dim = rng.randrange(-len(shape), len(shape)) if shape else rng.choice([0, -1])
    n = shape[dim] if shape else 0
    step = rng.choice([1, 1, 1, 2, 2, 3, 5, 7, n + 1, 2**31, 2**40, *([I64_MAX] if rng.random() < 0.2 else [])])
    start, end = number(rng, n), number(rng, n)
    if rng.random() < 0.4 and n:
        low, high = sorted((rng.randint(0, n), rng.randint(0, n)))
        start, end = rng.choice([low, low - n]), rng.choice([high, high - n if high < n else None])
    if rng.random() < 0.06:
        step = rng.choice([0, -1, -2, I64_MIN])
    if rng.random() < 0.06:
        dim = rng.choice([len(shape), len(shape) + 1, -len(shape) - 1, *EXTREMES])
    return {"slice": {"dim": dim, "start": start, "end": end, "step": step}}


def select_op(rng, shape):
    dim = rng.randrange(-len(shape), len(shape)) if shape else rng.choice([0, -1])
    n = shape[dim] if shape else 0
    index = rng.randrange(-n, n) if n and rng.random() < 0.85 else rng.choice([n, -n - 1, n + 1, 0, *EXTREMES])
    if rng.random() < 0.05:
        dim = rng.choice([len(shape), -len(shape) - 1, I64_MIN, I64_MAX])
    return {"select": {"dim": dim, "index": index}}


def unsqueeze_op(rng, shape):
    rank = len(shape)
    dim = rng.randint(-rank - 1, rank) if rng.random() < 0.9 else rng.choice([rank + 1, -rank - 2, I64_MAX, I64_MIN])
    return {"unsqueeze": {"dim": dim}}


def flip_op(rng, shape):
    rank = len(shape)
    dims = [dim - rank if rng.random() < 0.3 else dim for dim in rng.sample(range(rank), rng.randint(0, rank))]
    kind = rng.random()
    if kind < 0.06:
        dims.insert(rng.randint(0, len(dims)), rng.choice([rank, rank + 2, -rank - 1, I64_MAX, I64_MIN]))
    elif kind < 0.12:
        dims.append(rng.choice(dims) if dims else 0)
    elif not rank and kind < 0.5:
        dims = [rng.choice([0, -1])]
    return {"flip": {"dims": dims}}


def getitem_op(rng, shape):
    items = []
    for item in random_items(rng, shape, arbitrary=0.3):
        if item[0] == "r" and item[3] is not None and item[3] < 0 and rng.random() < 0.97:
            item[3] = min(-(item[3] + 1) + 1, 9) if rng.random() < 0.7 else None
        items.append(item)
    if rng.random() < 0.12 and items:
        position = rng.randrange(len(items))
        items[position] = rng.choice([["i", rng.choice([-9, 7, 8, *EXTREMES])], ["r", None, None, -2], ["r", 1, None, -1]])
    if rng.random() < 0.06:
        items += [["r", None, None, None]] * rng.randint(1, 3)
    return {"getitem": text(items)}


def text(items):
    def part(value):
        return "" if value is None else str(value)

    def one(item):
        match item:
            case ["i", index]:
                return str(index)
            case ["n"]:
                return "None"
            case ["e"]:
                return "..."
            case [_, begin, end, step]:
                return f"{part(begin)}:{part(end)}" + ("" if step is None else f":{step}")

    return ", ".join(map(one, items))


def code(op):
    """Returns the Python code that applies the operator to x."""
    ((name, fields),) = op.items()
    match name:
        case "slice":
            arguments = [fields[key] for key in ("dim", "start", "end", "step")]
            return f"torch.ops.aten.slice.Tensor(x, {', '.join(map(repr, arguments))})"
        case "select":
            return f"torch.ops.aten.select.int(x, {fields['dim']}, {fields['index']})"
        case "unsqueeze":
            return f"torch.ops.aten.unsqueeze.default(x, {fields['dim']})"
        case "flip":
            return f"torch.ops.aten.flip.default(x, {fields['dims']})"
        case "getitem":
            return f"x[{fields}]" if fields else "x[()]"


def overflows(op, x):
    """Returns True if the operator, applied to x, overflows 64 bits in PyTorch."""
    ((name, fields),) = op.items()
    if name == "slice":
        dims = x.dim()
        if not -dims <= fields["dim"] < dims:
            return False
        bounds = [(fields["dim"], fields["start"], fields["end"], fields["step"])]
    elif name == "getitem":
        # Python itself clamps the bounds of a slice in brackets to 64 bits. The axis of an item is not computed here.
        # Instead, each step is checked on all axes, which excludes slightly more cases than necessary.
        bounds = [
            (dim, None, None, int(part.split(":")[2]))
            for part in fields.split(", ")
            if part.count(":") == 2 and part.split(":")[2]
            for dim in range(x.dim())
        ]
    else:
        return False
    for dim, start, end, step in bounds:
        n, stride = x.shape[dim], x.stride(dim)
        if step <= 0:
            continue
        start, end = 0 if start is None else start, I64_MAX if end is None else end
        start, end = start + n if start < 0 else start, end + n if end < 0 else end
        start = min(max(start, 0), n)
        end = min(max(end, start), n)
        if end - start + step - 1 > I64_MAX or step * max(stride, 1) > I64_MAX:
            return True
    return False


def result_of(case):
    import torch

    x = torch.arange(prod(case["shape"])).reshape(case["shape"])
    has_overflow = False
    try:
        if "src_shape" in case:
            src = torch.arange(1000, 1000 + prod(case["src_shape"])).reshape(case["src_shape"])
            ((name, fields),) = case["op"].items()
            has_overflow = overflows(case["op"], x)
            x = getattr(torch.ops.aten, f"{name}_scatter").default(x, src, *fields.values())
        else:
            for op in case["ops"]:
                has_overflow |= overflows(op, x)
                x = eval(code(op), {"torch": torch, "x": x})
        result = output(x.numpy())
    except (RuntimeError, IndexError, ValueError) as failure:
        try:
            result = error(failure, KINDS)
        except ValueError:
            if not has_overflow:
                raise
            result = {"error": {"kind": "overflow", "message": str(failure).splitlines()[0]}}
    return result | ({"excluded": "wide_step"} if has_overflow else {})


def output_shape(shape, op):
    """Returns the shape of the output of an operator, computed with NumPy, or None if the operator is invalid."""
    import numpy as np

    x = np.empty(shape, np.int8)
    ((name, fields),) = op.items()
    try:
        match name:
            case "slice":
                if fields["step"] <= 0 or not shape or not -len(shape) <= fields["dim"] < len(shape):
                    return None
                index = [slice(None)] * len(shape)
                index[fields["dim"]] = slice(fields["start"], fields["end"], fields["step"])
                return list(x[tuple(index)].shape)
            case "select":
                return list(x.take(fields["index"], fields["dim"]).shape)
            case "unsqueeze":
                return list(np.expand_dims(x, fields["dim"]).shape)
            case "flip":
                return list(shape)
            case "getitem":
                return list(eval(f"x[{fields}]", {"x": x}).shape) if fields else list(shape)
    except (IndexError, ValueError, OverflowError):
        return None


OPS = [slice_op, slice_op, slice_op, select_op, unsqueeze_op, flip_op, getitem_op]


def programs(rng):
    for _ in range(2300):
        shape = random_shape(rng)
        yield {"shape": shape, "ops": [slice_op(rng, shape)]}
    for _ in range(900):
        shape = random_shape(rng)
        yield {"shape": shape, "ops": [getitem_op(rng, shape)]}
    for draw in (select_op, unsqueeze_op, flip_op):
        for _ in range(260):
            shape = random_shape(rng, ranks=[0, 1, 1, 2, 3, 4])
            yield {"shape": shape, "ops": [draw(rng, shape)]}
    for _ in range(1100):
        shape = first = random_shape(rng, ranks=[1, 2, 3, 4])
        ops = []
        for _ in range(rng.randint(2, 5)):
            ops.append(rng.choice(OPS)(rng, shape))
            next_shape = output_shape(shape, ops[-1])
            if next_shape is None:
                break
            shape = next_shape
        yield {"shape": first, "ops": ops}


def scattered(rng):
    for _ in range(900):
        shape = random_shape(rng, max_elements=60)
        op = rng.choice([slice_op, slice_op, select_op])(rng, shape)
        src = output_shape(shape, op)
        if src is None or rng.random() < 0.15:
            src = rng.choice([shape, [1, *shape], shape[1:], [1] * len(shape)])
        yield {"shape": shape, "op": op, "src_shape": src}


def main():
    for name, generate in [("torch", programs), ("torch_scatter", scattered)]:
        cases = with_results(result_of, distinct(generate(random.Random(SEED))))
        write(name, __file__, ["torch", "numpy"], SEED, cases, EXCLUSIONS)


if __name__ == "__main__":
    main()
