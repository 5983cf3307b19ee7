"""Writes small arrays with zarr-python and tensorstore, and records NumPy's results for slices of these arrays.

Writes stores.jsonl.gz, which contains a header, a line with the files of each store in base64, and a line for each
slice. The line of a slice contains the shape and the bytes of the result (C order, little-endian) or NumPy's error.
Unless chunks are missing, it also contains the number of chunks (for a sharded array, of inner chunks) with selected
elements. Run with Python 3.11:

    python3.11 -m venv target/oracle-zarr
    target/oracle-zarr/bin/pip install -r slice-zarr/tests/zarr/requirements.txt
    target/oracle-zarr/bin/python slice-zarr/tests/zarr/oracle.py

With the same package versions, every run writes the same bytes. With the arguments `check DIRECTORY`, the script
instead uses both libraries to read the arrays that `cargo test` wrote to DIRECTORY, and compares them with the expected
values.
"""

import base64
import gzip
import json
import random
import sys
import tempfile
from pathlib import Path

import numcodecs
import numpy as np
import tensorstore as ts
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec

SEED = 20261122


def values(dtype, shape):
    """Returns an array whose elements are distinct as far as the data type allows."""
    n = int(np.prod(shape, dtype=object))
    dtype = np.dtype(dtype)
    count = np.arange(n, dtype=np.uint64)
    if dtype.kind == "b":
        data = (count * 2654435761 >> np.uint64(7)) % 3 == 0
    elif dtype.kind in "iu":
        data = (count * 7 + 1).astype(dtype)
    elif dtype.kind == "f":
        data = (count.astype("f8") / 4 - 3).astype(dtype)
    elif dtype.kind == "c":
        data = (count.astype("f8") - 2j * count.astype("f8")).astype(dtype)
    elif dtype.kind in "mM":
        data = count.astype("i8").astype(dtype)
    elif dtype.kind == "S":
        data = np.array([b"%d" % i for i in count], dtype)
    else:
        data = np.array(["%dé" % i for i in count], dtype)
    return data.reshape(shape)


def v3(dtype, shape, chunks, *codecs, inner=None, fill=0, holes=(), **options):
    """Returns a function that uses zarr-python to write a Zarr format 3 array and returns the elements of the array.

    Also returns the shape of the array, the shape of its chunks (for a sharded array, of its inner chunks), and whether
    chunks can be missing. If `holes` is given, it lists the ranges of rows to write. All other rows keep the fill
    value.
    """

    def make(path):
        pipeline = list(codecs)
        array = zarr.create(
            store=str(path), shape=shape, chunks=chunks, dtype=dtype, codecs=pipeline or [BytesCodec()],
            fill_value=fill, zarr_format=3, **options,
        )  # fmt: skip
        return fill_in(array, dtype, shape, fill, holes)

    return make, shape, inner or chunks, bool(holes)


def v2(dtype, shape, chunks, compressor=None, fill=0, holes=(), order="C", **options):
    """Returns the same values as `v3`, for a Zarr format 2 array."""

    def make(path):
        array = zarr.create(
            store=str(path), shape=shape, chunks=chunks, dtype=dtype, compressor=compressor, fill_value=fill,
            zarr_format=2, order=order, **options,
        )  # fmt: skip
        return fill_in(array, dtype, shape, fill, holes)

    return make, shape, chunks, bool(holes)


def fill_in(array, dtype, shape, fill, holes):
    data = values(dtype, shape)
    if not holes:
        array[...] = data
        return data
    # Only the rows in `holes` are written, so chunks without any of them are missing.
    expected = np.full(shape, fill, dtype)
    for begin, end in holes:
        array[begin:end] = data[begin:end]
        expected[begin:end] = data[begin:end]
    return expected


def tensorstore(driver, metadata, dtype, shape, inner):
    def make(path):
        spec = {"driver": driver, "kvstore": {"driver": "file", "path": f"{path}/"}, "metadata": metadata}
        spec["store_data_equal_to_fill_value"] = True
        array = ts.open(spec, create=True).result()
        data = values(dtype, shape)
        array.write(data).result()
        return data

    return make, shape, inner, False


