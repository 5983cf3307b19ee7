"""Code shared by the scripts that record the golden vectors: the results of TensorFlow, ONNX and the other systems,
stored in tests/vectors, with which the results of the library are compared. It generates random specs, runs calls in a
child process if they may crash, and writes the files.

An *item* of a slice has the notation of the vector files: ["i", n] is an index, ["r", begin, end, step] is a range with
None for an omitted part, ["n"] is a new axis, and ["e"] is the ellipsis. The *vectors* of an operation are its lists of
numbers, such as begin, end and strides. A *result* is either `out`, the selected elements, or `error`.
"""

import gzip
import itertools
import json
import multiprocessing
import platform
from importlib.metadata import version
from math import prod
from pathlib import Path

VECTORS = Path(__file__).resolve().parent.parent / "vectors"

I32_MIN, I32_MAX = -(2**31), 2**31 - 1
I64_MIN, I64_MAX = -(2**63), 2**63 - 1
EXTREMES = [I64_MIN, I64_MIN + 1, I32_MIN - 1, I32_MIN, I32_MAX, I32_MAX + 1, I64_MAX - 1, I64_MAX]
MASKS = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]


# ---- random specs ----------------------------------------------------------------------------------------------------


def random_shape(rng, ranks=range(7), max_elements=500, zero=0.04):
    """Returns a shape with lengths from 0 to 6 and at most `max_elements` elements, so that the recorded lists of
    elements stay short. `zero` is the probability that a length is 0."""
    shape = [0 if rng.random() < zero else rng.randint(1, 6) for _ in range(rng.choice(ranks))]
    while prod(shape) > max_elements:
        axis = rng.randrange(len(shape))
        shape[axis] = max(shape[axis] - 1, 1)
    return shape


def arbitrary_number(rng, n):
    """Returns a number from -n - 3 to n + 3. In one case in five, returns one of EXTREMES instead, with which the
    system's arithmetic may overflow."""
    return rng.choice(EXTREMES) if rng.random() < 0.2 else rng.randint(-n - 3, n + 3)


def random_step(rng):
    """Returns None, a small step, or occasionally a huge step. The step may be negative, and is never 0."""
    kind = rng.random()
    if kind < 0.3:
        return None
    if kind < 0.92:
        return rng.choice([1, 1, 2, 3, 7, -1, -1, -1, -2, -3, -7])
    return rng.choice(EXTREMES)


def arbitrary_range(rng, n):
    """Returns a range item with independent random bounds. More than half of these ranges are empty."""
    begin, end = (None if rng.random() < 0.2 else arbitrary_number(rng, n) for _ in range(2))
    return ["r", begin, end, random_step(rng)]


def nonempty_range(rng, n):
    """Returns a range item that selects at least one position of an axis of length `n`, in one of several equivalent
    notations. If `n` is 0, returns an `arbitrary_range`."""
    if n == 0:
        return arbitrary_range(rng, n)
    step = random_step(rng)
    low = rng.choice([0, 0, rng.randrange(n)])
    high = rng.choice([n - 1, n - 1, rng.randrange(low, n)])
    beyond = rng.randint(0, 3)
    if step is None or step > 0:
        begin_values, end_values = [low, low - n], [high + 1]
        end_values += [high + 1 - n] if high + 1 < n else [None, n + beyond, I64_MAX]
        begin_values += [None, -n - beyond, I64_MIN] if low == 0 else []
    else:
        begin_values, end_values = [high, high - n], [low - 1 - n]
        end_values += [low - 1] if low > 0 else [None, -n - 1 - beyond, I64_MIN]
        begin_values += [None, n + beyond, I64_MAX] if high == n - 1 else []
    return ["r", rng.choice(begin_values), rng.choice(end_values), step]


def random_index(rng, n):
    """Returns an index item that is in bounds for an axis of length `n`, unless `n` is 0."""
    return ["i", rng.randrange(-n, n) if n else rng.choice([0, -1, 1])]


def random_items(rng, shape, arbitrary=0.0):
    """Returns the items of a valid spec for `shape`: at most one index or range per axis, at most one ellipsis, and any
    number of new axes.

    `arbitrary` is the probability that a range is an `arbitrary_range`. All other ranges select at least one position,
    unless their axis has length 0.
    """
    rank = len(shape)
    used = rank if rng.random() < 0.5 else rng.randint(0, rank)
    ellipsis = rng.random() < 0.4
    gap = rng.randint(0, used) if ellipsis else used  # the number of entries before the axes without an entry
    items = []
    for entry in range(used):
        n = shape[entry if entry < gap else entry + rank - used]
        if rng.random() < 0.25 and n:
            items.append(random_index(rng, n))
        else:
            items.append((arbitrary_range if rng.random() < arbitrary else nonempty_range)(rng, n))
    if ellipsis:
        items.insert(gap, ["e"])
    while rng.random() < 0.3:
        items.insert(rng.randint(0, len(items)), ["n"])
    return items


def value_shape(rng, shape):
    """Returns a shape that usually broadcasts to `shape`: some lengths are replaced by 1, and leading axes are removed
    or added. In three cases in ten, another random change usually prevents broadcasting."""
    value = [1 if rng.random() < 0.3 else n for n in shape[rng.choice([0, 0, rng.randint(0, len(shape))]) :]]
    value = [1] * rng.choice([0, 0, 0, 1, 2]) + value
    if rng.random() < 0.3:
        if value and rng.random() < 0.7:
            value[rng.randrange(len(value))] += rng.choice([1, 2])
        else:
            value.insert(rng.randint(0, len(value)), rng.choice([0, 2, 3]))
    return value


