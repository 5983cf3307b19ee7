"""Records which LiteRT models the interpreter accepts.

    python3.11 -m venv verdicts
    verdicts/bin/pip install -r requirements-litert.txt
    verdicts/bin/python litert_verdicts.py

Each model has one operator that selects elements. The models are a cross product of options, shapes and element types.
"""

import importlib.metadata
import itertools

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType
from record import Fed, Given, axis_of, write

TYPES = {"float32": schema.TensorType.FLOAT32, "int32": schema.TensorType.INT32, "int64": schema.TensorType.INT64,
         "int16": schema.TensorType.INT16, "int8": schema.TensorType.INT8, "bool": schema.TensorType.BOOL, "uint8": schema.TensorType.UINT8,
         "uint16": schema.TensorType.UINT16, "uint32": schema.TensorType.UINT32, "uint64": schema.TensorType.UINT64,
         "float64": schema.TensorType.FLOAT64}


def model_of(operator, version, operands, outputs, options=None, types=None):
    """Returns the bytes of a model with one operator, and the values of the model's inputs. `types` contains the element types
    of the outputs, unless they are that of the first input of the model."""
    model, graph = schema.ModelT(), schema.SubGraphT()
    code, node = schema.OperatorCodeT(), schema.OperatorT()
    code.builtinCode, code.version = getattr(schema.BuiltinOperator, operator), version
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    buffers, tensors, fed = [schema.BufferT()], [], []
    graph.inputs, node.inputs, node.outputs = [], [], []
    for at, operand in enumerate(operands):
        tensor = schema.TensorT()
        tensor.name, tensor.shape, tensor.type = f"operand_{at}", list(operand.array.shape), TYPES[str(operand.array.dtype)]
        tensor.hasRank, tensor.buffer = True, 0
        if isinstance(operand, Given):
            tensor.buffer = len(buffers)
            buffers.append(schema.BufferT())
            buffers[-1].data = list(operand.array.tobytes())
        else:
            graph.inputs.append(at)
            fed.append(operand.array)
        tensors.append(tensor)
        node.inputs.append(at)
    types = types or [next(str(operand.array.dtype) for operand in operands if isinstance(operand, Fed))] * outputs
    for at in range(outputs):
        tensor = schema.TensorT()
        # The shape is unknown: the rank is 0, and `hasRank` is false.
        tensor.name, tensor.type, tensor.buffer = f"y_{at}", TYPES[types[at]], 0
        node.outputs.append(len(tensors))
        tensors.append(tensor)
    if options is not None:
        name = type(options).__name__[:-1]
        node.builtinOptionsType, node.builtinOptions = getattr(schema.BuiltinOptions, name), options
    graph.tensors, graph.operators, graph.outputs = tensors, [node], node.outputs
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output()), fed


