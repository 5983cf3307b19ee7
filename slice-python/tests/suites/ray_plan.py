"""Runs the plans of a split in four actors of Ray, and checks the result.

    pip install ray
    python ray_plan.py
"""

import tempfile
from pathlib import Path

import numpy as np
import ray
import slice_zarr as sz
import zarr


@ray.remote
class Worker:
    """An actor that runs plans."""

    def run(self, part, out):
        part.write_to(out)
        return part.objects


def main():
    with tempfile.TemporaryDirectory() as folder:
        z = zarr.create_array(Path(folder) / "a.zarr", shape=(600, 500), chunks=(64, 100), dtype="f4")
        x = z[...] = np.random.default_rng(1).random((600, 500), "f4")
        v = sz.open(z).lazy[::-2, 100:]
        zarr.create_array(Path(folder) / "out.zarr", shape=v.shape, chunks=(300, 50), dtype="f4")
        out = sz.open(Path(folder) / "out.zarr")
        parts = v.plan().split(16, chunks=out.chunks)
        ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
        workers = [Worker.remote() for _ in range(4)]
        touched = ray.get([workers[k % 4].run.remote(part, out) for k, part in enumerate(parts)])
        ray.shutdown()
        assert len(parts) > 3 and sum(touched) == v.plan().objects, (len(parts), touched)
        assert (out[...] == x[::-2, 100:]).all()
        print(f"{len(parts)} plans in 4 actors")


if __name__ == "__main__":
    main()
