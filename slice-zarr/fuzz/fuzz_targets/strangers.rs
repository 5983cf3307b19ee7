#![no_main]

use std::panic::{catch_unwind, set_hook};
use std::process::abort;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/zarr/strangers.rs"]
mod strangers;

fuzz_target!(
    // Panics of codecs are caught where chunks are decoded, so only other panics abort the process.
    init: set_hook(Box::new(|_| ())),
    |input: &[u8]| {
        if catch_unwind(|| strangers::check(input)).is_err() {
            abort();
        }
    }
);
