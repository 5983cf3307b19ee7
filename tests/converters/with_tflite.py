"""Converts SavedModels to target/converters/tflite with TensorFlow's TFLite converter, and runs the converted models in
LiteRT.

`with_tflite.py` runs the models with XNNPACK, as an application would. `with_tflite.py kernels` reuses the models that
an earlier run converted, and runs them without XNNPACK.
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models
from runtimes import litert_result


def convert(model):
    import tensorflow as tf

    folder = TARGET / "tflite"
    folder.mkdir(exist_ok=True)
    (folder / f"{model['model']}.tflite").unlink(missing_ok=True)
    converted = tf.lite.TFLiteConverter.from_saved_model(str(TARGET / "tf" / model["model"])).convert()
    (folder / f"{model['model']}.tflite").write_bytes(converted)
    return converted


def run_as_shipped(model, stage):
    converted = convert(model)
    stage("run")
    return litert_result(converted, {"x": input_of(model)} | extra_inputs(model))


def run_kernels(model, stage):
    path = TARGET / "tflite" / f"{model['model']}.tflite"
    if not path.exists():
        raise RuntimeError("no converted model")
    stage("run")
    return litert_result(path, {"x": input_of(model)} | extra_inputs(model), with_xnnpack=False)


if __name__ == "__main__":
    without_xnnpack = sys.argv[1:2] == ["kernels"]
    if without_xnnpack:
        sys.argv.pop(1)
    name, run = ("tflite-kernels", run_kernels) if without_xnnpack else ("tflite", run_as_shipped)
    how = "tf.lite.TFLiteConverter.from_saved_model(folder).convert(), run by LiteRT" + (" without XNNPACK" if without_xnnpack else "")
    record_results(name, "tensorflow-cpu", run, models("tf"), correct_results("tf"), ["ai-edge-litert", "numpy"], how)
