"""Arrays on servers: over HTTP and HTTPS, and in a store with the protocol of S3."""

import datetime
import os
import pickle
import ssl
import subprocess
import sys
import threading
import traceback
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import slice_zarr as sz
import zarr
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from moto.server import ThreadedMotoServer

X = np.arange(8000, dtype="i4").reshape(100, 80)

SECRET = "hunter2hunter2"


class Handler(BaseHTTPRequestHandler):
    """Serves the files of a folder."""

    folder = None
    takes_ranges = True
    status = None
    requests = []

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = self.folder / self.path.partition("?")[0].lstrip("/")
        wanted = self.headers.get("Range")
        self.requests.append((self.path, wanted))
        if self.status is not None or not path.is_file():
            self.send_error(self.status or 404)
            return
        body, status = path.read_bytes(), 200
        if wanted is not None and self.takes_ranges:
            first, _, last = wanted.removeprefix("bytes=").partition("-")
            begin, end = (len(body) - int(last), len(body)) if not first else (int(first), int(last) + 1 if last else len(body))
            body, status = body[begin:end], 206
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@contextmanager
def serve(folder, context=None):
    """Serves a folder over HTTP or, with a context, over HTTPS. Returns the address and the handler."""
    handler = type("FolderHandler", (Handler,), {"folder": folder, "requests": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"{'http' if context is None else 'https'}://localhost:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def server(tmp_path):
    with serve(tmp_path) as served:
        yield served


@pytest.mark.parametrize(
    "options",
    [{"compressors": None}, {}, {"shards": (20, 40)}, {"zarr_format": 2}],
    ids=["raw", "zstd", "shards", "format 2"],
)
def test_http(tmp_path, server, options):
    z = zarr.create_array(tmp_path / "a.zarr", shape=X.shape, chunks=(10, 20), dtype="i4", **options)
    z[:50] = X[:50]
    want = np.where(np.arange(100)[:, None] < 50, X, 0)
    address, handler = server
    a = sz.open(f"{address}/a.zarr")
    assert (a[::-1, [3, 71]] == want[::-1, [3, 71]]).all()
    assert (a[...] == want).all() and a[7, 8] == X[7, 8]
    assert (pickle.loads(pickle.dumps(a.lazy[::-7])).result() == want[::-7]).all()
    with pytest.raises(FileNotFoundError, match="there is no Zarr array"):
        sz.open(f"{address}/b.zarr")
    handler.status = 503
    with pytest.raises(OSError, match="503"):
        a[0, 0]


def test_ranges_over_http(tmp_path, server):
    z = zarr.create_array(tmp_path / "a.zarr", shape=(1 << 20,), chunks=(1 << 19,), dtype="u1", compressors=None)
    z[...] = np.arange(1 << 20) % 251
    address, handler = server
    a = sz.open(f"{address}/a.zarr")
    handler.requests.clear()
    assert a[600_000] == 600_000 % 251
    assert handler.requests == [("/a.zarr/c/1", "bytes=75712-75712")]
    # A server that ignores ranges sends the whole object, in which the element would be at another place.
    handler.takes_ranges = False
    with pytest.raises(OSError, match="too long"):
        a[600_000]


def certificate(path):
    """Writes a certificate for `localhost`, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    day, now = datetime.timedelta(days=1), datetime.datetime.now(datetime.timezone.utc)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, now - day, now + day)
    builder = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    pem, no_password = serialization.Encoding.PEM, serialization.NoEncryption()
    key_bytes = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, no_password)
    path.write_bytes(builder.sign(key, hashes.SHA256()).public_bytes(pem) + key_bytes)


def test_https(tmp_path):
    certificate(tmp_path / "localhost.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "localhost.pem")
    z = zarr.create_array(tmp_path / "a.zarr", shape=X.shape, chunks=(10, 20), shards=(20, 40), dtype="i4")
    z[...] = X
    with serve(tmp_path, context) as (address, handler):
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            sz.open(f"{address}/a.zarr")
        assert handler.requests == []
        trusted = ssl.create_default_context(cafile=tmp_path / "localhost.pem")
        a = sz.open(f"{address}/a.zarr", storage_options={"ssl": trusted})
        assert (a[::-1, [3, 71]] == X[::-1, [3, 71]]).all() and a[7, 8] == X[7, 8]
        # Another process takes the certificates that it trusts from its environment.
        (tmp_path / "view").write_bytes(pickle.dumps(a.lazy[::-7, 5]))
        program = "import pickle, sys; print(pickle.load(open(sys.argv[1], 'rb')).result().tolist())"
        environment = {**os.environ, "SSL_CERT_FILE": str(tmp_path / "localhost.pem")}
        command = [sys.executable, "-c", program, tmp_path / "view"]
        output = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
        assert output == f"{X[::-7, 5].tolist()}\n"


def test_credentials_in_an_address(tmp_path, server):
    zarr.create_array(tmp_path / "a.zarr", shape=X.shape, chunks=(10, 20), dtype="i4")
    address, handler = server
    a = sz.open(f"{address}/a.zarr?token={SECRET}")
    assert a.shape == X.shape and a[0, 0] == 0
    assert {path for path, _ in handler.requests} >= {f"/a.zarr/zarr.json?token={SECRET}"}
    assert SECRET not in repr(a)
    with pytest.raises(ValueError, match="not pickled") as error:
        pickle.dumps(a)
    assert SECRET not in str(error.value)
    handler.status = 503
    with pytest.raises(OSError, match="503") as error:
        a[0, 0]
    assert SECRET not in "".join(traceback.format_exception(error.value))


@pytest.fixture(scope="module")
def s3():
    import s3fs

    server = ThreadedMotoServer(port=0)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    before = dict(os.environ)
    os.environ.update(AWS_ACCESS_KEY_ID="id", AWS_SECRET_ACCESS_KEY=SECRET, AWS_DEFAULT_REGION="us-east-1")
    s3fs.S3FileSystem(endpoint_url=address).mkdir("bucket")
    yield {"endpoint_url": address}
    os.environ.clear()
    os.environ.update(before)
    server.stop()


def test_s3(tmp_path, s3):
    z = zarr.create_array(tmp_path / "a.zarr", shape=X.shape, chunks=(10, 20), shards=(20, 40), dtype="i4")
    z[...] = X
    out = sz.copy(sz.open(z).lazy[::-2], "s3://bucket/out.zarr", storage_options=s3, part_bytes="2kB")
    assert (out.shape, out.shards) == ((50, 80), (10, 40))
    a = sz.open("s3://bucket/out.zarr", storage_options=s3)
    assert (a[...] == X[::-2]).all() and (a[[3, 1], 5:] == X[::-2][[3, 1], 5:]).all()
    a[:, 7] = -1
    assert (zarr.open_array("s3://bucket/out.zarr", mode="r", storage_options=s3)[:, 7] == -1).all()
    with pytest.raises(FileNotFoundError, match="there is no Zarr array"):
        sz.open("s3://bucket/none.zarr", storage_options=s3)


def test_credentials_of_s3(tmp_path, s3):
    z = zarr.create_array(tmp_path / "a.zarr", shape=X.shape, chunks=(10, 20), dtype="i4")
    z[...] = X
    options = {**s3, "key": "id", "secret": SECRET, "token": SECRET}
    sz.copy(sz.open(z), "s3://bucket/credentials.zarr", storage_options=options)
    a = sz.open("s3://bucket/credentials.zarr", storage_options=options)
    for value in (a, a.lazy[::2], a.lazy[3].plan()):
        assert SECRET.encode() not in pickle.dumps(value) and SECRET not in repr(value)
    # The other process takes the credentials from its environment.
    assert (pickle.loads(pickle.dumps(a.lazy[::-9])).result() == X[::-9]).all()
    with pytest.raises(OSError) as error:
        sz.open("s3://no-bucket/a.zarr", storage_options=options)[0]
    assert SECRET not in str(error.value)


def test_workers_copy_to_s3(tmp_path, s3):
    from distributed import Client, LocalCluster

    z = zarr.create_array(tmp_path / "a.zarr", shape=X.shape, chunks=(10, 20), dtype="i4")
    z[...] = X
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        v = sz.open(z).lazy[::-3, [5, 5, 70]]
        out = sz.copy(v, "s3://bucket/dask.zarr", client=client, chunks=(5, 2), part_bytes=100, storage_options=s3)
        assert (out[...] == X[::-3, [5, 5, 70]]).all()
