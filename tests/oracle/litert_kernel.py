"""Simulates LiteRT's STRIDED_SLICE. The simulation follows LiteRT's source code, and litert_vectors.py compares it with
LiteRT itself for every case that no rule excludes.

LiteRT infers the shape of the output from the last axis to the first, and then copies the elements with separate loops.
If the loops write fewer elements than the output has, the remaining elements are uninitialized. If the loops write more
elements, they write beyond the end of the output. In both cases, the simulation returns the name of a rule in RULES
instead of a result. It also returns the name of a rule if LiteRT reads beyond an operand, or accepts a spec that this
library rejects or interprets differently. If the option `offset` is true, the vector `end` contains lengths instead of
bounds.
"""

from itertools import product
from math import prod

I32_MIN, I32_MAX = -(2**31), 2**31 - 1

# For each rule, the reason for excluding a case. litert_vectors.py records these reasons, and itself applies the rule
# `reverse_of_nothing`, which concerns REVERSE_V2.
RULES = {
    "index_behind": "an index beyond the end of the axis is not checked: no element is written, so the result is uninitialized "
    "memory, or an empty array if nothing else is selected; this library refuses it",
    "index_before": "an index before the axis is not checked, and selects element 0; this library refuses it",
    "backward_index": "an index with a negative stride writes no element, so the result is uninitialized memory",
    "surplus_entries": "entries without an axis are ignored; this library refuses them",
    "new_axis_beyond": "a bit of new_axis_mask beyond the entries inserts an axis, and an axis of the input is lost",
    "hungry_ellipsis": "an ellipsis that covers no axis consumes the next axis, so the entries after it apply to wrong axes, "
    "or to axes that do not exist",
    "second_ellipsis": "a second ellipsis is accepted, and the entries before it are applied as if it were the only one; with "
    "new axes, the run fails without a message; this library refuses it",
    "operand_overrun": "strides are read beyond the end of their vector",
    "offset_elsewhere": "with offset, the length of a new or whole axis is also read from the vector of lengths, at the "
    "position of the axis in the result, which may be beyond the end of the vector",
    "offset_overrun": "with offset, the output has the given length even if the axis is shorter or longer, so elements stay "
    "unwritten, or are written beyond the output",
    "reverse_of_nothing": "the process crashes if an axis after the reversed axes has length 0",
    "shift_overrun": "masks have more than 31 bits, and shifts overflow",
}


def wrapped32(value):
    return (value - I32_MIN) % 2**32 + I32_MIN


def bit(mask, i):
    return i < 32 and mask >> i & 1 == 1


def entries_of(case):
    """Returns (rule, None) if a rule applies to the entries, and otherwise (None, axes). Each axis is ("new",) for a
    new axis, ("whole", length) for an axis without an entry, or ("entry", index of the entry, length)."""
    rank, count = len(case["shape"]), len(case["begin"])
    ellipsis, new = case["ellipsis_mask"], case["new_axis_mask"]
    added = sum(bit(new, i) and not bit(ellipsis, i) for i in range(count))
    total = rank + added
    if total > 31:
        return "shift_overrun", None
    if sum(bit(ellipsis, i) for i in range(max(total, count))) > 1:
        return "second_ellipsis", None
    if not any(bit(ellipsis, i) for i in range(count)) and any(bit(new, i) for i in range(count, total)):
        return "new_axis_beyond", None
    axes, extra, new_count, i = [], 0, 0, 0
    while i < total:
        if bit(ellipsis, i):
            end = max(i + 1, min(i + 1 + total - count, total))
            if total < count:
                return "hungry_ellipsis", None
            extra = end - i - 1
            while i < end:
                if i - new_count >= rank:
                    return "hungry_ellipsis", None
                axes.append(("whole", case["shape"][i - new_count]))
                i += 1
            continue
        if bit(new, i - extra):
            axes.append(("new",))
            new_count += 1
        elif i - new_count >= rank:
            return "hungry_ellipsis", None
        elif i >= count + extra:
            axes.append(("whole", case["shape"][i - new_count]))
        else:
            axes.append(("entry", i - extra, case["shape"][i - new_count]))
        i += 1
    applied = {entry[1] for entry in axes if entry[0] == "entry"}
    if any(not bit(ellipsis | new, i) and i not in applied for i in range(count)):
        return "surplus_entries", None
    return None, axes


def clamped(bound, stride, n):
    bound = bound + n if bound < 0 else bound
    return min(max(bound, 0), n) if stride > 0 else min(max(bound, -1), n - 1)


def strided_slice(case):
    """Returns the predicted result of a case: {"out": ...}, {"error": kind} or {"rule": name}."""
    begin, end, strides, offset = case["begin"], case["end"], case["strides"], case["offset"]
    if len(begin) != len(end):
        return {"error": "length_mismatch"}
    if len(begin) > 31:
        return {"error": "too_many_items"}
    if len(strides) < len(begin):
        return {"rule": "operand_overrun"}
    rule, axes = entries_of(case)
    if rule:
        return {"rule": rule}
    if offset and any(kind != "entry" for kind, *_ in axes):
        return {"rule": "offset_elsewhere"}
    shape, position_ranges, rules = [], [], []
    for i in reversed(range(len(axes))):
        kind, *numbers = axes[i]
        if kind != "entry":
            n = 1 if kind == "new" else numbers[0]
            shape.insert(0, n)
            position_ranges.insert(0, range(n))
            continue
        at, n = numbers
        stride = strides[at]
        begin_mask, end_mask, shrink = (bit(case[name + "_mask"], at) for name in ("begin", "end", "shrink_axis"))
        if stride == 0:
            return {"error": "zero_stride"}
        if stride == I32_MIN and not shrink:
            return {"error": "lowest_stride"}
        first = (0 if stride > 0 else n - 1) if begin_mask else clamped(begin[at], stride, n)
        if shrink:
            position_ranges.insert(0, range(first, first + 1) if 0 <= first < n and stride > 0 else range(0))
            if stride < 0:
                rules.append("backward_index")
            elif not 0 <= first < n:
                rules.append("index_behind")
            elif not begin_mask and begin[at] < -n:
                rules.append("index_before")
            continue
        if offset:
            distance = end[i]
            last = wrapped32(end[at] + first)
        else:
            last = end[at]
        last = (n if stride > 0 else -1) if end_mask else clamped(last, stride, n)
        if not offset:
            distance = last - first
        length = max(-(-distance // stride), 0)
        shape.insert(0, length)
        position_range = range(first, last, stride)
        position_ranges.insert(0, position_range)
        if len(position_range) != length:
            rules.append("offset_overrun")
    if rules:
        return {"rule": rules[-1]}
    element_strides = [0] * len(axes)
    step = 1
    for i in reversed(range(len(axes))):
        if axes[i][0] != "new":
            element_strides[i] = step
            step *= axes[i][-1]
    positions = product(*position_ranges) if prod(shape) else []
    elements = [sum(k * s for k, s in zip(position, element_strides)) for position in positions]
    return {"out": {"shape": shape, "elements": elements}}
