"""Demonstrates a bug in OpenVINO: x[1, newaxis, ::-1] in a TensorFlow model returns the wrong elements.

First run the script with the argument `write` in an environment with TensorFlow, and then without an argument in an
environment with OpenVINO.
"""

import sys

import numpy as np

x = np.arange(1, 25, dtype=np.float32).reshape(2, 3, 4)
if sys.argv[1:] == ["write"]:
    import tensorflow as tf

    module = tf.Module()
    module.run = tf.function(lambda x: x[1, tf.newaxis, ::-1], input_signature=[tf.TensorSpec([2, 3, 4], tf.float32)])
    tf.saved_model.save(module, "/tmp/index_new_axis", signatures=module.run.get_concrete_function())
    print("TensorFlow", module.run(x).numpy().tolist())
else:
    import openvino

    compiled = openvino.compile_model(openvino.convert_model("/tmp/index_new_axis"), "CPU")
    print("OpenVINO", compiled([x])[0].tolist(), "NumPy", x[1, np.newaxis, ::-1].tolist())
