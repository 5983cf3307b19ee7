"""Demonstrates a bug in tf2onnx: x[-1:0] should be empty, but becomes x[-1:]."""

import numpy as np
import onnx.printer
import onnxruntime
import tensorflow as tf
import tf2onnx
from onnx.reference import ReferenceEvaluator

x = np.arange(1, 5, dtype=np.float32)
f = tf.function(lambda x: {"y": tf.raw_ops.StridedSlice(input=x, begin=[-1], end=[0], strides=[1])})
converted, _ = tf2onnx.convert.from_function(f, [tf.TensorSpec([4], tf.float32, "x")], opset=18)
print("TensorFlow ", f(tf.constant(x))["y"].numpy())
print("ONNX       ", onnxruntime.InferenceSession(converted.SerializeToString()).run(None, {"x": x})[0])
print("reference  ", ReferenceEvaluator(converted).run(None, {"x": x})[0])
print(onnx.printer.to_text(converted.graph))
