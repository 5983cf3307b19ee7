//! The messages of `s![]` and `named!`, and the messages of `py!` about lists. Each message begins in lower case,
//! unless its first word is a name such as Rust. A message first states the error, in the words of NumPy or rustc if
//! either reports the same error, so that users find explanations on the web. The message then suggests a correction,
//! which begins with a verb. If the name of a message does not make clear which mistake the message is about, its
//! documentation shows an example.

use std::ops::Range;

use proc_macro2::{Delimiter, TokenTree};

use crate::split::BoundRole;
use crate::text::text;
use crate::tokens::{is_group, is_punct, is_word};

// ---- items

pub const SECOND_ELLIPSIS: &str = "an index can only have a single ellipsis ('...')\n\
    help: write `...` once, and `:` for any other whole axis";

/// Returns the message for `..`, `_` and `*`, which mean a whole axis in other notations.
pub fn whole_axis(written: &[TokenTree]) -> String {
    format!(
        "`{}` is not an item of a Python slice\n\
         help: write `:` for a whole axis, or `...` for all remaining axes",
        text(written)
    )
}

pub fn wrong_dots(dots: usize) -> String {
    format!("an ellipsis must have 3 dots, not {dots}\nhelp: write `...`")
}

pub const MISSPELLED_ELLIPSIS: &str = "an ellipsis is written `...`\n\
    help: write `...`";

pub const MISSPELLED_NEW_AXIS: &str = "a new axis is written `newaxis`, as in NumPy\n\
    help: write `newaxis` or `None`, or put the name in parentheses if it is a variable";

/// The message for `null`.
pub const NULL: &str = "a new axis is written `newaxis` or `None`, as in NumPy\n\
    help: write `newaxis`, or put the name in parentheses if it is a variable";

pub const QUALIFIED_NEW_AXIS: &str = "`newaxis` is a keyword of the macro, not a path\n\
    help: write `newaxis` or `None`";

pub const EMPTY_ITEM: &str = "an item is missing before this comma\n\
    help: write `:` for a whole axis or `...` for all remaining axes, or remove the comma";

pub fn missing_comma(left: &[TokenTree], right: &[TokenTree]) -> String {
    let (left, right) = (text(left), text(right));
    format!("a comma is missing before this\nhelp: write `{left}, {right}`")
}

pub const TOO_MANY_ITEMS: &str = "too many items: a slice has at most 64\n\
    help: write `...` for several whole axes, or slice twice";

pub fn extra_brackets(inside: &[TokenTree]) -> String {
    let without = format!("write `s![{}]`", text(inside));
    if inside.iter().any(|token| is_punct(token, ',')) {
        return format!(
            "a list in `s![]` consists of single positions, and contains no ranges\n\
             help: {without} for one item for each axis, or write each position of the list"
        );
    }
    format!("these brackets are not needed: `s![]` has its own\nhelp: {without}")
}

pub fn numpy_brackets(inside: &[TokenTree]) -> String {
    let inside = text(inside);
    format!("`s![]` replaces NumPy's `np.s_[]`\nhelp: write `s![{inside}]`")
}

pub fn range_in_parentheses(inside: &[TokenTree]) -> String {
    let inside = text(inside);
    format!("only a bound can be in parentheses\nhelp: write `{inside}`")
}

/// Returns the message for `s![x[1:]]`.
pub fn array_in_a_slice(array: &[TokenTree], items: &[TokenTree]) -> String {
    format!(
        "`s![]` takes only the items of a slice, not the array\nhelp: write `{}.at(s![{}])`",
        text(array),
        text(items)
    )
}

/// The message for `s![()]`.
pub const EMPTY_TUPLE: &str = "an empty tuple is not an item\n\
    help: write `s![]`";

/// Returns the message for `s![(0, 1)]`.
pub fn tuple(inside: &[TokenTree]) -> String {
    let mut items = inside.split(|token| is_punct(token, ','));
    let are_lists = items.all(|item| {
        matches!(item, [first, ..] if is_group(first, Delimiter::Bracket) || is_punct(first, '&'))
    });
    let inside = text(inside);
    let points = match are_lists {
        true => format!(
            "`s![zip({inside})]` for a position in each list at a time, as in NumPy, or, for all combinations, "
        ),
        false => String::new(),
    };
    format!("parentheses around all items are not needed\nhelp: write {points}`s![{inside}]`")
}

/// The message for a list or a tuple that is written as a bound.
pub const LIST_IN_RANGE: &str = "a list is an item of its own, not a bound\n\
    help: write the list as an item (`[0, 2]`), or write a range (`0:2`)";