def run(model, fed):
    try:
        interpreter = Interpreter(model_content=model, experimental_op_resolver_type=OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        interpreter.allocate_tensors()
        for detail, array in zip(interpreter.get_input_details(), fed):
            interpreter.set_tensor(detail["index"], array)
        interpreter.invoke()
        results = [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]
    except Exception as error:
        # Other values of the inputs may be valid.
        is_certain = len(fed) == 1 or "failed to prepare" in str(error)
        return ("refused" if is_certain else "refused for these inputs"), str(error)
    return "accepted", [list(result.shape) for result in results]


def options(name, **fields):
    made = getattr(schema, f"{name}T")()
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def strided(**masks):
    names = ("beginMask", "endMask", "ellipsisMask", "newAxisMask", "shrinkAxisMask")
    return options("StridedSliceOptions", offset=masks.pop("offset", False), **{name: masks.get(name, 0) for name in names})


def is_defined(begin, end, strides, masks):
    """Returns whether TensorFlow defines a strided slice of an array with two axes.

    LiteRT accepts other strided slices, but TensorFlow refuses them: with several ellipses, with more entries than axes, with
    strides of another length, and with an index that is out of bounds or has a stride other than 1.
    """
    lists = [np.atleast_1d(one) for one in (begin, end, strides)]
    entries, strides = lists[0], lists[2]
    dropped = [at for at in range(entries.size) if masks.get("shrinkAxisMask", 0) >> at & 1]
    has_valid_indices = all(abs(int(entries.flat[at])) < 4 and strides.flat[at:at + 1].tolist() == [1] for at in dropped)
    is_short = len({one.size for one in lists}) == 1 and entries.size <= 2
    has_ellipses = masks.get("ellipsisMask") == 3 or (entries.size == 0 and masks)
    return has_valid_indices and is_short and not has_ellipses


def cases():
    x = axis_of((4, 5))
    # STRIDED_SLICE
    bounds = [([0, 0], [2, 2], [1, 1]), ([0], [2], [1]), ([1, 1], [0, 0], [-1, -1]), ([0, 0], [2, 2], [0, 1]), ([0, 0, 0], [1, 1, 1], [1, 1, 1]),
              ([9, 9], [9, 9], [1, 1]), ([-9, -9], [9, 9], [2, 3]), ([], [], []), ([0, 0], [2], [1]), ([0], [2], [1, 1]), ([[0, 0]], [[2, 2]], [[1, 1]]),
              (0, 2, 1)]
    for (begin, end, strides), operand in itertools.product(bounds, (Given, Fed)):
        for masks in ({}, {"beginMask": 1}, {"shrinkAxisMask": 1}, {"shrinkAxisMask": 2}, {"ellipsisMask": 1}, {"newAxisMask": 1}, {"ellipsisMask": 3}):
            if is_defined(begin, end, strides, masks):
                yield "STRIDED_SLICE", 2, [x, operand(begin), operand(end), operand(strides)], 1, strided(**masks)
    for kind in ("int64", "int16", "float32", "int8"):
        yield "STRIDED_SLICE", 2, [x, *(Given(one, kind) for one in ([0, 0], [2, 2], [1, 1]))], 1, strided()
        yield "STRIDED_SLICE", 2, [x, Given([0, 0], kind), Given([2, 2]), Given([1, 1])], 1, strided()
    # SLICE
    windows = [([0, 0], [2, 2]), ([1, 2], [-1, -1]), ([4, 5], [0, 0]), ([4, 5], [-1, -1]), ([5, 5], [-1, 0]), ([3, 3], [2, 2]), ([-1, 0], [1, 1]),
               ([0, 0], [-2, 1]), ([0], [1]), ([0, 0, 0], [1, 1, 1]), ([0, 0], [1]), ([0], [1, 1]), ([[0, 0]], [[1, 1]]), (0, 1), ([], [])]
    for (begin, size), operand, kind in itertools.product(windows, (Given, Fed), ("int32", "int64")):
        yield "SLICE", 2, [x, operand(begin, kind), operand(size, kind)], 1, options("SliceOptions")
    for kind in ("int16", "float32", "int8"):
        yield "SLICE", 2, [x, Given([0, 0], kind), Given([1, 1], kind)], 1, options("SliceOptions")
        yield "SLICE", 2, [x, Given([0, 0], "int64"), Given([1, 1], "int32")], 1, options("SliceOptions")
    yield "SLICE", 2, [axis_of(()), Given([]), Given([])], 1, options("SliceOptions")
    # GATHER
    lists = [0, 3, -1, 4, [0, 1], [0, 4], [0, -1], [[0, 1], [2, 3]], [[0, 1], [2, 9]], [], [[]]]
    for indices, axis, batch in itertools.product(lists, (0, 1, -1, 2, -3), (0, 1, -1, 2)):
        yield "GATHER", 2, [axis_of((4, 4)), Given(indices)], 1, options("GatherOptions", axis=axis, batchDims=batch)
    for kind, operand in itertools.product(("int64", "int16", "float32", "int8", "bool"), (Given, Fed)):
        yield "GATHER", 2, [x, operand([0, 1], kind)], 1, options("GatherOptions", axis=0, batchDims=0)
    for shape in ((), (3,), (0, 2)):
        for indices in (0, [0], []):
            yield "GATHER", 2, [axis_of(shape), Given(indices)], 1, options("GatherOptions", axis=0, batchDims=0)
    # GATHER_ND
    lists = [[0], [3], [4], [-1], [0, 1], [3, 4], [3, 5], [[0, 1], [3, 4]], [[0, 1], [4, 0]], [0, 0, 0], [[0], [3]], [], [[]], 0]
    for indices, kind, operand in itertools.product(lists, ("int32", "int64"), (Given, Fed)):
        yield "GATHER_ND", 1, [x, operand(indices, kind)], 1, options("GatherNdOptions")
    # SPLIT and SPLIT_V
    for shape, outputs, count, axis in itertools.product([(6,), (7,), (2, 6), (0,)], (1, 2, 3, 4), (0, 1, 2, 3, 4), (0, 1, -1, -3, 2)):
        if count == outputs or axis == 0:
            yield "SPLIT", 1, [Given(axis), axis_of(shape)], outputs, options("SplitOptions", numSplits=count)
    for axis in ([0], [0, 0], [], [[0]]):
        yield "SPLIT", 1, [Given(axis), axis_of((6,))], 2, options("SplitOptions", numSplits=2)
    for kind in ("int64", "float32"):
        yield "SPLIT", 1, [Given(0, kind), axis_of((6,))], 2, options("SplitOptions", numSplits=2)
    yield "SPLIT", 1, [Fed(0), axis_of((6,))], 2, options("SplitOptions", numSplits=2)
    lengths = [[3, 3], [2, 3], [2, 4], [0, 6], [7, -1], [-1, 3], [3, -1], [-1, -1], [6], [7], [], [2, 2, 2], [6, 0, 0], [-2, 8]]
    for given, outputs, operand in itertools.product(lengths, (1, 2, 3), (Given, Fed)):
        yield "SPLIT_V", 2, [axis_of((6,)), operand(given), Given(0)], outputs, options("SplitVOptions", numSplits=outputs)
    for axis in (-1, 1, -2, 2, [0], [0, 0]):
        yield "SPLIT_V", 2, [axis_of((6,)), Given([2, 4]), Given(axis)], 2, options("SplitVOptions", numSplits=2)
    for given, kind in itertools.product(([2, 4], [[2, 4]], 6), ("int32", "int64", "float32")):
        yield "SPLIT_V", 2, [axis_of((6,)), Given(given, kind), Given(0)], np.size(given), options("SplitVOptions", numSplits=np.size(given))
    # UNPACK
    for shape, axis, count, outputs in itertools.product([(2, 3), (3, 2), ()], (0, 1, -1, -2, 2, -3), (2, 3), (2, 3)):
        yield "UNPACK", 1, [axis_of(shape)], outputs, options("UnpackOptions", num=count, axis=axis)
    # REVERSE_V2
    lists = [[0], [1], [-1], [-2], [2], [-3], [0, 1], [1, 0], [0, 0], [0, -2], [], [[0]], 0, [0, 1, 1]]
    for axes, operand in itertools.product(lists, (Given, Fed)):
        yield "REVERSE_V2", 1, [x, operand(axes)], 1, options("ReverseV2Options")
    for kind, shape in itertools.product(("int64", "float32"), [(4, 5)]):
        yield "REVERSE_V2", 1, [axis_of(shape), Given([0], kind)], 1, options("ReverseV2Options")
    for shape in ((), (3,), (0, 2)):
        for axes in ([0], []):
            yield "REVERSE_V2", 1, [axis_of(shape), Given(axes)], 1, options("ReverseV2Options")
    # REVERSE_SEQUENCE
    lists = [[4, 4, 4], [4, 4, 4, 4], [3, 3, 3, 3], [0, 1, 2], [5, 4, 4], [-1, 4, 4], [4, 4], 4, [[4, 4, 4]]]
    for (axis, batch), lengths, kind in itertools.product([(0, 1), (1, 0), (0, 0), (2, 0), (0, 2), (-1, 0), (0, -1)], lists, ("int32", "int64", "float32")):
        yield "REVERSE_SEQUENCE", 1, [axis_of((4, 3)), Given(lengths, kind)], 1, options("ReverseSequenceOptions", seqDim=axis, batchDim=batch)
    # SQUEEZE and EXPAND_DIMS
    for shape, axes in itertools.product([(1, 2, 1), (1, 1), ()], [[], [0], [1], [2], [-1], [-2], [3], [-4], [0, 0], [0, 2], [0, -3]]):
        yield "SQUEEZE", 1, [axis_of(shape)], 1, options("SqueezeOptions", squeezeDims=axes)
    for shape, axis, operand in itertools.product([(2, 3), ()], (0, 1, 2, 3, -1, -3, -4, [0], [0, 1], [], [[0]]), (Given, Fed)):
        yield "EXPAND_DIMS", 1, [axis_of(shape), operand(axis)], 1, options("ExpandDimsOptions")
    for kind in ("int64", "float32"):
        yield "EXPAND_DIMS", 1, [x, Given(0, kind)], 1, options("ExpandDimsOptions")


if __name__ == "__main__":
    versions = {"ai-edge-litert": importlib.metadata.version("ai-edge-litert")}
    write("litert", versions, {"runtime": run}, (model_of(*case) for case in cases()))
