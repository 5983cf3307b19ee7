"""Writes models.jsonl: small models, each built around one slice, in TensorFlow, ONNX and PyTorch. They test converters
for nine classes of bugs.

Needs only Python, and writes the same file on every run. A model has the input `x` with the shape `shape` and float32
elements. Numbers that are known only at run time are additional inputs, listed in `inputs`. The computation is
described by these fields, depending on the `source` of the model:

* `tf` and `onnx`: `ops` are applied in sequence, each to the previous result. A field that contains "@" and the name of
  an input ("@end") takes its value from that input. `python` is the same computation in Python.
* `torch`: `python` is a PyTorch expression that contains x and the inputs.

If `unknown` is true, the converter does not know the lengths of x's axes. (A PyTorch model is then exported with
dynamic lengths.)
"""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent

I32_MIN, I32_MAX = -(2**31), 2**31 - 1
I64_MIN, I64_MAX = -(2**63), 2**63 - 1

CLASSES = {
    "negative-step": "an omitted bound with a negative step",
    "minus-one": "-1, and other bounds whose meaning changes if they are converted to positions counted from the front",
    "permutation": "a slice before or after a transposition or a change of rank",
    "ellipsis": "an ellipsis together with new axes",
    "stride": "strides that a converter may drop, and lengths that a converter may round incorrectly",
    "empty": "an empty result",
    "sentinel": "sentinels such as INT64_MAX, and numbers near the limits of 32-bit and 64-bit integers",
    "run-time": "bounds or sizes that are known only at run time",
    "axes": "the order of axes, and negative axes",
}

MASKS = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]


class Brackets:
    """An object `b` for which `b[1:, ..., None]` returns the items as a tuple."""

    def __getitem__(self, key):
        return key if isinstance(key, tuple) else (key,)


def items_of(text):
    return eval(f"b[{text}]", {"b": Brackets(), "newaxis": None})


# ---- TensorFlow ------------------------------------------------------------------------------------------------------


def strided_slice(text):
    """Returns the StridedSlice to which TensorFlow translates the slice `x[text]`."""
    begin, end, strides, masks = [], [], [], dict.fromkeys(MASKS, 0)
    for i, item in enumerate(items_of(text)):
        numbers = (0, 0, 1)
        if item is None:
            masks["new_axis_mask"] |= 1 << i
        elif item is Ellipsis:
            masks["ellipsis_mask"] |= 1 << i
        elif isinstance(item, int):
            numbers = (item, item + 1, 1)
            masks["shrink_axis_mask"] |= 1 << i
        else:
            masks["begin_mask"] |= (item.start is None) << i
            masks["end_mask"] |= (item.stop is None) << i
            numbers = (item.start or 0, item.stop or 0, 1 if item.step is None else item.step)
        for vector, number in zip((begin, end, strides), numbers):
            vector.append(number)
    op = {"op": "StridedSlice", "begin": begin, "end": end, "strides": strides}
    return op | {name: mask for name, mask in masks.items() if mask}


def tf(shape, text, before=None, after=None, python=None, **more):
    """Returns a model with the StridedSlice of `x[text]`, between the transpositions `before` and `after` if they are
    given."""
    ops = [{"op": "Transpose", "perm": before}] if before else []
    ops.append(strided_slice(text))
    ops += [{"op": "Transpose", "perm": after}] if after else []
    python = python or "x" + (f".transpose{tuple(before)}" if before else "") + f"[{text}]" + (
        f".transpose{tuple(after)}" if after else ""
    )
    return {"source": "tf", "shape": shape, "ops": ops, "python": python, **more}


def tf_ops(shape, python, *ops, **more):
    return {"source": "tf", "shape": shape, "ops": list(ops), "python": python, **more}


def tf_dynamic(shape, text, *names, **more):
    """Returns the same model as `tf`, except that the named vectors are inputs."""
    model = tf(shape, text, **more)
    return with_run_time_inputs(model, names)


def with_run_time_inputs(model, names):
    """Turns the named vectors of the model's operations into inputs, and returns the model."""
    model["inputs"] = {}
    for op in model["ops"]:
        for name in names:
            if name in op:
                model["inputs"][name] = op[name]
                op[name] = "@" + name
    return model


# ---- ONNX ------------------------------------------------------------------------------------------------------------


def part(value):
    return "" if value is None else str(value)


def onnx_slice(starts, ends, axes=None, steps=None, **more):
    return {"op": "Slice", "starts": starts, "ends": ends, "axes": axes, "steps": steps, **more}


