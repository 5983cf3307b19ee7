//! Checks that the parser returns a consistent result for any string.

use slice_core::DynSliceSpec;

/// Parses `text` and checks that the result is consistent. A slice must be unchanged after it is formatted and parsed
/// again, and an error must have a span within the text and a message of three lines. Returns `true` if the text is a
/// slice.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(text: &str) -> bool {
    match text.parse::<DynSliceSpec>() {
        Ok(spec) => {
            for formatted in [spec.to_string(), format!("x[{spec}]"), format!("{spec:?}")] {
                assert_eq!(
                    formatted.parse().as_ref(),
                    Ok(&spec),
                    "{text:?}, {formatted:?}"
                );
            }
            assert!(spec.strides().iter().all(|&stride| stride != 0));
            true
        }
        Err(error) => {
            assert!(
                text.get(error.span()).is_some(),
                "the error for {text:?} has an invalid span: {:?}",
                error.span()
            );
            assert_eq!(error.to_string().lines().count(), 3, "{text:?}");
            false
        }
    }
}
