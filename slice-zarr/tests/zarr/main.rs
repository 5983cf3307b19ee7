//! Slices of arrays that zarr-python and tensorstore wrote, against NumPy's answers; writing; stores that fail.

mod numpy;
mod stores;
