#![no_main]

use libfuzzer_sys::fuzz_target;

// A module begins with a function.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"func.func @main", bytes].concat();
    let _ = slice_cli::said_of(&bytes);
});
