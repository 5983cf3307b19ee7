#![no_main]

use libfuzzer_sys::fuzz_target;

// Writes the identifier of LiteRT files to the input, so that the input is detected as a LiteRT model.
fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.to_vec();
    if let Some(mark) = bytes.get_mut(4..8) {
        mark.copy_from_slice(b"TFL3");
    }
    let _ = slice_check::report_text(&bytes);
});
