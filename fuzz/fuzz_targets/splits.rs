#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../slice-zarr/tests/zarr/splits.rs"]
mod splits;

fuzz_target!(|input: &[u8]| {
    splits::check(input);
});
