#![no_main]

use libfuzzer_sys::fuzz_target;

// Prefixes the input with the signature of an archive, so that it gets past format detection.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"PK\x03\x04", bytes].concat();
    let _ = slice_cli::report_text(&bytes);
});
