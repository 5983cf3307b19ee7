"""Errors, limits, pickles, stores, threads and processes."""

import json
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import slice_zarr as sz
import zarr
from zarr.storage import MemoryStore


@pytest.fixture
def folder(tmp_path):
    z = zarr.create_array(tmp_path / "a.zarr", shape=(100, 80), chunks=(10, 20), dtype="i4", attributes={"unit": "m"})
    z[...] = np.arange(8000).reshape(100, 80)
    return tmp_path / "a.zarr"


X = np.arange(8000, dtype="i4").reshape(100, 80)


def test_properties(folder):
    a = sz.open(folder)
    assert (a.shape, a.dtype, a.ndim, a.size, a.nbytes) == ((100, 80), np.dtype("i4"), 2, 8000, 32000)
    assert (a.chunks, a.shards, a.fill_value, a.attrs) == ((10, 20), None, 0, {"unit": "m"})
    assert "a.zarr" in repr(a) and len(a) == 100
    assert (np.asarray(a) == X).all() and (np.asarray(a, "f8") == X).all()
    assert [row[3] for row in a] == list(X[:, 3])


def test_errors(folder, tmp_path):
    a = sz.open(folder)
    for key, error, message in [
        (100, IndexError, "index 100 is out of bounds for axis 0 with size 100"),
        ((0, 0, 0), IndexError, "too many indices for array: array is 2-dimensional, but 3 were indexed"),
        ((..., ...), IndexError, "an index can only have a single ellipsis"),
        (slice(None, None, 0), ValueError, "slice step cannot be zero"),
        (2.5, IndexError, "only integers, slices"),
        ("x", IndexError, "only integers, slices"),
        ([[0.5]], IndexError, "arrays used as indices must be of integer"),
        (10**30, IndexError, "out of bounds"),
        (np.ones(7, bool), IndexError, "boolean index did not match indexed array along axis 0; size of axis is 100 but"),
        (([0, 1], [0, 1, 2]), IndexError, "shape mismatch: indexing arrays could not be broadcast together"),
    ]:
        with pytest.raises(error, match=message):
            a[key]
        with pytest.raises(error, match=message):
            a[key] = 1
    with pytest.raises(ValueError, match=r"could not broadcast input array from shape \(3,\) into shape \(80,\)"):
        a[0] = [1, 2, 3]
    with pytest.raises(OverflowError):
        a[0] = 2**40
    with pytest.raises(FileNotFoundError, match="there is no Zarr array"):
        sz.open(tmp_path / "missing.zarr")
    with pytest.raises(ValueError, match='opened with the mode "r"'):
        sz.open(folder, mode="r")[0] = 1
    with pytest.raises(NotImplementedError, match="moves the axes of lists that a slice separates to the front"):
        a.lazy[None, :, None][:, [1, 2], :, [3, 4]]
    with pytest.raises(TypeError, match="cannot open a int"):
        sz.open(5)
    (folder / "c/0/0").write_bytes(b"broken")
    with pytest.raises(OSError, match=r"chunk \[0, 0\]"):
        a[0, 0]
    assert a[50, 50] == X[50, 50]
    (folder / "zarr.json").write_text("{")
    with pytest.raises(ValueError):
        sz.open(folder)


def test_out(folder):
    v = sz.open(folder).lazy[::-3, 5:40]
    want = X[::-3, 5:40]
    whole = np.zeros((2, 34, 70), "i4")
    strided = whole[1, ::-1, ::2]
    assert v.result(out=strided) is strided
    assert (strided == want).all() and (whole[0] == 0).all() and (whole[1, :, 1::2] == 0).all()
    for out in [np.zeros(v.shape, "f8"), np.zeros(v.shape, ">i4"), np.zeros(v.shape, "i4", order="F"), np.zeros(34 * 35 * 4 + 1, "u1")[1:].view("i4").reshape(v.shape)]:
        assert (v.result(out=out) == want).all()
    with pytest.raises(TypeError):
        v.result(out=np.zeros(v.shape, "u2"))
    with pytest.raises(ValueError, match="out has the shape"):
        v.result(out=np.zeros((3, 3), "i4"))
    with pytest.raises(ValueError, match="read-only"):
        v.result(out=np.broadcast_to(np.zeros(1, "i4"), v.shape))