/// Returns the message for `(0, 2)` among other items.
pub fn list_in_parentheses(inside: &[TokenTree]) -> String {
    let inside = text(inside);
    format!("a list is written in brackets, not in parentheses\nhelp: write `[{inside}]`")
}

pub const BOOLEAN_MASK: &str = "only integers, slices (`:`), ellipsis (`...`), newaxis (`None`), lists and masks are valid indices\n\
    help: compute the mask before the macro, with one `bool` for each position of its axis, and write `&mask`";

// ---- lists

pub const EMPTY_ELEMENT: &str = "a position is missing before this comma\n\
    help: write a number, or remove the comma";

pub const MIXED_LIST: &str = "a list must contain either positions or booleans, not both\n\
    help: write only positions or only `true` and `false`, or compute the mask before the macro and write `&mask`";

pub const NESTED_LIST: &str = "a list cannot contain tuples\n\
    help: write an inner list in brackets, as in `[[0, 2], [1, 1]]`, or points as `zip([0, 2], [1, 1])`";

/// The message for lists of different shapes in a list.
pub const RAGGED_LIST: &str = "setting an array element with a sequence: the list has an inhomogeneous shape\n\
    help: write lists of the same length in a list; for two axes, write two lists, with a comma between them";

pub const TOO_MANY_AXES: &str = "a list can have at most six axes\n\
    help: write fewer brackets, or parse a `DynSliceSpec` at run time";

/// Returns the message for an argument of `zip` that is not a list.
pub fn point_list(argument: &[TokenTree]) -> String {
    let is_range = argument.iter().any(|token| is_punct(token, ':'));
    let argument = text(argument);
    let borrowed = match argument.strip_prefix('*') {
        _ if is_range => String::new(),
        Some(points) => format!(
            "`zip(&rows, &columns)` after `let (rows, columns): (Vec<_>, Vec<_>) = {points}.iter().copied().unzip();`, or "
        ),
        None => format!("`&{argument}`, or "),
    };
    format!(
        "`{argument}` is not a list, but `zip` in a slice needs a list for each axis\n\
         help: write {borrowed}a list such as `[0, 2]`; to call a function named `zip`, put the call in parentheses"
    )
}

pub const MASK_IN_POINTS: &str = "the lists in `zip` must contain positions, but this one is a mask\n\
    help: write the mask as an item of its own, or the positions at which it is true";

pub const EMPTY_POINTS: &str = "`zip` in a slice needs a list for each axis to which it applies\n\
    help: write the lists, as in `zip(&rows, &columns)`; to call a function named `zip`, put the call in parentheses";

pub fn python_boolean(word: &str) -> String {
    let in_rust = word.to_lowercase();
    format!("there is no `{word}` in Rust\nhelp: write `{in_rust}`")
}

/// The message for `[0; n]`.
pub const REPEATED_ELEMENT: &str = "the positions in a list must be separated by commas, not by `;`\n\
    help: write `&` before a Rust array to use it as the list, as in `&[0; 3]`";

// ---- ranges

pub fn too_many_parts(parts: usize, first_three: &[TokenTree]) -> String {
    let range = text(first_three);
    format!(
        "a range can have at most 3 parts (`begin:end:step`), but this one has {parts}\n\
         help: remove a part, as in `{range}`, or put a path in parentheses"
    )
}

pub const ZERO_STEP: &str = "slice step cannot be zero\n\
    help: omit it to select every element, or write `-1` to go backwards";

pub fn item_in_range(item: &[TokenTree], bound: Range<usize>) -> String {
    let before = text(&item[..bound.start]);
    let is_last = bound.start > 0 && bound.end == item.len();
    let (without, bound) = without_bound(item, bound);
    let comma = is_last.then(|| format!("write `{before}, {bound}`, or "));
    let comma = comma.unwrap_or_default();
    format!(
        "`{bound}` is an item of its own, not a bound\nhelp: {comma}omit the bound (`{without}`)"
    )
}

/// Returns the message for `1:null`.
pub fn null_in_range(item: &[TokenTree], bound: Range<usize>) -> String {
    let (without, bound) = without_bound(item, bound);
    format!(
        "`{bound}` is not a bound\n\
         help: omit the bound (`{without}`), write `None`, or put the name in parentheses if it is a variable"
    )
}

/// Returns the text of an item without one of its bounds, and the text of the bound.
fn without_bound(item: &[TokenTree], bound: Range<usize>) -> (String, String) {
    let (before, after) = (text(&item[..bound.start]), text(&item[bound.end..]));
    (before + &after, text(&item[bound]))
}

pub fn rust_range(python_range: &str) -> String {
    format!("a range is written as in Python, with `:`\nhelp: write `{python_range}`")
}

