"""Functions that run converted models."""


def onnxruntime_result(model_bytes, feeds, level="ORT_DISABLE_ALL"):
    """Returns ONNX Runtime's output for a model, by default without optimizations. `feeds` is either a dict from the
    names of inputs to arrays, or a sequence of arrays in the order of the model's inputs."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(model_bytes, options, providers=["CPUExecutionProvider"])
    names = [given.name for given in session.get_inputs()]
    feeds = feeds if isinstance(feeds, dict) else dict(zip(names, feeds))
    # Converters can drop an unused input, or rename x to "x:0".
    by_name = {name.split(":")[0]: array for name, array in feeds.items()}
    return session.run(None, {name: by_name[name.split(":")[0]] for name in names})[0]


def litert_result(path_or_bytes, feeds, with_xnnpack=True):
    """Returns LiteRT's output for a model. `feeds` is a dict from the names of inputs to arrays. XNNPACK is used only
    if `with_xnnpack` is true."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kind = OpResolverType.AUTO if with_xnnpack else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    model = {"model_content": path_or_bytes} if isinstance(path_or_bytes, bytes) else {"model_path": str(path_or_bytes)}
    interpreter = Interpreter(**model, num_threads=1, experimental_op_resolver_type=kind)
    details = interpreter.get_input_details()
    inputs = []
    for detail in details:
        name = detail["name"].removeprefix("serving_default_").split(":")[0]
        inputs.append((detail["index"], feeds[name]))
        if list(detail["shape"]) != list(feeds[name].shape):
            interpreter.resize_tensor_input(detail["index"], feeds[name].shape)
    interpreter.allocate_tensors()
    for index, array in inputs:
        interpreter.set_tensor(index, array)
    interpreter.invoke()
    return litert_output(interpreter)


def litert_output(interpreter):
    """Returns the model's only output. An empty output is created from its shape, because the interpreter does not
    return empty constants."""
    import numpy as np

    detail = interpreter.get_output_details()[0]
    if 0 in detail["shape"]:
        return np.zeros(detail["shape"], detail["dtype"])
    return interpreter.get_tensor(detail["index"])
