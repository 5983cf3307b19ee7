"""What MindSpore's CPU kernel for StridedSlice reads, and by which rules that is not what the inferred shape means.

The kernel handles eight dimensions, by position: entry i applies to dimension i, whatever ellipsis
and new axes come before it. It walks all of them and writes one element after another into the output, even if that is
too large or too small. Or, where input and output have the same rank and differ in one dimension only, it copies along that
dimension and takes the others as whole, provided that there are threads to share the work.

So what it reads is known beforehand: `flaw` is None where that is what it should read.
"""

from itertools import product
from math import prod

from common import I32_MAX, I32_MIN

PLACES = 8


def bit(case, mask, place):
    return case[mask] >> place & 1


def dimensions(case):
    """The dimension each entry consumes, None for new axes and the ellipsis; ellipsis > new axis > shrink."""
    places = range(len(case["begin"]))
    dots = next((i for i in places if bit(case, "ellipsis_mask", i)), None)
    free = [i for i in places if i == dots or bit(case, "new_axis_mask", i)]
    used = 0
    for i in places:
        if i == dots:
            used += len(case["shape"]) - (len(places) - len(free))
        yield None if i in free else used
        used += i not in free


def walks(case):
    """Begin, end and stride of the walk through each place, as the kernel adjusts them."""
    count = len(case["begin"])
    for place, n in enumerate(case["shape"] + [1] * (PLACES - len(case["shape"]))):
        begin, end, stride = (case[name][place] for name in ("begin", "end", "strides")) if place < count else (0, n, 1)
        begin = min(max(begin + n, 0) if begin < 0 else begin, n)
        end = max(end + n if end < 0 else min(end, n), -1)
        if bit(case, "begin_mask", place):
            begin = n - 1 if stride < 0 else 0
        if bit(case, "end_mask", place):
            end = -1 if stride < 0 else n
        if bit(case, "ellipsis_mask", place) or bit(case, "new_axis_mask", place):
            begin, end, stride = 0, n, 1
        if bit(case, "shrink_axis_mask", place):
            end, stride = (begin + 1, 1) if begin < end else (begin - 1, -1)
        yield begin, end, stride


def single_dimension(case, shape):
    """The one dimension in which the output's shape differs from the input's, if it is one."""
    if len(shape) == len(case["shape"]):
        differing = [i for i, n in enumerate(case["shape"]) if shape[i] != n]
        if len(differing) == 1:
            return differing[0]
    return None


def walked(case):
    """The input offsets that walking through all places reads, which may be outside of the input."""
    sizes = case["shape"] + [1] * (PLACES - len(case["shape"]))
    steps = [prod(sizes[place + 1 :]) for place in range(PLACES)]
    places = [[step * i for i in range(*walk)] for step, walk in zip(steps, walks(case))]
    return [sum(offsets) for offsets in product(*places)]


def copied(case, shape):
    """The input offsets that copying along the single dimension reads; those of the walk where it does not copy."""
    axis = single_dimension(case, shape)
    if axis is None:
        return walked(case)
    begin, _, stride = list(walks(case))[axis]
    n, outer, inner = case["shape"][axis], prod(case["shape"][:axis]), prod(case["shape"][axis + 1 :])
    if (shape[axis] if outer == 1 else outer) < 2:
        return walked(case)
    rows = [i * n + begin + stride * j for i in range(outer) for j in range(shape[axis])]
    return [row * inner + i for row in rows for i in range(inner)]


FLAWS = {
    "rank_limit": "The kernel refuses more than 8 dimensions.",
    "wide_stride": "The kernel refuses strides above INT32_MAX.",
    "wrapped_stride": "Strides below INT32_MIN are cut to their low 32 bits, which may be 0; a stride near INT32_MAX "
    "overflows as soon as it is added to the begin.",
    "division_by_zero": "Where input and output differ in one dimension only, the dimensions before it share the work; "
    "if one of them has size 0, the process dies.",
    "shared_place": "A shrink bit that shares its place with an ellipsis or new axis bit does not count for the shape, "
    "but for the kernel: it takes one element of the dimension at that place.",
    "shrink_behind": "A shrink bit beyond the vectors does not count for the shape, but for the kernel: it takes one "
    "element of the dimension at that place.",
    "by_place": "Neither a new axis nor an ellipsis shifts the entries after it: they slice other dimensions than the "
    "shape says, and so many elements that the output may be overrun.",
    "behind_the_end": "Backwards from a begin at or beyond the end, the kernel begins one element too far.",
    "before_the_start": "Backwards from a begin before the first element, the kernel takes the first element.",
    "one_dimension_only": "Where input and output differ in one dimension only, just that one is sliced; another "
    "one that is reversed is not.",
}


def flaw(case, shape, elements):
    """The first rule by which the kernel goes wrong where the result should have this shape and these elements.

    The elements are None where the kernel should refuse the case.
    """
    count, rank = len(case["begin"]), len(case["shape"])
    axis = single_dimension(case, shape)
    if rank > PLACES:
        return "rank_limit"
    if axis is not None and 0 in case["shape"][:axis]:
        return "division_by_zero"
    if elements is None:
        return None
    places = list(walks(case))
    if any(stride > I32_MAX for _, _, stride in places):
        return "wide_stride"
    stops = [begin + stride * len(range(begin, end, stride)) for begin, end, stride in places]
    if any(stride < I32_MIN for _, _, stride in places) or max(stops) > I32_MAX:
        return "wrapped_stride"
    if walked(case) == copied(case, shape) == elements:
        return None
    if case["shrink_axis_mask"] & (case["ellipsis_mask"] | case["new_axis_mask"]) & (1 << count) - 1:
        return "shared_place"
    if case["shrink_axis_mask"] >> count:
        return "shrink_behind"
    if any(dimension not in (None, place) for place, dimension in enumerate(dimensions(case))):
        return "by_place"
    if any(stride < 0 and begin == n for n, (begin, _, stride) in zip(case["shape"], places)):
        return "behind_the_end"
    if any(stride < 0 and begin < -n for n, begin, stride in zip(case["shape"], case["begin"], case["strides"])):
        return "before_the_start"
    if walked(case) == elements:
        return "one_dimension_only"
    raise ValueError(f"no rule says why the kernel goes wrong: {case}")
