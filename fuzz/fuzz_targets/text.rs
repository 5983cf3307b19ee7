#![no_main]

use libfuzzer_sys::fuzz_target;
use slice_tests::text::check;

fuzz_target!(|text: &str| {
    check(text);
});
