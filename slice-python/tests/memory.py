"""Prints the upper bound of a plan's memory, and the memory that the read took."""

import resource
import sys

import numpy as np
import slice_zarr as sz

a = sz.open(sys.argv[1])
v = eval(f"a.lazy[{sys.argv[2]}]", {"a": a, "np": np})
sz.set_threads(2)
bound = v.plan().peak_memory
a[0:1, 0:1]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
v.result()
print(bound, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)
