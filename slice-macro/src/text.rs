//! Converts tokens back to source text, so that error messages can show corrected code.

use proc_macro2::{Delimiter, TokenTree};

use crate::tokens::{are_separated, is_punct};

/// Returns the source text of the tokens. The spaces and comments between two tokens are replaced by a single space.
pub fn text(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    let mut before: Option<&TokenTree> = None;
    for token in tokens {
        if before.is_some_and(|before| !is_punct(before, '\'') && are_separated(before, token)) {
            text.push(' ');
        }
        push(&mut text, token);
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
