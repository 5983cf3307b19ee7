//! The mistakes found in one macro call, each with a message and the tokens to underline.

use std::ops::Range;

use proc_macro2::{Span, TokenTree};

/// The token range to underline in an item, a bound or a list element, and the message.
pub type Problem = (Range<usize>, String);

/// A message from `messages`, and the spans of the first and the last token to underline.
pub struct Mistake {
    pub first: Span,
    pub last: Span,
    pub text: String,
}

/// The mistakes in one macro call, in the order in which they were found.
#[derive(Default)]
pub struct Mistakes(Vec<Mistake>);

impl Mistakes {
    /// Reports `text` at `tokens`, or at the macro call if `tokens` is empty.
    pub fn report(&mut self, tokens: &[TokenTree], text: impl Into<String>) {
        let span = |token: Option<&TokenTree>| token.map_or_else(Span::call_site, TokenTree::span);
        let (first, last) = (span(tokens.first()), span(tokens.last()));
        let text = text.into();
        self.0.push(Mistake { first, last, text });
    }

    pub fn iter(&self) -> impl Iterator<Item = &Mistake> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
