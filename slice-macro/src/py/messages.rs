//! Every sentence of `py!` that a person can meet, beside those of `s![]`.

use proc_macro2::{Span, TokenStream};
use syn::Error;

fn with_help(span: Span, problem: &str, help: &str) -> Error {
    Error::new(span, format!("{problem}\nhelp: {help}"))
}

/// What syn says, or what a Python programmer meant.
pub fn syntax(error: &Error, _input: &TokenStream) -> Error {
    error.clone()
}

pub fn chained_assignment(span: Span) -> Error {
    with_help(
        span,
        "an assignment has no value, so it cannot be assigned",
        "write one statement for each target",
    )
}

pub fn slice_in_a_pattern(span: Span) -> Error {
    with_help(
        span,
        "a slice cannot be one of several targets of an assignment",
        "write one statement for each target",
    )
}

pub fn power(span: Span) -> Error {
    with_help(
        span,
        "`**` is not Rust",
        "write `.mapv(|x| x.powi(n))` behind an array, or `&a * &a`",
    )
}