def test_limits_and_plans(folder):
    v = sz.open(folder).lazy[::4, [70, 3, 4]]
    plan = v.plan()
    assert (plan.shape, plan.chunks, plan.objects, plan.all_objects) == ((25, 3), 20, 20, 40)
    assert plan.output_bytes == 300 and plan.bytes >= plan.requests >= 20
    for limit in [{"max_memory": "1KB"}, {"max_chunks": 19}, {"max_requests": 3}, {"max_bytes": 10}]:
        error = MemoryError if "max_memory" in limit else ValueError
        with pytest.raises(error, match="more than the limit of"):
            v.plan(**limit)
        with pytest.raises(error, match="more than the limit of"):
            v.result(**limit)
    assert (v.result(max_memory="1GB", max_chunks=20) == X[::4, [70, 3, 4]]).all()
    out = np.zeros(plan.shape, "i4")
    for part in plan.split(7):
        part = sz.Plan.from_json(pickle.loads(pickle.dumps(part)).to_json())
        part.read_into(out)
    assert (out == X[::4, [70, 3, 4]]).all()
    with pytest.raises(ValueError, match="invalid plan"):
        sz.Plan.from_json("{}")
    with pytest.raises(ValueError, match="is no number of bytes"):
        v.plan(max_memory="much")


def test_ranges_of_files(tmp_path):
    x = np.arange(32 * 64 * 128, dtype="f4").reshape(32, 64, 128)
    z = zarr.create_array(tmp_path / "a.zarr", shape=x.shape, chunks=x.shape, dtype="f4", compressors=None)
    z[...] = x
    a = sz.open(tmp_path / "a.zarr")
    # 31.5 KiB lie between two selected rows of 512 bytes, and 3.5 KiB if every eighth row is selected.
    plan = a.lazy[:, 5].plan()
    assert (plan.requests, plan.bytes) == (32, 32 * 512)
    assert (a[:, 5] == x[:, 5]).all()
    plan = a.lazy[3, ::8].plan()
    assert (plan.requests, plan.bytes) == (1, 57 * 512)
    assert (a[3, ::8] == x[3, ::8]).all()
    # Each request to a store of Python takes longer.
    in_memory = zarr.create_array(zarr.storage.MemoryStore(), shape=x.shape, chunks=x.shape, dtype="f4", compressors=None)
    assert sz.open(in_memory).lazy[:, 5].plan().requests == 1


def test_pickles(folder):
    a = sz.open(folder)
    v = a.lazy[::-4, [3, 1]]
    assert (pickle.loads(pickle.dumps(a))[...] == X).all()
    assert (pickle.loads(pickle.dumps(v)).result() == X[::-4, [3, 1]]).all()
    pickled = [pickle.dumps(value) for value in (a, v, v.plan())]
    metadata = json.loads((folder / "zarr.json").read_text())
    metadata["attributes"] = {"other": 1}
    (folder / "zarr.json").write_text(json.dumps(metadata))
    assert pickle.loads(pickled[0]).attrs == {"other": 1}
    metadata["fill_value"] = 7
    (folder / "zarr.json").write_text(json.dumps(metadata))
    for value in pickled:
        with pytest.raises(ValueError, match="differs from that of the array that was pickled"):
            pickle.loads(value)


def test_no_credentials_are_pickled_or_printed():
    import fsspec

    memory = fsspec.filesystem("memory")
    z = zarr.create_array(MemoryStore(), shape=(6,), chunks=(2,), dtype="i4")
    memory.pipe("/creds/zarr.json", json.dumps(z.metadata.to_dict()).encode())
    a = sz.open("memory://creds", storage_options={"secret": "hunter2", "endpoint_url": "http://localhost"})
    a[...] = np.arange(6)
    assert (a[::-2] == [5, 3, 1]).all()
    text = pickle.dumps(a)
    assert b"hunter2" not in text and b"localhost" in text
    assert "hunter2" not in repr(a)
    with pytest.raises(FileNotFoundError) as error:
        sz.open("memory://user:hunter2@nothing?token=hunter2")
    assert "hunter2" not in str(error.value)


