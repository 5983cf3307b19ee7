//! Checks that the slices that this crate reads from arrays written by zarr-python and tensorstore agree with NumPy's
//! results. Also tests writing, running plans in other processes, errors, failing stores, and untrusted metadata and
//! chunks.

mod chunk_keys;
mod errors;
mod faults;
mod fuzz_bodies;
mod keys;
mod killed_writers;
mod limits;
mod metadata;
mod names;
mod numpy;
mod open;
mod plans;
mod random;
mod requests;
mod serialized_plans;
mod special_names;
mod split_lists;
mod splits;
mod stores;
mod systems;
mod untrusted_arrays;
mod untrusted_input;
mod watched_store;
mod write;
mod written_shards;
mod zstd;
