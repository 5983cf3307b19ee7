//! Finds where operands begin and end, in tokens that Rust's parser rejects.

use proc_macro2::{Delimiter, TokenTree};

use crate::notation::is_keyword;
use crate::tokens::{is_group, is_punct, is_word};

/// Returns the operand at the end of `tokens`, without the operator before it.
pub fn operand_at_end(tokens: &[TokenTree]) -> &[TokenTree] {
    let start = tokens.iter().rposition(|token| match token {
        TokenTree::Punct(sign) => sign.as_char() != '.',
        TokenTree::Ident(word) => {
            let word = word.to_string();
            word != "self" && is_keyword(&word) || is_python_keyword(&word)
        }
        _ => false,
    });
    &tokens[start.map_or(0, |at| at + 1)..]
}

/// Returns the condition at the beginning of `tokens`. The condition ends before braces, a comma, a semicolon, `and`,
/// `or` or `else`.
pub fn condition(tokens: &[TokenTree]) -> &[TokenTree] {
    let end = tokens.iter().position(|token| {
        is_group(token, Delimiter::Brace)
            || [',', ';'].iter().any(|&sign| is_punct(token, sign))
            || ["and", "or", "else"]
                .iter()
                .any(|word| is_word(token, word))
    });
    &tokens[..end.unwrap_or(tokens.len())]
}

/// Returns whether a word is an operator or conditional keyword in Python.
pub fn is_python_keyword(word: &str) -> bool {
    ["and", "or", "not", "in", "is", "if", "else", "elif"].contains(&word)
}

pub fn ends_operand(token: &TokenTree) -> bool {
    match token {
        TokenTree::Ident(word) => !is_keyword(&word.to_string()) || *word == "self",
        TokenTree::Group(group) => group.delimiter() != Delimiter::Brace,
        TokenTree::Literal(_) => true,
        TokenTree::Punct(sign) => sign.as_char() == '?',
    }
}

pub fn begins_operand(token: &TokenTree) -> bool {
    !matches!(token, TokenTree::Punct(sign) if !matches!(sign.as_char(), '-' | '!' | '&' | '*'))
}
