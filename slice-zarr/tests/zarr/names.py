"""Writes arrays with zarr-python in folders whose names contain characters with a special meaning in URLs.

Writes names.json, which contains the versions of the packages and, for each array, its path in the store and its files
in base64, keyed by path. The elements of each array are 10, 20, 30, 40, 50. Run with Python 3.11:

    python3.11 -m venv target/oracle-zarr
    target/oracle-zarr/bin/pip install -r slice-zarr/tests/zarr/requirements.txt
    target/oracle-zarr/bin/python slice-zarr/tests/zarr/names.py

With the arguments `check DIRECTORY`, the script instead checks that the arrays at these paths in DIRECTORY contain
the elements -10, -20, -30, -40, -50.
"""

import base64
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import zarr

NAMES = [
    "données",
    "donne\u0301es",
    "a b",
    "100%",
    "100%25",
    "a%2Fb",
    "%2e%2e",
    "#",
    "?",
    "+",
    "a?b=c&d#e",
    "日本",
    "中国/数据",
    "🦀",
    "~a",
    "it's",
    "(a) [b] {c}",
    "a=1;b,c@d!$",
    'quote"',
    "a*b|c<d>^`",
]


def write(directory):
    arrays = []
    for name in NAMES:
        root = Path(directory) / name
        array = zarr.create_array(
            store=zarr.storage.LocalStore(directory), name=name, shape=(5,), chunks=(2,), dtype="int16", compressors=None,
            fill_value=7, zarr_format=3,
        )
        array[:] = np.arange(1, 6) * 10
        files = {
            path.relative_to(directory).as_posix(): base64.b64encode(path.read_bytes()).decode()
            for path in sorted(root.rglob("*"))
            if path.is_file() and (path.name == "zarr.json" or path.parent == root / "c")
        }
        arrays.append({"path": name, "files": files})
    return arrays


def main():
    if sys.argv[1:2] == ["check"]:
        for name in NAMES:
            elements = zarr.open_array(store=zarr.storage.LocalStore(sys.argv[2]), path=name, mode="r")[:]
            assert elements.tolist() == [-10, -20, -30, -40, -50], (name, elements)
        print(f"{len(NAMES)} arrays contain the expected elements")
        return
    with tempfile.TemporaryDirectory() as directory:
        arrays = write(directory)
    versions = {"zarr": zarr.__version__, "numpy": np.__version__, "python": sys.version.split()[0]}
    answer = {"script": "names.py", "versions": versions, "arrays": arrays}
    text = json.dumps(answer, ensure_ascii=False, indent=1)
    (Path(__file__).parent / "names.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
