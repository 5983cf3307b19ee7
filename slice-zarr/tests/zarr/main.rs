//! Slices of arrays that zarr-python and tensorstore wrote, against NumPy's answers; writing; stores that fail; metadata
//! and chunks that anybody made.

mod faults;
mod hostile;
mod killed;
mod numpy;
mod requests;
mod stores;
mod write;
