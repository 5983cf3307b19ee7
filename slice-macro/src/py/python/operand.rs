//! Finds where operands begin and end, in tokens that Rust's parser rejects.

use proc_macro2::{Delimiter, TokenTree};

use crate::notation::is_keyword;

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
