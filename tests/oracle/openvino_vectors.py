"""Records the results on which OpenVINO's implementations of StridedSlice-1 agree.

Writes openvino.jsonl.gz. OpenVINO has three implementations ("paths"), and the script runs each of them:

    ref    the operation's own `evaluate`, which OpenVINO also uses to fold constants
    const  the CPU plugin; begin, end and strides are constants of the model
    dyn    the CPU plugin; begin, end and strides are inputs, and the model declares only the rank of the data

The rules in openvino_defects.py predict which paths are incorrect for a case, and therefore untrusted. The result of a
case is the common result of its other paths. The script fails if these results differ, or if their shape is not the one
found by shape inference. A case without a trusted path is excluded.
"""

import random
import re
from math import prod

from common import (
    EXTREMES,
    arbitrary_number,
    distinct,
    encode,
    error,
    first_elements,
    output,
    random_items,
    random_shape,
    random_step,
    run_in_child,
    write,
)
from openvino_defects import MASKS, RULES, spoiled_paths

SEED = 20240615
PATHS = ["ref", "const", "dyn"]

KINDS = [
    (re.compile("masks of StridedSlice must have be 0 or 1"), "mask_value"),
    (re.compile("masks of StridedSlice must have the same size"), "mask_length"),
    (re.compile("Begin and end need to have same number of values"), "length_mismatch"),
    (re.compile("Stride needs to have same number of values"), "stride_length"),
    (re.compile("At most one ellipsis"), "multiple_ellipsis"),
    (re.compile("Input rank plus number of new axis"), "too_many_indices"),
    (re.compile("Accessing out-of-range dimension"), "dim_out_of_range"),
    (re.compile("Stride must be non-zero"), "zero_stride"),
    (re.compile("num_real_axes="), "plan_too_many"),
    (re.compile(r"Check 'begin >= .* begin < .*' failed at .*slice_plan"), "index_oob"),
    (re.compile(""), "other"),
]

EXCLUSIONS = {rule.name: rule.reason for rule in RULES} | {
    "mask_lengths": "Masks of different lengths are refused, although the documentation zero-extends short masks and "
    "ignores the rest of long ones. equivalent_out or equivalent_error is the answer to the case with all masks "
    "zero-extended to the longest; bits beyond the vectors are then ignored.",
}


# ---- specs -----------------------------------------------------------------------------------------------------------


def valid_spec(rng, shape):
    """Returns a valid spec, in which all masks are as long as the vectors."""
    spec = encode(rng, random_items(rng, shape, arbitrary=0.1))
    return spec | {mask: [spec[mask] >> i & 1 for i in range(len(spec["begin"]))] for mask in MASKS}


def independent_spec(rng, shape):
    """Returns vectors and masks that are independent of each other."""
    count = rng.randint(0, len(shape) + 1)
    spec = {name: [arbitrary_number(rng, 4) for _ in range(count)] for name in ("begin", "end")}
    spec["strides"] = [random_step(rng) or 1 for _ in range(count)]
    spec |= {mask: [int(rng.random() < 0.25) for _ in range(count)] for mask in MASKS}
    dots = rng.randint(0, 2 * count)
    return spec | {"ellipsis_mask": [int(i == dots) for i in range(count)]}


def flip_mask_bits(rng, spec):
    """Flips one or two mask bits. Masks may then contradict each other, or values of begin, end and strides that were
    ignored may take effect."""
    for _ in range(rng.randint(1, 2)):
        mask = spec[rng.choice(MASKS)]
        if mask:
            mask[rng.randrange(len(mask))] ^= 1


def lengthen_masks(rng, spec):
    """Makes all masks longer than the vectors. Usually some bits beyond the vectors are set."""
    extra = rng.randint(1, 3)
    for mask in MASKS:
        spec[mask] += [int(rng.random() < 0.25) for _ in range(extra)]


def shorten_masks(rng, spec):
    """Truncates all masks in half of the cases, and then empties some masks, mostly those without set bits."""
    if rng.random() < 0.5:
        length = rng.randint(0, len(spec["begin"]))
        for mask in MASKS:
            del spec[mask][length:]
    for mask in rng.sample(MASKS[1:], rng.randint(1, 4)):
        if not any(spec[mask]) or rng.random() < 0.2:
            spec[mask] = []


