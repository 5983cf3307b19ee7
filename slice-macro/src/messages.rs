//! Every sentence of the macro that a person can meet. Lower case; first what is wrong, in NumPy's words where NumPy has
//! any, so that a search finds it; then what to write.

use std::ops::Range;

use crate::tokens::TokenTree;

use crate::bound::Role;
use crate::text::{text, text_with_parentheses};

const ONLY_INTEGERS: &str = "slice bounds must be integers";
const VALID_INDICES: &str =
    "only integers, slices (`:`), ellipsis (`...`) and newaxis (`None`) are valid indices";

fn with_help(problem: impl AsRef<str>, help: impl AsRef<str>) -> String {
    format!("{}\nhelp: {}", problem.as_ref(), help.as_ref())
}

// ---- items

pub fn second_ellipsis() -> String {
    with_help(
        "an index can only have a single ellipsis ('...')",
        "write `:` for each whole axis that this one should stand for",
    )
}

/// For `..`, `_` and `*`, which mean a whole axis elsewhere.
pub fn whole_axis(written: &[TokenTree]) -> String {
    with_help(
        format!("`{}` is not an item of a Python slice", text(written)),
        "write `:` for a whole axis, or `...` for all axes not named",
    )
}

pub fn wrong_dots(dots: usize) -> String {
    with_help(
        format!("an ellipsis has three dots, and here are {dots}"),
        "write `...`",
    )
}

pub fn misspelt_ellipsis() -> String {
    with_help("the ellipsis has no name here", "write `...`")
}

pub fn misspelt_new_axis() -> String {
    with_help(
        "the new axis is spelt `newaxis`, as in NumPy",
        "write `newaxis` or `None`; a variable of this name goes in parentheses",
    )
}

pub fn qualified_new_axis() -> String {
    with_help(
        "`newaxis` is a word of the macro and has no module",
        "write `newaxis` or `None`",
    )
}

pub fn empty_item() -> String {
    with_help(
        "no item in front of this comma",
        "write `:` for a whole axis, or take the comma away",
    )
}

pub fn missing_comma(left: &[TokenTree], right: &[TokenTree]) -> String {
    with_help(
        "a comma is missing in front of this",
        format!("write `{}, {}`", text(left), text(right)),
    )
}

pub fn too_many_items() -> String {
    with_help(
        "too many items: one `s![]` has at most 64, a bit of each mask for every one",
        "write `...` for a row of whole axes, or slice twice",
    )
}

pub fn extra_brackets(inside: &[TokenTree]) -> String {
    with_help(
        "the brackets of `s![]` are the only ones",
        format!("write `s![{}]`", text(inside)),
    )
}

pub fn range_in_parentheses(inside: &[TokenTree]) -> String {
    with_help(
        "only a bound can stand in parentheses",
        format!("write `{}`", text(inside)),
    )
}

pub fn fancy_index() -> String {
    with_help(
        format!("{VALID_INDICES}; fancy indexing is not supported"),
        "pick single positions with ndarray's `select(Axis(n), &[..])`, or one index at a time",
    )
}

pub fn boolean_mask() -> String {
    with_help(
        format!("{VALID_INDICES}; boolean masks are not supported"),
        "collect the positions that are true and use ndarray's `select(Axis(n), &[..])`",
    )
}

// ---- ranges

pub fn too_many_parts(parts: usize, first_three: &[TokenTree]) -> String {
    with_help(
        format!("a slice has at most three parts, `begin:end:step`, and this one has {parts}"),
        format!(
            "write `{}`, and parentheses around a path",
            text(first_three)
        ),
    )
}

pub fn zero_step() -> String {
    with_help(
        "slice step cannot be zero",
        "leave it out for every element, or write `-1` to walk backwards",
    )
}

pub fn item_in_range(item: &[TokenTree], bound: Range<usize>) -> String {
    let without = format!("{}{}", text(&item[..bound.start]), text(&item[bound.end..]));
    with_help(
        format!(
            "`{}` is an item of its own and no bound",
            text(&item[bound])
        ),
        format!("write nothing to leave a bound out, `{without}`"),
    )
}

pub fn rust_range(ours: &str) -> String {
    with_help(
        "a range is written as in Python, with `:`",
        format!("write `{ours}`"),
    )
}

