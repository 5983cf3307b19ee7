"""Converts models to MIL, Core ML's intermediate language, with coremltools.

Usage: with_coreml.py torch|torch-traced|tf

The PyTorch models are exported (`torch`) or traced (`torch-traced`) before the conversion.

Running a model needs macOS, so the models are not run. Instead, every operation of the converted program is built again
with the input as a constant, so that constant folding computes the result. If folding computes no value, the model
counts as refused.
"""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models


def evaluate_by_folding(program, feeds):
    """Returns the program's only output, computed by constant folding."""
    import coremltools as ct
    from coremltools.converters.mil.mil import Builder as mb, Var

    function = program.functions["main"]
    values = dict(zip(function.inputs, feeds)) if not isinstance(feeds, dict) else {n: feeds[n.split(":")[0]] for n in function.inputs}
    folded = {}

    def body(a):
        rebuilt = {}
        for name, value in values.items():
            # coremltools does not support inputs of rank 0, so the conversion has replaced such an input by an array
            # with one element.
            shape = function.inputs[name].shape
            rebuilt[function.inputs[name]] = mb.const(val=value.reshape((1,)) if value.ndim == 0 and len(shape) == 1 else value)
        for op in function.operations:
            if op.op_type == "const":
                rebuilt[op.outputs[0]] = mb.const(val=op.outputs[0].val)
                continue

            def operand(given):
                if isinstance(given, (list, tuple)):
                    return type(given)(operand(part) for part in given)
                return rebuilt[given] if isinstance(given, Var) and given in rebuilt else given.val

            arguments = {name: operand(given) for name, given in op.inputs.items() if given is not None}
            result = getattr(mb, op.op_type)(**arguments)
            for old, new in zip(op.outputs, result if isinstance(result, (list, tuple)) else [result]):
                rebuilt[old] = new
        result = rebuilt[function.outputs[0]]
        folded["value"], folded["shape"] = result.val, result.shape
        return mb.identity(x=a)

    mb.program(input_specs=[mb.TensorSpec(shape=(1,))], opset_version=ct.target.iOS17)(body)
    if folded["value"] is None:
        raise NotImplementedError("folding gives nothing for this program")
    return np.asarray(folded["value"])


def run_torch(model, stage):
    import coremltools as ct
    import torch
    from source_torch import dynamic_shapes, example, module_of

    with torch.no_grad():
        exported = torch.export.export(module_of(model), example(model), dynamic_shapes=dynamic_shapes(model)).run_decompositions({})
    converted = ct.convert(exported, convert_to="milinternal", compute_precision=ct.precision.FLOAT32, minimum_deployment_target=ct.target.iOS17)
    stage("run")
    return evaluate_by_folding(converted, [input_of(model), *extra_inputs(model, np.int32).values()])


def run_torch_traced(model, stage):
    import coremltools as ct
    import torch
    from source_torch import example, module_of, turn_tracer_warnings_into_errors

    turn_tracer_warnings_into_errors()
    given = example(model)
    with torch.no_grad():
        traced = torch.jit.trace(module_of(model), given)
    types = [ct.TensorType(shape=part.shape or (1,), dtype=np.float32 if i == 0 else np.int32) for i, part in enumerate(given)]
    if model.get("unknown"):
        types = [ct.TensorType(shape=[ct.RangeDim(1, 10, n) for n in t.shape.shape], dtype=t.dtype) for t in types]
    converted = ct.convert(traced, inputs=types, convert_to="milinternal", compute_precision=ct.precision.FLOAT32, minimum_deployment_target=ct.target.iOS17)
    stage("run")
    return evaluate_by_folding(converted, [input_of(model), *extra_inputs(model, np.int32).values()])


def run_tf(model, stage):
    import coremltools as ct

    converted = ct.convert(str(TARGET / "tf" / model["model"]), source="tensorflow", convert_to="milinternal", compute_precision=ct.precision.FLOAT32, minimum_deployment_target=ct.target.iOS17)
    stage("run")
    return evaluate_by_folding(converted, {"x": input_of(model)} | extra_inputs(model))


RUNNERS = {
    "torch": (run_torch, "coremltools.convert(torch.export.export(...), convert_to='milinternal')"),
    "torch-traced": (run_torch_traced, "coremltools.convert(torch.jit.trace(...), convert_to='milinternal')"),
    "tf": (run_tf, "coremltools.convert(SavedModel, convert_to='milinternal')"),
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    run, how = RUNNERS[which]
    source = which.split("-")[0]
    package = {"torch": "torch", "tf": "tensorflow-cpu"}[source]
    record_results(f"coremltools-{which}", "coremltools", run, models(source), correct_results(source), [package, "numpy"], how + ", folded with a constant input")
