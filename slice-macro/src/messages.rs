//! The messages of `s![]` and `named!`, and the messages of `py!` about lists. Each message begins in lower case,
//! unless its first word is a name such as Rust. A message first states the error, in the words of NumPy or rustc if
//! either reports the same error, so that users find explanations on the web. The message then suggests a correction,
//! which begins with a verb. If the name of a function does not make clear which mistake the message is about, the
//! documentation of the function shows an example.

use std::ops::Range;

use proc_macro2::TokenTree;

use crate::split::BoundRole;
use crate::text::text;
use crate::tokens::is_punct;

const ONLY_INTEGERS: &str = "slice bounds must be integers";
const VALID_INDICES: &str = "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`), lists and masks are valid indices";

fn with_help(problem: impl AsRef<str>, help: impl AsRef<str>) -> String {
    format!("{}\nhelp: {}", problem.as_ref(), help.as_ref())
}

fn write(code: impl AsRef<str>) -> String {
    format!("write `{}`", code.as_ref())
}

// ---- items

pub fn second_ellipsis() -> String {
    with_help(
        "an index can only have a single ellipsis ('...')",
        "write `...` once, and `:` for any other whole axis",
    )
}

/// Returns the message for `..`, `_` and `*`, which mean a whole axis in other notations.
pub fn whole_axis(written: &[TokenTree]) -> String {
    with_help(
        format!("`{}` is not an item of a Python slice", text(written)),
        "write `:` for a whole axis, or `...` for all remaining axes",
    )
}

pub fn wrong_dots(dots: usize) -> String {
    with_help(
        format!("an ellipsis must have 3 dots, not {dots}"),
        write("..."),
    )
}

pub fn misspelled_ellipsis() -> String {
    with_help("an ellipsis is written `...`", write("..."))
}

pub fn misspelled_new_axis() -> String {
    with_help(
        "a new axis is written `newaxis`, as in NumPy",
        "write `newaxis` or `None`, or put the name in parentheses if it is a variable",
    )
}

/// Returns the message for `null`.
pub fn null() -> String {
    with_help(
        "a new axis is written `newaxis` or `None`, as in NumPy",
        "write `newaxis`, or put the name in parentheses if it is a variable",
    )
}

pub fn qualified_new_axis() -> String {
    with_help(
        "`newaxis` is a keyword of the macro, not a path",
        "write `newaxis` or `None`",
    )
}

pub fn empty_item() -> String {
    with_help(
        "an item is missing before this comma",
        "write `:` for a whole axis, or remove the comma",
    )
}

pub fn missing_comma(left: &[TokenTree], right: &[TokenTree]) -> String {
    with_help(
        "a comma is missing before this",
        write(format!("{}, {}", text(left), text(right))),
    )
}

pub fn too_many_items() -> String {
    with_help(
        "too many items: a slice has at most 64",
        "write `...` for several whole axes, or slice twice",
    )
}

pub fn extra_brackets(inside: &[TokenTree]) -> String {
    let without = write(format!("s![{}]", text(inside)));
    if inside.iter().any(|token| is_punct(token, ',')) {
        return with_help(
            "a list in `s![]` consists of single positions, and contains no ranges",
            format!("{without} for one item for each axis, or write each position of the list"),
        );
    }
    with_help("these brackets are not needed: `s![]` has its own", without)
}

pub fn numpy_brackets(inside: &[TokenTree]) -> String {
    with_help(
        "`s![]` replaces NumPy's `np.s_[]`",
        write(format!("s![{}]", text(inside))),
    )
}

pub fn range_in_parentheses(inside: &[TokenTree]) -> String {
    with_help("only a bound can be in parentheses", write(text(inside)))
}

/// Returns the message for `s![x[1:]]`.
pub fn array_in_a_slice(array: &[TokenTree], items: &[TokenTree]) -> String {
    with_help(
        "`s![]` takes only the items of a slice, not the array",
        write(format!("{}.at(s![{}])", text(array), text(items))),
    )
}

/// Returns the message for `s![()]`.
pub fn empty_tuple() -> String {
    with_help("an empty tuple is not an item", write("s![]"))
}

/// Returns the message for `s![(0, 1)]`.
pub fn tuple(inside: &[TokenTree]) -> String {
    with_help(
        "parentheses around all items are not needed",
        write(format!("s![{}]", text(inside))),
    )
}

/// Returns the message for a list or a tuple that is written as a bound.
pub fn list_in_range() -> String {
    with_help(
        "a list is an item of its own, not a bound",
        "write the list as an item (`[0, 2]`), or write a range (`0:2`)",
    )
}

