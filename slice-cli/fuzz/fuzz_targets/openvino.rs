#![no_main]

use libfuzzer_sys::fuzz_target;

// A model begins with its element.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"<net >", bytes].concat();
    let _ = slice_cli::said_of(&bytes);
});
