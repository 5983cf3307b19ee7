"""Random brackets, beside NumPy."""

import os
import pickle
import warnings

import numpy as np
import pytest
import slice_zarr as sz
from arrays import UNSUPPORTED, write_all
from brackets import random_numpy, random_lists

BRACKETS = int(os.environ.get("SLICE_ZARR_TEST_BRACKETS", 10_000))


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = write_all(tmp_path_factory.mktemp("arrays"))
    for name in UNSUPPORTED:
        with pytest.raises(ValueError, match="is not supported"):
            sz.open(made[name][0])
    return {name: (sz.open(path), data) for name, (path, data) in made.items() if name not in UNSUPPORTED}


def as_bytes(array):
    """Returns the bytes of an array, in which NaN equals itself."""
    array = np.asarray(array)
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("="))).tobytes()


def outcome(function):
    """Returns the result of a function, or its exception."""
    try:
        return function()
    except Exception as error:  # noqa: BLE001
        return error


def check(want, got, what):
    if isinstance(want, Exception):
        assert type(got) is type(want), what
        return
    assert not isinstance(got, Exception), (what, got)
    assert type(got) is type(want), what
    assert got.shape == want.shape, what
    assert got.dtype == want.dtype.newbyteorder("="), what
    assert as_bytes(got) == as_bytes(want), what


def test_there_are_47_arrays(arrays):
    assert len(arrays) == 47


def test_brackets(arrays):
    rng = np.random.default_rng(1)
    errors = 0
    for number in range(BRACKETS):
        name = list(arrays)[number % len(arrays)]
        a, x = arrays[name]
        key = random_numpy(rng, x.shape)
        want = outcome(lambda: x[key])
        errors += isinstance(want, Exception)
        check(want, outcome(lambda: a[key]), (name, x.shape, key))
    assert 0.01 < errors / BRACKETS < 0.2


def orthogonal(x, key):
    """Selects from each axis of `x` by itself."""
    if Ellipsis in [item if item is Ellipsis else 0 for item in key]:
        at = [item is Ellipsis for item in key].index(True)
        key = key[:at] + (slice(None),) * (x.ndim - len(key) + 1) + key[at + 1 :]
    axis = 0
    for item in key:
        item = item if isinstance(item, (int, slice)) else np.asarray(item) if len(item) else np.zeros(0, int)
        x = x[(slice(None),) * axis + (item,)]
        axis += not isinstance(item, int)
    return x


def test_oindex(arrays):
    rng = np.random.default_rng(2)
    for number in range(BRACKETS):
        name = list(arrays)[number % len(arrays)]
        a, x = arrays[name]
        key = random_lists(rng, x.shape)
        want = outcome(lambda: np.asarray(orthogonal(x, key), x.dtype))
        check(want, outcome(lambda: np.asarray(a.oindex[key], a.dtype)), (name, x.shape, key))
        check(want, outcome(lambda: a.lazy.oindex[key].result()), (name, x.shape, key))


