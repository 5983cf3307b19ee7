//! Detects uses of brackets and parentheses that are valid only in Python, and items that lack a comma.

use proc_macro2::{Delimiter, Group, TokenTree};

use super::operand::{ends_operand, operand_at_end};
use crate::notation::is_keyword;
use crate::py::messages::with_help;
use crate::text::text;
use crate::tokens::{is_joint, is_punct, is_word};

/// Returns whether a token is one of Python's words `and`, `or`, `not` and `is`, which are reported.
fn is_python_operator(token: &TokenTree) -> bool {
    ["and", "or", "not", "is"]
        .iter()
        .any(|word| is_word(token, word))
}

/// Detects a list comprehension, a slice in parentheses instead of brackets, items in parentheses, and a missing comma
/// between items. `is_after_operand` is `true` if an operand precedes the group.
pub fn brackets(before: &[TokenTree], group: &Group, is_after_operand: bool) -> Option<syn::Error> {
    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
    let ends = |token: &TokenTree| matches!(token, TokenTree::Literal(_)) || ends_operand(token);
    match group.delimiter() {
        Delimiter::Bracket => {
            if let Some(at) = inside.iter().position(|token| is_word(token, "for"))
                && at > 0
                && let Some(in_at) = inside.iter().position(|token| is_word(token, "in"))
                && in_at > at
            {
                let help = format!(
                    "write `{0}.iter().map(|{1}| {2}).collect::<Vec<_>>()`, or `{0}.outer_iter()...` for the rows of an array",
                    text(&inside[in_at + 1..]),
                    text(&inside[at + 1..in_at]),
                    text(&inside[..at])
                );
                return Some(with_help(
                    inside[at].span(),
                    "Rust has no list comprehensions",
                    &help,
                ));
            }
            if let [TokenTree::Group(items)] = inside.as_slice()
                && is_after_operand
                && items.delimiter() == Delimiter::Parenthesis
                && items
                    .stream()
                    .into_iter()
                    .any(|token| is_punct(&token, ':'))
            {
                let items: Vec<TokenTree> = items.stream().into_iter().collect();
                return Some(with_help(
                    inside[0].span(),
                    "the items of a slice cannot be in parentheses",
                    &format!("write `{}[{}]`", text(operand_at_end(before)), text(&items)),
                ));
            }
            let pair = inside.windows(2).find(|pair| {
                is_after_operand
                    && ends(&pair[0])
                    && matches!(pair[1], TokenTree::Literal(_) | TokenTree::Ident(_))
                    && !matches!(&pair[1], TokenTree::Ident(word) if is_keyword(&word.to_string()))
                    && !pair.iter().any(is_python_operator)
            })?;
            Some(with_help(
                pair[1].span(),
                "a comma is missing before this",
                &format!("write `{}, {}`", text(&pair[..1]), text(&pair[1..])),
            ))
        }
        Delimiter::Parenthesis => {
            let colon = inside.iter().enumerate().position(|(at, token)| {
                is_punct(token, ':')
                    && !is_joint(token)
                    && !(at > 0 && is_punct(&inside[at - 1], ':'))
            })?;
            let is_closure = inside[..colon].iter().any(|token| is_punct(token, '|'));
            let is_name = matches!(before, [.., TokenTree::Ident(_)])
                && !matches!(before, [.., dot, _] if is_punct(dot, '.'));
            let is_function = before.iter().any(|token| is_word(token, "fn"))
                || inside.iter().any(|token| is_word(token, "lambda"));
            (is_name && !is_closure && !is_function).then(|| {
                with_help(
                    group.span_open(),
                    "a slice is written in brackets, not in parentheses",
                    &format!(
                        "write `{}[{}]`",
                        text(operand_at_end(before)),
                        text(&inside)
                    ),
                )
            })
        }
        _ => None,
    }
}
