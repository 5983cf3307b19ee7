"""Converts PyTorch models with litert-torch, and runs them in LiteRT with XNNPACK, as an application would.

`with_litert_torch.py kernels` runs them without XNNPACK.
"""

import os
import sys
import tempfile

from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models
from runtimes import litert_output


def litert_torch_output(model, stage, with_xnnpack):
    import litert_torch
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    from source_torch import dynamic_shapes, example, module_of

    examples = example(model)
    converted = litert_torch.convert(module_of(model), examples, dynamic_shapes=dynamic_shapes(model))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.tflite")
        converted.export(path)
        stage("run")
        kind = OpResolverType.AUTO if with_xnnpack else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
        interpreter = Interpreter(model_path=path, num_threads=1, experimental_op_resolver_type=kind)
        feeds = [input_of(model), *extra_inputs(model, np.int64).values()]
        inputs = []
        for detail in interpreter.get_input_details():
            # A name, such as serving_default_args_0:0, contains the number of the argument. The converted model has no
            # inputs for unused arguments.
            feed = feeds[int(detail["name"].split(":")[0].rsplit("_", 1)[1])].astype(detail["dtype"])
            inputs.append((detail["index"], feed))
            if list(detail["shape"]) != list(feed.shape):
                interpreter.resize_tensor_input(detail["index"], feed.shape)
        interpreter.allocate_tensors()
        for index, feed in inputs:
            interpreter.set_tensor(index, feed)
        interpreter.invoke()
        return litert_output(interpreter)


def run_as_shipped(model, stage):
    return litert_torch_output(model, stage, True)


def run_kernels(model, stage):
    return litert_torch_output(model, stage, False)


if __name__ == "__main__":
    without_xnnpack = sys.argv[1:2] == ["kernels"]
    if without_xnnpack:
        sys.argv.pop(1)
    name, run = ("litert-torch-kernels", run_kernels) if without_xnnpack else ("litert-torch", run_as_shipped)
    how = "litert_torch.convert(module, arguments), run by LiteRT" + (" without XNNPACK" if without_xnnpack else "")
    record_results(name, "litert-torch", run, models("torch"), correct_results("torch"), ["torch", "ai-edge-litert", "litert-converter", "numpy"], how)
