//! Checks that slices with lists are parsed, and displayed in their canonical form.

use slice_core::{DynSliceSpec, Item, NdList, ParseErrorKind};

#[track_caller]
fn assert_canonical(text: &str, canonical: &str) {
    let spec: DynSliceSpec = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(spec.to_string(), canonical);
}

#[track_caller]
fn assert_rejected(text: &str, kind: ParseErrorKind, underlined: &str) {
    let error = text.parse::<DynSliceSpec>().unwrap_err();
    assert_eq!(
        (error.kind(), &text[error.span()]),
        (kind, underlined),
        "{error}"
    );
}

#[test]
fn lists_and_masks_are_parsed() {
    assert_canonical("[0, 2], ::-1", "[0, 2], ::-1");
    assert_canonical("[ 0,2 , ],::-1,", "[0, 2], ::-1");
    assert_canonical("[]", "[]");
    assert_canonical("[], []", "[], []");
    assert_canonical("[True, False, True]", "[True, False, True]");
    assert_canonical("..., [-1, +2, 0x10, 1_0]", "..., [-1, 2, 16, 10]");
    assert_canonical("x[[0, 2], 1]", "[0, 2], 1");
    assert_canonical("np.s_[[0], None]", "[0], None");
    assert_canonical("s![[0], newaxis]", "[0], None");
    assert_canonical("([0, 2], 1)", "[0, 2], 1");
    assert_canonical("[[0, 2], 1:]", "[0, 2], 1:");
    assert_canonical("[1:, [0, 2]]", "1:, [0, 2]");
    assert_canonical("[2:]", "2:");
    assert_canonical("np.array([0, 2]), 1", "[0, 2], 1");
    assert_canonical("np.array([], bool)", "np.array([], bool)");
    assert_canonical("np.zeros((0, 2), dtype=bool)", "np.zeros((0, 2, ), bool)");
    // Brackets for each of these empty rows would never end.
    let rows = "np.zeros((1000000000000000000, 0, ), int)";
    assert_canonical(rows, rows);
    let rows = "np.zeros((1000000000000000000, 0, ), bool)";
    assert_canonical(rows, rows);
    assert_canonical(
        "np.array([True, False], dtype=bool), [0]",
        "[True, False], [0]",
    );
    assert_canonical("(1)", "1");
    assert_canonical("[(1)]", "[1]");
    assert_canonical("[-(1), ( ( 2 ) ), 3]", "[-1, 2, 3]");
    assert_canonical("[(True), ((False))]", "[True, False]");
    assert_canonical("((1, 2))", "1, 2");
    assert_canonical("()", "()");
}

#[test]
fn displayed_lists_are_parsed_back() {
    let check = |item: Item| {
        let spec = DynSliceSpec::from_items([item]).unwrap();
        assert_eq!(spec.to_string().parse(), Ok(spec));
    };
    for shape in [vec![0, 1 << 63], vec![0; 65], vec![0, usize::MAX, 1]] {
        check(Item::List(NdList::new(shape.clone(), []).unwrap()));
        check(Item::Mask(NdList::new(shape, []).unwrap()));
    }
    // Lists with more axes have too many brackets for the parser.
    let deepest = NdList::new(vec![1; 31], [0]).unwrap();
    check(Item::Points(vec![deepest.clone(), deepest.clone()]));
    check(Item::List(deepest));
    check(Item::Mask(NdList::new(vec![1; 31], [true]).unwrap()));
    let mut shape = vec![1; 31];
    shape[30] = 0;
    check(Item::Mask(NdList::new(shape, []).unwrap()));
}

#[test]
fn invalid_lists_are_rejected() {
    use ParseErrorKind as Kind;
    assert_rejected("[0, [1]]", Kind::NestedList, "[");
    assert_rejected("[[0, 1], [2]]", Kind::NestedList, "[");
    assert_rejected("[[0, 1], 2]", Kind::NestedList, "2");
    assert_rejected("[[True], [0]]", Kind::MixedList, "0");
    assert_rejected("zip()", Kind::PointList, "zip()");
    assert_rejected("zip([True], [0])", Kind::PointList, "[True]");
    assert_rejected("zip([0], 1:)", Kind::PointList, ":");
    assert_rejected("zip([0], [1]", Kind::UnbalancedBracket, "(");
    assert_rejected("np.zeros((2, 3), int)", Kind::ListElement, "(2, 3)");
    assert_rejected("np.zeros((0, -1), int)", Kind::ListElement, "-1");
    assert_rejected("np.zeros(0, int)", Kind::ListElement, "0");
    assert_rejected("[(0, 1)]", Kind::NestedList, "(");
    assert_rejected("[()]", Kind::NestedList, "(");
    assert_rejected("[([0])]", Kind::NestedList, "[");
    assert_rejected("[((0, 1))]", Kind::NestedList, "(");
    assert_rejected("[(0", Kind::UnbalancedBracket, "(");
    assert_rejected("[(0 1)]", Kind::MissingComma, "1");
    assert_rejected("[(0:1)]", Kind::RangeInParentheses, ":");
    assert_rejected("[0, True]", Kind::MixedList, "True");
    assert_rejected("[False, 1]", Kind::MixedList, "1");
    assert_rejected("[0, None]", Kind::ListElement, "None");
    assert_rejected("[0, ...]", Kind::ListElement, "...");
    assert_rejected("0, [1:2]", Kind::ListElement, ":");
    assert_rejected("[0, , 1]", Kind::EmptyItem, ",");
    assert_rejected("[0 1]", Kind::MissingComma, "1");
    assert_rejected("[0, 1", Kind::UnbalancedBracket, "[");
    assert_rejected("[0, 1.5]", Kind::Float, "1.5");
    assert_rejected("[rows]", Kind::UnknownName, "rows");
    assert_rejected("[true]", Kind::BooleanMask, "true");
    assert_rejected(
        "[9223372036854775808]",
        Kind::IndexTooLarge,
        "9223372036854775808",
    );
    assert_rejected("[0]:2", Kind::InvalidBound, "[0]");
    assert_rejected("True, [0]", Kind::BooleanMask, "True");
    assert_rejected("..., [0], ...", Kind::MultipleEllipses, "...");
    assert_rejected("([0, 1], 2),", Kind::FancyIndex, "([0, 1], 2)");
    assert_rejected("np.array([0], float)", Kind::UnknownName, "float");
    assert_rejected("np.array([0], bool)", Kind::UnknownName, "bool");
    assert_rejected("np.array([True], dtype=int)", Kind::UnknownName, "int");
    assert_rejected("np.zeros((0, 2), dtype=5)", Kind::Unexpected, "5");
}

#[test]
fn errors_about_tuples_suggest_brackets() {
    let error = "0, (1, 2)".parse::<DynSliceSpec>().unwrap_err();
    assert_eq!(error.kind(), ParseErrorKind::FancyIndex);
    assert!(
        error.to_string().contains("write a list in brackets"),
        "{error}"
    );
}

#[test]
fn strings_without_lists_are_strided() {
    for text in [
        "1:, ..., newaxis, :-3:-1",
        "x[slice(1, None), Ellipsis]",
        "(1, 2)",
        "[1:, 0]",
        "",
    ] {
        let slice: DynSliceSpec = text.parse().expect("the string should be a slice");
        assert!(!slice.has_lists(), "{text}");
    }
}
