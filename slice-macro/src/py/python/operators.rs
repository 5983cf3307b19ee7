//! Detects operators that do not exist in Rust, and assignments and comparisons that Rust's parser rejects.

use proc_macro2::{Delimiter, TokenTree};

use super::operand::{begins_operand, condition, is_python_keyword, operand_at_end};
use crate::py::messages::{SEVERAL_TARGETS_HELP, with_help};
use crate::text::text;
use crate::tokens::{is_group, is_joint, is_punct, is_word};

/// Detects `++`, `--`, `**=` and `:=` after an operand, and an assignment to several targets.
pub fn assignment_operator(
    before: &[TokenTree],
    here: &TokenTree,
    after: &[TokenTree],
) -> Option<syn::Error> {
    let twice = |sign| {
        is_punct(here, sign)
            && is_joint(here)
            && after.first().is_some_and(|next| is_punct(next, sign))
    };
    for sign in ['+', '-'] {
        if twice(sign) && after.len() == 1 {
            return Some(with_help(
                here.span(),
                &format!("`{sign}{sign}` is not an operator in Rust"),
                &format!("write `{} {sign}= 1`", text(operand_at_end(before))),
            ));
        }
    }
    if twice('*') && after.get(1).is_some_and(|next| is_punct(next, '=')) {
        let target = text(operand_at_end(before));
        return Some(with_help(
            here.span(),
            "`**=` is not an operator in Rust",
            &format!(
                "write `{target} = {target}.mapv(|v| v.powi(n))` for an array, or `{target} = {target}.pow(n)` for an integer"
            ),
        ));
    }
    if is_punct(here, ':')
        && is_joint(here)
        && after.first().is_some_and(|next| is_punct(next, '='))
    {
        return Some(with_help(
            here.span(),
            "`:=` is not an operator in Rust",
            "write `=`, or `let ... =` to declare a new variable",
        ));
    }
    if is_punct(here, ',')
        && let Some(equals) = after.iter().position(|token| is_punct(token, '='))
        && !after[..equals].iter().any(|token| is_word(token, "let"))
        && !before
            .iter()
            .any(|token| is_punct(token, '=') || is_punct(token, '|'))
        && !(after
            .get(equals + 1)
            .is_some_and(|next| is_punct(next, '>') || is_punct(next, '=')))
    {
        let targets = match before {
            [first, rest @ ..] if is_word(first, "let") => rest,
            all => all,
        };
        if !targets.iter().chain(&after[..equals]).all(is_name_or_comma) {
            return Some(with_help(
                here.span(),
                "a slice cannot be one of several assignment targets",
                SEVERAL_TARGETS_HELP,
            ));
        }
        let names: Vec<TokenTree> = targets
            .iter()
            .chain([here])
            .chain(&after[..equals])
            .cloned()
            .collect();
        let (names, value) = (text(&names), &after[equals + 1..]);
        let write = match value {
            [array, dot, shape] if is_punct(dot, '.') && is_word(shape, "shape") => {
                format!("write `let ({names}) = {array}.dim();`")
            }
            value => format!("write `let [{names}] = {};`", text(value)),
        };
        return Some(with_help(
            here.span(),
            "assigning to several variables needs a pattern in Rust",
            &write,
        ));
    }
    None
}

fn is_name_or_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_)) || is_punct(token, ',')
}

/// Detects `<>` and `.*` after an operand, chained comparisons, and comparisons without parentheses that are combined
/// with `&` or `|`.
pub fn comparison_or_product(
    before: &[TokenTree],
    here: &TokenTree,
    after: &[TokenTree],
) -> Option<syn::Error> {
    let next_is = |sign| is_joint(here) && after.first().is_some_and(|next| is_punct(next, sign));
    if is_punct(here, '<') && next_is('>') {
        return Some(with_help(
            here.span(),
            "`<>` is not an operator in Rust",
            "write `!=`",
        ));
    }
    if is_punct(here, '.') && after.first().is_some_and(|next| is_punct(next, '*')) {
        return Some(with_help(
            here.span(),
            "`.*` is not an operator in Rust",
            "write `*`, which multiplies element by element",
        ));
    }
    let is_comparison = |token: &TokenTree| is_punct(token, '<') || is_punct(token, '>');
    let is_arrow = |at: usize, tokens: &[TokenTree]| {
        at > 0 && (is_punct(&tokens[at - 1], '-') || is_punct(&tokens[at - 1], '='))
    };
    if is_comparison(here)
        && !is_arrow(before.len(), before)
        && !before.iter().any(|token| is_punct(token, ':'))
    {
        let part_end = after
            .iter()
            .position(|token| is_punct(token, '&') || is_punct(token, '|') || is_punct(token, ','));
        let chained = after.iter().position(is_comparison)?;
        let middle = &after[..chained];
        let ends_condition = |token: &TokenTree| {
            is_group(token, Delimiter::Brace)
                || matches!(token, TokenTree::Ident(word) if is_python_keyword(&word.to_string()))
        };
        if middle.is_empty()
            || middle.iter().any(ends_condition)
            || middle.iter().any(|token| is_punct(token, ':'))
            || is_arrow(chained, after)
        {
            return None;
        }
        let between = text(middle);
        return Some(match part_end.filter(|&end| end < chained) {
            Some(_) => with_help(
                here.span(),
                "comparisons have lower precedence than `&` and `|`",
                "write each comparison in parentheses, as in `(x[1:] > 1.0) & (x[1:] < 3.0)`",
            ),
            None => with_help(
                here.span(),
                "comparisons cannot be chained in Rust",
                &format!(
                    "write `({} {here} {between}) & ({between} {} {})`, or use `&&` if the operands are numbers",
                    text(operand_at_end(before)),
                    text(&after[chained..=chained]),
                    text(condition(&after[chained + 1..]))
                ),
            ),
        });
    }
    None
}

/// Detects `~` and `+` before an operand.
pub fn prefix(here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
    let operand_follows = after.first().is_some_and(begins_operand);
    match here {
        _ if is_punct(here, '~') && operand_follows => Some(with_help(
            here.span(),
            "`~` is not an operator in Rust",
            "write `!`",
        )),
        _ if is_punct(here, '+') && !is_joint(here) && operand_follows => Some(with_help(
            here.span(),
            "leading `+` is not supported",
            "remove the `+`",
        )),
        _ => None,
    }
}
