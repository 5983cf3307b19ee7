"""Writes models that join the three channels of an image in two orders, and records what the systems compute.

In an environment with the system's packages, whose versions are in ../models/*.py:

    onnx/bin/python orders.py onnx
    tensorflow/bin/python orders.py tensorflow
    litert/bin/python orders.py litert          # runs the models that the previous command converted
    openvino/bin/python orders.py openvino
    torch/bin/python orders.py torch
    stablehlo/bin/python orders.py stablehlo

Each order is written with slices and a concatenation, with a split and a concatenation, and with indices and a stack.
`outputs.json` contains the elements that each system computes from the input [0, 1, ..., 11] of shape (1, 3, 2, 2).
"""

import json
import pathlib
import sys
import zipfile

import numpy as np

HERE = pathlib.Path(__file__).parent
INPUT = np.arange(12, dtype=np.float32).reshape(1, 3, 2, 2)
ORDERS = {"210": (2, 1, 0), "120": (1, 2, 0)}
NAMES = [f"{kind}_{order}" for kind in ("slices", "split", "stack") for order in ORDERS]


def described(name):
    kind, order = name.split("_")
    return kind, ORDERS[order]


def write_onnx():
    import onnx
    import onnxruntime
    from onnx import TensorProto, helper, numpy_helper

    outputs = {}
    for name in NAMES:
        kind, order = described(name)
        numbers, nodes = {}, []

        def number(*elements):
            key = "_".join(map(str, elements))
            numbers[key] = numpy_helper.from_array(np.array(elements, np.int64), key)
            return key

        parts = [f"part{channel}" for channel in order]
        if kind == "split":
            nodes.append(helper.make_node("Split", ["x"], ["part0", "part1", "part2"], axis=1))
        for channel in order:
            bounds = [number(channel), number(channel + 1), number(1)]
            if kind == "slices":
                nodes.append(helper.make_node("Slice", ["x", *bounds], [f"part{channel}"]))
            elif kind == "stack":
                numbers[f"at{channel}"] = numpy_helper.from_array(np.array(channel), f"at{channel}")
                nodes.append(helper.make_node("Gather", ["x", f"at{channel}"], [f"row{channel}"], axis=1))
                nodes.append(helper.make_node("Unsqueeze", [f"row{channel}", number(1)], [f"part{channel}"]))
        nodes.append(helper.make_node("Concat", parts, ["y"], axis=1))
        used = {one for node in nodes for one in node.input}
        values = [helper.make_tensor_value_info(one, TensorProto.FLOAT, INPUT.shape) for one in "xy"]
        initializers = [numbers[key] for key in numbers if key in used]
        graph = helper.make_graph(nodes, name, values[:1], values[1:], initializers)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
        onnx.checker.check_model(model)
        onnx.save(model, HERE / f"{name}.onnx")
        session = onnxruntime.InferenceSession(model.SerializeToString())
        outputs[name] = session.run(None, {"x": INPUT})[0]
    return f"ONNX Runtime {onnxruntime.__version__}", outputs


def write_tensorflow():
    import tensorflow as tf

    outputs = {}

    def write(name, function, given):
        signature = [tf.TensorSpec(given.shape, tf.float32, name="x")]
        concrete = tf.function(function, input_signature=signature).get_concrete_function()
        graph = concrete.graph.as_graph_def()
        (HERE / f"{name}.pb").write_bytes(graph.SerializeToString(deterministic=True))
        outputs[name] = concrete(tf.constant(given)).numpy()
        return concrete

    for name in NAMES:
        kind, order = described(name)

        def join(x):
            if kind == "stack":
                return tf.stack([x[:, channel] for channel in order], 1)
            parts = tf.split(x, 3, 1) if kind == "split" else [x[:, at : at + 1] for at in range(3)]
            return tf.concat([parts[channel] for channel in order], 1)

        concrete = write(name, join, INPUT)
        converter = tf.lite.TFLiteConverter.from_concrete_functions([concrete])
        (HERE / f"{name}.tflite").write_bytes(converter.convert())

    def concatenated_bounds(x):
        begin, end = [tf.concat([[0], [bound]], 0) for bound in (4, 7)]
        return tf.strided_slice(x, begin, end, [1, 1], begin_mask=1, end_mask=1)

    def packed_bounds(x):
        return x[:, tf.constant(4) : tf.constant(7)]

    for function in (concatenated_bounds, packed_bounds):
        write(function.__name__, function, np.arange(18, dtype=np.float32).reshape(2, 9))
    return f"TensorFlow {tf.__version__}", outputs


