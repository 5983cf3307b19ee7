#![no_main]

use std::panic::{catch_unwind, set_hook};
use std::process::abort;

use libfuzzer_sys::fuzz_target;

#[path = "../../slice-zarr/tests/zarr/untrusted_arrays.rs"]
mod untrusted_arrays;

fuzz_target!(
    // libfuzzer-sys installs a panic hook that aborts the process. An empty hook replaces it, because slice-zarr
    // catches panics in codecs. Only panics that slice-zarr does not catch abort the process.
    init: set_hook(Box::new(|_| ())),
    |input: &[u8]| {
        if catch_unwind(|| untrusted_arrays::check(input)).is_err() {
            abort();
        }
    }
);
