//! What Python writes and Rust's parser refuses: one message on its first token, with what to write.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

use super::messages::with_help;
use crate::notation::is_keyword;
use crate::text::text;
use crate::tokens::{is_group, is_joint, is_punct, is_word};

/// The first piece of Python in tokens that are not Rust.
pub fn mistake(stream: TokenStream) -> Option<syn::Error> {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    let statements = tokens.split(|token| is_punct(token, ';'));
    let found = statements.into_iter().find_map(statement);
    found.or_else(|| {
        tokens.iter().find_map(|token| match token {
            TokenTree::Group(group) => mistake(group.stream()),
            _ => None,
        })
    })
}

fn statement(tokens: &[TokenTree]) -> Option<syn::Error> {
    (0..tokens.len()).find_map(|at| {
        let (before, here, after) = (&tokens[..at], &tokens[at], &tokens[at + 1..]);
        let operand = before.last().is_some_and(ends_operand);
        match here {
            TokenTree::Punct(_) if is_punct(here, '#') => comment(here.span(), after),
            TokenTree::Punct(_) if operand => operator(before, here, after),
            TokenTree::Ident(word) => word_of_python(&word.to_string(), tokens, at, operand),
            _ => None,
        }
    })
}

fn comment(span: Span, after: &[TokenTree]) -> Option<syn::Error> {
    let attribute = after
        .first()
        .is_some_and(|next| is_punct(next, '!') || is_group(next, Delimiter::Bracket));
    (!attribute).then(|| {
        with_help(
            span,
            "`#` does not begin a comment in Rust",
            "write `//` in front of a comment",
        )
    })
}

/// Operators that Rust does not have, after an operand.
fn operator(before: &[TokenTree], here: &TokenTree, after: &[TokenTree]) -> Option<syn::Error> {
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
            &format!("write `{target} = {target}.mapv(|v| v.powi(n))`"),
        ));
    }
    if is_punct(here, ',')
        && let Some(equals) = after.iter().position(|token| is_punct(token, '='))
        && !before.iter().any(|token| is_word(token, "let"))
        && before.iter().chain(&after[..equals]).all(is_name_or_comma)
    {
        let names: Vec<TokenTree> = before
            .iter()
            .chain([here])
            .chain(&after[..equals])
            .cloned()
            .collect();
        return Some(with_help(
            here.span(),
            "several targets are a pattern in Rust",
            &format!(
                "write `let [{}] = {};`",
                text(&names),
                text(&after[equals + 1..])
            ),
        ));
    }
    None
}

fn is_name_or_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_)) || is_punct(token, ',')
}

fn word_of_python(
    word: &str,
    tokens: &[TokenTree],
    at: usize,
    operand: bool,
) -> Option<syn::Error> {
    let (before, span, after) = (&tokens[..at], tokens[at].span(), &tokens[at + 1..]);
    let operand_follows = after.first().is_some_and(begins_operand);
    match word {
        "not" if !operand && operand_follows => Some(with_help(
            span,
            "`not` is not an operator in Rust",
            &format!("write `!({})`", text(after)),
        )),
        "and" | "or" if operand && operand_follows => {
            let (rust, of_arrays) = if word == "and" {
                ("&&", "&")
            } else {
                ("||", "|")
            };
            Some(with_help(
                span,
                &format!("`{word}` is not an operator in Rust"),
                &format!("write `{rust}`, or `{of_arrays}` between arrays of `bool`"),
            ))
        }
        "is" if operand && operand_follows => Some(with_help(
            span,
            "`is` is not an operator in Rust",
            "write `==`",
        )),
        "lambda" if !operand && operand_follows => {
            let colon = after.iter().position(|token| is_punct(token, ':'))?;
            Some(with_help(
                span,
                "`lambda` is not a word of Rust",
                &format!(
                    "write a closure, `|{}| {}`",
                    text(&after[..colon]),
                    text(&after[colon + 1..])
                ),
            ))
        }
        "if" if operand => {
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
                "a conditional is written as in Rust",
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

/// The operand that ends here, without an operator before it.
fn operand_at_end(tokens: &[TokenTree]) -> &[TokenTree] {
    let start = tokens
        .iter()
        .rposition(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() != '.'));
    &tokens[start.map_or(0, |at| at + 1)..]
}

fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !is_keyword(&word.to_string()) || *word == "self",
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Literal(_) => true,
        TokenTree::Punct(sign) => sign.as_char() == '?',
    }
}

fn begins_operand(token: &TokenTree) -> bool {
    !matches!(token, TokenTree::Punct(sign) if !matches!(sign.as_char(), '-' | '!' | '&' | '*'))
}
