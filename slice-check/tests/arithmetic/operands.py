"""Makes the random operands of operators for the scripts in this folder, runs systems on the models, and writes the files
`*.jsonl.gz`.

The first line of a file contains the versions. Each of the other lines contains the name of the operator, the model in
hexadecimal, and the type, the shape and the elements of each output. The test
`constants_are_those_of_the_systems` computes the same outputs.
"""

import gzip
import json
import pathlib
import random
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "verdicts"))
from record import verdicts

CASES_PER_OPERATOR = 60
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
NUMBERS = [*INTEGERS, np.float32, np.float64]
RANDOM = random.Random(0)


def element(dtype):
    if dtype == np.bool_:
        return RANDOM.random() < 0.5
    if dtype in (np.float32, np.float64):
        return RANDOM.choice([0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -3.0, 7.25, 100.0, 1e10, RANDOM.uniform(-9, 9)])
    limits = np.iinfo(dtype)
    number = RANDOM.choice([RANDOM.randint(-4, 9), RANDOM.randint(0, 4), RANDOM.randint(-300, 300), limits.max, limits.min])
    return min(max(number, limits.min), limits.max)


def array(dtype, shape, choices=None):
    elements = [RANDOM.choice(choices) if choices else element(dtype) for _ in range(int(np.prod(shape)))]
    return np.array(elements, dtype=dtype).reshape(shape)


def shape(max_rank=3):
    return [RANDOM.choice([1, 2, 3, 3]) for _ in range(RANDOM.randint(0, max_rank))]


def broadcastable(shape):
    """Returns a shape that can be broadcast with `shape`."""
    other = [RANDOM.choice([1, length]) for length in shape]
    return other[RANDOM.randint(0, len(other)) :] if RANDOM.random() < 0.3 else other


def elementwise(count, types):
    def operands():
        dtype, first = RANDOM.choice(types), shape()
        shapes = [first, *(broadcastable(first) for _ in range(count() - 1))]
        return [array(dtype, one) for one in shapes], {}

    return operands


def division(types):
    def operands():
        dtype, first = RANDOM.choice(types), shape()
        divisors = [1, 2, 3, 7] + ([-1, -2, -5] if np.iinfo(dtype).min < 0 else [])
        dividend = array(dtype, first)
        # The division of the least integer by -1 stops the process.
        least = np.iinfo(dtype).min
        dividend = np.where((dividend == least) & (least < 0), 5, dividend).astype(dtype)
        return [dividend, array(dtype, broadcastable(first), divisors)], {}

    return operands


def power():
    dtype, first = RANDOM.choice([np.int32, np.int64]), shape()
    return [array(dtype, first, range(-5, 6)), array(dtype, broadcastable(first), range(5))], {}


def shift():
    dtype, first = RANDOM.choice([np.uint8, np.uint16, np.uint32, np.uint64]), shape()
    shifts = range(8 * np.dtype(dtype).itemsize)
    return [array(dtype, first), array(dtype, broadcastable(first), shifts)], {"direction": RANDOM.choice(["LEFT", "RIGHT"])}


def position():
    values = array(RANDOM.choice([np.int32, np.int64, np.uint8]), [*shape(2), 3])
    return [values], {"axis": RANDOM.randrange(-values.ndim, values.ndim), "keepdims": RANDOM.randint(0, 1)}


def number_range():
    dtype = RANDOM.choice([np.int16, np.int32, np.int64])
    bounds = [array(dtype, [], range(-20, 20)) for _ in range(2)]
    return [*bounds, array(dtype, [], [1, 2, 5, -1, -3])], {}


def tile():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), shape())
    return [values, array(np.int64, [values.ndim], range(3))], {}


def expand():
    target = shape()
    return [array(RANDOM.choice([np.int32, np.int64, np.bool_]), broadcastable(target)), np.array(target, dtype=np.int64)], {}


def cumulative_sum():
    values = array(RANDOM.choice([np.int32, np.int64]), [*shape(2), 3])
    axis = np.array(RANDOM.randrange(-values.ndim, values.ndim), dtype=np.int64)
    return [values, axis], {"exclusive": RANDOM.randint(0, 1), "reverse": RANDOM.randint(0, 1)}


def where():
    dtype, first = RANDOM.choice([np.int32, np.int64, np.uint8]), shape()
    return [array(np.bool_, broadcastable(first)), array(dtype, first), array(dtype, broadcastable(first))], {}


def concatenation():
    dtype, first = RANDOM.choice([*INTEGERS, np.bool_]), [*shape(2), 2]
    axis = RANDOM.randrange(-len(first), len(first))
    parts = []
    for _ in range(RANDOM.randint(1, 3)):
        lengths = list(first)
        lengths[axis] = RANDOM.randint(0, 3)
        parts.append(array(dtype, lengths))
    return parts, {"axis": axis}


