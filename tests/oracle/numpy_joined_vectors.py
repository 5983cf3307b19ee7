"""Records NumPy's results for slices with masks and lists with several axes, and with points, each of which applies to its
own axes.

Writes numpy_joined.jsonl.gz, numpy_joined_assign.jsonl.gz and numpy_brackets.jsonl.gz. NumPy's `x[...]` combines several
lists. The results in the first two files are therefore computed one item at a time, from the last to the first, and are
compared with the positions of each item, which are computed without indexing. The last file contains the results of
NumPy's own `x[...]`.

Items are encoded as in numpy_lists_vectors.py. A list with any number of axes is ["L", shape, elements, dtype], a mask is
["M", shape, [0, 1, ...]], and points are ["z", [[shape, elements, dtype], ...]]. If a slice has several errors, an error in
the number of items or ellipses is recorded if there is one, and otherwise the error of the leftmost invalid item.
"""

import itertools
import random
import re
from math import prod

import numpy as np

import numpy_lists_vectors as lists
from common import EXTREMES, arbitrary_range, distinct, error, nonempty_range, output, random_index, random_shape, value_shape, with_results, write

SEED = 20260714

KINDS = [
    *lists.KINDS[:5],
    (re.compile("indexing arrays could not be broadcast"), "broadcast_points"),
    *lists.KINDS[5:],
    (re.compile("too large to convert"), "index_oob"),
]

EXCLUSIONS = {
    **lists.EXCLUSIONS,
    "nothing_left": "if the points are broadcast to no element, their positions are not checked, or are checked with a warning",
    "zero_rank": "np.zeros((), bool) and an array without axes inside brackets have a meaning of their own",
}


# ---- cases -----------------------------------------------------------------------------------------------------------


def axes_of(item):
    """Returns the number of axes to which an item applies."""
    kind = item[0]
    if kind == "M":
        return len(item[1])
    if kind == "z":
        return len(item[1])
    return int(kind in "rilmL")


def array_of(rng, shape, n):
    """Returns a list of shape `shape` with positions on an axis of length `n`."""
    numbers = [rng.randrange(-n, n) for _ in range(prod(shape))] if n else []
    fitting = [name for name in lists.INTEGERS if all(np.iinfo(name).min <= x <= np.iinfo(name).max for x in numbers)]
    shape = shape if n else [*shape[:-1], 0] if shape else [0]
    return [shape, numbers, "int64" if rng.random() < 0.5 else rng.choice(fitting)]


def list_shape(rng, ranks):
    return [rng.choice([1, 1, 2, 2, 3, 4]) if rng.random() > 0.04 else 0 for _ in range(rng.choice(ranks))]


def table_item(rng, n):
    return ["L", *array_of(rng, list_shape(rng, [1, 2, 2, 3]), n)]


def mask_item(rng, shape):
    share = rng.choice([0.1, 0.5, 0.5, 0.9, 1]) if rng.random() < 0.95 else 0
    return ["M", list(shape), [int(rng.random() < share) for _ in range(prod(shape))]]


def points_item(rng, shape):
    """Returns points on axes with the lengths `shape`: lists that can be broadcast."""
    target = list_shape(rng, [1, 1, 1, 2, 3])
    arrays = []
    for n in shape:
        own = [1 if rng.random() < 0.2 else length for length in target]
        own = own if rng.random() < 0.8 else own[rng.randint(0, len(own)) :]
        arrays.append(array_of(rng, own, n))
    return ["z", arrays]