/// Returns the message for `(0, 2)` among other items.
pub fn list_in_parentheses(inside: &[TokenTree]) -> String {
    with_help(
        "a list is written in brackets, not in parentheses",
        write(format!("[{}]", text(inside))),
    )
}

pub fn boolean_mask() -> String {
    with_help(
        VALID_INDICES,
        "compute the mask before the macro, with one `bool` for each position of its axis, and write `&mask`",
    )
}

// ---- lists

pub fn empty_element() -> String {
    with_help(
        "a position is missing before this comma",
        "write a number, or remove the comma",
    )
}

pub fn mixed_list() -> String {
    with_help(
        "a list must contain either positions or booleans, not both",
        "write only positions or only `true` and `false`, or compute the mask before the macro and write `&mask`",
    )
}

pub fn nested_list() -> String {
    with_help(
        "a list cannot contain tuples",
        "write an inner list in brackets, as in `[[0, 2], [1, 1]]`, or points as `zip([0, 2], [1, 1])`",
    )
}

/// Returns the message for lists of different shapes in a list.
pub fn ragged_list() -> String {
    with_help(
        "setting an array element with a sequence: the list has an inhomogeneous shape",
        "write lists of the same length in a list; for two axes, write two lists, with a comma between them",
    )
}

pub fn too_many_axes() -> String {
    with_help(
        "a list can have at most six axes",
        "write fewer brackets, or parse a `DynSliceSpec` at run time",
    )
}

/// Returns the message for an argument of `zip` that is not a list.
pub fn point_list(argument: &[TokenTree]) -> String {
    let argument = text(argument);
    with_help(
        format!("`{argument}` is not a list, but `zip` in a slice needs a list for each axis"),
        format!(
            "write `&{argument}`, or a list such as `[0, 2]`; to call a function named `zip`, put the call in parentheses"
        ),
    )
}

pub fn mask_in_points() -> String {
    with_help(
        "the lists in `zip` must contain positions, but this one is a mask",
        "write the mask as an item of its own, or the positions at which it is true",
    )
}

pub fn empty_points() -> String {
    with_help(
        "`zip` in a slice needs a list for each axis to which it applies",
        "write the lists, as in `zip(&rows, &columns)`; to call a function named `zip`, put the call in parentheses",
    )
}

pub fn python_boolean(word: &str) -> String {
    with_help(
        format!("there is no `{word}` in Rust"),
        write(word.to_lowercase()),
    )
}

/// Returns the message for `[0; n]`.
pub fn repeated_element() -> String {
    with_help(
        "the positions in a list must be separated by commas, not by `;`",
        "write `&` before a Rust array to use it as the list, as in `&[0; 3]`",
    )
}

// ---- ranges

pub fn too_many_parts(parts: usize, first_three: &[TokenTree]) -> String {
    with_help(
        format!("a range can have at most 3 parts (`begin:end:step`), but this one has {parts}"),
        format!(
            "write `{}`, or put a path in parentheses",
            text(first_three)
        ),
    )
}

pub fn zero_step() -> String {
    with_help(
        "slice step cannot be zero",
        "omit it to select every element, or write `-1` to go backwards",
    )
}

pub fn item_in_range(item: &[TokenTree], bound: Range<usize>) -> String {
    let without = format!("{}{}", text(&item[..bound.start]), text(&item[bound.end..]));
    with_help(
        format!(
            "`{}` is an item of its own, not a bound",
            text(&item[bound])
        ),
        format!("omit the bound (`{without}`)"),
    )
}

/// Returns the message for `1:null`.
pub fn null_in_range(item: &[TokenTree], bound: Range<usize>) -> String {
    let without = format!("{}{}", text(&item[..bound.start]), text(&item[bound.end..]));
    with_help(
        format!("`{}` is not a bound", text(&item[bound])),
        format!(
            "omit the bound (`{without}`), write `None`, or put the name in parentheses if it is a variable"
        ),
    )
}

pub fn rust_range(python_range: &str) -> String {
    with_help(
        "a range is written as in Python, with `:`",
        write(python_range),
    )
}

/// Returns the message for ndarray's `0..4;2`, and for words and semicolons before a step.
pub fn step(python_range: &str) -> String {
    with_help(
        "a range and its step are written as in Python, with `:`",
        write(python_range),
    )
}

/// Returns the message for `1 to 3`, a notation that includes the end in some languages. `end_after_last` is the end of
/// the Python range that includes the position `end`.
pub fn range_in_words(begin: &[TokenTree], end: &[TokenTree], end_after_last: &str) -> String {
    let (begin, end) = (text(begin), text(end));
    with_help(
        "a range is written as in Python, with `:`",
        format!(
            "write `{begin}:{end}`, or `{begin}:{end_after_last}` to include the last position"
        ),
    )
}

