"""Converts ONNX models with onnx2tf, and runs them in LiteRT with XNNPACK, as an application would.

`with_onnx2tf.py kernels` reuses the models that an earlier run converted, and runs them without XNNPACK.

onnx2tf moves the channels of inputs with three or more axes to the end, and can reorder the axes of outputs. The script
therefore orders the axes of x as in the converted model. A result is right if it is equal to the expected result after
some permutation of its axes.

onnx2tf 2 needs Python 3.12 or newer, and writes .tflite files without TensorFlow. Its results are in separate files.
"""

import itertools
import os
import shutil
import sys
import tempfile
from importlib.metadata import version

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models, result_of
from runtimes import litert_result


# The name of the results file, "onnx2tf" for version 1 and "onnx2tf-2" for version 2.
NAME = "onnx2tf" if version("onnx2tf").startswith("1.") else "onnx2tf-2"


def write_sample_images():
    """Writes random noise to the file of sample images on which onnx2tf runs models, so that onnx2tf does not download
    this file."""
    os.chdir(TARGET)
    if not os.path.exists("calibration_image_sample_data_20x128x128x3_float32.npy"):
        noise = np.random.default_rng(1).random((20, 128, 128, 3), dtype=np.float32)
        np.save("calibration_image_sample_data_20x128x128x3_float32.npy", noise)


def convert(model):
    import onnx2tf

    path = TARGET / NAME / f"{model['model']}.tflite"
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    write_sample_images()
    with tempfile.TemporaryDirectory() as folder:
        source = str(TARGET / "onnx" / f"{model['model']}.onnx")
        onnx2tf.convert(input_onnx_file_path=source, output_folder_path=folder, non_verbose=True)
        shutil.copy(os.path.join(folder, f"{model['model']}_float32.tflite"), path)
    return path


def output_in_order(model, path, with_xnnpack):
    from ai_edge_litert.interpreter import Interpreter

    x = input_of(model)
    details = Interpreter(model_path=str(path)).get_input_details()
    for detail in details:
        if detail["name"].removeprefix("serving_default_").split(":")[0] == "x" and x.ndim > 2:
            last = [0, *range(2, x.ndim), 1]
            shape = list(detail["shape_signature"])
            # In these models, only height and width can be equal, so the shape shows whether the channels come last.
            if not model.get("unknown") and shape == [x.shape[axis] for axis in last]:
                x = x.transpose(last).copy()
    result = litert_result(path, {"x": x} | extra_inputs(model, np.int64), with_xnnpack)
    right = correct_results("onnx")[model["model"]]
    for order in itertools.permutations(range(result.ndim)) if result.ndim > 2 else ():
        if result_of(result.transpose(order), model) in right:
            return result.transpose(order)
    return result


def run_as_shipped(model, stage):
    path = convert(model)
    stage("run")
    return output_in_order(model, path, True)


def run_kernels(model, stage):
    path = TARGET / NAME / f"{model['model']}.tflite"
    if not path.exists():
        raise RuntimeError("no converted model")
    stage("run")
    return output_in_order(model, path, False)


if __name__ == "__main__":
    without_xnnpack = sys.argv[1:2] == ["kernels"]
    if without_xnnpack:
        sys.argv.pop(1)
    name, run = (f"{NAME}-kernels", run_kernels) if without_xnnpack else (NAME, run_as_shipped)
    how = "onnx2tf.convert(input_onnx_file_path=path), model_float32.tflite run by LiteRT" + (" without XNNPACK" if without_xnnpack else "")
    packages = [*(["tensorflow"] if NAME == "onnx2tf" else []), "onnx", "onnxsim", "ai-edge-litert", "numpy"]
    record_results(name, "onnx2tf", run, models("onnx"), correct_results("onnx"), packages, how)