class DictStore:
    """A store in memory."""

    def __init__(self):
        self.objects = {}

    def get(self, key, start, end):
        value = self.objects.get(key)
        return None if value is None else value[start:end]

    def set(self, key, value):
        self.objects[key] = bytes(value)

    def delete(self, key):
        self.objects.pop(key, None)


class FailingStore(DictStore):
    def get(self, key, start, end):
        if key.endswith("c/0"):
            raise RuntimeError("no luck")
        return super().get(key, start, end)


def test_stores_of_python(folder):
    store = DictStore()
    sz.copy(sz.open(folder).lazy[::-2], store)
    a = sz.open(store)
    assert (a[...] == X[::-2]).all()
    a[[3, 1], [2, 2]] = [7, 8]
    assert a[3, 2] == 7 and a[1, 2] == 8
    failing = FailingStore()
    failing.objects = {"zarr.json": json.dumps(json.loads(store.objects["zarr.json"]) | {"shape": [4]}).encode()}
    metadata = json.loads(failing.objects["zarr.json"])
    metadata["chunk_grid"]["configuration"]["chunk_shape"] = [2]
    metadata.pop("dimension_names", None)
    failing.objects["zarr.json"] = json.dumps(metadata).encode()
    b = sz.open(failing)
    with pytest.raises(OSError, match="no luck") as error:
        b[...]
    assert isinstance(error.value.__cause__, RuntimeError)
    assert (b[2:] == 0).all()


def test_arrays_of_zarr_python(folder):
    assert (sz.open(zarr.open_array(folder))[::-1] == X[::-1]).all()
    z = zarr.create_array(MemoryStore(), name="group/b", shape=(9, 7), chunks=(4, 4), dtype="f8", shards=(8, 8))
    a = sz.open(z)
    a[::-2, [3, 1]] = np.arange(10.0).reshape(5, 2)
    assert (z[...][::-2, [3, 1]] == np.arange(10.0).reshape(5, 2)).all()
    assert (pickle.loads(pickle.dumps(a))[...] == z[...]).all()
    with zarr.storage.ZipStore(folder.parent / "z.zip", mode="w") as store:
        a = sz.open(zarr.create_array(store, shape=(3,), chunks=(2,), dtype="i4"))
        with pytest.raises(TypeError, match="an array in a ZipStore of zarr-python cannot be sent to another process"):
            pickle.dumps(a)


@pytest.mark.parametrize(
    "x",
    [
        np.arange(24).reshape(2, 3, 4),
        np.arange(24.0).reshape(2, 3, 4)[:, ::-1],
        np.arange(60).astype("U3").reshape(3, 4, 5),
        np.arange(60, dtype="c16").reshape(3, 4, 5),
        np.zeros((2, 3, 0)),
    ],
)
def test_gather(x):
    for key in [
        (), np.s_[...], np.s_[..., ::-1], np.s_[None], np.s_[1:, ::-2], np.s_[[1, 0, 1]], np.s_[:, :1], np.s_[0],
        np.s_[[0, 1], ..., None], np.ones(x.shape, bool), np.s_[[[0], [1]], :, :2], np.s_[[1, 0], [2, 1]], np.s_[1, :, [0] * (x.size > 0)],
    ]:  # fmt: skip
        got = sz.gather(x, key)
        assert got.shape == x[key].shape and got.dtype == x.dtype and (got == x[key]).all() and not np.shares_memory(got, x)
        assert got.flags.c_contiguous
    assert sz.gather(np.array(5), ...) == 5


def test_threads(folder):
    assert sz.get_threads() >= 1
    seen = []
    thread = threading.Thread(target=lambda: seen.append(sz.get_threads()))
    thread.start()
    thread.join()
    assert seen == [1]
    sz.set_threads(3)
    try:
        assert sz.get_threads() == 3
    finally:
        sz.set_threads(None)
    with pytest.raises(ValueError):
        sz.set_threads(0)
    results = [None] * 8
    a = sz.open(folder)

    def work(k):
        for _ in range(50):
            results[k] = a[::-1, k :: 3]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((results[k] == X[::-1, k::3]).all() for k in range(8))


