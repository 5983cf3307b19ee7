//! Every message of `py!`, except those of `s![]`.

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Error};

use super::brackets::{Misplaced, misplaced};
use super::python;
use crate::text::text;

pub fn with_help(span: Span, problem: &str, help: &str) -> Error {
    Error::new(span, format!("{problem}\nhelp: {help}"))
}

/// The error of Rust's parser, or what to write instead of what it cannot read.
pub fn syntax(error: &Error, input: TokenStream) -> Error {
    let python = python::mistake(input.clone());
    match misplaced(input) {
        Some(Misplaced::NothingInFront(brackets)) => with_help(
            brackets,
            "an array is missing before these brackets",
            "write the array before them, as in `x[1:]`; a slice alone is written with `s![]`",
        ),
        Some(Misplaced::NoItems(brackets)) => with_help(
            brackets,
            "these brackets are empty",
            "write `x[...]` for the whole array",
        ),
        None if error.span().source_text().as_deref() == Some("@") => with_help(
            error.span(),
            "`@` is not an operator in Rust",
            "write `.dot(&y)` for the matrix product",
        ),
        None => python.unwrap_or_else(|| error.clone()),
    }
}

/// In the words of the compiler, which knows nothing of assignments to slices.
pub fn attribute(attribute: &Attribute) -> Error {
    let tokens: Vec<TokenTree> = attribute.to_token_stream().into_iter().collect();
    let text = text(&tokens);
    let message = format!(
        "attributes on expressions are experimental\nhelp: write it before a `let` or a block, `{text} {{ ... }}`"
    );
    Error::new_spanned(attribute, message)
}

pub fn chained_assignment(span: Span) -> Error {
    with_help(
        span,
        "an assignment has no value in Rust, so assignments cannot be chained",
        "write one statement for each target",
    )
}

pub fn slice_in_a_pattern(span: Span) -> Error {
    with_help(
        span,
        "a slice cannot be one of several targets",
        "write one statement for each target",
    )
}

pub fn power(span: Span) -> Error {
    with_help(
        span,
        "`**` is not an operator in Rust",
        "write `.mapv(|x| x.powi(n))`, or `x[1:] * x[1:]`",
    )
}
