#![no_main]

use libfuzzer_sys::fuzz_target;

// Adds the signature of a zip archive before the input, so that the result is detected as a torch.export archive.
fuzz_target!(|bytes: &[u8]| {
    let bytes = [b"PK\x03\x04", bytes].concat();
    let _ = slice_check::report_text(&bytes);
});
