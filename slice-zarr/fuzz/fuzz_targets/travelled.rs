#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/zarr/travelled.rs"]
mod travelled;

fuzz_target!(|input: &[u8]| {
    travelled::check(input);
});
