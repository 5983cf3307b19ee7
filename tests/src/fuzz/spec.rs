//! Checks slices with any items, in each of their forms: items, encoded numbers, text and JSON.

use arbitrary::Arbitrary;
use slice_core::{DynSliceSpec, Item, SliceError};
use slice_systems::Explain;

use super::input::{Items, Shape};
use super::selection;
use crate::{explain, text};

/// A slice, a shape, and the length of a buffer that usually does not match the selection.
#[derive(Debug, Arbitrary)]
pub struct Case {
    items: Items,
    shape: Shape,
    buffer: u8,
}

/// Checks every form of the slice, its explanation, and its selection. Returns `true` if the slice is valid for the
/// shape.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let items = &case.items.0;
    let spec = match DynSliceSpec::from_items(items.iter().cloned()) {
        Ok(spec) => spec,
        Err(error) => {
            assert!(matches!(
                error,
                SliceError::TooManyItems { .. } | SliceError::MultipleEllipses { .. }
            ));
            return false;
        }
    };
    assert!(spec.items().eq(items.iter().cloned()));
    let encoded = DynSliceSpec::new(spec.begin(), spec.end(), spec.strides(), spec.masks());
    assert_eq!(encoded.as_ref(), Ok(&spec));
    // Unlike `from_items`, the parser rejects a step of zero.
    let has_zero_step = |item: &Item| matches!(item, Item::Range { step: 0, .. });
    assert_eq!(
        text::check(&spec.to_string()),
        !items.iter().any(has_zero_step)
    );

    let json = serde_json::to_string(&spec).expect("the spec should be serializable");
    assert_eq!(
        serde_json::from_str(&json).ok(),
        Some(spec.clone()),
        "{json}"
    );

    let resolved = spec.resolve(&case.shape.0);
    assert_eq!(
        explain::check(&spec.explain(&case.shape.0), &resolved),
        Ok(())
    );
    match &resolved {
        Ok(resolved) => selection::check(resolved, &case.shape.0, case.buffer.into()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    resolved.is_ok()
}
