"""Compares slice-core with NumPy on over a million random slices.

Builds tests/oracle/numpy_live.rs (the driver) and sends it the cases. Two results agree if they have the same shape and
elements, or if they are errors of the same kind and the library's message begins with NumPy's. The driver computes each
slice in several ways (from items and from text, as offsets, as an ndarray view and as copies), and stops if the results
differ.

Writes NUMPY_LIVE.md if all results agree. Stops at the first difference.
"""

import argparse
import platform
import random
import struct
import subprocess
import threading
from collections import Counter
from math import prod
from pathlib import Path

import numpy as np

from common import random_shape
from numpy_vectors import KINDS, SEED, random_spec, spell, with_many_new_axes

ROOT = Path(__file__).resolve().parent.parent.parent
REPORT = Path(__file__).resolve().parent / "NUMPY_LIVE.md"
DRIVER = "numpy_live"
# The number of cases sent to the driver at once.
BATCH = 5_000


def random_case(rng):
    """Returns a shape and the items of a slice. In one case in fifty, the array has more than six axes, or new axes
    bring the output close to NumPy's limit of 64 axes."""
    if rng.random() < 0.98:
        shape = random_shape(rng, max_elements=200)
        return shape, random_spec(rng, shape)
    if rng.random() < 0.5:
        # No axis has length 0, because `random_shape` does not reduce the other lengths of an empty array, and NumPy
        # rejects the array as too large if the product of these lengths is too large.
        shape = random_shape(rng, ranks=range(7, 33), max_elements=200, zero=0)
        return shape, random_spec(rng, shape)
    shape = random_shape(rng, ranks=[1, 2, 3, 4], max_elements=200)
    return shape, with_many_new_axes(rng, shape)


def distinct_cases(rng, count):
    """Yields `count` different cases. Each is a tuple of a shape, the items of a slice, and the slice as text."""
    keys = set()
    while len(keys) < count:
        shape, items = random_case(rng)
        key = hash((tuple(shape), tuple(map(tuple, items))))
        if key not in keys:
            keys.add(key)
            yield shape, items, spell(rng, items)


def batches(cases):
    """Yields the cases in lists of at most BATCH cases."""
    batch = []
    for case in cases:
        batch.append(case)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def line(case):
    """Returns a case as a line of input for the driver: shape, items and text, separated by tabs."""
    shape, items, text = case
    words = (",".join("" if part is None else str(part) for part in item) for item in items)
    return f"{','.join(map(str, shape))}\t{' '.join(words)}\t{text}\n"


def index_of(items):
    """Returns the items as a Python index."""
    values = {"n": np.newaxis, "e": Ellipsis}
    return tuple(
        values[kind] if kind in values else numbers[0] if kind == "i" else slice(*numbers)
        for kind, *numbers in items
    )


def numpy_result(case):
    """Returns NumPy's result: ("out", shape, elements as bytes) or ("error", kind, message)."""
    shape, items, _ = case
    array = np.arange(prod(shape), dtype="<u4").reshape(shape)
    try:
        out = np.asarray(array[index_of(items)])
        return "out", out.shape, out.tobytes()
    except (IndexError, ValueError) as failure:
        message = str(failure)
        return "error", next(kind for pattern, kind in KINDS if pattern.search(message)), message


def driver_result(pipe):
    """Returns the driver's next result, in the same form as `numpy_result`."""
    tag, count = struct.unpack("<BI", pipe.read(5))
    if tag == 0:
        shape = struct.unpack(f"<{count}Q", pipe.read(8 * count))
        return "out", shape, pipe.read(4 * prod(shape))
    kind, message = pipe.read(count).decode().split("\t")
    return "error", kind, message


def agree(numpy, ours):
    if numpy[0] == "error" and ours[0] == "error":
        return numpy[1] == ours[1] and ours[2].startswith(numpy[2])
    return numpy == ours


def outcome(result):
    """Returns the name under which the report counts a result."""
    if result[0] == "error":
        return f"error: {result[1]}"
    return "elements" if result[2] else "no elements selected"


def write(pipe, lines):
    pipe.write(lines)
    pipe.flush()


def compare(cases, driver):
    """Compares the results of all cases, and returns the number of cases by outcome and by rank, and the number of
    compared elements. Stops at the first difference."""
    outcomes, ranks, elements = Counter(), Counter(), 0
    for batch in batches(cases):
        lines = "".join(map(line, batch)).encode()
        # A separate thread writes the lines. Otherwise, the two processes would wait for each other once both pipes are
        # full.
        writer = threading.Thread(target=write, args=(driver.stdin, lines), daemon=True)
        writer.start()
        for case in batch:
            numpy, ours = numpy_result(case), driver_result(driver.stdout)
            if not agree(numpy, ours):
                raise SystemExit(f"{case}\nNumPy:        {numpy}\nthis library: {ours}")
            outcomes[outcome(numpy)] += 1
            ranks[len(case[0])] += 1
            elements += len(numpy[2]) // 4 if numpy[0] == "out" else 0
        writer.join()
    return outcomes, ranks, elements


def table(head, counts):
    rows = [f"| {name} | {count:,} |" for name, count in counts]
    return "\n".join([f"| {head} | pairs |", "|---|--:|", *rows])


def report(seed, outcomes, ranks, elements):
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True, cwd=ROOT).stdout.strip()
    sorted_outcomes = sorted(outcomes.items(), key=lambda entry: -entry[1])
    large_rank_count = sum(count for rank, count in ranks.items() if rank > 6)
    rank_counts = [(rank, ranks[rank]) for rank in range(7)] + [("7 to 32", large_rank_count)]
    return f"""# Live comparison with NumPy

{sum(outcomes.values()):,} different pairs of a slice and a shape were evaluated by NumPy and by this library: 0 differences.

Written by `numpy_live.py` (seed {seed}) with NumPy {np.__version__}, Python {platform.python_version()}, {rustc}.
{elements:,} elements were compared individually.

{table("NumPy's result", sorted_outcomes)}

{table("rank of the array", rank_counts)}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=1_200_000)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--no-report", action="store_true", help="do not write NUMPY_LIVE.md")
    arguments = parser.parse_args()

    build = ["cargo", "build", "--release", "-p", "slice-tests", "--example", DRIVER]
    subprocess.run(build, check=True, cwd=ROOT)
    driver = subprocess.Popen(
        [ROOT / "target/release/examples" / DRIVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    counts = compare(distinct_cases(random.Random(arguments.seed), arguments.pairs), driver)
    driver.stdin.close()
    if driver.wait() != 0:
        raise SystemExit("the driver failed")
    text = report(arguments.seed, *counts)
    print(text)
    if not arguments.no_report:
        REPORT.write_text(text)


if __name__ == "__main__":
    main()
