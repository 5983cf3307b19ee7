//! Builds expansions from templates.
//!
//! For nested streams, `quote!` calls the compiler several times for each stream, and this crate is not optimized in
//! development builds. The macro `code!` therefore collects tokens in vectors, and only the contents of brackets are streams.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Returns the tokens of a template, as a vector. As in `quote_spanned!`, tokens written in the template have the span before the
/// `=>`, and `#name` stands for the tokens of the variable `name`.
macro_rules! code {
    ($span:expr => $($template:tt)*) => {{
        let mut tokens = Vec::with_capacity(16);
        let (out, span) = (&mut tokens, $span);
        crate::writer::template!(out span $($template)*);
        tokens
    }};
}
pub(crate) use code;

/// Appends the tokens of a template to a vector.
macro_rules! template {
    ($out:ident $span:ident) => {
        let _ = ($out, $span);
    };
    ($out:ident $span:ident # $part:ident $($rest:tt)*) => {
        crate::writer::Part::append_to($part, $out);
        crate::writer::template!($out $span $($rest)*);
    };
    ($out:ident $span:ident ($($inside:tt)*) $($rest:tt)*) => {
        crate::writer::template!(@group Parenthesis $out $span [$($inside)*] $($rest)*)
    };
    ($out:ident $span:ident [$($inside:tt)*] $($rest:tt)*) => {
        crate::writer::template!(@group Bracket $out $span [$($inside)*] $($rest)*)
    };
    ($out:ident $span:ident {$($inside:tt)*} $($rest:tt)*) => {
        crate::writer::template!(@group Brace $out $span [$($inside)*] $($rest)*)
    };
    ($out:ident $span:ident $token:tt $($rest:tt)*) => {
        crate::writer::token(stringify!($token), $span, $out);
        crate::writer::template!($out $span $($rest)*);
    };
    (@group $delimiter:ident $out:ident $span:ident [$($inside:tt)*] $($rest:tt)*) => {
        let inside = crate::writer::code!($span => $($inside)*);
        let delimiter = proc_macro2::Delimiter::$delimiter;
        $out.push(crate::writer::group(delimiter, inside, $span).into());
        crate::writer::template!($out $span $($rest)*);
    };
}
pub(crate) use template;

/// Appends a token of a template: a number, a word, a lifetime or an operator.
pub fn token(text: &str, span: Span, out: &mut Vec<TokenTree>) {
    if let Ok(number) = text.parse() {
        return out.push(Literal::u64_unsuffixed(number).into());
    }
    for (at, sign) in text.char_indices() {
        if sign.is_alphabetic() || sign == '_' {
            return out.push(Ident::new(&text[at..], span).into());
        }
        let is_last = at + 1 == text.len();
        let mut punct = Punct::new(
            sign,
            if is_last {
                Spacing::Alone
            } else {
                Spacing::Joint
            },
        );
        punct.set_span(span);
        out.push(punct.into());
    }
}

/// A variable in a template.
pub trait Part {
    /// Appends the tokens of the variable, with their own spans.
    fn append_to(self, out: &mut Vec<TokenTree>);
}

impl Part for Vec<TokenTree> {
    fn append_to(mut self, out: &mut Vec<TokenTree>) {
        out.append(&mut self);
    }
}

macro_rules! single_tokens {
    ($($token:ty)*) => { $(
        impl Part for $token {
            fn append_to(self, out: &mut Vec<TokenTree>) {
                out.push(self.clone().into());
            }
        }
    )* };
}

single_tokens! { &Ident &Literal &Group }

/// Returns the parts with a comma between them.
pub fn separated(parts: impl IntoIterator<Item = Vec<TokenTree>>, span: Span) -> Vec<TokenTree> {
    let mut out = Vec::new();
    for part in parts {
        if !out.is_empty() {
            token(",", span, &mut out);
        }
        part.append_to(&mut out);
    }
    out
}

/// Returns the parts in nested pairs, such as `(first, (second, ()))`.
pub fn nested_pairs(
    parts: impl DoubleEndedIterator<Item = Vec<TokenTree>>,
    span: Span,
) -> Vec<TokenTree> {
    let pair = |rest, first| code!(span => (#first, #rest));
    parts.rev().fold(code!(span => ()), pair)
}

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
    pub fn path(&self, names: &[&str]) -> Vec<TokenTree> {
        let mut path = self.path.clone();
        for name in names {
            token("::", self.span, &mut path);
            token(name, self.span, &mut path);
        }
        path
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
