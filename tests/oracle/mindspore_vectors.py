"""Records MindSpore's results for ops.strided_slice on the CPU, for the cases in which its kernel agrees with its shape
inference.

Writes mindspore.jsonl.gz. MindSpore has two implementations. If all masks are 0 and all strides are positive, the
result is a view of the input. Otherwise, shape inference checks the arguments and determines the shape of the output,
and a kernel fills the output. The shape is inferred as in NumPy, so the expected elements are computed with NumPy. If
the rules of mindspore_kernel.py predict that the kernel would read different elements than NumPy, the kernel is not
run, because it could corrupt the memory of the process. Such a case is excluded, and only the inferred shape is
recorded, if there is one.
"""

import os
import random
import re
from math import prod
from tempfile import gettempdir

import numpy as np

from common import (
    EXTREMES,
    I64_MAX,
    I64_MIN,
    MASKS,
    arbitrary_number,
    distinct,
    encode,
    error,
    first_elements,
    nonempty_range,
    output,
    random_items,
    random_shape,
    run_in_child,
    write,
)
from mindspore_kernel import DEFECTS, bit, defect, dimensions

SEED = 20240616

KINDS = [
    (re.compile("input can not be a scalar"), "scalar_input"),
    (re.compile("'strides' can not contain 0"), "zero_stride"),
    (re.compile("must have the same length"), "length_mismatch"),
    (re.compile("mask must be greater equal 0"), "mask_range"),
    (re.compile("only support one ellipsis"), "multiple_ellipsis"),
    (re.compile(r"must be in \[.* got 'strides\[\d+\]': -"), "shrink_stride"),
    (re.compile(r"must be in \["), "index_oob"),
    (re.compile("Convert shape size is not equal|less than or equal to the dimension"), "too_many_indices"),
    (re.compile("_M_range_insert|exceeds the maximum value of int64_t"), "other"),
]

EXCLUSIONS = DEFECTS | {
    "view_overflow": "A view counts its elements as (end - begin + stride - 1) / stride, which overflows 64 bits.",
    "foreign_shape": "With more ranges and indices than dimensions, shape inference reads sizes beyond the last one "
    "before anything refuses them.",
}


# ---- specs -----------------------------------------------------------------------------------------------------------


def valid_spec(rng, shape):
    """Returns a spec that is valid in NumPy. Most specs have no more entries than axes, as MindSpore requires."""
    items = random_items(rng, shape, arbitrary=0.1)
    while len(items) > len(shape) and rng.random() < 0.9:
        items = random_items(rng, shape, arbitrary=0.1)
    return encode(rng, items)


def view_spec(rng, shape):
    """Returns a spec without masks and with positive strides."""
    spec = {"begin": [], "end": [], "strides": []}
    for n in shape[: rng.randint(0, len(shape))]:
        _, begin, end, stride = nonempty_range(rng, n)
        spec["begin"].append(rng.choice([0, -n, I64_MIN, arbitrary_number(rng, n)]) if begin is None else begin)
        spec["end"].append(rng.choice([n, n + 1, I64_MAX, arbitrary_number(rng, n)]) if end is None else end)
        spec["strides"].append(min(abs(stride or 1), I64_MAX))
    return spec | dict.fromkeys(MASKS, 0)


def flip_mask_bits(rng, spec):
    """Flips one to three mask bits. Masks may then contradict each other, values of begin, end and strides that were
    ignored may take effect, or bits beyond the last entry may be set."""
    for _ in range(rng.randint(1, 3)):
        position = rng.randint(0, len(spec["begin"])) if rng.random() < 0.9 else rng.randint(0, 62)
        spec[rng.choice(MASKS)] ^= 1 << position


