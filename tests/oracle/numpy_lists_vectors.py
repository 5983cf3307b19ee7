"""Records NumPy's results for slices in which each list or mask applies to its own axis (the outer indexing of NEP 21,
`oindex`).

Writes numpy_lists.jsonl.gz and numpy_lists_assign.jsonl.gz. NumPy's `x[...]` pairs several lists element by element. Each result is therefore computed in two other ways, which must agree: one axis at a
time, from the last to the first, and with `np.ix_`. The `brackets` field states whether NumPy's `x[...]` returns the
"same" result, an "other" result or an "error".

Items are encoded as in numpy_vectors.py. A list is ["l", [...], dtype], and a mask is ["m", [0, 1, ...]]. If a slice
has several errors, an error in the number of items or ellipses is recorded if there is one, and otherwise the error of
the leftmost invalid item.
"""

import random
import re
from math import prod

import numpy as np

from common import (
    EXTREMES,
    VECTORS,
    arbitrary_range,
    distinct,
    error,
    nonempty_range,
    output,
    random_index,
    random_shape,
    value_shape,
    with_results,
    write,
)

SEED = 20250722

KINDS = [
    (re.compile("only have a single ellipsis"), "multiple_ellipsis"),
    (re.compile("too many indices"), "too_many_indices"),
    (re.compile("is out of bounds for axis"), "index_oob"),
    (re.compile("boolean index did not match"), "mask_length"),
    (re.compile("slice step cannot be zero"), "zero_stride"),
    (re.compile("could not be broadcast to indexing result"), "broadcast"),
    (re.compile("could not be broadcast together|non-broadcastable|array is not broadcastable"), "broadcast"),
]

EXCLUSIONS = {
    "empty_mask": "a mask without elements is accepted on an axis of any length, and selects nothing; other masks of a wrong "
    "length are refused",
    "wrapped": "a uint64 index beyond the largest int64 is read as the negative number with the same bits",
    "empty_result": "if nothing is selected, a value may have any number of surplus axes of any length",
    "crash": "np.add.at crashes if the value has two surplus axes of length 1",
}

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


# ---- cases -----------------------------------------------------------------------------------------------------------


def random_list(rng, n):
    """Returns a list of positions for an axis of length `n`. The list may be sorted, unsorted, strided or empty, and
    may repeat positions."""
    if n == 0 or rng.random() < 0.03:
        return []
    kind = rng.random()
    if kind < 0.35:
        return [rng.randrange(-n, n) for _ in range(rng.randint(1, 5))]
    if kind < 0.55:
        return sorted(rng.randrange(n) for _ in range(rng.randint(1, 6)))
    if kind < 0.7:
        return list(range(n))[:: rng.choice([1, 2, -1, -2, 3])]
    if kind < 0.8:
        return [rng.randrange(n)] * rng.randint(1, 4)
    low = rng.randrange(n)
    run = list(range(low, rng.randint(low, n - 1) + 1))
    return run + [rng.randrange(-n, n)] + run[::-1][: rng.randint(0, 3)]


def list_item(rng, n):
    numbers = random_list(rng, n)
    fitting = [name for name in INTEGERS if all(np.iinfo(name).min <= x <= np.iinfo(name).max for x in numbers)]
    return ["l", numbers, "int64" if rng.random() < 0.5 else rng.choice(fitting)]


def mask_item(rng, n):
    share = rng.choice([0.2, 0.5, 0.5, 0.8, 1]) if rng.random() < 0.95 else 0
    return ["m", [int(rng.random() < share) for _ in range(n)]]


def list_or_mask_item(rng, n):
    return (mask_item if rng.random() < 0.3 else list_item)(rng, n)


def random_items(rng, shape):
    """Returns items that fit `shape`: at most one ellipsis, any number of new axes, and at least one list or mask if
    there is an axis."""
    rank = len(shape)
    used = rank if rng.random() < 0.5 else rng.randint(min(1, rank), rank)
    ellipsis = rng.random() < 0.4
    gap = rng.randint(0, used) if ellipsis else used
    list_entry = rng.randrange(used) if used else None
    items = []
    for entry in range(used):
        n = shape[entry if entry < gap else entry + rank - used]
        kind = rng.random()
        if entry == list_entry or kind < 0.35:
            items.append(list_or_mask_item(rng, n))
        elif kind < 0.6 and n:
            items.append(random_index(rng, n))
        else:
            items.append((arbitrary_range if rng.random() < 0.04 else nonempty_range)(rng, n))
    if ellipsis:
        items.insert(gap, ["e"])
    while rng.random() < 0.25:
        items.insert(rng.randint(0, len(items)), ["n"])
    return items


