"""Contains rules for the cases in which OpenVINO's implementations of StridedSlice-1 are known to be incorrect.

The implementations ("paths") are "ref", "const" and "dyn", which openvino_vectors.py describes. A rule decides,
without running OpenVINO, whether its paths are untrusted for a case. The docstring of a rule gives the reason, and is
recorded in the vector file. If a rule that applies to a case is not `safe`, its paths read or write memory outside the
tensor, or crash. They are then not run, because they could also corrupt later results of the process.
"""

from itertools import islice, zip_longest
from typing import NamedTuple

from common import I32_MAX, I32_MIN

MASKS = ["begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask"]


class Entry(NamedTuple):
    """One entry of the vectors, as shape inference reads it.

    If bits of several masks are set for an entry, the ellipsis takes precedence over a new axis, and a new axis over
    an index.
    """

    kind: str  # "ellipsis", "new axis", "index" or "range"
    size: int | None  # the length of the axis to which the entry applies; None if there is no such axis
    begin: int
    end: int
    stride: int
    begin_masked: bool


def entries(case):
    rank, count = len(case["shape"]), len(case["begin"])

    def number_at(name, i):
        return case[name][i] if i < len(case[name]) else 0

    def kind(i):
        if number_at("ellipsis_mask", i):
            return "ellipsis"
        return "new axis" if number_at("new_axis_mask", i) else "index" if number_at("shrink_axis_mask", i) else "range"

    kinds = [kind(i) for i in range(count)]
    sizes = iter(case["shape"])
    for i in range(count):
        if kinds[i] == "ellipsis":
            skipped = rank - kinds.count("index") - kinds.count("range")
            list(islice(sizes, max(skipped, 0)))
        size = next(sizes, None) if kinds[i] in ("index", "range") else None
        stride = 1 if case["strides"] is None else number_at("strides", i)
        yield Entry(kinds[i], size, case["begin"][i], number_at("end", i), stride, number_at("begin_mask", i) == 1)


def entries_of_kind(kind, case):
    return [entry for entry in entries(case) if entry.kind == kind]


def larger_rank(case):
    """Returns the larger of the ranks of the input and the output."""
    return len(case["shape"]) + max(0, len(entries_of_kind("new axis", case)) - len(entries_of_kind("index", case)))


def fits_i32(number):
    return I32_MIN < number <= I32_MAX  # INT32_MIN is excluded, because its absolute value does not fit


class Rule(NamedTuple):
    name: str
    applies: object
    paths: tuple[str, ...]
    safe: bool
    reason: str


RULES = []


def spoils(*paths, safe):
    """Registers the decorated function as a rule for `paths`."""

    def register(applies):
        reason = " ".join(applies.__doc__.split())
        RULES.append(Rule(applies.__name__, applies, paths, safe, reason))
        return applies

    return register


def spoiled_paths(case):
    """Returns the untrusted paths, each with the first rule that applies to it."""
    spoiled = {}
    for rule in RULES:
        if rule.applies(case):
            for path in rule.paths:
                spoiled.setdefault(path, rule)
    return spoiled


# ---- rules about memory outside the tensor, and crashes --------------------------------------------------------------


@spoils("ref", "dyn", safe=False)
def scalar(case):
    """If no entry of a slice of a scalar consumes a dimension, ref returns memory outside the tensor, and dyn finds no
    kernel."""
    return not case["shape"] and not entries_of_kind("index", case) + entries_of_kind("range", case)


@spoils("ref", "const", safe=False)
def shared_ellipsis(case):
    """If an entry has an ellipsis bit and also a new axis or shrink bit, the slice plan, which ref executes and const
    computes, counts the entry as one kind and places it as another."""
    kinds = zip_longest(case["new_axis_mask"], case["shrink_axis_mask"], case["ellipsis_mask"], fillvalue=0)
    return any(ellipsis and (new_axis or shrink) for new_axis, shrink, ellipsis in kinds)


@spoils("ref", safe=False)
def reverse_of_nothing(case):
    """A negative stride turns a dimension of size 0 into one of size 1, which holds memory outside the tensor."""
    return any(entry.size == 0 and entry.stride < 0 for entry in entries_of_kind("range", case))


@spoils("const", "dyn", safe=False)
def padding(case):
    """Without an ellipsis, the vectors are padded to the larger of the two ranks. Entries that are new axes are counted
    as dimensions, so the last dimensions are omitted."""
    new_axes = len(entries_of_kind("new axis", case))
    dimensions = max(len(case["begin"]), larger_rank(case)) - new_axes
    return new_axes > 0 and not entries_of_kind("ellipsis", case) and dimensions < len(case["shape"])


@spoils("const", "dyn", safe=False)
def bits_behind(case):
    """New axis, shrink and ellipsis bits beyond the vectors are counted although they belong to no entry."""
    return any(any(case[mask][len(case["begin"]) :]) for mask in MASKS[2:])


@spoils("const", "dyn", safe=False)
def short_masks(case):
    """With more entries than either rank, masks shorter than the vectors are read beyond their end."""
    count = len(case["begin"])
    return count > larger_rank(case) and any(len(case[mask]) < count for mask in MASKS)


@spoils("const", safe=False)
def stride_without_size(case):
    """A stride of INT32_MIN or below becomes INT32_MIN, whose absolute value overflows."""
    return any(entry.stride <= I32_MIN for entry in entries_of_kind("range", case))


@spoils("dyn", safe=False)
def index_of_nothing(case):
    """An index into a dimension of size 0, or into none at all after an ellipsis, reads memory outside the tensor.
    No other path notices more entries than dimensions if those without one are indices."""
    return any(not entry.size for entry in entries_of_kind("index", case))


@spoils("dyn", safe=False)
def unchecked_strides(case):
    """Neither strides of 0 nor the number of strides are checked: division by 0, zeros in the shape, or a crash."""
    return case["strides"] is not None and (len(case["strides"]) != len(case["begin"]) or 0 in case["strides"])


@spoils("dyn", safe=False)
def wrapped_stride(case):
    """Strides are truncated to 32 bits, which may be 0, or overflow."""
    return not all(fits_i32(entry.stride) for entry in entries(case))


# ---- rules about other incorrect results -----------------------------------------------------------------------------


@spoils("const", "dyn", safe=True)
def masked_index(case):
    """A begin mask bit turns every index into 0."""
    return any(entry.begin_masked for entry in entries_of_kind("index", case))


@spoils("dyn", safe=True)
def index_outside(case):
    """An index out of range is clamped to the range."""
    indices = [entry for entry in entries_of_kind("index", case) if entry.size]
    return any(not -entry.size <= entry.begin < entry.size for entry in indices)


@spoils("dyn", safe=True)
def wrapped_bounds(case):
    """Begin and end are truncated to 32 bits, or overflow."""
    return not all(fits_i32(bound) for entry in entries(case) for bound in (entry.begin, entry.end))


@spoils("dyn", safe=True)
def new_axis_behind_ellipsis(case):
    """A new axis after the ellipsis has different positions when the model is compiled and when it runs, which causes
    an error or a wrong shape."""
    kinds = [entry.kind for entry in entries(case)]
    return "ellipsis" in kinds and "new axis" in kinds[kinds.index("ellipsis") :]
