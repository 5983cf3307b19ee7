//! Every sentence of `py!` that a person can meet, beside those of `s![]`.

use proc_macro2::{Span, TokenStream};
use syn::Error;

use super::brackets::{Misplaced, misplaced};

fn with_help(span: Span, problem: &str, help: &str) -> Error {
    Error::new(span, format!("{problem}\nhelp: {help}"))
}

/// What Rust's parser says, or what was meant by what it cannot read.
pub fn syntax(error: &Error, input: &TokenStream) -> Error {
    match misplaced(input.clone()) {
        Some(Misplaced::NothingInFront(brackets)) => with_help(
            brackets,
            "nothing stands in front of these brackets",
            "write what is sliced in front of them, `x[...]`; a slice alone is written with `s![...]`",
        ),
        Some(Misplaced::NoItems(brackets)) => with_help(
            brackets,
            "nothing stands in these brackets",
            "write `x[...]` for all of an array",
        ),
        None if error.span().source_text().as_deref() == Some("@") => with_help(
            error.span(),
            "`@` is not Rust",
            "write `.dot(&y)` for the matrix product",
        ),
        None => error.clone(),
    }
}

pub fn chained_assignment(span: Span) -> Error {
    with_help(
        span,
        "an assignment has no value that could be assigned",
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
        "`**` is not Rust",
        "write `.mapv(|x| x.powi(n))`, or `x[1:] * x[1:]`",
    )
}
