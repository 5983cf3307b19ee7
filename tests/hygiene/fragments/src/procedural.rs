//! Checks slices that contain groups with invisible delimiters (`Delimiter::None`). A procedural macro can put an
//! expression in such a group.

use ndarray::{Array1, array};
use slice_hygiene_reexport::substituted;

/// As documented for `proc_macro::Delimiter::None`, a group with invisible delimiters preserves the precedence of
/// operators.
#[test]
fn an_invisible_group_is_one_operand() {
    let values = [
        substituted!({ slice_macro::s![9 - it].begin()[0] } { 1 + 2 }),
        substituted!({ slice_macro::s![9 - it:].begin()[0] } { 1 + 2 }),
        substituted!({ slice_macro::s![:2 * it].end()[0] } { 1 + 2 }),
        substituted!({ slice_macro::s![::-it.pow(2)].strides()[0] } { 1_i64 + 2 }),
        substituted!({ slice_macro::s![it:].begin()[0] } { -3 }),
        substituted!({ slice_macro::py!(9 - it) } { 1 + 2 }),
        substituted!({ slice_macro::py!(slice_macro::s![9 - it:].begin()[0]) } { 1 + 2 }),
    ];
    assert_eq!(values, [6, 6, 6, -9, -3, 6, 6]);
    let x: Array1<f64> = array![1.0, 2.0, 4.0];
    assert_eq!(
        substituted!({ slice_macro::py!(x[1:] * it) } { 1.0 + 2.0 }),
        array![6.0, 12.0]
    );
    assert_eq!(
        substituted!({ slice_macro::py!(it[1:] * 2.0) } { &x + &x }),
        array![8.0, 16.0]
    );
}

/// The compiler removes the invisible delimiters of a group, both in plain Rust and in the tokens that a declarative
/// macro such as `slice_core::s!` matches.
#[test]
fn an_invisible_group_has_the_same_meaning_in_a_declarative_macro_as_in_rust() {
    let rust = substituted!({ 9 - it } { 1 + 2 });
    assert_eq!(
        substituted!({ slice_core::s![9 - it:].begin()[0] } { 1 + 2 }),
        rust
    );
    assert_eq!(substituted!({ slice_core::py!(9 - it) } { 1 + 2 }), rust);
}
