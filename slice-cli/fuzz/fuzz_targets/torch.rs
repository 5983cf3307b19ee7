#![no_main]

use libfuzzer_sys::fuzz_target;

// An archive begins with a file.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"PK\x03\x04", bytes].concat();
    let _ = slice_cli::said_of(&bytes);
});
