"""Optimizes ONNX models, and runs the optimized models in ONNX Runtime without further optimizations.

Usage: with_onnx_optimizers.py onnxsim|onnxslim|onnxruntime
"""

import sys

import onnx
from harness import TARGET, answers, extra_inputs, input_of, judge, models
from runtimes import onnxruntime_result
import numpy as np


def feeds(model):
    return {"x": input_of(model)} | extra_inputs(model, np.int64)


def loaded(model):
    return onnx.load(TARGET / "onnx" / f"{model['model']}.onnx")


def onnxsim(model, stage):
    import onnxsim

    made, _ = onnxsim.simplify(loaded(model))
    stage("run")
    return onnxruntime_result(made.SerializeToString(), feeds(model))


def onnxslim(model, stage):
    import onnxslim

    made = onnxslim.slim(loaded(model))
    stage("run")
    return onnxruntime_result(made.SerializeToString(), feeds(model))


def onnxruntime(model, stage):
    made = loaded(model).SerializeToString()
    stage("run")
    return onnxruntime_result(made, feeds(model), "ORT_ENABLE_ALL")


HOW = {
    "onnxsim": (onnxsim, "onnxsim.simplify(model), run by ONNX Runtime"),
    "onnxslim": (onnxslim, "onnxslim.slim(model), run by ONNX Runtime"),
    "onnxruntime": (onnxruntime, "InferenceSession with ORT_ENABLE_ALL"),
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    run, how = HOW[which]
    judge(which, which, run, models("onnx"), answers("onnx"), ["onnx", "onnxruntime", "numpy"], how)
