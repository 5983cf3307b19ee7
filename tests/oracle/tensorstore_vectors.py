"""Records the elements that TensorStore selects with IndexTransforms.

Writes tensorstore.jsonl.gz. The array is an in-memory TensorStore with the values 0, 1, 2, ... in C order. TensorStore
reads the transforms from JSON. About half of the transforms were created by TensorStore from slices. The others contain
random numbers, and may be invalid.
"""

import json
import random
from math import prod

from common import EXTREMES, distinct, first_elements, random_shape, run_in_child, write

SEED = 20240617

EXCLUSIONS = {
    "overflow": "Offsets and strides near the limits of 64 bits overflow when bounds are computed, even of empty dimensions, "
    "although their positions are well defined.",
    "not_a_slice": "Dimensions in another order than their axes, two axes on one dimension, or a dimension without an axis that "
    "repeats elements: valid, but not a slice. The test checks that these are refused.",
}


def slice_text(rng, shape):
    """Returns the text of a slice with bounds within the array, as TensorStore requires, and with new axes and an
    ellipsis in some cases."""
    items, axes = [], list(shape)
    while axes and rng.random() < 0.85:
        n = axes.pop(0)
        kind = rng.random()
        if kind < 0.2 and n:
            items.append(str(rng.randrange(n)))
            continue
        begin, end = sorted(rng.randint(0, n) for _ in range(2))
        step = rng.choice(["", "", "", "2", "3"])
        if rng.random() < 0.35:
            last = rng.randint(-1, begin - 1) if begin else -1
            begin = str(end - 1) if end else ""
            items.append(f"{begin if rng.random() < 0.6 else ''}:{last if rng.random() < 0.4 else ''}:-{step or 1}")
        else:
            items.append(f"{begin if rng.random() < 0.7 else ''}:{end if rng.random() < 0.7 else ''}:{step}".removesuffix(":"))
        if not items[-1]:
            items[-1] = ":"
    if rng.random() < 0.3:
        items.insert(rng.randint(0, len(items)) if not axes or rng.random() < 0.3 else len(items), "...")
    while rng.random() < 0.3:
        items.insert(rng.randint(0, len(items)), "ts.newaxis")
    return ", ".join(items) or "..."


def bounds(rng, low, high):
    """Returns the bounds of one dimension of the domain. Some bounds are implicit (written as lists) or infinite."""
    if rng.random() < 0.12:
        low = [low] if rng.random() < 0.7 else ["-inf"]
    if rng.random() < 0.15:
        high = [high] if rng.random() < 0.7 else ["+inf"]
    if rng.random() < 0.01:
        low = "-inf"
    return low, high


