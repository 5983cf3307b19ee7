"""Reads models with OpenVINO's frontends, and runs them with its CPU plugin.

Usage: with_openvino.py tf|onnx|tflite|torch|torch-traced

The TFLite models are those written by with_tflite.py, except the models for which LiteRT's own kernels did not return
the right result.
"""

import sys

import numpy as np
from harness import TARGET, answers, extra_inputs, input_of, judge, models, tflite_models


def outcome(made, feeds, stage):
    import openvino

    compiled = openvino.Core().compile_model(made, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    stage("run")
    if not compiled.outputs:
        raise RuntimeError("the converted model has no outputs")
    if isinstance(feeds, dict):
        # Ports have the names of the TensorFlow signature. Unused inputs may have no port.
        known = {}
        for port in compiled.inputs:
            name = next(key for key in feeds if any(n.split(":")[0].removeprefix("serving_default_") == key for n in port.names))
            known[port] = feeds[name]
        feeds = known
    return compiled(feeds)[0]


def file_of(source):
    def run(model, stage):
        import openvino

        path = {"tf": model["model"], "onnx": f"{model['model']}.onnx", "tflite": f"{model['model']}.tflite"}[source]
        made = openvino.convert_model(str(TARGET / source / path))
        kind = np.int64 if source == "onnx" else None
        return outcome(made, {"x": input_of(model)} | extra_inputs(model, kind), stage)

    return run


def tf(model, stage):
    return file_of("tf")(model, stage)


def onnx(model, stage):
    return file_of("onnx")(model, stage)


def tflite(model, stage):
    return file_of("tflite")(model, stage)


def torch(model, stage):
    import openvino
    import torch
    from source_torch import arguments, dynamic_shapes, example, module_of

    exported = torch.export.export(module_of(model), example(model), dynamic_shapes=dynamic_shapes(model))
    made = openvino.convert_model(exported)
    return outcome(made, [given.numpy() for given in arguments(model)], stage)


def torch_traced(model, stage):
    import openvino
    from source_torch import arguments, example, module_of, no_warnings

    no_warnings()
    made = openvino.convert_model(module_of(model), example_input=example(model))
    return outcome(made, [given.numpy() for given in arguments(model)], stage)


HOW = {
    "tf": (tf, "openvino.convert_model(SavedModel)"),
    "onnx": (onnx, "openvino.convert_model('model.onnx')"),
    "tflite": (tflite, "openvino.convert_model('model.tflite')"),
    "torch": (torch, "openvino.convert_model(torch.export.export(...))"),
    "torch-traced": (torch_traced, "openvino.convert_model(module, example_input=...)"),
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    source = which.split("-")[0]
    run, how = HOW[which]
    right = answers("tf" if source == "tflite" else source)
    cases = tflite_models() if source == "tflite" else models(source)
    judge(f"openvino-{which}", "openvino", run, cases, right, ["numpy"] + ["torch"] * (source == "torch"), how + ", CPU plugin")
