"""Records coremltools' results for the `slice_by_index`, `slice_by_size` and `reverse` operations of MIL, Core ML's
intermediate language.

Writes coreml.jsonl.gz, coreml_size.jsonl.gz and coreml_reverse.jsonl.gz. Models are not run, because Core ML needs macOS. Instead, the results
come from constant folding. Type inference and constant folding are separate implementations, and type inference
overwrites begin and end before folding reads them. If the results of the two differ, the rule `type_and_folding`
excludes the case. The case then contains the inferred shape in `inferred` and, unless folding fails, the folded array
in `folded`. The rule `index_before` excludes cases with an index before the first position of its axis, which neither
implementation checks.
"""

import random
import re
from math import prod

from common import I32_MAX, I32_MIN, distinct, error, output, random_items, random_shape, with_results, write

SEED = 20261104

KINDS = [
    (re.compile("unsupported values in for dimension"), "crossed_bounds"),
    (re.compile("is not equal to the rank of input"), "rank_mismatch"),
    (re.compile("slice step cannot be zero"), "zero_stride"),
    (re.compile("cannot select an axis to squeeze out"), "index_oob"),
    (re.compile("expects tensor or scalar of dtype"), "empty_vector"),
    (re.compile("has no len"), "rank_mismatch"),
    (re.compile("axis -?[0-9]+ is out of bounds"), "axis_range"),
]

EXCLUSIONS = {
    "type_and_folding": "type inference and folding give different shapes, for an axis of length 1, bounds beyond the axis, "
    "an index out of range, a stride of 0, or a size of 0, below -1 or beyond the axis",
    "index_before": "an index before the axis is not checked, and selects the first element; this library refuses it",
}

MASKS = ["begin_mask", "end_mask", "squeeze_mask"]
I32_EXTREMES = [I32_MIN, I32_MIN + 1, I32_MAX - 1, I32_MAX]


def random_spec(rng, shape):
    spec = {"begin": [], "end": [], "stride": [], **{mask: [] for mask in MASKS}}
    for n in shape:
        kind = rng.random()
        begin_mask, end_mask, squeeze = rng.random() < 0.2, rng.random() < 0.2, rng.random() < 0.15
        stride = rng.choice([1, 1, 1, 2, 3, -1, -1, -2, -3, 7])
        if kind < 0.55:
            low, high = sorted((rng.randint(0, n), rng.randint(0, n)))
            begin, end = (low, high) if stride > 0 else (high - 1, low - 1)
            if rng.random() < 0.4 and n:
                begin, end = (bound - n if 0 <= bound < n else bound for bound in (begin, end))
            if squeeze and n:
                begin, begin_mask, stride = rng.randrange(n) - n * (rng.random() < 0.3), False, 1
        else:
            begin, end = rng.randint(-n - 2, n + 2), rng.randint(-n - 2, n + 2)
            if rng.random() < 0.12:
                begin = rng.choice(I32_EXTREMES)
            if rng.random() < 0.12:
                end = rng.choice(I32_EXTREMES)
            if rng.random() < 0.06:
                stride = rng.choice([0, *I32_EXTREMES])
        for name, value in zip(spec, (begin, end, stride, begin_mask, end_mask, squeeze)):
            spec[name].append(value)
    if rng.random() < 0.02 and shape:
        vector = spec[rng.choice(["begin", "end"])]
        vector.pop() if len(vector) > 1 and rng.random() < 0.5 else vector.append(1)
    return spec


def slice_by_index_cases(rng):
    for _ in range(4600):
        shape = random_shape(rng, ranks=[1, 1, 2, 2, 3, 4, 5], zero=0.02)
        yield {"shape": shape, **random_spec(rng, shape)}


def slice_by_size_cases(rng):
    for _ in range(600):
        shape = random_shape(rng, ranks=[1, 1, 2, 3, 4], zero=0.02)
        begin = [rng.randint(0, n) if rng.random() < 0.8 else rng.randint(-n - 1, n + 1) for n in shape]
        size = [
            rng.choice([-1, rng.randint(1, max(n - b, 1)), rng.randint(1, max(n - b, 1))])
            if rng.random() < 0.85
            else rng.randint(-2, n + 2)
            for n, b in zip(shape, begin)
        ]
        if rng.random() < 0.03:
            rng.choice([begin, size]).append(1)
        yield {"shape": shape, "begin": begin, "size": size}


