"""Measures how long ndindex takes to list the million chunks of the benchmark `chunks`.

    python3.11 -m venv target/ndindex
    target/ndindex/bin/pip install ndindex==1.10.1 numpy==2.4.6
    target/ndindex/bin/python slice-core/benches/chunks_peer.py

For comparison, the second of these commands plans the same slice with slice-cli:

    cargo build --release -p slice-cli
    time target/release/slice explain ":, :, 1:-1:3, ::2" --shape 40,400,1600,1600 --chunks 4,40,16,16 --json

The script lists the chunks with `ChunkSize.as_subchunks`. For a tenth of the chunks, it also computes the index in the
chunk and the index in the output, as ndindex's documentation does to read an array in chunks. Steps are positive,
because `as_subchunks` does not support negative steps.
"""

import sys
import time

from ndindex import ChunkSize, Tuple

SHAPE, CHUNKS = (40, 400, 1600, 1600), (4, 40, 16, 16)
INDEX = Tuple(slice(None), slice(None), slice(1, -1, 3), slice(None, None, 2)).reduce(SHAPE)


def main(limit):
    chunks = ChunkSize(CHUNKS)
    start = time.perf_counter()
    touched = 0
    for _ in chunks.as_subchunks(INDEX, SHAPE):
        touched += 1
        if touched == limit:
            break
    listing = time.perf_counter() - start
    print(f"as_subchunks: {touched} chunks in {listing:.2f} s, {listing / touched * 1e6:.2f} us each")

    start = time.perf_counter()
    indexed = 0
    for chunk in chunks.as_subchunks(INDEX, SHAPE):
        INDEX.as_subindex(chunk), chunk.as_subindex(INDEX)
        indexed += 1
        if indexed == limit // 10:
            break
    indexing = time.perf_counter() - start
    print(f"as_subchunks and as_subindex: {indexed} chunks in {indexing:.2f} s, {indexing / indexed * 1e6:.2f} us each")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
