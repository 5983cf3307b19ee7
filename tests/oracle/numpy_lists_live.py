"""Compares this library with NumPy on tens of thousands of random slices with lists and masks.

Run `numpy_lists_live.py --seed 1 --cases 50000` in a Python environment with NumPy. With `--joined`, the slices also have
masks and lists with several axes, and points. A third of the cases are assignments. The script runs two tests, which read the cases and NumPy's results from files, and prints the number of
results of each kind.
"""

import argparse
import collections
import itertools
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np

import numpy_joined_vectors
import numpy_lists_vectors

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = {"read": "conformance::lists::read::random_lists_agree_with_numpy", "assign": "conformance::lists::assign::random_assignments_agree_with_numpy"}


def kind(case):
    if "excluded" in case:
        return f"excluded: {case['excluded']}"
    if "error" in case:
        return f"error: {case['error']['kind']}"
    return "elements" if case["out"]["elements"] else "no elements"


def compare(name, cases, vectors):
    cases = vectors.with_numpy_results(cases)
    print(f"{name}: {len(cases)} cases, with the results of NumPy {np.__version__}")
    for outcome, count in collections.Counter(map(kind, cases)).most_common():
        print(f"    {count:6} {outcome}")
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(case) + "\n" for case in cases)
        file.flush()
        test = ["cargo", "test", "-p", "slice-tests", "--test", "all", TESTS[name]]
        environment = {**os.environ, "NUMPY_LISTS_LIVE": file.name}
        subprocess.run([*test, "--", "--nocapture"], cwd=ROOT, env=environment, check=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--cases", type=int, default=20_000)
    arguments.add_argument("--joined", action="store_true")
    options = arguments.parse_args()
    vectors = numpy_joined_vectors if options.joined else numpy_lists_vectors
    rng = random.Random(options.seed)
    assignments = options.cases // 3
    compare("read", [vectors.random_case(rng) for _ in range(options.cases - assignments)], vectors)
    compare("assign", list(itertools.islice(vectors.assignment_cases(rng, 2 * assignments), assignments)), vectors)


if __name__ == "__main__":
    main()
