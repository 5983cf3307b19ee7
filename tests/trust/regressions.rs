//! Tests inputs that failed during fuzzing.

use slice_core::{DynSliceSpec, Item, SliceError, s};
use slice_systems::Operation;
use slice_systems::mindspore::StridedSlice;
use slice_systems::translate::TranslateError;

/// Checks that more than 63 entries are rejected. A mask has bits for only 63 entries, because bit 63 is the sign bit.
/// For further entries, the shift that computes an entry's bit used to panic, or to set the bit of a different entry.
#[test]
fn mindspore_operations_have_at_most_63_entries() {
    let rejected = |items| {
        let too_many = SliceError::TooManyItems { items, limit: 63 };
        Err(TranslateError::from(too_many))
    };
    let mut shape = [1; 62];
    shape[0] = 2;
    let selection = s![::-1, ..., 0].resolve(&shape);
    assert!(
        StridedSlice::from_selection(&selection.expect("the slice should fit the shape")).is_ok()
    );
    let indices = |count| {
        DynSliceSpec::from_items(vec![Item::Index(0); count])
            .expect("there should be at most 64 items")
    };
    for rank in [64, 65, 70] {
        let shape = vec![1; rank];
        let first = indices(32)
            .resolve(&shape)
            .expect("the slice should fit the shape");
        let rest = indices(rank - 32).resolve(&shape[32..]);
        let all = first
            .compose(&rest.expect("the slice should fit the shape"))
            .expect("the second selection should apply to the output of the first");
        assert_eq!(StridedSlice::from_selection(&all), rejected(rank));
        // With an ellipsis, two entries suffice for any number of axes.
        let last = s![..., 0]
            .resolve(&shape)
            .expect("the slice should fit the shape");
        assert!(StridedSlice::from_selection(&last).is_ok());
    }
    let index = DynSliceSpec::from_items(vec![Item::Index(0); 64])
        .expect("there should be at most 64 items");
    assert_eq!(StridedSlice::from_spec(&index), rejected(64));
}

/// The bracket depth used to underflow for these strings.
#[test]
fn strings_with_an_unmatched_closing_bracket_are_rejected() {
    for text in ["]", "][", "]0", "]]:", "[0]]"] {
        assert!(
            text.parse::<DynSliceSpec>().is_err(),
            "the parser accepts {text}"
        );
    }
}
