"""Tests `slice zarr` on the arrays in stores.jsonl.gz, copied to a directory, an HTTP server and an S3 server (moto).

The command reads a third of the slices of each array from each of these three stores, and all slices with lists from
every store. The .npy files are compared with NumPy's recorded results, and the errors with NumPy's messages. Run from
the root of the repository with Python 3.11:

    cargo build --release -p slice-cli --features remote
    python3.11 -m venv target/zarr-remote
    target/zarr-remote/bin/pip install -r slice-zarr/tests/zarr/requirements-remote.txt
    target/zarr-remote/bin/python slice-zarr/tests/zarr/remote.py target/release/slice [EVERY]

If EVERY is given, only every EVERY-th slice is read.
"""

import base64
import gzip
import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3
import numpy as np
from moto.server import ThreadedMotoServer

# The server requires keys, but does not check them.
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}
UNSUPPORTED = {"v2_datetime", "v2_bytes"}


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    def handle_error(self, *_):
        # Errors are ignored, because a program that ends with an error closes its connections before it has received
        # all responses.
        pass


def check_case(program, store, case, out, environment):
    """Checks that the program writes NumPy's result or prints NumPy's error."""
    out.unlink(missing_ok=True)
    command = [program, "zarr", store, case["slice"], str(out), "--stats", str(out.with_suffix(".json"))]
    process = subprocess.run(command, capture_output=True, text=True, env=environment)
    what = f"{store} [{case['slice']}]: {process.stderr}"
    if "error" in case:
        assert process.returncode == 1 and not out.exists(), what
        message = process.stderr.removeprefix("error: ")
        assert message.startswith(case["error"]), f"{what}NumPy: {case['error']}"
        return
    assert process.returncode == 0, what
    result = np.load(out)
    assert list(result.shape) == case["shape"], what
    assert result.tobytes() == base64.b64decode(case["bytes"]), what
    stats = json.loads(out.with_suffix(".json").read_text())
    assert stats["shape"] == case["shape"] and stats["dtype"] == result.dtype.name, (what, stats, result.dtype)
    assert stats["chunks"] == case.get("chunks", stats["chunks"]), (what, stats)


def recorded_lines(name):
    """Returns the lines of a file in this folder, without the header of the file."""
    with gzip.open(Path(__file__).parent / name, "rt") as file:
        return [json.loads(line) for line in file][1:]


def main(program, every=1):
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    lines = recorded_lines("stores.jsonl.gz")
    lists = recorded_lines("lists.jsonl.gz")
    stores = {line["store"]: line["files"] for line in lines if "store" in line}
    cases = {name: [line for line in lines if line.get("of") == name] for name in stores}

    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory)
        handler = lambda *arguments: QuietHandler(*arguments, directory=root)  # noqa: E731
        web = Server(("127.0.0.1", 0), handler)
        threading.Thread(target=web.serve_forever, daemon=True).start()
        moto = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
        moto.start()
        address, port = moto.get_host_and_port()
        endpoint = f"http://{address}:{port}"
        environment = os.environ | KEYS | {"AWS_ENDPOINT_URL": endpoint}
        os.environ.update(environment)
        s3 = boto3.client("s3", endpoint_url=endpoint, region_name="us-east-1")
        s3.create_bucket(Bucket="arrays")
        slice_count, list_count = 0, 0
        for name, files in stores.items():
            if name in UNSUPPORTED:
                continue
            for key, text in files.items():
                path = root / name / key
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(base64.b64decode(text))
                s3.put_object(Bucket="arrays", Key=f"some/{name}/{key}", Body=path.read_bytes())
            locations = [str(root / name), f"http://127.0.0.1:{web.server_port}/{name}", f"s3://arrays/some/{name}"]
            for number, case in list(enumerate(cases[name]))[:: int(every)]:
                # A third of the slices is read from each store.
                check_case(program, locations[number % 3], case, root / "out.npy", environment)
                slice_count += 1
            for case in [case for case in lists if case["of"] == name][:: int(every)]:
                for location in locations:
                    check_case(program, location, case, root / "out.npy", environment)
                list_count += 1
        moto.stop()
        web.shutdown()
    print(f"{slice_count} slices of {len(stores) - len(UNSUPPORTED)} arrays agree with NumPy,")
    print(f"and so do {list_count} slices with lists, read from each of {len(locations)} stores")


if __name__ == "__main__":
    main(*sys.argv[1:])
