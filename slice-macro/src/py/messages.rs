//! All messages of `py!`, except the messages of `s![]`.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Error};

use crate::text::text;

pub fn with_help(span: Span, problem: &str, help: &str) -> Error {
    Error::new(span, format!("{problem}\nhelp: {help}"))
}

/// Refuses an attribute in the words of the compiler, which does not see the assignment to the slice.
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
    with_help(span, "a slice cannot be one of several targets", SEVERAL)
}

/// The help for several targets. Without the copy, the second statement of a swap would read the values that the first
/// statement has written.
pub const SEVERAL: &str = "write one statement for each target; before a swap copy the first, `let first = x[0, :].to_owned();`";

pub fn power(span: Span) -> Error {
    with_help(
        span,
        "`**` is not an operator in Rust",
        "write `.mapv(|x| x.powi(n))`, or `x[1:] * x[1:]`",
    )
}
