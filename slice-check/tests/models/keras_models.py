"""Exports Keras networks to ONNX with tf2onnx and to LiteRT with TensorFlow's converter. Also exports one of them as a
saved model.

    python3.11 -m venv keras
    keras/bin/pip install keras==3.15.1 numpy==2.4.6 onnx==1.23.2 tensorflow-cpu==2.21.0 tf2onnx==1.17.0
    keras/bin/python keras_models.py

The weights are random and small, because only the slices of a network matter.
"""

import pathlib
import shutil
import tempfile

import keras
import tensorflow as tf
import tf2onnx
from keras import layers, ops

HERE = pathlib.Path(__file__).parent
keras.utils.set_random_seed(0)


class Focus(layers.Layer):
    """YOLOv5's Focus with channels last: selects every other pixel at four offsets, and concatenates the
    patches as channels."""

    def call(self, x):
        return ops.concatenate([x[:, ::2, ::2], x[:, 1::2, ::2], x[:, ::2, 1::2], x[:, 1::2, 1::2]], -1)


class KeyValueCache(layers.Layer):
    """Appends the new keys to the old keys, and keeps the last six positions."""

    def call(self, inputs):
        query, past, new = inputs
        keys = ops.concatenate([past, new], axis=2)[:, :, -6:]
        return ops.softmax(query @ ops.transpose(keys, (0, 1, 3, 2))) @ keys, keys


class ShiftedWindows(layers.Layer):
    """Swin's shifted windows: rolls the input, divides it into windows, and undoes both steps."""

    def call(self, x):
        shifted = ops.roll(x, (-2, -2), (1, 2))
        windows = ops.reshape(shifted, (-1, 2, 4, 2, 4, 2))
        windows = ops.reshape(ops.transpose(windows, (0, 1, 3, 2, 4, 5)), (-1, 16, 2)) * 2.0
        back = ops.transpose(ops.reshape(windows, (-1, 2, 2, 4, 4, 2)), (0, 1, 3, 2, 4, 5))
        return ops.roll(ops.reshape(back, (-1, 8, 8, 2)), (2, 2), (1, 2))


class Rotary(layers.Layer):
    """Rotary position embedding, which selects the two halves of an axis, and its even and odd positions."""

    def call(self, x):
        half = x.shape[-1] // 2
        turned = ops.concatenate([-x[..., half:], x[..., :half]], axis=-1)
        pairs = ops.stack([-x[..., 1::2], x[..., ::2]], axis=-1)
        return turned + ops.reshape(pairs, (-1, *x.shape[1:]))


class Framing(layers.Layer):
    """Divides a signal into overlapping frames. Returns the lower half of the spectrum of every frame but the first,
    the reversed signal, and the last sample of the first frame. The identity matrix stands in for the Fourier
    matrix."""

    def call(self, signal):
        frames = ops.stack([signal[:, start : start + 8] for start in range(0, 24, 4)], 1)
        return (frames @ ops.eye(8))[:, :, :5][:, 1:], ops.flip(signal, -1), frames[:, 0, -1]


def export_model(name, layer, *shapes, weights=()):
    inputs = [keras.Input(shape, batch_size=batch) for batch, *shape in shapes]
    sliced = layer(inputs if len(inputs) > 1 else inputs[0])
    outputs = list(sliced) if isinstance(sliced, (list, tuple)) else [sliced]
    for weight_layer in weights:
        outputs = [weight_layer(outputs[0]), *outputs[1:]]
    model = keras.Model(inputs, outputs)
    signature = [tf.TensorSpec(shape, tf.float32, name=f"x{at}") for at, shape in enumerate(shapes)]
    function = tf.function(lambda *x: model(list(x) if len(x) > 1 else x[0]), input_signature=signature)
    onnx, _ = tf2onnx.convert.from_function(function, input_signature=signature, opset=18)
    (HERE / f"keras_{name}.onnx").write_bytes(onnx.SerializeToString(deterministic=True))
    converter = tf.lite.TFLiteConverter.from_concrete_functions([function.get_concrete_function()], model)
    (HERE / f"keras_{name}.tflite").write_bytes(converter.convert())
    return model


export_model("focus", Focus(), (None, 8, 8, 3), weights=[layers.Conv2D(4, 1)])
export_model("cache", KeyValueCache(), (1, 2, 1, 4), (1, 2, 9, 4), (1, 2, 1, 4))
export_model("windows", ShiftedWindows(), (1, 8, 8, 2))
rotary = export_model("rotary", Rotary(), (1, 2, 3, 8))
export_model("framing", Framing(), (1, 32))
with tempfile.TemporaryDirectory() as folder:
    rotary.export(folder, format="tf_saved_model", verbose=False)
    saved_model = HERE / "keras_rotary"
    saved_model.mkdir(exist_ok=True)
    # Omits the weights, which `slice check` does not read.
    shutil.copy(pathlib.Path(folder) / "saved_model.pb", saved_model / "saved_model.pb")
print(f"Keras {keras.__version__}, TensorFlow {tf.__version__}, tf2onnx {tf2onnx.__version__}")
