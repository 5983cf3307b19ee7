#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../slice-zarr/tests/zarr/serialized_plans.rs"]
mod serialized_plans;

fuzz_target!(|input: &[u8]| {
    serialized_plans::check(input);
});
