//! Checks that slices with lists are parsed, and displayed in their canonical form.

use slice_core::{DynOuterSpec, DynSliceSpec, ParseErrorKind};

#[track_caller]
fn same(text: &str, canonical: &str) {
    let spec: DynOuterSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(spec.to_string(), canonical);
}

#[track_caller]
fn wrong(text: &str, kind: ParseErrorKind, at: &str) {
    let error = text.parse::<DynOuterSpec>().unwrap_err();
    assert_eq!((error.kind(), &text[error.span()]), (kind, at), "{error}");
}

#[test]
fn lists_and_masks_are_parsed() {
    same("[0, 2], ::-1", "[0, 2], ::-1");
    same("[ 0,2 , ],::-1,", "[0, 2], ::-1");
    same("[]", "[]");
    same("[], []", "[], []");
    same("[True, False, True]", "[True, False, True]");
    same("..., [-1, +2, 0x10, 1_0]", "..., [-1, 2, 16, 10]");
    same("x[[0, 2], 1]", "[0, 2], 1");
    same("np.s_[[0], None]", "[0], None");
    same("s![[0], newaxis]", "[0], None");
    same("([0, 2], 1)", "[0, 2], 1");
    same("[[0, 2], 1:]", "[0, 2], 1:");
    same("[1:, [0, 2]]", "1:, [0, 2]");
    same("[2:]", "2:");
    same("np.array([0, 2]), 1", "[0, 2], 1");
    same("np.array([], bool)", "np.array([], bool)");
    same(
        "np.array([True, False], dtype=bool), [0]",
        "[True, False], [0]",
    );
    same("(1)", "1");
    same("((1, 2))", "1, 2");
    same("()", "()");
}

#[test]
fn invalid_lists_are_rejected() {
    use ParseErrorKind as Kind;
    wrong("[0, [1]]", Kind::NestedList, "[");
    wrong("[[0, 1]]", Kind::NestedList, "[");
    wrong("[(0, 1)]", Kind::NestedList, "(");
    wrong("[0, True]", Kind::MixedList, "True");
    wrong("[False, 1]", Kind::MixedList, "1");
    wrong("[0, None]", Kind::ListElement, "None");
    wrong("[0, ...]", Kind::ListElement, "...");
    wrong("0, [1:2]", Kind::ListElement, ":");
    wrong("[0, , 1]", Kind::EmptyItem, ",");
    wrong("[0 1]", Kind::MissingComma, "1");
    wrong("[0, 1", Kind::UnbalancedBracket, "[");
    wrong("[0, 1.5]", Kind::Float, "1.5");
    wrong("[rows]", Kind::UnknownName, "rows");
    wrong("[true]", Kind::BooleanMask, "true");
    wrong(
        "[9223372036854775808]",
        Kind::IndexTooLarge,
        "9223372036854775808",
    );
    wrong("[0]:2", Kind::InvalidBound, "[0]");
    wrong("True, [0]", Kind::BooleanMask, "True");
    wrong("..., [0], ...", Kind::MultipleEllipses, "...");
    wrong("([0, 1], 2),", Kind::FancyIndex, "([0, 1], 2)");
    wrong("np.array([0], float)", Kind::UnknownName, "float");
}

#[test]
fn errors_about_lists_name_the_type_that_accepts_them() {
    let error = "0, [1, 2]".parse::<DynSliceSpec>().unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::FancyIndex);
    assert!(error.to_string().contains("DynOuterSpec"), "{error}");
}

#[test]
fn strings_without_lists_are_parsed_alike_by_both_spec_types() {
    for text in [
        "1:, ..., newaxis, :-3:-1",
        "x[slice(1, None), Ellipsis]",
        "(1, 2)",
        "[1:, 0]",
        "",
    ] {
        let slice: DynSliceSpec = text.parse().expect("the text should be a slice");
        assert_eq!(text.parse(), Ok(DynOuterSpec::from(slice)), "{text}");
    }
}