def slice_text(op, rank):
    """Returns the Python slice, in brackets, with the same bounds and steps as the ONNX operation `op`."""
    starts, ends = op["starts"], op["ends"]
    axes = op["axes"] if op["axes"] is not None else list(range(len(starts)))
    steps = op["steps"] if op["steps"] is not None else [1] * len(starts)
    items = [":"] * rank
    for begin, end, axis, step in zip(starts, ends, axes, steps):
        items[axis] = f"{begin}:{end}" + (f":{step}" if step != 1 else "")
    while len(items) > 1 and items[-1] == ":":
        items.pop()
    return f"[{', '.join(items)}]"


def onnx(shape, *ops, opset=17, python=None, **more):
    """Returns a model with the operations `ops`. A tuple (starts, ends, axes, steps) stands for a Slice."""
    ops = [onnx_slice(*op) if isinstance(op, tuple) else op for op in ops]
    if python is None:
        python, rank = "x", len(shape)
        for op in ops:
            match op["op"]:
                case "Slice":
                    python += slice_text(op, rank)
                case "Transpose":
                    python += f".transpose{tuple(op['perm'])}"
                case "Squeeze":
                    python += f".squeeze({tuple(op['axes'])})"
                    rank -= len(op["axes"])
                case "Unsqueeze":
                    rank += len(op["axes"])
                    names = [":"] * rank
                    for axis in op["axes"]:
                        names[axis] = "newaxis"
                    python += f"[{', '.join(names)}]"
                case "Gather":
                    names = [":"] * rank
                    names[op["axis"]] = str(op["indices"])
                    python += f"[{', '.join(names)}]"
                    rank -= isinstance(op["indices"], int)
                case "Reshape":
                    python += f".reshape({op['shape']})"
                    rank = len(op["shape"])
    return {"source": "onnx", "opset": opset, "shape": shape, "ops": ops, "python": python, **more}


def onnx_dynamic(shape, op, *names, **more):
    return with_run_time_inputs(onnx(shape, op, **more), names)


def transpose(*perm):
    return {"op": "Transpose", "perm": list(perm)}


def squeeze(*axes):
    return {"op": "Squeeze", "axes": list(axes)}


def unsqueeze(*axes):
    return {"op": "Unsqueeze", "axes": list(axes)}


def gather(indices, axis=0):
    return {"op": "Gather", "indices": indices, "axis": axis}


def reshape(*shape):
    return {"op": "Reshape", "shape": list(shape)}


# ---- PyTorch ---------------------------------------------------------------------------------------------------------


def torch(shape, python, **more):
    return {"source": "torch", "shape": shape, "python": python, **more}


# ---- the classes -----------------------------------------------------------------------------------------------------


def with_known_and_unknown_lengths(make, *arguments, **more):
    """Yields the model twice: with known and with unknown lengths of x's axes."""
    yield make(*arguments, **more)
    yield make(*arguments, **more, unknown=True)


def negative_step():
    for text in ["::-1", "::-2", "2::-1", ":1:-1", ":-3:-1"]:
        yield from with_known_and_unknown_lengths(tf, [4], text)
    for text in ["-2::-1", "3::-2", "9::-1", ":-9:-1"]:
        yield tf([4], text)
    for text in [":, ::-1", "::-1, ::-1", "1::-1", ":, :0:-1", "::-1, 1", "1:, ::-2"]:
        yield tf([3, 4], text)
    yield tf([2, 3, 4], "..., ::-1")
    yield tf([2, 3, 4], "::-2, :, :2:-1")
    yield tf([1, 4, 4, 3], ":, ::-1, ::-1")
    yield tf([1, 4, 4, 3], "..., ::-1")

    for begin, end, step in [
        (-1, I64_MIN, -1), (I64_MAX, I64_MIN, -1), (3, I64_MIN, -1), (2, I64_MIN, -2), (I64_MAX, I64_MIN, -2), (-1, -5, -1),
    ]:  # fmt: skip
        yield from with_known_and_unknown_lengths(onnx, [4], ([begin], [end], [0], [step]))
    for begin, end, step in [(I32_MAX, I32_MIN, -1), (-2, I32_MIN, -1), (I64_MAX, 1, -1), (I64_MAX, -3, -1), (3, -9, -1), (9, -9, -3)]:
        yield onnx([4], ([begin], [end], [0], [step]))
    yield onnx([3, 4], ([-1], [I64_MIN], [1], [-1]))
    yield onnx([3, 4], ([-1, -1], [I64_MIN, I64_MIN], [0, 1], [-1, -1]))
    yield onnx([2, 3, 4], ([I64_MAX], [I64_MIN], [-1], [-1]))
    yield onnx([1, 3, 4, 4], ([-1, -1], [I64_MIN, I64_MIN], [2, 3], [-1, -1]))
    yield onnx([1, 3, 4, 4], ([-1], [I64_MIN], [1], [-1]))

    for python in ["x.flip(0)", "x.flip(-1)", "x[1:].flip(0)", "x.flip(0)[1:]", "x.flip(0)[::2]", "x[[3, 2, 1, 0]]", "torch.flipud(x)"]:
        yield torch([4], python)
    for python in ["x.flip(0, 1)", "x.flip(1)", "torch.fliplr(x)", "torch.rot90(x)", "x[:, [3, 2, 1, 0]]", "x.flip(-1)[:, 1:]"]:
        yield torch([3, 4], python)
    yield torch([1, 3, 4, 4], "x.flip(2, 3)")
    yield torch([4], "x.flip(0)", unknown=True)