def make_mask_lengths_unequal(rng, spec):
    """Gives the masks different lengths, as in the examples of OpenVINO's documentation: removes zeros at the end, and
    appends bits."""
    for mask in MASKS:
        while spec[mask] and not spec[mask][-1] and rng.random() < 0.6:
            spec[mask].pop()
        spec[mask] += [int(rng.random() < 0.1) for _ in range(rng.choice([0, 0, 0, 1, 2]))]


def append_entries(rng, spec):
    """Adds one to three ranges or indices at the end."""
    for _ in range(rng.randint(1, 3)):
        for name, value in ("begin", 0), ("end", 1), ("strides", 1):
            if spec[name] is not None:
                spec[name].append(value)
        shrink = rng.randint(0, 1)
        for mask in MASKS:
            spec[mask].append(shrink if mask == "shrink_axis_mask" else 0)


def invalidate(rng, spec):
    """Makes at most one change to the spec, usually one that causes an error."""
    count = len(spec["begin"])
    position = rng.randrange(max(count, 1))
    vectors = ["begin", "end"] if spec["strides"] is None else ["begin", "end", "strides", "strides"]
    match rng.choice(["length", "length", "zero", "zero", "value", "ellipses", "index", "index", "crowd", "crowd"]):
        case "length":
            vector = spec[rng.choice(vectors)]
            vector.pop() if vector and rng.random() < 0.5 else vector.append(1)
        case "zero" if spec["strides"]:
            spec["strides"][rng.randrange(len(spec["strides"]))] = 0
        case "value":
            spec[rng.choice(MASKS)][position : position + 1] = [rng.choice([-1, 2, 3, *EXTREMES])]
        case "ellipses":
            for i in rng.sample(range(count), min(count, 2)):
                spec["ellipsis_mask"][i : i + 1] = [1]
        case "index":
            spec["begin"][position : position + 1] = [rng.choice([-8, -7, 7, 8, *EXTREMES])]
            spec["shrink_axis_mask"][position : position + 1] = [1]
        case "crowd":
            append_entries(rng, spec)


def random_spec(rng, shape):
    """Returns a spec. About half of the specs are valid, and the others have unrelated vectors and masks, contradictory
    masks, masks that are longer or shorter than the vectors, or errors."""
    kind = rng.random()
    if kind < 0.06:
        return independent_spec(rng, shape)
    spec = valid_spec(rng, shape)
    if rng.random() < 0.1:
        spec["strides"] = None
    if kind < 0.16:
        flip_mask_bits(rng, spec)
    elif kind < 0.24:
        lengthen_masks(rng, spec)
    elif kind < 0.31:
        shorten_masks(rng, spec)
    elif kind < 0.36:
        make_mask_lengths_unequal(rng, spec)
    elif kind < 0.52:
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            invalidate(rng, spec)
    return spec


def random_cases(rng, count):
    for _ in range(count):
        shape = random_shape(rng, ranks=[0, *range(1, 7), *range(1, 6), *range(1, 5)])
        spec = random_spec(rng, shape)
        yield {"shape": shape, **{name: spec[name] for name in ("begin", "end", "strides", *MASKS)}}


def as_documented(case):
    """Returns the case with all masks zero-extended to a common length, which is at least that of the vectors. OpenVINO
    then ignores bits beyond the vectors."""
    width = max(len(case[name]) for name in ("begin", *MASKS))
    return case | {mask: case[mask] + [0] * (width - len(case[mask])) for mask in MASKS}


# ---- results ---------------------------------------------------------------------------------------------------------