def with_errors(rng, items, shape):
    """Returns the items with one to three changes, most of which cause an error."""
    items = list(items)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        position = rng.randint(0, len(items))
        change = rng.choice(["list", "list", "list", "mask", "mask", "index", "zero step", "ellipses", "too many"])
        n = rng.choice(shape or [0])
        if change == "ellipses":
            items[position:position] = [["e"], ["e"]]
        elif change == "too many":
            items[position:position] = [list_or_mask_item(rng, 3) for _ in range(rng.randint(1, 3))]
        elif change == "list":
            numbers = random_list(rng, n)
            numbers.insert(rng.randint(0, len(numbers)), rng.choice([n, n + 1, -n - 1, *EXTREMES]))
            fitting = [name for name in INTEGERS if all(np.iinfo(name).min <= x <= np.iinfo(name).max for x in numbers)]
            items[position : position + 1] = [["l", numbers, rng.choice(fitting or ["int64"])]]
        elif change == "mask":
            items[position : position + 1] = [["m", mask_item(rng, max(n + rng.choice([-1, 1, 2]), 0))[1]]]
        elif change == "index":
            items[position : position + 1] = [["i", rng.choice([n, -n - 1, *EXTREMES])]]
        else:
            items[position : position + 1] = [["r", *arbitrary_range(rng, 4)[1:3], 0]]
    return items


def random_case(rng, max_elements=500):
    shape = random_shape(rng, max_elements=max_elements, zero=0.02)
    items = random_items(rng, shape)
    return {"shape": shape, "items": with_errors(rng, items, shape) if rng.random() < 0.2 else items}


def extreme_cases():
    """Yields cases with lists of numbers at or near the limits of each integer type, on axes for which these numbers
    are in or out of bounds."""
    for name in INTEGERS:
        low, high = np.iinfo(name).min, np.iinfo(name).max
        for n in [0, 1, 127, 128, 129, 255, 256, 257, 32767, 32768, 65535, 65536]:
            for numbers in [[low], [high], [0, high], [low + 1, 0], [high - 1]]:
                if 1 < n < 1000 or len(numbers) == 1:
                    yield {"shape": [n], "items": [["l", numbers, name]]}


def read_cases(rng):
    for _ in range(3800):
        yield random_case(rng)
    yield from extreme_cases()


def assignment_cases(rng, draws=1700):
    for _ in range(draws):
        case = random_case(rng, max_elements=60)
        if not any(item[0] in "lm" for item in case["items"]):
            continue  # cases without lists are in numpy_assign.jsonl.gz
        selected = read_result(case).get("out", {"shape": []})["shape"]
        op = rng.choice(["set", "set", "set", "iadd", "add_at", "add_at"])
        yield {**case, "op": op, "value_shape": value_shape(rng, selected)}


# ---- results ---------------------------------------------------------------------------------------------------------


def python_item(item):
    kind, *rest = item
    if kind == "i":
        return rest[0]
    if kind == "r":
        return slice(*rest)
    if kind == "l":
        return np.array(rest[0], rest[1])
    if kind == "m":
        return np.array(rest[0], bool)
    return None if kind == "n" else Ellipsis


def with_axes(x, items):
    """Returns each item with its axis. Axes covered by the ellipsis and axes without an item get the range `:`.

    If there are too many items or ellipses, raises NumPy's error.
    """
    x[tuple(slice(None) if kind in "rilm" else python_item([kind, *rest]) for kind, *rest in items)]
    consuming = sum(item[0] in "rilm" for item in items)
    whole = [["r", None, None, None]] * (x.ndim - consuming)
    if ["e"] not in items:
        items = [*items, ["e"]]
    at = items.index(["e"])
    axis, result = 0, []
    for item in [*items[:at], *whole, *items[at + 1 :]]:
        result.append((axis, item))
        axis += item[0] != "n"
    return result


def index_along(axis, item):
    return (slice(None),) * axis + (item,)


