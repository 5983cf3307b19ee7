//! Tokens written one after another.
//!
//! `quote!` with a stream in a stream calls the compiler several times for each, and this crate is not optimized in builds
//! for development. What every slice expands to is therefore written token by token, and only what is
//! between brackets is a stream.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The path of `slice_core` as written at the call, and where errors in what is written are shown.
pub struct Krate {
    path: Vec<TokenTree>,
    /// A place in the caller's code.
    pub place: Span,
    /// Returns the place as a span for the macro's own tokens.
    pub span: Span,
}

impl Krate {
    pub fn new(path: Vec<TokenTree>) -> Self {
        let span = Span::mixed_site();
        let place = span;
        Self { path, place, span }
    }

    /// The span that errors show at `place`, and that resolves where the path came from.
    pub fn shown_at(&self, place: Span) -> Self {
        let mut path = self.path.clone();
        for token in &mut path {
            token.set_span(place.resolved_at(token.span()));
        }
        let span = Span::mixed_site().located_at(place);
        Self { path, place, span }
    }

    /// The path of something in `slice_core`.
    pub fn path(&self, names: &[&str]) -> Writer {
        let mut path = Writer::new(self.span);
        path.path(self, names);
        path
    }
}

/// The written tokens, with their span.
pub struct Writer {
    tokens: Vec<TokenTree>,
    span: Span,
}

impl Writer {
    pub fn new(span: Span) -> Self {
        let tokens = Vec::with_capacity(16);
        Self { tokens, span }
    }

    pub fn tokens(self) -> Vec<TokenTree> {
        self.tokens
    }

    pub fn stream(self) -> TokenStream {
        stream(self.tokens)
    }

    pub fn token(&mut self, token: impl Into<TokenTree>) {
        self.tokens.push(token.into());
    }

    /// Tokens that keep their spans.
    pub fn append(&mut self, mut tokens: Vec<TokenTree>) {
        self.tokens.append(&mut tokens);
    }

    pub fn word(&mut self, word: &str) {
        self.token(Ident::new(word, self.span));
    }

    pub fn number(&mut self, number: u64) {
        self.token(Literal::u64_unsuffixed(number));
    }

    pub fn sign(&mut self, sign: char) {
        self.punct(sign, Spacing::Alone);
    }

    /// `'name`
    pub fn lifetime(&mut self, name: &str) {
        self.punct('\'', Spacing::Joint);
        self.word(name);
    }

    /// The comma after what has been written, if anything has.
    pub fn comma(&mut self) {
        if !self.tokens.is_empty() {
            self.sign(',');
        }
    }

    /// `::`, `=>` and the like.
    pub fn signs(&mut self, first: char, second: char) {
        self.punct(first, Spacing::Joint);
        self.punct(second, Spacing::Alone);
    }

    fn punct(&mut self, sign: char, spacing: Spacing) {
        let mut punct = Punct::new(sign, spacing);
        punct.set_span(self.span);
        self.token(punct);
    }

    pub fn path(&mut self, krate: &Krate, names: &[&str]) {
        self.tokens.extend_from_slice(&krate.path);
        for name in names {
            self.signs(':', ':');
            self.word(name);
        }
    }

    /// `.name`
    pub fn member(&mut self, name: &str) {
        self.sign('.');
        self.word(name);
    }

    /// `as _`
    pub fn cast(&mut self) {
        self.word("as");
        self.word("_");
    }

    pub fn group(&mut self, delimiter: Delimiter, inside: Vec<TokenTree>) {
        let group = group(delimiter, inside, self.span);
        self.token(group);
    }

    pub fn parentheses(&mut self, inside: Vec<TokenTree>) {
        self.group(Delimiter::Parenthesis, inside);
    }
}

pub fn group(delimiter: Delimiter, inside: Vec<TokenTree>, span: Span) -> Group {
    let mut group = Group::new(delimiter, stream(inside));
    group.set_span(span);
    group
}

pub fn stream(tokens: Vec<TokenTree>) -> TokenStream {
    tokens.into_iter().collect()
}