def output_map(rng, dimension, n):
    """Returns an output index map and the interval of its input dimension. The selected positions are mostly within an
    axis of length `n`."""
    stride = rng.choice([1, 1, 1, 1, -1, -1, 2, 3, -2, -3])
    if rng.random() < 0.05:
        stride = rng.choice([*EXTREMES, 0])
    length = rng.randint(0, -(-n // max(abs(stride), 1)))
    first_count = max(n - (length - 1) * abs(stride), 1) if length else n + 3
    first = rng.randrange(first_count)
    start = first if stride > 0 else first + (length - 1) * abs(stride)
    origin = rng.choice([0, 0, 0, rng.randint(-6, 6)])
    offset = start - stride * origin
    if rng.random() < 0.08:
        offset += rng.choice([-1, 1, -n, n])
    if rng.random() < 0.03:
        offset = rng.choice(EXTREMES)
    if rng.random() < 0.04:
        length += 1
    result = {"input_dimension": dimension, "offset": offset, "stride": stride}
    for name, default in ("offset", 0), ("stride", 1):
        if result[name] == default and rng.random() < 0.7:
            del result[name]
    limit = 2**63
    result = {name: max(min(value, limit - 1), -limit) for name, value in result.items()}
    return result, (origin, origin + length)


def random_transform(rng, shape):
    """Returns the JSON of a transform with an output index map for each axis. The input dimensions are mostly in the
    order of the axes."""
    output, intervals = [], []
    for n in shape:
        if rng.random() < 0.12:
            intervals.append((0, rng.choice([1, 1, 1, 1, 0, 2])))
        if rng.random() < 0.2:
            index = rng.randrange(n) if n and rng.random() < 0.95 else rng.choice([-1, n, *EXTREMES])
            output.append({"offset": index} if index or rng.random() < 0.5 else {})
            continue
        entry, interval = output_map(rng, len(intervals), n)
        output.append(entry)
        intervals.append(interval)
    if output and rng.random() < 0.06:
        one, other = rng.choice(output), rng.choice(output)
        if "input_dimension" in one and "input_dimension" in other:
            one["input_dimension"], other["input_dimension"] = other["input_dimension"], one["input_dimension"]
            if rng.random() < 0.4:
                other["input_dimension"] = one["input_dimension"]
    if rng.random() < 0.03:
        rng.choice([lambda: output.pop() if output else None, lambda: output.append({}), lambda: intervals.append((0, 1))])()
    pairs = [bounds(rng, low, high) for low, high in intervals]
    transform = {"input_inclusive_min": [low for low, _ in pairs]}
    highs = [high for _, high in pairs]
    simple = all(isinstance(bound, int) for pair in pairs for bound in pair)
    match rng.choice(["exclusive", "exclusive", "exclusive", "inclusive", "shape"]):
        case "inclusive" if simple:
            transform["input_inclusive_max"] = [high - 1 for high in highs]
        case "shape" if simple:
            transform["input_shape"] = [high - low for low, high in pairs]
            if not any(low for low, _ in pairs) and pairs:
                del transform["input_inclusive_min"]
        case _:
            transform["input_exclusive_max"] = highs
    if rng.random() < 0.1:
        transform["input_labels"] = [rng.choice(["", f"d{i}"]) for i in range(len(pairs))]
    if not pairs or rng.random() < 0.1:
        transform["input_rank"] = len(pairs)
    return transform | {"output": output}


def random_cases(rng, count):
    for i in range(count):
        shape = random_shape(rng, ranks=[0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5])
        if i % 2:
            yield {"shape": shape, "slice": slice_text(rng, shape)}
        else:
            yield {"shape": shape, "transform": random_transform(rng, shape)}


def is_slice(transform, shape):
    """Returns True if a transform whose result has shape `shape` is a slice: each input dimension is used for at most
    one axis, in the order of the axes, and unused dimensions have length 0 or 1."""
    output = transform.get("output", [{"input_dimension": axis} for axis in range(len(shape))])
    dimensions = [entry["input_dimension"] for entry in output if "input_dimension" in entry and entry.get("stride", 1)]
    ascending = all(one < other for one, other in zip(dimensions, dimensions[1:]))
    return ascending and all(n < 2 or dimension in dimensions for dimension, n in enumerate(shape))


def result_of(case):
    """Returns TensorStore's result for a case, with the transform. If TensorStore rejects the slice from which it
    should create the transform, returns {}. Must be called in a child process, because TensorStore may crash."""
    import numpy as np
    import tensorstore as ts

    first = next(first_elements)
    shape = case["shape"]
    data = ts.array(np.arange(first, first + prod(shape), dtype=np.int64).reshape(shape))
    try:
        if "slice" in case:
            transform = eval(f"ts.IndexTransform(input_shape=shape)[{case['slice']}]", {"ts": ts, "shape": shape})
            case = case | {"transform": json.loads(json.dumps(transform.to_json()))}
        selected = np.asarray(data[ts.IndexTransform(json=case["transform"])].read().result()) - first
        result = {"out": {"shape": list(selected.shape), "elements": selected.ravel().tolist()}}
        if not is_slice(case["transform"], selected.shape):
            result["excluded"] = "not_a_slice"
    except (IndexError, ValueError, RuntimeError, OverflowError) as failure:
        if "transform" not in case:
            return {}
        result = {"error": {"kind": "refused", "message": str(failure).split("\n")[0].split(" [transform=")[0][:200]}}
        if "Integer overflow" in str(failure):
            result["excluded"] = "overflow"
    return {"transform": case["transform"]} | result


def main():
    cases = list(distinct(random_cases(random.Random(SEED), 7000)))
    results = zip(cases, run_in_child(result_of, cases))
    records = [case | result for case, result in results if result]
    write("tensorstore", __file__, ["tensorstore", "numpy"], SEED, records, EXCLUSIONS)


if __name__ == "__main__":
    main()
