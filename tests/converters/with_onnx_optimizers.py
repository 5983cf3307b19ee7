"""Optimizes ONNX models, and runs the optimized models in ONNX Runtime without further optimizations.

Usage: with_onnx_optimizers.py onnxsim|onnxslim|onnxruntime
"""

import sys

import onnx
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models
from runtimes import onnxruntime_result
import numpy as np


def feeds(model):
    return {"x": input_of(model)} | extra_inputs(model, np.int64)


def loaded(model):
    return onnx.load(TARGET / "onnx" / f"{model['model']}.onnx")


def run_onnxsim(model, stage):
    import onnxsim

    optimized, _ = onnxsim.simplify(loaded(model))
    stage("run")
    return onnxruntime_result(optimized.SerializeToString(), feeds(model))


def run_onnxslim(model, stage):
    import onnxslim

    optimized = onnxslim.slim(loaded(model))
    stage("run")
    return onnxruntime_result(optimized.SerializeToString(), feeds(model))


def run_onnxruntime(model, stage):
    model_bytes = loaded(model).SerializeToString()
    stage("run")
    return onnxruntime_result(model_bytes, feeds(model), "ORT_ENABLE_ALL")


RUNNERS = {
    "onnxsim": (run_onnxsim, "onnxsim.simplify(model), run by ONNX Runtime"),
    "onnxslim": (run_onnxslim, "onnxslim.slim(model), run by ONNX Runtime"),
    "onnxruntime": (run_onnxruntime, "InferenceSession with ORT_ENABLE_ALL"),
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    run, how = RUNNERS[which]
    record_results(which, which, run, models("onnx"), correct_results("onnx"), ["onnx", "onnxruntime", "numpy"], how)
