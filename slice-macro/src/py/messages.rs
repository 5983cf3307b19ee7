//! Builds errors with a help line. Also contains the messages of `py!` about attributes, assignments and powers.

use proc_macro2::{Span, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Attribute, BinOp, Error};

use crate::text::text;

pub fn with_help(span: Span, problem: &str, help: &str) -> Error {
    Error::new(span, format!("{problem}\nhelp: {help}"))
}

/// Returns the compiler's error for an attribute on an expression, with a help line. The compiler never sees the
/// attribute, because the macro replaces the expression.
pub fn attribute(attribute: &Attribute) -> Error {
    let tokens: Vec<TokenTree> = attribute.to_token_stream().into_iter().collect();
    let text = text(&tokens);
    let message = format!(
        "attributes on expressions are experimental\nhelp: write the attribute before a `let` statement or a block, as in `{text} {{ ... }}`"
    );
    Error::new_spanned(attribute, message)
}

pub fn chained_assignment(span: Span) -> Error {
    with_help(
        span,
        "an assignment has no value in Rust, so assignments cannot be chained",
        "write a separate statement for each target",
    )
}

pub fn slice_in_a_pattern(span: Span) -> Error {
    with_help(
        span,
        "a slice cannot be one of several assignment targets",
        SEVERAL_TARGETS_HELP,
    )
}

/// The help for an assignment to several targets. For a swap, it suggests a copy, because the second statement would
/// otherwise read the values that the first statement assigned.
pub const SEVERAL_TARGETS_HELP: &str = "write `let [a, b] = x[:2];` or `let (n, m) = x.dim();` for variables, and a separate statement for each slice; \
     for a swap, first copy one of the slices (`let first = x[0, :].to_owned();`)";

/// Returns the error for `&&` or `||` between the masks in brackets.
pub fn masks(operator: &BinOp) -> Error {
    let (written, meant) = match operator {
        BinOp::And(_) => ("&&", '&'),
        _ => ("||", '|'),
    };
    let problem = format!("`{written}` combines single `bool`s, not masks");
    let help = format!("write `{meant}`, as in `x[(x > 1) {meant} (x < 5)]`");
    with_help(operator.span(), &problem, &help)
}
