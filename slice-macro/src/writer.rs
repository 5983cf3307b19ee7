//! Builds expansions token by token.
//!
//! For nested streams, `quote!` calls the compiler several times for each stream, and this crate is not optimized in
//! development builds. Code that is common to all expansions is therefore written token by token, and only the contents
//! of brackets are streams.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// The path to `slice_core`, and the location at which the compiler reports errors in the expansion.
pub struct Krate {
    path: Vec<TokenTree>,
    /// A span in the caller's code.
    pub caller_span: Span,
    /// A span at the same location, for the macro's own tokens.
    pub span: Span,
}

impl Krate {
    pub fn new(path: Vec<TokenTree>) -> Self {
        let span = Span::mixed_site();
        let caller_span = span;
        Self {
            path,
            caller_span,
            span,
        }
    }

    /// Returns the same path, located at `caller_span`. The compiler reports errors at that location, but still
    /// resolves names where the path was written.
    pub fn located_at(&self, caller_span: Span) -> Self {
        let mut path = self.path.clone();
        for token in &mut path {
            token.set_span(caller_span.resolved_at(token.span()));
        }
        let span = Span::mixed_site().located_at(caller_span);
        Self {
            path,
            caller_span,
            span,
        }
    }

    /// Returns the path to an item in `slice_core`.
    pub fn path(&self, names: &[&str]) -> Writer {
        let mut path = Writer::new(self.span);
        path.path(self, names);
        path
    }
}

/// The tokens written so far, and the span of new tokens.
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

    /// Appends tokens with their own spans.
    pub fn append(&mut self, mut tokens: Vec<TokenTree>) {
        self.tokens.append(&mut tokens);
    }

    pub fn word(&mut self, word: &str) {
        self.token(Ident::new(word, self.span));
    }

    pub fn number(&mut self, number: u64) {
        self.token(Literal::u64_unsuffixed(number));
    }

    pub fn punct(&mut self, character: char) {
        self.push_punct(character, Spacing::Alone);
    }

    /// Appends `'name`.
    pub fn lifetime(&mut self, name: &str) {
        self.push_punct('\'', Spacing::Joint);
        self.word(name);
    }

    /// Appends a comma if any token has been written.
    pub fn comma(&mut self) {
        if !self.tokens.is_empty() {
            self.punct(',');
        }
    }

    /// Appends two characters as one operator, such as `::` or `=>`.
    pub fn operator(&mut self, first: char, second: char) {
        self.push_punct(first, Spacing::Joint);
        self.push_punct(second, Spacing::Alone);
    }

    fn push_punct(&mut self, character: char, spacing: Spacing) {
        let mut punct = Punct::new(character, spacing);
        punct.set_span(self.span);
        self.token(punct);
    }

    pub fn path(&mut self, krate: &Krate, names: &[&str]) {
        self.tokens.extend_from_slice(&krate.path);
        for name in names {
            self.operator(':', ':');
            self.word(name);
        }
    }

    /// Appends `.name`.
    pub fn member(&mut self, name: &str) {
        self.punct('.');
        self.word(name);
    }

    /// Appends `as _`.
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
