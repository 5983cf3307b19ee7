#![no_main]

use std::panic::{catch_unwind, set_hook};
use std::process::abort;

use libfuzzer_sys::fuzz_target;

#[path = "../../slice-zarr/tests/zarr/chunk_keys.rs"]
mod chunk_keys;

fuzz_target!(
    // libfuzzer-sys installs a panic hook that aborts the process. An empty hook replaces it, because slice-zarr
    // catches the panics of assertions in zarrs. Only panics that slice-zarr does not catch abort the process.
    init: set_hook(Box::new(|_| ())),
    |input: &[u8]| {
        if catch_unwind(|| chunk_keys::check(input)).is_err() {
            abort();
        }
    }
);