def minus_one():
    for text in ["-1", "-1:", ":-1", "-1::-1", "2:-1:-1", "-1:-5:-1", "0:-1:-1"]:
        yield from with_known_and_unknown_lengths(tf, [4], text)
    for text in ["-1:0", "-2:-1", "-1:-4:-1", "-1:-5:-2", ":-1:-1", "-4:-1", "-1:4", "-5:-1"]:
        yield tf([4], text)
    for text in [":, -1", "..., -1", "-1, -1", "-1:, -1:", ":-1, :-1", "-1, ::-1", ":, -1:0:-1"]:
        yield tf([3, 4], text)
    yield tf([1], "-1")
    yield tf([2, 3, 4], "-1, ..., -1")

    for begin, end in [(-1, I64_MAX), (0, -1), (-1, 0), (-2, -1), (-4, -1)]:
        yield from with_known_and_unknown_lengths(onnx, [4], ([begin], [end], [0]))
    for begin, end, step in [(2, -1, -1), (0, -1, -1), (-1, -5, -1), (-1, -4, -1), (-1, -5, -2), (-1, -1, -1), (-1, 0, -1), (3, -5, -1)]:
        yield onnx([4], ([begin], [end], [0], [step]))
    yield from with_known_and_unknown_lengths(onnx, [4], gather(-1))
    yield onnx([3, 4], gather(-1, 1))
    yield onnx([3, 4], gather([-1, -2], 1))
    yield onnx([3, 4], gather([-1, 0], -1))
    yield onnx([3, 4], ([-1], [I64_MAX], [1]), squeeze(1))
    yield onnx([3, 4], ([-1, -1], [I64_MAX, I64_MAX], [0, 1]))
    yield onnx([3, 4], ([0, 0], [-1, -1], [0, 1]))

    for python in ["x[-1]", "x[-1:]", "x[:-1]"]:
        yield from with_known_and_unknown_lengths(torch, [4], python)
    for python in ["x[-2:-1]", "x[-3:-1:2]", "x[-1:0]", "x[-4:-1]", "x.narrow(0, -1, 1)", "torch.roll(x, -1)", "x.select(0, -1)"]:
        yield torch([4], python)
    for python in ["x[:, -1]", "x[..., -1]", "x[-1, -1]", "x[-1:, -1:]", "x[:-1, :-1]", "x[:, [-1, 0]]", "x[[-1, -2]]"]:
        yield torch([3, 4], python)


NHWC, NCHW = (0, 2, 3, 1), (0, 3, 1, 2)


