#![no_main]

use libfuzzer_sys::fuzz_target;

// Prefixes the input with the root element of a model, so that it gets past format detection.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"<net >", bytes].concat();
    let _ = slice_cli::report_text(&bytes);
});
