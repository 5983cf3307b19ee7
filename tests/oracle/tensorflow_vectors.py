"""Records the results of TensorFlow's kernels for StridedSlice, StridedSliceGrad and TensorStridedSliceUpdate.

Writes tensorflow.jsonl.gz, tensorflow_grad.jsonl.gz and tensorflow_update.jsonl.gz. The operations are in
`tf.raw_ops`, and run eagerly on the CPU with 64-bit begin, end and strides.
"""

import os
import random
import re
from math import prod

from common import (
    EXTREMES,
    I32_MAX,
    I32_MIN,
    I64_MAX,
    I64_MIN,
    MASKS,
    arbitrary_number,
    distinct,
    encode,
    error,
    nonempty_range,
    output,
    random_items,
    random_shape,
    random_step,
    run_in_child,
    value_shape,
    with_results,
    write,
)

SEED = 20240614

KINDS = [
    (re.compile("out of range for an int32"), "mask_range"),
    (re.compile("Expected begin, end, and strides to be 1D equal size"), "length_mismatch"),
    (re.compile("Multiple ellipses"), "multiple_ellipsis"),
    (re.compile("Index out of range using input dim|Attempting to slice scalar input"), "too_many_indices"),
    (re.compile("must be non-zero"), "zero_stride"),
    (re.compile("only stride 1 allowed on non-range indexing"), "shrink_stride"),
    (re.compile("slice index .* out of bounds"), "index_oob"),
    (re.compile("Unhandled input dimensions"), "rank_limit"),
    (re.compile("shape of dy was"), "dy_shape"),
    (re.compile("Cannot broadcast"), "broadcast"),
]

EXCLUSIONS = {
    "kernel_rank": "the CPU kernel copies up to 8 dimensions only; the operation's definition does not have this limit",
}


# ---- specs -----------------------------------------------------------------------------------------------------------


def flip_mask_bits(rng, spec):
    """Flips one to three mask bits of existing entries. Masks may then contradict each other, or values of begin, end
    and strides that were ignored may take effect."""
    for _ in range(rng.randint(1, 3)):
        spec[rng.choice(MASKS)] ^= 1 << rng.randrange(max(len(spec["begin"]), 1))


def set_bits_beyond_entries(rng, spec):
    """In one to three masks, sets one bit beyond the last entry, or all of these bits, which makes the mask
    negative."""
    for _ in range(rng.randint(1, 3)):
        mask, entries = rng.choice(MASKS), len(spec["begin"])
        if rng.random() < 0.5:
            spec[mask] |= 1 << (entries + rng.randint(0, 3))
        elif entries < 32:
            spec[mask] |= -1 << entries


def invalidate(rng, spec):
    """Makes one change to the spec, usually one that causes an error."""
    entries = len(spec["begin"])
    position = rng.randrange(max(entries, 1))
    bit = 1 << position
    match rng.choice(["length", "zero", "zero", "mask", "ellipses", "index", "index", "shrink", "shrink", "too many"]):
        case "length":
            vector = spec[rng.choice(["begin", "end", "strides"])]
            vector.pop() if vector and rng.random() < 0.5 else vector.append(1)
        case "zero":
            spec["strides"][position : position + 1] = [0]
        case "mask":
            spec[rng.choice(MASKS)] = rng.choice([I32_MAX + 1, I32_MIN - 1, I64_MAX, I64_MIN])
        case "ellipses":
            spec["ellipsis_mask"] |= bit | 1 << rng.randrange(entries + 2)
        case "index":
            spec["begin"][position : position + 1] = [rng.choice([-8, -7, 7, 8, *EXTREMES])]
            spec["shrink_axis_mask"] |= bit
        case "shrink":
            spec["strides"][position : position + 1] = [rng.choice([0, -1, -2, I64_MIN])]
            spec["shrink_axis_mask"] |= bit
        case "too many":
            count = rng.randint(1, 3)
            for vector, value in zip(("begin", "end", "strides"), (0, 1, 1)):
                spec[vector] += [value] * count


def with_many_new_axes(rng, shape):
    """Returns 28 to 33 items, nearly all of them new axes. The number of items is near TensorFlow's limit of 31."""
    items = [nonempty_range(rng, n) for n in shape]
    for _ in range(rng.randint(28, 33) - len(items)):
        items.insert(rng.randint(0, len(items)), ["n"])
    return items


