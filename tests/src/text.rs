//! Checks the results of the parser for any text.

use slice_core::{DynOuterSpec, DynSliceSpec};

/// Parses the text and checks that the result is consistent. Returns `true` if the text is a slice.
///
/// # Panics
///
/// If the result is not consistent.
pub fn check(text: &str) -> bool {
    check_lists(text);
    match text.parse::<DynSliceSpec>() {
        Ok(spec) => {
            for written in [spec.to_string(), format!("{spec:?}")] {
                assert_eq!(written.parse().as_ref(), Ok(&spec), "{text:?}, {written:?}");
            }
            assert!(spec.strides().iter().all(|&stride| stride != 0));
            true
        }
        Err(error) => {
            assert!(
                text.get(error.span()).is_some(),
                "{text:?}: {:?}",
                error.span()
            );
            assert_eq!(error.to_string().lines().count(), 3, "{text:?}");
            false
        }
    }
}

/// Parses the text as a slice with lists and checks that the result is consistent.
fn check_lists(text: &str) {
    match text.parse::<DynOuterSpec>() {
        Ok(spec) => {
            for written in [spec.to_string(), format!("x[{spec}]")] {
                assert_eq!(written.parse().as_ref(), Ok(&spec), "{text:?}, {written:?}");
            }
        }
        Err(error) => {
            let span = error.span();
            assert!(text.get(span.clone()).is_some(), "{text:?}: {span:?}");
            assert_eq!(error.to_string().lines().count(), 3, "{text:?}");
        }
    }
}