def permutation():
    for text in [":, 1:, ::2", ":, :, :, 1:", ":, 1", ":, :, 1", "..., 1", "0", ":, ::-1", "..., ::-1", ":, 1:3, :, :2"]:
        yield tf([1, 3, 4, 5], text, before=NHWC)
    for text in [":, 1:", "..., ::2", ":, :, ::-1", ":, 1:, :3"]:
        yield tf([2, 3, 4, 5], text, before=NCHW, after=NHWC)
    for text in ["1:", ":, 1", "1", "newaxis, :, 1:", ":, newaxis, ::-1"]:
        yield tf([3, 4], text, before=(1, 0))
    yield tf([2, 3, 4], "1:, :2", before=(2, 0, 1))
    yield tf([2, 3, 4], "1, :, ::2", before=(1, 2, 0))
    yield tf([2, 3, 4], "1, newaxis, ::-1", after=(2, 0, 1))

    for starts, ends, axes, steps in [
        ([1], [3], [1], None), ([0], [4], [3], [2]), ([-1], [I64_MIN], [1], [-1]), ([1, 0], [3, 2], [1, 3], None),
        ([0, 0], [I64_MAX, I64_MAX], [2, 3], [2, 2]), ([1], [I64_MAX], [-1], None), ([0], [-1], [-3], None), ([0], [1], [0], None),
    ]:  # fmt: skip
        yield onnx([1, 3, 4, 5], (starts, ends, axes, steps))
    yield onnx([1, 3, 4, 5], transpose(*NHWC), ([1], [I64_MAX], [3]))
    yield onnx([1, 3, 4, 5], transpose(*NHWC), ([0], [I64_MAX], [1], [2]))
    yield onnx([1, 3, 4, 5], transpose(*NHWC), ([-1], [I64_MIN], [3], [-1]), transpose(*NCHW))
    yield onnx([1, 3, 4, 5], gather(1, 1))
    yield onnx([1, 3, 4, 5], gather(1, 2))
    yield onnx([1, 3, 4, 5], gather(1, 3))
    yield onnx([1, 3, 4, 5], gather(0, 0))
    yield onnx([1, 3, 4, 5], ([1], [2], [1]), squeeze(1))
    yield onnx([1, 3, 4, 5], squeeze(0), ([1], [3], [1]))
    yield onnx([3, 4, 5], ([1], [3], [1]))
    yield onnx([3, 4, 5], ([1], [3], [2], [2]))
    yield onnx([3, 4, 5], unsqueeze(0), ([1], [3], [2]))
    yield onnx([3, 4, 5], unsqueeze(-1), ([1], [3], [-3]))
    yield onnx([1, 2, 3, 4, 5], ([1, 0], [I64_MAX, 3], [2, 4]))
    yield onnx([2, 12], reshape(2, 3, 4), ([1], [I64_MAX], [1]), reshape(2, 8))
    yield onnx([3, 4], transpose(1, 0), ([1], [3], [0]))

    for python in [
        "x.permute(0, 2, 3, 1)[:, 1:, ::2]", "x.permute(0, 2, 3, 1)[..., 1:]", "x.permute(0, 2, 3, 1)[:, 1]", "x[:, 1:3, :, :2]",
        "x.permute(0, 2, 3, 1).flip(3)", "x.permute(0, 2, 3, 1)[..., 1:].permute(0, 3, 1, 2)", "x[:, 1]", "x[:, :, 1]", "x[..., 1]",
        "x.squeeze(0)[1:]", "x.unsqueeze(1)[:, :, 1:]", "x.reshape(3, 20)[1:, ::3]",
    ]:  # fmt: skip
        yield torch([1, 3, 4, 5], python)
    yield torch([3, 4], "x.t()[1:]")
    yield torch([3, 4], "x.t()[:, 1]")
    yield torch([2, 3, 4], "x.transpose(-1, -2)[..., ::2]")


def ellipsis():
    for text in ["newaxis, ...", "..., newaxis", "newaxis, ..., newaxis", "1, ..., newaxis", "..., newaxis, 1", "..., newaxis, ::2"]:
        yield from with_known_and_unknown_lengths(tf, [2, 3, 4], text)
    for text in [":, newaxis, ..., 1:", "newaxis, 1, ..., -1", "..., newaxis, newaxis", "newaxis, newaxis, ...", "1:, ..., 1:", "..., 1, newaxis"]:
        yield tf([2, 3, 4], text)
    for text in ["0:1, ..., 0:1", "0, ..., 1", "..., :, 1:", "1:, newaxis, ..., 1:", "..., newaxis, :, 1:", "1:, newaxis", "newaxis, 1:", ":, newaxis, 1:"]:
        yield tf([2, 3], text)
    for text in ["0:2, ..., newaxis", "..., newaxis, 1:", "1:, ...", "newaxis, ..., 1:", "..., 1"]:
        yield tf([3], text)
    yield tf([], "...")
    yield tf([], "newaxis, ...")
    yield tf([], "..., newaxis")
    yield tf([2, 1, 1, 1, 1, 3], "1:, ..., newaxis, 1:")

    yield onnx([2, 3, 4], ([0], [2], [-1]), unsqueeze(-2))
    yield onnx([2, 3, 4], unsqueeze(-1), ([1], [I64_MAX], [-2]))
    yield onnx([2, 3, 4], unsqueeze(0, -1), ([1], [3], [2]))
    yield onnx([2, 3, 4], ([1], [I64_MAX], [0]), unsqueeze(1))
    yield onnx([2, 3, 4], ([1], [2], [-1]), squeeze(-1), unsqueeze(0))
    yield onnx([2, 3, 4], gather(1, -1), unsqueeze(-1))
    yield onnx([2, 3, 4], unsqueeze(-2), ([0], [I64_MAX], [-1], [2]))
    yield onnx([2, 3], unsqueeze(1), ([1], [I64_MAX], [-1]))
    yield onnx([2, 3], unsqueeze(2, 0), ([-1], [I64_MIN], [1], [-1]))
    yield onnx([3], unsqueeze(0), ([1], [I64_MAX], [-1]))
    yield onnx([3], unsqueeze(-1), ([1], [I64_MAX], [-2]))
    yield onnx([1, 3], squeeze(-2), ([1], [I64_MAX], [0]), unsqueeze(-1))

    for python in [
        "x[None]", "x[..., None]", "x[None, ..., None]", "x[1, ..., None]", "x[..., None, 1]", "x[..., None, ::2]", "x[:, None, ..., 1:]",
        "x[None, 1, ..., -1]", "x[..., None, None]", "x[1:, ..., 1:]", "x[..., 1, None]",
    ]:  # fmt: skip
        yield torch([2, 3, 4], python)
    for python in ["x[0:1, ..., 0:1]", "x[0, ..., 1]", "x[1:, None, ..., 1:]", "x[..., None, :, 1:]"]:
        yield torch([2, 3], python)
    yield torch([3], "x[0:2, ..., None]")
    yield torch([3], "x[..., None, 1:]")
    yield torch([2, 3, 4], "x[..., None, 1:]", unknown=True)


