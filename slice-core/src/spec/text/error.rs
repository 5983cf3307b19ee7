//! Errors in the text of a slice. An error is displayed as a message, followed by the text with carets under the
//! mistake.

use core::fmt::{self, Display};
use core::ops::Range;

use super::marked_line::MarkedLine;
use crate::error::debug_is_message;

/// A mistake and its span in bytes.
pub(crate) type Mistake = (ParseErrorKind, Range<usize>);

/// A mistake in the text of a slice, and the position of the mistake in the text.
///
/// `Display` writes a message and, below the message, the relevant part of the text, with carets under the mistake.
/// With `{:#}`, it writes only the message. `Debug` writes the same as `Display`, because `unwrap` prints it.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, ParseErrorKind};
///
/// let error = "1:, ..., ::0".parse::<DynSliceSpec>().unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::ZeroStep);
/// assert_eq!(error.span(), 11..12);
/// assert_eq!(
///     error.to_string(),
///     "slice step cannot be zero (at byte 11): omit it to select every element, or write `-1` to go backwards
///   1:, ..., ::0
///              ^"
/// );
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ParseSliceError {
    kind: ParseErrorKind,
    start: usize,
    end: usize,
    line: MarkedLine,
}

impl ParseSliceError {
    pub(super) fn new(text: &str, (kind, span): Mistake) -> Self {
        ParseSliceError {
            kind,
            line: MarkedLine::new(text, span.clone()),
            start: span.start,
            end: span.end,
        }
    }

    /// Returns the kind of mistake.
    #[must_use]
    pub fn kind(&self) -> ParseErrorKind {
        self.kind
    }

    /// Returns the span of the mistake in bytes. The span is empty if something is missing at the end of the text.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Display for ParseSliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (problem, advice) = self.kind.problem_and_advice();
        write!(f, "{problem} (at byte {}): {advice}", self.start)?;
        if f.alternate() {
            return Ok(());
        }
        write!(f, "\n{}", self.line)
    }
}

debug_is_message! { ParseSliceError }

impl core::error::Error for ParseSliceError {}

/// The kinds of mistakes in the text of a slice.
///
/// `Display` writes the message without the position of the mistake. The variants are part of the API, but their
/// messages are not.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, ParseErrorKind};
///
/// let error = "1:, ::0".parse::<DynSliceSpec>().unwrap_err();
/// assert_eq!(error.kind(), ParseErrorKind::ZeroStep);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A comma without an item before it.
    EmptyItem,
    /// Text directly after a complete item, where a comma is expected.
    MissingComma,
    /// More than 64 items.
    TooManyItems,
    /// A second `...`.
    MultipleEllipses,
    /// A number of dots other than three.
    WrongDots,
    /// A fourth part in a range.
    TooManyParts,
    /// A range whose step is zero.
    ZeroStep,
    /// A part of a range that is neither an integer nor `None`.
    InvalidBound,
    /// A range with colons inside parentheses.
    RangeInParentheses,
    /// The word `slice` without parentheses, or a call to `slice` with no arguments or more than three.
    SliceArguments,
    /// A tuple as an item.
    FancyIndex,
    /// `True` or `False` outside a list.
    BooleanMask,
    /// A list that contains both integers and booleans.
    MixedList,
    /// A tuple inside a list, or lists of different shapes inside a list.
    NestedList,
    /// An argument of `zip` that is neither a list of integers nor an integer, or no argument.
    PointList,
    /// An element of a list that is neither an integer nor `True` or `False`.
    ListElement,
    /// A number with a fraction or an exponent.
    Float,
    /// Digits that do not form an integer, a suffix that is not an integer type, or a suffix whose type cannot hold the
    /// value.
    BadNumber,
    /// Zeros before the other digits of a decimal integer.
    LeadingZeros,
    /// An index that does not fit in an `i64`.
    IndexTooLarge,
    /// A sign with no integer after it.
    LoneSign,
    /// A misspelling of `newaxis` or `None`, such as `new_axis` or `none`.
    MisspelledNewAxis,
    /// A misspelling of `...` or `Ellipsis`, such as `…` or `ellipsis`.
    MisspelledEllipsis,
    /// A name that has no meaning in a slice.
    UnknownName,
    /// An arithmetic operator.
    Arithmetic,
    /// A keyword that is used in conditions, such as `if`, `and`, `or` or `not`.
    Condition,
    /// A bracket without a matching bracket.
    UnbalancedBracket,
    /// Text after the bracket that closes the slice.
    TextAfterBracket,
    /// Parentheses that are nested more deeply than the parser allows.
    TooDeep,
    /// An invisible character that Python does not treat as white space.
    NonPrintable,
    /// A character that cannot be part of a slice.
    Unexpected,
}

