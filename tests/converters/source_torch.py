"""Runs the PyTorch models eagerly on the CPU, and writes the results to answers/torch.jsonl. The models are not stored:
each converter script creates them with `module_of`."""

import torch
from sources import versions
from harness import HERE, extra_inputs, input_of, models, result_of, write


def module_of(model):
    """Returns a module that computes the model's expression."""
    names = ", ".join(["self", "x", *model.get("inputs", {})])
    space = {"torch": torch}
    exec(f"def forward({names}):\n    return {model['python']}\n", space)
    return type("Model", (torch.nn.Module,), {"forward": space["forward"]})().eval()


def arguments(model):
    import numpy as np

    return (torch.from_numpy(input_of(model)), *(torch.from_numpy(array) for array in extra_inputs(model, np.int64).values()))


def example(model):
    """Returns the example inputs with which a model is exported. Lengths and numbers that the converter must not treat
    as constants differ from those with which the model is run later."""
    import numpy as np

    extra_length = 3 if model.get("unknown") else 0
    given = [torch.ones([n + extra_length for n in model["shape"]])]
    for array in extra_inputs(model, np.int64).values():
        if array.ndim == 0:
            given.append(torch.tensor(1 if array != 1 else 2))
        else:
            given.append(torch.arange(1, len(array) + 1 + bool(extra_length)))
    return tuple(given)


def turn_tracer_warnings_into_errors():
    """Turns PyTorch's tracer warnings into errors. The harness then counts a model as refused if its trace is valid
    only for the example inputs."""
    import warnings

    warnings.filterwarnings("error", category=torch.jit.TracerWarning)


def dynamic_shapes(model):
    """Returns the dynamic shapes for torch.export: all axes of all inputs if the model's field `unknown` is true, and
    otherwise None."""
    if not model.get("unknown"):
        return None
    return tuple({axis: torch.export.Dim.AUTO for axis in range(given.dim())} for given in arguments(model))


def main():
    rows = []
    for model in models("torch"):
        with torch.no_grad():
            result = result_of(module_of(model)(*arguments(model)).numpy(), model)
        rows.append({"model": model["model"], "results": [result]})
    write(HERE / "answers" / "torch.jsonl", {"source": "torch", "models": len(rows), "versions": versions("torch", "numpy")}, rows)


if __name__ == "__main__":
    main()