def reshape():
    values = array(RANDOM.choice([*INTEGERS, np.bool_]), [2, 3, RANDOM.choice([1, 2])])
    target = RANDOM.choice([[-1], [0, -1], [3, -1, 1], [0, 0, -1], [-1, 0], [6, -1], [1, 1, -1, 1]])
    return [values, np.array(target, dtype=np.int64)], {}


def flatten():
    values = array(np.int64, [2, 3, 2])
    return [values], {"axis": RANDOM.randint(0, 3)}


def transpose():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), shape())
    return [values], RANDOM.choice([{}, {"perm": RANDOM.sample(range(values.ndim), values.ndim)}]) if values.ndim else {}


def gather():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [*shape(2), 3])
    axis = RANDOM.randrange(-values.ndim, values.ndim)
    length = values.shape[axis]
    return [values, array(np.int64, RANDOM.choice([[], [2], [1]]), range(-length, length))], {"axis": axis}


def table_of_positions(values, count):
    """Returns lists of `count` positions, some of which are negative."""
    shape = [*RANDOM.choice([[], [2], [1], [2, 2]]), count]
    table = np.array([[RANDOM.randrange(-length, length) for length in values.shape[:count]] for _ in range(int(np.prod(shape[:-1])))])
    return table.astype(np.int64).reshape(shape)


def gather_nd():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [*shape(2), 3])
    return [values, table_of_positions(values, RANDOM.randint(1, values.ndim))], {}


def gather_lists():
    values, attributes = gather()
    values, axis = values[0], attributes["axis"]
    length = values.shape[axis]
    return [values, array(np.int64, RANDOM.choice([[2, 2], [1, 3], [0, 2]]), range(-length, length))], attributes


def gather_elements():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [*shape(2), 3])
    axis = RANDOM.randrange(-values.ndim, values.ndim)
    lengths = [RANDOM.randint(1, length) for length in values.shape]
    lengths[axis] = RANDOM.randint(1, 4)
    return [values, array(np.int64, lengths, range(-values.shape[axis], values.shape[axis]))], {"axis": axis}


def scatter_elements():
    [values, positions], attributes = gather_elements()
    return [values, positions, array(values.dtype, positions.shape)], attributes


def one_hot():
    positions = array(RANDOM.choice([np.int32, np.int64]), shape(2), range(-5, 6))
    depth = np.array(RANDOM.randint(1, 4), dtype=RANDOM.choice([np.int32, np.int64]))
    elements = array(RANDOM.choice([np.int32, np.int64]), [2], range(-3, 9))
    return [positions, depth, elements], {"axis": RANDOM.randint(-positions.ndim - 1, positions.ndim)}


def top():
    values = array(RANDOM.choice([np.int32, np.int64, np.uint8]), [*shape(2), 3], RANDOM.choice([None, range(3)]))
    axis = RANDOM.randrange(-values.ndim, values.ndim)
    count = np.array([RANDOM.randint(0, values.shape[axis])], dtype=np.int64)
    return [values, count], {"axis": axis, "largest": RANDOM.randint(0, 1), "sorted": int(RANDOM.random() < 0.8)}


def one(*types):
    return elementwise(lambda: 1, types)


def two(*types):
    return elementwise(lambda: 2, types)


def several(*types):
    return elementwise(lambda: RANDOM.randint(1, 4), types)


def pack():
    dtype, first = RANDOM.choice([*INTEGERS, np.bool_]), shape(2)
    parts = [array(dtype, first) for _ in range(RANDOM.randint(1, 3))]
    return parts, {"axis": RANDOM.randrange(-len(first) - 1, len(first) + 1)}


def reduced(*types):
    def operands():
        # Some systems compute sums of large integers as floating-point numbers, so most integers are small.
        values = array(RANDOM.choice(types), shape(), RANDOM.choice([None, *6 * [range(9)]]))
        rank = values.ndim
        axes = RANDOM.sample(range(rank), RANDOM.randint(0, rank))
        axes = [axis - rank if RANDOM.random() < 0.3 else axis for axis in axes]
        return [values, np.array(axes, dtype=np.int32)], {"keepdims": RANDOM.randint(0, 1)}

    return operands


def cast_to(*types):
    return lambda: ([array(RANDOM.choice(types), shape())], {"to": np.dtype(RANDOM.choice(types))})


def window():
    values = array(RANDOM.choice([np.int32, np.int64]), [4, 3])
    begin = [RANDOM.randint(0, 4), RANDOM.randint(0, 3)]
    size = [RANDOM.randint(-1, 4 - begin[0]), RANDOM.randint(-1, 3 - begin[1])]
    return [values, np.array(begin, dtype=np.int32), np.array(size, dtype=np.int32)], {}


