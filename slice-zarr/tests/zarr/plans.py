"""Tests the example `slice_plan` with a sharded array on an S3 server (moto), in several processes and with Dask.

One of the processes is killed. The script compares the output with NumPy's slice. It also compares the number of bytes
sent by the server with the number for a single read by `slice zarr`. Run from the root of the repository with Python
3.11:

    cargo build --release --manifest-path slice-zarr/remote/Cargo.toml --examples
    python3.11 -m venv target/zarr-remote
    target/zarr-remote/bin/pip install -r slice-zarr/tests/zarr/requirements-remote.txt
    target/zarr-remote/bin/python slice-zarr/tests/zarr/plans.py slice-zarr/remote/target/release/examples
"""

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
import numpy as np
import zarr
from moto.server import ThreadedMotoServer

# The server requires keys, but does not check them.
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
SIZE = 1536
SLICE, INDEX, SHAPE = "::2, 100:1500", np.s_[::2, 100:1500], (SIZE // 2, 1400)
PROCESSES = 6
WITH_DASK = Path(__file__).parents[2] / "remote" / "examples" / "slice_plan" / "with_dask.py"


class Server(ThreadingHTTPServer):
    request_queue_size = 128


class CountingProxy(BaseHTTPRequestHandler):
    """Forwards GET requests after a short delay, and counts the requests and the bytes of the responses."""

    protocol_version = "HTTP/1.1"
    endpoint = None
    requests = 0
    sent = 0
    lock = threading.Lock()

    def do_GET(self):
        headers = {"Range": self.headers["Range"]} if "Range" in self.headers else {}
        time.sleep(0.01)
        try:
            response = urllib.request.urlopen(urllib.request.Request(self.endpoint + self.path, headers=headers))
        except urllib.error.HTTPError as error:
            response = error
        body = response.read()
        with CountingProxy.lock:
            CountingProxy.requests += 1
            CountingProxy.sent += len(body)
        self.send_response(response.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # The process was killed.

    def log_message(self, *_):
        pass

    @classmethod
    def take(cls):
        """Returns and resets the counts of requests and bytes."""
        with cls.lock:
            counts = (cls.requests, cls.sent)
            cls.requests, cls.sent = 0, 0
        return counts


def main(programs):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    programs = Path(programs).resolve()
    slice_plan = str(programs / "slice_plan")
    moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    moto.start()
    address, port = moto.get_host_and_port()
    CountingProxy.endpoint = f"http://{address}:{port}"
    proxy = Server(("127.0.0.1", 0), CountingProxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    os.environ.update(KEYS | {"AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.server_port}"})

    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        data = np.random.default_rng(21).integers(0, 1 << 20, (SIZE, SIZE), dtype="int32")
        local = zarr.create_array(str(root / "a.zarr"), shape=data.shape, shards=(128, 256), chunks=(32, 64), dtype="int32")
        local[...] = data
        s3 = boto3.client("s3", endpoint_url=CountingProxy.endpoint, region_name="us-east-1")
        s3.create_bucket(Bucket="arrays")
        for path in (root / "a.zarr").rglob("*"):
            if path.is_file():
                s3.upload_file(str(path), "arrays", str(path.relative_to(root)))
        store = "s3://arrays/a.zarr"

        def call(*command):
            subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True)

        def split(output):
            shutil.rmtree(root / "plans", ignore_errors=True)
            call(slice_plan, "split", store, SLICE, output, "--plans", PROCESSES, "--into", root / "plans")
            plans = sorted((root / "plans").glob("*.json"))
            assert len(plans) == PROCESSES, plans
            return plans

        def start(plan, output):
            return subprocess.Popen([slice_plan, "run", str(plan), str(output)], stderr=subprocess.PIPE, text=True)

        def check(output):
            result = zarr.open_array(str(output), mode="r")
            assert result.shape == SHAPE and np.array_equal(result[...], data[INDEX])
            call(slice_plan, "check", output, "--plans", root / "plans")

        call(programs / "slice", "zarr", store, SLICE, root / "single.npy")
        assert np.array_equal(np.load(root / "single.npy"), data[INDEX])
        single = CountingProxy.take()

        # Runs all plans at once. The requests of `slice_plan split` are also counted.
        output = root / "at_once.zarr"
        plans = split(output)
        for process in [start(plan, output) for plan in plans]:
            _, error = process.communicate()
            assert process.returncode == 0, error
        check(output)
        all_at_once = CountingProxy.take()

        # Kills a process after about half of its requests, then runs the other plans, and finally runs the plan of the
        # killed process again.
        output = root / "killed.zarr"
        plans = split(output)
        CountingProxy.take()
        killed_process = start(plans[2], output)
        half = all_at_once[0] // (2 * PROCESSES)
        while CountingProxy.requests < half:
            assert killed_process.poll() is None, killed_process.communicate()
            time.sleep(0.001)
        killed_process.send_signal(signal.SIGKILL)
        killed_process.wait()
        assert killed_process.returncode == -signal.SIGKILL
        # Waits until the server has responded to all requests of the killed process.
        answered_requests = -1
        while answered_requests < CountingProxy.requests:
            answered_requests = CountingProxy.requests
            time.sleep(0.5)
        before_kill = CountingProxy.take()
        others = [start(plan, output) for number, plan in enumerate(plans) if number != 2]
        for process in others:
            _, error = process.communicate()
            assert process.returncode == 0, error
        assert not np.array_equal(zarr.open_array(str(output), mode="r")[...], data[INDEX])
        call(slice_plan, "run", plans[2], output)
        check(output)
        after_kill = CountingProxy.take()

        output = root / "dask.zarr"
        split(output)
        CountingProxy.take()
        call(sys.executable, WITH_DASK, slice_plan, root / "plans", output, "--workers", 3)
        check(output)
        with_dask = CountingProxy.take()

    moto.stop()
    proxy.shutdown()
    print(f"single read:              {single[0]} requests, {single[1]} bytes")
    for what, (requests, sent) in {
        f"{PROCESSES} processes:": all_at_once,
        "after one was killed:": after_kill,
        "with Dask:": with_dask,
    }.items():
        print(f"{what:<25} {requests} requests, {sent} bytes, {sent / single[1]:.4f} of the single read")
        assert sent <= 1.02 * single[1], what
    print(f"before it was killed:     {before_kill[0]} requests, {before_kill[1]} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