def stride():
    for text in ["::2", "::3", "1::2", ":-1:2", "1:6:3", "::7"]:
        yield from with_known_and_unknown_lengths(tf, [7], text)
    for text in ["::8", "::100", "1:5:4", "1:6:4", "-3::2", "2:3:5", "5:0:-2", "::-3", "6:1:-4", "-2::-3", "::-7", "::-8"]:
        yield tf([7], text)
    for text in [":, ::2", "::2, ::3", "1::2, 2::2", "::2, 1", "1, ::2", "::-2, ::3"]:
        yield tf([5, 7], text)
    yield tf([1, 5, 5, 3], ":, ::2, ::2")
    yield tf([1, 5, 5, 3], ":, 1::2, ::2, ::2")
    yield tf([1, 3, 5, 5], "..., ::2, 1::2")

    for begin, end, step in [(0, I64_MAX, 2), (0, I64_MAX, 3), (1, I64_MAX, 2), (0, -1, 2), (1, 6, 3)]:
        yield from with_known_and_unknown_lengths(onnx, [7], ([begin], [end], [0], [step]))
    for begin, end, step in [
        (0, 7, 7), (0, 7, 8), (0, 7, 100), (1, 5, 4), (1, 6, 4), (2, 3, 5), (5, 0, -2), (6, 1, -4), (-1, I64_MIN, -3), (-2, I64_MIN, -3), (6, -9, -7),
    ]:  # fmt: skip
        yield onnx([7], ([begin], [end], [0], [step]))
    yield onnx([5, 7], ([0, 0], [I64_MAX, I64_MAX], [0, 1], [2, 3]))
    yield onnx([5, 7], ([0, 1], [I64_MAX, 6], None, [2, 3]))
    yield onnx([1, 3, 5, 5], ([0, 0], [I64_MAX, I64_MAX], [2, 3], [2, 2]))
    yield onnx([1, 3, 5, 5], ([1, 0], [I64_MAX, I64_MAX], [2, 3], [2, 2]))
    yield onnx([1, 3, 5, 5], ([0], [I64_MAX], [1], [2]))
    yield onnx([1, 3, 5, 5], ([0, 0, 1], [I64_MAX] * 3, [1, 2, 3], [2, 2, 3]))

    for python in ["x[::2]", "x[::3]", "x[1::2]", "x[:-1:2]"]:
        yield from with_known_and_unknown_lengths(torch, [7], python)
    for python in ["x[1:6:3]", "x[::7]", "x[::8]", "x[::100]", "x[1:5:4]", "x[2:3:5]", "x[-3::2]"]:
        yield torch([7], python)
    for python in ["x[::2, ::3]", "x[1::2, 2::2]", "x[1, ::2]", "x[::2][1:]", "x[::2][::2]", "x[1:][::2]"]:
        yield torch([5, 7], python)
    yield torch([1, 3, 4, 4], "x[..., ::2, 1::2]")
    # The "Focus" layer of YOLOv5.
    focus = "torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1)"
    yield torch([1, 3, 4, 4], focus)