def reverse_cases(rng):
    """Yields lists of axes, which may be empty, repeated, negative or out of bounds."""
    for _ in range(600):
        shape = random_shape(rng, ranks=[0, 1, 1, 2, 3, 4], zero=0.05)
        rank = len(shape)
        axes = [rng.randrange(-rank, rank) for _ in range(rng.randint(0, rank + 2))] if rank else []
        if rng.random() < 0.1:
            axes.insert(rng.randint(0, len(axes)), rng.choice([rank, -rank - 1, I32_MIN, I32_MAX]))
        yield {"shape": shape, "axes": axes}


# ---- results ---------------------------------------------------------------------------------------------------------


def build_op(make):
    """Returns the operation that `make` adds to a new program. The program's only input is a placeholder. The operation
    must not use the placeholder, because the placeholder's unknown value would prevent folding."""
    import coremltools as ct
    from coremltools.converters.mil.mil import Builder as mb

    built = {}

    def body(a):
        built["op"] = make(mb)
        return mb.identity(x=a)

    spec = mb.program(input_specs=[mb.TensorSpec(shape=(1,))], opset_version=ct.target.iOS17)
    spec(body)
    return built["op"]


def arguments(case):
    import numpy as np

    numbers = ("begin", "end", "stride", "size", "axes")
    return {
        name: np.array(case[name], np.int32 if name in numbers else bool) for name in (*numbers, *MASKS) if name in case
    }


def operation_of(case):
    """Returns the name of the case's operation."""
    return "reverse" if "axes" in case else "slice_by_size" if "size" in case else "slice_by_index"


def result_of(case):
    import logging

    logging.disable(logging.CRITICAL)
    import numpy as np

    x = np.arange(prod(case["shape"]), dtype=np.int32).reshape(case["shape"])

    operands = arguments(case)
    try:
        op = build_op(lambda mb: getattr(mb, operation_of(case))(x=mb.const(val=x), **operands))
    except Exception as failure:  # the only common base of the exception classes
        return rejected_result(case, failure)
    shape = [int(n) for n in op.shape]
    folded = np.asarray(op.val)
    result = output(folded)
    if result["out"]["shape"] != shape:
        message = f"inferred {tuple(shape)}, folded {folded.shape}"
        return {
            "error": {"kind": "undefined", "message": message},
            "excluded": "type_and_folding",
            "inferred": shape,
            "folded": result["out"],
        }
    return result | ({"excluded": "index_before"} if has_index_before(case) else {})


def has_index_before(case):
    """Returns True if an index lies before the first position of its axis."""
    entries = zip(case["shape"], case.get("begin", []), case.get("begin_mask", []), case.get("squeeze_mask", []))
    return any(squeeze and not masked and begin < -n for n, begin, masked, squeeze in entries)


def infer_shape(case):
    """Returns the shape that type inference finds, or the message of its error. The value of the input is unknown, so
    that nothing is folded."""
    import coremltools as ct
    from coremltools.converters.mil.mil import Builder as mb
    from coremltools.converters.mil.mil import types

    operands, inferred = arguments(case), {}

    def body(a):
        inferred["shape"] = [int(n) for n in getattr(mb, operation_of(case))(x=a, **operands).shape]
        return mb.identity(x=a)

    spec = mb.TensorSpec(shape=tuple(case["shape"]), dtype=types.int32)
    try:
        mb.program(input_specs=[spec], opset_version=ct.target.iOS17)(body)
    except Exception as failure:
        return str(failure)
    return inferred["shape"]


def rejected_result(case, failure):
    """Returns the result of a case that folding rejects. If type inference accepts the case, the result excludes the
    case and contains the inferred shape."""
    result = error(failure, KINDS)
    # Type inference does not check the axes of `reverse`.
    shape = str(failure) if "axes" in case else infer_shape(case)
    if isinstance(shape, list):
        return {**result, "excluded": "type_and_folding", "inferred": shape}
    assert error(shape, KINDS)["error"]["kind"] == result["error"]["kind"], (case, failure, shape)
    return result


def main():
    for name, generate in [
        ("coreml", slice_by_index_cases),
        ("coreml_size", slice_by_size_cases),
        ("coreml_reverse", reverse_cases),
    ]:
        cases = with_results(result_of, distinct(generate(random.Random(SEED))))
        write(name, __file__, ["coremltools", "numpy"], SEED, cases, EXCLUSIONS)


if __name__ == "__main__":
    main()
