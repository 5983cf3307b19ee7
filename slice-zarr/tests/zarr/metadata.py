"""Records how zarr-python reads metadata: fill values of Zarr format 2, codecs of numcodecs in format 3, and data types.

Writes metadata.json.gz, which contains the versions of the packages and these lists:

- "fill_values": a data type of format 2, a fill value as it stands in .zarray, and the little-endian bytes (in hex) of an
  element of a missing chunk, or null if zarr-python cannot read the element.
- "codecs": the files of an array with the elements 0 to 23 (int32), in base64, keyed by path.
- "types": the name of a data type, the files of an array of three elements, and the bytes (in hex) of the elements, or null
  if the elements have no fixed size.

Run with Python 3.11:

    python3.11 -m venv target/oracle-zarr
    target/oracle-zarr/bin/pip install -r slice-zarr/tests/zarr/requirements.txt
    target/oracle-zarr/bin/python slice-zarr/tests/zarr/metadata.py
"""

import base64
import gzip
import json
import sys
import tempfile
import time
import warnings
from pathlib import Path

import ml_dtypes
import numcodecs
import numpy as np
import tensorstore as ts
import zarr
from zarr.codecs import BytesCodec, ShardingCodec
from zarr.codecs import numcodecs as codecs
from zarr.dtype import VariableLengthBytes, VariableLengthUTF8

STRINGS = ["0", "1", " 7\n", "-1", "+3", "1_000", "1__0", "_1", "0x10", "1.5", "1e3", ".5", "5.", "0.0", "-0.0", "NaN", "nan"]
STRINGS += ["Infinity", "-Infinity", "inf", "-inf", "iNf", "abc", "", " ", "300", "65504", "1e39", "-1e400", "5e-324", "1e5_0"]
STRINGS += ["127", "128", "255", "256", "32767", "32768", "65535", "65536", "4294967295", "4294967296", "-9223372036854775808"]
STRINGS += ["9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "true", "1e", "+-1"]
NUMBERS = [0, 1, -1, 255, 2**63, 2**64 - 1, 1.0, 2.5, -0.0, 1e30, 1e300, True, False, None]
DTYPES = ["|b1", "|i1", "|u1", "<i2", ">i2", "<u4", "<i8", ">u8", "<f2", "<f4", ">f8"]


def fill_values():
    rows = []
    for dtype in DTYPES:
        for fill_value in STRINGS + NUMBERS:
            with tempfile.TemporaryDirectory() as directory:
                metadata = {"zarr_format": 2, "shape": [1], "chunks": [1], "dtype": dtype, "fill_value": fill_value}
                metadata |= {"order": "C", "filters": None, "compressor": None}
                Path(directory, ".zarray").write_text(json.dumps(metadata))
                try:
                    element = zarr.open_array(directory, mode="r")[...]
                    element = little_endian(element).hex()
                except (TypeError, ValueError, OverflowError):
                    element = None
            rows.append([dtype, fill_value, element])
    return rows


def little_endian(array):
    return array.astype(array.dtype.newbyteorder("<")).tobytes()


def files_in(directory):
    files = sorted(path for path in Path(directory).rglob("*") if path.is_file())
    return {path.relative_to(directory).as_posix(): base64.b64encode(path.read_bytes()).decode() for path in files}


def array_with(*pipeline):
    with tempfile.TemporaryDirectory() as directory:
        array = zarr.create(store=directory, shape=(24,), chunks=(8,), dtype="i4", fill_value=0, codecs=list(pipeline), zarr_format=3)
        array[:] = np.arange(24)
        return files_in(directory)


def codec_arrays():
    pipelines = [
        [codecs.Zstd()],
        [codecs.Zstd(level=7)],
        [codecs.Zstd(level=-3, checksum=True)],
        [codecs.GZip()],
        [codecs.GZip(level=9)],
        [codecs.Zlib()],
        [codecs.Zlib(level=3)],
        [codecs.CRC32C()],
        [codecs.CRC32C(location="end")],
        [codecs.CRC32C(location="start")],
        [codecs.Zstd(), codecs.CRC32C()],
        [codecs.Blosc()],
        *([codecs.Blosc(cname=name, clevel=3, shuffle=shuffle, blocksize=16)] for name in ["lz4", "zstd", "zlib"] for shuffle in [-1, 0, 1, 2]),
        [codecs.Blosc(cname="lz4", typesize=4)],
    ]  # fmt: skip
    arrays = [array_with(BytesCodec(), *pipeline) for pipeline in pipelines]
    inner = ShardingCodec(chunk_shape=(4,), codecs=[BytesCodec(), codecs.Zstd(level=1), codecs.CRC32C()])
    return [*arrays, array_with(inner)]


def type_arrays():
    rows = []
    structured = np.array([(1, 2.5), (3, 4.5), (5, 6.5)], [("a", "<i4"), ("b", "<f8")])
    arrays = [np.array([1, 0, 2]).astype(f"<{kind}") for kind in ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", "c8", "c16"]]
    arrays += [np.array([True, False, True]), structured, np.array([1, 2, 3], "<M8[s]"), np.array([1, 2, 3], "<m8[10ms]")]
    arrays += [np.array(["a", "bé", ""], "<U3"), np.array([b"a", b"bc", b""], "|S3"), np.array([b"a", b"bc", b""], "|V3")]
    plain = {2: {"compressor": None}, 3: {"codecs": [BytesCodec()]}}
    for zarr_format in plain:
        for data in arrays:
            with tempfile.TemporaryDirectory() as directory:
                array = zarr.create(store=directory, shape=3, chunks=3, dtype=data.dtype, zarr_format=zarr_format, **plain[zarr_format])
                array[:] = data
                rows.append([str(data.dtype), zarr_format, files_in(directory), data.tobytes().hex()])
        variable = [(VariableLengthUTF8(), ["a", "bé", ""]), (VariableLengthBytes(), [b"a", b"bc", b""])]
        for dtype, data in variable:
            with tempfile.TemporaryDirectory() as directory:
                array = zarr.create(store=directory, shape=3, chunks=3, dtype=dtype, zarr_format=zarr_format)
                array[:] = np.array(data, object)
                rows.append([type(dtype).__name__, zarr_format, files_in(directory), None])
    # zarr-python has no such types; tensorstore stores each element in whole bytes.
    for name in ["bfloat16", "int2", "int4", "float8_e4m3fn", "float8_e5m2"]:
        with tempfile.TemporaryDirectory() as directory:
            metadata = {"shape": [3], "data_type": name}
            spec = {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{directory}/"}, "metadata": metadata}
            data = np.array([1, 0, 2]).astype(getattr(ml_dtypes, name))
            ts.open(spec, create=True).result().write(data).result()
            rows.append([name, 3, files_in(directory), data.tobytes().hex()])
    return rows


def main():
    warnings.simplefilter("ignore")
    # gzip stores the time.
    time.time = lambda: 0.0
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "zarr": zarr.__version__}
    versions |= {"tensorstore": "0.1.86", "numcodecs": numcodecs.__version__, "ml_dtypes": ml_dtypes.__version__}
    lists = {"fill_values": fill_values(), "codecs": codec_arrays(), "types": type_arrays()}
    lines = [f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in rows) + "\n]" for name, rows in lists.items()]
    header = f'"script": "metadata.py",\n"versions": {json.dumps(versions)}'
    text = "{\n" + ",\n".join([header, *lines]) + "\n}\n"
    with open(Path(__file__).parent / "metadata.json.gz", "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
            file.write(text.encode())
    print(versions, {name: len(rows) for name, rows in lists.items()})


if __name__ == "__main__":
    main()
