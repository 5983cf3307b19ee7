"""Writes the TensorFlow graphs in this folder, and converts them to LiteRT with TensorFlow's converter.

    python3.11 -m venv tensorflow
    tensorflow/bin/pip install numpy==2.4.6 tensorflow-cpu==2.21.0
    tensorflow/bin/python tensorflow_models.py
"""

import pathlib

import tensorflow as tf

HERE = pathlib.Path(__file__).parent


@tf.function(input_signature=[tf.TensorSpec([1, 8, 8, 3], tf.float32, name="x")])
def focus(x):
    """YOLOv5's first layer with channels last: selects every other pixel at four offsets, and concatenates the
    patches as channels."""
    patches = [x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]]
    return tf.concat(patches, -1)


@tf.function(input_signature=[tf.TensorSpec([2, 9, 4], tf.float32, name="x")])
def masks(x):
    """Slices an array with every mask, `tf.slice` with `begin` and `size`, `tf.split`, a list, and reversed axes."""
    first = x[1:, ..., tf.newaxis, :-3:-1]
    last = x[:, -1]
    part = tf.slice(x, [0, 2, 1], [-1, 3, 2])
    left, right = tf.split(x, 2, axis=-1)
    picked = tf.gather(x, [0, 2, 5], axis=1)
    flipped = tf.reverse(x, [0, 2])
    return first, last, part, left * right, picked, flipped


@tf.function(input_signature=[tf.TensorSpec([None, 8], tf.float32, name="x")])
def batches(x):
    """Selects the first half of an axis. The length of one axis is known only at run time, and the other is constant."""
    rows = tf.shape(x)[0] // 2
    columns = tf.shape(x)[1] // 2
    return x[:rows, 1:], x[:, :columns]


@tf.function(input_signature=[tf.TensorSpec([4], tf.float32, name="x")])
def converters(x):
    """Returns slices that reveal converter bugs: an end before the first element, a 64-bit bound, and an end of 0."""
    return x[-1:-5:-1], x[tf.constant(-(2**32) - 2, tf.int64) : tf.constant(3, tf.int64)], x[-1:0]


for function in (focus, masks, batches, converters):
    name = function.python_function.__name__
    concrete = function.get_concrete_function()
    graph = concrete.graph.as_graph_def()
    (HERE / f"{name}.pb").write_bytes(graph.SerializeToString(deterministic=True))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
    (HERE / f"{name}.tflite").write_bytes(converter.convert())
