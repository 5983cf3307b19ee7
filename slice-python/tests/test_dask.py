"""Dask: arrays, copies by several processes that are killed, and xarray."""

import os
import random
import signal
import threading
import time
from pathlib import Path

import dask
import dask.array as da
import numpy as np
import pytest
import slice_zarr as sz
import xarray as xr
import zarr
from distributed import Client, LocalCluster

# The size of the array that killed workers copy, in MiB.
MIB = int(os.environ.get("SLICE_ZARR_TEST_MIB", 64))

# The time between two kills, in seconds. A worker takes a second or more to start.
KILL_SECONDS = float(os.environ.get("SLICE_ZARR_TEST_KILL_SECONDS", 3))


@pytest.fixture
def folder(tmp_path):
    z = zarr.create_array(tmp_path / "a.zarr", shape=(100, 80), chunks=(10, 20), dtype="i4")
    z[...] = np.arange(8000).reshape(100, 80)
    return tmp_path / "a.zarr"


X = np.arange(8000, dtype="i4").reshape(100, 80)


def test_from_array(folder):
    a = sz.open(folder)
    d = da.from_array(a, chunks="auto")
    assert (d.shape, d.dtype) == (X.shape, X.dtype) and isinstance(d._meta, np.ndarray)
    assert d.name == da.from_array(sz.open(folder), chunks="auto").name
    with dask.config.set({"array.chunk-size": "4kB"}):
        aligned = da.from_array(a, chunks="auto")
    assert all(length % chunk == 0 for lengths, chunk in zip(aligned.chunks, a.chunks) for length in lengths[:-1])
    assert aligned.npartitions > 1
    for scheduler in ["threads", "synchronous", "processes"]:
        assert (aligned[::-4, [3, 70]].compute(scheduler=scheduler) == X[::-4, [3, 70]]).all()
    v = a.lazy[::-2, 10:]
    d = da.from_array(v, chunks=(20, 20))
    assert d.name != da.from_array(a.lazy[::-2], chunks=(20, 20)).name
    want = X[::-2, 10:]
    for function in [
        lambda y: y + 1, lambda y: -y, lambda y: y.sum(axis=0), lambda y: y[..., 0], lambda y: y[::-1, [3, 1]], lambda y: y.T,
        lambda y: y.astype("f8"), lambda y: y.mean(), lambda y: y > 5, lambda y: y[y > 100],
    ]:  # fmt: skip
        assert np.allclose(function(d).compute(), function(want))


def test_stores_in_memory_have_different_names():
    arrays = [sz.open(zarr.create_array(zarr.storage.MemoryStore(), shape=(4,), chunks=(2,), dtype="i4")) for _ in range(2)]
    for number, array in enumerate(arrays):
        array[...] = number
    both = [da.from_array(array, chunks=2) for array in arrays]
    assert both[0].name != both[1].name
    assert (da.concatenate(both).compute() == [0, 0, 0, 0, 1, 1, 1, 1]).all()


def test_a_plan_of_many_chunks_becomes_a_graph_of_parts(tmp_path):
    metadata = zarr.create_array(tmp_path / "m.zarr", shape=(10**9, 64), chunks=(100, 64), dtype="u1").metadata
    assert metadata.shape == (10**9, 64)
    a = sz.open(tmp_path / "m.zarr")
    begin = time.process_time()
    plan = a.lazy[::-1].plan()
    assert plan.objects == 10**7
    assert len(plan.split(64)) == 64
    d = da.from_array(a.lazy[::-1], chunks=(10**7, 64))
    assert len(d.__dask_graph__()) <= 2 * 100 + 1
    assert time.process_time() - begin < 2


class AuditStore:
    """Objects in a folder. Each write is recorded in a log, with its begin and its end."""

    def __init__(self, folder):
        self.folder = str(folder)

    def _log(self, *words):
        with open(self.folder + ".log", "a") as file:
            file.write(" ".join(map(str, (time.monotonic_ns(), os.getpid(), *words))) + "\n")

    def get(self, key, start, end):
        try:
            return Path(self.folder, key).read_bytes()[start:end]
        except FileNotFoundError:
            return None

    def set(self, key, value):
        self._log("begin", key)
        path = Path(self.folder, key)
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.tmp")
        temporary.write_bytes(value)
        os.replace(temporary, path)
        self._log("end", key)

    def delete(self, key):
        Path(self.folder, key).unlink(missing_ok=True)

    def writes(self):
        """Returns, for each key, the begins and ends of its writes. A write by a killed process has no end."""
        opened, writes = {}, {}
        for line in Path(self.folder + ".log").read_text().splitlines():
            time_, pid, event, key = line.split(" ", 3)
            if event == "begin":
                interval = opened[pid, key] = [int(time_), None]
                writes.setdefault(key, []).append(interval)
            else:
                opened.pop((pid, key))[1] = int(time_)
        return writes

    def chunks_written_at_once(self):
        keys = []
        for key, intervals in self.writes().items():
            ended = sorted(interval for interval in intervals if interval[1] is not None)
            if any(first[1] > second[0] for first, second in zip(ended, ended[1:])):
                keys.append(key)
        return [key for key in keys if key.startswith("c/")]


