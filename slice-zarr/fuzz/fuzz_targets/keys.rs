#![no_main]

use std::panic::{catch_unwind, set_hook};
use std::process::abort;

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/zarr/chosen.rs"]
mod chosen;

fuzz_target!(
    // Some checks of zarrs are assertions. Their panics are caught, so only other panics abort the process.
    init: set_hook(Box::new(|_| ())),
    |input: &[u8]| {
        if catch_unwind(|| chosen::check(input)).is_err() {
            abort();
        }
    }
);
