"""Records how TensorFlow's `Tensor.__getitem__` encodes the slices in tests/macros/encoding.rs.

Writes tensorflow_getitem.jsonl.gz. For each slice, the file contains the constants and attributes of the StridedSlice
operation that `tf.function` traces for `x[slice]`, where `x` has an unknown rank.
"""

import re
from pathlib import Path

import tensorflow as tf
from common import MASKS, write

SOURCE = Path(__file__).resolve().parent.parent / "macros" / "encoding.rs"
VECTORS = ["begin", "end", "strides"]


def slices():
    """Returns the slices in the Rust source, which are also valid Python."""
    body = SOURCE.read_text().split("slices! {", 1)[1].split("\n    }\n", 1)[0]
    return re.findall(r"^\s+\[(.*)\]$", body, re.MULTILINE)


def encoding(text):
    """Returns the constants and attributes of the only StridedSlice in the graph of `x[text]`."""
    function = eval(f"lambda x: x[{text or '()'}]", {"newaxis": tf.newaxis})
    graph = tf.function(function).get_concrete_function(tf.TensorSpec(None, tf.int32)).graph
    (op,) = [op for op in graph.get_operations() if op.type == "StridedSlice"]
    constants = dict(zip(VECTORS, (tf.get_static_value(tensor).tolist() for tensor in op.inputs[1:])))
    return {"text": text, **constants, **{mask: op.get_attr(mask) for mask in MASKS}}


write("tensorflow_getitem", __file__, ["tensorflow-cpu"], None, map(encoding, slices()))