def empty():
    for text in ["0:0", ":0", "2:2", "3:1", "-4:0", "4:", "9:", "1:3:-1", "2:0"]:
        yield tf([4], text)
    for text in [":, 0:0", ":, :0", "1:1, ::-1", "2:1, 1", ":, 3:3:-1", "1, 2:0"]:
        yield tf([3, 4], text)
    for shape, text in [([0, 3], ":, 1:"), ([0], "::-1"), ([0], "1:"), ([2, 0, 3], "1, :, ::2"), ([0, 3], "..., newaxis"), ([2, 0], "::-1")]:
        yield tf(shape, text)
    yield tf([4], ":0", unknown=True)
    yield tf([4], "3:1", unknown=True)

    for begin, end, step in [
        (0, 0, 1), (2, 2, 1), (3, 1, 1), (-4, 0, 1), (4, I64_MAX, 1), (9, 12, 1), (1, 3, -1), (0, I64_MIN, 1), (-1, -2, 1), (0, 0, 2), (3, 3, -1),
    ]:  # fmt: skip
        yield onnx([4], ([begin], [end], [0], [step]))
    yield onnx([4], ([2], [2], [0]), unknown=True)
    yield onnx([4], ([3], [1], [0]), unknown=True)
    for starts, ends, axes in [([0], [0], [1]), ([1, 0], [1, 2], [0, 1]), ([2], [1], [-1])]:
        yield onnx([3, 4], (starts, ends, axes))
    yield onnx([0, 3], ([1], [I64_MAX], [1]))
    yield onnx([0], ([-1], [I64_MIN], [0], [-1]))
    yield onnx([2, 0], ([-1], [I64_MIN], [0], [-1]))
    yield onnx([2, 0, 3], ([0], [I64_MAX], [2], [2]))

    for python in ["x[0:0]", "x[:0]", "x[2:2]", "x[3:1]", "x[-4:0]", "x[4:]", "x[9:]", "x[2:0]", "x[3:1:2]", "x.narrow(0, 2, 0)"]:
        yield torch([4], python)
    for python in ["x[:, 0:0]", "x[1:1, 2]", "x[1, 2:0]", "x[:, :0].flip(1)"]:
        yield torch([3, 4], python)
    yield torch([0, 3], "x[:, 1:]")
    yield torch([0, 3], "x.flip(0)")
    yield torch([2, 0, 3], "x[1, :, ::2]")


# A number that becomes 2 if only its lower 32 bits are kept.
WRAPS_TO_2 = 2**32 + 2


def sentinel():
    for text in [
        f"1:{I32_MAX}", f"{I32_MIN}:2", f"::{I32_MAX}", f"1::{I32_MAX}", f"::{I32_MIN + 1}", f"3:{I32_MIN}:-1", f"{I32_MAX}::-1", f"3:{I32_MAX}:-1",
        f"{I32_MAX}:", f"{I32_MAX}:{I32_MIN}:-1", f"1:{I64_MAX}", f"{I64_MIN}:2", f"1:{WRAPS_TO_2}", f"{-WRAPS_TO_2}:3", f"::{WRAPS_TO_2}",
        f"::{2**32 + 1}", f"3:{I64_MIN}:-1", f"3:{I64_MAX}:-1", f"{I64_MAX}::-1", f"::{I64_MAX}", f"::{I64_MIN + 1}", f"{2**31}:", f"0:{2**32}", f"0:{2**31}",
    ]:  # fmt: skip
        yield tf([4], text)
    yield tf([3, 4], f"1:{I32_MAX}, {I32_MAX}:{I32_MIN}:-2")
    yield tf([4], f"1:{I32_MAX}", unknown=True)
    yield tf([4], f"3:{I32_MIN}:-1", unknown=True)

    for begin, end, step in [
        (1, I32_MAX, 1), (I32_MIN, 2, 1), (0, I64_MAX, I32_MAX), (3, I32_MIN, -1), (I32_MAX, I32_MIN, -1), (3, I64_MAX, -1), (3, I32_MAX, -1),
        (I64_MIN, 2, 1), (1, WRAPS_TO_2, 1), (-WRAPS_TO_2, 3, 1), (0, 4, WRAPS_TO_2), (0, 4, 2**32 + 1), (0, 4, I64_MAX), (3, -9, I64_MIN + 1),
        (2**31, I64_MAX, 1), (0, 2**32, 1), (0, 2**31, 1), (I64_MAX, I64_MAX, 1), (I64_MIN, I64_MAX, 1), (0, I64_MAX - 1, 1), (-10, -20, -1),
        (3, I64_MAX - 1, -1), (3, I32_MAX - 1, -1), (I64_MIN, I64_MIN, -1), (3, -WRAPS_TO_2, -1),
    ]:  # fmt: skip
        yield onnx([4], ([begin], [end], [0], [step]))
    # "Tind" is the specification's name for the type of starts, ends, axes and steps.
    yield onnx([4], onnx_slice([1], [I32_MAX], [0], [1], tind="int32"))
    yield onnx([4], onnx_slice([I32_MAX], [I32_MIN], [0], [-1], tind="int32"))
    yield onnx([4], onnx_slice([3], [I32_MIN], [0], [-1], tind="int32"))
    yield onnx([4], onnx_slice([1], [I64_MAX], [0]), opset=1)
    yield onnx([4], onnx_slice([-2], [I64_MAX]), opset=1)
    yield onnx([4], onnx_slice([3], [I64_MIN], [0], [-1]), opset=10)
    yield onnx([4], onnx_slice([1], [I64_MAX], [0]), unknown=True)

    for python in [
        f"x[1:{I32_MAX}]", f"x[1:{I64_MAX}]", f"x[{I32_MIN}:2]", f"x[{I64_MIN}:2]", f"x[1:{WRAPS_TO_2}]", f"x[{-WRAPS_TO_2}:3]", f"x[::{I32_MAX}]",
        f"x[::{WRAPS_TO_2}]", f"x[::{2**32 + 1}]", f"x[::{2**62}]", f"x[0:{2**32}]", f"x[0:{2**31}]", f"x[{2**31}:]", f"x[1::{2**31}]",
        f"torch.ops.aten.slice.Tensor(x, 0, None, {I64_MAX}, 1)", f"torch.ops.aten.slice.Tensor(x, 0, {I64_MIN}, None, 2)",
    ]:  # fmt: skip
        yield torch([4], python)