pub fn ndarray_negative_step(python_range: Option<&str>) -> String {
    let advice = "use `begin:end:step`, where `begin` is the first selected position and `end` is one below the last, or omitted if the last is 0";
    with_help(
        "with a negative step, ndarray starts at the last element of the range, but Python starts at `begin`",
        python_range.map_or_else(|| advice.to_owned(), write),
    )
}

pub fn semicolon() -> String {
    with_help(
        "`;` has no meaning in a Python slice",
        "write `,` between items and `:` between the parts of a range",
    )
}

// ---- bounds

pub fn beyond_i64(role: BoundRole, is_negative: bool) -> String {
    let help = match role {
        BoundRole::End if !is_negative => "omit the end to select up to the last element",
        BoundRole::Begin if is_negative => "omit the bound to start at the first element",
        _ => "write a number closer to zero, because no axis is that long",
    };
    with_help("literal out of range for `i64`", help)
}

pub fn beyond_literal_type() -> String {
    with_help(
        "literal out of range for its type",
        "remove the suffix, or write a number closer to zero",
    )
}

pub fn u128_literal() -> String {
    with_help(
        format!("{ONLY_INTEGERS} of any primitive type except `u128`"),
        "remove the suffix",
    )
}

/// Returns the message for a float. `nearest` holds the integers below and above the float, or is `None` if the float
/// is too large. If the float is a whole number, the two integers are equal.
pub fn float(nearest: Option<(i64, i64)>) -> String {
    let help = match nearest {
        Some((below, above)) if below == above => format!("write `{below}`"),
        Some((below, above)) => format!("write `{below}` or `{above}`"),
        None => "write an integer, without a fraction or an exponent".to_owned(),
    };
    with_help(format!("{ONLY_INTEGERS}, not floats"), help)
}

pub fn boolean(role: BoundRole) -> String {
    let help = match role {
        BoundRole::Index => {
            "write `0` or `1`, `newaxis` for a new axis, or a mask with one `bool` for each position of its axis, as in `[true, false]`"
        }
        BoundRole::Begin | BoundRole::End | BoundRole::Step => "write a number",
    };
    with_help(format!("{ONLY_INTEGERS}, not booleans"), help)
}

pub fn text_literal() -> String {
    with_help(
        format!("{ONLY_INTEGERS}, not text"),
        "write a number; to parse a whole slice from a string, use `DynSliceSpec`",
    )
}

pub fn closure() -> String {
    with_help(
        format!("{ONLY_INTEGERS}, not closures"),
        "call the closure, as in `(|n| n + 1)(2)`, or write the number",
    )
}

pub fn lone_operator(operator: &[TokenTree]) -> String {
    let operator = text(operator);
    let example = if matches!(operator.as_str(), "-" | "!" | "*" | "&") {
        format!("write a number after it, as in `{operator}1`")
    } else {
        "write a number".to_owned()
    };
    with_help(format!("`{operator}` alone is not a bound"), example)
}

pub fn missing_operand(operator: &[TokenTree]) -> String {
    with_help(
        format!("this expression is incomplete after `{}`", text(operator)),
        "complete the expression",
    )
}

pub fn leading_plus(operand: &[TokenTree]) -> String {
    with_help("leading `+` is not supported", write(text(operand)))
}

/// Returns the message for `n++` and `n--`.
pub fn increment(operand: &[TokenTree], sign: char) -> String {
    with_help(
        format!("`{sign}{sign}` is not an operator in Rust"),
        write(format!("{} {sign} 1", text(operand))),
    )
}

pub fn assignment(value: &[TokenTree]) -> String {
    with_help("an item cannot be an assignment", write(text(value)))
}

pub fn power(base: &[TokenTree], exponent: &[TokenTree]) -> String {
    let (base, exponent) = (text(base), text(exponent));
    let base = if base.starts_with(|first: char| first.is_ascii_digit()) {
        format!("{base}_i64")
    } else {
        base
    };
    let exponent = exponent.trim_start_matches('(').trim_end_matches(')');
    with_help(
        "`**` is not an operator in Rust",
        write(format!("{base}.pow({exponent})")),
    )
}

/// Returns the message for a `division` such as `// 2`, which Rust reads as a comment.
pub fn floor_division(division: &str) -> String {
    with_help(
        format!("`//` begins a comment in Rust, so `{division}` is ignored"),
        "write `/`, or `div_euclid` to round down, as in `7_i64.div_euclid(2)` or `x.mapv(|value| value.div_euclid(2))`",
    )
}

/// Returns the message for `#`, which begins a comment in Python.
pub fn hash() -> String {
    with_help(
        "`#` does not begin a comment in Rust",
        "begin the comment with `//`",
    )
}

