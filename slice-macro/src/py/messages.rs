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

/// The help for an assignment to several targets. For a swap, it suggests a copy, because the second statement would
/// otherwise read the values that the first statement assigned.
pub const SEVERAL_TARGETS_HELP: &str = "write `let [a, b] = x[:2];` or `let (n, m) = x.dim();` for variables, and a separate statement for each slice; \
     for a swap, first copy one of the slices (`let first = x[0, :].to_owned();`)";

/// Returns the error for `&&` or `||` between masks. In `help`, `&` stands for the operator of masks.
pub fn masks(operator: &BinOp, problem: &str, help: &str) -> Error {
    let (written, meant) = match operator {
        BinOp::And(_) => ("&&", "&"),
        _ => ("||", "|"),
    };
    let help = format!("write `{meant}`, {}", help.replace('&', meant));
    with_help(operator.span(), &format!("`{written}` {problem}"), &help)
}
