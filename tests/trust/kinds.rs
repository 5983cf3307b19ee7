//! Checks that the type of a slice and its masks cannot contradict each other, even if code outside the macro's
//! expansion calls the hidden functions. The masks decide whether mutable views are disjoint, and the type decides
//! which elements the views contain.

use std::panic::catch_unwind;

use slice_core::SliceSpec;
use slice_core::kind::{Ellipsis, Index, NewAxis, Range};

#[test]
fn masks_match_the_type() {
    type Kinds = (Range, (Index, (NewAxis, (Ellipsis, ()))));
    let numbers = [1; 4];
    let spec = SliceSpec::<4, Kinds>::__encoded(numbers, numbers, numbers, 0, 0);
    assert_eq!(spec.shrink_axis_mask(), 2);
    assert_eq!(spec.new_axis_mask(), 4);
    assert_eq!(spec.ellipsis_mask(), 8);
}

#[test]
fn arguments_that_contradict_the_type_are_rejected() {
    macro_rules! assert_rejected {
        ($kinds:ty, $length:literal, $begin:literal $end:literal) => {
            let result = catch_unwind(|| {
                let numbers = [1; $length];
                _ = SliceSpec::<$length, $kinds>::__encoded(
                    numbers, numbers, numbers, $begin, $end,
                );
            });
            assert!(result.is_err());
        };
    }
    assert_rejected!((Range, ()), 2, 0 0);
    assert_rejected!((), 1, 0 0);
    assert_rejected!((Range, (Index, ())), 1, 0 0);
    assert_rejected!((Ellipsis, (Ellipsis, ())), 2, 0 0);
    assert_rejected!((Range, ()), 1, 2 0);
    assert_rejected!((Range, ()), 1, 0 2);
}
