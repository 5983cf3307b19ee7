"""Reads models with TVM's Relax frontends, and runs them on the CPU.

Usage: with_tvm.py onnx|tflite|torch
"""

import sys

import numpy as np
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models, tflite_models


def compile_and_run(module, feeds, stage):
    import tvm
    from tvm import relax

    built = tvm.compile(module, target="llvm")
    virtual_machine = relax.VirtualMachine(built, tvm.cpu())
    stage("run")
    outputs = virtual_machine["main"](*[tvm.runtime.tensor(feed) for feed in feeds])
    outputs = outputs[0] if isinstance(outputs, (list, tuple)) or not hasattr(outputs, "numpy") else outputs
    return outputs.numpy()


def run_onnx(model, stage):
    import onnx
    from tvm.relax.frontend.onnx import from_onnx

    module = from_onnx(onnx.load(TARGET / "onnx" / f"{model['model']}.onnx"), keep_params_in_input=False)
    feeds = {"x": input_of(model)} | extra_inputs(model, np.int64)
    names = [parameter.name for parameter in module["main"].params]
    return compile_and_run(module, [feeds[name] for name in names], stage)


def run_tflite(model, stage):
    import tflite
    from tvm.relax.frontend.tflite import from_tflite

    data = (TARGET / "tflite" / f"{model['model']}.tflite").read_bytes()
    module = from_tflite(tflite.Model.GetRootAsModel(data, 0))
    feeds = {"x": input_of(model)} | extra_inputs(model)
    names = [p.name.removeprefix("serving_default_").split(":")[0].removesuffix("_0") for p in module["main"].params]
    return compile_and_run(module, [feeds[name] for name in names], stage)


def run_torch(model, stage):
    import torch
    from source_torch import arguments, dynamic_shapes, example, module_of
    from tvm.relax.frontend.torch import from_exported_program

    with torch.no_grad():
        exported = torch.export.export(module_of(model), example(model), dynamic_shapes=dynamic_shapes(model))
    module = from_exported_program(exported)
    return compile_and_run(module, [given.numpy() for given in arguments(model)], stage)


RUNNERS = {
    "onnx": (run_onnx, "relax.frontend.onnx.from_onnx(model)"),
    "tflite": (run_tflite, "relax.frontend.tflite.from_tflite(model)"),
    "torch": (run_torch, "relax.frontend.torch.from_exported_program(torch.export.export(...))"),
}

if __name__ == "__main__":
    source = sys.argv.pop(1)
    run, how = RUNNERS[source]
    cases = tflite_models() if source == "tflite" else models(source)
    right = correct_results("tf" if source == "tflite" else source)
    packages = {"onnx": ["onnx"], "tflite": ["tflite"], "torch": ["torch"]}[source]
    record_results(f"tvm-{source}", "apache-tvm", run, cases, right, [*packages, "numpy"], how + ", tvm.compile for llvm")