def one_axis_at_a_time(x, items):
    items = with_axes(x, items)
    for axis, item in items:  # raises the error of the leftmost invalid item
        if item[0] != "n":
            x[index_along(axis, python_item(item))]
    for axis, item in reversed(items):
        x = x[index_along(axis, python_item(item))]
    return x


def with_ix(x, items):
    items = with_axes(x, items)
    lists = []
    for axis, item in items:
        n = x.shape[axis] if item[0] != "n" else 1
        index = python_item(item)
        if item[0] == "r":
            index = np.array(range(n)[index], np.intp)
        elif item[0] == "i":
            index = np.array([index])
        elif item[0] == "l" and item[2] == "uint64":
            index = index.astype(np.int64)
        if item[0] != "n":
            lists.append(index)
    result = x[np.ix_(*lists)] if lists else x
    axes = iter(result.shape)
    shape = []
    for _, item in items:
        n = 1 if item[0] == "n" else next(axes)
        if item[0] != "i":
            shape.append(n)
    return result.reshape(shape)


def brackets(x, items, result):
    """Compares the result of NumPy's `x[...]` with `result`. Returns "same" or "other", or "error" if NumPy raises an
    error."""
    try:
        own = x[tuple(map(python_item, items))]
    except IndexError:
        return "error"
    return "same" if own.shape == result.shape and np.array_equal(own, result) else "other"


def excluded(case):
    """Returns {"excluded": rule} if a rule excludes the case, and otherwise {}."""
    try:
        items = with_axes(np.empty(case["shape"], "b"), case["items"])
    except IndexError:
        return {}
    for axis, item in items:
        if item == ["m", []] and case["shape"][axis] != 0:
            return {"excluded": "empty_mask"}
        if item[0] == "l" and item[2] == "uint64" and any(number > 2**63 - 1 for number in item[1]):
            return {"excluded": "wrapped"}
    return {}


def read_result(case):
    x = np.arange(prod(case["shape"])).reshape(case["shape"])
    try:
        result = one_axis_at_a_time(x, case["items"])
    except (IndexError, ValueError) as failure:
        return {**error(failure, KINDS), **excluded(case)}
    with_ix_result = with_ix(x, case["items"])
    assert result.shape == with_ix_result.shape and np.array_equal(result, with_ix_result), case
    return {**output(result), "brackets": brackets(x, case["items"], result), **excluded(case)}


def assignment_result(case):
    """Returns the whole array after the assignment, or an error. The slice is first read from an array whose elements
    are their own offsets. NumPy then assigns the value to the offsets that were read."""
    selected = read_result(case)
    if "error" in selected:
        return {name: value for name, value in selected.items() if name != "brackets"}
    positions = np.array(selected["out"]["elements"], np.intp).reshape(selected["out"]["shape"])
    x = np.arange(prod(case["shape"]))
    value = np.arange(1000, 1000 + prod(case["value_shape"])).reshape(case["value_shape"])
    rule = excluded(case)
    try:
        if case["op"] == "set":
            x[positions] = value
        elif case["op"] == "iadd":
            x[positions] += value
        else:
            # If the value has fewer axes than `positions`, np.add.at reads beyond the end of the value, so leading axes
            # are added.
            np.add.at(x, positions, value.reshape([1] * (positions.ndim - value.ndim) + list(value.shape)))
    except ValueError as failure:
        return {**error(failure, KINDS), **rule}
    surplus = case["value_shape"][: max(value.ndim - positions.ndim, 0)]
    if positions.size == 0 and any(size != 1 for size in surplus):
        rule = {"excluded": "empty_result"}
    return {**output(x.reshape(case["shape"])), **rule}


# ----------------------------------------------------------------------------------------------------------------------


def result_of(case):
    return assignment_result(case) if "op" in case else read_result(case)


def with_numpy_results(cases):
    """Returns the cases, each with NumPy's result."""
    cases = with_results(result_of, cases)
    for case in cases:
        if case.get("error", {}).get("kind") == "crash":
            case["excluded"] = "crash"
    return cases


def main():
    for name, generate in [("numpy_lists", read_cases), ("numpy_lists_assign", assignment_cases)]:
        cases = with_numpy_results(distinct(generate(random.Random(SEED))))
        write(name, __file__, ["numpy"], SEED, cases, EXCLUSIONS)


if __name__ == "__main__":
    main()
