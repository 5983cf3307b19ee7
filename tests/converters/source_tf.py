"""Writes the TensorFlow models as SavedModels to target/converters/tf, and TensorFlow's results to answers/tf.jsonl.

The models run eagerly, because the results of the graph optimizer, Grappler, are not always correct. The script stops
if a result differs from NumPy's.
"""

import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from harness import HERE, TARGET, extra_inputs, input_of, integer_type, models, result_of, write
from models import MASKS
from sources import numpy_result, versions


def apply_operation(op, x, given):
    """Applies one operation to a tensor."""

    def vector(name):
        value = op[name]
        return given[value[1:]] if isinstance(value, str) else tf.constant(value, integers)

    names = [name for name in ("begin", "end", "strides", "size", "axis", "indices") if name in op]
    numbers = [op[name] for name in names if not isinstance(op[name], str)]
    numbers += [array.dtype.as_numpy_dtype([2**40]) if array.dtype == tf.int64 else [0] for array in given.values()]
    integers = integer_type(np.concatenate([np.ravel(part) for part in numbers] or [[]]).tolist())
    match op["op"]:
        case "StridedSlice":
            begin, end, strides = (tf.cast(vector(name), integers) for name in ("begin", "end", "strides"))
            masks = {mask: op.get(mask, 0) for mask in MASKS}
            return tf.raw_ops.StridedSlice(input=x, begin=begin, end=end, strides=strides, **masks)
        case "Slice":
            return tf.raw_ops.Slice(input=x, begin=vector("begin"), size=vector("size"))
        case "ReverseV2":
            return tf.raw_ops.ReverseV2(tensor=x, axis=vector("axis"))
        case "GatherV2":
            return tf.raw_ops.GatherV2(params=x, indices=vector("indices"), axis=tf.constant(op["axis"]))
        case "Transpose":
            return tf.transpose(x, op["perm"])


def module_of(model):
    """Returns a module with the model's function in two forms: `run` is traced to a graph, and `eagerly` runs eagerly.
    The arguments are x and the model's additional inputs."""
    shape = [None] * len(model["shape"]) if model.get("unknown") else model["shape"]
    names = list(model.get("inputs", {}))
    extras = [tf.TensorSpec(array.shape, array.dtype, name) for name, array in extra_inputs(model).items()]

    def body(x, *vectors):
        for op in model["ops"]:
            x = apply_operation(op, x, dict(zip(names, vectors)))
        return x

    module = tf.Module()
    module.eagerly = body
    module.run = tf.function(lambda *given: {"y": tf.identity(body(*given))}, input_signature=[tf.TensorSpec(shape, tf.float32, "x"), *extras], autograph=False)
    return module


def main():
    rows = []
    for model in models("tf"):
        module = module_of(model)
        extras = [tf.constant(array) for array in extra_inputs(model).values()]
        result = result_of(module.eagerly(tf.constant(input_of(model)), *extras).numpy(), model)
        assert result == numpy_result(model), model
        rows.append({"model": model["model"], "results": [result]})
        tf.saved_model.save(module, str(TARGET / "tf" / model["model"]), signatures=module.run.get_concrete_function())
    write(HERE / "answers" / "tf.jsonl", {"source": "tf", "models": len(rows), "versions": versions("tensorflow-cpu", "numpy")}, rows)


if __name__ == "__main__":
    main()
