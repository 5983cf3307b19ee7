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
    macro_rules! rejected {
        ($kinds:ty, $length:literal, $begin:literal $end:literal) => {
            let made = catch_unwind(|| {
                let numbers = [1; $length];
                _ = SliceSpec::<$length, $kinds>::__encoded(
                    numbers, numbers, numbers, $begin, $end,
                );
            });
            assert!(made.is_err());
        };
    }
    rejected!((Range, ()), 2, 0 0);
    rejected!((), 1, 0 0);
    rejected!((Range, (Index, ())), 1, 0 0);
    rejected!((Ellipsis, (Ellipsis, ())), 2, 0 0);
    rejected!((Range, ()), 1, 2 0);
    rejected!((Range, ()), 1, 0 2);
}
