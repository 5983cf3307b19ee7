#![no_main]

use libfuzzer_sys::fuzz_target;

// Adds an empty node before the input, so that the result is detected as a TensorFlow graph.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [&[0x0a, 0x00], bytes].concat();
    let _ = slice_check::report_text(&bytes);
});
