"""Functions shared by the `with_*.py` scripts, which run the converters, and the `source_*.py` scripts, which record
the correct results.

A `with_*.py` script defines a function `run(model, stage)`, which converts the model, calls `stage("run")` when the
converted model is loaded, runs it with `input_of(model)` and `extra_inputs(model)`, and returns the resulting array. An
exception results in the verdict "refused", or "crashed" if the type of the exception is named `Crash`. `record_results`
compares the array with the correct results.
"""

import json
import multiprocessing
import os
import platform
import re
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "target" / "converters"

# The time limit in seconds for the conversion of a model, and separately for its run.
TIME_LIMIT_SECONDS = 120


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def models(source):
    return [model for model in lines(HERE / "models.jsonl") if model["source"] == source]


def correct_results(source):
    """Returns the correct results for each model: one result, or two if ONNX Runtime and ONNX's
    ReferenceEvaluator differ."""
    return {row["model"]: row["results"] for row in lines(HERE / "answers" / f"{source}.jsonl")[1:]}


def tflite_models():
    """Returns the TensorFlow models whose TFLite conversions have the verdict "right" with LiteRT's own kernels."""
    right = {row["model"] for row in lines(HERE / "results" / "tflite-kernels.jsonl")[1:] if row["verdict"] == "right"}
    return [model for model in models("tf") if model["model"] in right]


# ---- inputs and results ----------------------------------------------------------------------------------------------


def input_of(model):
    """Returns the input x, with the elements 1, 2, 3, ... in C order. No element is 0, so that a 0 in a result reveals
    an element that was not written."""
    count = int(np.prod(model["shape"], dtype=np.int64))
    return np.arange(1, count + 1, dtype=np.float32).reshape(model["shape"])


def integer_type(numbers):
    """Returns the element type for the vectors of a TensorFlow operation: int64 if a number needs 64 bits, and
    otherwise int32."""
    needs_64_bits = any(not -(2**31) <= number < 2**31 for number in np.ravel(numbers).tolist())
    return np.int64 if needs_64_bits else np.int32


def extra_inputs(model, kind=None):
    """Returns a dict from the name of each run-time input to its array, in the order in which the model lists the
    inputs."""
    return {
        name: np.array(numbers, dtype=kind or integer_type(numbers)) for name, numbers in model.get("inputs", {}).items()
    }


def elements(array, model):
    """Returns the offset in x of each of the first 64 elements of `array`, or None for an element that is not in x."""
    count = int(np.prod(model["shape"], dtype=np.int64))
    offsets = []
    for value in np.asarray(array).reshape(-1)[:64].tolist():
        inside = value == value and abs(value) < 1e9 and value == int(value) and 1 <= value <= count
        offsets.append(int(value) - 1 if inside else None)
    return offsets


def result_of(array, model):
    array = np.asarray(array)
    return {"shape": list(array.shape), "elements": elements(array, model)}


# ---- one model in a child process ------------------------------------------------------------------------------------


# Patterns for the parts of messages that differ between runs or machines, and their replacements.
VARIABLE_PARTS = [
    (re.compile(r"\x1b\[[0-9;]*m"), ""),
    (re.compile(r"0x[0-9a-fA-F]{5,}"), "0x.."),
    (re.compile(r"(?:/[\w.+@~-]+){2,}/([\w.+@~-]+)"), r"\1"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\S*"), ""),
    (re.compile(r"<lambda>_\d+"), "<lambda>"),
    (re.compile(r"\s+"), " "),
]


def cleaned(text, max_length=200):
    text = next((line for line in str(text).splitlines() if line.strip()), "")
    for pattern, replacement in VARIABLE_PARTS:
        text = pattern.sub(replacement, text)
    return text.strip()[:max_length]


def _serve(pipe, run):
    """Runs the models received from `pipe`, in the child process, and discards what the converters print."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, 1)
    os.dup2(devnull, 2)
    while True:
        model = pipe.recv()
        current = ["convert"]

        def stage(name, current=current):
            current[0] = name
            pipe.send(("stage", name))

        try:
            pipe.send(("result", result_of(run(model, stage), model)))
        except BaseException as failure:  # a converter may call sys.exit
            kind = "crashed" if type(failure).__name__ == "Crash" else "refused"
            pipe.send((kind, f"{type(failure).__name__}: {cleaned(failure)}"))


def run_models(run, cases, time_limit=TIME_LIMIT_SECONDS):
    """Yields (kind, value, stage) for each model. `kind` is "result", "refused" or "crashed", and `value` is the result
    or a message. `stage` is the last stage that began, "convert" or "run". A child process that crashes or hangs is
    replaced.

    The time limit is three times as long for the first model of a child process, because the process then also imports
    the converter.
    """
    context = multiprocessing.get_context("spawn")
    child = None
    for model in cases:
        factor = 3 if child is None else 1
        if child is None:
            pipe, child_end = context.Pipe()
            child = context.Process(target=_serve, args=(child_end, run), daemon=True)
            child.start()
            child_end.close()
        current_stage = "convert"
        try:
            pipe.send(model)
            while True:
                if not pipe.poll(factor * time_limit):
                    raise TimeoutError
                kind, value = pipe.recv()
                if kind != "stage":
                    break
                current_stage = value
        except TimeoutError:
            child.kill()
            child.join()
            child, kind, value = None, "crashed", f"no answer in {factor * time_limit} seconds"
        except (EOFError, BrokenPipeError, ConnectionResetError):
            child.join()
            code, child = child.exitcode, None
            kind, value = "crashed", f"the process ended with {code}"
        yield kind, value, current_stage
    if child is not None:
        child.kill()
        child.join()


def row(model, converter, release, right, kind, value, stage):
    """Returns the line of a results file for one model. `right` lists the correct results."""
    columns = {"model": model["model"], "class": model["class"], "converter": converter, "version": release}
    if kind == "result":
        verdict = "right" if value in right else "wrong"
        return columns | {"verdict": verdict} | (value if verdict == "wrong" else {})
    return columns | {"verdict": kind, "stage": stage, "message": value}


def record_results(converter, package, run, cases, right, packages=(), how="", release=None):
    """Runs the converter on all `cases`, and writes results/<converter>.jsonl. If the command line names models, runs
    only these models, and prints their results instead. `how` describes the conversion, for the file's header."""
    release = release or version(package)
    names = sys.argv[1:]
    if names:
        cases = [model for model in cases if model["model"] in names]
    results = []
    for model, (kind, value, stage) in zip(cases, run_models(run, cases)):
        result = row(model, converter, release, right[model["model"]], kind, value, stage)
        results.append(result)
        if not len(results) % 20:
            print(f"{len(results)} of {len(cases)}", file=sys.stderr, flush=True)
        if names:
            print(json.dumps(result), "expected", right[model["model"]])
    counts = {}
    for result in results:
        counts[result["verdict"]] = counts.get(result["verdict"], 0) + 1
    print(f"{converter} {release}: {len(results)} models,", ", ".join(f"{v}: {n}" for v, n in sorted(counts.items())))
    if not names:
        versions = {"python": platform.python_version(), package: release} | {name: version(name) for name in packages}
        write(HERE / "results" / f"{converter}.jsonl", {"converter": converter, "how": how, "models": len(results), "versions": versions}, results)


def write(path, header, rows):
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in [header, *rows]))
