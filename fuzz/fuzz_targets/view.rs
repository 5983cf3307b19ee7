#![no_main]

use libfuzzer_sys::fuzz_target;
use slice_tests::fuzz::view::{Case, check};

fuzz_target!(|case: Case| {
    check(&case);
});
