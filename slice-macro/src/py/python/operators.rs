//! Detects operators that do not exist in Rust, and assignments and comparisons that Rust's parser rejects.

use proc_macro2::{Delimiter, TokenTree};

use super::begins_operand;
use crate::py::functions::float;
use crate::py::messages::{SEVERAL_TARGETS_HELP, with_help};
use crate::text::text;
use crate::tokens::{is_any_punct, is_any_word, is_group, is_joint, is_punct, is_word};

/// Operators of other languages, and the help for each. In the help, `{0}` is the left operand, and `{1}` the right operand,
/// `{f1}` as a float.
const OPERATORS: [(&str, &str); 6] = [
    ("++", "write `+= 1`"),
    ("--", "write `-= 1`"),
    (
        "**=",
        "write `{0} = {0}.powf({f1})`, or `{0} = {0}.mapv(|value: i64| value.pow({1}))` for integers",
    ),
    (":=", "write `=`, or `let ... =` to declare a new variable"),
    ("<>", "write `!=`"),
    (".*", "write `*`, which multiplies element by element"),
];

/// Detects operators after an operand, an assignment to several targets, and chained comparisons.
pub fn operator(before: &[TokenTree], here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
    let signs: Vec<&TokenTree> = std::iter::once(here).chain(after).collect();
    let is_written = |operator: &str| {
        let is_pair = |(at, sign)| {
            let token: Option<&&TokenTree> = signs.get(at);
            token.is_some_and(|token| {
                is_punct(token, sign) && (is_joint(token) || at + 1 == operator.len())
            })
        };
        operator.chars().enumerate().all(is_pair)
            && (after.len() == 1 || !matches!(operator, "++" | "--"))
    };
    if let Some((operator, help)) = OPERATORS.iter().find(|(operator, _)| is_written(operator)) {
        let problem = format!("`{operator}` is not an operator in Rust");
        let right = text(after.get(operator.len() - 1..).unwrap_or_default());
        let of_floats = help.split(", or `{0}").next().unwrap_or(help);
        let help = if right.contains('.') { of_floats } else { help };
        let help = help.replace("{0}", &text(before)).replace("{1}", &right);
        let help = help.replace("{f1}", &float(&right));
        return Some(with_help(here.span(), &problem, &help));
    }
    let is_error = if is_punct(here, ',') {
        is_in_several_targets(before, after).then_some((
            "an assignment to several targets needs a pattern in Rust",
            SEVERAL_TARGETS_HELP,
        ))
    } else {
        is_chained_comparison(before, here, after).then_some((
            "comparisons cannot be chained in Rust",
            "write each comparison in parentheses, as in `(x[1:] > 1.0) & (x[1:] < 3.0)`, or use `&&` if the operands are numbers",
        ))
    };
    is_error.map(|(problem, help)| with_help(here.span(), problem, help))
}

/// Returns whether a comma belongs to the targets of an assignment.
fn is_in_several_targets(before: &[TokenTree], after: &[TokenTree]) -> bool {
    let is_assigned = |equals: usize| {
        let next = after.get(equals + 1);
        !next.is_some_and(|next| is_any_punct(next, ">="))
            && !after[..equals].iter().any(|token| is_word(token, "let"))
    };
    let equals = after.iter().position(|token| is_punct(token, '='));
    equals.is_some_and(is_assigned) && !before.iter().any(|token| is_any_punct(token, "=|"))
}

fn is_chained_comparison(before: &[TokenTree], here: &TokenTree, after: &[TokenTree]) -> bool {
    let is_comparison = |token: &TokenTree| is_any_punct(token, "<>");
    let ends_arrow =
        |tokens: &[TokenTree]| tokens.last().is_some_and(|last| is_any_punct(last, "-="));
    let Some(chained) = after.iter().position(is_comparison) else {
        return false;
    };
    let middle = &after[..chained];
    let ends_condition = |token: &TokenTree| {
        is_group(token, Delimiter::Brace) || is_any_word(token, "and or not in is if else elif")
    };
    let has_colon = |tokens: &[TokenTree]| tokens.iter().any(|token| is_punct(token, ':'));
    is_comparison(here)
        && !middle.is_empty()
        && !middle.iter().any(ends_condition)
        && ![before, middle]
            .iter()
            .any(|side| has_colon(side) || ends_arrow(side))
}

/// Detects `~` and `+` before an operand.
pub fn prefix(here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
    let (problem, help) = match here {
        _ if is_punct(here, '~') => ("`~` is not an operator in Rust", "write `!`"),
        _ if is_punct(here, '+') && !is_joint(here) => (
            "leading `+` is not supported",
            "remove the `+`, or write `+=` to add to the left side",
        ),
        _ => return None,
    };
    let operand_follows = after.first().is_some_and(begins_operand);
    operand_follows.then(|| with_help(here.span(), problem, help))
}
