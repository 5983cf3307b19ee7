#![no_main]

use libfuzzer_sys::fuzz_target;
use slice_tests::fuzz::plan::{Case, check};

fuzz_target!(|case: Case| {
    check(&case);
});
