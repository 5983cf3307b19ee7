"""Demonstrates a bug in TensorFlow's TFLite converter: 64-bit bounds and strides lose their upper 32 bits."""

import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter

x = tf.constant([1.0, 2.0, 3.0, 4.0])
for begin, end, stride in [(1, 2**63 - 1, 1), (0, 2**31, 1), (0, 4, 2**32 + 2), (-1, -(2**63), -1)]:
    vectors = [tf.constant([n], tf.int64) for n in (begin, end, stride)]
    f = tf.function(lambda x: tf.raw_ops.StridedSlice(input=x, begin=vectors[0], end=vectors[1], strides=vectors[2]))
    concrete = f.get_concrete_function(tf.TensorSpec([4], tf.float32))
    interpreter = Interpreter(model_content=tf.lite.TFLiteConverter.from_concrete_functions([concrete]).convert())
    interpreter.allocate_tensors()
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x.numpy())
    interpreter.invoke()
    detail = interpreter.get_output_details()[0]
    print(f"x[{begin}:{end}:{stride}]", "TensorFlow", f(x).numpy(), "LiteRT", interpreter.get_tensor(detail["index"]) if 0 not in detail["shape"] else [])
