"""Runs ONNX models in a Rust library, through the package in `rust`. Usage: with_rust.py tract|rten|candle

Build the package first: cargo build --manifest-path tests/converters/rust/Cargo.toml --features tract,rten,candle
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from harness import HERE, TARGET, TIME_LIMIT_SECONDS, cleaned, correct_results, record_results, models

PROGRAM = Path(os.environ.get("CARGO_TARGET_DIR", HERE / "rust" / "target")) / "debug" / "slice-converters"


class Crash(Exception):
    """Raised if the program panics or is ended by a signal."""


def runner(engine):
    path = TARGET / "onnx"

    def run(model, stage):
        files = [str(path / f"{model['model']}.{kind}") for kind in ("onnx", "json")]
        process = subprocess.run([PROGRAM, engine, *files], capture_output=True, text=True, timeout=TIME_LIMIT_SECONDS - 10)
        printed = process.stdout.splitlines()
        if printed[:1] == ["run"]:
            stage("run")
        if process.returncode in (0, 1):
            if process.returncode:
                raise RuntimeError(cleaned(process.stderr))
            result = json.loads(printed[-1])
            return np.array(result["values"], np.float32).reshape(result["shape"])
        # The first line of a panic is its location, and the second line is its message.
        message_lines = [line for line in process.stderr.splitlines() if line.strip() and not line.startswith("note:")]
        raise Crash(cleaned(" ".join(message_lines[:2])) or f"the process ended with {process.returncode}")

    return run


def run_tract(model, stage):
    return runner("tract")(model, stage)


def run_rten(model, stage):
    return runner("rten")(model, stage)


def run_candle(model, stage):
    return runner("candle")(model, stage)


RUNNERS = {
    "tract": (run_tract, "tract-onnx", "tract_onnx::onnx().model_for_path(path)?.into_optimized()?"),
    "rten": (run_rten, "rten", "rten::Model::load_file(path)?"),
    "candle": (run_candle, "candle-onnx", "candle_onnx::simple_eval(&candle_onnx::read_file(path)?, inputs)?"),
}


def release(package):
    lock = (HERE / "rust" / "Cargo.lock").read_text()
    return re.search(rf'name = "{package}"\nversion = "([^"]+)"', lock)[1]


if __name__ == "__main__":
    which = sys.argv.pop(1)
    run, package, how = RUNNERS[which]
    record_results(which, package, run, models("onnx"), correct_results("onnx"), ["numpy"], how, release=release(package))