def random_items(rng, shape):
    """Returns items that fit `shape`, with at least one of the items of this file if there is an axis."""
    rank = len(shape)
    covered = rng.choice([0, 0, 0, 1, 2]) if rng.random() < 0.5 else 0
    used = max(rank - covered, min(rank, 1))
    gap = rng.randint(0, used)
    items, axis, gap_position = [], 0, None
    first = rng.randrange(used) if used else None
    while axis < used:
        if axis >= gap and gap_position is None:
            gap_position = len(items)
        limit = used if axis >= gap else gap
        at = axis + (rank - used if axis >= gap else 0)
        room = limit - axis
        kind = rng.random()
        if axis >= first and first is not None or kind < 0.3:
            first = used if first is not None and axis >= first else first
            count = rng.randint(1, min(room, 3))
            lens = shape[at : at + count]
            kind = rng.random()
            if kind < 0.35:
                items.append(mask_item(rng, lens))
            elif kind < 0.75:
                items.append(points_item(rng, lens))
            else:
                items.append(table_item(rng, lens[0]))
                count = 1
            axis += count
            continue
        n = shape[at]
        if kind < 0.45:
            items.append(lists.list_or_mask_item(rng, n))
        elif kind < 0.65 and n:
            items.append(random_index(rng, n))
        else:
            items.append((arbitrary_range if rng.random() < 0.05 else nonempty_range)(rng, n))
        axis += 1
    if used < rank or rng.random() < 0.2:
        items.insert(len(items) if gap_position is None else gap_position, ["e"])
    while rng.random() < 0.2:
        items.insert(rng.randint(0, len(items)), ["n"])
    return items


def with_error(rng, items, shape):
    """Returns the items with a change that usually causes an error."""
    items = [list(item) for item in items]
    change = rng.choice(["position", "position", "mask", "mask", "points", "too many", "ellipses", "index"])
    joined = [at for at, item in enumerate(items) if item[0] in "LMz"]
    if change == "ellipses":
        items[rng.randint(0, len(items)) : 0] = [["e"], ["e"]]
    elif change == "too many" or not joined:
        items.insert(rng.randint(0, len(items)), rng.choice([mask_item(rng, [2, 2]), points_item(rng, [2, 3]), ["L", [1, 1], [0], "int64"]]))
    elif change == "index":
        items.insert(rng.randint(0, len(items)), ["i", rng.choice(EXTREMES + [7, -7])])
    else:
        item = items[rng.choice(joined)]
        if item[0] == "M":
            item[1] = [max(n + (rng.choice([-1, 1, 2]) if rng.random() < 0.6 else 0), 0) for n in item[1]]
            item[2] = [rng.randint(0, 1) for _ in range(prod(item[1]))]
        elif change == "points" and item[0] == "z":
            own = list_shape(rng, [1, 2])
            item[1] = [*item[1][:-1], [own, [0] * prod(own), "int64"]]
        else:
            array = rng.choice(item[1]) if item[0] == "z" else item[1:]
            name = rng.choice(lists.INTEGERS)
            info = np.iinfo(name)
            if array[1]:
                place = rng.randrange(len(array[1]))
                numbers = list(array[1])
                numbers[place] = rng.choice([7, 9, -7, info.min, info.max, info.max - 1])
                kept = all(info.min <= x <= info.max for x in numbers)
                array[1], array[2] = numbers, name if kept else "int64"
                array[1] = [x if -(2**63) <= x < 2**63 or array[2] == "uint64" else 2**63 - 1 for x in array[1]]
                if item[0] == "L":
                    item[1:] = array
    return items


def random_case(rng, max_elements=400):
    shape = random_shape(rng, max_elements=max_elements, zero=0.03)
    items = random_items(rng, shape)
    return {"shape": shape, "items": with_error(rng, items, shape) if rng.random() < 0.25 else items}


def extreme_cases():
    """Yields points and tables with the extremes of each integer type."""
    for name in lists.INTEGERS:
        info = np.iinfo(name)
        for n in [1, 127, 128, 129, 256, 32768, 65536]:
            for numbers in [[info.min, 0], [info.max, 0], [0, info.max - 1], [info.min + 1, 0]]:
                yield {"shape": [n], "items": [["L", [2, 1], numbers, name]]}
                if n < 300:
                    yield {"shape": [2, n], "items": [["z", [[[1], [1], "int64"], [[2], numbers, name]]]]}


