#![no_main]

use libfuzzer_sys::fuzz_target;

// Prefixes the input with a node without a name, so that it gets past format detection.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [&[0x0a, 0x00], bytes].concat();
    let _ = slice_cli::report_text(&bytes);
});
