#![no_main]

use libfuzzer_sys::fuzz_target;

// Adds the beginning of a function before the input, so that the result is detected as StableHLO text.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"func.func @main", bytes].concat();
    let _ = slice_check::report_text(&bytes);
});
