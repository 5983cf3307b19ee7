//! Compares slices of arrays written by zarr-python and tensorstore with NumPy's results. Also tests writing, running
//! plans in other processes, errors, failing stores, and untrusted metadata and chunks.

mod chosen;
mod errors;
mod faults;
mod hostile;
mod keys;
mod killed;
mod letters;
mod limits;
mod mutated;
mod names;
mod numpy;
mod open;
mod plans;
mod random;
mod requests;
mod split_lists;
mod splits;
mod stores;
mod strangers;
mod travelled;
mod watched;
mod write;
mod written_shards;
mod zstd;
