"""Compiles models for the CPU with IREE, and runs them. Usage: with_iree.py onnx|torch

PyTorch models are imported through iree-turbine.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models


def compile_and_run(text, kind, feeds, stage):
    from iree import compiler, runtime

    bytecode = compiler.compile_str(text, input_type=kind, target_backends=["llvm-cpu"], extra_args=["--iree-llvmcpu-target-cpu=generic"])
    stage("run")
    config = runtime.Config("local-sync")
    module = runtime.load_vm_module(runtime.VmModule.copy_buffer(config.vm_instance, bytecode), config)
    name = next(name for name in module.vm_module.function_names if not name.startswith("__") and "$" not in name)
    return module[name](*feeds).to_host()


def run_onnx(model, stage):
    from iree.compiler.tools.import_onnx.__main__ import main, parse_arguments

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.mlir"
        main(parse_arguments([str(TARGET / "onnx" / f"{model['model']}.onnx"), "-o", str(path)]))
        text = path.read_text()
    feeds = [input_of(model), *extra_inputs(model, np.int64).values()]
    return compile_and_run(text, "onnx", feeds, stage)


def run_torch(model, stage):
    from iree.turbine import aot
    import torch
    from source_torch import arguments, dynamic_shapes, example, module_of

    exported = torch.export.export(module_of(model), example(model), dynamic_shapes=dynamic_shapes(model))
    imported = aot.export(exported)
    return compile_and_run(str(imported.mlir_module), "torch", [given.numpy() for given in arguments(model)], stage)


RUNNERS = {
    "onnx": (run_onnx, "iree-import-onnx model.onnx, iree-compile for llvm-cpu"),
    "torch": (run_torch, "iree.turbine.aot.export(torch.export.export(...)), iree-compile for llvm-cpu"),
}

if __name__ == "__main__":
    source = sys.argv.pop(1)
    run, how = RUNNERS[source]
    packages = {"onnx": ["iree-base-runtime", "onnx"], "torch": ["iree-base-runtime", "iree-turbine", "torch"]}[source]
    record_results(f"iree-{source}", "iree-base-compiler", run, models(source), correct_results(source), [*packages, "numpy"], how)