def invalidate(rng, spec):
    """Makes at most one change to the spec, usually one that causes an error."""
    entries = len(spec["begin"])
    position = rng.randrange(max(entries, 1))
    match rng.choice(["length", "zero", "mask", "ellipses", "index", "index", "index", "shrink", "too many"]):
        case "length":
            vector = spec[rng.choice(["begin", "end", "strides"])]
            vector.pop() if vector and rng.random() < 0.5 else vector.append(1)
        case "zero" if entries:
            spec["strides"][position : position + 1] = [0]
        case "mask":
            spec[rng.choice(MASKS)] = rng.choice([-1, -2, I64_MIN])
        case "ellipses":
            spec["ellipsis_mask"] |= 1 << position | 1 << rng.randrange(entries + 2)
        case "index" if entries:
            spec["begin"][position : position + 1] = [rng.choice([-8, -7, 7, 8, *EXTREMES])]
            spec["shrink_axis_mask"] |= 1 << position
        case "shrink" if entries:
            spec["strides"][position : position + 1] = [rng.choice([-1, -2, I64_MIN])]
            spec["shrink_axis_mask"] |= 1 << position
        case "too many":
            more = rng.randint(1, 3)
            for vector, value in zip(("begin", "end", "strides"), (0, 1, 1)):
                spec[vector] += [value] * more


def random_spec(rng, shape):
    """Returns a spec. About two thirds of the specs are valid in NumPy, and the others have contradictory masks or
    errors."""
    kind = rng.random()
    spec = view_spec(rng, shape) if kind < 0.15 else valid_spec(rng, shape)
    if 0.15 <= kind < 0.25:
        flip_mask_bits(rng, spec)
    elif kind < 0.05 or 0.25 <= kind < 0.45:
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            invalidate(rng, spec)
    return spec


def random_cases(rng, count):
    for _ in range(count):
        shape = random_shape(rng, ranks=[0, *range(1, 7), *range(1, 7), *range(2, 6)])
        yield {"shape": shape, **random_spec(rng, shape)}
    for _ in range(40):
        shape = random_shape(rng, ranks=[7, 8, 9, 10])
        yield {"shape": shape, **random_spec(rng, shape)}


# ---- expected results ------------------------------------------------------------------------------------------------


def is_view(case):
    lengths = {len(case[name]) for name in ("begin", "end", "strides")}
    return len(lengths) == 1 and not any(case[mask] for mask in MASKS) and all(stride > 0 for stride in case["strides"])


def index_flags(case):
    """Returns one boolean for each entry, which is True if the entry is an index."""
    dims = enumerate(dimensions(case))
    return [dimension is not None and bit(case, "shrink_axis_mask", entry) == 1 for entry, dimension in dims]


def view_overflows(case):
    bounds = zip(case["shape"], case["begin"], case["end"], case["strides"])
    sections = [(range(n)[begin:end], stride) for n, begin, end, stride in bounds]
    return any(len(section) + stride - 1 > I64_MAX for section, stride in sections)


def numpy_result(case):
    """Returns NumPy's result for the spec."""
    items = []
    for entry, (begin, end, stride) in enumerate(zip(case["begin"], case["end"], case["strides"])):
        if bit(case, "ellipsis_mask", entry):
            items.append(...)
        elif bit(case, "new_axis_mask", entry):
            items.append(None)
        elif bit(case, "shrink_axis_mask", entry):
            items.append(0 if bit(case, "begin_mask", entry) else begin)
        else:
            begin = None if bit(case, "begin_mask", entry) else begin
            end = None if bit(case, "end_mask", entry) else end
            items.append(slice(begin, end, stride))
    return output(np.arange(prod(case["shape"])).reshape(case["shape"])[tuple(items)])


# ---- results ---------------------------------------------------------------------------------------------------------