def test_vindex(arrays):
    rng = np.random.default_rng(3)
    for number in range(BRACKETS // 4):
        name = list(arrays)[number % len(arrays)]
        a, x = arrays[name]
        if x.ndim == 0:
            continue
        if rng.random() < 0.3:
            key = rng.random(x.shape) < rng.random()
        else:
            count = int(rng.integers(0, 40)) * (x.size > 0)
            key = tuple(rng.integers(-n, n, count) if n else np.zeros(0, int) for n in x.shape)
        check(x[key], outcome(lambda: a.vindex[key]), (name, x.shape, key))
        check(x[key], outcome(lambda: a.lazy.vindex[key].result()), (name, x.shape, key))


def test_views_of_points(arrays):
    """Views take the brackets of NumPy that keep the order of the axes: masks and points, too. They compose, split and pickle."""
    rng = np.random.default_rng(6)
    kept = 0
    for number in range(BRACKETS // 4):
        name = list(arrays)[number % len(arrays)]
        a, x = arrays[name]
        v, keys = a.lazy, []
        for _ in range(2):
            key = random_numpy(rng, x.shape)
            keys.append(key)
            want = outcome(lambda: np.asarray(x[key], x.dtype))
            got = outcome(lambda: v[key])
            if isinstance(got, NotImplementedError):
                break
            if isinstance(want, Exception):
                check(want, got, (name, keys))
                break
            x, v = want, got
            assert v.shape == x.shape and len(v.chunks) == v.ndim, (name, keys)
        else:
            kept += 1
            check(x, v.result(), (name, keys))
            if number % 5 == 0:
                v = pickle.loads(pickle.dumps(v))
                out = np.zeros(v.shape, v.dtype)
                for part in v.plan().split(int(rng.integers(1, 9))):
                    part.read_into(out)
                check(x, out, (name, keys))
    assert kept > BRACKETS // 10


def test_views_compose(arrays):
    rng = np.random.default_rng(4)
    for number in range(BRACKETS // 2):
        name = list(arrays)[number % len(arrays)]
        a, x = arrays[name]
        v, keys = a.lazy, []
        for _ in range(3):
            key = random_lists(rng, x.shape)
            want = outcome(lambda: np.asarray(orthogonal(x, key), x.dtype))
            keys.append(key)
            if isinstance(want, Exception):
                check(want, outcome(lambda: v.oindex[key]), (name, keys))
                break
            x, v = want, v.oindex[key]
            assert v.shape == np.shape(x), (name, keys)
        else:
            check(np.asarray(x), v.result(), (name, keys))
            out = np.zeros(v.shape, v.dtype)
            for part in v.plan().split(int(rng.integers(1, 9))):
                part.read_into(out)
            check(np.asarray(x), out, (name, keys))


def random_values(rng, shape, dtype):
    """Returns values that broadcast to `shape`."""
    own = [1 if rng.random() < 0.2 else n for n in shape]
    own = own[int(rng.integers(0, len(own) + 1)) :] if rng.random() < 0.3 else own
    if dtype.kind in "US":
        return rng.integers(0, 100, own).astype(str).astype(dtype)
    if dtype.kind in "mM":
        return rng.integers(0, 1000, own).astype("i8").astype(dtype)
    return rng.integers(0, 100, own).astype(dtype)


@pytest.mark.parametrize("kind", ["brackets", "oindex", "vindex"])
def test_assignments(arrays, kind):
    rng = np.random.default_rng(5)
    mirrors = {name: (a, x.copy()) for name, (a, x) in arrays.items()}
    for number in range(BRACKETS // 10):
        name = list(mirrors)[number % len(mirrors)]
        a, x = mirrors[name]
        if kind == "brackets":
            key = random_numpy(rng, x.shape)
            target, index = a, key
        elif kind == "oindex":
            key = random_lists(rng, x.shape)
            numbers = outcome(lambda: orthogonal(np.arange(x.size).reshape(x.shape), key))
            if isinstance(numbers, Exception):
                continue
            target, index = a.oindex, np.unravel_index(numbers, x.shape) if x.ndim else ()
        else:
            if x.ndim == 0:
                continue
            count = int(rng.integers(0, 40)) * (x.size > 0)
            key = tuple(rng.integers(-n, n, count) if n else np.zeros(0, int) for n in x.shape)
            target, index = a.vindex, key
        selected = outcome(lambda: x[index])
        values = random_values(rng, np.shape(selected) if not isinstance(selected, Exception) else (), x.dtype)
        want = outcome(lambda: x.__setitem__(index, values))
        got = outcome(lambda: target.__setitem__(key, values))
        if isinstance(want, Exception) or isinstance(got, Exception):
            check(want, got, (name, x.shape, key, np.shape(values)))
        if number % 7 == 0:
            check(x, a[...], (name, x.shape, key, np.shape(values)))
    for name, (a, x) in mirrors.items():
        check(x, a[...], name)
        arrays[name] = (a, x)
