//! Tokens to items to parts, by hand: every `,` outside brackets ends an item and every `:` outside brackets ends a
//! part. An expression parser cannot do this, because to Rust `n::2` is the beginning of a path.

use std::ops::Range;

use crate::tokens::{Delimiter, TokenStream, TokenTree};

/// The tokens before and after the first `;`.
pub fn split_door(input: TokenStream) -> (TokenStream, TokenStream) {
    let mut tokens = input.into_iter();
    let krate = tokens
        .by_ref()
        .take_while(|token| !is_punct(token, ';'))
        .collect();
    (krate, tokens.collect())
}

/// One item as it was written, and the comma behind it, if any.
pub struct RawItem {
    pub tokens: Vec<TokenTree>,
    pub comma: Option<TokenTree>,
}

/// Splits at every top-level comma; what follows the last comma is an item only if it holds a token.
pub fn split_items(input: TokenStream) -> Vec<RawItem> {
    let mut items = Vec::new();
    let mut tokens = Vec::new();
    for token in input {
        if is_punct(&token, ',') {
            items.push(RawItem {
                tokens: visible(std::mem::take(&mut tokens)),
                comma: Some(token),
            });
        } else {
            tokens.push(token);
        }
    }
    if !tokens.is_empty() {
        items.push(RawItem {
            tokens: visible(tokens),
            comma: None,
        });
    }
    items
}

/// Where the parts of an item are, between its top-level colons: one for an index, two or three for a range.
pub fn split_parts(item: &[TokenTree]) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, token) in item.iter().enumerate() {
        if is_punct(token, ':') {
            parts.push(start..at);
            start = at + 1;
        }
    }
    parts.push(start..item.len());
    parts
}

pub fn is_word(token: &TokenTree, wanted: &str) -> bool {
    matches!(token, TokenTree::Ident(word) if word.to_string().as_str() == wanted)
}

pub fn is_punct(token: &TokenTree, wanted: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == wanted)
}

/// The tokens inside when `tokens` is nothing but one group with this delimiter.
pub fn inside(tokens: &[TokenTree], delimiter: Delimiter) -> Option<Vec<TokenTree>> {
    match tokens {
        [TokenTree::Group(group)] if group.delimiter() == delimiter => {
            Some(group.stream().into_iter().collect())
        }
        _ => None,
    }
}

/// The same tokens without the invisible groups around them, in which `macro_rules!` passes a `$e:expr`.
pub fn visible(tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    match inside(&tokens, Delimiter::None) {
        Some(inner) => visible(inner),
        None => tokens,
    }
}
