"""Records gradients that PyTorch computes through slices, with and without lists, and through assignments to them.

    python tests/oracle/torch_gradients.py

Run the script in the PyTorch environment. It writes torch_gradients.jsonl.gz, with which the tests of slice-candle and
slice-burn compare the gradients of these crates. The tensor `x` has the elements 0, 1, 2, ... In a case without a
`value_shape`, `y` is the slice `x[items]`. In the other cases, `y` is `x` after the assignment of a value with the
elements 100, 101, 102, ... to the slice, and the gradient of the value is also recorded. The differentiated function is
the sum of `y * y * w`, where `w` has the elements 1, 2, 3, ... Float32 represents all numbers exactly.

PyTorch rejects negative steps, so the script flips the axis instead. Each list applies to its own axis
(`index_select`). PyTorch does not specify which value remains if an assignment repeats a position, so the script
assigns only to slices that repeat no position.
"""

import random

import torch
from common import random_shape, write
from numpy_lists_vectors import random_items

SEED = 20261128
READS, ASSIGNMENTS = 300, 150


def select(x, items):
    """Returns `x[items]`, computed by PyTorch's operators."""
    kinds = [item[0] for item in items]
    if "e" not in kinds:
        items = [*items, ["e"]]
    omitted = x.dim() - sum(kind not in "ne" for kind in kinds)
    axis = 0
    for kind, *parts in items:
        if kind == "e":
            axis += omitted
            continue
        if kind == "i":
            x = x.select(axis, parts[0])
            continue
        if kind == "n":
            x = x.unsqueeze(axis)
        elif kind == "r":
            positions = range(x.shape[axis])[slice(*parts)]
            if positions.step < 0:
                x, positions = x.flip(axis), [x.shape[axis] - 1 - k for k in positions]
            begin, step = positions[0], positions[1] - positions[0] if len(positions) > 1 else 1
            x = x[(slice(None),) * axis + (slice(begin, positions[-1] + 1, step),)]
        else:
            marked = [k for k, mark in enumerate(parts[0]) if mark]
            positions = marked if kind == "m" else [k % x.shape[axis] for k in parts[0]]
            x = x.index_select(axis, torch.tensor(positions))
        axis += 1
    return x


def counting(shape, first):
    elements = torch.arange(first, first + torch.Size(shape).numel(), dtype=torch.float32)
    return elements.reshape(shape).requires_grad_()


def gradients(case):
    """Returns the gradient of `x`, and of the value if there is one."""
    x = counting(case["shape"], 0)
    if "value_shape" not in case:
        y, inputs = select(x, case["items"]), {"gradient": x}
    else:
        value = counting(case["value_shape"], 100)
        offsets = select(torch.arange(x.numel()).reshape(x.shape), case["items"])
        values = value.expand(offsets.shape)
        y = x.flatten().index_put((offsets.flatten(),), values.flatten()).reshape(x.shape)
        inputs = {"gradient": x, "value_gradient": value}
    weights = torch.arange(1, y.numel() + 1, dtype=torch.float32).reshape(y.shape)
    (y * y * weights).sum().backward()
    return {name: [int(g) for g in tensor.grad.flatten().tolist()] for name, tensor in inputs.items()}


def is_suitable(shape, items, is_assignment):
    """Returns whether a slice selects an element and keeps an axis. burn has no tensors without axes."""
    empty_list = any(item[0] in "lm" and not any(item[1] if item[0] == "m" else [1] * len(item[1])) for item in items)
    empty_range = any(item[0] == "r" and item[3] is not None and abs(item[3]) > 2**31 for item in items)
    if not shape or empty_list or empty_range:
        return False
    try:
        offsets = select(torch.arange(torch.Size(shape).numel()).reshape(shape), items)
    except IndexError:
        return False
    repeats = offsets.unique().numel() < offsets.numel()
    return offsets.dim() > 0 and offsets.numel() > 0 and not (is_assignment and repeats)


def random_case(rng, is_assignment):
    while True:
        shape = random_shape(rng, range(1, 6), 60, zero=0)
        items = random_items(rng, shape)
        if rng.random() < 0.5:
            items = [["r", None, None, rng.choice([1, 2, -1, -2])] if item[0] in "lm" else item for item in items]
        if is_suitable(shape, items, is_assignment):
            break
    case = {"shape": shape, "items": items}
    if is_assignment:
        result = list(select(torch.empty(shape), items).shape)
        case["value_shape"] = [n if rng.random() < 0.8 else 1 for n in result][rng.choice([0, 0, 0, 1]) :] or [1]
    return case | gradients(case)


def main():
    rng = random.Random(SEED)
    cases = [random_case(rng, is_assignment=k >= READS) for k in range(READS + ASSIGNMENTS)]
    write("torch_gradients", __file__, ["torch", "numpy"], SEED, cases)


if __name__ == "__main__":
    main()
