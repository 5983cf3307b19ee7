//! The mistakes found in one `s![]`, each with its tokens.

use std::ops::Range;

use proc_macro2::{Span, TokenTree};

/// The range of an item's tokens that contains the mistake, and its message.
pub type Problem = (Range<usize>, String);

/// One message of `messages`, and the tokens to underline.
pub struct Mistake {
    pub first: Span,
    pub last: Span,
    pub text: String,
}

/// All mistakes of one `s![]`, in the order of the source.
#[derive(Default)]
pub struct Mistakes(Vec<Mistake>);

impl Mistakes {
    /// Reports `text` on `tokens`, or on the macro's call if there are no tokens.
    pub fn at(&mut self, tokens: &[TokenTree], text: String) {
        let span = |token: Option<&TokenTree>| token.map_or_else(Span::call_site, TokenTree::span);
        let (first, last) = (span(tokens.first()), span(tokens.last()));
        self.0.push(Mistake { first, last, text });
    }

    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub fn iter(&self) -> impl Iterator<Item = &Mistake> {
        self.0.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