def encode(rng, items):
    """Encodes the items as begin, end, strides and five masks. Bit i of each mask belongs to item i.

    The encoding is that of TensorFlow's `Tensor.__getitem__`, except that numbers without an effect (masked bounds, the
    end and the stride of an index, all numbers of a new axis or an ellipsis) may be random. Random strides are
    positive.
    """
    begin, end, strides = [], [], []
    masks = dict.fromkeys(MASKS, 0)
    for i, (kind, *numbers) in enumerate(items):
        idle = [rng.randint(-9, 9), rng.randint(-9, 9), rng.choice([1, 1, 1, 2, 5])]
        if kind == "i":
            values = [numbers[0], idle[1] if rng.random() < 0.3 else numbers[0] + 1, idle[2]]
            masks["shrink_axis_mask"] |= 1 << i
        elif kind == "r":
            values = [idle[k] if numbers[k] is None else numbers[k] for k in range(2)]
            values.append(1 if numbers[2] is None else numbers[2])
            masks["begin_mask"] |= (numbers[0] is None) << i
            masks["end_mask"] |= (numbers[1] is None) << i
        else:
            values = idle if rng.random() < 0.5 else [0, 0, 1]
            masks["new_axis_mask" if kind == "n" else "ellipsis_mask"] |= 1 << i
        for vector, value in zip((begin, end, strides), values):
            vector.append(value)
    return {"begin": begin, "end": end, "strides": strides, **masks}


# ---- results ---------------------------------------------------------------------------------------------------------

# Inputs have different first elements, so that elements of an earlier input are detected if they occur in a result.
first_elements = itertools.count(1_000, 1_000)


def output(array):
    """Returns an array in the format of the vector files: its shape, and its elements in C order."""
    return {"out": {"shape": list(array.shape), "elements": [int(x) for x in array.reshape(-1)]}}


def error(message, kinds):
    """Returns an error in the format of the vector files. Its kind is that of the first pattern in `kinds` that matches
    the first line of the message."""
    line = str(message).splitlines()[0]
    for pattern, kind in kinds:
        if pattern.search(line):
            return {"error": {"kind": kind, "message": line}}
    raise ValueError(f"no pattern matches the error message: {message}")


def _serve(pipe, result_of):
    while True:
        case = pipe.recv()
        try:
            pipe.send(result_of(case))
        except Exception as failure:  # a bug in the script: `result_of` catches the errors of the system
            pipe.send(RuntimeError(f"{failure!r} for {case}"))


def run_in_child(result_of, cases, seconds=60):
    """Yields `result_of(case)` for each case, computed in a child process. If a case kills the process or takes longer
    than `seconds`, its error has the kind "crash".

    The process is spawned, not forked, so `result_of` must be a top-level function of a module.
    """
    context = multiprocessing.get_context("spawn")
    child = None
    try:
        for case in cases:
            if child is None:
                pipe, child_end = context.Pipe()
                child = context.Process(target=_serve, args=(child_end, result_of), daemon=True)
                child.start()
                child_end.close()
            try:
                pipe.send(case)
                if not pipe.poll(seconds):
                    raise EOFError
                reply = pipe.recv()
            except (EOFError, BrokenPipeError, ConnectionResetError):
                child.kill()
                child.join()
                child = None
                reply = {"error": {"kind": "crash", "message": "the process died or hung"}}
            if isinstance(reply, Exception):
                raise reply
            yield reply
    finally:
        if child is not None:
            child.kill()
            child.join()


def with_results(result_of, cases):
    """Returns the cases, each extended by the fields of `result_of(case)`, which a child process computes."""
    cases = list(cases)
    return [{**case, **result} for case, result in zip(cases, run_in_child(result_of, cases))]


# ---- files -----------------------------------------------------------------------------------------------------------


def distinct(cases):
    """Yields the cases in order, without duplicates."""
    keys = set()
    for case in cases:
        key = json.dumps(case, sort_keys=True)
        if key not in keys:
            keys.add(key)
            yield case


def summary(cases):
    """Returns a string that states how many cases have an output, an empty output, an error of each kind, or no result
    ("encoded"), and how many cases each rule excludes."""
    counts = {}
    for case in cases:
        if "out" in case:
            kind = "out" if case["out"]["elements"] else "out, empty"
        elif "error" in case:
            kind = "error " + case["error"]["kind"]
        else:
            kind = "encoded"
        for name in [kind] + (["excluded " + case["excluded"]] if "excluded" in case else []):
            counts[name] = counts.get(name, 0) + 1
    return ", ".join(f"{name}: {count}" for name, count in sorted(counts.items(), key=lambda item: -item[1]))


def write(name, script, packages, seed, cases, exclusions=None, **notes):
    """Writes tests/vectors/<name>.jsonl.gz: a header, then one case per line. The header contains `notes` as additional
    fields. Equal cases and versions always produce equal bytes, because the gzip header contains neither a time nor a
    file name."""
    cases = list(cases)
    header = {
        "system": name,
        "versions": {"python": platform.python_version(), **{package: version(package) for package in packages}},
        "script": f"tests/oracle/{Path(script).name}",
        "seed": seed,
        "cases": len(cases),
    }
    used = {case["excluded"] for case in cases if "excluded" in case}
    if used:
        header["exclusions"] = {rule: exclusions[rule] for rule in sorted(used)}
    header |= notes
    path = VECTORS / f"{name}.jsonl.gz"
    with path.open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as file:
        for line in [header, *cases]:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
    print(f"{path.name}: {len(cases)} cases, {path.stat().st_size} bytes; {summary(cases)}")
