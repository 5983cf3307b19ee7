"""Demonstrates a bug in Grappler, TensorFlow's graph optimizer: it reads a stride of 2**32 + 1 as 1, and removes the
slice."""

import tensorflow as tf

x = tf.constant([1.0, 2.0, 3.0, 4.0])


def f(x):
    begin, end, strides = (tf.constant([n], tf.int64) for n in (0, 0, 2**32 + 1))
    return tf.identity(tf.raw_ops.StridedSlice(input=x, begin=begin, end=end, strides=strides, begin_mask=1, end_mask=1))


print("eager", f(x).numpy())
print("graph", tf.function(f)(x).numpy())
tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
print("graph, without Grappler", tf.function(lambda x: f(x))(x).numpy())