def result_of(request):
    """Returns the result of a path, or of shape inference (the path "shape"), for a case. Must be called in a child
    process, because OpenVINO may crash."""
    import numpy as np
    import openvino as ov
    from openvino.utils.node_factory import NodeFactory

    path, case = request
    first = next(first_elements)
    data = np.arange(first, first + prod(case["shape"])).reshape(case["shape"])
    vectors = [np.array(case[name], np.int64) for name in ("begin", "end", "strides") if case[name] is not None]

    def parameter(shape):
        return ov.op.Parameter(ov.Type.i64, ov.PartialShape(shape))

    def strided_slice(*inputs):
        return NodeFactory("opset1").create("StridedSlice", list(inputs), {mask: case[mask] for mask in MASKS})

    def run(node, *inputs):
        parameters = [node.input_value(port).get_node() for port in range(len(inputs))]
        return ov.compile_model(ov.Model([node], parameters), "CPU")(list(inputs))[0]

    def run_path():
        if path == "dyn":
            free = [parameter([len(vector)]) for vector in vectors]
            return run(strided_slice(parameter([-1] * data.ndim), *free), data, *vectors)
        fixed = [ov.op.Constant(ov.Type.i64, ov.Shape(vector.shape), vector.tolist()) for vector in vectors]
        node = strided_slice(parameter(data.shape), *fixed)  # shape inference runs here
        if path == "shape":
            return list(node.get_output_shape(0))
        if path == "const":
            return run(node, data)
        strides = vectors[2:] or [np.ones(len(vectors[0]), np.int64)]
        result = ov.Tensor(ov.Type.i64, ov.Shape([]))
        node.evaluate([result], [ov.Tensor(array) for array in (data, *vectors[:2], *strides)])
        return result.data

    try:
        result = run_path()
    except RuntimeError as failure:
        # The message begins with locations in OpenVINO's source code, and only its last line describes the error.
        return error(str(failure).strip().splitlines()[-1], KINDS)
    if path == "shape":
        return {"shape": result}
    offsets = result.astype(np.int64) - first
    if offsets.size and not (0 <= offsets.min() and offsets.max() < data.size):
        return {"error": {"kind": "foreign_memory"}}
    return output(offsets)


def common_result(case, inferred, results, spoiled):
    """Returns the common result of all trusted paths. If no path is trusted, excludes the case by the rule that applies
    to ref."""
    trusted = [result for path, result in results.items() if path not in spoiled]
    if not trusted:
        undefined = {"kind": "undefined", "message": "no path is trusted"}
        return {"error": undefined, "excluded": spoiled["ref"].name}
    shapes = {str(result["out"]["shape"]) for result in trusted if "out" in result}
    if any(result != trusted[0] for result in trusted) or not shapes <= {str(inferred.get("shape"))}:
        raise ValueError(f"no rule explains why these results differ: {case} {results} {inferred}")
    return trusted[0]


def results_or_exclusions(cases):
    """Yields the result of each case. The field "spoiled" of a result contains the rule of each untrusted path, and
    also the result of the path if the path was run and its result differs."""
    inferred = list(run_in_child(result_of, [("shape", case) for case in cases]))
    # If shape inference rejects a case, ref and const need no rule, because they return the same error.
    spoiled = [
        {path: rule for path, rule in spoiled_paths(case).items() if path == "dyn" or "error" not in shape}
        for case, shape in zip(cases, inferred)
    ]
    paths_to_run = [[path for path in PATHS if path not in rules or rules[path].safe] for rules in spoiled]
    all_results = run_in_child(result_of, [(path, case) for case, paths in zip(cases, paths_to_run) for path in paths])
    for case, shape, rules, paths in zip(cases, inferred, spoiled, paths_to_run):
        results = {path: next(all_results) for path in paths}
        result = common_result(case, shape, results, rules)
        others = {path: {} if results.get(path) == result else results.get(path, {}) for path in rules}
        notes = {path: {"rule": rule.name, **others[path]} for path, rule in rules.items()}
        yield result | ({"spoiled": notes} if notes else {})


def main():
    cases = list(distinct(random_cases(random.Random(SEED), 5200)))
    records = [case | result for case, result in zip(cases, results_or_exclusions(cases))]
    unequal_records = [record for record in records if record.get("error", {}).get("kind") == "mask_length"]
    equivalents = [as_documented(record) for record in unequal_records]
    for record, result in zip(unequal_records, results_or_exclusions(equivalents)):
        record["excluded"] = "mask_lengths"
        record |= {f"equivalent_{word}": result[word] for word in ("out", "error") if word in result}
    rules = {rule.name: f"{', '.join(rule.paths)}: {rule.reason}" for rule in RULES}
    write("openvino", __file__, ["openvino", "numpy"], SEED, records, EXCLUSIONS, spoiling_rules=rules)


if __name__ == "__main__":
    main()
