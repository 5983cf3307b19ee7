#![no_main]

use libfuzzer_sys::fuzz_target;

// Prefix the input so that it gets past module detection.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"func.func @main", bytes].concat();
    let _ = slice_cli::said_of(&bytes);
});
