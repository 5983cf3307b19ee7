"""Reads models with OpenVINO's frontends, and runs them with OpenVINO's CPU plugin.

Usage: with_openvino.py tf|onnx|tflite|torch|torch-traced

The TFLite models are those written by with_tflite.py, except the models for which LiteRT's own kernels did not return
the right result.
"""

import sys

import numpy as np
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models, tflite_models


def compile_and_run(converted, feeds, stage):
    import openvino

    compiled = openvino.Core().compile_model(converted, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    stage("run")
    if not compiled.outputs:
        raise RuntimeError("the converted model has no outputs")
    if isinstance(feeds, dict):
        # Ports have the names of the TensorFlow signature. Unused inputs may have no port.
        port_feeds = {}
        for port in compiled.inputs:
            name = next(key for key in feeds if any(n.split(":")[0].removeprefix("serving_default_") == key for n in port.names))
            port_feeds[port] = feeds[name]
        feeds = port_feeds
    return compiled(feeds)[0]


def runner(source):
    def run(model, stage):
        import openvino

        path = {"tf": model["model"], "onnx": f"{model['model']}.onnx", "tflite": f"{model['model']}.tflite"}[source]
        converted = openvino.convert_model(str(TARGET / source / path))
        kind = np.int64 if source == "onnx" else None
        return compile_and_run(converted, {"x": input_of(model)} | extra_inputs(model, kind), stage)

    return run


def run_tf(model, stage):
    return runner("tf")(model, stage)


def run_onnx(model, stage):
    return runner("onnx")(model, stage)


def run_tflite(model, stage):
    return runner("tflite")(model, stage)


def run_torch(model, stage):
    import openvino
    import torch
    from source_torch import arguments, dynamic_shapes, example, module_of

    exported = torch.export.export(module_of(model), example(model), dynamic_shapes=dynamic_shapes(model))
    converted = openvino.convert_model(exported)
    return compile_and_run(converted, [given.numpy() for given in arguments(model)], stage)


def run_torch_traced(model, stage):
    import openvino
    from source_torch import arguments, example, module_of, turn_tracer_warnings_into_errors

    turn_tracer_warnings_into_errors()
    converted = openvino.convert_model(module_of(model), example_input=example(model))
    return compile_and_run(converted, [given.numpy() for given in arguments(model)], stage)


RUNNERS = {
    "tf": (run_tf, "openvino.convert_model(SavedModel)"),
    "onnx": (run_onnx, "openvino.convert_model('model.onnx')"),
    "tflite": (run_tflite, "openvino.convert_model('model.tflite')"),
    "torch": (run_torch, "openvino.convert_model(torch.export.export(...))"),
    "torch-traced": (run_torch_traced, "openvino.convert_model(module, example_input=...)"),
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    source = which.split("-")[0]
    run, how = RUNNERS[which]
    right = correct_results("tf" if source == "tflite" else source)
    cases = tflite_models() if source == "tflite" else models(source)
    record_results(f"openvino-{which}", "openvino", run, cases, right, ["numpy"] + ["torch"] * (source == "torch"), how + ", CPU plugin")