pub fn ndarray_step(ours: &str) -> String {
    with_help(
        "a range and its step are written as in Python, with `:`",
        format!("write `{ours}`"),
    )
}

pub fn ndarray_negative_step(ours: Option<&str>) -> String {
    let advice = "write the first element, the one behind the last, and the step";
    with_help(
        "ndarray's negative step walks the range from its last element, Python's begins at `begin`",
        ours.map_or_else(|| advice.to_owned(), |ours| format!("write `{ours}`")),
    )
}

pub fn semicolon() -> String {
    with_help(
        "`;` has no meaning in a Python slice",
        "write `,` between items and `:` between the parts of a range",
    )
}

pub fn path_without_parentheses(item: &[TokenTree], paths: &[Range<usize>]) -> String {
    with_help(
        "every `:` separates the parts of a slice, so a path needs parentheses",
        format!("write `{}`", text_with_parentheses(item, paths)),
    )
}

// ---- bounds

pub fn beyond_i64(role: Role) -> String {
    let help = match role {
        Role::End => "leave the end out to go to the last element",
        Role::Begin => "leave the begin out to start at the first element",
        Role::Index | Role::Stride => "no axis is that long: write a smaller number",
    };
    with_help("this literal is too large for an `i64`", help)
}

pub fn beyond_its_type() -> String {
    with_help(
        "this literal is too large for its type",
        "take the suffix away, or write a smaller number",
    )
}

pub fn negative_unsigned() -> String {
    with_help(
        "an unsigned literal cannot be negative",
        "take the suffix away",
    )
}

pub fn u128_literal() -> String {
    with_help(
        format!("{ONLY_INTEGERS} of any primitive type but `u128`"),
        "take the suffix away",
    )
}

/// `nearest` are the integers around the float: one if it is whole.
pub fn float(nearest: Option<(i64, i64)>) -> String {
    let help = match nearest {
        Some((below, above)) if below == above => format!("write `{below}`"),
        Some((below, above)) => format!("write `{below}` or `{above}`"),
        None => "round it and write it without fraction and exponent".to_owned(),
    };
    with_help(format!("{ONLY_INTEGERS}, not floats"), help)
}

pub fn boolean() -> String {
    with_help(
        format!("{ONLY_INTEGERS}, not booleans"),
        "write `0` or `1`, or `newaxis` for a new axis",
    )
}

pub fn text_literal() -> String {
    with_help(
        format!("{ONLY_INTEGERS}, not text"),
        "write a number; a slice in a string is parsed by `DynSliceSpec`",
    )
}

pub fn lone_operator(operator: &[TokenTree]) -> String {
    let operator = text(operator);
    with_help(
        format!("`{operator}` alone is no bound"),
        format!("write a number behind it, `{operator}1`"),
    )
}

pub fn missing_operand(operator: &[TokenTree]) -> String {
    with_help(
        format!("an operand of `{}` is missing", text(operator)),
        "write the whole expression",
    )
}

pub fn leading_plus(operand: &[TokenTree]) -> String {
    with_help(
        "a `+` in front of a number is not Rust",
        format!("write `{}`", text(operand)),
    )
}

pub fn assignment() -> String {
    with_help("an item cannot assign", "write the value alone")
}

pub fn power() -> String {
    with_help("`**` is not Rust", "write `base.pow(exponent)`")
}

pub fn statement(word: &[TokenTree]) -> String {
    with_help(
        format!("`{}` is no item of a slice", text(word)),
        "write an index, a range, `...` or `newaxis`; compute the number in front of the macro or in a block",
    )
}

pub fn not_an_expression(token: &[TokenTree]) -> String {
    with_help(
        format!("`{}` has no place in an item of a slice", text(token)),
        VALID_INDICES,
    )
}

// ---- named slices

const NAMED_FORM: &str = "write `const NAME = s![...];`";

pub fn named_form() -> String {
    with_help(
        "`named!` gives names to slices and nothing else",
        NAMED_FORM,
    )
}

pub fn named_with_type() -> String {
    with_help("`named!` finds the type of a slice itself", NAMED_FORM)
}

pub fn named_without_semicolon() -> String {
    with_help("a semicolon is missing behind this", NAMED_FORM)
}