impl ParseErrorKind {
    /// Returns a description of the mistake, in NumPy's words if NumPy reports it too, and a correction.
    fn problem_and_advice(self) -> (&'static str, &'static str) {
        use ParseErrorKind as Kind;
        const INTEGERS: &str = "slice indices must be integers or None";
        const VALID: &str =
            "only integers, slices (`:`), ellipsis (`...`) and newaxis (`None`) are valid indices";
        match self {
            Kind::EmptyItem => (
                "an item is missing before this comma",
                "write `:` for a whole axis or `...` for all remaining axes, or remove the comma",
            ),
            Kind::MissingComma => (
                "a comma is missing before this",
                "write `,` between items and `:` between the parts of a range",
            ),
            Kind::TooManyItems => (
                "too many items: a slice has at most 64",
                "write `...` for several whole axes, or slice twice",
            ),
            Kind::MultipleEllipses => (
                "an index can only have a single ellipsis ('...')",
                "write `...` once, and `:` for any other whole axis",
            ),
            Kind::WrongDots => (
                "an ellipsis must have three dots",
                "write `...` for all remaining axes, or `:` in a range, as in `1:3`",
            ),
            Kind::TooManyParts => (
                "a range can have at most three parts",
                "write `begin:end:step`",
            ),
            Kind::ZeroStep => (
                "slice step cannot be zero",
                "omit it to select every element, or write `-1` to go backwards",
            ),
            Kind::InvalidBound => (INTEGERS, "write an integer, or omit the bound"),
            Kind::RangeInParentheses => (
                "only a bound can be in parentheses",
                "remove the parentheses, or write `slice(begin, end, step)`",
            ),
            Kind::SliceArguments => (
                "slice() expects one to three arguments",
                "write `slice(end)`, `slice(begin, end)` or `slice(begin, end, step)`",
            ),
            Kind::FancyIndex => (
                VALID,
                "remove the parentheses around the items, or write a list in brackets",
            ),
            Kind::BooleanMask => (
                VALID,
                "write an integer or `None` instead of a single boolean, or a mask in brackets (`[True, False]`)",
            ),
            Kind::MixedList => (
                "a list cannot contain both integers and booleans",
                "write only integers, or only `True` and `False`",
            ),
            Kind::NestedList => (
                "the requested array has an inhomogeneous shape",
                "write lists of the same length in a list; for two axes, write two lists, with a comma between them",
            ),
            Kind::PointList => (
                "the points in `zip` need lists of integers",
                "write one list of integers for each axis, as in `zip([0, 2], [1, 1])`",
            ),
            Kind::ListElement => (
                "a list must contain integers, or `True` and `False`",
                "write integers, and write a range outside the list",
            ),
            Kind::Float => (
                INTEGERS,
                "write an integer, without a fraction or an exponent",
            ),
            Kind::BadNumber => (
                "this number is not a valid integer",
                "write decimal digits, or digits after `0x`, `0o` or `0b`, with at most one `_` between two digits; a suffix \
                 must name an integer type that can hold the number",
            ),
            Kind::LeadingZeros => (
                "leading zeros in decimal integer literals are not permitted",
                "remove them, or write `0o` before octal digits",
            ),
            Kind::IndexTooLarge => (
                "cannot fit this index into 64 bits",
                "no axis is that long; write a smaller index",
            ),
            Kind::LoneSign => (
                "an integer is missing after this sign",
                "write an integer, as in `-1`",
            ),
            Kind::MisspelledNewAxis => {
                ("a new axis is written `newaxis` or `None`", "write `None`")
            }
            Kind::MisspelledEllipsis => {
                ("an ellipsis is written `...` or `Ellipsis`", "write `...`")
            }
            Kind::UnknownName => (
                VALID,
                "variables are not supported in text; write the integer itself",
            ),
            Kind::Arithmetic => (
                "arithmetic is not supported in text",
                "write the resulting integer",
            ),
            Kind::Condition => (
                "conditions are not supported in text",
                "write the slice that results from the condition",
            ),
            Kind::UnbalancedBracket => (
                "this bracket has no matching bracket",
                "write both brackets or neither",
            ),
            Kind::TextAfterBracket => (
                "the slice ends before this",
                "write one slice and nothing after it",
            ),
            Kind::TooDeep => (
                "too many nested parentheses",
                "remove them, because items do not need parentheses",
            ),
            Kind::NonPrintable => (
                "invalid non-printable character",
                "replace it with a space, or remove it",
            ),
            Kind::Unexpected => (
                VALID,
                "write `:` between the parts of a range, and `,` between items",
            ),
        }
    }
}

impl Display for ParseErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (problem, advice) = self.problem_and_advice();
        write!(f, "{problem}: {advice}")
    }
}
