"""Asks NumPy thousands of random slices with lists and masks, and compares this library's answers with it.

With the requirements of NumPy: `numpy_lists_live.py --seed 1 --cases 50000`. The cases go to a file that the test reads.
"""

import argparse
import json
import os
import random
import subprocess
import tempfile
from pathlib import Path

from numpy_lists_vectors import answer, random_case

ROOT = Path(__file__).resolve().parent.parent.parent


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--cases", type=int, default=20_000)
    chosen = arguments.parse_args()
    rng = random.Random(chosen.seed)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        for _ in range(chosen.cases):
            case = random_case(rng)
            file.write(json.dumps({**case, **answer(case)}) + "\n")
        file.flush()
        test = ["cargo", "test", "-p", "slice-tests", "--test", "all", "conformance::lists::read::random_lists_agree_with_numpy"]
        environment = {**os.environ, "NUMPY_LISTS_LIVE": file.name}
        subprocess.run([*test, "--", "--nocapture"], cwd=ROOT, env=environment, check=True)


if __name__ == "__main__":
    main()
