//! Detects Python operators and expressions that contain words such as `and`, `not in` and `lambda`.

use proc_macro2::{Delimiter, TokenTree};

use super::operand::{begins_operand, condition, operand_at_end};
use crate::py::messages::with_help;
use crate::text::text;
use crate::tokens::{is_group, is_punct, is_word};

pub fn python_word(
    word: &str,
    tokens: &[TokenTree],
    at: usize,
    is_after_operand: bool,
) -> Option<syn::Error> {
    let (before, span, after) = (&tokens[..at], tokens[at].span(), &tokens[at + 1..]);
    let operand_follows = after.first().is_some_and(begins_operand);
    match word {
        "not" if !is_after_operand && operand_follows => Some(with_help(
            span,
            "`not` is not an operator in Rust",
            &negated(condition(after)),
        )),
        "and" | "or" if is_after_operand && operand_follows => {
            let (rust_operator, array_operator) = if word == "and" {
                ("&&", "&")
            } else {
                ("||", "|")
            };
            Some(with_help(
                span,
                &format!("`{word}` is not an operator in Rust"),
                &format!("write `{rust_operator}`, or `{array_operator}` between arrays of `bool`"),
            ))
        }
        "is" if is_after_operand && operand_follows => {
            let is_not = after.first().is_some_and(|next| is_word(next, "not"));
            let other = after.get(usize::from(is_not));
            let tested = text(operand_at_end(before));
            let help = match (other.is_some_and(|next| is_word(next, "None")), is_not) {
                (true, false) => format!("write `{tested}.is_none()`"),
                (true, true) => format!("write `{tested}.is_some()`"),
                (false, false) => "write `==`".to_owned(),
                (false, true) => "write `!=`".to_owned(),
            };
            Some(with_help(span, "`is` is not an operator in Rust", &help))
        }
        "not" if is_after_operand && after.first().is_some_and(|next| is_word(next, "in")) => {
            let help = format!(
                "write `!{}.iter().any(|value| *value == {})`",
                text(condition(&after[1..])),
                text(operand_at_end(before))
            );
            Some(with_help(
                span,
                "`not in` is not an operator in Rust",
                &help,
            ))
        }
        "lambda" if !is_after_operand && operand_follows => {
            let colon = after.iter().position(|token| is_punct(token, ':'))?;
            Some(with_help(
                span,
                "there is no `lambda` in Rust",
                &format!(
                    "write the closure `|{}| {}`",
                    text(&after[..colon]),
                    text(&after[colon + 1..])
                ),
            ))
        }
        "if" if is_after_operand => {
            let otherwise = after.iter().position(|token| is_word(token, "else"))?;
            let (condition, rest) = (&after[..otherwise], &after[otherwise + 1..]);
            if condition
                .iter()
                .any(|token| is_group(token, Delimiter::Brace))
            {
                return None;
            }
            let start = before
                .iter()
                .rposition(|token| is_punct(token, '=') || is_punct(token, ','))
                .map_or(0, |at| at + 1);
            Some(with_help(
                span,
                "a conditional expression begins with `if` in Rust",
                &format!(
                    "write `if {} {{ {} }} else {{ {} }}`",
                    text(condition),
                    text(&before[start..]),
                    text(rest)
                ),
            ))
        }
        _ => None,
    }
}

fn negated(condition: &[TokenTree]) -> String {
    match condition {
        [_] => format!("write `!{}`", text(condition)),
        condition => format!("write `!({})`", text(condition)),
    }
}
