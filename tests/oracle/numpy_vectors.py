"""Records NumPy's results for `x[...]` and for `x[...] = value`.

Writes numpy.jsonl.gz and numpy_assign.jsonl.gz. A case contains the index twice: as `items`, and as Python source in
`text`, which the script evaluates. An empty `text` stands for `x[()]`, because brackets cannot be empty in Python. Cases
marked "const": true are valid and small, and have rank 1 to 4, so that a test can compile all of them.
"""

import random
import re
from math import prod

import numpy as np

from common import (
    EXTREMES,
    arbitrary_range,
    distinct,
    error,
    nonempty_range,
    output,
    random_index,
    random_items,
    random_shape,
    value_shape,
    write,
)

SEED = 20240613

KINDS = [
    (re.compile("only have a single ellipsis"), "multiple_ellipsis"),
    (re.compile("too many indices"), "too_many_indices"),
    (re.compile("is out of bounds for axis"), "index_oob"),
    (re.compile("slice step cannot be zero"), "zero_stride"),
    (re.compile("could not broadcast"), "broadcast"),
    (re.compile("setting an array element with a sequence"), "other"),
]

EXCLUSIONS = {
    "element_assignment": "if integers alone select a single element, NumPy converts the value to a Python scalar and "
    "refuses every value that has dimensions; with an ellipsis after the integers, it accepts the shape (1,), which "
    "broadcasts to ()"
}


def with_errors(rng, items, shape):
    """Returns the items with one to three changes, most of which cause an error. If there are several errors, the
    recorded result shows which of them NumPy reports."""
    items = list(items) or [["i", 0]]
    for _ in range(rng.choice([1, 1, 2, 3])):
        position = rng.randrange(len(items))
        change = rng.choice(["ellipses", "zero step", "zero step", "index", "index", "index", "too many"])
        if change == "ellipses":
            items[position:position] = [["e"], ["e"]]
        elif change == "zero step":
            items[position] = ["r", *arbitrary_range(rng, 4)[1:3], 0]
        elif change == "index":
            n = rng.choice(shape or [0])
            items[position] = ["i", rng.choice([n, n + 1, -n - 1, -n - 2, *EXTREMES])]
        else:
            items[position:position] = [nonempty_range(rng, 3) for _ in range(rng.randint(1, 3))]
    return items


def with_many_new_axes(rng, shape):
    """Returns 58 to 64 items: one for each axis, and new axes. The rank of the output is thus near NumPy's limit of
    64."""
    items = [random_index(rng, n) if rng.random() < 0.3 else nonempty_range(rng, n) for n in shape]
    for _ in range(rng.randint(58, 64) - len(shape)):
        items.insert(rng.randint(0, len(items)), ["n"])
    return items


def spell(rng, items):
    """Returns the items as Python source, each in one of several notations."""
    parts = []
    for kind, *numbers in items:
        if kind == "i":
            parts.append(str(numbers[0]))
        elif kind == "r":
            begin, end, step = ("" if number is None else str(number) for number in numbers)
            parts.append(f"{begin}:{end}" + (f":{step}" if step or rng.random() < 0.2 else ""))
        else:
            parts.append("..." if kind == "e" else rng.choice(["None", "newaxis"]))
    return ", ".join(parts) + ("," if parts and rng.random() < 0.1 else "")


def random_spec(rng, shape):
    """Returns the items of a spec. Three specs in four select elements, unless an axis has length 0. Most of the others
    select nothing or are invalid."""
    kind = rng.random()
    if kind < 0.75:
        return random_items(rng, shape)
    if kind < 0.85:
        return random_items(rng, shape, arbitrary=0.5)
    return with_errors(rng, random_items(rng, shape, arbitrary=0.2), shape)


def arange(shape, start=0):
    return np.arange(start, start + prod(shape)).reshape(shape)


def index_of(text):
    return eval(f"np.s_[{text or '()'}]", {"np": np, "newaxis": np.newaxis})


def result_of(case):
    """Returns NumPy's result for the case: the selected elements of x, the whole array x after an assignment, or an
    error."""
    x, index = arange(case["shape"]), index_of(case["text"])
    try:
        if "value_shape" not in case:
            return output(np.asarray(x[index]))
        x[index] = arange(case["value_shape"], start=1000)
        return output(x)
    except (IndexError, ValueError) as failure:
        result = error(failure, KINDS)
        return {**result, "excluded": "element_assignment"} if result["error"]["kind"] == "other" else result


# ---- slicing ---------------------------------------------------------------------------------------------------------


def slice_cases(rng):
    for _ in range(5200):
        shape = random_shape(rng)
        yield case_of(rng, shape, random_spec(rng, shape))
    for _ in range(60):
        shape = random_shape(rng, ranks=[1, 2, 3, 4])
        yield case_of(rng, shape, with_many_new_axes(rng, shape))
    for _ in range(420):
        shape = random_shape(rng, ranks=[1, 2, 2, 3, 3, 4], max_elements=60)
        yield {**case_of(rng, shape, random_items(rng, shape, arbitrary=0.15)), "const": True}


def case_of(rng, shape, items):
    return {"shape": shape, "items": items, "text": spell(rng, items)}


# ---- assignment ------------------------------------------------------------------------------------------------------


def assignment_cases(rng):
    for _ in range(1900):
        shape = random_shape(rng, max_elements=60)
        case = case_of(rng, shape, random_spec(rng, shape))
        selected = result_of(case).get("out", {"shape": []})["shape"]
        yield {**case, "value_shape": value_shape(rng, selected)}


# ----------------------------------------------------------------------------------------------------------------------


def main():
    for name, generate in [("numpy", slice_cases), ("numpy_assign", assignment_cases)]:
        cases = distinct(generate(random.Random(SEED)))
        write(name, __file__, ["numpy"], SEED, [{**case, **result_of(case)} for case in cases], EXCLUSIONS)


if __name__ == "__main__":
    main()
