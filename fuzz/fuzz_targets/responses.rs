#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../slice-zarr/remote/tests/incorrect_responses/fuzz_body.rs"]
mod fuzz_body;
#[path = "../../slice-cli/src/zarr/remote/response.rs"]
#[allow(dead_code, reason = "only the client uses all items of the module")]
mod response;

fuzz_target!(|input: &[u8]| {
    fuzz_body::check(input);
});
