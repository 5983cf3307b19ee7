"""Measures statements in NumPy on one thread, and prints the median time of each statement, in microseconds, on a
separate line.

`cargo bench -p slice-benches --bench py` runs this script with the statements of the Rust benchmark.
"""

import os

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"

import statistics
import sys
import time

import numpy as np


def numbers(*shape):
    return (37 * np.arange(np.prod(shape)) % 101 + 1.0).reshape(shape)


def create_inputs():
    """Returns the inputs by name. They are equal to the inputs of `measure` in main.rs."""
    i, j, k = np.ogrid[:496, :496, :4]
    return {
        "x": numbers(100_000),
        "u": numbers(512, 512),
        "v": numbers(512, 512),
        "e": numbers(256, 1000),
        "sprite": (i + j * k).astype(np.uint8),
        "canvas": np.zeros((512, 512, 4), np.uint8),
    }


def main():
    quick = "--quick" in sys.argv
    rounds, seconds_per_round = (3, 1e-4) if quick else (41, 2e-3)
    for statement in (word for word in sys.argv[1:] if not word.startswith("--")):
        inputs, namespace = create_inputs(), {}
        # The statement runs in a function, so that its names are local variables, as in a typical program.
        source = f"def run(n, {', '.join(inputs)}):\n    for _ in range(n):\n        {statement}"
        exec(source, namespace)  # noqa: S102, the statement is from the benchmark
        run = namespace["run"]

        def seconds(n):
            start = time.perf_counter()
            run(n, **inputs)
            return time.perf_counter() - start

        seconds(1)
        repetitions = 1
        while seconds(repetitions) * 2 < seconds_per_round:
            repetitions *= 2
        print(statistics.median(seconds(repetitions) / repetitions for _ in range(rounds)) * 1e6)


if __name__ == "__main__":
    main()
