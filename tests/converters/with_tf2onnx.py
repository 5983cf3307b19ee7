"""Converts TensorFlow functions with tf2onnx, and runs the ONNX models in ONNX Runtime without optimizations."""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from harness import correct_results, extra_inputs, input_of, record_results, models
from runtimes import onnxruntime_result


def run(model, stage):
    import tensorflow as tf
    import tf2onnx
    from source_tf import module_of

    module = module_of(model)
    converted, _ = tf2onnx.convert.from_function(module.run, input_signature=module.run.input_signature, opset=18)
    stage("run")
    return onnxruntime_result(converted.SerializeToString(), {"x": input_of(model)} | extra_inputs(model))


if __name__ == "__main__":
    how = "tf2onnx.convert.from_function(f, input_signature, opset=18), run by ONNX Runtime"
    record_results("tf2onnx", "tf2onnx", run, models("tf"), correct_results("tf"), ["tensorflow-cpu", "onnx", "onnxruntime", "numpy"], how)
