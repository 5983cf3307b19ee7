//! Tokens back to the text they came from, for the corrected code in a message.

use std::ops::Range;

use crate::tokens::{Delimiter, Span, TokenTree};

/// The tokens as they stand in the source.
pub fn text(tokens: &[TokenTree]) -> String {
    text_with_parentheses(tokens, &[])
}

/// The same, with parentheses around some of the tokens.
pub fn text_with_parentheses(tokens: &[TokenTree], parentheses: &[Range<usize>]) -> String {
    let mut text = String::new();
    let mut before: Option<&TokenTree> = None;
    for (at, token) in tokens.iter().enumerate() {
        if before.is_some_and(|before| apart(closing(before), opening(token))) {
            text.push(' ');
        }
        if parentheses.iter().any(|range| range.start == at) {
            text.push('(');
        }
        push(&mut text, token);
        if parentheses.iter().any(|range| range.end == at + 1) {
            text.push(')');
        }
        before = Some(token);
    }
    text
}

fn push(text: &mut String, token: &TokenTree) {
    let TokenTree::Group(group) = token else {
        text.push_str(&token.to_string());
        return;
    };
    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
    let (open, close) = match group.delimiter() {
        Delimiter::Parenthesis => ("(", ")"),
        Delimiter::Bracket => ("[", "]"),
        Delimiter::Brace => ("{ ", " }"),
        Delimiter::None => ("", ""),
    };
    text.push_str(open);
    text.push_str(&self::text(&inner));
    text.push_str(close);
}

fn opening(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_open(),
        _ => token.span(),
    }
}

fn closing(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_close(),
        _ => token.span(),
    }
}

/// Whether there was a space between the two.
#[cfg(not(test))]
fn apart(before: Span, after: Span) -> bool {
    let (before, after) = (before.end(), after.start());
    (before.line(), before.column()) != (after.line(), after.column())
}

/// Outside a compiler nobody knows, and nobody reads the text.
#[cfg(test)]
fn apart(_: Span, _: Span) -> bool {
    true
}
