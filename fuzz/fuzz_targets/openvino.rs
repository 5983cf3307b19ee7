#![no_main]

use libfuzzer_sys::fuzz_target;

// Adds the tag of the root element before the input, so that the result is detected as an OpenVINO model.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"<net >", bytes].concat();
    let _ = slice_check::report_text(&bytes);
});