@pytest.fixture
def big(tmp_path):
    rows = MIB * 4
    z = zarr.create_array(tmp_path / "big.zarr", shape=(rows, 512, 512), chunks=(16, 128, 512), dtype="u1", compressors=None)
    rng = np.random.default_rng(1)
    for k in range(0, rows, 64):
        z[k : k + 64] = rng.integers(0, 255, (min(64, rows - k), 512, 512), dtype="u1")
    return z


def test_killed_workers(big, tmp_path):
    a = sz.open(big)
    rows = np.r_[np.arange(0, 512, 3), [7, 7, 5]]
    v = a.lazy[::-1, rows, ::2]
    want = big[...][::-1, rows, ::2]
    store = AuditStore(tmp_path / "out.zarr")
    stop, kills = threading.Event(), []
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 100}),
        LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):

        def kill():
            rng = random.Random(1)
            # The first worker is killed at once, because a fast machine needs less than a second for the copy.
            while not stop.wait(KILL_SECONDS if kills else 0.1):
                pids = [worker.process.pid for worker in cluster.workers.values() if getattr(worker, "process", None)]
                if pids:
                    pid = rng.choice([pid for pid in pids if pid] or [0])
                    if pid:
                        os.kill(pid, signal.SIGKILL)
                        kills.append(pid)

        killer = threading.Thread(target=kill)
        killer.start()
        try:
            out = sz.copy(v, store, client=client, chunks=(48, 64, 100), part_bytes="1MB")
        finally:
            stop.set()
            killer.join()
        assert (out[...] == want).all()
        assert store.chunks_written_at_once() == []
        before = Path(store.folder + ".log").read_text()
        sz.copy(v, store, client=client, chunks=(48, 64, 100), part_bytes="1MB")
        assert Path(store.folder + ".log").read_text() == before
    print(f"{len(kills)} workers were killed, {sum(map(len, store.writes().values()))} writes")
    assert kills


def test_restart(big, tmp_path):
    """A copy that fails is continued, and copies only the remaining parts."""
    v = sz.open(big).lazy[::2, :64]
    store = AuditStore(tmp_path / "out.zarr")
    calls = []

    def stop_after_three(done, count):
        calls.append(done)
        if done == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sz.copy(v, store, part_bytes="200kB", progress=stop_after_three)
    written = {key for key in store.writes() if key.startswith("c/")}
    assert 0 < len(written)
    out = sz.copy(v, store, part_bytes="200kB")
    assert (out[...] == big[...][::2, :64]).all()
    assert all(len(intervals) == 1 for key, intervals in store.writes().items() if key.startswith("c/"))


def test_copy_with_a_pool(folder, tmp_path):
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        out = sz.copy(sz.open(folder).lazy[::-3, 1:], tmp_path / "o.zarr", client=pool, part_bytes=800, chunks=(4, 9), shards=(8, 18))
    assert (out[...] == X[::-3, 1:]).all() and (out.chunks, out.shards) == ((4, 9), (8, 18))
    with pytest.raises(ValueError, match="the output has the shape"):
        sz.copy(sz.open(folder).lazy[0], tmp_path / "o.zarr")


def test_xarray(tmp_path):
    data = xr.Dataset(
        {"t": (("time", "y", "x"), np.random.rand(10, 20, 30)), "s": (("x",), [f"n{k}" for k in range(30)])},
        coords={"time": np.arange(10).astype("M8[D]").astype("M8[ns]"), "y": np.arange(20.0)},
    )
    data.to_zarr(tmp_path / "s.zarr", encoding={"t": {"chunks": (3, 7, 8)}})
    opened = xr.open_dataset(tmp_path / "s.zarr", engine="slice_zarr")
    points = xr.DataArray([1, 2, 3], dims="p")
    for select in [
        lambda d: d, lambda d: d.isel(time=slice(None, None, -2), x=[5, 3]), lambda d: d.isel(time=points, x=points),
        lambda d: d.sel(y=7.0), lambda d: d.mean("time"), lambda d: d.isel(x=3, y=points),
    ]:  # fmt: skip
        xr.testing.assert_identical(select(opened).compute(), select(data).compute())
    chunked = xr.open_dataset(tmp_path / "s.zarr", engine="slice_zarr", chunks={})
    assert chunked.t.chunks == ((3, 3, 3, 1), (7, 7, 6), (8, 8, 8, 6))
    xr.testing.assert_identical(chunked.compute(), data)
    tree = xr.open_datatree(tmp_path / "s.zarr", engine="slice_zarr")
    xr.testing.assert_identical(tree.to_dataset().compute(), data)