def read_cases(rng):
    for _ in range(4600):
        yield random_case(rng)
    yield from extreme_cases()


def assignment_cases(rng, draws=2700):
    for _ in range(draws):
        case = random_case(rng, max_elements=60)
        if not any(item[0] in "LMz" for item in case["items"]):
            continue
        selected = read_result(case).get("out", {"shape": [0]})["shape"]
        if not selected:
            continue  # one element, as with indices
        op = rng.choice(["set", "set", "set", "iadd", "add_at", "add_at"])
        yield {**case, "op": op, "value_shape": value_shape(rng, selected)}


# ---- results ---------------------------------------------------------------------------------------------------------


def array(shape, numbers, dtype):
    return np.array(numbers, dtype).reshape(shape)


def python_items(item):
    """Returns the indices of NumPy's `x[...]` that an item stands for."""
    kind, *rest = item
    if kind == "L":
        return (array(*rest),)
    if kind == "M":
        return (np.array(rest[1], bool).reshape(rest[0]),)
    if kind == "z":
        return tuple(array(*one) for one in rest[0])
    return (lists.python_item(item),)


def with_axes(x, items):
    """Returns each item with its first axis. Axes without an item get the range `:`."""
    plain = []
    for item in items:
        plain += [item] if item[0] in "ne" else [["r", None, None, None]] * axes_of(item)
    x[tuple(map(lists.python_item, plain))]  # raises NumPy's error for too many items or ellipses
    whole = [["r", None, None, None]] * (x.ndim - sum(map(axes_of, items)))
    if ["e"] not in items:
        items = [*items, ["e"]]
    at = items.index(["e"])
    axis, result = 0, []
    for item in [*items[:at], *whole, *items[at + 1 :]]:
        result.append((axis, item))
        axis += axes_of(item)
    return result


def one_item_at_a_time(x, items):
    items = with_axes(x, items)
    for axis, item in items:  # raises the error of the leftmost invalid item
        if item[0] != "n":
            x[(slice(None),) * axis + python_items(item)]
    for axis, item in reversed(items):
        x = x[(slice(None),) * axis + python_items(item)]
    return x


def coordinates(item, sizes):
    """Returns the shape of the axes that an item gives, and the positions on its axes of each of their elements, computed
    without indexing."""
    kind, *rest = item
    if kind == "n":
        return [1], [()]
    if kind == "i":
        return [], [(rest[0] % sizes[0],)]
    if kind == "r":
        positions = range(sizes[0])[slice(*rest)]
        return [len(positions)], [(k,) for k in positions]
    if kind in "mM":
        shape, bits = (rest if kind == "M" else ([len(rest[0])], rest[0]))
        places = list(itertools.product(*map(range, shape)))
        chosen = [place for place, bit in zip(places, bits) if bit]
        return [len(chosen)], chosen
    arrays = [array(*one) for one in rest[0]] if kind == "z" else [array(*(rest if kind == "L" else ([len(rest[0])], *rest)))]
    broadcast = np.broadcast_arrays(*arrays)
    columns = [[int(k) % size for k in one.ravel().tolist()] for one, size in zip(broadcast, sizes)]
    return list(broadcast[0].shape), list(zip(*columns))


