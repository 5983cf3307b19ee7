"""Converts PyTorch models with torch.onnx, and runs the ONNX models in ONNX Runtime without optimizations.

`with_torch_onnx.py dynamo` uses the newer exporter, and `with_torch_onnx.py script` the older one.
"""

import io
import sys
import warnings

from harness import correct_results, extra_inputs, input_of, record_results, models
from runtimes import onnxruntime_result


def feeds(model):
    import numpy as np

    return [input_of(model), *extra_inputs(model, np.int64).values()]


def run_dynamo(model, stage):
    import torch
    from source_torch import dynamic_shapes, example, module_of

    program = torch.onnx.export(
        module_of(model), example(model), dynamo=True, dynamic_shapes=dynamic_shapes(model), verbose=False
    )
    exported = program.model_proto.SerializeToString()
    stage("run")
    return onnxruntime_result(exported, feeds(model))


def run_script(model, stage):
    import torch
    from source_torch import example, module_of, turn_tracer_warnings_into_errors

    warnings.simplefilter("ignore")
    turn_tracer_warnings_into_errors()
    examples = example(model)
    names = ["x", *model.get("inputs", {})]
    axes = {name: list(range(part.dim())) for name, part in zip(names, examples)} if model.get("unknown") else None
    file = io.BytesIO()
    torch.onnx.export(module_of(model), examples, file, dynamo=False, input_names=names, dynamic_axes=axes)
    stage("run")
    return onnxruntime_result(file.getvalue(), dict(zip(names, feeds(model))))


RUNNERS = {
    "dynamo": (run_dynamo, "torch.onnx.export(module, arguments, dynamo=True)"),
    "script": (run_script, "torch.onnx.export(module, arguments, file, dynamo=False)"),
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    run, how = RUNNERS[which]
    packages = ["onnxscript", "onnx", "onnxruntime", "numpy"]
    record_results(f"torch.onnx-{which}", "torch", run, models("torch"), correct_results("torch"), packages, how + ", run by ONNX Runtime")