/// Returns the message for `a if condition else b`.
pub fn conditional(condition: &[TokenTree], then: &[TokenTree], otherwise: &[TokenTree]) -> String {
    with_help(
        "a conditional expression begins with `if` in Rust",
        write(format!(
            "if {} {{ {} }} else {{ {} }}",
            text(condition),
            text(then),
            text(otherwise)
        )),
    )
}

/// Returns the message for `not n`.
pub fn python_not(operand: &[TokenTree]) -> String {
    let operand = match operand {
        [_] => text(operand),
        _ => format!("({})", text(operand)),
    };
    with_help(
        "`not` is not an operator in Rust",
        format!(
            "write `&!{operand}` for a mask, or `!{operand}` for the bitwise complement of an integer"
        ),
    )
}

/// Returns the message for `i in rows`.
pub fn python_in(element: &[TokenTree], list: &[TokenTree]) -> String {
    let (element, written) = (text(element), text(list));
    let all = match list {
        [TokenTree::Ident(_)] => format!("write `&{written}` for all positions in the list, or "),
        _ => String::new(),
    };
    with_help(
        "`in` is not an operator in Rust",
        format!(
            "{all}write `{element}` in a loop (`for {element} in {written}`) for one position at a time"
        ),
    )
}

/// Returns the message for Python's `and`, `or`, `not` and `is`.
pub fn python_operator(word: &str) -> String {
    with_help(
        format!("`{word}` is not an operator in Rust"),
        "write a number, or compute a mask before the macro, with one `bool` for each position of its axis, and write `&mask`",
    )
}

pub fn label(label: &[TokenTree]) -> String {
    with_help(
        format!("`{}` is a label, not a bound", text(label)),
        "write a number; a label can precede only a loop or a block",
    )
}

pub fn statement(word: &[TokenTree]) -> String {
    with_help(
        format!("`{}` cannot begin an item of a slice", text(word)),
        "write an index, a range, `...` or `newaxis`; if a bound needs statements, write them before the macro or in a block",
    )
}

pub fn not_an_expression(token: &[TokenTree]) -> String {
    let help = match text(token).as_str() {
        "~" => "write `&!mask` for the complement of a mask, or `!n` for that of an integer",
        _ => "write an index, a range, `...` or `newaxis`",
    };
    with_help(
        format!("`{}` cannot be part of an item of a slice", text(token)),
        help,
    )
}

pub fn too_deep() -> String {
    with_help(
        "this expression is nested too deeply for the compiler",
        "compute it before the macro",
    )
}

// ---- hints for errors that the compiler may report
//
// Only the compiler can determine whether a name is declared, and which type it has. The expansion therefore wraps a
// doubtful token in a macro whose name is a hint. If the compiler reports an error at the token, it adds the note "this
// error originates in the macro `...`", which shows the hint.

pub const PATH_HINT: &str = "a_path_to_a_constant_in_a_module_must_be_in_parentheses";
pub const TWO_PATHS_HINT: &str = "a_constant_before_a_step_must_be_in_parentheses";
pub const NEW_AXIS_HINT: &str = "the_new_axis_is_spelled_newaxis";
pub const ELLIPSIS_HINT: &str = "the_ellipsis_is_written_with_three_dots";
pub const NEW_AXIS_IN_PARENTHESES_HINT: &str = "newaxis_must_not_be_in_parentheses";
pub const UNPACKING_HINT: &str = "items_known_only_at_run_time_need_a_DynSliceSpec";
pub const UNSIGNED_HINT: &str = "convert_an_unsigned_number_with_as_i64_before_negating_it";
pub const LAST_INDEX_HINT: &str = "the_last_index_is_minus_1";
pub const LAST_BOUND_HINT: &str = "omit_the_bound_or_write_a_negative_one";
pub const CONVERSION_HINT: &str = "a_number_is_converted_with_as_i64";
pub const SLICE_HINT: &str = "a_slice_object_is_written_with_colons";

// ---- named slices

const NAMED_FORM: &str = "write `const NAME = s![...];`";

pub fn named_form() -> String {
    with_help("`named!` takes only declarations of slices", NAMED_FORM)
}

pub fn named_without_const(name: &str, slice: &str) -> String {
    with_help(
        "`const` is missing before the name",
        format!("write `const {name} = {slice};`"),
    )
}

pub fn named_with_type() -> String {
    with_help(
        "`named!` infers the type of a slice, so the declaration cannot have a type",
        NAMED_FORM,
    )
}

pub fn named_without_semicolon() -> String {
    with_help("a semicolon is missing after this", NAMED_FORM)
}
