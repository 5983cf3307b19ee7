//! The type of a slice and its masks cannot contradict each other, whatever calls the functions of the expansion: whether mutable views
//! are disjoint is decided by the masks, and what they show by the type.

use std::panic::catch_unwind;

use slice_core::SliceSpec;
use slice_core::kind::{Ellipsis, Index, NewAxis, Range};

macro_rules! refused {
    ($kinds:ty, $length:literal, $ellipsis:literal $new_axis:literal $index:literal) => {
        let made = catch_unwind(|| {
            let numbers = [1; $length];
            let masks = ($ellipsis, $new_axis, $index);
            _ = SliceSpec::<$length, $kinds>::__encoded(
                numbers, numbers, numbers, 0, 0, masks.0, masks.1, masks.2,
            );
        });
        assert!(made.is_err());
    };
}

#[test]
fn a_type_that_the_masks_contradict() {
    refused!((Range, ()), 1, 0 0 1);
    refused!((Index, ()), 1, 0 0 0);
    refused!((NewAxis, ()), 1, 1 0 0);
    refused!((Index, (Ellipsis, ())), 2, 1 0 2);
    refused!((Range, ()), 2, 0 0 0);
    refused!((), 1, 0 0 0);
}