def result_of(request):
    """Returns the result of shape inference ("inference") or of the whole operation ("operation") for a case. Must be
    called in a child process, because MindSpore may crash."""
    os.environ["GLOG_v"] = "4"
    os.chdir(gettempdir())  # shape inference writes a report of its failures to the current directory
    import mindspore as ms

    part, case = request
    first = next(first_elements)
    data = np.arange(first, first + prod(case["shape"])).reshape(case["shape"])
    vectors = [tuple(case[name]) for name in ("begin", "end", "strides")]
    masks = [case[mask] for mask in MASKS]

    def shape_of_slice(x):
        return ms.ops.strided_slice(x, *vectors, *masks).shape

    try:
        if part == "inference":
            # The shape is a constant of the compiled function, so the slice is never computed.
            return {"shape": list(ms.jit(shape_of_slice)(ms.Tensor(data)))}
        return output(ms.ops.strided_slice(ms.Tensor(data), *vectors, *masks).asnumpy() - first)
    except (IndexError, RuntimeError, TypeError, ValueError) as failure:
        return error(failure, KINDS)


def rejected_early(case):
    """Returns True if MindSpore rejects the arguments before it compares them with the lengths of the axes."""
    if is_view(case):
        return False
    unequal = len({len(case[name]) for name in ("begin", "end", "strides")}) > 1
    negative = any(case[mask] < 0 for mask in MASKS)
    return not case["shape"] or unequal or negative or 0 in case["strides"] or case["ellipsis_mask"].bit_count() > 1


def predicted_rule(case):
    """Returns the rule that predicts an incorrect result, or None if no rule applies or MindSpore rejects the case."""
    if is_view(case):
        return "view_overflow" if view_overflows(case) else None
    if rejected_early(case):
        return None
    if sum(dimension is not None for dimension in dimensions(case)) > len(case["shape"]):
        return "foreign_shape"
    if any(index and stride < 0 for index, stride in zip(index_flags(case), case["strides"])):
        return None
    try:
        expected = numpy_result(case)["out"]
    except IndexError:
        return None
    rejected = len(case["begin"]) > len(case["shape"])
    return defect(case, expected["shape"], None if rejected else expected["elements"])


def check(case, result):
    """Raises an error if MindSpore's output differs from NumPy's, or if MindSpore should have rejected the case."""
    if "out" in result and (rejected_early(case) or result != numpy_result(case)):
        raise ValueError(f"no rule explains MindSpore's result: {case} {result}")


def excluded(case, rule, inferred):
    """Returns the result of an excluded case, with the inferred shape if there is one."""
    record = {"error": {"kind": "undefined", "message": "not asked"}, "excluded": rule}
    if inferred is None or len(case["begin"]) > len(case["shape"]):
        return record  # shape inference was not run, or MindSpore would reject the case
    if inferred["shape"] != numpy_result(case)["out"]["shape"]:
        raise ValueError(f"no rule explains the inferred shape: {case} {inferred}")
    return record | {"shape_only": inferred["shape"]}


def results_or_exclusions(cases):
    """Yields the result of the operation for each case, or a record that excludes the case if the kernel would compute
    an incorrect result."""
    rules = [predicted_rule(case) for case in cases]
    needs_inference = [rule not in (None, "foreign_shape") for rule in rules]
    requests = [("inference", case) for case, is_needed in zip(cases, needs_inference) if is_needed]
    results = run_in_child(result_of, requests)
    inferred = [next(results) if is_needed else None for is_needed in needs_inference]
    rules = [None if shape and "error" in shape else rule for rule, shape in zip(rules, inferred)]
    results = run_in_child(result_of, [("operation", case) for case, rule in zip(cases, rules) if rule is None])
    for case, rule, shape in zip(cases, rules, inferred):
        if rule is None:
            result = next(results)
            check(case, result)
            yield result
        else:
            yield excluded(case, rule, shape)


def main():
    cases = list(distinct(random_cases(random.Random(SEED), 6500)))
    records = [case | result for case, result in zip(cases, results_or_exclusions(cases))]
    write("mindspore", __file__, ["mindspore", "numpy"], SEED, records, EXCLUSIONS)


if __name__ == "__main__":
    main()