/// Returns the message for ndarray's `0..4;2`, and for words and semicolons before a step.
pub fn step(python_range: &str) -> String {
    format!("a range and its step are written as in Python, with `:`\nhelp: write `{python_range}`")
}

/// Returns the message for `1 to 3`, a notation that includes the end in some languages. `end_after_last` is the end of
/// the Python range that includes the position `end`.
pub fn range_in_words(begin: &[TokenTree], end: &[TokenTree], end_after_last: &str) -> String {
    let (begin, end) = (text(begin), text(end));
    format!(
        "a range is written as in Python, with `:`\n\
         help: write `{begin}:{end}`, or `{begin}:{end_after_last}` to include the last position"
    )
}

pub fn ndarray_negative_step(python_range: Option<&str>) -> String {
    let help = match python_range {
        Some(range) => format!("write `{range}`"),
        None => "use `begin:end:step`, where `begin` is the first selected position and `end` is one below the last, \
                 or omitted if the last is 0"
            .to_owned(),
    };
    format!(
        "with a negative step, ndarray starts at the last element of the range, but Python starts at `begin`\nhelp: {help}"
    )
}

pub const SEMICOLON: &str = "`;` has no meaning in a Python slice\n\
    help: write `,` between items and `:` between the parts of a range";

// ---- bounds

pub fn beyond_i64(role: BoundRole, is_negative: bool) -> String {
    let help = match role {
        BoundRole::End if !is_negative => "omit the end to select up to the last element",
        BoundRole::Begin if is_negative => "omit the bound to start at the first element",
        _ => "write a number closer to zero, because no axis is that long",
    };
    format!("literal out of range for `i64`\nhelp: {help}")
}

pub const BEYOND_LITERAL_TYPE: &str = "literal out of range for its type\n\
    help: remove the suffix, or write a number closer to zero";

pub const U128_LITERAL: &str = "slice bounds must be integers of any primitive type except `u128`\n\
    help: remove the suffix";

/// Returns the message for a float. `nearest` holds the integers below and above the float, or is `None` if the float
/// is too large. If the float is a whole number, the two integers are equal.
pub fn float(nearest: Option<(i64, i64)>) -> String {
    let help = match nearest {
        Some((below, above)) if below == above => format!("write `{below}`"),
        Some((below, above)) => format!("write `{below}` or `{above}`"),
        None => "write an integer, without a fraction or an exponent".to_owned(),
    };
    format!("slice bounds must be integers, not floats\nhelp: {help}")
}

pub fn boolean(role: BoundRole) -> String {
    let help = match role {
        BoundRole::Index => {
            "write `0` or `1`, `newaxis` for a new axis, or a mask with one `bool` for each position of its axis, \
             as in `[true, false]`"
        }
        BoundRole::Begin | BoundRole::End | BoundRole::Step => "write a number",
    };
    format!("slice bounds must be integers, not booleans\nhelp: {help}")
}

pub const TEXT_LITERAL: &str = "slice bounds must be integers, not text\n\
    help: write a number; to parse a whole slice from a string, use `DynSliceSpec`";

pub const CLOSURE: &str = "slice bounds must be integers, not closures\n\
    help: call the closure, as in `(|n| n + 1)(2)`, or write the number";

pub fn lone_operator(operator: &[TokenTree]) -> String {
    let operator = text(operator);
    let example = if matches!(operator.as_str(), "-" | "!" | "*" | "&") {
        format!(" after it, as in `{operator}1`")
    } else {
        String::new()
    };
    format!("`{operator}` alone is not a bound\nhelp: write a number{example}")
}

pub fn missing_operand(operator: &[TokenTree]) -> String {
    let operator = text(operator);
    format!("this expression is incomplete after `{operator}`\nhelp: complete the expression")
}

pub fn leading_plus(operand: &[TokenTree]) -> String {
    let operand = text(operand);
    format!("leading `+` is not supported\nhelp: write `{operand}`")
}

/// Returns the message for `n++` and `n--`.
pub fn increment(operand: &[TokenTree], sign: char) -> String {
    let operand = text(operand);
    format!("`{sign}{sign}` is not an operator in Rust\nhelp: write `{operand} {sign} 1`")
}

pub fn assignment(value: &[TokenTree]) -> String {
    let value = text(value);
    format!("an item cannot be an assignment\nhelp: write `{value}`")
}

/// The message for `-n as usize`, which would be clamped to a bound far beyond the end.
pub const NEGATIVE_CAST: &str = "an unsigned number cannot be negative\n\
    help: remove the cast, because a bound may have any integer type";

