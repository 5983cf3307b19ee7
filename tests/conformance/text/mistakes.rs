//! Checks the error that the parser returns for each kind of mistake: the underlined part of the string, and the
//! message.

use slice_core::{DynSliceSpec, ParseErrorKind as Kind};

/// For each mistake: a string that contains it, a line with carets under the mistake, the kind of error, and the start
/// of the message.
const MISTAKES: &[(&str, &str, Kind, &str)] = &[
    // Items.
    (
        ",",
        "^",
        Kind::EmptyItem,
        "an item is missing before this comma",
    ),
    (
        "1,,2",
        "  ^",
        Kind::EmptyItem,
        "an item is missing before this comma",
    ),
    (
        "x[, 1]",
        "  ^",
        Kind::EmptyItem,
        "an item is missing before this comma",
    ),
    ("1 2", "  ^", Kind::MissingComma, "a comma is missing"),
    ("... 1", "    ^", Kind::MissingComma, "a comma is missing"),
    ("1...", " ^", Kind::MissingComma, "a comma is missing"),
    (
        "None None",
        "     ^",
        Kind::MissingComma,
        "a comma is missing",
    ),
    ("1:2 3", "    ^", Kind::MissingComma, "a comma is missing"),
    ("1(2)", " ^", Kind::MissingComma, "a comma is missing"),
    (
        "..., 1, ...",
        "        ^^^",
        Kind::MultipleEllipses,
        "an index can only have a single ellipsis ('...')",
    ),
    (
        "Ellipsis, (...)",
        "          ^^^^^",
        Kind::MultipleEllipses,
        "an index can only have a single ellipsis ('...')",
    ),
    (
        "..",
        "^^",
        Kind::WrongDots,
        "an ellipsis must have three dots",
    ),
    (
        "....",
        "^^^^",
        Kind::WrongDots,
        "an ellipsis must have three dots",
    ),
    (
        "1..3",
        " ^^",
        Kind::WrongDots,
        "an ellipsis must have three dots",
    ),
    (
        "..3",
        "^^",
        Kind::WrongDots,
        "an ellipsis must have three dots",
    ),
    // Ranges.
    (
        "1:2:3:4",
        "     ^",
        Kind::TooManyParts,
        "a range can have at most three parts",
    ),
    ("::0", "  ^", Kind::ZeroStep, "slice step cannot be zero"),
    (
        "0, 1:2:-0x0",
        "       ^^^^",
        Kind::ZeroStep,
        "slice step cannot be zero",
    ),
    (
        "slice(1, 2, 0)",
        "            ^",
        Kind::ZeroStep,
        "slice step cannot be zero",
    ),
    (
        "...:2",
        "^^^",
        Kind::InvalidBound,
        "slice indices must be integers or None",
    ),
    (
        "1:(2, 3)",
        "  ^^^^^^",
        Kind::InvalidBound,
        "slice indices must be integers or None",
    ),
    (
        "slice(slice(1))",
        "      ^^^^^^^^",
        Kind::InvalidBound,
        "slice indices must be integers or None",
    ),
    (
        "(1:2)",
        "  ^",
        Kind::RangeInParentheses,
        "only a bound can be in parentheses",
    ),
    (
        "slice",
        "^^^^^",
        Kind::SliceArguments,
        "slice() expects one to three arguments",
    ),
    (
        "slice[1]",
        "^^^^^",
        Kind::SliceArguments,
        "slice() expects one to three arguments",
    ),
    (
        "slice()",
        "^^^^^^^",
        Kind::SliceArguments,
        "slice() expects one to three arguments",
    ),
    (
        "slice(1, 2, 3, 4)",
        "               ^",
        Kind::SliceArguments,
        "slice() expects one to three arguments",
    ),
    // Items and bounds that are not integers.
    (
        "0, (1, 2)",
        "   ^^^^^^",
        Kind::FancyIndex,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "(1, 2),",
        "^^^^^^",
        Kind::FancyIndex,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "[slice(1, 2), ...]",
        " ^^^^^^^^^^^",
        Kind::ListElement,
        "a list must contain integers, or `True` and `False`",
    ),
    (
        "[[1:]]",
        "   ^",
        Kind::ListElement,
        "a list must contain integers, or `True` and `False`",
    ),
    (
        "True",
        "^^^^",
        Kind::BooleanMask,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "1.5:",
        "^^^",
        Kind::Float,
        "slice indices must be integers or None",
    ),
    (
        "2.",
        "^^",
        Kind::Float,
        "slice indices must be integers or None",
    ),
    (
        ":.5",
        " ^^",
        Kind::Float,
        "slice indices must be integers or None",
    ),
    (
        "1e3",
        "^^^",
        Kind::Float,
        "slice indices must be integers or None",
    ),
    (
        "0b12:",
        "^^^^",
        Kind::BadNumber,
        "this number is not a valid integer",
    ),
    (
        "300u8",
        "^^^^^",
        Kind::BadNumber,
        "this number is not a valid integer",
    ),
    (
        "12abc",
        "^^^^^",
        Kind::BadNumber,
        "this number is not a valid integer",
    ),
    (
        "007:",
        "^^^",
        Kind::LeadingZeros,
        "leading zeros in decimal integer literals are not permitted",
    ),
    (
        "-0_7",
        " ^^^",
        Kind::LeadingZeros,
        "leading zeros in decimal integer literals are not permitted",
    ),
    (
        "1__000",
        "^^^^^^",
        Kind::BadNumber,
        "this number is not a valid integer",
    ),
    (
        ":1_",
        " ^^",
        Kind::BadNumber,
        "this number is not a valid integer",
    ),
    (
        "0x__1",
        "^^^^^",
        Kind::BadNumber,
        "this number is not a valid integer",
    ),
    (
        "9223372036854775808",
        "^^^^^^^^^^^^^^^^^^^",
        Kind::IndexTooLarge,
        "cannot fit this index into 64 bits",
    ),
    (
        "-9223372036854775809",
        "^^^^^^^^^^^^^^^^^^^^",
        Kind::IndexTooLarge,
        "cannot fit this index into 64 bits",
    ),
    (
        "1:-",
        "  ^",
        Kind::LoneSign,
        "an integer is missing after this sign",
    ),
    (
        "- -, 2",
        "^^^",
        Kind::LoneSign,
        "an integer is missing after this sign",
    ),
    (
        "-None",
        "^",
        Kind::LoneSign,
        "an integer is missing after this sign",
    ),
    (
        "NewAxis",
        "^^^^^^^",
        Kind::MisspelledNewAxis,
        "a new axis is written `newaxis` or `None`",
    ),
    (
        "..., np.new_axis",
        "     ^^^^^^^^^^^",
        Kind::MisspelledNewAxis,
        "a new axis is written",
    ),
    (
        "ellipsis",
        "^^^^^^^^",
        Kind::MisspelledEllipsis,
        "an ellipsis is written `...` or `Ellipsis`",
    ),
    (
        "…",
        "^",
        Kind::MisspelledEllipsis,
        "an ellipsis is written `...` or `Ellipsis`",
    ),
    (
        "n:",
        "^",
        Kind::UnknownName,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "1, len(x)",
        "   ^^^",
        Kind::UnknownName,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "1 + 1",
        "  ^",
        Kind::Arithmetic,
        "arithmetic is not supported in text",
    ),
    (
        "~0",
        "^",
        Kind::Arithmetic,
        "arithmetic is not supported in text",
    ),
    (
        "2*3:",
        " ^",
        Kind::Arithmetic,
        "arithmetic is not supported in text",
    ),
    (
        "1 if x else 2",
        "  ^^",
        Kind::Condition,
        "conditions are not supported in text",
    ),
    (
        "1:2 or 3",
        "    ^^",
        Kind::Condition,
        "conditions are not supported in text",
    ),
    (
        "slice(1 and 2)",
        "        ^^^",
        Kind::Condition,
        "conditions are not supported in text",
    ),
    (
        "0, not 1",
        "   ^^^",
        Kind::Condition,
        "conditions are not supported in text",
    ),
    ("1 ifs 2", "  ^", Kind::MissingComma, "a comma is missing"),
    // Invisible characters.
    (
        "1,\u{a0}2",
        "  ^",
        Kind::NonPrintable,
        "invalid non-printable character",
    ),
    (
        "1\u{2003}:",
        " ^",
        Kind::NonPrintable,
        "invalid non-printable character",
    ),
    (
        "\u{feff}1",
        "^",
        Kind::NonPrintable,
        "invalid non-printable character",
    ),
    (
        ":\u{200b}2",
        " ^",
        Kind::NonPrintable,
        "invalid non-printable character",
    ),
    // Brackets and other mistakes.
    (
        "[1:",
        "^",
        Kind::UnbalancedBracket,
        "this bracket has no matching bracket",
    ),
    (
        "x[1:2, (3",
        "       ^",
        Kind::UnbalancedBracket,
        "this bracket has no matching bracket",
    ),
    (
        "slice(1",
        "     ^",
        Kind::UnbalancedBracket,
        "this bracket has no matching bracket",
    ),
    (
        "1:2]",
        "   ^",
        Kind::UnbalancedBracket,
        "this bracket has no matching bracket",
    ),
    (
        "1)",
        " ^",
        Kind::UnbalancedBracket,
        "this bracket has no matching bracket",
    ),
    (
        "(1]",
        "  ^",
        Kind::UnbalancedBracket,
        "this bracket has no matching bracket",
    ),
    (
        "x[1][2]",
        "    ^",
        Kind::TextAfterBracket,
        "the slice ends before this",
    ),
    (
        "1; 2",
        " ^",
        Kind::Unexpected,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "'a'",
        "^",
        Kind::Unexpected,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
    (
        "−1",
        "^",
        Kind::Unexpected,
        "only integers, slices (`:`), ellipsis (`...`)",
    ),
];

#[test]
fn every_mistake_is_underlined() {
    for &(text, carets, kind, message_start) in MISTAKES {
        let error = text.parse::<DynSliceSpec>().expect_err(text);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        let full_message = error.to_string();
        assert_eq!(format!("{error:?}"), full_message);
        let [message, excerpt, line] = full_message.lines().collect::<Vec<_>>()[..] else {
            panic!("the error does not have three lines: {full_message}");
        };
        assert!(message.starts_with(message_start), "{full_message}");
        assert_eq!(
            message,
            format!("{error:#}"),
            "the alternate form must be the first line"
        );
        assert_eq!(excerpt, format!("  {text}"));
        assert_eq!(line, format!("  {carets}"), "\n{full_message}");
        assert_eq!(
            text[error.span()].chars().count(),
            carets.trim_start().len()
        );
    }
}

#[test]
fn messages_begin_in_lower_case_and_contain_advice() {
    for (text, _, kind, _) in MISTAKES {
        let message = kind.to_string();
        assert!(message.starts_with(char::is_lowercase), "{text}: {message}");
        assert!(message.contains(": "), "{text}: {message}");
    }
}

/// Brackets enclose a slice if they follow a name or contain a colon outside any inner brackets, because a list contains
/// no colons.
#[test]
fn brackets_around_a_slice_are_ignored() {
    for (text, contents) in [
        ("[1:]", "1:"),
        (" [ 0 , : ] ", "0, :"),
        ("[1:, ..., newaxis, :-3:-1]", "1:, ..., newaxis, :-3:-1"),
        ("x[0, 2]", "0, 2"),
        ("x[]", ""),
    ] {
        assert_eq!(text.parse::<DynSliceSpec>(), contents.parse(), "{text}");
    }
}

/// Carets are aligned even if a character occupies two columns, no column, or several bytes.
#[test]
fn carets_are_aligned_with_wide_characters() {
    for (text, carets) in [
        ("1:, é", "    ^"),
        ("漢字", "^^^^"),
        ("１:", "^^"),
        ("x[漢], ::0", "  ^^"),
        ("e\u{301}, ::0", "^"),
    ] {
        let error = text.parse::<DynSliceSpec>().expect_err(text).to_string();
        let lines = format!("\n  {text}\n  {carets}");
        assert!(error.ends_with(&lines), "{error}");
    }
}

#[test]
fn carets_are_under_visible_characters() {
    for text in [
        "(\n",
        "x[1:\n\n",
        "x[\n ",
        "slice(\n",
        "1:, (\n\t",
        "1, -\n",
        "\0",
        "1:,\n\u{7}",
        "1:,\r\n::0\r\n",
    ] {
        let error = text.parse::<DynSliceSpec>().expect_err(text).to_string();
        let [_, excerpt, carets] = error.lines().collect::<Vec<_>>()[..] else {
            panic!("the error does not have three lines: {error}");
        };
        let column = carets
            .find('^')
            .expect("the message should contain a caret");
        let underlined = excerpt.chars().nth(column);
        assert!(
            underlined.is_some_and(|c| c != ' ' && !c.is_control()),
            "{text:?}: {error}"
        );
    }
}

#[test]
fn more_than_64_items_are_rejected() {
    let text = "1, ".repeat(64);
    assert_eq!(text.parse::<DynSliceSpec>().map(|spec| spec.len()), Ok(64));
    let error = format!("{text}2").parse::<DynSliceSpec>().unwrap_err();
    assert_eq!((error.kind(), error.span()), (Kind::TooManyItems, 192..193));
}

#[test]
fn only_the_text_around_the_mistake_is_shown() {
    let error = "1:,\n\t2::0,\n3".parse::<DynSliceSpec>().unwrap_err();
    assert_eq!(error.span(), 8..9);
    assert!(
        error.to_string().ends_with("\n   2::0,\n      ^"),
        "{error}"
    );

    let text = format!("{}::0{}", ":, ".repeat(50), ", :".repeat(50_000));
    let full_message = text.parse::<DynSliceSpec>().unwrap_err().to_string();
    assert!(
        full_message.len() < 500,
        "the message has {} bytes",
        full_message.len()
    );
    let lines: Vec<&str> = full_message.lines().collect();
    let caret = lines[2]
        .find('^')
        .expect("the message should contain a caret");
    assert_eq!(&lines[1][caret - 2..=caret], "::0");
}

#[test]
fn deeply_nested_and_long_strings_are_rejected_without_a_panic() {
    for opening in [
        "(",
        "slice(",
        "-",
        "-(",
        "((), ",
        "slice(1, ",
        "x.",
        "1",
        "[",
        "0x",
    ] {
        let text = opening.repeat(100_000);
        assert!(text.parse::<DynSliceSpec>().is_err(), "{opening}");
    }
    let nested = |depth| format!("{}1{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(nested(32).parse(), "1".parse::<DynSliceSpec>());
    let error = nested(33).parse::<DynSliceSpec>().unwrap_err();
    assert_eq!((error.kind(), error.span().start), (Kind::TooDeep, 32));
}
