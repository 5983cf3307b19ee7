"""Converts SavedModels to target/converters/tflite with TensorFlow's TFLite converter, and runs the converted models in
LiteRT.

`with_tflite.py` runs the models with XNNPACK, as an application would. `with_tflite.py kernels` reuses the models that
an earlier run converted, and runs them without XNNPACK.
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from harness import TARGET, answers, extra_inputs, input_of, judge, models
from runtimes import litert_result


def converted(model):
    import tensorflow as tf

    folder = TARGET / "tflite"
    folder.mkdir(exist_ok=True)
    (folder / f"{model['model']}.tflite").unlink(missing_ok=True)
    made = tf.lite.TFLiteConverter.from_saved_model(str(TARGET / "tf" / model["model"])).convert()
    (folder / f"{model['model']}.tflite").write_bytes(made)
    return made


def as_shipped(model, stage):
    made = converted(model)
    stage("run")
    return litert_result(made, {"x": input_of(model)} | extra_inputs(model))


def kernels(model, stage):
    path = TARGET / "tflite" / f"{model['model']}.tflite"
    if not path.exists():
        raise RuntimeError("no converted model")
    stage("run")
    return litert_result(path, {"x": input_of(model)} | extra_inputs(model), delegates=False)


if __name__ == "__main__":
    alone = sys.argv[1:2] == ["kernels"]
    if alone:
        sys.argv.pop(1)
    name, run = ("tflite-kernels", kernels) if alone else ("tflite", as_shipped)
    how = "tf.lite.TFLiteConverter.from_saved_model(folder).convert(), run by LiteRT" + (" without XNNPACK" if alone else "")
    judge(name, "tensorflow-cpu", run, models("tf"), answers("tf"), ["ai-edge-litert", "numpy"], how)