def independent_spec(rng, shape):
    """Returns vectors and masks that are independent of each other. The number of entries exceeds the rank by at most
    two."""
    entries = rng.randint(0, len(shape) + 2)
    numbers = {name: [arbitrary_number(rng, 4) for _ in range(entries)] for name in ("begin", "end")}
    strides = [random_step(rng) or 1 for _ in range(entries)]
    masks = {mask: rng.getrandbits(entries + 1) & rng.getrandbits(entries + 1) for mask in MASKS}
    masks["ellipsis_mask"] = rng.choice([0, 1 << rng.randint(0, entries)])
    return {**numbers, "strides": strides, **masks}


def random_spec(rng, shape):
    """Returns a spec. Four specs in ten are valid by construction. The others have unrelated vectors and masks,
    contradictory masks, bits beyond the last entry, or errors."""
    kind = rng.random()
    if kind < 0.10:
        return independent_spec(rng, shape)
    spec = encode(rng, random_items(rng, shape, arbitrary=0.1))
    if kind < 0.30:
        flip_mask_bits(rng, spec)
    elif kind < 0.40:
        set_bits_beyond_entries(rng, spec)
    elif kind < 0.60:
        for _ in range(rng.choice([1, 1, 2, 3])):
            invalidate(rng, spec)
    return spec


# ---- results ---------------------------------------------------------------------------------------------------------


def result_of(case):
    """Runs the operation that the case describes, and returns its result. Must be called in a child process, because
    TensorFlow may crash."""
    os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
    import numpy as np
    import tensorflow as tf

    def arange(shape, start):
        return np.arange(start, start + prod(shape)).reshape(shape)

    arguments = {name: tf.constant(case[name], tf.int64, [len(case[name])]) for name in ("begin", "end", "strides")}
    arguments |= {mask: case[mask] for mask in MASKS}
    try:
        if "dy_shape" in case:
            shape = tf.constant(case["shape"], tf.int64, [len(case["shape"])])
            result = tf.raw_ops.StridedSliceGrad(shape=shape, dy=arange(case["dy_shape"], 1), **arguments)
        elif "value_shape" in case:
            x, value = arange(case["shape"], 0), arange(case["value_shape"], 1000)
            result = tf.raw_ops.TensorStridedSliceUpdate(input=x, value=value, **arguments)
        else:
            result = tf.raw_ops.StridedSlice(input=arange(case["shape"], 0), **arguments)
        return output(result.numpy())
    except (tf.errors.InvalidArgumentError, tf.errors.UnimplementedError) as failure:
        # The eager runtime adds the names of the device and the operation to the kernel's message.
        result = error(re.sub(r"^{{.*?}} | \[Op:.*", "", failure.message), KINDS)
        return {**result, "excluded": "kernel_rank"} if result["error"]["kind"] == "rank_limit" else result


def slice_cases(rng):
    for _ in range(5000):
        shape = random_shape(rng)
        yield {"shape": shape, **random_spec(rng, shape)}
    for _ in range(60):
        shape = random_shape(rng, ranks=[1, 2, 3, 4])
        yield {"shape": shape, **encode(rng, with_many_new_axes(rng, shape))}
    for _ in range(60):
        shape = random_shape(rng, ranks=[7, 8, 9, 10])
        yield {"shape": shape, **random_spec(rng, shape)}


def small_slice_cases(rng, count):
    for _ in range(count):
        shape = random_shape(rng, max_elements=60)
        yield {"shape": shape, **random_spec(rng, shape)}


def gradient_cases(rng):
    """Yields cases of StridedSliceGrad. The operation requires that dy has the shape of the slice. In one case in five,
    the shape of dy is changed at random."""
    for case, shape in with_sliced_shape(small_slice_cases(rng, 1000)):
        yield {**case, "dy_shape": value_shape(rng, shape) if rng.random() < 0.2 else shape}


def update_cases(rng):
    for case, shape in with_sliced_shape(small_slice_cases(rng, 1200)):
        yield {**case, "value_shape": value_shape(rng, shape)}


def with_sliced_shape(cases):
    """Yields each case with the shape of its slice, or with [] if the slice is invalid."""
    cases = list(cases)
    for case, result in zip(cases, run_in_child(result_of, cases)):
        yield case, result["out"]["shape"] if "out" in result else []


def main():
    for name, generate in [("tensorflow", slice_cases), ("tensorflow_grad", gradient_cases), ("tensorflow_update", update_cases)]:
        cases = with_results(result_of, distinct(generate(random.Random(SEED))))
        write(name, __file__, ["tensorflow-cpu", "numpy"], SEED, cases, EXCLUSIONS)


if __name__ == "__main__":
    main()
