"""Runs models in TensorFlow itself. `with_tf.py grappler` runs them as graphs, which Grappler optimizes.
`with_tf.py xla` compiles them with XLA."""

import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
from harness import TARGET, correct_results, extra_inputs, input_of, record_results, models


def arguments(model):
    import tensorflow as tf

    return [tf.constant(input_of(model)), *(tf.constant(array) for array in extra_inputs(model).values())]


def run_grappler(model, stage):
    """Loads and runs the SavedModel."""
    import tensorflow as tf

    function = tf.saved_model.load(str(TARGET / "tf" / model["model"])).signatures["serving_default"]
    stage("run")
    names = ["x", *model.get("inputs", {})]
    return function(**dict(zip(names, arguments(model))))["y"].numpy()


def run_xla(model, stage):
    """Compiles the model's function with XLA, and runs it. Bounds that are inputs of the model remain inputs, and do
    not become constants."""
    import tensorflow as tf
    from source_tf import module_of

    function = tf.function(module_of(model).eagerly, jit_compile=True, autograph=False)
    stage("run")
    return function(*arguments(model)).numpy()


HOW = {
    "grappler": "tf.saved_model.load(folder).signatures['serving_default']",
    "xla": "tf.function(f, jit_compile=True)",
}

if __name__ == "__main__":
    which = sys.argv.pop(1)
    record_results(f"tensorflow-{which}", "tensorflow-cpu", {"grappler": run_grappler, "xla": run_xla}[which], models("tf"), correct_results("tf"), how=HOW[which])