def _read_in_child(a, queue):
    queue.put(int(a[::-1].sum()))


def test_fork(folder):
    a = sz.open(folder)
    assert a[::-1].sum() == X.sum()
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    children = [context.Process(target=_read_in_child, args=(a, queue)) for _ in range(4)]
    for child in children:
        child.start()
    assert [queue.get(timeout=30) for _ in children] == [X.sum()] * 4
    for child in children:
        child.join(30)
        assert child.exitcode == 0


class SlowStore(DictStore):
    def get(self, key, start, end):
        if "c/" in key:
            time.sleep(0.2)
        return super().get(key, start, end)


def test_progress_and_timeout(folder):
    store = SlowStore()
    store.objects = {"zarr.json": (folder / "zarr.json").read_bytes()}
    v = sz.open(store).lazy[...]
    seen = []
    v.result(progress=lambda chunks, of: seen.append((chunks, of)), threads=8)
    assert seen[-1] == (40, 40) and sorted(seen) == seen
    with pytest.raises(TimeoutError):
        v.result(timeout=0.3, threads=2)

    def fail(chunks, of):
        raise LookupError("stop")

    with pytest.raises(LookupError):
        v.result(progress=fail, threads=2)


def test_progress_bar(folder, capsys, monkeypatch):
    store = SlowStore()
    store.objects = {"zarr.json": (folder / "zarr.json").read_bytes()}
    v = sz.open(store).lazy[...]
    v.result(progress=True, threads=8)
    assert "100%" in (bar := capsys.readouterr().err) and "40/40" in bar
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    v.result(progress=True, threads=8)
    assert capsys.readouterr().err.endswith("\r40 of 40 chunks\n")
    v[0, 0].result(progress=True)
    assert capsys.readouterr().err == ""


def test_keyboard_interrupt(folder, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"""
import signal
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from pathlib import Path
import slice_zarr as sz
from test_package import SlowStore
# A process that a shell runs in the background inherits that the signal is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
store = SlowStore()
store.objects = {{"zarr.json": Path({str(folder)!r}, "zarr.json").read_bytes()}}
a = sz.open(store)
print("reading", flush=True)
try:
    sz.set_threads(1)
    a[...]
except KeyboardInterrupt:
    print("interrupted", flush=True)
print(a[0, 0])
"""
    )
    child = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "reading\n"
    time.sleep(0.5)
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert out == "interrupted\n0\n"
    # The whole read would take 8 seconds.
    assert time.monotonic() - begin < 4


def test_killed_writer_leaves_whole_chunks(tmp_path):
    """A process that overwrites chunks is killed. Each chunk then has either its old or its new elements."""
    z = zarr.create_array(tmp_path / "w.zarr", shape=(64, 65536), chunks=(1, 65536), dtype="u1", compressors=None)
    z[...] = 1
    script = f"import slice_zarr as sz\na = sz.open({str(tmp_path / 'w.zarr')!r})\nprint(0, flush=True)\nfor k in range(2, 99): a[...] = k\n"
    for _ in range(4):
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(0.1)
        child.kill()
        child.wait()
        rows = z[...]
        assert (rows == rows[:, :1]).all()


@pytest.mark.parametrize("shards", [None, (1024, 1024)])
@pytest.mark.parametrize("key", ["...", "::-2, ::3", "::64", "np.arange(0, 4096, 5), :1000"])
def test_memory_of_plans(tmp_path, key, shards):
    """The memory of a read is at most that of its plan, plus the memory of codecs and threads."""
    z = zarr.create_array(tmp_path / "m.zarr", shape=(4096, 4096), chunks=(512, 512), shards=shards, dtype="f4")
    z[...] = np.random.default_rng(1).random((4096, 4096), "f4")
    script = os.path.join(os.path.dirname(__file__), "memory.py")
    bound, measured = map(int, subprocess.check_output([sys.executable, script, tmp_path / "m.zarr", key]).split())
    assert measured <= bound + (8 << 20), (key, bound, measured)
