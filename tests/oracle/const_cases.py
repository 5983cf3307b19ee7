"""Writes the cases of numpy.jsonl.gz that are marked "const" as Rust constants, in tests/conformance/constant/cases.rs.

Of NumPy's answers, only the sizes that occur in types are copied. The test reads the answers from numpy.jsonl.gz.
"""

import gzip
import json
from math import prod

from common import VECTORS

TARGET = VECTORS.parent / "conformance" / "constant" / "cases.rs"

HEADER = """\
//! Written by tests/oracle/const_cases.py out of tests/vectors/numpy.jsonl.gz.

use super::golden::{Case, golden, iota1, iota2, iota3, iota4};

golden! {
"""


def nested(shape):
    """Returns the Rust type of a nested array of this shape."""
    array = "u8"
    for n in reversed(shape):
        array = f"[{array}; {n}]"
    return array


def line(case):
    shape, out = case["shape"], case["out"]["shape"]
    iota = f"iota{len(shape)}() as {nested(shape)}"
    return f'    "{case["text"]}" [{case["text"]}] of {iota}; {prod(shape)} {shape} => {nested(out)}; {prod(out)} {len(out)};\n'


def main():
    with gzip.open(VECTORS / "numpy.jsonl.gz", "rt") as file:
        cases = [case for case in map(json.loads, file) if case.get("const")]
    TARGET.write_text(HEADER + "".join(map(line, cases)) + "}\n")
    print(f"{TARGET.name}: {len(cases)} cases")


if __name__ == "__main__":
    main()
