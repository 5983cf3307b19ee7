//! Slices of arrays that zarr-python and tensorstore wrote, against NumPy's answers; writing; plans that other processes
//! run; stores that fail; untrusted metadata and chunks.

mod faults;
mod hostile;
mod killed;
mod numpy;
mod plans;
mod requests;
mod stores;
mod strangers;
mod write;
mod zstd;