def run_time():
    for text in ["1:3", "-3:-1", "3:1", "1:9", "-9:2", "0:0"]:
        yield tf_dynamic([4], text, "begin", "end")
    for text in ["::-1", "2::-1", "3:0:-1", ":0:-2", "::2", "1:-1:2", "-1:-9:-1", "-9:9"]:
        yield tf_dynamic([4], text, "begin", "end", "strides")
    for text in ["1", "-1", ":-1"]:
        yield tf_dynamic([4], text, "begin", "end", unknown=True)
    for text in ["1, 1:", ":, -1", "..., 1:3", "newaxis, 1:, ::-1", "1:, newaxis, :2", "..., newaxis, 1"]:
        yield tf_dynamic([3, 4], text, "begin", "end", "strides")
    yield tf_dynamic([4], "1:3", "end")
    yield tf_dynamic([4], "1:3", "begin")
    yield tf_dynamic([4], "::-2", "strides")
    for begin, size in [([1], [2]), ([1], [-1]), ([0], [0])]:
        stop = "" if size == [-1] else begin[0] + size[0]
        yield with_run_time_inputs(tf_ops([4], f"x[{begin[0]}:{stop}]", {"op": "Slice", "begin": begin, "size": size}), ["begin", "size"])

    for starts, ends, axes, steps in [
        ([1], [3], [0], None), ([-3], [-1], [0], None), ([3], [1], [0], None), ([1], [I64_MAX], [0], None), ([-9], [9], [0], None),
        ([-1], [I64_MIN], [0], [-1]), ([2], [-9], [0], [-1]), ([3], [0], [0], [-2]), ([-1], [-5], [0], [-1]), ([0], [4], [0], [3]), ([0], [0], [0], None),
    ]:  # fmt: skip
        yield onnx_dynamic([4], (starts, ends, axes, steps), "starts", "ends")
    yield onnx_dynamic([4], ([1], [3], [0], None), "ends")
    yield onnx_dynamic([4], ([1], [3], [0], None), "starts", unknown=True)
    yield onnx_dynamic([4], ([-1], [I64_MIN], [0], [-1]), "starts", "ends", "steps")
    yield onnx_dynamic([3, 4], ([1, 1], [3, 3], [1, 0], None), "starts", "ends", "axes")
    yield onnx_dynamic([3, 4], ([1, 0], [3, 4], [0, 1], [1, 2]), "starts", "ends", unknown=True)
    yield onnx_dynamic([3, 4], ([1], [3], [-1], None), "starts", "ends", "axes")
    yield onnx_dynamic([3, 4], gather(-1, 1), "indices")
    yield onnx_dynamic([3, 4], gather(1, 0), "indices")
    yield onnx_dynamic([3, 4], gather([2, -3], 0), "indices")

    for python in [
        "x[: x.shape[0] - 1]", "x[x.shape[0] // 2 :]", "x[-(x.shape[0] // 2) :]", "x[: x.shape[0] // 2]", "x[x.shape[0] - 1]", "x[1 : x.shape[0] : 2]",
        "x[: x.shape[0] + 5]", "x.narrow(0, x.shape[0] - 2, 2)",
    ]:  # fmt: skip
        yield torch([4], python, unknown=True)
    for python, n in [("x[: n.item()]", 2), ("x[n.item() :]", 1), ("x[n]", 2), ("x[n]", -1), ("x[: n.item()]", -1)]:
        yield torch([4], python, inputs={"n": n})
    yield torch([4], "x[: y.shape[0]]", inputs={"y": [0, 0]}, unknown=True)
    yield torch([4], "x[y.shape[0] :]", inputs={"y": [0, 0, 0]}, unknown=True)
    yield torch([3, 4], "x.index_select(1, y)", inputs={"y": [3, 0]})
    yield torch([3, 4], "x[:, y]", inputs={"y": [-1, 1]})


