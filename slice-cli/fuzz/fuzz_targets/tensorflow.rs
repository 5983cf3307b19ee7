#![no_main]

use libfuzzer_sys::fuzz_target;

// A graph begins with a node, here one without a name.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [&[0x0a, 0x00], bytes].concat();
    let _ = slice_cli::said_of(&bytes);
});
