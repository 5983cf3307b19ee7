//! Explains input of `py!` that Rust's parser cannot read.

use proc_macro2::TokenStream;
use syn::Error;

use super::brackets::{Misplaced, misplaced};
use super::messages::with_help;
use super::python;

/// Returns the error of Rust's parser, or a message with a correction.
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