def axes():
    for axis in [[0, 1], [1, 0], [-1], [-2], [0, -1], [-1, 0], []]:
        yield tf_ops([3, 4], f"flip(x, {tuple(axis)})", {"op": "ReverseV2", "axis": axis})
    for axis in [[2, 0], [0, 2], [-1, 1], [1]]:
        yield tf_ops([2, 3, 4], f"flip(x, {tuple(axis)})", {"op": "ReverseV2", "axis": axis})
    yield tf_ops([2, 3, 4], "x[1:2, :, 1:3]", {"op": "Slice", "begin": [1, 0, 1], "size": [1, -1, 2]})
    yield tf_ops([3, 4], "x[3:3, 1:3]", {"op": "Slice", "begin": [3, 1], "size": [-1, 2]})
    yield tf_ops([3, 4], "x[..., 1]", {"op": "GatherV2", "indices": 1, "axis": -1})
    yield tf_ops([3, 4], "x[[2, 0]]", {"op": "GatherV2", "indices": [2, 0], "axis": -2})
    for text in [":, :, 1:", "..., 1:, :", "1:, ..., :2", ":, 1, :", "..., 1"]:
        yield tf([2, 3, 4], text)

    for starts, ends, axes, steps in [
        ([1, 0], [3, 2], [1, 0], None), ([1, 0], [3, 2], [-1, -2], None), ([1, 0], [3, 2], [-2, -1], None), ([1], [3], [-1], None), ([1], [3], [-2], None),
        ([0, 1], [3, 4], [1, -2], [2, 1]), ([1], [2], None, None), ([1, 1], [2, 3], None, None),
    ]:  # fmt: skip
        yield onnx([3, 4], (starts, ends, axes, steps))
    for starts, ends, axes, steps in [
        ([1, 0], [3, 1], [2, 0], None), ([-1, 0], [I64_MIN, 2], [2, 1], [-1, 1]), ([1, 1], [2, 3], [0, -1], None), ([0, 1, 1], [2, 2, 3], [-1, -3, -2], None),
        ([1], [I64_MAX], None, None), ([0, 1, 0], [2, 3, 3], None, [1, 1, 2]),
    ]:  # fmt: skip
        yield onnx([2, 3, 4], (starts, ends, axes, steps))
    yield onnx([2, 3, 4], gather(1, -2))
    yield onnx([2, 3, 4], gather([1, 0], -3))
    yield onnx([1, 3, 1], squeeze(-1))
    yield onnx([1, 3, 1], squeeze(0, -1))
    yield onnx([2, 3], unsqueeze(-1))
    yield onnx([2, 3], unsqueeze(2, 0))
    yield onnx([2, 3], unsqueeze(-1, -4))
    yield onnx([2, 3], unsqueeze(0, 1))
    yield onnx([2, 3], onnx_slice([1], [2], [-1]), opset=10)

    for python in ["x.flip(1, 0)", "x.flip(-1, 0)", "x.flip(2)", "x.flip(-3)", "x.select(-2, 1)", "x.unsqueeze(-2)", "x.permute(2, 0, 1)", "x.permute(-1, 0, 1)"]:
        yield torch([2, 3, 4], python)
    for dim, begin, end in [(-1, 1, 3), (-3, 1, 2), (1, 0, 2), (-2, -2, -1)]:
        yield torch([2, 3, 4], f"torch.ops.aten.slice.Tensor(x, {dim}, {begin}, {end}, 1)")
    yield torch([2, 3, 4], "x.narrow(-1, 1, 2)")
    yield torch([2, 3, 4], "x.movedim(0, -1)[1:]")
    yield torch([2, 3, 4], "torch.index_select(x, -1, torch.tensor([3, 0]))")


def main():
    makers = [negative_step, minus_one, permutation, ellipsis, stride, empty, sentinel, run_time, axes]
    models, numbers, texts = [], {}, set()
    for name, make in zip(CLASSES, makers, strict=True):
        for model in make():
            text = json.dumps(model, sort_keys=True)
            if text in texts:  # the model is in two classes, or was generated twice
                continue
            texts.add(text)
            key = (model["source"], name)
            numbers[key] = numbers.get(key, 0) + 1
            models.append({"model": f"{model['source']}-{name}-{numbers[key]:02}", "class": name, **model})
    order = ["tf", "onnx", "torch"]
    models.sort(key=lambda model: order.index(model["source"]))  # a stable sort keeps the classes in order
    path = HERE / "models.jsonl"
    path.write_text("".join(json.dumps(model) + "\n" for model in models))
    print(f"{path.name}: {len(models)} models;", ", ".join(f"{s} {c}: {n}" for (s, c), n in sorted(numbers.items())))


if __name__ == "__main__":
    main()