def run_litert():
    from importlib.metadata import version

    from ai_edge_litert.interpreter import Interpreter

    outputs = {}
    for name in NAMES:
        interpreter = Interpreter(str(HERE / f"{name}.tflite"))
        interpreter.allocate_tensors()
        interpreter.set_tensor(interpreter.get_input_details()[0]["index"], INPUT)
        interpreter.invoke()
        outputs[name] = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
    return f"LiteRT {version('ai-edge-litert')}", outputs


def write_openvino():
    import openvino as ov
    from openvino import opset15 as op

    outputs = {}
    for name in NAMES:
        kind, order = described(name)
        x = op.parameter(INPUT.shape, np.float32, name="x")
        one = np.array([1])
        if kind == "split":
            split = op.split(x, np.array(1), 3)
            parts = [split.output(channel) for channel in order]
        elif kind == "slices":
            parts = [op.slice(x, np.array([at]), np.array([at + 1]), one, one).output(0) for at in order]
        else:
            rows = [op.gather(x, np.array(channel), np.array(1)) for channel in order]
            parts = [op.unsqueeze(row, np.array(1)).output(0) for row in rows]
        model = ov.Model([op.concat(parts, 1).output(0)], [x], name)
        outputs[name] = ov.compile_model(model, "CPU")(INPUT)[0]
        ov.save_model(model, HERE / f"{name}.xml", compress_to_fp16=False)
    return f"OpenVINO {ov.__version__.split('-')[0]}", outputs


def write_torch():
    import torch

    class Join(torch.nn.Module):
        def __init__(self, kind, order):
            super().__init__()
            self.kind, self.order = kind, order

        def forward(self, x):
            if self.kind == "stack":
                return torch.stack([x[:, channel] for channel in self.order], 1)
            parts = x.split(1, 1) if self.kind == "split" else [x[:, at : at + 1] for at in range(3)]
            return torch.cat([parts[channel] for channel in self.order], 1)

    outputs = {}
    for name in NAMES:
        program = torch.export.export(Join(*described(name)).eval(), (torch.zeros(*INPUT.shape),))
        outputs[name] = program.module()(torch.from_numpy(INPUT)).numpy()
        # Removes the source locations of the nodes, which refer to lines of this script.
        for node in program.graph.nodes:
            for key in ("stack_trace", "nn_module_stack", "source_fn_stack", "from_node"):
                node.meta.pop(key, None)
        path, kept = HERE / f"{name}.pt2", HERE / f"{name}.kept"
        torch.export.save(program, path)
        # Omits the sample inputs, which `slice check` does not read.
        with zipfile.ZipFile(path) as archive, zipfile.ZipFile(kept, "w") as smaller:
            for info in archive.infolist():
                if "sample_inputs" not in info.filename:
                    entry = zipfile.ZipInfo(info.filename)
                    smaller.writestr(entry, archive.read(info))
        kept.replace(path)
    return f"PyTorch {torch.__version__.split('+')[0]}", outputs


def write_stablehlo():
    import jax
    import jax.numpy as jnp

    outputs = {}
    for name in NAMES:
        kind, order = described(name)

        def join(x):
            if kind == "stack":
                return jnp.stack([x[:, channel] for channel in order], 1)
            parts = jnp.split(x, 3, 1) if kind == "split" else [x[:, at : at + 1] for at in range(3)]
            return jnp.concatenate([parts[channel] for channel in order], 1)

        (HERE / f"{name}.mlir").write_text(jax.jit(join).lower(INPUT).as_text())
        outputs[name] = np.asarray(jax.jit(join)(INPUT))
    return f"JAX {jax.__version__}", outputs


SYSTEMS = {
    "onnx": write_onnx, "tflite": run_litert, "pb": write_tensorflow, "xml": write_openvino, "pt2": write_torch,
    "mlir": write_stablehlo,
}
ARGUMENTS = dict(onnx="onnx", litert="tflite", tensorflow="pb", openvino="xml", torch="pt2", stablehlo="mlir")

extension = ARGUMENTS[sys.argv[1]]
version, outputs = SYSTEMS[extension]()
path = HERE / "outputs.json"
recorded = json.loads(path.read_text()) if path.exists() else {}
# A list of numbers is kept on one line.
flat = {f"{name}.{extension}": [int(element) for element in output.flat] for name, output in outputs.items()}
recorded = {name: value for name, value in recorded.items() if not name.endswith(f".{extension}")} | flat
recorded[f"system of .{extension}"] = version
lines = [f"{json.dumps(name)}: {json.dumps(recorded[name])}" for name in sorted(recorded)]
path.write_text("{\n  " + ",\n  ".join(lines) + "\n}\n")
print(version)
