//! What fuzzing found, so that it stays found.

use slice_core::dialect::mindspore::StridedSlice;
use slice_core::translate::TranslateError;
use slice_core::{DynSliceSpec, Item, SliceError, s};

/// The 64th bit of a mask is its sign, and there is no 65th: the shift panicked, or named another entry.
#[test]
fn mindspore_has_63_entries_with_masks() {
    let refused = |items| {
        let too_many = SliceError::TooManyItems { items, limit: 63 };
        Err(TranslateError::Invalid(too_many))
    };
    let selection = s![::-1, ..., 0].resolve(&[2; 62]);
    assert!(StridedSlice::from_selection(&selection.expect("a selection")).is_ok());
    for rank in [64, 65, 70] {
        let mut shape = [1; 70];
        shape[rank - 1] = 2;
        let selection = s![..., 0].resolve(&shape[..rank]).expect("a selection");
        assert_eq!(StridedSlice::from_selection(&selection), refused(rank));
    }
    let index = DynSliceSpec::from_items([Item::Index(0); 64]).expect("64 items");
    assert_eq!(StridedSlice::from_spec(&index), refused(64));
}