pub fn power(base: &[TokenTree], exponent: &[TokenTree]) -> String {
    let (base, exponent) = (text(base), text(exponent));
    let begins_with_digit = base.starts_with(|first: char| first.is_ascii_digit());
    let suffix = if begins_with_digit { "_i64" } else { "" };
    let exponent = exponent.trim_start_matches('(').trim_end_matches(')');
    format!("`**` is not an operator in Rust\nhelp: write `{base}{suffix}.pow({exponent})`")
}

/// Returns the message for a `division` such as `// 2`, which Rust reads as a comment.
pub fn floor_division(division: &str) -> String {
    format!(
        "`//` begins a comment in Rust, so `{division}` is ignored\n\
         help: write `/`, or `div_euclid` to round down, as in `7_i64.div_euclid(2)` or `x.mapv(|value| value.div_euclid(2))`"
    )
}

/// The message for `#`, which begins a comment in Python.
pub const HASH: &str = "`#` does not begin a comment in Rust\n\
    help: begin the comment with `//`";

/// Returns the message for `a if condition else b`.
pub fn conditional(condition: &[TokenTree], then: &[TokenTree], otherwise: &[TokenTree]) -> String {
    let (condition, then, otherwise) = (text(condition), text(then), text(otherwise));
    format!(
        "a conditional expression begins with `if` in Rust\n\
         help: write `if {condition} {{ {then} }} else {{ {otherwise} }}`"
    )
}

/// Returns the message for `not n`.
pub fn python_not(operand: &[TokenTree]) -> String {
    let operand = match operand {
        [_] => text(operand),
        _ => format!("({})", text(operand)),
    };
    format!(
        "`not` is not an operator in Rust\n\
         help: write `&!{operand}` for a mask, or `!{operand}` for the bitwise complement of an integer"
    )
}

/// Returns the message for a call of Python's `slice`, `range` or `int`.
pub fn python_call(name: &str, arguments: &[TokenTree]) -> String {
    let bounds = arguments.split(|token| is_punct(token, ','));
    let bounds = bounds.map(|bound| match bound {
        [none] if is_word(none, "None") => String::new(),
        bound => text(bound),
    });
    let bounds: Vec<String> = bounds.collect();
    let code = match (name, &*bounds) {
        ("int", _) => format!("({}) as i64", text(arguments)),
        (_, [end]) => format!(":{end}"),
        _ => bounds.join(":"),
    };
    format!(
        "there is no function `{name}` in a slice\n\
         help: write `{code}`; to call your own function, put the call in parentheses"
    )
}

/// Returns the message for `i in rows`.
pub fn python_in(element: &[TokenTree], list: &[TokenTree]) -> String {
    let (element, written) = (text(element), text(list));
    let all = match list {
        [TokenTree::Ident(_)] => format!("write `&{written}` for all positions in the list, or "),
        _ => String::new(),
    };
    format!(
        "`in` is not an operator in Rust\n\
         help: {all}write `{element}` in a loop (`for {element} in {written}`) for one position at a time"
    )
}

/// Returns the message for Python's `and`, `or`, `not` and `is`.
pub fn python_operator(word: &str) -> String {
    format!(
        "`{word}` is not an operator in Rust\n\
         help: write a number, or compute a mask before the macro, with one `bool` for each position of its axis, \
         and write `&mask`"
    )
}

pub fn label(label: &[TokenTree]) -> String {
    let label = text(label);
    format!(
        "`{label}` is a label, not a bound\n\
         help: write a number; a label can precede only a loop or a block"
    )
}

pub fn statement(word: &[TokenTree]) -> String {
    let word = text(word);
    format!(
        "`{word}` cannot begin an item of a slice\n\
         help: write an index, a range, `...` or `newaxis`; if a bound needs statements, write them before the macro \
         or in a block"
    )
}

pub fn not_an_expression(token: &[TokenTree]) -> String {
    let token = text(token);
    let help = match token.as_str() {
        "~" => "write `&!mask` for the complement of a mask, or `!n` for that of an integer",
        _ => "write an index, a range, `...` or `newaxis`",
    };
    format!("`{token}` cannot be part of an item of a slice\nhelp: {help}")
}

pub const TOO_DEEP: &str = "this expression is nested too deeply for the compiler\n\
    help: compute it before the macro";

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

// ---- named slices

pub const NAMED_FORM: &str = "`named!` takes only declarations of slices\n\
    help: write `const NAME = s![...];`";

pub fn named_without_const(name: &str, slice: &str) -> String {
    format!("`const` is missing before the name\nhelp: write `const {name} = {slice};`")
}

pub const NAMED_WITH_TYPE: &str = "`named!` infers the type of a slice, so the declaration cannot have a type\n\
    help: write `const NAME = s![...];`";

pub const NAMED_WITHOUT_SEMICOLON: &str = "a semicolon is missing after this\n\
    help: write `const NAME = s![...];`";
