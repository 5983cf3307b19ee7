"""Simulates MindSpore's CPU kernel for StridedSlice, and contains rules for the cases in which the kernel reads the
wrong elements.

The kernel always handles eight dimensions. Entry i applies to dimension i, even if an ellipsis or a new axis precedes
it. The kernel usually iterates over all dimensions and writes the elements in sequence to the output, even if the
output is too large or too small for them. If the shapes of input and output have the same rank and differ in only one
dimension, the kernel slices only that dimension and copies the others in full, provided that the work can be divided
among threads.

The shape and the arguments in a case therefore determine which elements the kernel reads. `defect` returns None if
these are the correct elements, and otherwise the name of a rule in DEFECTS.
"""

from itertools import product
from math import prod

from common import I32_MAX, I32_MIN

DIMENSIONS = 8


def bit(case, mask, entry):
    return case[mask] >> entry & 1


def dimensions(case):
    """Yields the dimension to which each entry should apply, or None for a new axis or the ellipsis.

    If bits of several masks are set for an entry, the ellipsis takes precedence over a new axis, and a new axis over an
    index.
    """
    entries = range(len(case["begin"]))
    ellipsis = next((i for i in entries if bit(case, "ellipsis_mask", i)), None)
    without_dimension = [i for i in entries if i == ellipsis or bit(case, "new_axis_mask", i)]
    next_dimension = 0
    for i in entries:
        if i == ellipsis:
            next_dimension += len(case["shape"]) - (len(entries) - len(without_dimension))
        yield None if i in without_dimension else next_dimension
        next_dimension += i not in without_dimension


def loop_ranges(case):
    """Yields the begin, end and stride of the loop over each of the kernel's eight dimensions."""
    count = len(case["begin"])
    for dimension, n in enumerate(case["shape"] + [1] * (DIMENSIONS - len(case["shape"]))):
        begin, end, stride = (case[name][dimension] for name in ("begin", "end", "strides")) if dimension < count else (0, n, 1)
        begin = min(max(begin + n, 0) if begin < 0 else begin, n)
        end = max(end + n if end < 0 else min(end, n), -1)
        if bit(case, "begin_mask", dimension):
            begin = n - 1 if stride < 0 else 0
        if bit(case, "end_mask", dimension):
            end = -1 if stride < 0 else n
        if bit(case, "ellipsis_mask", dimension) or bit(case, "new_axis_mask", dimension):
            begin, end, stride = 0, n, 1
        if bit(case, "shrink_axis_mask", dimension):
            end, stride = (begin + 1, 1) if begin < end else (begin - 1, -1)
        yield begin, end, stride


def single_dimension(case, shape):
    """Returns the only dimension in which the shapes of the input and the output differ. Returns None if the ranks
    differ, or if the shapes differ in no dimension or in several."""
    if len(shape) == len(case["shape"]):
        differing = [i for i, n in enumerate(case["shape"]) if shape[i] != n]
        if len(differing) == 1:
            return differing[0]
    return None


def full_loop_offsets(case):
    """Returns the offsets of the elements that a loop over all dimensions reads. Some offsets may be outside the
    input."""
    sizes = case["shape"] + [1] * (DIMENSIONS - len(case["shape"]))
    steps = [prod(sizes[dimension + 1 :]) for dimension in range(DIMENSIONS)]
    dimension_offsets = [[step * i for i in range(*loop_range)] for step, loop_range in zip(steps, loop_ranges(case))]
    return [sum(offsets) for offsets in product(*dimension_offsets)]


def kernel_offsets(case, shape):
    """Returns the offsets of the elements that the kernel reads if it slices only a single dimension whenever it
    can."""
    axis = single_dimension(case, shape)
    if axis is None:
        return full_loop_offsets(case)
    begin, _, stride = list(loop_ranges(case))[axis]
    n, outer, inner = case["shape"][axis], prod(case["shape"][:axis]), prod(case["shape"][axis + 1 :])
    if (shape[axis] if outer == 1 else outer) < 2:
        return full_loop_offsets(case)
    rows = [i * n + begin + stride * j for i in range(outer) for j in range(shape[axis])]
    return [row * inner + i for row in rows for i in range(inner)]


DEFECTS = {
    "rank_limit": "The kernel refuses more than 8 dimensions.",
    "wide_stride": "The kernel refuses strides above INT32_MAX.",
    "wrapped_stride": "Strides below INT32_MIN are truncated to 32 bits, which may be 0; "
    "a stride near INT32_MAX overflows when it is added to the begin.",
    "division_by_zero": "If input and output differ in only one dimension, the work is divided by the sizes of the "
    "dimensions before it; if one of these sizes is 0, the process crashes.",
    "shared_place": "The inferred shape ignores a shrink bit that shares its place with an ellipsis or new axis bit, "
    "but the kernel selects one element of the dimension at that place.",
    "shrink_behind": "The inferred shape ignores a shrink bit beyond the vectors, but the kernel selects one element of "
    "the dimension at that place.",
    "by_place": "Neither a new axis nor an ellipsis shifts the entries after it: the kernel applies them to the wrong "
    "dimensions, and may write beyond the end of the output.",
    "behind_the_end": "With a negative stride and a begin at or beyond the end, the kernel begins one element too far.",
    "before_the_start": "With a negative stride and a begin before the first element, the kernel selects the first element.",
    "one_dimension_only": "If input and output differ in only one dimension, the kernel slices only this dimension, and "
    "does not reverse the others.",
}


def defect(case, shape, elements):
    """Returns the first rule that predicts an incorrect result, or None if no rule does so.

    `shape` and `elements` describe the correct result. `elements` is None if the kernel should reject the case.
    """
    count, rank = len(case["begin"]), len(case["shape"])
    axis = single_dimension(case, shape)
    if rank > DIMENSIONS:
        return "rank_limit"
    if axis is not None and 0 in case["shape"][:axis]:
        return "division_by_zero"
    if elements is None:
        return None
    loops = list(loop_ranges(case))
    if any(stride > I32_MAX for _, _, stride in loops):
        return "wide_stride"
    stops = [begin + stride * len(range(begin, end, stride)) for begin, end, stride in loops]
    if any(stride < I32_MIN for _, _, stride in loops) or max(stops) > I32_MAX:
        return "wrapped_stride"
    if full_loop_offsets(case) == kernel_offsets(case, shape) == elements:
        return None
    if case["shrink_axis_mask"] & (case["ellipsis_mask"] | case["new_axis_mask"]) & (1 << count) - 1:
        return "shared_place"
    if case["shrink_axis_mask"] >> count:
        return "shrink_behind"
    if any(dimension not in (None, entry) for entry, dimension in enumerate(dimensions(case))):
        return "by_place"
    if any(stride < 0 and begin == n for n, (begin, _, stride) in zip(case["shape"], loops)):
        return "behind_the_end"
    if any(stride < 0 and begin < -n for n, begin, stride in zip(case["shape"], case["begin"], case["strides"])):
        return "before_the_start"
    if full_loop_offsets(case) == elements:
        return "one_dimension_only"
    raise ValueError(f"no rule explains why the kernel reads the wrong elements: {case}")
