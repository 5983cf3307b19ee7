"""Runs each ONNX model in this folder in ONNX Runtime, before and after `slice check --fix`, on the same random inputs.

    python3.11 -m venv onnx
    onnx/bin/pip install -r ../../../tests/oracle/requirements-onnx.txt
    cargo build -p slice-cli
    onnx/bin/python run_fixed.py ../../../target/debug/slice

Fails if any output differs, even in a single bit, or if a fixed model is invalid.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

HERE = pathlib.Path(__file__).parent
KINDS = {"tensor(float)": np.float32, "tensor(int64)": np.int64}


def run(model, inputs):
    options = onnxruntime.SessionOptions()
    # With optimizations, ONNX Runtime could change the slices before it runs them.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options)
    return session.run(None, inputs), session.get_inputs()


def inputs(model):
    random = np.random.default_rng(0)
    session = onnxruntime.InferenceSession(model.SerializeToString())
    values = {}
    for value in session.get_inputs():
        # Symbolic lengths are lengths of batches or of a cache. The length 9 is allowed for the cache, which was exported
        # for lengths from 8 to 12.
        shape = [length if isinstance(length, int) else 9 for length in value.shape]
        values[value.name] = random.standard_normal(shape).astype(KINDS[value.type])
    return values


def main(slice_command):
    changed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(HERE.glob("*.onnx")):
            fixed_path = pathlib.Path(folder) / path.name
            result = subprocess.run([slice_command, "check", path, "--fix", fixed_path], capture_output=True, text=True)
            # This model contains deliberate mistakes, and cannot be run.
            if path.stem == "wrong":
                continue
            assert fixed_path.exists(), result.stderr
            before, after = onnx.load(path), onnx.load(fixed_path)
            onnx.checker.check_model(after, full_check=True)
            random_inputs = inputs(before)
            for one, other in zip(run(before, random_inputs)[0], run(after, random_inputs)[0], strict=True):
                assert one.shape == other.shape and one.tobytes() == other.tobytes(), path.name
            slices = [sum(node.op_type == "Slice" for node in model.graph.node) for model in (before, after)]
            changed += slices[0] != slices[1]
            print(f"{path.name}: {slices[0]} Slice nodes before, {slices[1]} after, identical outputs")
    assert changed > 0
    print(f"ONNX {onnx.__version__}, ONNX Runtime {onnxruntime.__version__}")


main(sys.argv[1])