def without_indexing(shape, items):
    x = np.empty(shape, "b")
    parts = [coordinates(item, shape[axis : axis + axes_of(item)]) for axis, item in with_axes(x, items)]
    strides = [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    elements = [
        sum(k * stride for k, stride in zip(itertools.chain(*place), strides))
        for place in itertools.product(*(places for _, places in parts))
    ]
    return np.array(elements, np.intp).reshape([n for lens, _ in parts for n in lens])


def excluded(case):
    """Returns {"excluded": rule} if a rule excludes the case, and otherwise {}."""
    try:
        items = with_axes(np.empty(case["shape"], "b"), case["items"])
    except IndexError:
        return {}
    for axis, item in items:
        sizes = case["shape"][axis : axis + axes_of(item)]
        arrays = {"l": lambda: [[[len(item[1])], *item[1:]]], "L": lambda: [item[1:]], "z": lambda: item[1]}.get(item[0], list)()
        if any(dtype == "uint64" and any(k > 2**63 - 1 for k in numbers) for _, numbers, dtype in arrays):
            return {"excluded": "wrapped"}
        if item == ["m", []] and sizes != [0]:
            return {"excluded": "empty_mask"}
        if item[0] == "M" and not prod(item[1]) and item[1] != sizes:
            return {"excluded": "empty_mask"}
        if item[0] == "z":
            try:
                broadcast = np.broadcast_shapes(*(shape for shape, _, _ in arrays))
            except ValueError:
                continue
            if not prod(broadcast) and any(numbers for _, numbers, _ in arrays):
                return {"excluded": "nothing_left"}
    return {}


def read_result(case):
    x = np.arange(prod(case["shape"])).reshape(case["shape"])
    rule = excluded(case)
    try:
        result = one_item_at_a_time(x, case["items"])
    except (IndexError, ValueError, OverflowError) as failure:
        return {**error(failure, KINDS), **rule}
    if not rule:
        expected = without_indexing(case["shape"], case["items"])
        assert result.shape == expected.shape and np.array_equal(result, expected), case
    return {**output(result), **rule}


def result_of(case):
    if "op" in case:
        return assignment_result(case)
    return own_brackets(case) if case.get("own") else read_result(case)


def assignment_result(case):
    original = lists.read_result, lists.excluded
    lists.read_result, lists.excluded = read_result, excluded
    try:
        return lists.assignment_result(case)
    finally:
        lists.read_result, lists.excluded = original


# ---- NumPy's own brackets ---------------------------------------------------------------------------------------------


def own_cases(rng):
    for _ in range(6200):
        case = random_case(rng, max_elements=300)
        items = []
        for item in case["items"]:
            items += [["L", *one] for one in item[1]] if item[0] == "z" else [item]
        if rng.random() < 0.3 and items:
            # Lists that NumPy broadcasts to each other.
            length = rng.randint(1, 4)
            items = [["L", [rng.choice([length, length, 1])], [], "int64"] if item[0] in "lL" else item for item in items]
            for item in items:
                if item[0] == "L" and not item[2]:
                    item[2] = [rng.randint(-1, 0) for _ in range(item[1][0])]
        yield {"shape": case["shape"], "items": items, "own": True}


def own_brackets(case):
    x = np.arange(prod(case["shape"])).reshape(case["shape"])
    rule = excluded(case)
    arrays = [item for item in case["items"] if item[0] in "lLmM"]
    if any(item[0] == "L" and not item[1] or item[0] == "M" and not item[1] for item in arrays):
        rule = {"excluded": "zero_rank"}
    index = tuple(itertools.chain(*map(python_items, case["items"])))
    try:
        result = x[index]
    except (IndexError, ValueError, OverflowError) as failure:
        return {**error(failure, KINDS), **rule}
    chosen = [one.sum() if one.dtype == bool else one.size for one in index if isinstance(one, np.ndarray)]
    if 0 in chosen and any(item[0] in "lL" and item[1] for item in arrays):
        rule = rule or {"excluded": "nothing_left"}
    return {**output(result), **rule}


def with_numpy_results(cases):
    """Returns the cases, each with NumPy's result."""
    cases = with_results(result_of, cases)
    for case in cases:
        if case.get("error", {}).get("kind") == "crash":
            case["excluded"] = "crash"
    return cases


def main():
    for name, generate in [
        ("numpy_joined", read_cases),
        ("numpy_joined_assign", assignment_cases),
        ("numpy_brackets", own_cases),
    ]:
        cases = with_numpy_results(distinct(generate(random.Random(SEED))))
        write(name, __file__, ["numpy"], SEED, cases, EXCLUSIONS)


if __name__ == "__main__":
    main()