def sliced():
    values = array(RANDOM.choice([np.int32, np.int64]), [4, 3])
    bounds = [array(np.int64, [2], range(-5, 6)) for _ in range(2)]
    return [values, *bounds, array(np.int64, [2], [1, 2, -1, -2]), np.array([0, 1])], {}


def strided():
    values = array(RANDOM.choice([np.int32, np.int64]), [4, 3])
    begin, end = (array(np.int32, [2], range(-5, 6)) for _ in range(2))
    masks = [RANDOM.choice([0, 0, 1, 2, 3]) for _ in range(2)]
    return [values, begin, end, array(np.int32, [2], [1, 2, -1, -2])], {"begin_mask": masks[0], "end_mask": masks[1]}


def split():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), [4, 6])
    return [values], {"axis": RANDOM.choice([0, 1, -1, -2]), "count": RANDOM.choice([1, 2])}


def split_by_lengths():
    values = array(RANDOM.choice([np.int32, np.int64]), [4, 6])
    axis, lengths = RANDOM.choice([(0, [1, 3]), (1, [2, 4]), (-1, [-1, 1, 2]), (-2, [4, 0]), (1, [6])])
    return [values, np.array(lengths, dtype=np.int32)], {"axis": axis}


def unpack():
    values = array(RANDOM.choice([np.int32, np.int64]), [2, 3])
    axis = RANDOM.randrange(-2, 2)
    return [values], {"axis": axis, "count": values.shape[axis]}


def reverse():
    values = array(RANDOM.choice([np.int32, np.int64]), [*shape(2), 3])
    axes = RANDOM.sample(range(values.ndim), RANDOM.randint(1, values.ndim))
    return [values, np.array([axis - RANDOM.choice([0, values.ndim]) for axis in axes], dtype=np.int32)], {}


def reverse_first():
    axis = RANDOM.randint(0, 1)
    values = array(RANDOM.choice([np.int32, np.int64]), [3, 3])
    return [values, array(np.int32, [3], range(1, 4))], {"axis": axis, "batch_axis": 1 - axis}


def squeeze_axes():
    return [array(RANDOM.choice([np.int32, np.int64, np.bool_]), [1, 2, 1])], {"axes": RANDOM.choice([[0], [-1], [0, 2], [-3, 2], []])}


def expand_axis():
    values = array(RANDOM.choice([np.int32, np.int64, np.bool_]), shape())
    return [values, np.array(RANDOM.randrange(-values.ndim - 1, values.ndim + 1), dtype=np.int32)], {}


def shifted(*types):
    def operands():
        dtype, first = RANDOM.choice(types), shape()
        return [array(dtype, first), array(dtype, broadcastable(first), range(8 * np.dtype(dtype).itemsize))], {}

    return operands


def scattered():
    """Returns different positions, an update for each of them, and the shape of the result."""
    [values, positions], _ = gather_nd()
    count = positions.shape[-1]
    positions = np.unique(positions.reshape(-1, count) % values.shape[:count], axis=0)
    updates = array(values.dtype, [len(positions), *values.shape[count:]])
    return [positions, updates, np.array(values.shape, dtype=positions.dtype)], {}


def filled():
    lengths = array(np.int32, [RANDOM.randint(0, 3)], range(4))
    return [lengths, array(RANDOM.choice([*INTEGERS, np.bool_]), [])], {}


def shape_operand():
    return [array(np.float32, shape())], {}


def elements_of(array):
    """Returns the elements, with floating-point numbers as the bits of 64-bit numbers."""
    return (array.astype(np.float64).view(np.uint64) if array.dtype.kind == "f" else array).ravel().tolist()


def write(name, versions, run, cases):
    """Writes `NAME.jsonl.gz`, with up to `CASES_PER_OPERATOR` cases for each operator. A case consists of the name of the
    operator and the arguments of `run`, of which the first is the model. `run` returns the outputs."""

    def judge(*case):
        try:
            return "accepted", [(str(one.dtype), list(one.shape), elements_of(one)) for one in map(np.asarray, run(*case))]
        except Exception as error:
            return "refused", str(error)

    cases, lines, counts = list(cases), [versions], {}
    for (operator, *case), (verdict, outputs) in zip(cases, verdicts(judge, [case for _, *case in cases])):
        is_recorded = verdict == "accepted"
        if counts.setdefault(operator, [0, 0])[0] == CASES_PER_OPERATOR:
            continue
        counts[operator][not is_recorded] += 1
        if is_recorded:
            lines.append({"operator": operator, "model": case[0].hex(), "outputs": outputs})
        elif counts[operator][1] == 1:
            print(operator, verdict, outputs)
    for operator, (recorded, refused) in counts.items():
        print(operator, recorded, "recorded,", refused, "refused")
    print(len(lines) - 1, "recorded")
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (HERE / f"{name}.jsonl.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
