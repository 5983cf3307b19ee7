//! Detects brackets and parentheses that are valid neither as a slice nor in Rust, and items that lack a comma.

use proc_macro2::{Delimiter, Group, TokenTree};

use super::begins_text;
use super::words::lone_colon;
use crate::notation::ends_operand;
use crate::py::brackets::{ends_in_operand, slice_items};
use crate::py::messages::with_help;
use crate::tokens::{inside, is_any_punct, is_any_word, is_joint, is_punct, is_word};

/// Detects brackets without items or without an array, a comprehension, a slice in parentheses instead of brackets, items in
/// parentheses, and a missing comma between items. `is_after_operand` is `true` if an operand precedes the group.
pub fn brackets(before: &[TokenTree], group: &Group, is_after_operand: bool) -> Option<syn::Error> {
    let items: Vec<TokenTree> = group.stream().into_iter().collect();
    let is_rust = before.last().is_some_and(|token| is_any_punct(token, "#!"));
    let has_slice_item = || {
        let mut items = items.split(|token| is_punct(token, ','));
        items.any(|item| slice_items(item).is_some())
    };
    let may_be_comprehension = match group.delimiter() {
        Delimiter::Bracket => true,
        Delimiter::Parenthesis => !is_rust,
        _ => false,
    };
    // In Rust, a loop does not follow an operand.
    let mut after_operand = items.windows(2).zip(1..);
    if may_be_comprehension
        && let Some((_, at)) =
            after_operand.find(|(pair, _)| ends_operand(&pair[0]) && is_word(&pair[1], "for"))
        && items[at..].iter().any(|token| is_word(token, "in"))
    {
        let problem = "Rust has no comprehensions";
        let help = "write `x.iter().map(|value| value * 2.0).collect::<Vec<_>>()`, or `.sum::<f64>()` for the sum, with \
                    `outer_iter()` for the rows of an array";
        return Some(with_help(items[at].span(), problem, help));
    }
    let (at, problem, help) = match group.delimiter() {
        Delimiter::Bracket if items.is_empty() && ends_in_operand(before) => (
            group.span(),
            "these brackets are empty",
            "write `x[...]` for the whole array",
        ),
        Delimiter::Bracket if !is_rust && !ends_in_operand(before) && has_slice_item() => (
            group.span(),
            "an array is missing before these brackets",
            "write the array before them, as in `x[1:]`; a slice without an array is written with `s![]`",
        ),
        Delimiter::Bracket => {
            let in_parentheses = inside(&items, Delimiter::Parenthesis);
            if is_after_operand && in_parentheses.is_some_and(|items| lone_colon(&items).is_some())
            {
                (
                    items[0].span(),
                    "the items of a slice cannot be in parentheses",
                    "remove the parentheses",
                )
            } else {
                let pair = items.windows(2).find(|pair| {
                    is_after_operand
                        && ends_operand(&pair[0])
                        && begins_text(&pair[1])
                        && !pair.iter().any(|token| is_any_word(token, "and or not is"))
                })?;
                (
                    pair[1].span(),
                    "a comma is missing before this",
                    "write the comma, as in `x[1:, 0]`",
                )
            }
        }
        Delimiter::Parenthesis => {
            let colon = lone_colon(&items)?;
            let next = items.get(colon + 1);
            if is_joint(&items[colon]) && next.is_some_and(|next| is_punct(next, '=')) {
                let problem = "`:=` is not an operator in Rust";
                let help = "write a statement before this one, as in `let total = x[1:].sum();`";
                return Some(with_help(items[colon].span(), problem, help));
            }
            let is_closure = items[..colon].iter().any(|token| is_punct(token, '|'));
            let is_name = matches!(before, [.., TokenTree::Ident(_)])
                && !matches!(before, [.., dot, _] if is_punct(dot, '.'));
            let is_function = before.iter().any(|token| is_word(token, "fn"))
                || items.iter().any(|token| is_word(token, "lambda"));
            if !is_name || is_closure || is_function {
                return None;
            }
            (
                group.span_open(),
                "a slice is written in brackets, not in parentheses",
                "write brackets, as in `x[1:]`",
            )
        }
        _ => return None,
    };
    Some(with_help(at, problem, help))
}
