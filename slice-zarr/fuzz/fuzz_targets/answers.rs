#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../slice-cli/src/zarr/remote/answer.rs"]
#[allow(dead_code, reason = "only the client uses all items of the module")]
mod answer;
#[path = "../../remote/tests/lies/answers.rs"]
mod answers;

fuzz_target!(|input: &[u8]| {
    answers::check(input);
});