def ts3(dtype, shape, chunks, codecs, inner=None, name=None):
    metadata = {
        "shape": list(shape), "data_type": name or str(np.dtype(dtype)), "codecs": codecs,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
    }  # fmt: skip
    return tensorstore("zarr3", metadata, dtype, shape, inner or chunks)


def ts2(dtype, shape, chunks, **metadata):
    metadata = {"shape": list(shape), "chunks": list(chunks), "dtype": np.dtype(dtype).str, **metadata}
    return tensorstore("zarr", metadata, dtype, shape, chunks)


def sharded(inner, *codecs, **options):
    return ShardingCodec(chunk_shape=inner, codecs=list(codecs), **options)


LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
CRC = {"name": "crc32c"}
BLOSC = {"name": "blosc", "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}


def ts_sharded(inner, codecs, index_location="end"):
    configuration = {
        "chunk_shape": inner, "codecs": codecs, "index_codecs": [LITTLE, CRC], "index_location": index_location,
    }  # fmt: skip
    return [{"name": "sharding_indexed", "configuration": configuration}]


STORES = {
    "raw_2d": v3("f4", (13, 17), (4, 5)),
    "raw_big_endian": v3("i4", (9, 10, 4), (4, 3, 4), BytesCodec(endian="big")),
    "raw_u8_3d": v3("u1", (7, 20, 6), (7, 8, 3)),
    "raw_wide": v3("f8", (3, 700), (2, 512)),
    "gzip_3d": v3("i2", (5, 6, 7), (2, 4, 3), BytesCodec(), GzipCodec(level=1)),
    "zstd_1d": v3("u8", (101,), (8,), BytesCodec(), ZstdCodec(level=1)),
    "blosc_2d": v3("f8", (12, 11), (5, 4), BytesCodec(), BloscCodec(cname="lz4", shuffle="shuffle", typesize=8)),
    "blosc_zstd_bits": v3("u2", (30, 4), (7, 4), BytesCodec(), BloscCodec(cname="zstd", shuffle="bitshuffle", typesize=2)),
    "crc32c": v3("i8", (10, 10), (3, 3), BytesCodec(), Crc32cCodec()),
    "transpose": v3("f4", (4, 5, 6), (3, 2, 4), TransposeCodec(order=(2, 0, 1)), BytesCodec(), ZstdCodec()),
    "sharded_zstd": v3("f4", (22, 19), (8, 8), sharded((4, 2), BytesCodec(), ZstdCodec()), inner=(4, 2)),
    "sharded_raw": v3("u2", (15, 14, 6), (6, 8, 6), sharded((3, 4, 2), BytesCodec()), inner=(3, 4, 2)),
    "sharded_index_first": v3("i4", (40,), (16,), sharded((4,), BytesCodec(), GzipCodec(), index_location="start"), inner=(4,)),
    "sharded_crc": v3("c8", (9, 8), (6, 6), sharded((3, 2), BytesCodec(), ZstdCodec(), Crc32cCodec()), inner=(3, 2)),
    "sharded_transposed": v3("i2", (8, 9), (4, 6), sharded((2, 3), TransposeCodec(order=(1, 0)), BytesCodec(endian="big")), inner=(2, 3)),
    "sharded_holes": v3("f8", (48, 10), (16, 10), sharded((4, 5), BytesCodec(), ZstdCodec()), inner=(4, 5), fill=-1, holes=((0, 4), (8, 12), (36, 41))),
    "holes": v3("i4", (30, 6), (5, 4), fill=42, holes=((0, 5), (11, 14))),
    "bool": v3("?", (11, 9), (4, 4), fill=False),
    "complex128": v3("c16", (7, 5), (3, 2), BytesCodec(), GzipCodec()),
    "float16": v3("f2", (6, 50), (4, 16)),
    "int8": v3("i1", (25,), (6,), BytesCodec()),
    "uint32_4d": v3("u4", (3, 4, 5, 6), (2, 2, 3, 4), BytesCodec(), ZstdCodec()),
    "rank_0": v3("f8", (), ()),
    "rank_5": v3("i2", (2, 3, 2, 4, 3), (1, 2, 2, 3, 3), BytesCodec(), ZstdCodec()),
    "rank_6": v3("u1", (2, 2, 3, 2, 3, 2), (1, 2, 2, 2, 2, 2)),
    "empty_axis": v3("f4", (4, 0, 3), (2, 2, 2)),
    "text": v3("<U4", (9, 5), (4, 3), BytesCodec(), ZstdCodec(), fill=""),
    "dots": v3("i4", (9, 9), (4, 4), chunk_key_encoding={"name": "v2", "separator": "."}),
    "v2_raw": v2("<f4", (13, 9), (5, 4)),
    "v2_big_endian": v2(">i2", (10, 8), (4, 3), numcodecs.Zlib(1)),
    "v2_fortran": v2("<f8", (6, 7, 5), (4, 3, 2), numcodecs.Blosc(), order="F"),
    "v2_gzip_slashes": v2("<u4", (20, 5), (6, 5), numcodecs.GZip(1), dimension_separator="/"),
    "v2_zstd_holes": v2("<i8", (30,), (4,), numcodecs.Zstd(1), fill=7, holes=((0, 8), (20, 22))),
    "v2_bool": v2("|b1", (9, 4), (4, 3), fill=False),
    "v2_complex": v2("<c8", (6, 6), (4, 4)),
    "datetime": v3("M8[10s]", (12, 3), (5, 2), fill=np.datetime64("NaT")),
    "v2_text": v2("<U4", (9, 5), (4, 3), fill=""),
    # zarrs does not support these data types.
    "v2_datetime": v2("<M8[s]", (12, 3), (5, 2), fill=None),
    "v2_bytes": v2("|S5", (9, 5), (4, 3), fill=b""),
    "ts_raw": ts3("f4", (11, 12), (4, 5), [LITTLE]),
    "ts_big_gzip": ts3("i4", (8, 7, 6), (3, 7, 4), [BIG, GZIP]),
    "ts_blosc": ts3("u4", (31, 6), (8, 4), [LITTLE, BLOSC]),
    "ts_transpose": ts3("f8", (5, 6), (2, 4), [{"name": "transpose", "configuration": {"order": [1, 0]}}, LITTLE]),
    "ts_sharded": ts3("u1", (24, 20), (12, 10), ts_sharded([4, 5], [LITTLE, GZIP]), inner=(4, 5)),
    "ts_sharded_first": ts3("f4", (17, 9), (8, 9), ts_sharded([2, 3], [LITTLE], "start"), inner=(2, 3)),
    "ts_bool": ts3("?", (7, 6), (3, 4), [{"name": "bytes"}], name="bool"),
    "ts_complex": ts3("c16", (5, 4), (2, 3), [LITTLE]),
    "ts_v2": ts2("<i2", (14, 6), (4, 4), compressor={"id": "zlib", "level": 1}),
    "ts_v2_fortran": ts2(">f4", (6, 8), (4, 3), compressor=None, order="F"),
}  # fmt: skip

STEPS = ["", "", "1", "2", "3", "5", "-1", "-1", "-2", "-7", "1000000", str(2**63 - 1), str(-(2**63))]


def bound(rng, n):
    kind = rng.randrange(8)
    if kind < 4:
        return ""
    if kind == 4:
        return str(rng.choice([2**63 - 1, -(2**63), -n - 1, n + 1]))
    return str(rng.randint(-n - 2, n + 2))


def random_slice(rng, shape):
    items = []
    for n in shape:
        if rng.random() < 0.1:
            items.append(rng.choice(["newaxis", "None"]))
        kind = rng.random()
        if kind < 0.2 and n > 0:
            items.append(str(rng.randint(-n, n - 1)))
        elif kind < 0.4:
            items.append(":")
        else:
            items.append(f"{bound(rng, n)}:{bound(rng, n)}:{rng.choice(STEPS)}")
    if rng.random() < 0.3:
        position = rng.randint(0, len(items))
        items[position : position + rng.randint(0, 2)] = ["..."]
    elif rng.random() < 0.2:
        items = items[: rng.randint(0, len(items))]
    return ", ".join(items)


def invalid_slice(rng, shape):
    n = shape[0] if shape else 0
    last = shape[-1] if shape else 0
    slices = [f"{n}", f"{-n - 1}", "::0", "..., ...", ", ".join(["0"] * (len(shape) + 1)), f"..., {last}"]
    return rng.choice(slices)


def apply_slice(array, source):
    return eval(f"x[{source or '()'}]", {"x": array, "newaxis": np.newaxis})


def chunk_numbers(shape, chunks):
    """Returns an array that holds, for each element, the index of its chunk."""
    numbers = np.zeros(shape, np.int64)
    for axis, (n, c) in enumerate(zip(shape, chunks)):
        chunk_on_axis = np.arange(n) // c
        numbers = numbers * (n // c + 1) + chunk_on_axis.reshape([-1 if k == axis else 1 for k in range(len(shape))])
    return numbers


def base64_bytes(array):
    """Returns the elements as little-endian bytes in base64."""
    array = np.ascontiguousarray(array)
    return base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode()


def main():
    # Chunks that contain only fill values are also written, so that every touched chunk exists and is counted by a
    # read.
    zarr.config.set({"array.write_empty_chunks": True})
    rng = random.Random(SEED)
    lines = []
    for name, (make, shape, inner, holes) in STORES.items():
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "array.zarr"
            data = make(path)
            files = sorted(file for file in path.rglob("*") if file.is_file())
            files = {str(file.relative_to(path)): base64.b64encode(file.read_bytes()).decode() for file in files}
        by = "tensorstore" if name.startswith("ts_") else "zarr-python"
        lines.append({"store": name, "by": by, "files": files})
        numbers = chunk_numbers(shape, inner)
        texts = ["", "...", "::-1", "::2"] + [random_slice(rng, shape) for _ in range(36)]
        texts += [invalid_slice(rng, shape) for _ in range(6)]
        for source in texts:
            case = {"of": name, "slice": source}
            try:
                out = np.asarray(apply_slice(data, source), data.dtype)
                case |= {"shape": list(out.shape), "bytes": base64_bytes(out)}
                if not holes:
                    case["chunks"] = len(np.unique(apply_slice(numbers, source)))
            except (IndexError, ValueError) as error:
                case["error"] = str(error).split("\n")[0]
            lines.append(case)
    versions = {"python": sys.version.split()[0], "numpy": np.__version__, "zarr": zarr.__version__}
    versions |= {"tensorstore": "0.1.86", "numcodecs": numcodecs.__version__}
    cases = sum("of" in line for line in lines)
    header = {"script": "oracle.py", "seed": SEED, "versions": versions, "stores": len(STORES), "cases": cases}
    with open(Path(__file__).parent / "stores.jsonl.gz", "wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
            for line in [header, *lines]:
                file.write((json.dumps(line) + "\n").encode())
    print(header)


def check(directory):
    """Uses zarr-python and tensorstore to read the arrays in a directory, and compares the elements with the values
    that `cargo test` wrote."""
    checked = 0
    for expected in sorted(Path(directory).glob("*.json")):
        case = json.loads(expected.read_text())
        path = expected.with_suffix(".zarr")
        bytes_ = base64.b64decode(case["bytes"])
        data = zarr.open_array(str(path), mode="r")
        wanted = np.frombuffer(bytes_, np.dtype(data.dtype).newbyteorder("<")).reshape(data.shape)
        np.testing.assert_array_equal(data[...], wanted, err_msg=f"zarr-python, {expected}")
        driver = "zarr3" if (path / "zarr.json").exists() else "zarr"
        if data.dtype.kind not in "mM":
            array = ts.open({"driver": driver, "kvstore": {"driver": "file", "path": f"{path}/"}}).result()
            np.testing.assert_array_equal(array.read().result(), wanted, err_msg=f"tensorstore, {expected}")
        checked += 1
    assert checked > 0, f"there are no arrays in {directory}"
    print(f"{checked} arrays contain the expected elements")


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        check(sys.argv[2])
    else:
        main()
